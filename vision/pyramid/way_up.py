"""Which way up tiles lie: all of a pyramid by their faces and their bricks, and each one for itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import Points, turned
from vision.pyramid.lattice import LatticePlace

_CLOSE_WAYS, _CLOSE_BY_TILE = 12.0, 3.0
"""Ways up that are less likely by the first looks than the likeliest by no more than the first log chance, or
the second for each tile, are looked at again. The tiles of a set that looks much the same on its head are
wrong together: while faces were simply added up, without the second 436 of 456 pictures of held-out artists
were read the right way up, and 15 surely the wrong one; with it 447 and 4 (decision 47)."""
CLEARLY_UPRIGHT = 3.0
"""If two ways up are closer than this, in log chance, nobody knows which one it is."""
_LAID = np.array([[0.997, 0.001, 0.001, 0.001], [0.5, 0.15, 0.2, 0.15]])
"""How tiles lie in a pyramid: upright, a quarter turned, on their heads, a quarter turned the other way, by
two habits: people lay them upright, or as they come."""
_CARELESS = np.log(0.25)
"""The log odds that people lay tiles as they come."""
_MOST_CARELESS = 4.0
"""As much of it is known of a game, at most."""
_HELD, _LAID_OUT = 3.0, 4.5
"""How much more likely a way up is, in log chance, for a tile that one more holds, and for one more tile that
has a place: what lies straight above another is not of a pyramid."""
_MOST_BY_ONE, _MOST_KNOWN = 4.0, 6.0
"""How much one picture of a game can say against a way up, in log odds, and all of them together: two that
say otherwise outweigh any number."""
_MOST_BY_LOOK = 4.0
"""How much the first look at a face can say of its own turn, in log odds: how it reads must say so as well.
Of 89 tiles of held-out artists that lay turned by it the first look alone was wrong about 49, of 32 both
together about 5 (decision 47)."""
_CLOSE_LOOK = 3.0
"""A face may lie in a way that is less likely by the first look than the likeliest, by this in log chance."""

Legible = Callable[[list[Points]], tuple[NDArray[np.float64], NDArray[np.float64]]]
"""How well each of some faces reads, and that it stands upright in its quad, as (n,) log chances."""


class KnownWay:
    """Which way up the tiles of a game lie, as far as its pictures have told."""

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._edge_deg, self._logs = 0.0, np.zeros(4)
        self.careless = _CARELESS
        """The log odds that people lay tiles as they come."""

    def logs(self, quad_px: Points) -> NDArray[np.float64]:
        """Return (4,) log odds, at most 0, that a quad is upright if turned by 0 to 3 quarters."""
        return np.roll(self._logs, -round((_angle_deg(quad_px) - self._edge_deg) / 90))

    def learn(self, quad_px: Points, evidence: NDArray[np.float64], careless: float) -> None:
        """Hear what a picture says by itself: (4,) log chances of the same, and how carelessly tiles lie."""
        told = self.logs(quad_px) + np.maximum(evidence - evidence.max(), -_MOST_BY_ONE)
        self._edge_deg = _angle_deg(quad_px)
        self._logs = np.maximum(told - told.max(), -_MOST_KNOWN)
        self.careless = max(self.careless, min(careless, _MOST_CARELESS))

    def turn_over(self) -> None:
        """Hear from people that what was taken for upright stands on its head."""
        self._stand(int(np.argmax(self._logs)) + 2)

    def show(self, upright_px: Points) -> None:
        """Hear from the bricks how an upright tile lies, (4, 2) corners in pixels."""
        self._edge_deg = _angle_deg(upright_px)
        self._stand(0)

    def _stand(self, way: int) -> None:
        self._logs = np.full(4, -_MOST_KNOWN)
        self._logs[way % 4] = 0.0


@dataclass(frozen=True, slots=True)
class WaysUp:
    """What the faces of some tiles say of how all of them stand."""

    quads_px: Sequence[Points]
    """(4, 2) each, from any corner."""
    ups: Sequence[NDArray[np.float64]]
    """(4,) chances that each face's own top left is the corner 0, -1, -2, -3 of its quad."""
    witnesses: Sequence[int]
    """Which of them tell how all stand, n."""
    level: list[int]
    """By how many quarters each quad is turned to lie as the first one."""
    faces: NDArray[np.float64]
    """(n, 4) the log chance that each of those is upright if turned by 0 to 3 quarters more."""
    before: NDArray[np.float64]
    """(4,) what is known of the way up of all, as log odds."""
    careless: float
    """The log odds that people lay tiles as they come, before this picture."""

    @classmethod
    def of(
        cls,
        quads_px: Sequence[Points],
        ups: Sequence[NDArray[np.float64]],
        witnesses: Sequence[int],
        legible: Legible | None,
        known: KnownWay | None,
    ) -> WaysUp:
        """Look at some tiles, again at those that may stand in more than one way.

        Args:
            quads_px: As below.
            ups: As below.
            witnesses: As below.
            legible: Is asked where the first looks leave doubt.
            known: Which way up the tiles of this game have lain so far.
        """
        level, each_way = level_turns(quads_px), np.arange(4)
        before = np.zeros(4) if known is None else known.logs(quads_px[0])
        faces = np.array([_log_up(ups[index])[(-level[index] - each_way) % 4] for index in witnesses])
        together = faces.sum(axis=0) + before
        close = max(_CLOSE_WAYS, _CLOSE_BY_TILE * len(witnesses))
        ways = np.flatnonzero(together >= together.max() - close).tolist()
        if legible is not None and len(ways) > 1:
            for way in ways:
                quads = [turned(quads_px[index], level[index] + way) for index in witnesses]
                faces[:, way] = _read(legible, quads)
        careless = _CARELESS if known is None else known.careless
        return cls(quads_px, ups, witnesses, level, faces, before, careless)

    def turns(self, way: int) -> list[int]:
        """Return by how many quarters each quad is turned if all stand in a way up."""
        return [turn + way for turn in self.level]

    @property
    def logs(self) -> NDArray[np.float64]:
        """(4,) the log chance of each way up of all.

        People lay tiles as they take them, or as they see them from where they sit: a face tells how it lies
        itself, and with the others how much that says of all.
        """
        by_habit = np.array([self._by_habit(way).sum(axis=1) for way in range(4)])
        told: NDArray[np.float64] = (
            np.logaddexp.reduce(by_habit + _habits(self.careless), axis=1) + self.before
        )
        return told

    def stands(self, places: Mapping[int, LatticePlace]) -> float:
        """Return the log chance that tiles stand as bricks in their places, by index.

        It counts each tile that holds another, less each that is missing below another. Upside down as
        many hold each other: the wider of the lowest and the highest row is the base.
        """
        taken = {*places.values()}
        above = [place for place in taken if place.row]
        held = sum(place.moved(-1, half) in taken for place in above for half in (-1, 1))
        laid = sum(index in places for index in self.witnesses)
        return _HELD * (held - len(above)) + _LAID_OUT * laid

    def carelessness(self, way: int, but: int | None = None) -> float:
        """Return the log odds that people lay tiles as they come, if all stand in a way up.

        Args:
            way: That way.
            but: A tile that does not count.
        """
        counted = [at for at, index in enumerate(self.witnesses) if index != but]
        upright, as_they_come = self._by_habit(way)[:, counted].sum(axis=1)
        return float(self.careless + as_they_come - upright)

    def own_turn(self, index: int, way: int, legible: Legible | None) -> int:
        """Return by how many quarters a quad is turned: as all others, or as its own face and reading say.

        Args:
            index: Which quad.
            way: The way up of all.
            legible: Says how a face reads.
        """
        turn = self.level[index] + way
        first = _log_up(self.ups[index])[(-turn - np.arange(4)) % 4]
        may_lie = [0, *(own for own in (1, 2, 3) if first[own] >= first.max() - _CLOSE_LOOK)]
        if len(may_lie) == 1:
            return turn
        logs = np.logaddexp.reduce(_habits(self.carelessness(way, index))[:, None] + np.log(_LAID), axis=0)
        if legible is None:
            logs += first
        else:
            logs += np.maximum(first, first.max() - _MOST_BY_LOOK)
            for own in may_lie:
                logs[own] += _read(legible, [turned(self.quads_px[index], turn + own)])[0]
        return turn + max(may_lie, key=lambda own: float(logs[own]))

    def _by_habit(self, way: int) -> NDArray[np.float64]:
        """Return (2, n) the log chance of each face by each habit, if all stand in a way up."""
        lie = np.roll(self.faces, -way, axis=1)
        told: NDArray[np.float64] = np.logaddexp.reduce(lie + np.log(_LAID)[:, None], axis=2)
        return told


