"""Follow a game from settled tables to what must be said. Rule 5.

The follower holds the game as far as it is certain, and explains each settled table against it: what can
have happened by the rules (`courses`), weighed with the reader's chances (`sight`). Where one explanation is
clearly the likeliest it is taken. Where more remain they are carried along (`worlds`), and the players are
asked; the next table may well decide. What the rules forbid is asked about, never taken. Nothing blocks: a
tile that stays unreadable, or a question that nobody answers, is set aside after `PATIENCE_S`.

No clock, no input or output: the same inputs in the same order give the same lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.errors import Phrase
from referee.rules.events import DieNeed
from referee.rules.game import Action, Correct, Game, Place, Setup, Variant, Voice, Whereabouts
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.options import DEFAULTS, Options
from referee.rules.tiles import CODES, TILES, Tile
from referee.tracking.announcements import Fixed, Line, Question, Sentence, Tiles, WrongStep
from referee.tracking.announcer import Guess, Teller
from referee.tracking.game_start import count_left_over, open_game, read_left_over, read_row_later
from referee.tracking.hypotheses import (
    MARGIN,
    Option,
    World,
    answered,
    close_ones,
    first_open,
    fit_worlds,
    is_decided,
    is_untold,
    others_there,
)
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Input, Reply, SeenTile, Settled
from referee.tracking.likelihood import Sight
from referee.tracking.mistakes import Explanation, explain_mistake, find_differences
from referee.tracking.questions import (
    Asked,
    ask_about_table,
    ask_exchanged,
    ask_unread,
    ask_which,
    tell_wrong,
)
from referee.tracking.reconcile import exchanged, freed, taken_over

LEFT_LYING_COST = 3.0
"""Log chance that it costs to go on over what was done wrongly."""
PUT_RIGHT_COST = 12.0
"""The same for a tile that lay in a forbidden place, and was placed rightly since, after another one."""
ANEW_COST = 5.0
"""Log chance that it costs to explain a table anew from what is certain, past what was made of the tables
since."""
OTHER_GUESS_COST = 6.0
"""Log chance that it costs to let another tile stand for one that cannot be read: only to a clear sight."""
CONTRIVED_COST = 18.0
"""An explanation that costs so much is none: mayhem was missed, and a tile put in the place of another."""
PATIENCE_S = 30.0
"""Seconds of the source after which a tile that cannot be read, a question that nobody answers, or
something that lies over the table is set aside."""

_COVERED = Phrase(
    "Something has been lying over the table for a while. I follow what I can see; please clear it away."
)
_SET_ASIDE = Phrase(
    "I cannot read the tile in row {row} from the bottom, slot {slot} from the left. The game goes on, and I "
    "announce nothing that depends on it."
)
_STAYS_UNCLEAR = Phrase("What happened stays unclear; the game goes on with the table as it lies.")
_TAKEN_OVER = Phrase(
    "The table is taken as it lies now. Should the turn or the stocks be wrong, please correct them."
)
_BEGINS = Phrase("The game begins. Left over: {tiles}.")
_BEGINS_EMPTY = Phrase("The game begins on an empty table.")
_ONE_LEFT_OVER = Phrase(
    "One tile is left over, and I see none. Was it an incendiary, which leaves the game? If not, please lay "
    "it on the table."
)
_LEFT_OVER = Phrase(
    "{count} tiles are left over, and I see {seen}. Were only incendiaries missing, which leave the game? If "
    "not, please lay the tiles side by side."
)


@dataclass(frozen=True, slots=True)
class _Undecided:
    """What remains open about the tables since the game was certain."""

    options: list[Option]
    sight: Sight
    """The last of the tables."""
    tables: list[tuple[Sight, float]]
    """Each table, and how well a layout must fit it to be the one that lay there."""


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A step that was done wrongly, and not put right yet."""

    seen: Layout
    line: WrongStep


