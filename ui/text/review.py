"""The fixed sentences of the review of a data set, marked for the catalogue."""

from __future__ import annotations

from ui.text.catalogue import Plural, mark

# the page
REVIEW = mark("Review")
LOOKED_AT = mark("{name}: {proposed} to check, {confirmed} confirmed")
CONFIRM_ALL = mark("Confirm the rest")
CONFIRMED_NOW = Plural("{count} label is confirmed now.", "{count} labels are confirmed now.")
EXPORT = mark("Export …")
ADD_PHOTOS = mark("Add photos …")
KEYS_HINT = mark("Enter: confirm  ·  a code such as g40, then Enter: correct  ·  Delete: no tile  ·  U: undo")
NO_SUCH_CODE = mark("There is no tile {code!r}. A code is a letter and a weight, such as g40 or m200.")
LEFT_OUT = Plural(
    "{count} picture could not be used. {reason}", "{count} pictures could not be used. The first: {reason}"
)
NO_DATA_SET = mark("No data set is open. Choose photos or a folder on the page Own tiles.")

# crops
CROP_PROPOSED = mark("{tile}? ({percent} % sure)")
CROP_CONFIRMED = mark("{tile}, confirmed")
CROP_GONE = mark("no tile")
CROPS_NAME = mark("Tiles, the unsure ones first")

# the photo
PHOTO_NAME = mark("The photo of the tile. You can drag its corners.")
PHOTO_WAITS = mark("The photo of the tile appears here.")
ADD_TILE = mark("Add a tile")
CLICK_CORNERS = mark(
    "Click the four corners of the tile. Begin at the top left of its number. Clicked: {count} of 4."
)
TYPE_CODE = mark("Which tile is it? Type its code, such as g40, and Enter.")
NO_TILE = mark("No tile")
RIGHT = mark("That is right")
UNDO = mark("Undo")
REDO = mark("Redo")

# progress
SQUARES_HINT = mark("Click a tile to see only its pictures.")
SHOW_ALL = mark("Show all")
SQUARE_UNSEEN = mark("{tile}: no picture yet")
SQUARE = mark("{tile}: {confirmed} of {all} confirmed")
SQUARE_COMPLETE = mark("{tile}: {confirmed} of {all} confirmed, under two lights")
ALL_CONFIRMED = mark("Every tile is confirmed.")
ALL_COMPLETE = mark("Every tile is confirmed, under two lights: nothing is missing.")
STILL_UNSEEN = mark("No photo yet: {tiles}.")
UNDER_ANOTHER_LIGHT = mark("Photograph these under another light as well: {tiles}.")
TROUBLES = mark("Contradictions")
TWICE = mark("{tile} twice in {photo}")
ONE_PLACE = mark("{tile} and {other} in the same place in {photo}")
MORE_TROUBLES = mark("… and {count} more.")

# learning
LEARN = mark("Learn these tiles")
SET_NAME = mark("Name of the tile set")
LEARNING = mark("Learning …")
NOTHING_CONFIRMED = mark("No tile is confirmed yet. Check the tiles, and confirm those that are right.")
LEARNED = mark("Learned {tiles} from {pictures}, as {name}.")
LEFT_PROPOSED = Plural(
    "{count} label is left out because it is not confirmed.",
    "{count} labels are left out because they are not confirmed.",
)
USE = mark("Use these tiles")
IN_USE = mark("New games now use {name}.")

# own tiles
CAPTURE_HINT = mark(
    "Lay out your tiles and take photos from above, under two different lights if you can. The referee "
    "finds the tiles and names them. You check the names, and it learns the tiles."
)
CAPTURE = mark("Capture from photos …")
REVIEW_FOLDER = mark("Review and learn …")
DROP_HERE = mark("You can also drop photos here, or the folder of a data set.")
CAPTURING = mark("Looking for tiles: photo {done} of {all}")
STOP = mark("Stop")
NOTHING_FOUND = mark("No tiles were found in these photos. Take them from above, in good light.")
CHOOSE_FOLDER = mark("Choose the folder of a data set")
CHOOSE_PHOTOS = mark("Choose photos of your tiles")
DATA_SETS = mark("Data sets")
KNOWN_SET = mark("{name} (in use)")

# export
EXPORT_TITLE = mark("Export the data set")
EXPORT_FORMAT = mark("Format")
NATIVE = mark("Pyramid Referee")
EXPORT_LICENCE = mark("Licence, such as CC-BY-4.0")
EXPORT_BLUR = mark("Blur everything but the tiles")
EXPORT_PRIVACY = mark("Place, time and camera are removed from the pictures.")
EXPORT_GO = mark("Choose a folder …")
EXPORTED = mark("Wrote {pictures} with {labels} into {folder!r}.")
CANCEL = mark("Cancel")

# settings
READER = mark("Reader")
SHIPPED_READER = mark("The reader of the app")
READER_HINT = mark("Readers that you train with pyramid-referee train --data appear here.")
