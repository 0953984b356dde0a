"""The page of photos: what it shows of a photo, and what people do there."""
