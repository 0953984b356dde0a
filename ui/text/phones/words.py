"""The sentences of the pages on phones, and those of the window about phones."""

from __future__ import annotations

from collections.abc import Mapping

from ui.text import table
from ui.text.catalogue import mark
from ui.text.rulebook import ending

# in the window
PHONES = mark("Phones")
PHONES_HINT = mark("Let phones at the table show the game, answer for their players, and watch.")
USE_PHONE = mark("Use a phone")
SCAN = mark("Scan this with the phone. It must be in the same network as this computer.")
SCAN_ADDRESS = mark("Or type this address into its browser:")
OTHER_NETWORK = mark("Network")
NO_NETWORK = mark("This computer is in no network, so no phone can reach it. Connect it, then try again.")
WATCH_AT = mark("For a television: {address}")
OVERLAY_AT = mark("For a stream, as a browser source over the picture: {address}")
FEED_AT = mark("For lamps, scoreboards and scripts: {address}")
STOP_PHONES = mark("End the phones")
PHONE_CAMERA = mark("A phone")

# said of a game on the phones
PLACE_AT_COMPUTER = mark("Place a tile on the computer's screen.")
CALL_CHECK = mark("Call for a check")

# what is said to a phone
NO_SECRET = mark("This page opens only with the code on the computer's screen. Scan it again.")
TOO_MANY = mark("Too many phones are connected. Close the page on one of them, then try again.")
NO_LONGER = mark("This can no longer be chosen: the game has gone on.")
OTHER_PHONE_PLAYS = mark("Another phone plays for you now.")
OTHER_PHONE_FILMS = mark("Another phone is the camera now.")
TOO_FAST = mark("This phone has sent too much at once and was disconnected.")
NOT_UNDERSTOOD = mark("The computer did not understand this phone. Load the page again.")
GAME_LEFT = mark("The game on the computer was left.")
NO_GAME = mark("The game has not begun yet.")
PHOTO_TAKEN = mark("The referee has this photo. Take the next one after the next turn.")
FAILED = mark("Something went wrong on the computer. Load the page again.")

NAME = mark("Pyramid Referee")
I_AM = mark("I am {player}")
SENT = mark("Sent.")
PHOTO_REFUSED = mark("The computer could not use this photo. Take another one.")

PAGE: Mapping[str, str] = {
    "name": NAME,
    # the first page
    "who": mark("Who are you?"),
    "or": mark("This phone can also …"),
    "watch": mark("… show the game"),
    "film": mark("… be the camera"),
    "back": mark("Back"),
    # before the camera
    "before": mark("Before the camera"),
    "before_why": mark(
        "A browser gives the camera only to a page with a certificate. This computer has made its own, which "
        "your phone does not know, so it warns you once. Nothing leaves your network."
    ),
    "step_1": mark("Press the button below. The phone warns that the connection is not private."),
    "step_2": mark("Press Advanced, or Show details."),
    "step_3": mark("Press Proceed, or Visit this website. Then allow the camera."),
    "go_on": mark("On to the camera"),
    "photos_instead": mark("Take single photos instead"),
    # the camera
    "camera": mark("Camera"),
    "start_camera": mark("Start the camera"),
    "which_camera": mark("Which camera"),
    "zoom": mark("Zoom"),
    "torch": mark("Lamp"),
    "lay_flat": mark("Fix the phone so that it sees the whole table and does not move."),
    "sending": mark("The referee sees the table. Leave this page open."),
    "asking": mark("Allow this page to use the camera."),
    "refused": mark(
        "The phone does not give its camera to this page. Allow it in the browser's settings for this page, "
        "then load the page again. Or take single photos."
    ),
    "no_camera": mark("This phone has no camera that the browser knows."),
    "camera_busy": mark("Another app uses the camera. Close it, then press Start."),
    "camera_stopped": mark("The phone has stopped the camera. Press Start."),
    "camera_muted": mark(
        "The phone gives no pictures just now, perhaps to another app. They go on when it does."
    ),
    "asleep": mark("The page was hidden, so the referee saw nothing. Keep it open and the screen on."),
    # single photos
    "photos": mark("Single photos"),
    "photos_how": mark("After each turn, take a photo of the whole table from above. Hands off the table."),
    "take_photo": mark("Take a photo"),
    "photo_sending": mark("Sending the photo …"),
    # every page that shows the game
    "connecting": mark("Connecting …"),
    "lost": mark("The computer cannot be reached. Is this phone still in the same network? Trying again …"),
    "stock": mark("Tiles left: {count}"),
    "your_stock": mark("Your tiles: {count}"),
    "your_turn": mark("It is your turn"),
    "choose": mark("You choose"),
    "turns": mark("Turns"),
    "turn": mark("Turn {number}, {player}"),
    "pyramid": mark("The pyramid"),
    "players": mark("Players"),
    "empty_table": mark("No tile lies on the table."),
    "wins": mark("wins"),
    "check_sure": mark("Ask the referee now? Everybody sees the answer, but not who asked."),
    "yes": mark("Yes, check"),
    "no": mark("No"),
    "left": mark("left"),
    "right": mark("right"),
    "in_doubt": mark("not certain"),
    "row": mark("Row {row} from the bottom: {tiles}"),
    "why": table.WHY,
    # how the game went
    "result": ending.TITLE,
    "place": ending.PLACE,
    "player": mark("Player"),
    "left_over": ending.STOCK,
    "caused": ending.CAUSED,
    "suffered": ending.SUFFERED,
    "rounds_won": ending.WINS,
    "over_turns": ending.OVER_TURNS,
    "notable": ending.NOTABLE,
}
"""Name in a page's template, or in its scripts -> the sentence."""
