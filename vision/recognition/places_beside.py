"""What is a tile of what the detector found, and of what it missed beside the pyramid; and what is hidden."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, distance_sides, distances_sides, share_inside
from vision.imaging.table_background import TableLooks
from vision.pyramid.lattice import LatticePlace
from vision.recognition.classifier import SURE_LIKENESS, Faces, joined
from vision.recognition.detector import TileCandidate
from vision.recognition.pyramid_finder import ONE_TILE, PARTLY_STRANGE_SHARE, WHOLE_SHARE, FoundTile

CERTAIN_TILE_CHANCE, CLEAR_TILE_CHANCE, LIKELY_TILE_CHANCE, POSSIBLE_TILE_CHANCE = 0.99, 0.9, 0.5, 0.35
"""How much a crop looks like a tile. A clear candidate of the detector is a tile if it certainly looks like
one, or if it clearly does and its face is readable; what is less than clear is unsure, whatever it shows.
A place that does not show the bare table may hold a tile that something covers from the last chance on."""
READABLE, CLEARLY_READABLE = 0.5, 0.95
"""The chance of a face's likeliest code. Holes between tiles and things on the table mostly fail one of
these. A place that the detector missed holds a tile if it certainly looks like one that stands upright; or
likely, as on a patterned table tiles do, if it can be read clearly and nothing covers it."""
CLEARLY_COVERED, COVERED_CHANCE, UNCOVERED = 0.9, 0.5, 0.2
"""From the first chance on something hides a place, whatever that looks like. From the second on a tile is
covered, and so is a place that is likely a tile or shows a pattern that the table does not have. Below the
third nothing lies over it."""
CLEARLY_UPRIGHT = 0.8
"""The chance that a face stands as its quad says."""
CLEAR_SCORE, PART_SCORE = 0.45, 0.3
"""The detector's score. A covered tile need not be seen as clearly."""
STRANGE_SHARE = 0.2
"""A place is covered if less than this share of it shows the table; or less than `PARTLY_STRANGE_SHARE`, if
it is likely a tile. A place that shows more of the table hides no whole tile."""
WELL_CUT, BADLY_CUT = 0.05, 0.1
"""A crop need not be cut again if its true corners lie within the first share of a side of where it was cut,
or within the second and it can clearly be read. Cutting all beyond the first again takes a fifth longer."""
_MOST_CUTS = 3
"""So often what lies beside the pyramid is cut again."""
_MAX_CANDIDATES, _MAX_PRINTS = 90, 45
"""Of what is printed on the cloth again and again, as far as it seems, fewer are looked at, and what cannot
be read is none: its rings looked more like tiles than the tiles did (film 423012)."""
_LEGIBLE = 0.5
"""What may be printed on the cloth is a tile if some code is as likely as not."""
FEW_TILES = 2
"""While fewer tiles are clearly seen, faint candidates are looked at again, too; more of them tell how large
the tiles of a photo are."""
MOST_OFF = 0.3
"""A tile that the detector missed lies at most so many sides from where its neighbours say."""


Look = Callable[[list[Points]], Faces]
"""Sees the faces in (4, 2) quads of one picture."""


def found_tiles(
    candidates: list[TileCandidate],
    size_wh: tuple[int, int],
    look: Look,
    *,
    is_enrolled: bool,
    lie_alone: bool = False,
) -> tuple[list[FoundTile], Faces]:
    """Return the candidates that look like tiles, and the faces of all candidates.

    Args:
        candidates: What the detector found.
        size_wh: Width and height of their picture.
        look: Sees the faces in quads of it.
        is_enrolled: Whether a set says what tiles look like: what is like one is one.
        lie_alone: Whether nothing but tiles lies there, so that all that looks like one is one.
    """
    least = 0.0 if is_enrolled or lie_alone else PART_SCORE
    candidates = [each for each in candidates if each.score >= least]
    plain = [candidate for candidate in candidates if not candidate.may_be_print][:_MAX_CANDIDATES]
    candidates = plain + [each for each in candidates if each.may_be_print][:_MAX_PRINTS]
    faces = look([candidate.quad_px for candidate in candidates])
    faces, looks = _cut_anew(candidates, faces, look)
    tiles = []
    for index, (candidate, at) in enumerate(zip(candidates, looks, strict=True)):
        quad, tile = faces.quads_px[at], float(faces.tile[at])
        is_print = candidate.may_be_print and faces.readable(at) < _LEGIBLE
        is_like = is_enrolled and _is_like_one(faces, index, at)
        is_whole = lie_alone and tile >= CLEAR_TILE_CHANCE and faces.covered[at] < COVERED_CHANCE
        is_tile = is_like or is_whole or _looks_like_tile(faces, index, at, candidate.score)
        if is_tile and not is_print:
            cut = share_inside(quad, size_wh) < WHOLE_SHARE
            tiles.append(FoundTile(quad, faces.up[at], tile, candidate.score, at, cut))
    return tiles, faces


