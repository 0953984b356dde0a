"""The fixed sentences of the review of a data set, marked for the catalogue: see `ui.text.bound_text`."""

from __future__ import annotations

from ui.text.sentences import mark

# the page
REVIEW = mark("Review")
LOOKED_AT = mark("{name}: {proposed} to look at, {confirmed} confirmed")
CONFIRM_ALL = mark("Confirm all that remain")
CONFIRMED_NOW = mark("Confirmed: {count}.")
EXPORT = mark("Export …")
ADD_PHOTOS = mark("Add photos …")
KEYS_HINT = mark(
    "Enter: right, next  ·  type a code such as g40, Enter: correct it  ·  Delete: no tile  ·  U: undo"
)
NO_SUCH_CODE = mark("No tile is called {code!r}. Codes are a letter and a weight, such as g40 or m200.")
LEFT_OUT = mark("Could not be used: {count}. The first: {reason}")
NO_DATA_SET = mark("No data set is open. Choose photos or a folder on the page of own tiles.")

# crops
CROP_PROPOSED = mark("{tile}? ({percent} % sure)")
CROP_CONFIRMED = mark("{tile}, confirmed")
CROP_GONE = mark("no tile")
CROPS_NAME = mark("Tiles, the doubtful ones first")

# the photo
PHOTO_NAME = mark("The photo of the tile; its corners can be dragged")
PHOTO_WAITS = mark("The photo of the tile appears here.")
ADD_TILE = mark("Add a tile")
CLICK_CORNERS = mark(
    "Click the four corners of the tile, the top left one of its number first. Clicked: {count}."
)
TYPE_CODE = mark("Which tile is it? Type its code, such as g40, and Enter.")
NO_TILE = mark("No tile")
RIGHT = mark("That is right")
UNDO = mark("Undo")
REDO = mark("Redo")

# progress
SQUARES_HINT = mark("Click a tile to see its pictures only.")
SHOW_ALL = mark("Show all")
SQUARE_UNSEEN = mark("{tile}: no picture yet")
SQUARE = mark("{tile}: {confirmed} of {all} confirmed")
SQUARE_COMPLETE = mark("{tile}: {confirmed} of {all} confirmed, under two lights")
ALL_CONFIRMED = mark("Every tile is confirmed.")
ALL_COMPLETE = mark("Every tile is confirmed, under two lights: nothing is missing.")
STILL_UNSEEN = mark("Still to photograph: {tiles}.")
UNDER_ANOTHER_LIGHT = mark("Under another light would help: {tiles}.")
TROUBLES = mark("Contradictions")
TWICE = mark("{tile} twice in {photo}")
ONE_PLACE = mark("{tile} and {other} in one place in {photo}")
MORE_TROUBLES = mark("… and {count} more.")

# learning
LEARN = mark("Learn these tiles")
SET_NAME = mark("Name of the tile set")
LEARNING = mark("Learning …")
NOTHING_CONFIRMED = mark("Nothing is confirmed yet: look the tiles over, and confirm those that are right.")
LEARNED = mark("Learned: {tiles} tiles from {pictures} pictures, as {name}.")
LEFT_PROPOSED = mark("Not confirmed, and so left out: {count}.")
USE = mark("Use these tiles")
IN_USE = mark("New games are played with {name} now.")

# own tiles
CAPTURE_HINT = mark(
    "Lay your tiles out and photograph them from above, under two lights if you can. The referee finds the "
    "tiles and says what it takes them for; you look it over, and it learns them."
)
CAPTURE = mark("Capture from photos …")
REVIEW_FOLDER = mark("Review and learn …")
DROP_HERE = mark("Photos, or a folder of a data set, can also be dropped here.")
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
EXPORT_PRIVACY = mark("Place, time and camera are dropped from the pictures.")
EXPORT_GO = mark("Choose a folder …")
EXPORTED = mark("Written: {pictures} pictures with {labels} labels, into {folder!r}.")
CANCEL = mark("Cancel")

# settings
READER = mark("Reader")
SHIPPED_READER = mark("The one of the app")
READER_HINT = mark(
    "A reader that learned your pictures, made with pyramid-referee train --data, appears here."
)
