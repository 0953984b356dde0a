"""Crops in other styles: the number stays where it was, and the colour where it is said to."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from models.training.networks.restyle import restyled

SIDE = 80


def tile_of(colour: tuple[int, int, int]) -> np.ndarray:
    """A tile of one colour with a dark number on it, on a grey table."""
    crop = np.full((SIDE, SIDE, 3), 120, np.uint8)
    crop[8:72, 8:72] = colour
    cv2.putText(crop, "40", (16, 56), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 20), 4)
    return crop


RED, OTHER = tile_of((40, 40, 200)), tile_of((200, 90, 40))
INK = RED.max(axis=2) < 60


@pytest.mark.parametrize("seed", range(40))
def test_a_restyled_tile_still_shows_its_number(seed: int) -> None:
    before = RED.copy()
    crop, keeps_colour = restyled(np.random.default_rng(seed), RED, OTHER)
    assert (crop.shape, crop.dtype) == (RED.shape, RED.dtype)
    assert (before == RED).all()
    assert (crop != RED).any()
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float64)[10:70, 10:70]
    ink = cv2.GaussianBlur(INK.astype(np.float32), (0, 0), 2)[10:70, 10:70]
    assert abs(np.corrcoef(gray.ravel(), ink.ravel())[0, 1]) > 0.3
    if keeps_colour:
        blue, green, red = np.median(crop[10:70, 10:70][~INK[10:70, 10:70]], axis=0).astype(float)
        assert red > 1.5 * max(blue, green)


def test_some_styles_change_colours() -> None:
    kept = [restyled(np.random.default_rng(seed), RED, OTHER)[1] for seed in range(60)]
    assert 10 < sum(kept) < 50


def crops(torch: ModuleType, count: int) -> Any:
    """The same red tile `count` times, the last half of them another one; RGB in 0..1."""
    shown = [RED] * (count // 2) + [OTHER] * (count // 2)
    stack = np.stack([each[:, :, ::-1].transpose(2, 0, 1) for each in shown])
    return torch.from_numpy(stack.copy()).float() / 255


@pytest.fixture(scope="module")
def torch() -> ModuleType:
    """It is there with `make test-slow` alone."""
    return pytest.importorskip("torch")


@pytest.mark.slow
@pytest.mark.parametrize("way", range(8))
def test_each_style_of_many_crops_leaves_the_number_where_it_was(torch: ModuleType, way: int) -> None:
    """They are the styles of one crop, drawn for many at once."""
    from models.training.networks.restyle_many import _WAYS

    torch.manual_seed(way)
    change, keeps_colour = _WAYS[way]
    assert len(_WAYS) == 8
    before = crops(torch, 64)[:32]
    after = change(before.clone(), crops(torch, 64)[32:]).clamp(0, 1)
    assert after.shape == before.shape
    assert torch.isfinite(after).all()
    for one in after:
        assert not torch.equal(one, before[0])
        gray = one.mean(0).numpy()[10:70, 10:70]
        assert abs(np.corrcoef(gray.ravel(), INK[10:70, 10:70].ravel())[0, 1]) > 0.25
        if keeps_colour:
            face = one.numpy()[:, 10:70, 10:70][:, ~INK[10:70, 10:70]]
            red, green, blue = np.median(face, axis=1)
            assert red > 1.4 * max(green, blue)


@pytest.mark.slow
def test_half_of_many_crops_are_restyled_and_lose_their_colour_where_it_changes(torch: ModuleType) -> None:
    from models.training.networks.restyle_many import some_restyled

    before, colour = crops(torch, 64), torch.ones(64, dtype=torch.long)
    after, known = some_restyled(before, colour)
    changed = (after - before).abs().amax((1, 2, 3)) > 0
    assert changed[:32].all()
    assert not changed[32:].any()
    assert (known[32:] == 1).all()
    assert 8 <= int((known == -1).sum()) <= 12
    assert (colour == 1).all()
