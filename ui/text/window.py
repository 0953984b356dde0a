"""The fixed sentences of the window, of photos and of the demo."""

from __future__ import annotations

from ui.text.catalogue import _, mark

APP_NAME = mark("Pyramid Referee")
FULL_SCREEN = mark("Full screen")
GO_BACK = mark("Back")
QUIT = mark("Quit")
APP_FAILED = mark("Something went wrong inside the referee ({what}). The game goes on.")

ALREADY_OPEN = mark("Pyramid Referee is open already: its window is in front now.")

# a photo
WELCOME_HEADLINE = mark("No photo yet")
WELCOME = mark("Open a photo of your table, or drop one here.")
WELCOME_SAMPLES = mark("Try a sample, open a photo of your table, or drop one here.")
NO_PHOTO_YET = mark("The photo of the table appears here.")
PHOTOS = mark("Photos")
READING = mark("Reading {name} …")
NOT_READ = mark("This photo could not be read")
NOTHING_FOUND = mark("No pyramid found")
NOTHING_FOUND_HINT = mark("Take the photo from above, with the whole pyramid in view, and try again.")

# a verdict
STABLE = mark("The pyramid is stable")
STABLE_HINT = mark("There is nothing to resolve. The next player may place a tile.")
QUESTION = mark("Question")
TABLE_COVERED = mark("The table is covered")
MAYHEM = {
    "air": mark("Free air"),
    "collapse": mark("Collapse"),
    "explosion": mark("Explosion"),
    "fire": mark("Fire"),
    "curse": mark("Curse"),
    "die": mark("Fire die"),
}
"""By the kind of the first event."""

# the demo
NO_SCREEN = mark(
    "There is no screen for a window. Start a desktop session, or use the command check, which prints its "
    "verdict."
)
DEMO_IN_WINDOW = mark("Demo: a screen was found, so the samples open in a window.")
DEMO_IN_TERMINAL = mark(
    "Demo: no screen was found, so the verdict is printed here and the marked picture goes to {folder}."
)
NO_SAMPLES = mark("The sample photos are missing: {folder} has none. Install Pyramid Referee again.")

# keys
_KEYS = {
    "Esc": mark("Esc"),
    "Space": mark("Space"),
    "Return": mark("Enter"),
    "Del": mark("Del"),
    "Tab": mark("Tab"),
    "Shift": mark("Shift"),
    "Ctrl": mark("Ctrl"),
    "Left": "←",
    "Right": "→",
    "Up": "↑",
    "Down": "↓",
}


def key_name(keys: str) -> str:
    """Return keys as people read them, such as "Shift+U" or "Maj+U".

    Args:
        keys: As Qt writes them in every language ("PortableText").
    """
    return "+".join(_(_KEYS[part]) if part in _KEYS else part for part in keys.split("+"))
