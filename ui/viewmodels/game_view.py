"""What the table page shows of a game, and what people do there, as plain frozen values: no Qt, no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ui.viewmodels.table_view import FallArrow, TileView, Tone

if TYPE_CHECKING:
    from referee.rules.events import Direction
    from referee.tracking.questions import Answer, Question
    from ui.text.rulebook.rules import Topic
    from ui.viewmodels.ending import EndingView

Slot = tuple[int, int]
"""(row, slot) in the layout that is shown; the place left of the base has slot -1."""


@dataclass(frozen=True, slots=True)
class Put:
    """Place a tile, in a game without a camera."""

    code: str
    row: int
    slot: int


@dataclass(frozen=True, slots=True)
class CarryOut:
    """Carry out the step that stands on the card, in a game without a camera."""


@dataclass(frozen=True, slots=True)
class LetFall:
    """Say where the waiting tile falls to."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class ShowRoll:
    """Say what the fire die shows; None: the app rolls it; 0: nobody rolled it."""

    roll: int | None = None


@dataclass(frozen=True, slots=True)
class Tell:
    """Answer the referee's question."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class PickTile:
    """Pick the tile that answers the referee's question from all tiles."""

    question: Question


@dataclass(frozen=True, slots=True)
class Retile:
    """Say which tile lies somewhere."""

    row: int
    slot: int
    code: str


@dataclass(frozen=True, slots=True)
class TakeAway:
    """Say that no tile lies somewhere; of photos alone."""

    row: int
    slot: int


@dataclass(frozen=True, slots=True)
class Shift:
    """Say that a tile lies somewhere else."""

    row: int
    slot: int
    to_row: int
    to_slot: int


@dataclass(frozen=True, slots=True)
class PutRight:
    """Say whose turn it is, and how many tiles each player has."""

    player: int
    """Who places next, or resolves what was said."""
    stocks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallCheck:
    """Call for a check."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last thing that somebody did."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold a tile over the table, in a game without a camera; None: none."""

    code: str | None
    wants_forecast: bool = False


@dataclass(frozen=True, slots=True)
class LookBack:
    """Look at a turn, by its place in `GameView.turns`; None: at the table as it is."""

    at: int | None
    step: int | None = None
    """The event of the turn up to which it is shown; None: the whole turn."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Have the call judged again that is looked back at."""

    at: int
    step: int
    """As in `LookBack`."""
    place: Slot = (0, 0)
    code: str | None = None
    """The tile that really lay in this place; None: nobody said so yet."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Say whether the challenged call was wrong."""

    is_overturned: bool


@dataclass(frozen=True, slots=True)
class KeepTiles:
    """Keep the tiles that the game has taught under a name."""

    name: str


@dataclass(frozen=True, slots=True)
class NameTiles:
    """Ask under which name the tiles that the game has taught are to be kept."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Begin a new game without a camera as this one was after an input, and leave this one as it is."""

    input: int
    """Its number among the inputs of the game."""


@dataclass(frozen=True, slots=True)
class Export:
    """Write the game to a file."""


@dataclass(frozen=True, slots=True)
class ShowEnding:
    """Show how the game went."""


@dataclass(frozen=True, slots=True)
class AnotherRound:
    """Begin another round with the same players."""


@dataclass(frozen=True, slots=True)
class GoHome:
    """Leave the table page."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Leave the photo that was corrected for what waits, such as another one."""

    saves: bool
    """Whether the corrections are saved before; else they are dropped."""


@dataclass(frozen=True, slots=True)
class StayHere:
    """Keep the photo that was corrected on the page; what waits is forgotten."""


@dataclass(frozen=True, slots=True)
class By:
    """Somebody does it from a phone."""

    player: int
    """Who, from 0; stored with what is done."""
    act: Act


