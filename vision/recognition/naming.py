"""Names the faces of a picture: their colours by all of them together, and their codes, each of them once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, map_points, side_px, square_to_quad, turned
from vision.imaging.quality import shows_colour
from vision.pyramid.slant import Squash, usual_squash, within
from vision.pyramid.way_up import KnownWay
from vision.recognition.assignment import AssignedCode, assign_codes, log_softmax
from vision.recognition.classifier import (
    DOUBTFUL_CONFIDENCE,
    SECOND_BELOW,
    SURE_LIKENESS,
    Faces,
    TileClassifier,
)
from vision.recognition.colour_groups import (
    COLOURS,
    ColourField,
    group_colours,
    is_coloured,
    tinted,
    tints_of,
    weights_of,
    with_other_names,
)
from vision.recognition.edge_colours import AtEdge, KnownEdges, seen_to_the_edge
from vision.recognition.places_beside import (
    CLEAR_TILE_CHANCE,
    COVERED_CHANCE,
    LIKELY_TILE_CHANCE,
)
from vision.recognition.pyramid_finder import FoundTile, of_size
from vision.recognition.reading import (
    ColourGroup,
    DetectedTile,
    Quad,
    TileReading,
    Tint,
    beside_other,
    either_way,
)

_AT_MOST = 0.95
"""What is not vouched for is at most as likely as this, whatever was read."""
NEW_AND_CERTAIN, _CLOSER = 0.999, ((0.9, 0.0, 0.0),)
"""A new tile that is less likely than this what it is read as is seen once more, cut closer, though it is not
in doubt: of 8,890 tiles of held-out sets 0.38 % were surely read as another one without, and 0.21 % with this
look (28.0 and 28.3 % asked about); with six looks 0.19 %, at six times the cost (decision 53)."""
_FEW_NEW = 2
"""In a game so many new tiles are seen in all ways, for they are new but once; more of them as in a photo."""
_SURE_OF_120 = 0.985
"""What stands beside a 20 may look like a 1: the fold of a banner, the edge of a plaque, the strokes of a pen
(a yellow 20 of films 420192, 423382 and 480046, a blue one of table-dev2), in dim light in spite of photos to
learn from (decision 64). Of 361 tiles of held-out sets that are surely read as 120, all are."""
_OTHER_LOOKS = (
    (1.0, 0.035, 0.0), (1.0, -0.035, 0.0), (1.0, 0.0, 0.035), (1.0, 0.0, -0.035),
    (0.9, 0.0, 0.0), (1.1, 0.0, 0.0),
)  # fmt: skip
"""Scale, and shift across and down in sides. With four more, 922 held-out sets are read no better (91.7 % of
tiles right, 0.18 % silently wrong); with two fewer, worse (91.5 and 0.20 %)."""
_MAX_DOUBTFUL = 12
_MOST_EXAMPLES = 4
"""So many tiles of a colour are taken along from earlier tables."""
_TELL_SIZE = 3, 15
"""How many tiles tell how large the tiles of a game are: at least, and at most, the last ones."""
_TELL_INK, _BY_INK = (4, 0.9), 0.65
"""So many tiles, and so likely in the mean, must show their weights without their colours; then what a tile
in doubt shows without them has this share of the log-chances of its weight (decision 69)."""
_PERHAPS_TURNED = 0.1
"""A tile may lie on its head, or side, if its face says so with this chance: so did 22 of 24 that were surely
read as others upside down, and one in nine sure ones that lay rightly (1,684 tiles of 240 held-out sets)."""


class KnownColours:
    """How the colours looked on the tables of one game so far. For one thread."""

    def __init__(self) -> None:
        """Begin without a table."""
        self._tints: dict[str, Tint] = {}

    def learn(self, code: str, tint: Tint) -> None:
        """Remember how a tile looked whose code is certain; a later tint counts instead of an earlier one."""
        self._tints.pop(code, None)
        if code[0] in COLOURS:
            self._tints[code] = tint

    def forget(self) -> None:
        """Forget all tiles: what was certain about some of them was taken back."""
        self._tints.clear()

    def known(self) -> list[tuple[str, Tint]]:
        """Return the letter and the tint of a few tiles of each colour, those that were seen last."""
        latest: list[tuple[str, Tint]] = []
        for letter in COLOURS:
            own = [tint for code, tint in self._tints.items() if code[0] == letter]
            latest += [(letter, tint) for tint in own[-_MOST_EXAMPLES:]]
        return latest


class KnownInk:
    """Whether a set's numbers stand in one ink, as far as the pictures of one game have told. For one thread.

    Who makes tiles at home has one pen: black numbers stand on marks of every colour. If without its colours
    each tile that is surely read shows the same number, what is left of a tile in doubt is its number, too.
    """

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._chances: dict[str, float] = {}

    def has_seen(self, code: str) -> bool:
        """Return whether a tile has told."""
        return code in self._chances

    def learn(self, code: str, chance: float) -> None:
        """Hear how likely a tile that is surely read shows its weight without its colours, 0..1."""
        self._chances[code] = chance

    @property
    def tells(self) -> bool:
        """Whether the ink alone tells the weights of this set."""
        chances = list(self._chances.values())
        return len(chances) >= _TELL_INK[0] and float(np.mean(chances)) >= _TELL_INK[1]


class KnownShape:
    """How large the tiles of a game are, and how squashed they look, as far as its pictures have told."""

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._quads_px: deque[Points] = deque(maxlen=_TELL_SIZE[1])

    def learn(self, quad_px: Quad) -> None:
        """Hear where a tile lies of which the game is certain."""
        self._quads_px.append(np.array(quad_px, np.float32))

    def fitting(self, tiles: list[FoundTile]) -> list[FoundTile]:
        """Return those of some tiles that are as large as the game's; all if that is not known.

        Where none fits that looks like a tile, the camera has come nearer, or gone away.
        """
        if len(self._quads_px) < _TELL_SIZE[0]:
            return tiles
        fits = of_size(tiles, float(np.median([side_px(quad) for quad in self._quads_px])))
        return fits if any(tile.is_plain for tile in fits) else tiles

    @property
    def squash(self) -> Squash:
        """How squares look squashed: as the tiles do, or not at all if none is known."""
        return within(usual_squash(self._quads_px))


@dataclass(frozen=True, slots=True)
class KnownLooks:
    """What the pictures of one game have told of its tiles so far. Not safe to share between threads."""

    colours: KnownColours = field(default_factory=KnownColours)
    way: KnownWay = field(default_factory=KnownWay)
    shape: KnownShape = field(default_factory=KnownShape)
    ink: KnownInk = field(default_factory=KnownInk)
    edges: KnownEdges = field(default_factory=KnownEdges)

    def learn(self, code: str, tile: TileReading) -> None:
        """Remember how a tile of the last picture looked whose code is certain."""
        self.shape.learn(tile.quad_px)
        if tile.tint is None:
            return
        self.colours.learn(code, tile.tint)
        if code[0] in COLOURS:
            self.edges.confirm(tile.quad_px, COLOURS.index(code[0]))

    def turn_over(self) -> None:
        """Hear from people that what was taken for upright stands on its head."""
        self.way.turn_over()
        self.edges.turn_over()


@dataclass(frozen=True, slots=True)
class Named:
    """Faces with their names."""

    faces: Faces
    """As the colours of all and several looks have them."""
    codes: list[AssignedCode]
    """Theirs."""
    unnamed: tuple[ColourGroup, ...]
    """Groups of which nobody knows the colour."""


class FaceNamer:
    """Names the faces that one classifier sees."""

    def __init__(self, classifier: TileClassifier) -> None:
        """Use a classifier."""
        self._classifier = classifier

    def name(self, image_bgr: ImageU8, faces: Faces, known: KnownLooks | None, *, are_tiles: bool) -> Named:
        """Return the faces with their codes; those in doubt are named by the mean of several looks.

        Args:
            image_bgr: (H, W, 3) uint8 BGR, in which they lie.
            faces: What was seen of them.
            known: What the pictures of a game have told; it learns if these are tiles.
            are_tiles: Whether they are the tiles of a pyramid. What is none takes no code away.
        """
        edges = self._seen_to_the_edge(image_bgr, faces, known, learns=are_tiles)
        coloured = _coloured(faces, edges)
        assigned, field = self._by_colours(coloured, known, are_tiles=are_tiles)
        readable = _readable(faces)
        new = [index for index in readable if self._is_new_and_likely(assigned[index])]
        in_all_ways = known is not None and len(new) <= _FEW_NEW
        if new:
            ways = _OTHER_LOOKS if in_all_ways else _CLOSER
            faces = self._looked_at_again(image_bgr, faces, new, ways)
            coloured = _coloured(faces, edges)
            assigned, field = self._by_colours(coloured, known, are_tiles=are_tiles)
        seen = new if in_all_ways else []
        doubtful = [
            index
            for index in readable
            if assigned[index].confidence < DOUBTFUL_CONFIDENCE and index not in seen
        ]
        doubtful = sorted(doubtful, key=lambda index: assigned[index].confidence)[:_MAX_DOUBTFUL]
        if doubtful:
            coloured = _coloured(self._looked_at_again(image_bgr, faces, doubtful, _OTHER_LOOKS), edges)
            assigned, field = self._by_colours(coloured, known, are_tiles=are_tiles)
        in_ink = self._seen_in_ink(image_bgr, coloured, readable, assigned, known)
        if in_ink is not coloured:
            coloured = in_ink
            assigned, field = self._by_colours(coloured, known, are_tiles=are_tiles)
        if field is None:
            return Named(coloured, assigned, ())
        read = [self._classifier.codes[code.index] for code in assigned]
        unnamed = field.unnamed(read, self._classifier.sure_confidence)
        return Named(coloured, self._as_vouched_for(coloured, with_other_names(assigned, field)), unnamed)

    def is_unsure(self, faces: Faces, index: int, code: AssignedCode, sure_confidence: float) -> bool:
        """Return whether a face may be another tile than its code says, or none."""
        return bool(
            code.confidence < sure_confidence
            or self._may_be_20(code)
            or faces.tile[index] < CLEAR_TILE_CHANCE
            or faces.likeness[index] < SURE_LIKENESS
            or not self._is_vouched_for(faces, index, code)
        )

    def _may_be_20(self, code: AssignedCode) -> bool:
        """Return whether what is read as 120 may be a 20 beside something that looks like a 1."""
        return self._classifier.codes[code.index].endswith("120") and code.confidence < _SURE_OF_120

    def _is_new_and_likely(self, code: AssignedCode) -> bool:
        """Return whether no picture shows the tile that a face seems to be, which is likely, not certain."""
        own_set = self._classifier.own_set
        is_new = own_set is not None and self._classifier.codes[code.index] not in own_set.codes
        return is_new and DOUBTFUL_CONFIDENCE <= code.confidence < NEW_AND_CERTAIN

    def _looked_at_again(
        self, image_bgr: ImageU8, faces: Faces, which: list[int], ways: tuple[tuple[float, float, float], ...]
    ) -> Faces:
        """Return the faces, of which some were cut in other ways as well."""
        quads = [
            map_points(
                square_to_quad(faces.quads_px[index]), (UNIT_SQUARE - 0.5) * scale + 0.5 + [across, down]
            )
            for index in which
            for scale, across, down in ways
        ]
        looks = self._classifier.read(image_bgr, quads, sees_colour=shows_colour(image_bgr))
        return faces.looked_at_again(which, looks)

    def _seen_in_ink(
        self,
        image_bgr: ImageU8,
        faces: Faces,
        readable: list[int],
        assigned: list[AssignedCode],
        known: KnownLooks | None,
    ) -> Faces:
        """Return the faces; if the set's numbers stand in one ink, with what it says of weights in doubt.

        It counts where it is surer of some weight than the whole face is.
        """
        if not (self._classifier.is_by_shipped_model and shows_colour(image_bgr)):
            return faces
        ink, codes = KnownInk() if known is None else known.ink, self._classifier.codes
        by_weight = weights_of(faces.log_codes)
        doubtful = [
            index for index in readable if self._is_weight_doubtful(by_weight[index], assigned[index])
        ]
        if not doubtful:
            return faces
        sure = [
            index
            for index in readable
            if index not in doubtful
            and assigned[index].confidence >= self._classifier.sure_confidence
            and not ink.has_seen(codes[assigned[index].index])
        ]
        looked_at = [*sure, *doubtful]
        log_weights = self._classifier.log_weights_in_ink(image_bgr, [faces.quads_px[at] for at in looked_at])
        for index, said in zip(sure, log_weights, strict=False):
            ink.learn(codes[assigned[index].index], float(np.exp(said[assigned[index].index])))
        if not ink.tells:
            return faces
        return _weighed_by_ink(faces, doubtful, log_weights[len(sure) :], by_weight[doubtful])

    def _is_weight_doubtful(self, log_weights: NDArray[np.float64], code: AssignedCode) -> bool:
        """Return whether a face may show another weight: (45,) log-chances of each code's, and its code."""
        sure = self._classifier.sure_confidence
        chance = float(np.exp(log_weights[code.index]))
        return self._may_be_20(code) or (code.confidence < sure and chance < sure)

    def _seen_to_the_edge(
        self, image_bgr: ImageU8, faces: Faces, known: KnownLooks | None, *, learns: bool
    ) -> Mapping[int, AtEdge]:
        """Return the colours of faces whose edges lie beside the corners that were found."""
        if not (self._classifier.is_by_shipped_model and shows_colour(image_bgr)):
            return {}
        return seen_to_the_edge(
            faces.quads_px,
            tints_of(faces.log_codes),
            is_coloured(faces.log_codes)
            & (faces.tile >= LIKELY_TILE_CHANCE)
            & (faces.covered < COVERED_CHANCE),
            lambda quads: tints_of(self._classifier.read(image_bgr, quads).log_codes),
            KnownEdges() if known is None else known.edges,
            learns=learns,
        )

    def _as_vouched_for(self, faces: Faces, codes: list[AssignedCode]) -> list[AssignedCode]:
        """Return the codes of faces; those that are not vouched for are as likely as `_AT_MOST`, or less."""
        return [
            code
            if self._is_vouched_for(faces, index, code)
            else replace(code, confidence=min(code.confidence, _AT_MOST))
            for index, code in enumerate(codes)
        ]

    def _is_vouched_for(self, faces: Faces, index: int, code: AssignedCode) -> bool:
        return self._classifier.vouches_for(code.index, float(np.exp(faces.log_codes[index, code.index])))

    def _by_colours(
        self, faces: Faces, known: KnownLooks | None, *, are_tiles: bool
    ) -> tuple[list[AssignedCode], ColourField | None]:
        """Return the codes of faces by the likeliest colours of all, and what is known of the colours."""
        classifier, tile = self._classifier, None if are_tiles else faces.tile
        if not classifier.is_by_shipped_model:
            return assign_codes(faces.log_codes, classifier.copies, tile), None
        seen = (faces.tile >= LIKELY_TILE_CHANCE) & (faces.covered < COVERED_CHANCE)
        own_set = classifier.own_set
        field = group_colours(
            faces.log_codes, seen, [] if known is None else known.colours.known()
        ).with_taught(
            faces.log_codes,
            faces.log_taught,
            classifier.sure_confidence,
            classifier.codes if own_set is None else own_set.left_to_reader,
        )
        return assign_codes(field.log_codes, tile=tile), field


