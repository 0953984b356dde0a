"""What a follower knows, believes and waits for; changed by the other modules of this room. Rule 5."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.rules.game import Action, Game, Setup
from referee.rules.layout import Layout
from referee.rules.tiles import Colour, Tile
from referee.search.evidence import Evidence, TileEvidence
from referee.search.hypotheses import Candidate
from referee.search.observation import Settled
from referee.search.reconcile import StandIns
from referee.tracking.announcements import Announcement, Asked, StepWrong
from referee.tracking.announcer import Announcer
from referee.tracking.game_start import count_left_over, open_game
from referee.tracking.questions import Question

PATIENCE_S = 30.0
"""Seconds of the source after which a tile that cannot be read, a question that nobody answers, or
something that lies over the table is set aside."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """What remains open about the tables since the game was certain."""

    candidates: list[Candidate]
    evidence: Evidence
    """The last of the tables."""
    tables: list[tuple[Evidence, float]]
    """Each table, and how well a layout must fit it to be the one that lay there."""


@dataclass(frozen=True, slots=True)
class WrongTable:
    """A step that was done wrongly, and not put right yet."""

    seen: Layout
    announced: StepWrong


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that was shown while the game was lost."""

    layout: Layout
    unread: dict[Tile, tuple[Tile, ...]]
    """Tiles of it that were not surely read -> what else they may be."""


@dataclass(frozen=True, slots=True)
class NoTiles:
    """Things that were taken for tiles, as people said."""

    known: Layout
    """What lay there beside them."""
    read: dict[tuple[int, int], tuple[Tile, ...]]
    """Row and slot in that layout -> what was read there and nowhere else, the likeliest first."""
    at_all: dict[tuple[int, int], frozenset[Tile]]
    """What it was read as at all, and nowhere else, with whatever chance."""
    are_together: bool = False
    """Whether they are things only where all of them are read: they lay on the first picture."""


