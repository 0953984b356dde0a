"""The server for phones at the table: what they show, what they send, and what they may not."""
