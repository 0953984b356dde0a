"""The sentences of the page that tells how a game went."""

from __future__ import annotations

from ui.text.catalogue import Plural, mark

TITLE = mark("The result")
WON = mark("{player} wins!")
HOW_IT_WENT = mark("How it went")
ANOTHER_ROUND = mark("Another round")
ROUND_BY_CLICKING = mark("The recording is over: this round is played by clicking. New game has the cameras.")
SHARE = mark("Save a picture")
SHARE_KINDS = mark("Pictures (*.png)")
RANKS = mark("Ranks")
PLACE = mark("{place}.")
STOCK = mark("Tiles left")
CAUSED = mark("Caused")
SUFFERED = mark("Taken")
WINS = mark("Rounds won")
OVER_TURNS = mark("Tiles of each player, turn by turn")
NOTABLE = mark("Notable")
CHAIN = Plural(
    "Longest chain: {count} event on turn {turn}, by {player}.",
    "Longest chain: {count} events on turn {turn}, by {player}.",
)
MISSED = mark("Turn {since}, {culprit}: mayhem was missed. It was found on turn {turn}, {player}.")
NOTHING_MISSED = mark("Nobody missed anything.")
STOCK_WORDS = mark("{player}: {first} tiles at first, {most} at most, {last} at the end.")