@dataclass(eq=False)
class State:
    """The state of one game that is followed; at first that before the first settled table."""

    setup: Setup
    stand_ins: StandIns = field(init=False)
    announcer: Announcer = field(init=False)
    has_begun: bool = field(init=False)
    row: tuple[Tile, ...] | None = None
    """Left-over tiles seen so far, while others may still be laid."""
    lay_first: set[Tile] = field(default_factory=set)
    """The tiles that were seen to have lain on the first picture, before the game begins."""
    things: Evidence | None = None
    """The first table, while more lies there than can lie there first, so that it may be other things."""
    laid: tuple[Tile, ...] = ()
    """The left-over tiles, if the one that came last is one of them; nobody has said so yet."""
    unjudged: list[Settled] = field(default_factory=list)
    """The tables since it is asked how the game began, or stands, each with more or fewer tiles than the one
    before."""
    unread_row: Evidence | None = None
    """The row of left-over tiles while one of them cannot be told."""
    first_table: Evidence | None = None
    """The table of which it is asked which tile was placed first."""
    lay_left_over: bool = False
    """Whether people said that left-over tiles lie there that were not seen."""
    undecided: Undecided | None = None
    wrong: WrongTable | None = None
    forbidden: Layout | None = None
    """The table that the rules forbid, while it lies."""
    read_then: Evidence | None = None
    """What was read of the last table that the rules forbade."""
    may_stay: bool = False
    """Whether every new tile of that table was surely read and touches another: play may go on over it."""
    contrived: Undecided | None = None
    """The only way by the rules to that table, where there is one, but hardly likely."""
    no_tiles: NoTiles | None = None
    """Things that are still taken for tiles."""
    gone: set[Tile] = field(default_factory=set)
    """Known tiles that were seen to lie nowhere since the game was certain."""
    has_shrunk: bool = False
    """Whether fewer tiles lay on a clear table than on the one before, since the game was certain; of a game
    that is lost, before it was."""
    unseen: Undecided | None = None
    """What seems to have come and gone unseen, while it is waited for to be seen after all."""
    question: Question | None = None
    """The question that is open."""
    open_since: float | None = None
    """Since when something is in doubt."""
    hidden_since: float | None = None
    hidden_tables: int = 0
    """On how many tables since the last clear one something lay over them."""
    odd_tables: dict[Layout, bool] = field(default_factory=dict)
    """The tables since the game was certain that were odd, each otherwise than the others -> whether tiles
    had gone from it of which nothing told why."""
    is_lost: bool = False
    """Whether nobody knows how the game stands; nothing is said before it is found again."""
    shown: ShownTable | None = None
    """While the game is lost: the last table, if something was read of each of its tiles."""
    well_read: set[Tile] = field(default_factory=set)
    """Known tiles that were rather read as themselves than as others on the last table."""
    replaced: dict[Tile, Evidence] = field(default_factory=dict)
    """Known tiles that had been well read -> the table since which they are surely read as others."""
    odd: dict[Tile, Tile] = field(default_factory=dict)
    """Known tiles that were surely read as others on the last table."""
    asked_odd: set[tuple[Tile, Tile]] = field(default_factory=set)
    asked_unread: set[frozenset[Tile]] = field(default_factory=set)
    """Of tiles that were set aside: what it was asked since that they may be."""
    weighed: list[Candidate] = field(default_factory=list)
    """What may have led to the last table that was looked at, the likeliest first."""
    last: Settled | None = None
    coloured_on: Settled | None = None
    """The last table since a colour was asked: `colours` and that question have its places."""
    colours: dict[tuple[tuple[int, int], ...], Colour | None] = field(default_factory=dict)
    """Places of tiles on the table that is in doubt -> what people said of their colour; None: they do
    not know either."""

    named: dict[tuple[int, int], Tile] = field(default_factory=dict)
    """Row and slot on the last table -> the tile that people named, while something else is open."""
    told: set[Tile] = field(default_factory=set)
    """The tiles that they named since the game was certain."""

    def __post_init__(self) -> None:
        """Begin with the game that is agreed."""
        game, self.stand_ins = open_game(self.setup, ())
        self.announcer = Announcer(game)
        self.has_begun = not count_left_over(self.setup)

    @property
    def game(self) -> Game:
        """The game as far as it is certain."""
        return self.announcer.game

    @property
    def likely_table(self) -> Layout:
        """The table before the last one, as the likeliest explanation has it."""
        return self.game.layout if self.undecided is None else self.undecided.candidates[0].layout

    @property
    def odd_table(self) -> Layout | None:
        """The table that was done wrongly, or that the rules forbid, while it lies."""
        return self.forbidden if self.wrong is None else self.wrong.seen

    @property
    def has_unseen_turns(self) -> bool:
        """Whether several tiles have gone from a table that the rules forbid: turns may have gone unseen.

        A step that was done wrongly belongs to a turn that was seen.
        """
        if self.wrong is not None or self.forbidden is None:
            return False
        return len(self.gone_from(self.forbidden)) > 1

    def gone_from(self, layout: Layout) -> list[Tile]:
        """Return the tiles of the table that was known which do not lie on another one."""
        return [tile for tile in self.game.layout.cells.values() if layout.find(tile) is None]

    @property
    def forbidden_read(self) -> Evidence | None:
        """What was read of the table that the rules forbid, while it lies."""
        return None if self.forbidden is None else self.read_then

    @property
    def forbidden_new(self) -> TileEvidence | None:
        """What was read of the only new tile of the table that the rules forbid, if it is one."""
        read = self.forbidden_read
        place = None if read is None else read.new_place(self.game.layout)
        return None if read is None or place is None else read.cells[place]

    @property
    def is_in_doubt(self) -> bool:
        """Whether something about the last table is open, and the game is not lost."""
        return self.open_since is not None and not self.is_lost

    def is_late(self, since: float | None, patience_s: float = PATIENCE_S) -> bool:
        """Whether something has waited for longer than anybody should."""
        return since is not None and self.announcer.time_s - since > patience_s

    def since(self, game: Game) -> tuple[Action, ...]:
        """Return what was played in a game since this one was certain."""
        return game.actions[len(self.game.actions) :]

    def settle_at(self, game: Game) -> None:
        """Go on from a game that is certain; nothing is open any more."""
        self.announcer.game = game
        self.undecided = self.question = self.open_since = self.forbidden = self.contrived = None
        self.unseen = self.shown = self.wrong = None
        self.is_lost = self.has_shrunk = False
        self.odd_tables.clear()
        self.gone.clear()
        self.colours.clear()
        self.named.clear()
        self.told.clear()

    def judge_later(self) -> None:
        """Keep the last table until people have said how the game stands, if others lie there than before."""
        assert self.last is not None  # it is looked at
        if not self.unjudged or Evidence.of(self.last).slots != Evidence.of(self.unjudged[-1]).slots:
            self.unjudged.append(self.last)

    def take_unjudged(self) -> list[Settled]:
        """Return the tables that were kept, and the last one, each once; they are kept no longer."""
        assert self.last is not None  # something of it was asked
        kept, self.unjudged = self.unjudged, []
        return [each for each in kept if each is not self.last] + [self.last]

    def stay_open(self) -> None:
        """Note that something is in doubt now, unless it was before."""
        if self.open_since is None:
            self.open_since = self.announcer.time_s

    def ask(self, question: Question) -> list[Announcement]:
        """Ask, unless this was asked last and is still open."""
        if question == self.question:
            return []
        self.question = question
        return [Asked(question=question, **self.announcer.now())]