def _cut_anew(candidates: list[TileCandidate], faces: Faces, look: Look) -> tuple[Faces, list[int]]:
    """Return the faces of all looks, and which of them is the last one at each candidate."""
    looks = list(range(len(candidates)))
    again = _badly_cut(candidates, faces)
    for _ in range(_MOST_CUTS):
        if not again:
            break
        last = [looks[index] for index in again]
        mended = [faces.upright_px(at) if _may_lie_turned(faces, at) else faces.quads_px[at] for at in last]
        for at, index in enumerate(again, start=len(faces.tile)):
            looks[index] = at
        faces = joined([faces, look(mended)])
        again = [index for index in again if _is_nearly_tile(faces, looks[index])]
    return faces, looks


def cut_better(look: Look, beside: Faces) -> Faces:
    """Return what lies beside the pyramid; what is a tile once cut where its corners are seen is one.

    Where a neighbour lies is only guessed, and the fewer tiles are known the worse.
    """
    looks = beside
    for _ in range(_MOST_CUTS):
        again = [index for index in range(len(beside.tile)) if _may_be_cut_badly(looks, index)]
        if not again:
            break
        looks = looks.seen_anew(again, look([looks.quads_px[index] for index in again]))
    is_tile = (looks.tile >= CERTAIN_TILE_CHANCE) & (looks.up[:, 0] >= CLEARLY_UPRIGHT)
    chosen = np.where(is_tile, len(is_tile), 0) + np.arange(len(is_tile))
    return joined([beside, looks]).only(chosen.tolist())


def _badly_cut(candidates: list[TileCandidate], faces: Faces) -> list[int]:
    """Return the candidates whose crops may be cut badly, or show a face that lies on its side.

    They look like tiles and cannot be read, or may be tiles, or can be read, and do not look much like one.
    Faint ones are among them only where hardly any tile is seen.
    """
    tile, readable = faces.tile, [faces.readable(index) for index in range(len(candidates))]
    clear = [index for index, candidate in enumerate(candidates) if candidate.score >= CLEAR_SCORE]
    is_few = sum(tile[index] >= CLEAR_TILE_CHANCE for index in clear) < FEW_TILES
    return [
        index
        for index in (range(len(candidates)) if is_few else clear)
        if (
            readable[index] < READABLE
            if tile[index] >= CLEAR_TILE_CHANCE
            else tile[index] >= POSSIBLE_TILE_CHANCE or readable[index] >= CLEARLY_READABLE
        )
    ]


def _is_doubtful(faces: Faces, index: int) -> bool:
    """Return whether a face neither looks clearly like a tile nor can clearly be read."""
    return bool(faces.tile[index] < CLEAR_TILE_CHANCE and faces.readable(index) < CLEARLY_READABLE)


def _may_lie_turned(faces: Faces, index: int) -> bool:
    """Return whether a face is doubtful, or looks like a tile, but too little for one that cannot be read.

    Two tiles on their sides were not seen (film 433128).
    """
    is_unread = faces.readable(index) < READABLE
    return _is_doubtful(faces, index) or bool(is_unread and faces.tile[index] < CERTAIN_TILE_CHANCE)


def _is_nearly_tile(faces: Faces, index: int) -> bool:
    """Return whether a face that looks like a tile may do so for certain once it is cut anew.

    It cannot be read as it lies; or it can, and its corners were seen elsewhere than it was cut: a tile that
    lay over a printed figure was found a fifth of its side away (film 422279).
    """
    tile, readable = faces.tile[index], faces.readable(index)
    is_badly_cut = readable >= CLEARLY_READABLE and faces.moved[index] > WELL_CUT
    return bool(CLEAR_TILE_CHANCE <= tile < CERTAIN_TILE_CHANCE and (is_badly_cut or readable < READABLE))


def _looks_like_tile(faces: Faces, first: int, look: int, score: float) -> bool:
    """Return whether a candidate of some score is a tile, by its first and its last look.

    One that at first neither looked like a tile nor could be read must do both for certain once upright.
    """
    tile, readable = float(faces.tile[look]), faces.readable(look)
    looks_plain = tile >= CERTAIN_TILE_CHANCE and readable >= CLEARLY_READABLE
    if _is_doubtful(faces, first):
        return looks_plain and bool(faces.likeness[look] >= SURE_LIKENESS)
    looks_whole = tile >= CERTAIN_TILE_CHANCE or (tile >= CLEAR_TILE_CHANCE and readable >= READABLE)
    looks_covered = tile >= CLEAR_TILE_CHANCE and faces.covered[look] >= COVERED_CHANCE
    return bool(
        (looks_whole and score >= CLEAR_SCORE) or ((looks_covered or looks_plain) and score >= PART_SCORE)
    )