def _readable(faces: Faces) -> list[int]:
    """Return the faces that are rather tiles than not, and that nothing covers."""
    return np.flatnonzero((faces.covered < COVERED_CHANCE) & (faces.tile >= LIKELY_TILE_CHANCE)).tolist()


def _coloured(faces: Faces, edges: Mapping[int, AtEdge]) -> Faces:
    """Return the faces, of which some have the colours that were seen to the edge, by their indices."""
    if not edges:
        return faces
    tints, by = tints_of(faces.log_codes), np.zeros((len(faces.tile), 4))
    for index, (tint, chance) in edges.items():
        by[index] = chance * (tint - tints[index])
    return replace(faces, log_codes=tinted(faces.log_codes, by), log_taught=tinted(faces.log_taught, by))


def _weighed_by_ink(
    faces: Faces, which: list[int], in_ink: NDArray[np.float64], by_face: NDArray[np.float64]
) -> Faces:
    """Return the faces, some of them with what the ink alone says of their weights.

    Args:
        faces: All.
        which: The indices of those, m.
        in_ink: (m, 45) log-chances of each code's weight by the ink alone.
        by_face: (m, 45) the same as the whole faces have them.
    """
    is_surer = in_ink.max(axis=1, keepdims=True) > by_face.max(axis=1, keepdims=True)
    by = _BY_INK * np.where(is_surer, in_ink - by_face, 0.0)
    log_codes, log_taught = faces.log_codes.copy(), faces.log_taught.copy()
    log_codes[which] = log_softmax(log_codes[which] + by)
    log_taught[which] = log_softmax(log_taught[which] + by)
    return replace(faces, log_codes=log_codes, log_taught=log_taught)


