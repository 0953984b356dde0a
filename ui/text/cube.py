"""What is said in the cube game, marked for the catalogue."""

from __future__ import annotations

from referee.cube.game import Side
from ui.text.catalogue import mark

TURN = {Side.LIGHT: mark("Light's turn"), Side.DARK: mark("Dark's turn")}
PLACE = mark("Place a light or dark cube on a marked place.")
BONUS = {Side.LIGHT: mark("A bonus for Light"), Side.DARK: mark("A bonus for Dark")}
BONUS_FROM = {
    Side.LIGHT: mark("Three cubes of one colour: place one of Light's cubes on them, light or dark."),
    Side.DARK: mark("Three cubes of one colour: place one of Dark's cubes on them, light or dark."),
}
"""By the player whose cubes are used."""
BONUSES_FROM = {
    Side.LIGHT: mark("{count} bonuses: fill the marked places with Light's cubes, in any order."),
    Side.DARK: mark("{count} bonuses: fill the marked places with Dark's cubes, in any order."),
}
PASSES = {
    Side.LIGHT: mark("Light has no cubes left and passes. Dark completes the pyramid."),
    Side.DARK: mark("Dark has no cubes left and passes. Light completes the pyramid."),
}
WINS = {Side.LIGHT: mark("Light wins"), Side.DARK: mark("Dark wins")}
WON_FACES = mark("{count} of the three faces show more cubes of the winner's colour.")
PLAYER = {Side.LIGHT: mark("Light's cubes"), Side.DARK: mark("Dark's cubes")}
CUBE_LEFT = {Side.LIGHT: mark("Light cube ({count} left)"), Side.DARK: mark("Dark cube ({count} left)")}
FACES = {"x": mark("Top face"), "y": mark("Right face"), "z": mark("Left face")}
SCORES = mark("Faces")
HANDS = mark("In hand")
SCORE = mark("{light} light, {dark} dark")
UNDO = mark("Undo")
REDO = mark("Redo")
NEW = mark("Start again")
SAVE = mark("Save")
OPEN = mark("Open")
BOARD = mark("Board of the cube game")
AT_PLACE = mark("Layer {layer}, place {number} of {count}")
DAMAGED = mark("{name} is damaged. The game was opened up to its last good move.")
