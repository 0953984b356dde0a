"""Where pictures come from: cameras, streams, films, folders; and when a table has settled."""
