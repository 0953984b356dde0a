"""From a photo that was read to what its page shows, and from what people do there to the table.

What lies there can be corrected, and what would follow be tried out: a fall to either side, the next step,
one more tile. Everything can be taken back. No Qt: everything happens on the thread that calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import ChoiceError, Fault
from referee.rules.events import Direction
from referee.rules.options import DEFAULTS, Options
from referee.rules.placement import find_places, place_tile
from referee.rules.resolve import (
    ResolutionState,
    begin,
    begin_placed,
    make_terms,
    resolve_from,
    respond,
    settle,
    step,
)
from referee.rules.tiles import TILES, Tile
from referee.rules.verdict import Verdict
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer
from referee.uncertain import judge_reading
from ui.storage.layout_files import SavedLayout
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.photos import words
from ui.viewmodels.game_view import (
    CardView,
    CarryOut,
    Choice,
    GameView,
    GoOn,
    Hold,
    LetFall,
    PlaceView,
    Put,
    Redo,
    Retile,
    Shift,
    ShowRoll,
    StayHere,
    TakeAway,
    Tell,
    Undo,
)
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo_card import Outlook, empty_card, first_question, left_by, photo_card
from ui.viewmodels.rulebook import rule_of_case
from ui.viewmodels.table_view import Outline, Ring, TileView, Tone
from ui.viewmodels.verdict_marks import fall_arrows, rings
from vision.recognition.reading import scaled_quad

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8

Act = (
    Put | CarryOut | LetFall | ShowRoll | Tell | Retile | Shift | TakeAway | Undo | Redo | Hold | StayHere
)  # fmt: skip
TERMS = make_terms()
"""Of photos nobody knows more than whose turn it is, and that somebody played before."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoTable:
    """A photo, or a layout that was saved, as it was opened."""

    name: str
    """What its file is called."""
    table: KnownTable
    picture_bgr: ImageU8 | None = None
    """The photo, (H, W, 3) BGR, never changed; None without one."""
    scale: float = 1.0
    """Pixels of the photo's file for each pixel of the picture."""
    photo: Path | None = None
    """The photo's file; None without one."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The table at one moment of what is corrected and tried out."""

    table: KnownTable
    state: ResolutionState | None = None
    """Where the resolution stands that is tried out; None: the table is judged as it lies."""
    came_off: tuple[Tile, ...] = ()
    corrected: KnownTable | None = field(default=None, compare=False)
    """What people said of it last; None: nothing was corrected.

    Answers, and what is tried out, are no corrections."""


@dataclass
class _Steps:
    """What was done, one after the other."""

    past: list[_Moment] = field(default_factory=list)
    later: list[_Moment] = field(default_factory=list)


