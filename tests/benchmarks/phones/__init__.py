"""What phones at the table cost: delays and memory, with guests in a process of their own."""
