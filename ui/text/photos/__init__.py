"""What the page of photos says."""
