"""The page of photos, where a position is corrected and tried out."""
