"""The sentences of a challenge: players have a past call judged again."""

from __future__ import annotations

from collections.abc import Mapping

from ui.text.catalogue import mark, say

CHALLENGE = mark("Challenge this call")
HEADLINE = mark("Challenge: turn {turn}, {player}")
SURE = mark("I was sure of this table, and weighed no other.")
HOW_SURE = mark("I was {percent} % sure of this table.")
ALSO_TILES = mark("I also weighed a table with {tiles}: {percent} %.")
ALSO_TABLE = mark("I also weighed the same tiles as {layout}: {percent} %.")
NOT_WEIGHED = mark("I did not weigh this table: you told me of it, or the rules did not lead to it.")
NAME_IT = mark("Did another tile lie there? Click it in the drawing, and name the right one.")
WITH_IT = mark("With {tile} there:")
STANDS = mark("The call stands")
WRONG = mark("The call was wrong")
BACK = mark("Back to the turn")
STOOD = mark("This call was challenged: it stands.")
WAS_OVERTURNED = mark("This call was challenged: it was wrong.")
COUNT = mark("Challenged: {challenged}, overturned: {overturned}.")


def count_sentence(rulings: Mapping[int, bool]) -> str:
    """Return how many calls were challenged and overturned; nothing where none was challenged.

    Args:
        rulings: Which call -> whether it was overturned.
    """
    if not rulings:
        return ""
    return say(COUNT, challenged=len(rulings), overturned=sum(rulings.values()))
