"""The fixed sentences of the window, in the language of the user."""

from __future__ import annotations

from ui.text.sentences import _


def app_name() -> str:
    """Return what the app is called."""
    return "Pyramid Referee"


def welcome_headline() -> str:
    """Return the headline before any photo was read."""
    return _("Ready when you are")


def welcome() -> str:
    """Return what to do first, where no samples are shipped along."""
    return _("Open a photo of your table, or drop one here.")


def welcome_samples() -> str:
    """Return what to do first, where samples are at hand."""
    return _("Try a sample, open a photo of your table, or drop one here.")


def no_photo_yet() -> str:
    """Return what stands in the place of the photo."""
    return _("The photo of the table appears here.")


def choose_photo() -> str:
    """Return the title of the file dialog."""
    return _("Choose a photo of the table")


def photos() -> str:
    """Return what the file dialog calls the files that it lists."""
    return _("Photos")


def full_screen() -> str:
    """Return the name of the action that fills the screen."""
    return _("Full screen")


def go_back() -> str:
    """Return the name of the action that leaves full screen, or the page."""
    return _("Back")


def quit_app() -> str:
    """Return the name of the action that ends the app."""
    return _("Quit")


def reading(name: str) -> str:
    """Return that a photo is being read."""
    return _("Reading {name} …").format(name=name)


def not_read() -> str:
    """Return the headline for a photo that could not be read."""
    return _("This photo could not be read")


def nothing_found() -> str:
    """Return the headline for a photo without tiles."""
    return _("No pyramid found")


def nothing_found_hint() -> str:
    """Return what to do about a photo without tiles."""
    return _("Take the photo from above, with the whole pyramid in view, and try again.")


def stable() -> str:
    """Return the headline for a table on which nothing must be resolved."""
    return _("All is calm")


def stable_hint() -> str:
    """Return that the game goes on."""
    return _("Nothing has to be resolved: the next player may place a tile.")


def question_headline() -> str:
    """Return the headline where the referee must ask before it can say anything."""
    return _("The referee must ask")


def table_covered() -> str:
    """Return the headline where something hides a part of the table."""
    return _("The table is covered")


def mayhem_headline(kind: str) -> str:
    """Return the headline for the first event: `air`, `collapse`, `explosion`, `fire`, `curse` or `die`."""
    headlines = {
        "air": _("Free air"),
        "collapse": _("Collapse"),
        "explosion": _("Explosion"),
        "fire": _("Fire"),
        "curse": _("Curse"),
        "die": _("Fire die"),
    }
    return headlines[kind]


def no_screen() -> str:
    """Return that the app cannot show a window here."""
    return _(
        "There is no screen to open a window on. Start a desktop session, or use the command check, which "
        "prints its verdict."
    )


def demo_in_window() -> str:
    """Return which of its two forms the demo takes, where there is a screen."""
    return _("Demo: a screen was found, so the samples open in a window.")


def demo_in_terminal(folder: str) -> str:
    """Return which of its two forms the demo takes, where there is no screen."""
    return _(
        "Demo: no screen was found, so the verdict is printed here and the marked picture goes to {folder}."
    ).format(folder=folder)


def no_samples(folder: str) -> str:
    """Return that the demo has nothing to show."""
    return _(
        "The demo needs the sample photos, and {folder} has none. Run it in a complete checkout."
    ).format(folder=folder)


def app_failed_hint(what: str) -> str:
    """Return what is said of an error that nobody foresaw."""
    return _("Something went wrong inside the referee ({what}). The game goes on.").format(what=what)
