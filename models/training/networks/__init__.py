"""The networks, what they are fed with, what they lose by, and the loop that trains them."""
