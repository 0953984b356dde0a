"""What the referee announces, as sentences for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.errors import NotationError
from referee.formats.announcement_json import Quoted, announcement_from_dict, announcement_to_dict
from referee.rules.events import Air, Collapse, Curse, Die, Direction, Event, Explosion, Fall, Fire
from referee.rules.verdict import Verdict
from referee.tracking import announcements
from referee.tracking.announcements import Remark
from ui.text.catalogue import _, mark, say
from ui.text.questions import question_sentence
from ui.text.sentences import Names, numbered_steps, player_name, tile_name, tile_names

_REMARKS: Mapping[Remark, str] = {
    Remark.STABLE: mark("There is nothing to resolve: the pyramid is stable."),
    Remark.COVERED: mark(
        "Something has covered the table for a while. I go on with what I can see. Please clear the table."
    ),
    Remark.SET_ASIDE: mark(
        "I cannot read the tile in row {row} from the bottom, slot {slot} from the left. The game goes on, "
        "and I announce nothing that depends on it."
    ),
    Remark.UNCLEAR: mark("I do not know what happened. The game goes on with the table as it is."),
    Remark.TAKEN_OVER: mark(
        "I take the table as it is now. If the turn or the stocks are wrong, please correct them."
    ),
    Remark.READ: mark(
        "Now I can read the tile in row {row} from the bottom, slot {slot} from the left: it is {tiles}."
    ),
    Remark.FOUND: mark(
        "I know the table again, and the game goes on from here. I am not sure whose turn it is, nor of the "
        "stocks: please correct them if they are wrong."
    ),
    Remark.BEGINS: mark("The game begins. Left over: {tiles}."),
}
_BEGINS_EMPTY = mark("The game begins on an empty table.")


def announcement_text(said: announcements.Announcement) -> str:
    """Return the sentence of an announcement that has one in `watch --json`; of others nothing."""
    match said:
        case announcements.Asked():
            return question_sentence(said.question)
        case announcements.StepWrong():
            return wrong_sentence(said)
        case announcements.Remarked():
            return remark_sentence(said)
        case Quoted():
            return said.text
    return ""


def announcement_json(said: announcements.Announcement) -> dict[str, Any]:
    """Return an announcement as `watch --json` prints it, its sentence in the language of the user."""
    return announcement_to_dict(said, announcement_text(said))


def announcement_sentences(said: announcements.Announcement, names: Names) -> list[str]:
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
        return [_("This version does not understand what was said here.")]


def wrong_sentence(said: announcements.StepWrong) -> str:
    """Return what is wrong with a step."""
    put_back, take_off = tile_names(said.put_back), tile_names(said.take_off)
    if put_back and take_off:
        return say("This step is wrong: put {gone} back, and take {left} off.", gone=put_back, left=take_off)
    if take_off:
        return say("This step is wrong: take {left} off, too.", left=take_off)
    if put_back:
        return say("This step is wrong: put {gone} back.", gone=put_back)
    sentence = mark("This step is wrong: move {moved}. A tile falls one row, to the left or to the right.")
    return say(sentence, moved=tile_names(said.move))


def remark_sentence(said: announcements.Remarked) -> str:
    """Return what a remark says."""
    if said.remark is Remark.OUTSIDE:
        return said.text
    pattern = _BEGINS_EMPTY if said.remark is Remark.BEGINS and not said.tiles else _REMARKS[said.remark]
    return say(pattern, row=said.row + 1, slot=said.slot + 1, tiles=tile_names(said.tiles))


def turn_heading(turn: int, player: int, names: Names) -> str:
    """Return a turn's number and player, such as "Turn 3, player 2"."""
    return say("Turn {turn}, {player}", turn=turn, player=called(player, names))


def called(player: int, names: Names) -> str:
    """Return what a player is called."""
    if names is None or isinstance(names, int) or not 0 <= player < len(names):
        return player_name(player)
    return plain(names[player])


def plain(text: str) -> str:
    """Return a text that may come from elsewhere without what a terminal takes for commands."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)


def _sentences(said: announcements.Announcement, names: Names) -> list[str]:
    """Return the sentences; those of a record may name tiles or players that raise a KeyError."""
    match said:
        case announcements.TilePlaced():
            return [say("Placed: {tile}.", tile=tile_name(said.tile))]
        case announcements.MayhemFound():
            return _steps(said.verdict, names)
        case announcements.StepDone():
            return [_done(said.step)]
        case announcements.StepFixed():
            return [_("The wrong step was corrected.")]
        case announcements.MayhemMissed():
            since = say("Missed since turn {turn}:", turn=said.since)
            return [since, *_steps(said.verdict, names)]
        case announcements.GameOver(winner=None):
            return [_("The game is over.")]
        case announcements.GameOver(winner=int(winner)):
            return [say("The game is over. The winner is {player}.", player=called(winner, names))]
    return [announcement_text(said)]


def _steps(verdict: Verdict, names: Names) -> list[str]:
    """Return a verdict as numbered steps; what hangs on a tile that cannot be read is not told."""
    return numbered_steps(Verdict(verdict.events, verdict.needs, certain=True), names)


def _done(event: Event) -> str:
    """Return that a step was carried out; why and who pays was said with the verdict."""
    match event:
        case Air(tile):
            return say("Done: {tile} was in free air.", tile=tile_name(tile))
        case Collapse(tile, _reasons, taken):
            return say(
                "Done: collapse of {tile}; {taken} came off.", tile=tile_name(tile), taken=tile_names(taken)
            )
        case Fall(tile, Direction.LEFT):
            return say("Done: {tile} fell to the left.", tile=tile_name(tile))
        case Fall(tile):
            return say("Done: {tile} fell to the right.", tile=tile_name(tile))
        case Explosion(tiles):
            return say("Done: explosion of {tiles}.", tiles=tile_names(tiles))
        case Fire(tile, taken):
            if not taken:
                return say("Done: fire of {tile}; nothing burned.", tile=tile_name(tile))
            return say(
                "Done: fire of {tile}; {taken} came off.", tile=tile_name(tile), taken=tile_names(taken)
            )
        case Curse(tiles):
            return say("Done: curse of {tiles}.", tiles=tile_names(tiles))
        case Die(roll):
            return say("Done: the fire die shows {roll}.", roll=roll)
