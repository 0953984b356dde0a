"""Follow a game from settled tables to what must be said. Rule 5.

The follower holds the game as far as it is certain, and explains each settled table against it: what can
have happened by the rules (`courses`), weighed with the reader's chances (`sight`). Where one explanation is
clearly the likeliest it is taken. Where more remain they are carried along, and the players are asked; the
next table may well decide. What the rules forbid is asked about, never taken. Nothing blocks: a tile that
stays unreadable, or a question that nobody answers, is set aside after `PATIENCE_S`.

No clock, no input or output: the same inputs in the same order give the same lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.asking import ask_about_table, ask_exchanged, ask_unread, ask_which, tell_wrong
from referee.courses import Course, find_courses
from referee.errors import Phrase
from referee.events import payer_of, removed_by, taken_by
from referee.game import Action, Correct, Game, Place, Roll, Setup, Variant, Voice, Whereabouts
from referee.layout import Layout, row_of, slot_of
from referee.lines import Doubt, Fixed, Line, Question, Sentence, WrongStep
from referee.observe import Account, explain_mistake, find_differences
from referee.opening import count_left_over, free_stand_ins, open_game, read_left_over
from referee.options import DEFAULTS, Options
from referee.seen import Answered, CheckCalled, Corrected, Input, Noticed, Reply, Settled
from referee.sight import Sight
from referee.telling import Guess, Teller
from referee.tiles import CODES, TILES, Tile

MAX_DOUBT = 0.01
"""An explanation is taken when the odds of all others together are at most this: 99 to 1."""
MARGIN = math.log(1 / MAX_DOUBT) + 2
"""Explanations that are less likely than the best one by more than this, in log chance, are dropped."""
MAX_WORLDS = 48
"""Most explanations that are carried along; a tile of which nothing is known has 44."""
LEFT_LYING_COST = 6.0
"""Log chance that it costs to go on over what was done wrongly: where it can have been put right, it was."""
OTHER_GUESS_COST = 6.0
"""Log chance that it costs to let another tile stand for one that cannot be read: only to a clear sight."""
PATIENCE_S = 30.0
"""Seconds of the source after which a tile that cannot be read, a question that nobody answers, or
something that lies over the table is set aside."""

_COVERED = Phrase(
    "Something has been lying over the table for long. What can be seen is followed all the same."
)
_SET_ASIDE = Phrase(
    "The tile in row {row} from below, place {place} from the left cannot be read. It is set aside: the game "
    "goes on, and nothing is announced that hangs on it."
)
_STAYS_UNCLEAR = Phrase("What happened stays unclear; the game goes on with the table as it lies.")
_TAKEN_OVER = Phrase(
    "The table is taken as it lies now. Should the turn or the stocks be wrong, please correct them."
)
_LEFT_OVER = Phrase(
    "With {players} players {count} tiles are left over; I see {seen}. Were the others incendiaries, which "
    "leave the game? If not, please lay them side by side."
)


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the game may stand."""

    game: Game
    cost: float = 0.0
    """What is unlikely about how it came about since the game was certain, in log chance."""
    memory: dict[Tile, tuple[float, float]] = field(default_factory=dict)
    """Tile placed since then -> log chance that it is this one when it was last seen, and odds that it is
    none of those that the reader named."""
    guesses: dict[Tile, Guess] | None = None
    """Which tiles stand for others in this world, where it is otherwise than in the game."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A world that fits the table now seen."""

    world: World
    score: float
    odd: tuple[tuple[int, Tile, Tile], ...]
    tail: tuple[Action, ...]
    """What was played since the game was certain."""

    @property
    def placed(self) -> list[Tile]:
        """The tiles placed since the game was certain, in order."""
        return [action.tile for action in self.tail if isinstance(action, Place)]

    def doubt(self, tile: Tile) -> float:
        """Return the odds that a placed tile is another one."""
        return self.world.memory[tile][1]

    @property
    def doubts(self) -> float:
        """The odds that some placed tile is another one."""
        return sum(self.doubt(tile) for tile in self.placed)