class Follower:
    """Follows one game: `hear` takes what happens and returns what is said."""

    def __init__(
        self,
        players: int = 2,
        options: Options = DEFAULTS,
        variant: Variant = Variant.FAMILY,
        voice: Voice = Voice.ANNOUNCE,
    ) -> None:
        """Begin before the first settled table.

        Raises:
            ChoiceError: Not 2 to 6 players.
        """
        self._setup = Setup(players, variant, voice, options)
        game, self._stand_ins = open_game(self._setup, ())
        self._teller = Teller(game)
        self._has_begun = not count_left_over(self._setup)
        self._row: tuple[Tile, ...] | None = None
        """Left-over tiles seen so far, while others may still be laid."""
        self._unread_row: Sight | None = None
        """The row of left-over tiles while one of them cannot be told."""
        self._undecided: _Undecided | None = None
        self._wrong: _Wrong | None = None
        self._forbidden: Layout | None = None
        """The table that the rules forbid, while it lies."""
        self._contrived: _Undecided | None = None
        """The only way by the rules to that table, where there is one, but hardly likely."""
        self._gone: set[Tile] = set()
        """Known tiles that were seen to lie nowhere since the game was certain."""
        self._asked: Asked | None = None
        """The question that is open."""
        self._open_since: float | None = None
        """Since when something is in doubt."""
        self._hidden_since: float | None = None
        self._odd: dict[Tile, Tile] = {}
        """Known tiles that were surely read as others on the last table."""
        self._asked_odd: set[tuple[Tile, Tile]] = set()
        self._last: Settled | None = None

    @property
    def game(self) -> Game:
        """The game as far as it is certain."""
        return self._teller.game

    @property
    def is_waiting(self) -> bool:
        """Whether something is hidden or in doubt, so that the same table is worth hearing again later."""
        return self._open_since is not None or self._hidden_since is not None

    @property
    def has_begun(self) -> bool:
        """Whether the left-over tiles are known."""
        return self._has_begun

    @property
    def question(self) -> Asked | None:
        """The question that is open; its places are those of `table`."""
        return self._asked

    @property
    def table(self) -> str:
        """The settled table in canonical form; not the game's where something is in doubt or wrong."""
        return self._teller.table

    def hear(self, heard: Input) -> list[Line]:
        """Return what must be said about an input, in order.

        Raises:
            ChoiceError: A correction whose tiles do not add up to 45, or that has one in two places.
        """
        self._teller.time_s = heard.time_s
        match heard:
            case Settled():
                lines = self._hear_settled(heard)
            case CheckCalled():
                return self._teller.check(None if self._wrong is None else self._wrong.line)
            case Answered():
                lines = self._hear_answer(heard)
            case Corrected():
                lines = self._hear_correction(heard)
            case _:
                lines = [self._teller.notice(heard.text)]
        return self._teller.speak(lines)

    def close(self) -> list[Line]:
        """Return what was kept back, when nothing more will be heard."""
        return self._teller.release()

    # Settled tables

    def _hear_settled(self, settled: Settled) -> list[Line]:
        lines: list[Line] = []
        if not settled.hidden:
            self._hidden_since = None
        elif self._hidden_since is None:
            self._hidden_since = settled.time_s
            return []
        elif not self._is_late(self._hidden_since):
            return []
        elif self._hidden_since > -math.inf:
            self._hidden_since = -math.inf  # said once
            lines.append(self._teller.notice(Sentence(_COVERED)))
        if self.game.winner is not None:
            return lines
        self._last = settled
        self._teller.table = str(Sight.of(settled).best_layout(self.game.layout, stand_ins=True))
        if self._forbidden is not None and self._is_late(self._open_since):
            lines += self._take_over(self._forbidden)
        return lines + self._look(settled)

    def _is_late(self, since: float | None) -> bool:
        return since is not None and self._teller.time_s - since > PATIENCE_S

    def _look(self, settled: Settled, told: Tile | int | None = None) -> list[Line]:
        """Explain a settled table; `told` is the tile, or roll, that answers a question; 0: no roll."""
        sight = Sight.of(settled)
        if not self._has_begun:
            lines = self._begin_with(sight)
            return lines + self._look(settled) if self._has_begun else lines
        if self._stand_ins and self._undecided is None:
            seen = {glimpse.likely[0] for glimpse in sight.cells.values() if glimpse.likely}
            self._teller.game, self._stand_ins = freed(self.game, self._stand_ins, seen)
        options, covered = self._find_options(sight)
        lying = None if self._odd_table is None else sight.fit(self._odd_table)
        if lying is not None and (not options or lying.log_chance >= options[0].score):
            # What was said of this table is said; but perhaps a tile of it is read rightly only now.
            return self._find_mistake(sight) if self._wrong is not None and lying.odd else []
        if options:
            return self._take(options, sight, told)
        if covered and self._is_late(self._open_since) and any(tile.covered for tile in settled.tiles):
            return self._look(_uncovered(settled), told)
        if covered:
            self._stay_open()
            return []
        return self._find_mistake(sight)

    def _find_options(self, sight: Sight) -> tuple[list[Option], bool]:
        """Return the worlds that fit, the likeliest first, and whether a covered tile keeps one from it."""
        worlds, fresh = [World(self.game)], 0
        if self._odd_table is not None:
            known, lying = set(self.game.layout.cells.values()), set(self._odd_table.cells.values())
            fresh = sum(tile.bit for tile in known - lying)
            # A tile that lay in a forbidden place was not placed after another one.
            worlds = [World(self.game, PUT_RIGHT_COST if lying - known else 0.0)]
            worlds.append(World(taken_over(self.game, self._odd_table), LEFT_LYING_COST))
        if self._undecided is None:
            options, covered = fit_worlds([*worlds, *self._other_guesses(sight)], sight, self.game, fresh)
            # What came off is not misread.
            return [each for each in options if self._gone.isdisjoint(odd[1] for odd in each.odd)], covered
        # Those that were carried along count, and any other way from what is certain that leads over the
        # tables seen since; or else any way at all, for what lay there may have been taken back.
        worlds = [replace(world, cost=world.cost + ANEW_COST) for world in worlds]
        worlds = [*(option.world for option in self._undecided.options), *worlds]
        options, covered = fit_worlds(worlds, sight, self.game, fresh)
        tables = self._undecided.tables
        return [each for each in options if each.passes(tables, self.game)] or options, covered

    @property
    def _odd_table(self) -> Layout | None:
        """The table that was done wrongly, or that the rules forbid, while it lies."""
        return self._forbidden if self._wrong is None else self._wrong.seen

    def _since(self, game: Game) -> tuple[Action, ...]:
        """Return what was played since the game was certain."""
        return game.actions[len(self.game.actions) :]

    def _take(self, options: list[Option], sight: Sight, told: Tile | int | None) -> list[Line]:
        """Take what is certain of the explanations of a table, and ask about the rest."""
        if told is not None:
            options = answered(options, told)
        best = options[0]
        self._teller.table = str(best.layout)
        if is_decided(options):
            if best.world.cost >= CONTRIVED_COST and self._undecided is None:
                self._contrived = _Undecided([best], sight, [])
                return self._forbid(self.game.layout, best.layout)
            return self._decide(best, sight)
        close = close_ones(options)
        if self._is_late(self._open_since):
            return self._set_aside(close, sight)
        self._stay_open()
        tables = [] if self._undecided is None else self._undecided.tables
        lines: list[Line] = []
        at = first_open(close)
        if at and self._wrong is None:
            lines = self._teller.tell(best.tail[:at])
            close = [replace(option, tail=option.tail[at:]) for option in close]
            tables, at = [], 0
        least = sight.fit(best.layout)
        assert least is not None  # it is an option
        self._undecided = _Undecided(close, sight, [*tables, (sight, least.log_chance - MARGIN)])
        return lines + self._ask(ask_which([(option.layout, option.tail) for option in close], at))

    def _decide(self, option: Option, sight: Sight, untold: Sequence[int] = ()) -> list[Line]:
        """Take an explanation; what the actions with the `untold` indices brought about is not said."""
        lines: list[Line] = []
        is_left = self._odd_table is not None and _is_correction(option)
        if self._wrong is not None and not is_left:
            lines.append(Fixed(**self._teller.now()))
        elif self._wrong is None and is_left:
            lines.append(self._teller.notice(Sentence(_TAKEN_OVER)))
        self._wrong = None
        if option.world.guesses is not None:
            self._teller.guesses = option.world.guesses
        lines += self._teller.tell(option.tail, untold)
        self._settle_at(self.game)
        lines += self._name_guesses(sight)
        lines += self._teller.conclude()
        return lines + self._look_for_exchanges(option)

    def _settle_at(self, game: Game) -> None:
        """Go on from a game that is certain; nothing is open any more."""
        self._teller.game = game
        self._undecided = self._asked = self._open_since = self._forbidden = self._contrived = None
        self._gone.clear()

    def _stay_open(self) -> None:
        if self._open_since is None:
            self._open_since = self._teller.time_s

    def _ask(self, question: Asked) -> list[Line]:
        """Ask, unless this was asked last and is still open."""
        if question == self._asked:
            return []
        self._asked = question
        return [Question(doubts=question[0], sentence=question[1], **self._teller.now())]

    def _look_for_exchanges(self, option: Option) -> list[Line]:
        """Ask about a known tile that is surely read as the same other one on two tables running."""
        lines: list[Line] = []
        for place, known, seen in option.odd:
            if self._odd.get(known) is seen and (known, seen) not in self._asked_odd:
                self._asked_odd.add((known, seen))
                lines += self._ask(ask_exchanged(place, known, seen))
        self._odd = {known: seen for _, known, seen in option.odd}
        return lines

    # What cannot be read, and what stays unclear

    def _set_aside(self, close: list[Option], sight: Sight) -> list[Line]:
        """Go on with the likeliest explanation; what is in doubt about it is not told, and stays open."""
        best = close[0]
        game = best.world.game
        lines: list[Line] = []
        untold = [at for at in range(len(best.tail)) if is_untold(close, at)]
        turn = self.game.turn - (not self.game.has_placed)
        for at, action in enumerate(best.tail):
            if not isinstance(action, Place):
                continue
            turn += 1
            others = others_there(close, at)
            if best.is_doubtful(action):
                others = [tile for tile in TILES.values() if game.whereabouts(tile) is Whereabouts.STOCKS]
            if at not in untold or not others:
                continue
            place = game.layout.find(action.tile)
            if place is None:
                self._stand_ins = {**self._stand_ins, action.tile: tuple(others)}
                continue
            player = (turn - 1) % self._setup.players
            self._teller.guesses[action.tile] = Guess(turn, player, tuple(others))
            values = {"row": row_of(place) + 1, "slot": slot_of(place) + 1}
            lines.append(self._teller.notice(Sentence(_SET_ASIDE, values)))
        if not lines:
            lines.append(self._teller.notice(Sentence(_STAYS_UNCLEAR)))
        return lines + self._decide(best, sight, untold)

    def _other_guesses(self, sight: Sight) -> list[World]:
        """Return the game with other tiles in the place of a guess, as far as they are seen now."""
        seen = {tile for glimpse in sight.cells.values() for tile in glimpse.likely[:1]}
        worlds = []
        for tile, guess in self._teller.guesses.items():
            free = [each for each in guess.others if self.game.whereabouts(each) is Whereabouts.STOCKS]
            tried = [each for each in free if each in seen]
            if tile in seen:
                tried += [each for each in free if each not in seen][:1]
            for other in tried:
                left = {each: kept for each, kept in self._teller.guesses.items() if each is not tile}
                others = tuple(tile if each is other else each for each in guess.others)
                guesses = left | {other: replace(guess, others=others)}
                worlds.append(World(exchanged(self.game, tile, other), OTHER_GUESS_COST, guesses=guesses))
        return worlds

    def _name_guesses(self, sight: Sight) -> list[Line]:
        """Tell the placement of tiles that were set aside and can be read now; forget those that came off."""
        lines: list[Line] = []
        for tile, guess in list(self._teller.guesses.items()):
            place = self.game.layout.find(tile)
            if place is None:
                del self._teller.guesses[tile]
                self._stand_ins = {**self._stand_ins, tile: guess.others}
            elif sight.cells[place].is_surely(tile):
                del self._teller.guesses[tile]
                lines.append(self._teller.placed(tile, guess))
        return lines

    # What was done wrongly, and what the rules forbid

    def _find_mistake(self, sight: Sight) -> list[Line]:
        """Say what is wrong with a table that nothing rightful leads to."""
        self._gone |= sight.missing(self.game.layout)
        is_late = self._is_late(self._open_since)
        options = [] if self._undecided is None else _by_sure_tiles(self._undecided.options, sight)
        game = options[0].world.game if options else self.game
        seen = _best_layout(sight, self._odd_table, game.layout, is_late)
        if isinstance(seen, int):
            self._stay_open()
            return [] if sight.cells[seen].covered else self._ask(ask_unread(seen))
        if self._wrong is not None and self._undecided is None and _is_nearer(self._wrong, seen):
            right = Layout.parse(self._wrong.line.right[0])
            line = replace(self._wrong.line, layout=str(seen), sentence=tell_wrong(right, seen))
            self._wrong = _Wrong(seen, line)
            return []
        found = explain_mistake(game, seen)
        if not found.is_wrong_step or any(isinstance(each, Place) for each in found.actions):
            return self._forbid(found.right[0], seen)
        if not _agrees(sight, seen, found.right[0]):
            self._stay_open()
            return self._forbid(found.right[0], seen) if is_late else []
        lines: list[Line] = []
        if self._undecided is not None:
            lines = self._set_aside(options, self._undecided.sight)
        return lines + self._say_wrong(found, seen, sight)

    def _say_wrong(self, found: Explanation, seen: Layout, sight: Sight) -> list[Line]:
        """Say that a step was done wrongly, unless it was said."""
        right = tuple(str(layout) for layout in found.right)
        wrong = self._wrong
        if wrong is not None and {*right} == {*wrong.line.right} and sight.fit(wrong.seen) is not None:
            self._wrong = replace(wrong, seen=seen)
            return []
        self._teller.table = str(seen)
        lines = self._teller.tell(found.actions)
        self._settle_at(self.game)
        line = WrongStep(right=right, sentence=tell_wrong(found.right[0], seen), **self._teller.now())
        self._wrong = _Wrong(seen, line)
        return [*lines, line]

    def _forbid(self, expected: Layout, seen: Layout) -> list[Line]:
        """Ask about a table that the rules forbid."""
        self._teller.table = str(seen)
        lines: list[Line] = []
        if self._forbidden is not None and _was_played_on(self.game, self._forbidden, seen):
            lines = self._take_over(self._forbidden)
            expected = self.game.layout
        if self._is_late(self._open_since):
            return lines + self._take_over(seen)
        self._forbidden = seen
        self._stay_open()
        hardly = self._contrived is not None and self._contrived.options[0].layout == seen
        return lines + self._ask(ask_about_table(expected, seen, hardly=hardly))

    def _take_over(self, layout: Layout) -> list[Line]:
        """Go on with a table as it lies, though the rules forbid it, and say what must be resolved."""
        return self._go_on_with(layout) + self._teller.conclude()

    def _go_on_with(self, layout: Layout) -> list[Line]:
        self._wrong = None
        lines: list[Line] = [self._teller.notice(Sentence(_TAKEN_OVER))]
        lines += self._teller.tell(self._since(taken_over(self.game, layout)))
        self._settle_at(self.game)
        return lines

    # The start

    def _begin_with(self, sight: Sight) -> list[Line]:
        """Find the left-over tiles on the table. Rule 5."""
        places = read_left_over(self._setup, sight)
        if places is None:
            return self._begin(self._row or read_row_later(self._unread_row, sight))
        row: list[Tile] = []
        for place in places:
            glimpse = sight.cells[place]
            tile = next((each for each in glimpse.likely if each not in row), None)
            if tile is None or not (glimpse.is_surely(tile) or self._is_late(self._open_since)):
                self._stay_open()
                self._unread_row = sight
                return [] if glimpse.covered else self._ask(ask_unread(place, glimpse.likely))
            row.append(tile)
        self._teller.table = str(Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)}))
        if len(row) == count_left_over(self._setup):
            return self._begin(tuple(row))
        self._row = tuple(row)
        count = count_left_over(self._setup)
        if count == 1:
            return self._ask(((), Sentence(_ONE_LEFT_OVER)))
        return self._ask(((), Sentence(_LEFT_OVER, {"count": count, "seen": len(row)})))

    def _begin(self, row: tuple[Tile, ...], out: tuple[Tile, ...] = ()) -> list[Line]:
        """Begin with these left-over tiles on the table, and these out of the game."""
        game, self._stand_ins = open_game(self._setup, row, out)
        self._has_begun = True
        self._settle_at(game)
        return [
            self._teller.notice(Sentence(_BEGINS, {"tiles": Tiles(row)}) if row else Sentence(_BEGINS_EMPTY))
        ]

    # Answers and corrections

    def _hear_answer(self, heard: Answered) -> list[Line]:
        match heard.reply:
            case Reply.OK:
                return self._accept()
            case Reply.TILE:
                return self._hear_tile(heard)
            case Reply.ROLL:
                return self._hear_roll(heard.roll)
            case Reply.MENDED:
                # Since when something is in doubt stays known, or a game could hang on this answer for ever.
                self._asked = self._forbidden = self._contrived = None
                return []
        if not self._has_begun:
            return [] if self._row is None else self._begin(self._row)
        undecided = self._undecided
        if self._odd_table is not None:
            # Where tiles were placed since, it is the table below them that is right.
            contrived = self._contrived
            if contrived is not None and contrived.options[0].layout == self._odd_table:
                lines = self._decide(contrived.options[0], contrived.sight)
            else:
                lines = self._go_on_with(self._odd_table)
            if undecided is None or self._last is None:
                return lines + self._teller.conclude()
            return lines + self._look(self._last)
        return [] if undecided is None else self._set_aside(undecided.options, undecided.sight)

    def _accept(self) -> list[Line]:
        """The next player says OK. Rule 5 (French rulebook)."""
        if self._undecided or self._wrong or not self.game.has_placed or self.game.winner is not None:
            return []
        self._settle_at(self.game.accept())
        return [*self._teller.missed(), *self._teller.conclude()]

    def _hear_tile(self, heard: Answered) -> list[Line]:
        """Somebody says which tile it is."""
        if heard.code is None:
            return []
        tile = TILES[heard.code]
        at = None if heard.row is None or heard.slot is None else (heard.row, heard.slot)
        if not self._has_begun and at is not None and self._last is not None:
            return self._look(_with_answer(self._last, at, tile))
        if not self._has_begun:
            return [] if self._row is None or tile in self._row else self._begin(self._row, (tile,))
        question = self._asked
        known = None if at is None else self.game.layout.get(*at)
        if known is not None and self._undecided is None and self._odd_table is None:
            if known is not tile:
                self._settle_at(exchanged(self.game, known, tile))
            return self._teller.conclude()
        if self._last is None:
            return []
        if tile in self._stand_ins and self._undecided is not None:
            # It was placed and came off unseen, so that another one is out of the game.
            self._settle_at(self.game)
            self._teller.game, self._stand_ins = freed(self.game, self._stand_ins, {tile})
            return self._look(self._last, tile)
        is_asked = question is not None and any((doubt.row, doubt.slot) == at for doubt in question[0])
        options = [] if self._undecided is None else self._undecided.options
        places = {each.layout.find(tile) for each in options if tile in each.placed}
        lies_there = at in [(row_of(place), slot_of(place)) for place in places if place is not None]
        if at is None or not is_asked or None in places or (places and not lies_there):
            return self._look(self._last, tile)
        return self._look(_with_answer(self._last, at, tile), tile)

    def _hear_roll(self, roll: int | None) -> list[Line]:
        """Somebody says what the fire die showed. What changes the table is believed when it is seen."""
        if roll is None or self._last is None:
            return []
        if self._undecided is not None:
            return self._look(self._last, roll)
        if roll == 0:
            return []
        after = self.game.settle()
        if not isinstance(after.needs, DieNeed) or after.roll(roll).layout != self.game.layout:
            return []
        lines = self._teller.tell(self._since(after.roll(roll)))
        self._settle_at(self.game)
        return lines + self._teller.conclude()

    def _hear_correction(self, heard: Corrected) -> list[Line]:
        """The people put right what is known; nothing is said where it is known so."""
        is_known = (
            heard.turn == self.game.turn
            and heard.layout == self.game.layout
            and heard.stocks in (None, self.game.stocks)
            and heard.out in (None, self.game.out)
        )
        is_open = (
            not self._has_begun or self._undecided or self._odd_table is not None or self._teller.guesses
        )
        if is_known and not is_open:
            return []
        if heard.stocks is None and heard.out is None:
            game = taken_over(self.game, heard.layout)
            if heard.turn is not None:
                game = game.correct(heard.layout, turn=heard.turn)
        else:
            game = self.game.correct(heard.layout, heard.stocks, heard.out, heard.turn)
        self._has_begun = True
        self._wrong = None
        self._teller.table = str(heard.layout)
        lines = self._teller.tell(self._since(game))
        self._teller.guesses.clear()
        self._settle_at(self.game)
        return lines + self._teller.conclude()


