"""The sentences of the page of photos, where a layout is corrected and tried out."""

from __future__ import annotations

from ui.text.catalogue import Plural, mark

# tools
OPEN = mark("Open")
OPEN_HINT = mark("Open a photo of a table, or a layout that was saved.")
TILES = mark("Tiles")
TILES_HINT = mark("Show all tiles, to place one in thought. Or type it, such as g10.")
SAVE = mark("Save")
SAVE_HINT = mark("Save which tile lies where, to open it again or for the command judge.")
SHARE = mark("Save a picture")

TAKE_AWAY = mark("Take the tile away")

# files
LAYOUTS = mark("Layouts")
PHOTOS_AND_LAYOUTS = mark("Photos and layouts")
CHOOSE = mark("Choose a photo of the table, or a layout")
SAVE_FIRST = mark("Answer the question first: what is not certain is not saved.")
SHARE_KINDS = mark("Pictures (*.png)")

# another photo, while corrections are not saved
UNSAVED = mark("Save your corrections?")
UNSAVED_SENTENCE = mark("What you have corrected in {name} is not saved yet.")
SAVE_AND_GO_ON = mark("Save, then go on")
DROP_AND_GO_ON = mark("Go on without saving")
STAY_HERE = mark("Stay here")

# what lies there
NO_TILES = mark("No tile lies here")
NO_TILES_HINT = mark("Type a tile, such as g10, and place it; or open a photo.")
NOTHING_HIDDEN = mark("No tile is under it")
CHOOSE_TILE = mark("Choose the tile …")
CHANGED = mark("{name}  ·  changed by hand")
MISSING_HINT = mark("If a tile is missing here, type it and place it where it lies.")
PYRAMID_HINT = mark(
    "The arrows go from tile to tile, Enter corrects one, Del takes it away. Type a tile, such as g10, to "
    "place it."
)

# in thought
IN_THOUGHT = mark("This is tried out only: Undo takes it back.")
TRY_HINT = mark("Try a tile: type it, such as g10. Each place shows whether mayhem would follow.")
LEFT_CALM = mark("To the left, nothing more happens.")
RIGHT_CALM = mark("To the right, nothing more happens.")
LEFT_MOVES = mark("To the left, then {events}.")
RIGHT_MOVES = mark("To the right, then {events}.")
LEFT_TAKES = Plural(
    "To the left, then {events}: {count} tile comes off.",
    "To the left, then {events}: {count} tiles come off.",
)
RIGHT_TAKES = Plural(
    "To the right, then {events}: {count} tile comes off.",
    "To the right, then {events}: {count} tiles come off.",
)
CAME_OFF = mark("So far {tiles} came off.")