@dataclass(frozen=True, slots=True)
class Wrong:
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
        self._is_open = not count_left_over(self._setup)
        self._row: tuple[Tile, ...] | None = None
        """Left-over tiles seen so far, while others may still be laid."""
        self._worlds = [World(game)]
        self._wrong: Wrong | None = None
        self._asked: tuple[tuple[Doubt, ...], Sentence] | None = None
        self._open_since: float | None = None
        """Since when something is in doubt."""
        self._forbidden: Layout | None = None
        """The table that the rules forbid, while it lies."""
        self._hidden_since: float | None = None
        self._odd: dict[Tile, Tile] = {}
        """Known tiles that were surely read as others on the last table."""
        self._asked_odd: set[tuple[Tile, Tile]] = set()
        self._last: Settled | None = None

    @property
    def game(self) -> Game:
        """The game as far as it is certain."""
        return self._teller.game

    def hear(self, heard: Input) -> list[Line]:
        """Return what must be said about an input, in order."""
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
            case Noticed():
                lines = [self._teller.notice(heard.text)]
        return self._teller.speak(lines)

    def close(self) -> list[Line]:
        """Return what was kept back, when nothing more will be heard."""
        return self._teller.release()

    # Settled tables

    def _hear_settled(self, settled: Settled) -> list[Line]:
        lines: list[Line] = []
        if settled.hidden:
            if self._hidden_since is None:
                self._hidden_since = settled.time_s
            if not self._is_late(self._hidden_since):
                return []
            if self._hidden_since >= 0:
                self._hidden_since = -math.inf  # said once
                lines.append(self._teller.notice(Sentence(_COVERED)))
        else:
            self._hidden_since = None
        if self.game.winner is not None:
            return []
        self._last = settled
        if self._forbidden is not None and self._is_late(self._open_since):
            lines += self._take_over(self._forbidden)
        return lines + self._look(settled)

    def _is_late(self, since: float | None) -> bool:
        return since is not None and self._teller.time_s - since > PATIENCE_S

    def _look(self, settled: Settled, told: Tile | int | None = None) -> list[Line]:
        """Explain a settled table; `told` is the tile, or roll, that answers a question."""
        sight = Sight.of(settled)
        if not self._is_open:
            lines = self._open(sight)
            if not self._is_open:
                return lines
        self._free_stand_ins(sight)
        options, covered = self._find_options(sight)
        odd = None if self._odd_table is None else sight.fit(self._odd_table, 0)
        if odd is not None and (not options or odd.log_chance >= options[0].score):
            return []  # what was said of this table is said
        if options:
            return self._take(options, sight, told)
        if covered:
            if not self._is_late(self._open_since):
                self._stay_open()
                return []
            if any(tile.covered for tile in settled.tiles):
                return self._look(_uncovered(settled), told)
        return self._find_mistake(sight)

    def _find_options(self, sight: Sight) -> tuple[list[_Option], bool]:
        """Return the worlds that fit, the likeliest first, and whether a covered tile keeps one from it."""
        worlds = list(self._worlds)
        if self._is_undecided:
            worlds.append(World(self.game))
        elif self._teller.guesses:
            worlds += self._other_guesses(sight)
        lies, fresh = self._odd_table, 0
        if lies is not None:
            for tile in set(self.game.layout.cells.values()) - set(lies.cells.values()):
                fresh |= tile.bit
            worlds.append(World(_taken_over(self.game, lies), LEFT_LYING_COST))
        return self._fit_worlds(worlds, sight, fresh)

    @property
    def _odd_table(self) -> Layout | None:
        """The table that was done wrongly, or that the rules forbid, while it lies."""
        return self._forbidden if self._wrong is None else self._wrong.seen

    @property
    def _is_undecided(self) -> bool:
        return len(self._worlds) > 1 or self._worlds[0].game is not self.game

    def _fit_worlds(self, worlds: Sequence[World], sight: Sight, fresh: int) -> tuple[list[_Option], bool]:
        found: dict[tuple[object, ...], _Option] = {}
        is_covered = False
        for world in worlds:
            courses, covered = find_courses(world.game, sight, fresh)
            is_covered = is_covered or covered
            for course in courses:
                option = self._option(world, course, sight)
                if any(tile.bit & fresh for tile in option.placed):
                    continue  # it was put back where it lay, which is no placement
                same = found.get(course.outcome)
                if same is None or same.score < option.score:
                    found[course.outcome] = option
        return sorted(found.values(), key=lambda option: -option.score), is_covered and not found

    def _option(self, world: World, course: Course, sight: Sight) -> _Option:
        """Return a world that a course leads to."""
        tail = self._since(course.game)
        memory = {}
        forgotten = 0.0
        for action in tail:
            if isinstance(action, Place):
                place = course.game.layout.find(action.tile)
                if place is not None:
                    glimpse = sight.cells[place]
                    memory[action.tile] = glimpse.log(action.tile), glimpse.doubt(action.tile)
                else:
                    memory[action.tile] = world.memory.get(action.tile, (0.0, math.inf))
                    forgotten += memory[action.tile][0]
        cost = world.cost + course.cost
        score = course.fit.log_chance + forgotten - cost
        return _Option(World(course.game, cost, memory, world.guesses), score, course.fit.odd, tail)

    def _since(self, game: Game) -> tuple[Action, ...]:
        """Return what was played since the game was certain."""
        return game.actions[len(self.game.actions) :]

    def _take(self, options: list[_Option], sight: Sight, told: Tile | int | None) -> list[Line]:
        """Take what is certain of the explanations of a table, and ask about the rest."""
        if told is not None:
            options = _answered(options, told)
        best = options[0]
        others = sum(math.exp(option.score - best.score) for option in options[1:])
        self._teller.table = str(best.world.game.layout)
        if others + best.doubts <= MAX_DOUBT:
            return self._decide(best, sight)
        close = [option for option in options if option.score >= best.score - MARGIN][:MAX_WORLDS]
        at = _first_doubt(close)
        if self._is_late(self._open_since):
            return self._set_aside(close, at, sight)
        self._stay_open()
        self._worlds = [option.world for option in close]
        lines: list[Line] = []
        if self._wrong is None:
            lines = self._teller.tell(best.tail[:at])
            at = 0
        alternatives = [(option.world.game.layout, self._since(option.world.game)) for option in close]
        return lines + self._ask(ask_which(alternatives, at))

    def _decide(self, option: _Option, sight: Sight, untold: Sequence[int] = ()) -> list[Line]:
        """Take an explanation."""
        lines: list[Line] = []
        is_left = bool(option.tail) and isinstance(option.tail[0], Correct) and self._odd_table is not None
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
        return lines + self._look_for_exchanges(option.odd)

    def _settle_at(self, game: Game) -> None:
        """Go on from a game that is certain; nothing is open any more."""
        self._teller.game = game
        self._worlds = [World(game)]
        self._asked = self._open_since = self._forbidden = None

    def _stay_open(self) -> None:
        if self._open_since is None:
            self._open_since = self._teller.time_s

    def _ask(self, question: tuple[tuple[Doubt, ...], Sentence]) -> list[Line]:
        """Ask, unless this was asked last and is still open."""
        if question == self._asked:
            return []
        self._asked = question
        return [Question(doubts=question[0], sentence=question[1], **self._teller.now())]

    def _look_for_exchanges(self, odd: tuple[tuple[int, Tile, Tile], ...]) -> list[Line]:
        """Ask about a known tile that is surely read as the same other one on two tables running."""
        lines: list[Line] = []
        for place, known, seen in odd:
            if self._odd.get(known) is seen and (known, seen) not in self._asked_odd:
                self._asked_odd.add((known, seen))
                lines += self._ask(ask_exchanged(place, known, seen))
        self._odd = {known: seen for _, known, seen in odd}
        return lines

    # What cannot be read, and what stays unclear

    def _set_aside(self, close: list[_Option], at: int, sight: Sight) -> list[Line]:
        """Go on with the likeliest explanation; what is in doubt about it is not told, and stays open."""
        best = close[0]
        lines: list[Line] = []
        untold = [
            index
            for index, action in enumerate(best.tail)
            if index == at or (index > at and isinstance(action, Place))
        ]
        for index in untold:
            action = best.tail[index]
            others = _others_there(close, index)
            place = best.world.game.layout.find(action.tile) if isinstance(action, Place) else None
            if not isinstance(action, Place) or place is None:
                continue
            if best.doubt(action.tile) > MAX_DOUBT:
                others = [
                    each for each in TILES.values() if best.world.game.whereabouts(each) is Whereabouts.STOCKS
                ]
            if not others:
                continue
            turn = self.game.turn + sum(isinstance(each, Place) for each in best.tail[: index + 1])
            turn -= not self.game.has_placed
            player = (turn - 1) % self._setup.players
            self._teller.guesses[action.tile] = Guess(turn, player, tuple(others))
            values = {"row": row_of(place) + 1, "place": slot_of(place) + 1}
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
                game = self._exchanged(self.game, tile, other)
                worlds.append(World(game, OTHER_GUESS_COST, guesses=guesses))
        return worlds

    def _exchanged(self, game: Game, tile: Tile, other: Tile) -> Game:
        """Return a game with another tile in the place of one, and that one in the place of the other."""
        cells = {
            (row, slot): other if each is tile else tile if each is other else each
            for (row, slot), each in game.layout.tiles
        }
        out = tuple(tile if each is other else each for each in game.out)
        return game.correct(Layout.from_tiles(cells), out=out)

    def _name_guesses(self, sight: Sight) -> list[Line]:
        """Tell the placement of tiles that were set aside and can be read now; forget those that came off."""
        lines: list[Line] = []
        for tile, guess in list(self._teller.guesses.items()):
            place = self.game.layout.find(tile)
            if place is None:
                del self._teller.guesses[tile]
            elif math.exp(sight.cells[place].log(tile)) >= 1 - MAX_DOUBT and not sight.cells[place].covered:
                del self._teller.guesses[tile]
                lines.append(self._teller.placed(tile, guess))
        return lines

    # What was done wrongly, and what the rules forbid

    def _find_mistake(self, sight: Sight) -> list[Line]:
        """Say what is wrong with a table that nothing rightful leads to."""
        is_late = self._is_late(self._open_since)
        seen = sight.best_layout(self.game.layout, stand_ins=is_late)
        if isinstance(seen, int):
            self._stay_open()
            return [] if sight.cells[seen].covered else self._ask(ask_unread(seen))
        if self._is_undecided or self.game.winner is not None:
            return self._forbid(self.game.layout, seen)
        if self._wrong is not None and _is_nearer(self._wrong, seen):
            self._wrong = replace(self._wrong, seen=seen)
            return []
        found = explain_mistake(self.game, seen)
        if found.account is not Account.WRONG_STEP:
            return self._forbid(found.right[0], seen)
        self._teller.table = str(seen)
        lines = self._teller.tell(found.actions)
        self._settle_at(self.game)
        right = tuple(str(layout) for layout in found.right)
        line = WrongStep(right=right, sentence=tell_wrong(found.right[0], seen), **self._teller.now())
        self._wrong = Wrong(seen, line)
        return [*lines, line]

    def _forbid(self, expected: Layout, seen: Layout) -> list[Line]:
        """Ask about a table that the rules forbid."""
        self._teller.table = str(seen)
        if self._forbidden != seen:
            self._forbidden = seen
            self._open_since = self._teller.time_s
        return self._ask(ask_about_table(expected, seen))

    def _take_over(self, layout: Layout) -> list[Line]:
        """Go on with a table as it lies, though the rules forbid it."""
        self._wrong = None
        self._teller.table = str(layout)
        game = _taken_over(self.game, layout)
        lines = self._teller.tell(self._since(game))
        self._settle_at(self.game)
        return [*lines, self._teller.notice(Sentence(_TAKEN_OVER)), *self._teller.conclude()]

    # The start

    def _open(self, sight: Sight) -> list[Line]:
        """Find the left-over tiles on the table. Rule 5."""
        row = read_left_over(self._setup, sight)
        if row is None:
            self._begin(self._row or ())
            return []
        if len(row) == count_left_over(self._setup):
            self._begin(row)
            return []
        self._row = row
        self._teller.table = str(Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)}))
        values = {"players": self._setup.players, "count": count_left_over(self._setup), "seen": len(row)}
        return self._ask(((), Sentence(_LEFT_OVER, values)))

    def _begin(self, row: tuple[Tile, ...], out: tuple[Tile, ...] = ()) -> None:
        game, self._stand_ins = open_game(self._setup, row, out)
        self._is_open = True
        self._settle_at(game)

    def _free_stand_ins(self, sight: Sight) -> None:
        if self._stand_ins and not self._is_undecided:
            game, self._stand_ins = free_stand_ins(self.game, self._stand_ins, sight)
            self._teller.game = game
            self._worlds = [World(game)]

    # Answers and corrections

    def _hear_answer(self, heard: Answered) -> list[Line]:
        match heard.reply:
            case Reply.OK:
                return self._accept()
            case Reply.TILE:
                return self._hear_tile(heard)
            case Reply.ROLL:
                return [] if self._last is None else self._look(self._last, heard.roll)
            case Reply.MENDED:
                self._asked = self._open_since = self._forbidden = None
                return []
        if not self._is_open and self._row is not None:
            self._begin(self._row)
            return []
        if self._wrong is not None:
            return self._take_over(self._wrong.seen)
        if self._forbidden is not None:
            return self._take_over(self._forbidden)
        return []

    def _accept(self) -> list[Line]:
        """The next player says OK. Rule 5 (French rulebook)."""
        if self._is_undecided or self._wrong is not None or not self.game.has_placed:
            return []
        self._settle_at(self.game.accept())
        return [*self._teller.missed_again(), *self._teller.conclude()]

    def _hear_tile(self, heard: Answered) -> list[Line]:
        """Somebody says which tile it is."""
        if heard.code is None:
            return []
        tile = TILES[heard.code]
        if not self._is_open:
            if self._row is not None and tile not in self._row:
                self._begin(self._row, (tile,))
            return []
        at = None if heard.row is None or heard.slot is None else (heard.row, heard.slot)
        question, self._asked = self._asked, None
        is_asked = question is not None and any((doubt.row, doubt.slot) == at for doubt in question[0])
        known = None if at is None else self.game.layout.get(*at)
        if known is not None and not self._is_undecided and self._odd_table is None:
            if known is not tile:
                self._settle_at(self._exchanged(self.game, known, tile))
            return self._teller.conclude()
        if self._last is None:
            return []
        return self._look(_with_answer(self._last, at, tile) if at and is_asked else self._last, tile)

    def _hear_correction(self, heard: Corrected) -> list[Line]:
        """The people put right what is known."""
        self._is_open = True
        self._wrong = None
        layout = heard.layout
        base = self.game
        if heard.stocks is None and heard.out is None:
            game = _taken_over(base, layout)
            if heard.turn is not None:
                game = game.correct(layout, turn=heard.turn)
        else:
            game = base.correct(layout, heard.stocks, heard.out, heard.turn)
        self._teller.table = str(layout)
        lines = self._teller.tell(self._since(game))
        self._teller.guesses.clear()
        self._settle_at(self.game)
        return lines + self._teller.conclude()