def _is_like_one(faces: Faces, first: int, look: int) -> bool:
    """Return whether a face, by its first and its last look, is like one of an enrolled set's.

    Then it is a tile however faintly the detector sees it: of dark tiles that touch on a printed board it
    gave three in ten a clear score, and four in five any (decision 48).
    """
    looks_whole = faces.tile[look] >= CLEAR_TILE_CHANCE and not _is_doubtful(faces, first)
    return bool(looks_whole and faces.likeness_turned[look] >= SURE_LIKENESS)


def _may_be_cut_badly(faces: Faces, index: int) -> bool:
    """Return whether a place whose corners are seen elsewhere may be a tile, or can be read."""
    is_open = POSSIBLE_TILE_CHANCE <= faces.tile[index] < CERTAIN_TILE_CHANCE
    return bool(faces.moved[index] > WELL_CUT and (is_open or faces.readable(index) >= CLEARLY_READABLE))


def missed_and_hidden(
    image_bgr: ImageU8,
    candidates: list[TileCandidate],
    faces: Faces,
    beside: Faces,
    empty: list[tuple[LatticePlace, Points]],
    table: TableLooks,
) -> tuple[list[int], list[int]]:
    """Return the places beside the pyramid with tiles that the detector missed, and the hidden places.

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        candidates: What the detector found.
        faces: The tiles of the pyramid.
        beside: What lies at the places.
        empty: The places, with the (4, 2) quads of tiles there.
        table: How far they look like the table.
    """
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    missed, hidden = [], []
    clear = [candidate.quad_px for candidate in candidates if candidate.score >= CLEAR_SCORE]
    is_known = np.any(distances_sides(beside.quads_px, faces.quads_px) <= ONE_TILE, axis=1).tolist()
    is_seen = np.any(distances_sides(clear, [quad for _, quad in empty]) <= 0.25, axis=0).tolist()
    for index, (_, expected) in enumerate(empty):
        if is_known[index]:
            continue
        whole = share_inside(expected, size_wh) >= WHOLE_SHARE
        tile, covered = float(beside.tile[index]), float(beside.covered[index]) * (not table.is_table[index])
        is_readable = beside.readable(index) >= CLEARLY_READABLE
        if _is_plain_tile(beside, index, expected, hides_table=table.shown[index] < STRANGE_SHARE) or (
            tile >= CLEAR_TILE_CHANCE
            and (covered >= COVERED_CHANCE or not whole or (is_seen[index] and is_readable))
        ):
            missed.append(index)
        elif whole and _is_hidden(table, index, tile, covered):
            hidden.append(index)
    return missed, hidden


def _is_hidden(table: TableLooks, index: int, tile: float, covered: float) -> bool:
    """Return whether something hides a place, by the chances that it shows a tile, and that it is covered."""
    return bool(
        covered >= CLEARLY_COVERED
        or (covered >= COVERED_CHANCE and (tile >= LIKELY_TILE_CHANCE or table.patterned[index]))
        or table.shown[index] < (STRANGE_SHARE if tile < LIKELY_TILE_CHANCE else PARTLY_STRANGE_SHARE)
        or (tile >= POSSIBLE_TILE_CHANCE and not table.bare[index])
    )


def _is_plain_tile(faces: Faces, index: int, expected: Points, *, hides_table: bool) -> bool:
    """Return whether a place that the detector missed shows a tile; it needs less where no table is seen."""
    tile, up, readable = faces.tile[index], faces.up[index, 0], faces.readable(index)
    clear, is_uncovered = min(readable, up), faces.covered[index] <= UNCOVERED
    return bool(
        (
            (tile >= CERTAIN_TILE_CHANCE and up >= CLEARLY_UPRIGHT)
            or (tile >= LIKELY_TILE_CHANCE and clear >= CLEARLY_READABLE and is_uncovered)
            or (hides_table and tile >= CLEAR_TILE_CHANCE and readable >= CLEARLY_READABLE and is_uncovered)
        )
        and faces.likeness[index] >= (SURE_LIKENESS if up < CLEARLY_UPRIGHT else 0)
        and distance_sides(faces.quads_px[index], expected) < MOST_OFF
    )
