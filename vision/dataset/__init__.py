"""Pictures with known contents: capture, review, exchange and share them."""