def _uncovered(settled: Settled) -> Settled:
    """Return a table on which a covered tile may be any; what was read of it is no more than a guess."""
    anything = tuple((code, 1 / len(CODES)) for code in CODES)
    tiles = tuple(
        replace(tile, codes=anything, sure=False, covered=False) if tile.covered or not tile.codes else tile
        for tile in settled.tiles
    )
    return replace(settled, tiles=tiles)


def _with_answer(settled: Settled, at: tuple[int, int], tile: Tile) -> Settled:
    """Return a table with a tile in a slot that was told, not read."""
    leftmost = min((each.slot for each in settled.tiles), default=0)
    tiles = tuple(
        replace(each, codes=((tile.code, 1.0),), sure=True, covered=False)
        if (each.row, each.slot - leftmost) == at
        else each
        for each in settled.tiles
    )
    return replace(settled, tiles=tiles)


def _answered(options: list[_Option], told: Tile | int) -> list[_Option]:
    """Return those of the explanations that an answer leaves; its tile is not in doubt any more."""
    at = _first_doubt(options)
    kept = []
    for option in options:
        action = option.tail[at] if at < len(option.tail) else None
        if isinstance(action, Place) and action.tile is told:
            memory = option.world.memory | {action.tile: (0.0, 0.0)}
            kept.append(replace(option, world=replace(option.world, memory=memory)))
        elif isinstance(action, Roll) and isinstance(told, int) and action.roll == (1 if told < 4 else told):
            kept.append(option)
    return kept or options