def lone_turn(
    quad_px: Points, up: NDArray[np.float64], legible: Legible | None, known: KnownWay | None
) -> int:
    """Return by how many quarters the quad of a lone tile is turned to stand upright.

    The first look at its face and how well that reads are weighed together: of 115 first tiles of filmed
    games the one alone turned eleven, both turn two.
    """
    alone = WaysUp.of([quad_px], [up], [0], legible, known)
    lies = np.array([np.roll(_LAID, way, axis=1) for way in range(4)])  # way of all, habit, own way
    before = alone.before[:, None] + _habits(alone.careless)
    may_lie = np.logaddexp.reduce(before[..., None] + np.log(lies), axis=(0, 1))
    return int((alone.faces[0] + may_lie + _log_up(up)[-np.arange(4) % 4]).argmax())


def _log_up(up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log of (4,) chances of a first look, none too small to be outweighed."""
    told: NDArray[np.float64] = np.log(np.maximum(up, 1e-4))
    return told


def level_turns(quads_px: Sequence[Points]) -> list[int]:
    """Return by how many quarters each quad is turned so that all lie within 45 degrees of one direction."""
    first = _angle_deg(quads_px[0])
    return [round((first - _angle_deg(quad)) / 90) for quad in quads_px]


def _habits(careless: float) -> NDArray[np.float64]:
    """Return (2,) the log chances that people lay tiles upright, and as they come, of the log odds."""
    return np.array([-np.logaddexp(0, careless), -np.logaddexp(0, -careless)])


def _read(legible: Legible, quads_px: list[Points]) -> NDArray[np.float64]:
    """Return (n,) the log chance that each face reads, and stands upright, in its quad."""
    reads, stands_so = legible(quads_px)
    return reads + stands_so


def _angle_deg(quad: Points) -> float:
    edge = quad[1] - quad[0] + quad[2] - quad[3]
    return float(np.degrees(np.arctan2(edge[1], edge[0])))
