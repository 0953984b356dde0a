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
from referee.rules.game import Game, Variant, Voice, Whereabouts
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.tiles import ALL_TILES, CODES, TILES, Material
from referee.search.observation import Settled
from referee.tracking.announcements import Announcement
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Reply
from referee.tracking.questions import Answer, QuestionKind
from ui.services.game_session import GameSession
from ui.services.replay import BY_CAMERA
from ui.storage.game_entries import EntryKind
from ui.storage.game_pictures import GamePictures
from ui.storage.game_store import GameStore
from ui.text import table as texts
from ui.text.announcements import announcement_sentences
from ui.text.catalogue import say, spoken
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
    StepView,
    Tell,
    TurnView,
    Undo,
)
from ui.viewmodels.looking_back import ChallengeTable, ruling_sentence
from ui.viewmodels.rulebook import rule_of_case
from ui.viewmodels.table_acts import as_clicked, played, put_right
from ui.viewmodels.table_view import FallArrow, Ring, TileView, Tone, wrong_tiles
from ui.viewmodels.verdict_card import Moment, make_card
from ui.viewmodels.verdict_marks import rings

if TYPE_CHECKING:
    from referee.rules.verdict import Verdict
    from ui.storage.game_settings import GameSettings
    from vision.sources.frame import Frame, SourceNotice

