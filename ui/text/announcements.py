"""What the referee announces, as sentences for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.errors import NotationError
from referee.formats.announcement_json import Quoted, announcement_from_dict, announcement_to_dict
from referee.rules.events import Air, Collapse, Curse, Die, Direction, Event, Explosion, Fall, Fire
from referee.rules.verdict import Verdict
from referee.tracking.announcements import (
    Announcement,
    Asked,
    GameOver,
    MayhemFound,
    MayhemMissed,
    Remark,
    Remarked,
    StepDone,
    StepFixed,
    StepWrong,
    TilePlaced,
)
from ui.text.questions import question_sentence
from ui.text.sentences import Names, _, mark, numbered_steps, player_name, tile_name, tile_names

_REMARKS: Mapping[Remark, str] = {
    Remark.STABLE: mark("Nothing must be resolved: the pyramid is stable."),
    Remark.COVERED: mark(
        "Something has been lying over the table for a while. I follow what I can see; please clear it away."
    ),
    Remark.SET_ASIDE: mark(
        "I cannot read the tile in row {row} from the bottom, slot {slot} from the left. The game goes on, "
        "and I announce nothing that depends on it."
    ),
    Remark.UNCLEAR: mark("What happened stays unclear; the game goes on with the table as it lies."),
    Remark.TAKEN_OVER: mark(
        "The table is taken as it lies now. Should the turn or the stocks be wrong, please correct them."
    ),
    Remark.BEGINS: mark("The game begins. Left over: {tiles}."),
}
_BEGINS_EMPTY = mark("The game begins on an empty table.")


def announcement_text(said: Announcement) -> str:
    """Return the sentence of an announcement that has one in `watch --json`; of others nothing."""
    match said:
        case Asked():
            return question_sentence(said.question)
        case StepWrong():
            return wrong_sentence(said)
        case Remarked():
            return remark_sentence(said)
        case Quoted():
            return said.text
    return ""


def announcement_json(said: Announcement) -> dict[str, Any]:
    """Return an announcement as `watch --json` prints it, its sentence in the language of the user."""
    return announcement_to_dict(said, announcement_text(said))


def announcement_sentences(said: Announcement, names: Names) -> list[str]:
    """Return an announcement as sentences for people.

    Args:
        said: What is announced.
        names: How players are called.
    """
    return [plain(sentence) for sentence in _sentences(said, names)]


def recorded_sentences(found: Mapping[str, Any], names: Names) -> list[str]:
    """Return what a record says that was announced; what is not understood is told as such.

    Args:
        found: As `watch --json` prints it; need not be well formed.
        names: How players are called.
    """
    try:
        return announcement_sentences(announcement_from_dict(found), names)
    except (NotationError, KeyError):
        return [_("Something was said here that this version does not understand.")]


def wrong_sentence(said: StepWrong) -> str:
    """Return what is wrong with a step."""
    put_back, take_off = tile_names(said.put_back), tile_names(said.take_off)
    if put_back and take_off:
        pattern = _("Done wrongly: put {gone} back, and take {left} off.")
        return pattern.format(gone=put_back, left=take_off)
    if take_off:
        return _("Done wrongly: take {left} off as well.").format(left=take_off)
    if put_back:
        return _("Done wrongly: put {gone} back.").format(gone=put_back)
    pattern = _("Done wrongly: move {moved}. A tile falls one row, to the left or to the right.")
    return pattern.format(moved=tile_names(said.move))


def remark_sentence(said: Remarked) -> str:
    """Return what a remark says."""
    if said.remark is Remark.OUTSIDE:
        return said.text
    pattern = _BEGINS_EMPTY if said.remark is Remark.BEGINS and not said.tiles else _REMARKS[said.remark]
    return _(pattern).format(row=said.row + 1, slot=said.slot + 1, tiles=tile_names(said.tiles))


def turn_heading(turn: int, player: int, names: Names) -> str:
    """Return a turn's number and player, such as "Turn 3, player 2"."""
    return _("Turn {turn}, {player}").format(turn=turn, player=called(player, names))


def called(player: int, names: Names) -> str:
    """Return what a player is called."""
    if names is None or isinstance(names, int) or not 0 <= player < len(names):
        return player_name(player)
    return plain(names[player])


def plain(text: str) -> str:
    """Return a text that may come from elsewhere without what a terminal takes for commands."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)


def _sentences(said: Announcement, names: Names) -> list[str]:
    """Return the sentences; those of a record may name tiles or players that raise a KeyError."""
    match said:
        case TilePlaced():
            return [_("Placed: {tile}.").format(tile=tile_name(said.tile))]
        case MayhemFound():
            return _steps(said.verdict, names)
        case StepDone():
            return [_done(said.step)]
        case StepFixed():
            return [_("The step that was done wrongly was put right.")]
        case MayhemMissed():
            since = _("Missed since turn {turn}:").format(turn=said.since)
            return [since, *_steps(said.verdict, names)]
        case GameOver(winner=None):
            return [_("The game is over.")]
        case GameOver(winner=int(winner)):
            return [_("The game is over. The winner: {player}.").format(player=called(winner, names))]
    return [announcement_text(said)]


def _steps(verdict: Verdict, names: Names) -> list[str]:
    """Return a verdict as numbered steps; what hangs on a tile that cannot be read is not told."""
    return numbered_steps(Verdict(verdict.events, verdict.needs, certain=True), names)


def _done(event: Event) -> str:
    """Return that a step was carried out; why and who pays was said with the verdict."""
    match event:
        case Air(tile):
            return _("Done: {tile} was in free air.").format(tile=tile_name(tile))
        case Collapse(tile, _reasons, taken):
            return _("Done: collapse of {tile}; {taken} came off.").format(
                tile=tile_name(tile), taken=tile_names(taken)
            )
        case Fall(tile, Direction.LEFT):
            return _("Done: {tile} fell to the left.").format(tile=tile_name(tile))
        case Fall(tile):
            return _("Done: {tile} fell to the right.").format(tile=tile_name(tile))
        case Explosion(tiles):
            return _("Done: explosion of {tiles}.").format(tiles=tile_names(tiles))
        case Fire(tile, taken):
            if not taken:
                return _("Done: fire of {tile}; nothing burned.").format(tile=tile_name(tile))
            return _("Done: fire of {tile}; {taken} came off.").format(
                tile=tile_name(tile), taken=tile_names(taken)
            )
        case Curse(tiles):
            return _("Done: curse of {tiles}.").format(tiles=tile_names(tiles))
        case Die(roll):
            return _("Done: the fire die shows {roll}.").format(roll=roll)
