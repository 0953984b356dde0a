"""Where the tiles lie that have been taken off: face down close to the pyramid, where none will be placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.other_hand.films.painter import LyingFace
from tests.simulation.poses import Poses

_FROM_TILES, _FROM_BACKS = 1.12, 1.05
"""How far apart their middles lie at least, in sides."""
_ASIDE = 2.0
"""The same from the pyramid where they lie face up: nearer, nobody could say that they are none of it."""
_STEP, _REACH = 0.25, 3.5
MOST_PLACES = 12
"""More tiles than this are laid on the others."""
_BACK_HEIGHT = 0.065
Place = tuple[float, float]


class BackKeeper:
    """Lays every tile that is taken beside the pyramid, until it is placed again."""

    def __init__(self, poses: Sequence[Poses], rng: np.random.Generator, *, face_up: bool = False) -> None:
        """Go through a game.

        Args:
            poses: Where the tiles lie at each moment.
            rng: Draws whether they lie one after the other or on a pile, and how straight.
            face_up: Whether their faces are seen, a little further away.
        """
        self._poses, self._rng = poses, rng
        self._from_tiles = _ASIDE if face_up else _FROM_TILES
        self._is_pile = bool(rng.random() < 0.35)
        self._lean = float(rng.choice([0.0, 0.0, rng.uniform(-90, 90)]))
        self._places: list[Place] = []
        self.lying: list[tuple[LyingFace, ...]] = []
        """What lies there at each moment."""
        backs: dict[str, LyingFace] = {}
        before: Poses = {}
        for number, now in enumerate(poses):
            for code in sorted(before.keys() - now.keys()):
                laid = self._laid(number, backs)
                backs[code] = replace(laid, code=code) if face_up else laid
            backs = {code: back for code, back in backs.items() if code not in now}
            self.lying.append(tuple(backs.values()))
            before = now

    def _laid(self, number: int, backs: dict[str, LyingFace]) -> LyingFace:
        rng = self._rng
        used = {back.pose[:2] for back in backs.values()}
        free = [place for place in self._places if not any(_near(place, at, 0.5) for at in used)]
        most = 1 if self._is_pile else MOST_PLACES
        if free:
            place = free[0]
        elif len(self._places) < most:
            place = self._free_place(number)
            self._places.append(place)
        else:
            place = self._places[rng.integers(len(self._places))]
        below = sum(_near(back.pose[:2], place, 0.5) for back in backs.values())
        x, y = rng.normal(0, 0.02, 2)
        turn = self._lean + float(rng.normal(0, 4))
        return LyingFace("", (place[0] + float(x), place[1] + float(y), turn), below * _BACK_HEIGHT)

    def _free_place(self, number: int) -> Place:
        """Return the nearest place where no tile lies now or later."""
        later = np.array([pose[:2] for poses in self._poses[number - 1 :] for pose in poses.values()])
        now = np.array([pose[:2] for pose in self._poses[number - 1].values()])
        (left, top), (right, low) = now.min(axis=0) - _REACH, now.max(axis=0) + _REACH
        xs, ys = np.arange(left, right, _STEP), np.arange(top, low, _STEP)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) + self._rng.uniform(-0.1, 0.1, 2)
        apart = self._from_tiles * (1.25 if self._lean else 1.0)
        clear = np.abs(grid[:, None] - later).max(axis=2).min(axis=1) > apart
        for place in self._places:
            clear &= np.abs(grid - place).max(axis=1) > _FROM_BACKS * (1.3 if self._lean else 1.0)
        if not clear.any():
            return float(right), float(low)
        near = np.abs(grid[:, None] - now).max(axis=2).min(axis=1) + self._rng.uniform(0, 0.4, len(grid))
        x, y = grid[np.flatnonzero(clear)[near[clear].argmin()]]
        return float(x), float(y)


def _near(one: Place, other: Place, reach: float) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < reach