def doubted_turned(
    tiles: list[TileReading],
    up: NDArray[np.floating],
    name: Callable[[list[Points]], Sequence[DetectedTile]],
) -> list[TileReading]:
    """Return tiles, those in doubt that read as well as another one on their heads or sides.

    A red 4 lay on its head among others, and was surely read as a red 7 (film 423019).

    Args:
        tiles: What was read.
        up: (n, 4) the chances that each lies 0 to 3 quarters turned, as its face alone says.
        name: Says what (4, 2) quads show.
    """
    asked = [
        (index, way)
        for index, tile in enumerate(tiles)
        for way in (1, 2, 3)
        if not (tile.covered or tile.cut)
        and (up[index, way] >= _PERHAPS_TURNED or (way == 2 and _is_likely(tile)))
    ]
    quads = [turned(np.array(tiles[index].quad_px, np.float32), -way) for index, way in asked]
    doubted, codes = list(tiles), {tile.code for tile in tiles}
    for (index, way), other in zip(asked, name(quads) if quads else (), strict=True):
        tile = doubted[index]
        if other.code != tile.code and other.confidence >= tile.confidence:
            if not tiles[index].unsure:
                doubted[index] = beside_other(tile, other)
            elif other.code not in codes:
                either = either_way(tile, up[index, 0], other, up[index, way])
                # What it may be instead may be the code of another tile (film 475439).
                if either.code == tile.code or either.code not in codes:
                    doubted[index] = either
                    codes.add(either.code)
    return doubted


def _is_likely(tile: TileReading) -> bool:
    """Return whether a tile is surely read, but so that it may lie on its head all the same."""
    return not tile.unsure and tile.confidence < SECOND_BELOW
