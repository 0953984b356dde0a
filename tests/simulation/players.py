"""Attentive players at the app: which buttons they press, with the truth before their eyes.

They answer what they are asked, with the answers that the card offers and no others; which tile lies
somewhere they answer about the outline that they are shown. While something lies wrongly they put it right
first. When the table is at rest and a tile is drawn with a wrong name, they correct it in the drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.tracking.announcements import Announcement, Asked
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import NO_TILE, QuestionKind
from tests.simulation.following import answers_to
from tests.simulation.play import Moment, Said
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Act, PickTile, Retile, Tell

_SAY_WHICH = (Reply.TILE, Reply.ROLL, Reply.COLOUR, Reply.PLAYER)
"""Of these replies a card has several, which do not say the same."""
MOST_PRESSES = 4
"""So often they answer or correct at one moment."""


class Players:
    """The people at one game's app."""

    def __init__(self, model: GameViewModel) -> None:
        """Sit down before the app."""
        self._model = model
        self._asked: Asked | None = None
        self._at = -1
        self._presses = 0
        self.corrections = 0
        """How many tiles they renamed in the drawing."""

    def hear(self, announced: Iterable[Announcement]) -> None:
        """Hear what the referee says."""
        for each in announced:
            if isinstance(each, Asked):
                self._asked = each

    def press(
        self,
        number: int,
        moment: Moment,
        truth: Iterable[Said],
        *,
        is_last: bool,
        is_thing: bool = False,
        outlined: Mapping[tuple[int, int], str] | None = None,
    ) -> bool:
        """Press one button, where there is reason to, and return whether they did.

        Args:
            number: Which moment it is.
            moment: How the table lies.
            truth: All that is true so far.
            is_last: Whether the table has been at rest for a while.
            is_thing: Whether the only outline in the picture lies around a thing that is no tile.
            outlined: The tiles around which the outlines lie, by the row and slot that they are asked about;
                "" where an outline surrounds none.
        """
        if number != self._at:
            self._at, self._presses = number, 0
        if self._presses >= MOST_PRESSES:
            return False
        act = self._act(moment, truth, outlined or {}, is_last=is_last, is_thing=is_thing)
        if act is None:
            return False
        self._presses += 1
        self.corrections += isinstance(act, Retile)
        self._model.do(act)
        return True

    def _act(
        self,
        moment: Moment,
        truth: Iterable[Said],
        outlined: Mapping[tuple[int, int], str],
        *,
        is_last: bool,
        is_thing: bool,
    ) -> Act | None:
        lies_right = moment.layout == moment.game.layout
        question = self._model.session.follower.question
        if question is None:
            return self._correction(moment) if is_last and lies_right and not is_thing else None
        if self._asked is None or self._asked.question != question or moment.what == "hand":
            return None
        if not lies_right and question.kind is not QuestionKind.WHICH_TILE:
            return None  # they put it right first
        if is_thing and NO_TILE in question.answers:
            return Tell(NO_TILE)
        wanted = answers_to(self._asked, moment, truth, moment.time_s)[0]
        # Nobody can type in a whole table: who finds it drawn wrongly asks for another look, and in the end
        # says that the tiles lie as they should.
        if not isinstance(wanted, Answered):
            is_laid = question.kind is QuestionKind.LEFT_OVER  # and they are not "only incendiaries"
            reply = Reply.AS_IT_LIES if self._presses and not is_laid else Reply.MENDED
            if NO_TILE in question.answers and all(
                moment.layout.find(each) is None for each in question.tiles
            ):
                reply = Reply.NO_TILE
            wanted = Answered(moment.time_s, reply)
        if question.kind is QuestionKind.WHICH_TILE and question.places:
            first = question.places[0]
            code = outlined.get((first.row, first.slot))
            if code:
                wanted = Answered(moment.time_s, Reply.TILE, code, first.row, first.slot)
            elif code is not None:
                wanted = Answered(
                    moment.time_s, Reply.NO_TILE if NO_TILE in question.answers else Reply.AS_IT_LIES
                )
        elif NO_TILE in question.answers and all(
            outlined.get((place.row, place.slot)) == "" for place in question.places
        ):
            wanted = Answered(moment.time_s, Reply.NO_TILE)
        return self._button(wanted)

    def _button(self, wanted: Answered) -> Act | None:
        """Return the button of the card that says what they want to say; None where there is none."""
        ways_out: dict[Reply, Act] = {}
        for choice in self._model.view().card.choices:
            match choice.act:
                case Tell(answer):
                    ways_out[answer.reply] = choice.act
                    if answer.at(wanted.time_s) == wanted:
                        return choice.act
                    if answer.reply is wanted.reply and answer.reply not in _SAY_WHICH:
                        return choice.act
                    if (
                        wanted.reply is Reply.TILE
                        and answer.reply is Reply.TILE
                        and answer.code == wanted.code
                    ):
                        return choice.act
                case PickTile(question) if wanted.code is not None:
                    if (picked := question.answer_with(wanted.code)) is not None:
                        return Tell(picked)
        # What they would say is not offered: it stays open.
        return ways_out.get(Reply.AS_IT_LIES) if wanted.reply is Reply.TILE else None

    def _correction(self, moment: Moment) -> Retile | None:
        """Return the first tile of the drawing that has a wrong name; None where tiles are missing."""
        drawn = {(tile.row, tile.slot): tile.code for tile in self._model.view().tiles}
        true = {place: tile.code for place, tile in moment.layout.tiles}
        if drawn.keys() != true.keys() or not moment.layout:
            return None
        for (row, slot), code in sorted(true.items()):
            if drawn[row, slot] != code:
                return Retile(row, slot, code)
        return None