PLAYER_COLOURS = ("#E07A3F", "#3E8FC4", "#8C6BC8", "#4F9D69", "#C75B8A", "#8A8F98")
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
        self._looks_at = LookBack(None)
        self._challenges = ChallengeTable(session, settings)
        self._redo: list[list[int]] = []
        self._story: GameTimeline | None = None
        self._turns: dict[str | None, tuple[TurnView, ...]] = {}
        self._kept_tiles = ""
        self._pictures = GamePictures(store, session.game)
        if self.is_clicked and not (session.heard and session.follower.has_begun):
            self._lay_left_over()

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
                self._looks_at, self._challenges.call = LookBack(None), None
                for heard in self._inputs(act, by):
                    self.session.hear(heard, by=by)
                    self._forget()
                self._redo.clear()
                self._held = Hold(None, self._held.wants_forecast)

    def _look_back(self, act: LookBack | Challenge | Ruling) -> None:
        """Look at a turn, have its call judged again, or say whether that was wrong."""
        match act:
            case LookBack():
                self._looks_at, self._challenges.call = act, None
            case Challenge(at, step):
                self._looks_at = LookBack(at, step)
                if (past := self._past()) is not None:
                    self._challenges.judge(act, self._step_of(past))
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
        game, moment, past = self._game, self._moment(), None if is_live else self._past()
        card, players = make_card(moment), range(game.setup.players)
        shown, pending = self.shown_layout(), self._pending(moment)
        tiles, arrows = self._tiles(moment, shown, pending, past), self._arrows(shown, pending)
        is_closed = bool(past or moment.is_open or moment.question or moment.story.wrong)
        places = () if is_closed or game.winner is not None else self._places()
        topic = card.topic or Topic.TURN
        if past is not None:
            topic = Topic.MAYHEM if self._turns_shown()[past.at].was_mayhem else Topic.PLACING
        return GameView(
            title=texts.title(game.setup.variant, max(1, game.turn)),
            card=card,
            tiles=tiles,
            arrows=() if past else arrows,
            places=places,
            players=tuple(
                self._player_then(player, past) if past else self._player(moment, player)
                for player in players
            ),
            turns=self._turns_shown(),
            past=past,
            likely=self._likely(),
            elsewhere=self._elsewhere(),
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
        layout = self._table_of(past) if past else shown
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
        self._story, self._turns, self._chosen = None, {}, None

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

    def _player(self, moment: Moment, player: int) -> PlayerView:
        game, story = moment.game, moment.story
        names, colours = self._names, self._settings.colours or PLAYER_COLOURS
        on_turn = player == moment.to_play and game.winner is None
        state = ""
        if on_turn:
            state = say(texts.RESOLVING) if moment.is_open else say(texts.PLACING)
        elif game.setup.variant is Variant.STRATEGY and game.winner is None:
            after = (moment.to_play + 1) % game.setup.players
            state = say(texts.CHECKS_NEXT) if player == after else ""
        last = texts.with_tile(texts.PLACED_LAST, story.placed[player].code) if player in story.placed else ""
        takings = [taking for taking in game.takings if taking.player == player]
        if takings and takings[-1].turn >= game.turn - game.setup.players + 1:
            turn = takings[-1].turn
            taken = sum(len(taking.tiles) for taking in takings if taking.turn == turn)
            last = say(texts.TOOK_LAST, count=taken, turn=turn)
        return PlayerView(
            texts.name_of(player, names), colours[player % len(colours)], game.stocks[player],
            on_turn, state, last, game.winner == player,
        )  # fmt: skip

    def _table_of(self, past: PastView) -> Layout:
        """Return the table that is drawn of a turn that somebody looks back at."""
        call = self._challenges.call
        return Layout.parse(self._step_of(past).layout) if call is None else call.table

    def _step_of(self, past: PastView) -> StepView:
        """Return what is shown of a turn that somebody looks back at."""
        return self._turns_shown()[past.at].steps[past.step or 0]

    def _player_then(self, player: int, past: PastView) -> PlayerView:
        """Return a player as of a turn that somebody looks back at."""
        turn, colours = self._told().turns[past.at], self._settings.colours or PLAYER_COLOURS
        return PlayerView(
            texts.name_of(player, self._names), colours[player % len(colours)],
            self._step_of(past).stocks[player], turn.player == player, "", "",
        )  # fmt: skip

    def _turns_shown(self) -> tuple[TurnView, ...]:
        if spoken() not in self._turns:
            self._turns[spoken()] = tuple(self._turn_views())
        return self._turns[spoken()]

    def _turn_views(self) -> Iterator[TurnView]:
        for turn in self._told().turns:
            entry = self._pictures.entry(turn.input)
            steps = tuple(
                StepView(
                    number,
                    said.layout,
                    said.stocks,
                    tuple(announcement_sentences(said, self._names)),
                    self._ruling(number),
                )
                for number, said in zip(turn.inputs, turn.said, strict=True)
            )
            yield TurnView(
                turn.number,
                texts.name_of(turn.player, self._names),
                tuple(sentence for step in steps for sentence in step.sentences),
                turn.layout,
                entry,
                None if entry is None else self._pictures.thumbnail(entry),
                turn.was_mayhem,
                steps,
            )

    def _past(self) -> PastView | None:
        at, step = self._looks_at.at, self._looks_at.step
        if at is None or not 0 <= at < len(self._turns_shown()):
            return None
        turn = self._turns_shown()[at]
        if step is not None and not 0 <= step < len(turn.steps):
            return None
        # The picture shows the table at the beginning of the turn, or that of the challenged call.
        entry = turn.entry if not step else None
        if self._challenges.call is not None:
            entry = self._pictures.entry(self._challenges.call.input) or entry
        picture = None if entry is None else self._pictures.picture(entry)
        return PastView(at, picture, step, self._challenges.view(self._names))

    def _likely(self) -> dict[Slot, tuple[str, ...]]:
        reading = self.session.reading
        if reading is None:
            return {}
        return {
            (tile.row, tile.slot): (tile.code, *(code for code, _chance in tile.alternatives))
            for tile in reading.tiles
        }

    def _elsewhere(self) -> dict[str, str]:
        reasons = {}
        for tile in ALL_TILES:
            where = self._game.whereabouts(tile)
            if where is Whereabouts.PYRAMID:
                reasons[tile.code] = texts.with_tile(texts.LIES_THERE, tile.code)
            elif where is Whereabouts.OUT:
                reasons[tile.code] = texts.with_tile(texts.HAS_LEFT, tile.code)
        return reasons

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
                yield Corrected(time_s, game.layout, stocks, game.out, self._turn_of(player))

    def _roll(self, time_s: float, roll: int) -> Iterator[Answered | Settled]:
        """Yield that the die was rolled, and in a game without a camera what it brings."""
        game = self._game
        yield Answered(time_s, Reply.ROLL, roll=roll)
        if self.is_clicked and roll and self._game == game:
            yield as_clicked(time_s, game.settle().roll(roll).layout)
            if self.session.follower.question is not None:
                yield Answered(time_s, Reply.ROLL, roll=roll)

    def _turn_of(self, player: int) -> int | None:
        """Return the turn that must lie for it to be a player's turn: the nearest; None where it is so."""
        moment = self._moment()
        if player == moment.to_play:
            return None
        many, now = moment.game.setup.players, moment.game.turn
        lies = player if moment.is_open else (player - 1) % many
        turns = (turn for turn in range(max(1, now - many), now + many + 1) if (turn - 1) % many == lies)
        return min(turns, key=lambda turn: abs(turn - now))

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

    def _ruling(self, number: int) -> str:
        is_overturned = self._told().rulings.get(number)
        return "" if is_overturned is None else ruling_sentence(is_overturned=is_overturned)

    def _keep_tiles(self, name: str) -> None:
        if self.session.learned is not None:
            self.session.learned.keep(name, replaces=self._settings.tiles)
            self._kept_tiles = name

    def _lay_left_over(self) -> None:
        """Begin a game without a camera: draw the left-over tiles. Rule 5."""
        setup = self._settings.setup
        drawn = [TILES[code] for code in self._chance.sample(CODES, count_left_over(setup))]
        row = [tile for tile in drawn if tile.material is not Material.INCENDIARY]
        layout = Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)})
        out = tuple(tile for tile in drawn if tile not in row)
        stocks = (setup.share,) * setup.players
        self.session.hear(Corrected(0.0, layout, stocks, out))
