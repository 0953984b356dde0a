"""The rules of Flaming Pyramids, and of the cube game. Standard library only: no camera, no window.

The rules as they are enforced, with their sources, stand in `RULES.md` beside this file; docstrings
cite its sections as "Rule 4.2".

Words, one for each thing:

- *layout*: which tile lies in which slot; *slot*: one of the brick lattice, (row, slot), row 0 is the base.
- *support*: a tile that another rests on; *overhang*: a tile on one support; *free air*: on none.
- *placement*: putting a tile from the hand on the table; *place*: a slot where that is allowed.
- *mayhem*: whatever a check finds; *event*: one thing that happens; *resolution*: all of them, in order.
- *payer*: whose pile takes what comes off; *chooser*: who says where a tile falls to.
- *need*: what a resolution waits for, a choice or a roll; *verdict*: the events that are announced, in order.
- *pile*: a player's face-down tiles; *stock*: hand and pile together; *out*: tiles that left the game.
- *missed mayhem*: found after the next player said OK or placed a tile; *interruption*: resolving it then.
- *reading*: what the camera saw, which may leave doubts; the rules judge layouts and know no doubt.

>>> from referee import Layout, TILES, resolve
>>> done = resolve(Layout.parse("R40 B20"), place=(TILES["B7"], 1, 0))
>>> [type(event).__name__ for event in done.events], done.stable
(['Fire'], True)
"""

from referee.errors import RefereeError
from referee.rules.layout import Layout
from referee.rules.options import Options
from referee.rules.placement import find_places
from referee.rules.resolve import Resolution, resolve
from referee.rules.tiles import CODES, TILES, Tile
from referee.rules.verdict import Verdict, common_verdict

__all__ = [
    "CODES",
    "TILES",
    "Layout",
    "Options",
    "RefereeError",
    "Resolution",
    "Tile",
    "Verdict",
    "common_verdict",
    "find_places",
    "resolve",
]
