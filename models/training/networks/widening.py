"""A wider reader that answers as a narrow one does, to begin with ("Net2Net", Chen and others, 2015).

Some maps are there twice; what takes them in halves its weights for them. A little noise lets the two grow
apart as the network goes on learning.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.networks.nets import ReaderNet

_NOISE = 0.05
"""Of the weights of convolutions, as a share of how far those differ."""
_SEED = 5


def widened(narrow: ReaderNet, widths: tuple[int, int, int]) -> ReaderNet:
    """Return a reader with these widths that answers nearly as `narrow` does.

    Args:
        narrow: A reader with batch norms.
        widths: At least as many maps as `narrow` has, at most twice as many.
    """
    return _Widening(narrow, ReaderNet(widths)).done()


@dataclass(frozen=True, slots=True)
class _Maps:
    """Which map of the narrow network each map of the wide one repeats, (n,) int64."""

    source: Tensor

    @property
    def share(self) -> Tensor:
        """What each counts, (n,), so that those which repeat the same map count as that did."""
        return 1 / torch.bincount(self.source)[self.source].float()

    def repeated(self, times: int, *, is_inner: bool) -> _Maps:
        """Return those of a layer that takes `times` numbers of each map: map by map, if that is inner."""
        count, steps = int(self.source.max()) + 1, torch.arange(times)
        if is_inner:
            return _Maps((self.source[:, None] * times + steps).flatten())
        return _Maps((steps[:, None] * count + self.source).flatten())


class _Widening:
    def __init__(self, narrow: ReaderNet, wide: ReaderNet) -> None:
        self._old, self._new, self._wide = narrow.state_dict(), wide.state_dict(), wide
        self._dice = torch.Generator().manual_seed(_SEED)
        self._pairs = list(zip(narrow.widths, wide.widths, strict=True))

    def done(self) -> ReaderNet:
        """Fill the wide network layer by layer."""
        first, second, last = (self._maps(*pair) for pair in self._pairs)
        self._convolve("body.0", _Maps(torch.arange(3)), first)
        self._convolve("body.1", first, second)
        self._convolve("body.4", second, last)
        for blocks, maps, pair in (((2, 3), second, self._pairs[1]), ((5, 6, 7, 8), last, self._pairs[2])):
            for block in blocks:
                inner = self._maps(*pair)
                self._convolve(f"body.{block}.first", maps, inner)
                self._convolve(f"body.{block}.second", inner, maps)
        self._convolve("narrow", last, _Maps(torch.arange(self._new["narrow.0.weight"].shape[0])))
        self._connect("by_place", last)
        self._connect("weight", last)
        for head in ("colour", "tile", "up", "tint"):
            self._connect(head, last.repeated(2, is_inner=False))
        self._connect("corners", last.repeated(4, is_inner=True))
        for name in ("form.weight", "form.bias"):
            self._new[name] = self._old[name]
        self._wide.load_state_dict(self._new)
        return self._wide

    def _maps(self, before: int, after: int) -> _Maps:
        """Return the maps as they were, and some of them, drawn by lot, once more."""
        return _Maps(
            torch.cat([torch.arange(before), torch.randperm(before, generator=self._dice)[: after - before]])
        )

    def _convolve(self, name: str, taken: _Maps, given: _Maps) -> None:
        """Fill a convolution and its batch norm."""
        weight = self._old[f"{name}.0.weight"][given.source][:, taken.source] * taken.share[:, None, None]
        noise = torch.randn(weight.shape, generator=self._dice) * weight.std() * _NOISE
        self._new[f"{name}.0.weight"] = weight + noise
        for part in ("weight", "bias", "running_mean", "running_var"):
            self._new[f"{name}.1.{part}"] = self._old[f"{name}.1.{part}"][given.source]

    def _connect(self, name: str, taken: _Maps) -> None:
        """Fill a layer that gives as much as before, of one number or 1 x 1 pixels a map."""
        weight = self._old[f"{name}.weight"]
        share = taken.share.reshape(1, -1, *[1] * (weight.ndim - 2))
        self._new[f"{name}.weight"] = weight[:, taken.source] * share
        self._new[f"{name}.bias"] = self._old[f"{name}.bias"]