def _is_correction(option: Option) -> bool:
    """Whether an option goes on from a table that was taken as it lay."""
    return isinstance(next(iter(option.tail), None), Correct)


def _was_played_on(game: Game, lying: Layout, seen: Layout) -> bool:
    """Whether tiles were added to a table, and none that lay in the game before: it was left as it lay."""
    differences = find_differences(lying, seen)
    return bool(differences) and all(
        found.expected is None and found.seen is not None and game.layout.find(found.seen) is None
        for found in differences
    )


def _by_sure_tiles(options: list[Option], sight: Sight) -> list[Option]:
    """Return options, those first in which most of the tiles lie that are surely read."""
    return sorted(
        options, key=lambda option: -sum(bool(tile.bit & sight.sure) for tile in option.layout.cells.values())
    )


def _best_layout(sight: Sight, lying: Layout | None, known: Layout, is_late: bool) -> Layout | int:
    """Return the likeliest table: the known one changed, or the one that lay there last, if it is an odd one.

    The odd one may itself have been misread; then the known one accounts better for what is seen now.
    """
    best = sight.best_layout(known, stand_ins=is_late)
    if lying is None:
        return best
    found = sight.best_layout(lying, stand_ins=is_late)
    if isinstance(best, int) or isinstance(found, int):
        return found
    mine, theirs = sight.fit(best), sight.fit(found)
    better = mine is not None and (theirs is None or mine.log_chance > theirs.log_chance)
    return best if better else found


