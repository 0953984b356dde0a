"""What people do on the table of a game, as what the follower hears of it."""

from __future__ import annotations

import random

from referee.errors import ChoiceError, Fault
from referee.rules.game import Game, Setup
from referee.rules.layout import Layout
from referee.rules.resolve import step
from referee.rules.tiles import CODES, TILES, Material, Tile
from referee.search.observation import ObservedTile, Settled
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Answered, Corrected, Reply
from ui.errors import ToldError
from ui.services.game_session import GameSession
from ui.text.errors import NO_TILE_THERE
from ui.viewmodels.game_view import CarryOut, LetFall, Put, Retile, Shift, Slot
from ui.viewmodels.verdict_card import Moment, fallen


def played(game: Game, act: Put | CarryOut | LetFall) -> Game:
    """Return the game after something that is done on the table by clicking.

    Raises:
        ChoiceError: Nothing happens by itself, or no tile waits to fall.
        PlacementError: The tile may not go there.
    """
    match act:
        case Put(code, row, slot):
            return game.place(TILES[code], row, slot)
        case LetFall(direction):
            return fallen(game, direction)
    if step(game.state, game.options) is None:
        raise ChoiceError(Fault.NOTHING_HAPPENS, layout=str(game.layout))
    return game.step()


def as_clicked(time_s: float, layout: Layout) -> Settled:
    """Return a table that nobody saw, but that is known to lie like this."""
    tiles = (ObservedTile(row, slot, ((tile.code, 1.0),)) for (row, slot), tile in layout.tiles)
    return Settled(time_s, tuple(tiles))


def as_corrected(game: Game, time_s: float, layout: Layout) -> Corrected:
    """Return a correction of what lies where, by which nobody gains or loses a tile."""
    gone = [tile for tile in game.layout.cells.values() if layout.find(tile) is None]
    new = [tile for tile in layout.cells.values() if game.layout.find(tile) is None]
    out = tuple(tile for tile in game.out if tile not in new)
    returned = tuple(gone[: len(game.out) - len(out)])
    return Corrected(time_s, layout, game.stocks, (*out, *returned))


def corrected(session: GameSession, time_s: float, layout: Layout) -> Corrected:
    """Return a correction of what lies where; in a lost game nobody knows who took or placed what."""
    if session.follower.is_lost:
        return Corrected(time_s, layout)
    return as_corrected(session.follower.game, time_s, layout)


def put_right(
    session: GameSession, drawn: Layout, act: Retile | Shift, time_s: float
) -> Answered | Corrected:
    """Return what it means that somebody names or moves a tile of the drawing.

    A new tile in doubt is drawn too; to the left of the base it moves all others one slot to the right. Who
    names it answers what is asked about it.

    Raises:
        ToldError: No tile lies there.
    """
    lying, at = session.correctable, (act.row, act.slot)
    tile = drawn.get(*at)
    known = next((place for place, each in lying.tiles if each is tile), None)
    if isinstance(act, Retile):
        if tile is not None and known is None:
            return Answered(time_s, Reply.TILE, act.code, *at)
        return corrected(session, time_s, with_other(lying, *(known or at), TILES[act.code]))
    aside = 0 if known is None else known[1] - at[1]
    return corrected(session, time_s, with_shift(lying, known or at, (act.to_row, act.to_slot + aside)))


def with_other(layout: Layout, row: int, slot: int, tile: Tile) -> Layout:
    """Return a table with another tile somewhere; one that lies elsewhere changes places with it.

    Raises:
        ToldError: No tile lies there.
    """
    cells = dict(layout.tiles)
    if (row, slot) not in cells:
        raise ToldError(NO_TILE_THERE, row=row, slot=slot)
    known = cells[row, slot]
    cells = {place: known if each is tile else each for place, each in cells.items()}
    cells[row, slot] = tile
    return Layout.from_tiles(cells)


def with_shift(layout: Layout, at: Slot, to: Slot) -> Layout:
    """Return a table with a tile in another slot; one that lies there comes to where the first lay.

    Raises:
        ToldError: No tile lies there.
    """
    cells = dict(layout.tiles)
    if at not in cells:
        raise ToldError(NO_TILE_THERE, row=at[0], slot=at[1])
    tile, other = cells.pop(at), cells.pop(to, None)
    if other is not None:
        cells[at] = other
    cells[to] = tile
    leftmost = min(slot for _row, slot in cells)
    return Layout.from_tiles({(row, slot - min(0, leftmost)): each for (row, slot), each in cells.items()})


def drawn_left_over(setup: Setup, chance: random.Random) -> Corrected:
    """Return how a game without a camera begins: with left-over tiles that are drawn. Rule 5."""
    drawn = [TILES[code] for code in chance.sample(CODES, count_left_over(setup))]
    row = [tile for tile in drawn if tile.material is not Material.INCENDIARY]
    layout = Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)})
    out = tuple(tile for tile in drawn if tile not in row)
    return Corrected(0.0, layout, (setup.share,) * setup.players, out)


def turn_for(moment: Moment, player: int) -> int | None:
    """Return the turn that must lie for it to be a player's turn: the nearest; None where it is so."""
    if player == moment.to_play:
        return None
    many, now = moment.game.setup.players, moment.game.turn
    lies = player if moment.is_open else (player - 1) % many
    turns = (turn for turn in range(max(1, now - many), now + many + 1) if (turn - 1) % many == lies)
    return min(turns, key=lambda turn: abs(turn - now))
