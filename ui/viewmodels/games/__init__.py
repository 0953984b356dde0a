"""What the pages of stored games show; no Qt."""
