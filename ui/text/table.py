"""The sentences of the table page, in the language of the user."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.game import Variant
from ui.text.sentences import Names, _, mark, player_name, tile_name

_VARIANTS = {Variant.FAMILY: mark("Family"), Variant.STRATEGY: mark("Strategy")}
_LATER = {
    "air": mark("free air"),
    "collapse": mark("a collapse"),
    "explosion": mark("an explosion"),
    "fire": mark("a fire"),
    "curse": mark("a curse"),
    "die": mark("the fire die"),
}


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
    return _("{variant} · turn {turn}").format(variant=_(_VARIANTS[variant]), turn=turn)


def turn_of(player: str) -> str:
    """Return the calm headline: whose turn it is."""
    return _("{player}'s turn").format(player=player)


def place_watched() -> str:
    """Return what to do where a camera looks on."""
    return _("Place a tile. I am watching.")


def place_clicked() -> str:
    """Return what to do where tiles are placed by clicking."""
    return _("Pick a tile below, then click a dotted place.")


def place_held(code: str) -> str:
    """Return what to do with the tile that was picked."""
    return _("Click the place for {tile}.").format(tile=tile_name(code))


def says_ok(player: str) -> str:
    """Return what the next player does in the strategy variant."""
    return _("{player} checks the pyramid, then says OK or places a tile.").format(player=player)


def lay_left_over(count: int) -> str:
    """Return what to do before the game."""
    if count == 1:
        return _(
            "One tile is left over. Lay it on the table: it begins the base. An incendiary leaves the game."
        )
    return _(
        "{count} tiles are left over. Lay them side by side: the base begins with them. Incendiaries leave."
    ).format(count=count)


def before_the_game() -> str:
    """Return the headline before the left-over tiles are known."""
    return _("Let us begin")


def missed_headline() -> str:
    """Return the headline of missed mayhem."""
    return _("Missed mayhem")


def missed_since(turn: int, what: str) -> str:
    """Return what was missed, since when."""
    return _("Since turn {turn}: {what}").format(turn=turn, what=what)


def wrong_headline() -> str:
    """Return the headline for a step that was done wrongly."""
    return _("Not quite right")


def fall_headline() -> str:
    """Return the headline where a tile waits to fall."""
    return _("Fall")


def step(number: int) -> str:
    """Return which step of a resolution this is."""
    return _("step {number}").format(number=number)


def under_pile(player: str, count: int, stock: int) -> str:
    """Return who takes how many tiles."""
    return _("under the pile of {player} (+{count}, stock {stock})").format(
        player=player, count=count, stock=stock
    )


def out_of_game() -> str:
    """Return what becomes of tiles that leave the game."""
    return _("out of the game")


def leaves_as_well(tiles: str) -> str:
    """Return which tiles leave the game beside those that are taken."""
    return _("Take {tiles} out of the game.").format(tiles=tiles)


def slide_left(code: str) -> str:
    """Return where a tile was said to fall to."""
    return _("Slide {short} down to the left.").format(short=tile_name(code))


def slide_right(code: str) -> str:
    """Return where a tile was said to fall to."""
    return _("Slide {short} down to the right.").format(short=tile_name(code))


def left() -> str:
    """Return the label of the button for a fall to the left."""
    return _("Left")


def right() -> str:
    """Return the label of the button for a fall to the right."""
    return _("Right")


def done() -> str:
    """Return the label of the button that carries out a step."""
    return _("Next")


def ok() -> str:
    """Return the label of the button by which the next player agrees."""
    return _("OK")


def roll() -> str:
    """Return the label of the button that rolls the die."""
    return _("Roll for us")


def which_roll() -> str:
    """Return the request for the fire die."""
    return _("What does the fire die show?")


def or_move() -> str:
    """Return that moving tiles answers as well."""
    return _("Or just move the tiles: the camera sees what you do.")


def another_tile() -> str:
    """Return the label of the button by which a tile is picked that is not among the answers."""
    return _("Another tile …")


def then(kinds: Sequence[str]) -> str:
    """Return which events follow."""
    return _("Then {events}.").format(events=_(", ").join(_(_LATER[kind]) for kind in kinds))


def then_perhaps(kinds: Sequence[str]) -> str:
    """Return which events may follow."""
    return _("Then perhaps {events}.").format(events=_(", ").join(_(_LATER[kind]) for kind in kinds))


def wins(player: str) -> str:
    """Return the headline of the end."""
    return _("{player} wins!").format(player=player)


def end_hint() -> str:
    """Return what can be done with a finished game."""
    return _("No tile is left in the hand or the pile. Click a turn below to look back, or export the game.")


def placing() -> str:
    """Return what the player on turn does."""
    return _("placing")


def resolving() -> str:
    """Return what the player does who must resolve mayhem."""
    return _("resolving")


def checks_next() -> str:
    """Return what the next player does in the strategy variant."""
    return _("checks next")


def placed_last(code: str) -> str:
    """Return what a player placed last."""
    return _("placed {tile}").format(tile=tile_name(code))


def took_last(count: int, turn: int) -> str:
    """Return what a player took last."""
    return _("took {count} on turn {turn}").format(count=count, turn=turn)


def lies_there(code: str) -> str:
    """Return why a tile cannot be placed."""
    return _("{tile} lies on the table already.").format(tile=capital(tile_name(code)))


def has_left(code: str) -> str:
    """Return why a tile cannot be placed."""
    return _("{tile} left the game.").format(tile=capital(tile_name(code)))


def which_tile(code: str) -> str:
    """Return the question of the popup."""
    return _("This is {tile}. If not, choose:").format(tile=tile_name(code))


def which_tile_is_it() -> str:
    """Return the question of the popup where nothing is known."""
    return _("Which tile is it?")


def waiting_for_camera() -> str:
    """Return what stands in the place of the picture."""
    return _("The picture of the table appears here.")


def undo() -> str:
    """Return the label of the button."""
    return _("Undo")


def redo() -> str:
    """Return the label of the button."""
    return _("Redo")


def check_now() -> str:
    """Return the label of the button that calls for a check."""
    return _("Check now")


def export() -> str:
    """Return the label of the button that writes the game to a file."""
    return _("Export")


def home() -> str:
    """Return the label of the button that leads back to the first page."""
    return _("Home")


def export_kinds() -> str:
    """Return the kinds of files that a game is written to."""
    return _("Picture strip (*.pdf);;Recorded game (*.jsonl)")


def resume_live() -> str:
    """Return the label of the button that ends looking back."""
    return _("Back to the game")


def look_back_at(turn: int, player: str) -> str:
    """Return the headline while looking back."""
    return _("Turn {turn}, {player}").format(turn=turn, player=player)


def forecast() -> str:
    """Return the label of the switch that shows what a placement would bring."""
    return _("What if?")


def forecast_hint() -> str:
    """Return what the switch does."""
    return _("Show for each place whether the tile you hold would cause mayhem there.")


def worker_failed() -> str:
    """Return that something went wrong beside the window, and that the game goes on."""
    return _("Something went wrong while following the game. What was stored is safe, and the game goes on.")


def demo_player(number: int) -> str:
    """Return what a player of the sample game is called."""
    return ("Anna", "Bruno", "Chloé")[number]


def sample_game() -> str:
    """Return what the sample game is called."""
    return _("Sample game")


def no_camera() -> str:
    """Return what the page says in the place of a camera's name."""
    return _("Without a camera")
