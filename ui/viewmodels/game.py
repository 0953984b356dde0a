"""From a game that is followed to what the table page shows of it, and from what people do there to the game.

No Qt: everything happens on the thread that calls. Whatever is shown was stored before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.rules.events import Direction, FallNeed
from referee.rules.game import Game, Voice, Whereabouts
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.tiles import ALL_TILES, TILES
from referee.search.observation import Settled
from referee.tracking.announcements import Announcement
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Reply
from referee.tracking.questions import Answer, QuestionKind
from ui.services.game_session import GameSession
from ui.services.replay import BY_CAMERA
from ui.storage.game_entries import EntryKind
from ui.storage.game_pictures import GamePictures
from ui.storage.game_store import GameStore
from ui.text import table as texts
from ui.text.rulebook.rules import Topic
from ui.viewmodels.ending import EndingView, ending_of
from ui.viewmodels.game_timeline import GameTimeline, fold_timeline
from ui.viewmodels.game_view import (
    Act,
    By,
    CallCheck,
    CarryOut,
    Challenge,
    GameView,
    Hold,
    KeepTiles,
    LetFall,
    LookBack,
    PastView,
    PlaceView,
    PlayerView,
    Put,
    PutRight,
    Redo,
    Retile,
    Ruling,
    Shift,
    ShowRoll,
    Slot,
    Tell,
    Undo,
)
from ui.viewmodels.looking_back import ChallengeTable, PastTurns
from ui.viewmodels.players import past_player_view, player_view
from ui.viewmodels.requests import PLAYER_COLOURS
from ui.viewmodels.rulebook import rule_of_case
from ui.viewmodels.table_acts import as_clicked, drawn_left_over, played, put_right, turn_for
from ui.viewmodels.table_view import FallArrow, Ring, TileView, Tone, wrong_tiles
from ui.viewmodels.verdict_card import Moment, make_card
from ui.viewmodels.verdict_marks import rings

if TYPE_CHECKING:
    from referee.rules.verdict import Verdict
    from ui.storage.game_settings import GameSettings
    from vision.recognition.reading import Reading
    from vision.sources.frame import Frame, SourceNotice

_BY_PEOPLE = {
    kind.value for kind in (EntryKind.ANSWER, EntryKind.CORRECTION, EntryKind.CHECK, EntryKind.CHALLENGE)
}


class GameViewModel:
    """One game at the table: hand it frames and acts, and ask for its view. For one thread."""

    def __init__(
        self,
        store: GameStore,
        session: GameSession,
        settings: GameSettings,
        *,
        by_clicking: bool = False,
        chance: random.Random | None = None,
    ) -> None:
        """Take up a game, a new one or one that was left.

        Args:
            store: Where the game is stored.
            session: Follows it.
            settings: What was agreed.
            by_clicking: Whether a game that had a camera goes on without it.
            chance: Draws left-over tiles and rolls the die.

        Raises:
            StorageError: The game cannot be read or written.
        """
        self.session, self._settings = session, settings
        self._chance = chance or random.Random()
        self._names = settings.names or settings.setup.players
        self.is_clicked = by_clicking or not settings.source
        """Whether the game is played without a camera."""
        self.is_watched = True
        """Whether the pictures of the camera come."""
        self._held: Hold = Hold(None)
        self._chosen: Direction | None = None
        self._challenges = ChallengeTable(session, settings)
        self._redo: list[list[int]] = []
        self._story: GameTimeline | None = None
        self._kept_tiles = ""
        self._turns = PastTurns(GamePictures(store, session.game), self._challenges, self._names)
        if self.is_clicked and not (session.heard and session.follower.has_begun):
            self.session.hear(drawn_left_over(settings.setup, self._chance))

    def see(self, item: Frame | SourceNotice) -> list[Announcement]:
        """Return what is said about a frame or notice.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        said = self.session.see(item)
        if said:
            self._forget()
        return said

    def do(self, act: Act) -> None:
        """Do what somebody wants, as far as it can be done now.

        Raises:
            ChoiceError: It does not fit this moment.
            PlacementError: The tile may not go there.
            TileError: The tile is in nobody's stock.
            ToldError: There is no tile where one is to be changed or moved.
            TileSetError: The tiles cannot be kept under this name.
            StorageError: It could not be stored; the game must be taken up again.
        """
        by, act = (act.player, act.act) if isinstance(act, By) else (None, act)
        match act:
            case Hold():
                self._held = act
            case LookBack() | Challenge() | Ruling():
                self._look_back(act)
            case LetFall(direction) if not self.is_clicked:
                self._chosen = direction
            case Undo():
                self._undo()
            case Redo():
                if self._redo:
                    self.session.take_back(self._redo.pop(), again=True)
                    self._forget()
            case KeepTiles(name):
                self._keep_tiles(name)
            case _:
                self._turns.leave()
                for heard in self._inputs(act, by):
                    self.session.hear(heard, by=by)
                    self._forget()
                self._redo.clear()
                self._held = Hold(None, self._held.wants_forecast)

    def _look_back(self, act: LookBack | Challenge | Ruling) -> None:
        """Look at a turn, have its call judged again, or say whether that was wrong."""
        match act:
            case LookBack():
                self._turns.look_at(act)
            case Challenge(at, step):
                self._turns.looks_at = LookBack(at, step)
                if (past := self._turns.past(self._told())) is not None:
                    self._challenges.judge(act, self._turns.step(self._told(), past))
            case Ruling():
                self._challenges.rule(act)
                self._redo.clear()
                self._forget()

    def leave(self) -> None:
        """End following for now; the game may go on later, and what the silent voice keeps back stays so.

        Raises:
            StorageError: It could not be stored.
        """
        self.session.leave()

    # What is shown

    def view(self, *, is_live: bool = False) -> GameView:
        """Return everything that is shown; `is_live`: of the table as it is, whatever turn is looked at."""
        game, moment = self._game, self._moment()
        story, past = moment.story, None if is_live else self._turns.past(moment.story)
        card = make_card(moment)
        shown, pending = self.shown_layout(), self._pending(moment)
        tiles, arrows = self._tiles(moment, shown, pending, past), self._arrows(shown, pending)
        is_closed = bool(past or moment.is_open or moment.question or moment.story.wrong)
        places = () if is_closed or game.winner is not None else self._places()
        topic = card.topic or Topic.TURN
        if past is not None:
            topic = Topic.MAYHEM if self._turns.shown(story)[past.at].was_mayhem else Topic.PLACING
        return GameView(
            title=texts.title(game.setup.variant, max(1, game.turn)),
            card=card,
            tiles=tiles,
            arrows=() if past else arrows,
            places=places,
            players=self._players(moment, past),
            turns=self._turns.shown(story),
            past=past,
            likely=_likely(self.session.reading),
            elsewhere=_elsewhere(game),
            held=self._held.code,
            is_clicked=self.is_clicked,
            is_over=game.winner is not None,
            can_undo=bool(self._last_done()),
            can_redo=bool(self._redo),
            can_check=game.winner is None and not moment.is_open,
            ending=self._ending(),
            why=rule_of_case(topic, game.setup.options, tiles, () if past else arrows, places),
            kept_tiles=self._kept_tiles,
        )

    def _players(self, moment: Moment, past: PastView | None) -> tuple[PlayerView, ...]:
        story, names, colours = moment.story, self._names, self._settings.colours
        players = range(moment.game.setup.players)
        if past is None:
            return tuple(player_view(moment, player, colours) for player in players)
        step = self._turns.step(story, past)
        return tuple(past_player_view(story, past, step, player, names, colours) for player in players)

    def _ending(self) -> EndingView | None:
        if self._game.winner is None:
            return None
        colours = self._settings.colours or PLAYER_COLOURS
        return ending_of(self._game, self._told(), self._names, colours, self._settings.wins)

    def _pending(self, moment: Moment) -> Verdict | None:
        """Return what must be resolved now, as far as it was said."""
        if not moment.is_open or moment.question is not None or moment.story.wrong is not None:
            return None
        return replace(self._game.pending, events=moment.open_events, needs=moment.open_need)

    def _tiles(
        self, moment: Moment, shown: Layout, pending: Verdict | None, past: PastView | None
    ) -> tuple[TileView, ...]:
        """Return the tiles on the table, those that are marked as such; looking back, those of the turn."""
        marks = rings(pending) if pending is not None and past is None else {}
        if moment.question is None and moment.story.wrong is not None and past is None:
            marks = wrong_tiles(shown, moment.story.wrong.right[0])
        unsure = {(place.row, place.slot) for place in moment.question.places} if moment.question else set()
        layout = self._turns.table(moment.story, past) if past else shown
        return tuple(
            TileView(tile.code, row, slot, (row, slot) in unsure, marks.get(tile.code, Ring.NONE))
            for (row, slot), tile in layout.tiles
        )

    @property
    def _game(self) -> Game:
        return self.session.follower.game

    def _told(self) -> GameTimeline:
        if self._story is None:
            # What the silent voice kept back is said when `watch` stops; the game that goes on knows nothing.
            ends = EntryKind.CLOSED.value
            heard = (each for each in self.session.heard if each.content["input"] != ends)
            self._story = fold_timeline(heard)
        return self._story

    def _forget(self) -> None:
        """Make everything anew when it is asked for: something was said, or taken back."""
        self._story = self._chosen = None
        self._turns.forget()

    def _moment(self) -> Moment:
        follower = self.session.follower
        return Moment(
            self._game, self._told(), self._names, follower.question, follower.has_begun or self.is_clicked,
            self.is_clicked, self._held.code, self._chosen, self.is_watched,
            self._known_tiles(), self._kept_tiles,
        )  # fmt: skip

    def _known_tiles(self) -> int:
        learned = self.session.learned
        if self._game.winner is None or learned is None or not learned.is_worth_a_name:
            return 0
        return len({example.code for example in learned.examples})

    def shown_layout(self) -> Layout:
        """Return the table as people see it: as it was read where something is in doubt or wrong."""
        follower = self.session.follower
        if follower.question is None and self._told().wrong is None and follower.has_begun:
            return self._game.layout
        try:
            return Layout.parse(follower.table)
        except RefereeError:
            return self._game.layout

    def _arrows(self, shown: Layout, pending: Verdict | None) -> tuple[FallArrow, ...]:
        if pending is None or not isinstance(pending.needs, FallNeed) or len(pending.events) > 1:
            return ()
        place = shown.find(pending.needs.tile)
        if place is None:
            return ()
        left, right = (self._chosen in (None, side) for side in (Direction.LEFT, Direction.RIGHT))
        return (FallArrow(row_of(place), slot_of(place), left=left, right=right),)

    def _places(self) -> tuple[PlaceView, ...]:
        held = self._held
        forecasts = held.code is not None and held.wants_forecast and self._game.setup.voice is Voice.ANNOUNCE
        views = []
        for row, slot in self._game.places:
            tone = None
            if forecasts:
                after = self._game.place(TILES[held.code or ""], row, slot)
                tone = Tone.CALM if after.is_stable else Tone.MAYHEM
            views.append(PlaceView(row, slot, tone))
        return tuple(views)

    # What people do

    def _inputs(self, act: Act, by: int | None) -> Iterator[Answered | CheckCalled | Corrected | Settled]:
        """Yield what the follower is told of an act, one after the other; each was heard before the next."""
        time_s = round(self.session.last_s + 0.001, 3)
        game = self._game
        match act:
            case CallCheck():
                yield CheckCalled(time_s, by)
            case Tell(Answer(Reply.ROLL, roll=roll)):
                yield from self._roll(time_s, roll or 0)
            case Tell(answer):
                yield answer.at(time_s)
                if answer.reply is Reply.MENDED and self.is_clicked:
                    yield as_clicked(time_s, game.layout)
            case Put() | CarryOut() | LetFall():
                yield as_clicked(time_s, played(game, act).layout)
                asked = self.session.follower.question
                if isinstance(act, Put) and asked is not None and asked.kind is QuestionKind.WHICH_TILE:
                    # Whoever's pile it had gone under, people say which tile it is.
                    yield Answered(time_s, Reply.TILE, act.code, asked.places[0].row, asked.places[0].slot)
            case ShowRoll(roll):
                yield from self._roll(time_s, self._chance.randint(1, 6) if roll is None else roll)
            case Retile() | Shift():
                yield put_right(self.session, self.shown_layout(), act, time_s)
            case PutRight(player, stocks):
                yield Corrected(time_s, game.layout, stocks, game.out, turn_for(self._moment(), player))

    def _roll(self, time_s: float, roll: int) -> Iterator[Answered | Settled]:
        """Yield that the die was rolled, and in a game without a camera what it brings."""
        game = self._game
        yield Answered(time_s, Reply.ROLL, roll=roll)
        if self.is_clicked and roll and self._game == game:
            yield as_clicked(time_s, game.settle().roll(roll).layout)
            if self.session.follower.question is not None:
                yield Answered(time_s, Reply.ROLL, roll=roll)

    def _last_done(self) -> list[int]:
        """Return the inputs of the last thing that somebody did, but for the beginning of a clicked game."""
        kinds = _BY_PEOPLE | ({EntryKind.SETTLED.value} if self.is_clicked else set())
        heard = self.session.heard if self._settings.source else self.session.heard[1:]
        done = [each for each in heard if each.content["input"] in kinds and BY_CAMERA not in each.content]
        if not done:
            return []
        return [each.number for each in done if each.content["time_s"] == done[-1].content["time_s"]]

    def _undo(self) -> None:
        if numbers := self._last_done():
            self.session.take_back(numbers)
            self._redo.append(numbers)
            self._forget()

    def _keep_tiles(self, name: str) -> None:
        if self.session.learned is not None:
            self.session.learned.keep(name, replaces=self._settings.tiles)
            self._kept_tiles = name


def _likely(reading: Reading | None) -> dict[Slot, tuple[str, ...]]:
    """Return what each tile that was read may be, likeliest first."""
    return {
        (tile.row, tile.slot): (tile.code, *(code for code, _chance in tile.alternatives))
        for tile in (() if reading is None else reading.tiles)
    }


def _elsewhere(game: Game) -> dict[str, str]:
    """Return why tiles cannot be placed, by code."""
    reasons = {}
    for tile in ALL_TILES:
        where = game.whereabouts(tile)
        if where is Whereabouts.PYRAMID:
            reasons[tile.code] = texts.with_tile(texts.LIES_THERE, tile.code)
        elif where is Whereabouts.OUT:
            reasons[tile.code] = texts.with_tile(texts.HAS_LEFT, tile.code)
    return reasons