class PhotoViewModel:
    """One photo: hand it what was read and what people do, and ask for its view. For one thread."""

    def __init__(self, options: Options = DEFAULTS) -> None:
        self.options = options
        """By which rules the photo is judged."""
        self.opened = PhotoTable("", KnownTable())
        self._now = _Moment(KnownTable())
        self._steps = _Steps()
        self._safe: KnownTable | None = None
        """What was opened, or saved since; or what nobody wants to keep."""
        self._held: str | None = None
        self._said: Callable[[], CardView] | None = None

    @property
    def table(self) -> KnownTable:
        """What lies on the table now, as corrected and tried out."""
        return self._now.table

    @property
    def is_changed(self) -> bool:
        """Whether the table is another than the one that was opened."""
        return self._now.table != self.opened.table

    @property
    def has_unsaved(self) -> bool:
        """Whether corrections would be lost with this table."""
        return self._now.corrected not in (None, self._safe)

    def let_go(self) -> None:
        """Take the corrections so far as saved, or as not worth it."""
        self._safe = self._now.corrected

    def open(self, opened: PhotoTable) -> None:
        """Show a photo or a layout, and forget the one before."""
        self.opened, self._now, self._steps = opened, _Moment(opened.table), _Steps()
        self._safe = opened.table
        self._held = self._said = None

    def tell(self, card: Callable[[], CardView]) -> None:
        """Say something else than a verdict, in the language of the moment, until something is done."""
        self._said = card

    def do(self, act: Act) -> None:
        """Do what somebody wants, as far as it can be done now.

        Raises:
            ChoiceError: It does not fit this moment.
            PlacementError: The tile may not go there.
            TileError: The tile lies there already.
            ToldError: There is no tile where one is to be changed, moved or taken away.
        """
        if isinstance(act, Hold):
            self._held = act.code
            return
        self._said = None
        if isinstance(act, StayHere):
            return
        if isinstance(act, Undo | Redo):
            taken, kept = self._steps.past, self._steps.later
            if isinstance(act, Redo):
                taken, kept = kept, taken
            if taken:
                kept.append(self._now)
                self._now = taken.pop()
        elif (after := self._after(act)) != self._now:
            self._steps.past.append(self._now)
            self._steps.later.clear()
            self._now = after
        self._held = None

    def view(self) -> GameView:
        """Return everything that is shown, as the page of a game shows it."""
        table = self._now.table
        outlook = self._outlook()
        card = self._card(outlook)
        marks = rings(outlook.verdict)
        tiles = tuple(
            TileView(tile.code, tile.row, tile.slot, tile.unsure, marks.get(tile.code, Ring.NONE))
            for tile in table.tiles
        )
        arrows = fall_arrows(table.tiles, outlook.verdict)
        places = self._places(outlook)
        return GameView(
            title=self._title(),
            card=card,
            tiles=tiles,
            arrows=arrows,
            places=places,
            likely={(tile.row, tile.slot): tile.codes for tile in table.tiles},
            elsewhere={code: texts.with_tile(texts.LIES_THERE, code) for code in table.sure_codes},
            held=self._held,
            is_clicked=True,
            can_undo=bool(self._steps.past),
            can_redo=bool(self._steps.later),
            why=rule_of_case(card.topic, self.options, tiles, arrows, places) if card.topic else None,
        )

    def outlines(self) -> tuple[Outline, ...]:
        """Return the tiles of the picture, from 0 to 1 across it; those that are gone are left out."""
        picture = self.opened.picture_bgr
        if picture is None:
            return ()
        high, wide = picture.shape[:2]
        return tuple(
            Outline(tile.code, tuple((x / wide, y / high) for x, y in tile.quad_px), tile.unsure)
            for tile in self._now.table.tiles
            if tile.quad_px is not None
        )

    def saved(self) -> SavedLayout | None:
        """Return what is to be written to a file; None while something is not certain."""
        tiles, opened = self._now.table.tiles, self.opened
        if self._outlook().asked is not None:
            return None
        quads = {
            (tile.row, tile.slot): scaled_quad(tile.quad_px, opened.scale)
            for tile in tiles
            if tile.quad_px is not None
        }
        # What is tried out, the photo does not show.
        photo = None if self._now.state is not None else opened.photo
        return SavedLayout(self._now.table.layout, photo, quads)

    # What is shown

    def _title(self) -> str:
        name = self.opened.name
        return say(words.CHANGED, name=name) if name and self.is_changed else name

    def _card(self, outlook: Outlook) -> CardView:
        if self._said is not None:
            return self._said()
        if self._now.table.tiles:
            return photo_card(outlook, self.options)
        is_photo = self.opened.photo is not None
        return empty_card(was_read=is_photo and not self.is_changed)

    def _outlook(self) -> Outlook:
        """Return what the table calls for, as far as it is known."""
        now = self._now
        if now.state is not None:
            done = resolve_from(now.state, self.options)
            verdict = Verdict(done.events, done.needs, certain=True)
            return Outlook(verdict, None, False, done.state, now.came_off, is_thought=True)
        judged = judge_reading(now.table, self.options)
        asked = first_question(now.table, judged)
        state = None
        if asked is None:
            state = resolve_from(begin(now.table.layout, TERMS), self.options).state
        return Outlook(judged.verdict, asked, judged.hidden, state)

    def _places(self, outlook: Outlook) -> tuple[PlaceView, ...]:
        """Return where a tile may go; where mayhem waits, only one that was not seen."""
        verdict = outlook.verdict
        waits = bool(verdict.events) or verdict.needs is not None
        if outlook.asked is not None or (waits and outlook.is_thought):
            return ()
        layout = self._now.table.layout
        views = []
        for row, slot in find_places(layout):
            tone = None
            if self._held is not None and self._held not in self._now.table.sure_codes and not waits:
                after = self._placed(TILES[self._held], row, slot)
                follows = resolve_from(after, self.options)
                tone = Tone.MAYHEM if follows.events or follows.needs else Tone.CALM
            views.append(PlaceView(row, slot, tone))
        return tuple(views)

    # What people do

    def _after(self, act: Act) -> _Moment:
        """Return the table after something was corrected, or tried out."""
        table = self._now.table
        match act:
            case Retile(row, slot, code):
                return _corrected(table.named((row, slot), code))
            case TakeAway(row, slot):
                return _corrected(table.without((row, slot)))
            case Shift(row, slot, to_row, to_slot):
                return _corrected(table.shifted((row, slot), (to_row, to_slot)))
            case Tell(answer):
                return self._told(answer)
            case Put(code, row, slot):
                return self._put(TILES[code], row, slot)
            case LetFall(direction):
                return self._answered(direction)
            case ShowRoll(roll) if roll is not None:
                return self._answered(roll)
        return self._stepped()

    def _told(self, answer: Answer) -> _Moment:
        """Return the table after an answer to the first question."""
        table = self._now.table
        if answer.reply is Reply.TILE and answer.row is not None and answer.slot is not None:
            table = table.named((answer.row, answer.slot), answer.code or "")
        elif answer.reply is Reply.COLOUR and answer.colour is not None and table.unnamed:
            table = table.coloured(table.unnamed[0], answer.colour.value) or table
        else:
            table = table.uncovered()
        return _Moment(table) if self._now.corrected is None else _corrected(table)

    def _put(self, tile: Tile, row: int, slot: int) -> _Moment:
        """Return the table with one more tile; where mayhem waits, it is one that was not seen before."""
        outlook = self._outlook()
        state = self._placed(tile, row, slot)  # or it is refused
        table = self._now.table.with_tile(tile.code, (row, slot))
        if outlook.asked is not None or outlook.verdict.events or outlook.verdict.needs:
            return _corrected(table)
        return _Moment(table, state, self._now.came_off, self._now.corrected)

    def _placed(self, tile: Tile, row: int, slot: int) -> ResolutionState:
        layout = place_tile(self._now.table.layout, tile, row, slot)
        return begin_placed(layout, tile, TERMS, self.options)

    def _state(self) -> ResolutionState:
        """Return where the resolution stands.

        Raises:
            ChoiceError: Something must be told before.
        """
        layout = self._now.table.layout
        if self._now.state is None and self._outlook().asked is not None:
            raise ChoiceError(Fault.NOTHING_HAPPENS, layout=str(layout))
        return self._now.state or begin(layout, TERMS)

    def _answered(self, given: Direction | int) -> _Moment:
        """Return the table after a fall, or after what a roll brings."""
        before, state = settle(self._state(), self.options)
        events, state = respond(state, given, self.options)
        return self._moment(state, left_by([*before, *events]))

    def _stepped(self) -> _Moment:
        """Return the table after the next event."""
        state = self._state()
        while (done := step(state, self.options)) is not None:
            event, state = done
            if event is not None:
                return self._moment(state, left_by([event]))
        raise ChoiceError(Fault.NOTHING_HAPPENS, layout=str(self._now.table.layout))

    def _moment(self, state: ResolutionState, came_off: Sequence[Tile]) -> _Moment:
        table = self._now.table.after(state.layout)
        return _Moment(table, state, (*self._now.came_off, *came_off), self._now.corrected)


def _corrected(table: KnownTable) -> _Moment:
    return _Moment(table, corrected=table)


def notice(headline: str, sentence: str = "") -> CardView:
    """Return a card that says something about a photo, such as that it is being read."""
    return CardView(Tone.NOTICE, headline, sentences=(sentence,) if sentence else ())


def unsaved_card(name: str) -> CardView:
    """Return a card that asks what becomes of the corrections of a photo."""
    return CardView(
        Tone.QUESTION,
        say(words.UNSAVED),
        sentences=(say(words.UNSAVED_SENTENCE, name=name),),
        choices=(
            Choice(say(words.SAVE_AND_GO_ON), GoOn(saves=True), "1"),
            Choice(say(words.DROP_AND_GO_ON), GoOn(saves=False), "2"),
            Choice(say(words.STAY_HERE), StayHere(), "Esc", is_quiet=True),
        ),
    )


def welcome_card(*, has_samples: bool) -> CardView:
    """Return what the card says before the first photo."""
    hint = window_texts.WELCOME_SAMPLES if has_samples else window_texts.WELCOME
    return CardView(Tone.CALM, say(window_texts.WELCOME_HEADLINE), sentences=(say(hint),))