Act = (
    Put | CarryOut | LetFall | ShowRoll | Tell | Retile | Shift | PutRight | CallCheck | Undo | Redo | Hold
    | LookBack | Challenge | Ruling | KeepTiles | By
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that somebody may choose on the card."""

    label: str
    act: (
        Act | PickTile | TakeAway | PlayOn | Export | NameTiles | ShowEnding | AnotherRound | GoHome
        | GoOn | StayHere
    )  # fmt: skip
    key: str = ""
    """Which key does it, such as `Left`, `Space` or `3`."""
    code: str = ""
    """The tile that is drawn on the button."""
    is_quiet: bool = False
    """Whether it is no answer like the others, but a way out."""


@dataclass(frozen=True, slots=True)
class CardView:
    """What the verdict card says."""

    tone: Tone
    headline: str
    step: str = ""
    """Which step this is; empty where there is but one."""
    sentences: tuple[str, ...] = ()
    """What is to be known now, in full size."""
    taken: tuple[str, ...] = ()
    """Codes of the tiles that the current step takes."""
    payment: str = ""
    """What becomes of them."""
    prompt: str = ""
    """What is to be chosen, and by whom."""
    choices: tuple[Choice, ...] = ()
    hint: str = ""
    later: str = ""
    """What follows or may follow, in one quiet line."""
    topic: Topic | None = None
    """The rule behind it."""
    asks_about: tuple[Slot, ...] = ()
    """The places of which the picture shows a part, side by side."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player."""

    name: str
    colour: str
    stock: int
    is_on_turn: bool
    state: str
    """What the player does now, in a word or two; may be empty."""
    last: str
    """What the player placed or took last; may be empty."""
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class StepView:
    """One event of a turn."""

    input: int
    """The number of the input that it was said to."""
    layout: str
    stocks: tuple[int, ...]
    sentences: tuple[str, ...]
    ruling: str = ""
    """How players ruled, if it was challenged."""


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn of the timeline."""

    number: int
    player: str
    sentences: tuple[str, ...]
    layout: str
    """Canonical; drawn where there is no picture."""
    entry: int | None = None
    """Number of the stored picture; None where there is none."""
    thumbnail: bytes | None = None
    """A small JPEG."""
    was_mayhem: bool = False
    steps: tuple[StepView, ...] = ()
    """What was said in it, one after the other."""


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """What there is to say of a call that is judged again."""

    sentences: tuple[str, ...]
    can_name: bool
    """Whether players may say what really lay there."""


@dataclass(frozen=True, slots=True)
class PastView:
    """A turn that somebody looks back at."""

    at: int
    picture: bytes | None
    """A JPEG."""
    step: int | None = None
    """The event up to which the turn is shown; None: the whole turn."""
    challenge: ChallengeView | None = None
    """The call, while it is judged again."""


@dataclass(frozen=True, slots=True)
class PlaceView:
    """Where the next tile may go."""

    row: int
    slot: int
    forecast: Tone | None = None
    """What the tile that is held would bring: calm, mayhem, or not asked for."""


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule with its drawing."""

    topic: Topic
    title: str
    sentences: tuple[str, ...]
    source: str
    tiles: tuple[TileView, ...] = ()
    arrows: tuple[FallArrow, ...] = ()
    places: tuple[PlaceView, ...] = ()

    @property
    def words(self) -> str:
        """All that it says."""
        return " ".join((self.title, *self.sentences, self.source))


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything that the table page shows of a game."""

    title: str
    card: CardView
    tiles: tuple[TileView, ...] = ()
    arrows: tuple[FallArrow, ...] = ()
    places: tuple[PlaceView, ...] = ()
    players: tuple[PlayerView, ...] = ()
    turns: tuple[TurnView, ...] = ()
    past: PastView | None = None
    likely: Mapping[Slot, tuple[str, ...]] = field(default_factory=dict)
    """What a tile may be, likeliest first, where it was read."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Code -> why this tile cannot be placed, or lie in another place: it lies on the table, or left."""
    held: str | None = None
    is_clicked: bool = False
    """Whether the game goes on by clicking, without a camera."""
    is_over: bool = False
    can_undo: bool = False
    can_redo: bool = False
    can_check: bool = True
    ending: EndingView | None = None
    """How the game went; None while nobody has won."""
    why: RuleView | None = None
    """The rule behind the card, with the tiles of this case."""
    kept_tiles: str = ""
    """The name under which the tiles that the game has taught were kept."""
