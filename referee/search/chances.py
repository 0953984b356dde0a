"""What mistakes cost, in log chance. Rule 5.

Counted and written by `python -m tests.simulation.chances --first 400000 --games 400 --store`.
"""

MISSED_COST = 2.77
"""A tile is placed over mayhem, and not the next step carried out. 1,705 of 27,178 times."""
MISSED_DIE_COST = 4.57
"""A tile is placed where the fire die is to be rolled next. 3 of 338 times."""
MISSED_AGAIN_COST = 0.81
"""A tile is placed over mayhem that was missed before, and not found. 1,368 of 3,063 times."""
WRONG_COST = 2.85
"""A step is done wrongly. 1,599 of 27,743 times."""
LEFT_LYING_COST = 1.90
"""Play goes on over what was done wrongly, and it is not put right. 238 of 1,597 times."""
