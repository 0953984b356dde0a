"""What the reader recognised: plain values, no pixels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from referee.rules.layout import Layout
from vision.imaging.geometry import Points

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


COVERED = 0.7
"""Something covers a tile, or the place of one that has gone, if it looks covered by this chance."""
_SURELY_NAMED = 0.95
"""What is likelier than this, and yet in doubt, may lie elsewhere or be no tile: its number is known."""

Tint = tuple[float, float, float, float]
"""How the colour of a tile looks to the reader: the centred log-chances of yellow, red, green and blue."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile of the pyramid as it was read."""

    code: str
    """The likeliest code, such as R40."""
    row: int
    """Row in the layout's canonical notation, 0 is the base."""
    slot: int
    """Slot in its row, from 0."""
    quad_px: Quad
    """Corners of the printed face in pixels, top left first, clockwise as the number is read."""
    confidence: float
    """Chance that `code` is right, 0..1, calibrated as the model card says."""
    unsure: bool
    """Whether `code` is not certain; then the referee asks."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """Other codes that cannot be ruled out, with their chances, likeliest first; empty when sure, and when
    the tile is covered or cut, for then it may be any."""
    covered: bool = False
    """Whether something hides a part of the face; the place is right, the code is at best a guess."""
    cut: bool = False
    """Whether the picture's edge cuts the face off."""
    tint: Tint | None = None
    """How its colour looks; None where the reader does not tell."""
    remembered: bool = False
    """Whether `code` is the tile that the game knew in this place, which looks as it did, and not what was
    read there."""
    lay_first: bool = False
    """While the game knows of no tile: whether it lay there on the first picture, read or not."""


@dataclass(frozen=True, slots=True)
class DetectedTile:
    """A face-up tile anywhere in a picture."""

    code: str
    quad_px: Quad
    confidence: float
    unsure: bool
    tile: float
    """Chance that it is a tile at all."""
    likeness: float
    """Cosine to the most similar tile of an enrolled set; 1 without one."""
    covered: float = 0.0
    """Chance that something lies over it, or where a tile could lie."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """Other codes that cannot be ruled out, with their chances, likeliest first; empty when sure."""


_Tile = TypeVar("_Tile", TileReading, DetectedTile)


def as_reading(tile: DetectedTile) -> TileReading:
    """Return a tile that lies alone as one of the pyramid, whose place is not known yet."""
    covered = tile.covered >= COVERED
    return TileReading(
        tile.code, 0, 0, tile.quad_px, tile.confidence, tile.unsure or covered, tile.alternatives, covered
    )


def beside_other(tile: _Tile, other: DetectedTile) -> _Tile:
    """Return a tile in doubt, as it may be just as well what the same face shows some other way up."""
    total = tile.confidence + other.confidence
    confidence, instead = (round(each.confidence / total, 4) for each in (tile, other))
    return replace(tile, unsure=True, confidence=confidence, alternatives=((other.code, instead),))


def either_way(tile: TileReading, lies: float, other: DetectedTile, lies_so: float) -> TileReading:
    """Return a doubtful tile as it may be in either of two ways up, by how well it reads in each.

    Args:
        tile: As it was read in one way.
        lies: The chance that it lies that way, as its face alone says.
        other: As it is read in the other.
        lies_so: The chance of that.
    """
    chances: dict[str, float] = {}
    for read, way in ((tile, lies), (other, lies_so)):
        for code, chance in ((read.code, read.confidence), *read.alternatives):
            chances[code] = chances.get(code, 0.0) + float(way) * read.confidence * chance
    total = sum(chances.values())
    (code, chance), *rest = sorted(chances.items(), key=lambda each: -each[1])
    others = tuple((each, round(less / total, 4)) for each, less in rest)
    return replace(tile, code=code, confidence=round(chance / total, 4), alternatives=others)


@dataclass(frozen=True, slots=True)
class ColourGroup:
    """Tiles that look alike in colour, so that one answer names the colour of all."""

    codes: tuple[str, ...]
    """The tiles, by the codes that they were read as."""
    colours: tuple[tuple[str, float], ...]
    """The letters of the colours that it may be, with their chances, likeliest first."""


def scaled_quad(quad_px: Quad, scale: float) -> Quad:
    """Return a quad in a picture `scale` times as large; whole numbers are the middles of pixels."""
    one, two, three, four = (
        (round((x + 0.5) * scale - 0.5, 2), round((y + 0.5) * scale - 0.5, 2)) for x, y in quad_px
    )
    return one, two, three, four


@dataclass(frozen=True, slots=True)
class Reading:
    """A picture's pyramid; no tiles and the empty layout where no pyramid was found."""

    tiles: tuple[TileReading, ...]
    """In scanning order of the notation: base row first, each row from left to right."""
    layout: Layout
    """The layout by the likeliest codes."""
    timings_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds for each stage: find, classify, decode, total."""
    hidden: tuple[Quad, ...] = ()
    """Places beside the pyramid where something lies over the table, so that a tile may be under it."""
    elsewhere: tuple[Quad, ...] = ()
    """Other quads that look like tiles and are not part of the pyramid."""
    unnamed: tuple[ColourGroup, ...] = ()
    """Groups of two tiles and more of which the colour's name is in doubt, the largest first."""
    lifted: tuple[str, ...] = ()
    """The codes of tiles that have gone since the last clear table, and where the bare table is plainly seen
    now."""

    @property
    def unsure(self) -> tuple[str, ...]:
        """The codes of the tiles that are not certain, in the order of `tiles`."""
        return tuple(tile.code for tile in self.tiles if tile.unsure)

    @property
    def weight_doubt(self) -> float:
        """The share of the tiles that may have another weight, 0..1; 1 where there is no tile."""
        unsure = [tile for tile in self.tiles if tile.unsure and tile.confidence <= _SURELY_NAMED]
        doubted = [tile for tile in unsure if not _shows_one_weight(tile)]
        return len(doubted) / len(self.tiles) if self.tiles else 1.0

    def scaled(self, scale: float) -> Reading:
        """Return the reading with its quads in a picture `scale` times as large."""
        if scale == 1:
            return self
        return replace(
            self,
            tiles=tuple(replace(tile, quad_px=scaled_quad(tile.quad_px, scale)) for tile in self.tiles),
            hidden=tuple(scaled_quad(corners, scale) for corners in self.hidden),
            elsewhere=tuple(scaled_quad(corners, scale) for corners in self.elsewhere),
        )


def corners_of(quad: Points) -> Quad:
    """Return the corners of a (4, 2) quad, to a hundredth of a pixel."""
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)  # type: ignore[return-value]


def _shows_one_weight(tile: TileReading) -> bool:
    """Return whether whatever a tile may be instead has its weight."""
    return bool(tile.alternatives) and all(code[1:] == tile.code[1:] for code, _ in tile.alternatives)
