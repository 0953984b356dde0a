"""What the networks learn from, how they learn, and what is exported of them."""