def _agrees(sight: Sight, seen: Layout, right: Layout) -> bool:
    """Whether a tile that was taken for misread would lie in the same place on the right table too."""
    fit = sight.fit(seen)
    odd = {tile for _, tile, _ in fit.odd} if fit is not None else set()
    return not any(found.expected in odd or found.seen in odd for found in find_differences(right, seen))


def _is_nearer(wrong: _Wrong, seen: Layout) -> bool:
    """Whether a table is nearer to a right one than the one that was found wrong: it is being put right."""
    rights = [Layout.parse(text) for text in wrong.line.right]
    return any(
        len(find_differences(right, seen)) < len(find_differences(right, wrong.seen)) for right in rights
    )


def _uncovered(settled: Settled) -> Settled:
    """Return a table on which a covered tile may be any; what was read of it is no more than a guess."""
    anything = tuple((code, 1 / len(CODES)) for code in CODES)
    tiles = tuple(
        replace(tile, codes=anything, sure=False, covered=False) if tile.covered or not tile.codes else tile
        for tile in settled.tiles
    )
    return replace(settled, tiles=tiles)


def _with_answer(settled: Settled, at: tuple[int, int], tile: Tile) -> Settled:
    """Return a table with a tile in a slot that was told, not read; it may have been overlooked there."""
    row, slot = at[0], at[1] + min((each.slot for each in settled.tiles), default=0)
    others = tuple(each for each in settled.tiles if (each.row, each.slot) != (row, slot))
    return replace(settled, tiles=(*others, SeenTile(row, slot, ((tile.code, 1.0),))))
