"""Colours that stand at the very edge of a set's faces, beside the corners that were found.

A stripe at the edge looks like a thing that lies beside the tile: the corners are found within it, and what
it would tell of the colour lies outside the crop. But all faces of a set have it on the same side. So some
faces are also seen as if they went on a little at one side or another: on the right one the colours become
clear, on all others they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import Points, map_points, side_px, square_to_quad
from vision.recognition.assignment import log_softmax
from vision.recognition.reading import Quad

_REACH = 0.1
"""So far, in sides, faces are taken to go on: the corners were found 0.05 to 0.07 within such stripes."""
_AS_FOUND = 0
_CUTS = np.array(
    [
        [[-left, -top], [1 + right, -top], [1 + right, 1 + bottom], [-left, 1 + bottom]]
        for left, top, right, bottom in [(0.0, 0.0, 0.0, 0.0), *(np.eye(4) * _REACH).tolist()]
    ]
)
"""(5, 4, 2): the corners as found, and going on at the left, the top, the right and the bottom of a face."""
_OPPOSITE = [0, 3, 4, 1, 2]
_CERTAIN_COLOUR = 0.999
"""A face whose colour is at least as likely tells nothing of its edges."""
_MOST_AT_ONCE, _ENOUGH = 4, 30
"""So many faces of a picture are seen in all ways, the least clear ones, until so many were in a game."""
_USUAL, _LEAD, _MOST_BY_ONE = 1.5, 1.0, 3.0
"""Log odds: how much likelier faces end where they were found than at any side beyond; how much likelier one
cut must be than all others to be the one; and how much one face says at most. These, and all the above, were
chosen on 26 films, of which six had shown the fault (docs/decisions/0027)."""
_SAME_PLACE = 0.25
"""A quad is that of a face if their centres are so many sides apart at most."""
_LEAST_SHARE = 0.12
"""A cut that is less likely is not looked at; no side is as likely before faces speak for it."""

Tints = NDArray[np.float64]
"""(n, 4) centred log-chances of the four colours."""
AtEdge = tuple[NDArray[np.float64], float]
"""How the colours look where a face is taken to end, (4,), and the chance that it ends there."""


class KnownEdges:
    """At which side the faces of a set go on, as far as the pictures of one game have told.

    Not safe to share between threads.
    """

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._gains, self._seen = np.zeros(len(_CUTS)), 0
        self._shown: list[tuple[Points, NDArray[np.float64]]] = []
        """Faces of the last picture of which nobody has told the colour, with (5, 4) log-chances of each."""

    @property
    def is_open(self) -> bool:
        """Whether more faces are to be seen."""
        return self._seen < _ENOUGH

    def learn(self, quads_px: NDArray[np.float32], tints: NDArray[np.float64]) -> None:
        """Hear how n faces look, the only ones of a picture that tell of the set.

        Args:
            quads_px: (n, 4, 2) where they lie.
            tints: (n, 5, 4) their colours in the five cuts.
        """
        logs = log_softmax(tints.reshape(-1, 4)).reshape(tints.shape)
        for each in logs:
            self._add(each.max(axis=1))
        self._seen += len(tints)
        self._shown = list(zip(quads_px, logs, strict=True))

    def confirm(self, quad_px: Quad, colour: int) -> None:
        """Hear which colour the face in a quad of the last picture has, by its index: 0 yellow to 3 blue.

        On dark faces a stripe made the colour no clearer, but right: yellow and red ones looked rather blue
        without it (film 404039).
        """
        centre = np.mean(quad_px, axis=0)
        for index, (quad, logs) in enumerate(self._shown):
            if np.hypot(*(quad.mean(axis=0) - centre)) <= _SAME_PLACE * side_px(quad):
                self._add(logs[:, colour])
                del self._shown[index]
                break

    def _add(self, logs: NDArray[np.float64]) -> None:
        """Count (5,) how much likelier one cut makes a colour than where the face was found to end."""
        self._gains += np.clip(logs - logs[_AS_FOUND], -_MOST_BY_ONE, _MOST_BY_ONE)

    def shares(self) -> NDArray[np.float64]:
        """Return how likely each cut is, (5,); 1 for one that leads by far, 0 for those that hardly are."""
        logs = self._gains.copy()
        logs[_AS_FOUND] += _USUAL
        second, best = np.sort(logs)[-2:]
        if best - second >= _LEAD:
            return np.asarray(logs == best, np.float64)
        chances = np.exp(log_softmax(logs[None])[0])
        chances[chances < _LEAST_SHARE] = 0
        return np.asarray(chances / chances.sum(), np.float64)

    def turn_over(self) -> None:
        """Hear that what was taken for upright stands on its head."""
        self._gains, self._shown = self._gains[_OPPOSITE], []


def seen_to_the_edge(
    quads_px: NDArray[np.float32],
    tints: Tints,
    seen: NDArray[np.bool_],
    look: Callable[[list[Points]], Tints],
    edges: KnownEdges,
    *,
    learns: bool,
) -> Mapping[int, AtEdge]:
    """Return the colours of faces that go on at a side, by the face's index.

    Args:
        quads_px: (n, 4, 2) the corners as they were found, from each face's own top left.
        tints: What was seen within them.
        seen: (n,) which of them are faces that can be seen.
        look: Sees the colours in other quads, (4, 2) each.
        edges: What is known of the set.
        learns: Whether these faces tell of the set.
    """
    clear = np.exp(log_softmax(tints)).max(axis=1)
    order = [int(index) for index in np.argsort(clear) if seen[index]]
    weak = [index for index in order if clear[index] < _CERTAIN_COLOUR]
    if learns and edges.is_open and weak:
        shown = weak[:_MOST_AT_ONCE]
        sides = [each for each in range(len(_CUTS)) if each != _AS_FOUND]
        beyond = _in_cuts(quads_px[shown], sides, look)
        edges.learn(quads_px[shown], np.concatenate([tints[shown][:, None], beyond], axis=1))
    elif learns:
        edges.learn(quads_px[:0], np.zeros((0, len(_CUTS), 4)))
    shares = edges.shares()
    likely = [each for each in np.nonzero(shares)[0].tolist() if each != _AS_FOUND]
    indices = order if shares.max() == 1 else weak
    if not (likely and indices):
        return {}
    chance = float(shares[likely].sum())
    at_edge = np.einsum("c,ncd->nd", shares[likely] / chance, _in_cuts(quads_px[indices], likely, look))
    return {index: (tint, chance) for index, tint in zip(indices, at_edge, strict=True)}


def _in_cuts(
    quads_px: NDArray[np.float32], cuts: list[int], look: Callable[[list[Points]], Tints]
) -> NDArray[np.float64]:
    """Return (n, cuts, 4) how the colours of n faces look in some of `_CUTS`, by their indices."""
    quads = [
        np.asarray(map_points(square_to_quad(quad_px), _CUTS[each]), np.float32)
        for quad_px in quads_px
        for each in cuts
    ]
    return look(quads).reshape(len(quads_px), len(cuts), 4)
