"""The sentences of the table page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules.game import Variant
from ui.text.catalogue import Plural, _, mark, say
from ui.text.sentences import Names, player_name, tile_name

_VARIANTS = {Variant.FAMILY: mark("Family"), Variant.STRATEGY: mark("Strategy")}
_LATER = {
    "air": mark("free air"),
    "collapse": mark("a collapse"),
    "explosion": mark("an explosion"),
    "fire": mark("a fire"),
    "curse": mark("a curse"),
    "die": mark("the fire die"),
}

# a turn
TURN_OF = mark("{player}'s turn")
PLACE_WATCHED = mark("Place a tile. I am watching.")
PLACE_UNWATCHED = mark("Nobody sees the table now. The game waits for pictures.")
PLACE_CLICKED = mark("Choose a tile below or type it, such as g10. Then click a dotted place.")
PLACE_HELD = mark("Click a place for {tile}, or go there with the arrows and press Enter.")
SAYS_OK = mark("{player} checks the pyramid, then says OK or places a tile.")
PLACING = mark("Placing")
RESOLVING = mark("Resolving")
CHECKS_NEXT = mark("Checks next")
PLACED_LAST = mark("Placed {tile}")
TOOK_LAST = mark("Took {count} on turn {turn}")

# the camera
TRY_AGAIN = mark("Try again")
OTHER_CAMERA = mark("Another camera")
OTHER_ADDRESS = mark("A phone or network camera …")
ADDRESS_QUESTION = mark("What is the address of the stream?")
GO_ON_CLICKING = mark("Go on by clicking")
NEVER_RESTS = mark(
    "The picture has not come to rest for a minute, so I cannot read the table. Fix the camera so that it "
    "does not shake, and leave the table alone for a second."
)
PICTURE_FAULTS = {
    "mirrored": mark(
        "The camera shows the table mirrored: numbers stand the wrong way round, and left is right. Turn "
        "mirroring off in the settings of the camera or of its program, and begin again."
    ),
    "dark": mark("It is too dark to read all tiles. Bring a lamp nearer."),
    "bright": mark(
        "The camera shows the tiles too bright to read them all. Turn the lamp away, fix the exposure of the "
        "camera, or take a lighter cloth."
    ),
    "narrow": mark(
        "The pyramid has come to the edge of the picture: the next tile may be seen in part. Move the camera "
        "back, or push the pyramid to the middle."
    ),
}
"""By the value of `vision.tracking.table_watch.PictureFault`."""
RECORDING_ENDED = mark("The recording is over. The game is stored, and can go on in another way.")

# before the game
BEFORE_THE_GAME = mark("The game begins")
LAY_LEFT_OVER = Plural(
    "{count} tile is left over. Lay it on the table: it begins the base. An incendiary leaves the game.",
    "{count} tiles are left over. Lay them side by side: they begin the base. Incendiaries leave the game.",
)

# mayhem
MISSED = mark("Missed mayhem")
MISSED_SINCE = mark("Since turn {turn}: {what}")
WRONG = mark("This step is wrong")
FALL = mark("Fall")
STEP = mark("step {number}")
UNDER_PILE = mark("under the pile of {player} (+{count}, stock {stock})")
OUT_OF_GAME = mark("out of the game")
LEAVES_AS_WELL = mark("Take {tiles} out of the game.")
SLIDE_LEFT = mark("Slide {short} down to the left.")
SLIDE_RIGHT = mark("Slide {short} down to the right.")
LEFT = mark("Left")
RIGHT = mark("Right")
NEXT = mark("Next")
OK = mark("OK")
ROLL = mark("Roll the die for us")
WHICH_ROLL = mark("What does the fire die show?")
OR_MOVE = mark("Or just move the tiles: the camera sees what you do.")
_THEN = mark("Then {events}.")
_THEN_PERHAPS = mark("Then perhaps {events}.")

# whose turn it is, and how many tiles each player has
WHOSE_TURN = mark("Whose turn is it?")
ONE_LESS = mark("{player}: one tile less")
ONE_MORE = mark("{player}: one tile more")
TOO_MANY = Plural(
    "{count} tile too many: all tiles together are 45.",
    "{count} tiles too many: all tiles together are 45.",
)
TOO_FEW = Plural(
    "{count} tile is missing: all tiles together are 45.",
    "{count} tiles are missing: all tiles together are 45.",
)
APPLY = mark("Apply")
PLAYERS_HINT = mark("Click to correct whose turn it is, or how many tiles somebody has.")

# a tile
ANOTHER_TILE = mark("Another tile …")
WHICH_TILE = mark("This is {tile}. If not, choose:")
WHICH_TILE_IS_IT = mark("Which tile is it?")
LIES_THERE = mark("{tile} is already on the table.")
NO_ANSWER = mark("{tile} cannot be the answer here.")
HAS_LEFT = mark("{tile} left the game.")

# why
WHY = mark("Why?")
ALL_RULES = mark("All rules")
CLOSE = mark("Close")

# for screen readers
PLACE = mark("Place in row {row} from the bottom, slot {slot} from the left")
TILE_AT = mark("{tile}, in row {row} from the bottom, slot {slot} from the left")
ROW_OF = mark("Row {row}: {tiles}")
NO_TILES = mark("No tile lies on the table.")
TURN_NAME = mark("Turn {turn} of {turns}, {player}")
TURNS_HINT = mark("The arrows go from turn to turn. Esc leads back to the game.")
PYRAMID_HINT = mark(
    "The arrows go from tile to tile, Enter corrects one. Type a tile, such as g10, to place it."
)
PALETTE_NAME = mark("All tiles; the arrows go from one to the next")
PICTURE_NAME = mark("Picture of the table")
PICTURE_HINT = mark("Right click, or Shift+C: another camera, or none.")

# the end
WINS = mark("{player} wins!")
END_HINT = mark("The hand and the pile are empty. Click a turn below to look back, or export the game.")

KEEP_TILES = mark("Keep these tiles under a name")
TILES_NAME = mark("Name of the tile set (letters, digits, - and _):")
LEARNED_TILES = mark("I have learned {tiles} of this set. Keep them, and the next game asks less.")
KEPT_TILES = mark("These tiles are kept as {name}. New games are played with them.")

# the page
WAITING_FOR_CAMERA = mark("The picture of the table appears here.")
UNDO = mark("Undo")
REDO = mark("Redo")
CHECK_NOW = mark("Check now")
EXPORT = mark("Export")
HOME = mark("Home")
EXPORT_KINDS = mark("Strip (*.pdf);;Recorded game (*.jsonl)")
RESUME_LIVE = mark("Back to the game")
PLAY_ON = mark("Play on from here by clicking")
REPLAY = mark("Moments of the game; the arrows go from one to the next")
LOOK_BACK_AT = mark("Turn {turn}, {player}")
WHAT_IF = mark("What if?")
WHAT_IF_HINT = mark("Show for each place whether the chosen tile would cause mayhem there.")
WORKER_FAILED = mark(
    "Something went wrong while following the game. What was stored is safe, and the game goes on."
)
DEMO_PLAYERS = ("Anna", "Bruno", "Chloé")
PAUSE = mark("Pause")
FASTER = mark("Faster")
SKIP = mark("Skip")
YOUR_TABLE = mark("Now your table")
TOUR_CALM = mark("The referee reads the table from the pictures. The players only place their tiles.")
TOUR_MAYHEM = mark("This is mayhem: the card says what and why, and who takes the tiles that are ringed.")
TOUR_MISSED = mark(
    "A tile was placed before the mayhem was resolved. The referee finds that, too, and says since when."
)
TOUR_END = mark(
    "That was the sample. Now your table: all you need is a camera above it, or play by clicking."
)
SAMPLE_GAME = mark("Sample game")
NO_CAMERA = mark("Without a camera")
PHONE = mark("Phone or network camera")


def capital(text: str) -> str:
    """Return a text with its first letter large, to stand at the beginning."""
    return text[:1].upper() + text[1:]


def name_of(player: int, names: Names) -> str:
    """Return what a player is called, to stand alone."""
    if names is None or isinstance(names, int) or not 0 <= player < len(names):
        return capital(player_name(player))
    return names[player]


def title(variant: Variant, turn: int) -> str:
    """Return which game and turn this is."""
    return say("{variant} · turn {turn}", variant=_(_VARIANTS[variant]), turn=turn)


def with_tile(sentence: str, code: str) -> str:
    """Return a sentence about one tile."""
    return capital(say(sentence, tile=tile_name(code)))


def place_name(at: tuple[int, int], code: str | None) -> str:
    """Return what lies in a place, and where it is."""
    row, slot = at[0] + 1, at[1] + 1
    if code is None:
        return say(PLACE, row=row, slot=slot)
    return capital(say(TILE_AT, tile=tile_name(code), row=row, slot=slot))


def pyramid_in_words(tiles: Iterable[tuple[int, int, str]]) -> str:
    """Return what lies on the table, row by row from the bottom.

    Args:
        tiles: Row, slot and code of each.
    """
    rows: dict[int, list[str]] = {}
    for row, _slot, code in sorted(tiles):
        rows.setdefault(row, []).append(tile_name(code))
    told = [say(ROW_OF, row=row + 1, tiles=_(", ").join(names)) for row, names in rows.items()]
    return ". ".join(told) or say(NO_TILES)


def then(kinds: Sequence[str], *, perhaps: bool) -> str:
    """Return which kinds of events follow, or may follow; nothing for none."""
    return say(_THEN_PERHAPS if perhaps else _THEN, events=kinds_in_words(kinds)) if kinds else ""


def kinds_in_words(kinds: Sequence[str]) -> str:
    """Return kinds of events in a row, each once."""
    return _(", ").join(_(_LATER[kind]) for kind in dict.fromkeys(kinds))