def _first_doubt(close: Sequence[_Option]) -> int:
    """Return the index of the first action that the explanations do not share, or whose tile is in doubt."""
    best = close[0]
    for at, action in enumerate(best.tail):
        if any(at >= len(option.tail) or option.tail[at] != action for option in close):
            return at
        if isinstance(action, Place) and best.doubt(action.tile) > MAX_DOUBT:
            return at
    return len(best.tail)


def _others_there(close: Sequence[_Option], at: int) -> list[Tile]:
    """Return the tiles that other explanations place in the slot where the likeliest places one."""
    best = close[0].tail[at]
    found: list[Tile] = []
    for option in close:
        action = option.tail[at] if at < len(option.tail) else None
        if (
            isinstance(action, Place)
            and isinstance(best, Place)
            and (action.row, action.slot) == (best.row, best.slot)
            and action.tile is not best.tile
            and action.tile not in found
        ):
            found.append(action.tile)
    return found


def _is_nearer(wrong: Wrong, seen: Layout) -> bool:
    """Whether a table is nearer to a right one than the one that was found wrong: it is being put right."""
    rights = [Layout.parse(text) for text in wrong.line.right]
    return any(
        len(find_differences(right, seen)) < len(find_differences(right, wrong.seen)) for right in rights
    )


def _taken_over(game: Game, layout: Layout) -> Game:
    """Return a game with the table as it lies; what came off or on is reckoned as well as it can be.

    New tiles are placements of the players whose turn it is, one after the other. What came off goes to the
    payer, but for what the resolution would take out of the game.
    """
    before, after = set(game.layout.cells.values()), set(layout.cells.values())
    leaving: set[Tile] = set()
    for event in game.pending.events:
        leaving.update(removed_by(event))
        if payer_of(event) is None:
            leaving.update(taken_by(event))
    payer = game.standing.terms.payer
    gone = [tile for tile in game.layout.cells.values() if tile not in after]
    leaves = [tile for tile in gone if tile in leaving or payer is None]
    stocks = list(game.stocks)
    if payer is not None:
        stocks[payer] += len(gone) - len(leaves)
    out = [tile for tile in game.out if tile not in after] + leaves
    turn = game.turn - (not game.has_placed)
    new = [tile for tile in layout.cells.values() if tile not in before and tile not in game.out]
    for _ in new:
        turn += 1
        player = (turn - 1) % len(stocks)
        if not stocks[player]:
            player = max(range(len(stocks)), key=lambda each: stocks[each])
        stocks[player] -= 1
    return game.correct(layout, stocks, out, turn if new else None)
