"""What is said on the phones at the table, and about them."""
