"""The pictures by another hand hold what their labels say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import ALL_TILES, CODES
from tests.other_hand.__main__ import main, write_photograph
from tests.other_hand.faces import SET_NAMES, draw_face
from tests.other_hand.ornate_faces import has_pips
from tests.other_hand.photographs import (
    Photograph,
    covered_photograph,
    cut_photograph,
    empty_photograph,
    enrol_photograph,
    table_photograph,
)
from vision.dataset.ground_truth import read_ground_truth

PX = 48
"""Side in which faces are compared."""
IN_EVERY_RUN = CODES[:15]
"""A colour and part of another: to paint a face takes a third of a second."""
CODES_TO_COMPARE = [
    pytest.param(IN_EVERY_RUN, id="some"),
    pytest.param(CODES, id="all", marks=pytest.mark.slow),
]


@cache
def face_of(set_name: str, code: str) -> np.ndarray:
    """Return a face, (PX, PX, 3)."""
    return draw_face(set_name, code, PX)


def seen_face(photograph: Photograph, tile: dict[str, Any]) -> np.ndarray:
    """Return the quad's pixels as an upright face."""
    corners = np.array([[0, 0], [PX, 0], [PX, PX], [0, PX]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(np.array(tile["quad"], np.float32), corners)
    side = np.hypot(*(np.array(tile["quad"][1]) - tile["quad"][0]))
    image = cv2.GaussianBlur(photograph.image_bgr, (0, 0), max(0.3, 0.35 * side / PX))
    return cv2.warpPerspective(image, matrix, (PX, PX), flags=cv2.INTER_LINEAR)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Return the mean correlation of the three channels, edges left out."""
    inner = slice(4, -4)
    return float(
        np.mean(
            [
                np.corrcoef(a[inner, inner, c].ravel().astype(float), b[inner, inner, c].ravel())[0, 1]
                for c in range(3)
            ]
        )
    )


@pytest.mark.parametrize("set_name", SET_NAMES)
@pytest.mark.parametrize("codes", CODES_TO_COMPARE)
def test_all_faces_of_a_set_differ(set_name: str, codes: Sequence[str]) -> None:
    faces = [face_of(set_name, code) for code in codes]
    small = np.stack([cv2.resize(face, (24, 24), interpolation=cv2.INTER_AREA) for face in faces])
    for (one, a), (other, b) in combinations(zip(codes, small.astype(float), strict=True), 2):
        # Two numerals at least a pixel or two apart: the nearest pair differs far above print noise.
        assert np.sort(np.abs(a - b).mean(axis=2).ravel())[-20:].mean() > 25, (one, other)


@pytest.mark.parametrize("codes", CODES_TO_COMPARE)
def test_the_sets_differ_from_each_other(codes: Sequence[str]) -> None:
    one, other = (np.stack([face_of(name, code) for code in codes]).astype(float) for name in SET_NAMES)
    assert np.abs(one - other).mean(axis=(1, 2, 3)).min() > 25


def test_every_weight_with_pips_has_a_tile_of_the_same_weight_with_a_numeral() -> None:
    pips = {tile.weight for tile in ALL_TILES if has_pips(tile)}
    numerals = {tile.weight for tile in ALL_TILES if not has_pips(tile)}
    assert 10 <= sum(map(has_pips, ALL_TILES)) <= 20
    assert pips - {1} <= numerals


@pytest.mark.parametrize("set_name", SET_NAMES)
@pytest.mark.parametrize("seed", [pytest.param(3, marks=pytest.mark.slow), 5])
def test_each_quad_shows_its_tile(set_name: str, seed: int) -> None:
    photograph = table_photograph(set_name, np.random.default_rng(seed))
    assert len(photograph.tiles) == len(photograph.layout) >= 1
    for tile in photograph.tiles:
        assert str(photograph.layout.get(tile["row"], tile["slot"])) == tile["code"]
        seen = seen_face(photograph, tile)
        own = likeness(seen, face_of(set_name, tile["code"]))
        assert own > 0.5, tile
        turned = likeness(np.rot90(seen), face_of(set_name, tile["code"]))
        assert own > turned + 0.1, tile


def test_the_three_pictures_for_enrolling_hold_separate_upright_tiles() -> None:
    codes = list(IN_EVERY_RUN)
    photograph = enrol_photograph("hard-to-read", codes, np.random.default_rng(1))
    assert [tile["code"] for tile in photograph.tiles] == codes
    middles = np.array([np.mean(tile["quad"], axis=0) for tile in photograph.tiles])
    side = np.hypot(*(np.array(photograph.tiles[7]["quad"][1]) - photograph.tiles[7]["quad"][0]))
    for a, b in combinations(middles, 2):
        assert np.abs(a - b).max() > 1.1 * side
    for tile in photograph.tiles:
        assert likeness(seen_face(photograph, tile), face_of("hard-to-read", tile["code"])) > 0.6


def test_covered_tiles_are_hidden_and_the_others_are_not() -> None:
    photograph = covered_photograph("another-hand", np.random.default_rng(2))
    covered = [tile for tile in photograph.tiles if tile.get("covered")]
    assert 1 <= len(covered) <= 3
    assert all(0.1 <= tile["visible"] <= 0.6 for tile in covered)
    assert all(tile.get("visible", 1) >= 0.7 for tile in photograph.tiles if tile not in covered)
    for tile in photograph.tiles:
        alike = likeness(seen_face(photograph, tile), face_of("another-hand", tile["code"]))
        if tile in covered:
            assert alike < 0.75, tile
        elif "visible" not in tile:
            assert alike > 0.5, tile


def test_cut_tiles_lie_over_the_edge() -> None:
    photograph = cut_photograph("another-hand", np.random.default_rng(4))
    high, wide = photograph.image_bgr.shape[:2]
    assert any(tile.get("cut") or tile.get("outside") for tile in photograph.tiles)
    assert len(photograph.layout) == len(photograph.tiles)
    for tile in photograph.tiles:
        quad = np.array(tile["quad"])
        whole = (quad > -0.6).all() and (quad < np.array([wide, high]) - 0.4).all()
        assert whole == ("cut" not in tile and "outside" not in tile), tile


def test_the_same_seed_gives_the_same_picture() -> None:
    for take in (lambda rng: table_photograph("another-hand", rng), empty_photograph):
        one, same, other = (take(np.random.default_rng(seed)) for seed in (7, 7, 8))
        assert np.array_equal(one.image_bgr, same.image_bgr)
        assert one.tiles == same.tiles
        assert one.image_bgr.shape != other.image_bgr.shape or not np.array_equal(
            one.image_bgr, other.image_bgr
        )


def test_label_files_are_read_as_pictures_with_known_contents(tmp_path: Path) -> None:
    photograph = table_photograph("another-hand", np.random.default_rng(5))
    write_photograph(tmp_path, "0000", photograph, "normal", "another-hand")
    known = read_ground_truth(tmp_path / "0000.json")
    assert known.path.exists()
    assert known.layout == photograph.layout
    assert [tile.code for tile in known.labels] == [tile["code"] for tile in photograph.tiles]


def plain(codes: Sequence[str], *_seed: object) -> Photograph:
    """Return a picture that takes no time, with these tiles."""
    return Photograph(np.zeros((9, 16, 3), np.uint8), Layout.parse("-"), [{"code": c} for c in codes], 90)


@pytest.mark.parametrize("is_painted", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_command_writes_every_group(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_painted: bool
) -> None:
    """The pictures themselves, which take long, are looked at in the other tests."""
    if not is_painted:
        command: dict[str, Callable[..., Photograph]] = {
            "enrol_photograph": lambda _set_name, codes, rng: plain(codes),
            "empty_photograph": partial(plain, ()),
        } | {f"{group}_photograph": partial(plain, ("R40",)) for group in ("table", "covered", "cut")}
        for name, paint in command.items():
            monkeypatch.setattr(f"tests.other_hand.__main__.{name}", paint)
    assert main([str(tmp_path), "--tables", "1", "--others", "1"]) == 0
    assert "no-tile: 1 of 1" in capsys.readouterr().err
    enrolled: list[str] = []
    for file in sorted(tmp_path.rglob("*.json")):
        label = json.loads(file.read_text(encoding="utf-8"))
        assert file.with_suffix(".jpg").exists()
        assert str(Layout.parse(label["layout"])) == label["layout"]
        if label["group"] == "enrol" and label["style"] == "another-hand":
            enrolled += [tile["code"] for tile in label["tiles"]]
        if label["group"] == "no-tile":
            assert (label["layout"], label["tiles"]) == ("-", [])
    assert sorted(enrolled) == sorted(CODES)
    groups = {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("**/*") if path.is_dir()}
    assert {"another-hand/tables", "hard-to-read/enrol", "covered", "cut", "no-tile"} <= groups
