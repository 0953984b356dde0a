"""What can have happened between two settled tables: search, weigh and compare. It decides nothing."""
