"""How the camera moved between two pictures, told from the tiles and from the table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.geometry import map_points
from vision.recognition.reading import TileReading
from vision.tracking.camera_motion import SMALL_SIDE_PX, changes, find_view, is_still, shrink

SIDE = 70
FACTOR = SMALL_SIDE_PX / 1280
BUMP = np.array([[0.99, -0.01, 21], [0.01, 0.99, -12], [0, 0, 1]])
JUMP = np.array([[1.017, -0.03, -66], [0.03, 1.017, 10], [0, 0, 1]])
"""By most of a tile, and of a step of the pattern."""


HAND = np.array([[0.78, -0.36, 330], [0.33, 0.8, -120], [0.0001, -0.00005, 1]])
"""As one holds a phone the next time."""


def tile(code: str, x: float, y: float, view: np.ndarray | None = None) -> TileReading:
    quad = np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)])
    seen = quad if view is None else map_points(view, quad)
    corners = tuple((float(x), float(y)) for x, y in seen)
    return TileReading(code, 0, 0, corners, 0.99, unsure=False)  # type: ignore[arg-type]


def spotted() -> np.ndarray:
    """A table with spots of any size anywhere, larger than the picture."""
    rng = np.random.default_rng(3)
    image = np.full((1100, 1700, 3), (60, 80, 70), np.uint8)
    for x, y, radius in zip(
        rng.integers(0, 1700, 150), rng.integers(0, 1100, 150), rng.integers(8, 22, 150), strict=True
    ):
        cv2.circle(image, (int(x), int(y)), int(radius), (150, 180, 130), -1)
    return image


def dotted() -> np.ndarray:
    """A table with the same spot everywhere, at equal distances."""
    image = np.full((1100, 1700, 3), (60, 80, 70), np.uint8)
    for x in range(0, 1700, 90):
        for y in range(0, 1100, 90):
            cv2.rectangle(image, (x, y), (x + 24, y + 24), (150, 180, 130), -1)
    return image


def plain() -> np.ndarray:
    return np.full((1100, 1700, 3), (60, 80, 70), np.uint8)


def picture(ground: np.ndarray, *tiles: TileReading, view: np.ndarray | None = None) -> np.ndarray:
    """A table from some point of view, with tiles where they are seen from there."""
    to_table = np.array([[1.0, 0, -200], [0, 1, -200], [0, 0, 1]])
    image = cv2.warpPerspective(ground, to_table if view is None else view @ to_table, (1280, 720))
    for each in tiles:
        colour = np.random.default_rng(sum(each.code.encode())).integers(0, 255, 3).tolist()
        cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), colour)
    return image


def found(ground, known, tiles, view):
    """How the camera moved by what is found, and the share of the picture that has changed beside that."""
    before, now = shrink(picture(ground, *known)), shrink(picture(ground, *tiles, view=view))
    moved, changed = find_view(before, now, known, tiles, FACTOR)
    return moved, float(changed.mean())


def is_same(one: np.ndarray | None, other: np.ndarray) -> bool:
    """Whether two ways of moving agree to 3 px, all over the picture."""
    corners = np.array([(0.0, 0.0), (1280, 0), (1280, 720), (0, 720)])
    return one is not None and np.abs(map_points(one, corners) - map_points(other, corners)).max() < 3


def test_an_empty_table_tells_how_the_camera_moved():
    moved, changed = found(spotted(), (), (), BUMP)
    assert is_same(moved, BUMP)
    assert changed < 0.02


def test_a_phone_in_a_hand_sees_the_table_from_another_side():
    """All tiles but one were taken meanwhile, and that one fell (film 462114, a photo each turn)."""
    lay = [tile("Y10", 500, 400), tile("Y100", 572, 400), tile("R6", 536, 328)]
    moved, changed = found(spotted(), lay, [tile("R6", 572, 400, HAND)], HAND)
    assert is_same(moved, HAND)
    assert changed < 0.2  # the rest was not seen before


def test_tiles_tell_how_the_camera_moved_on_a_table_without_features():
    places = [("R40", 500, 400), ("B20", 572, 400), ("G60", 536, 328)]
    known, tiles = [tile(*each) for each in places], [tile(*each, BUMP) for each in places]
    assert is_same(found(plain(), known, tiles, BUMP)[0], BUMP)


def test_a_tile_tells_by_how_many_spots_the_camera_moved():
    """The pattern alone looks the same after each step."""
    places = [("R40", 300, 200), ("B20", 800, 500)]
    known, tiles = [tile(*each) for each in places], [tile(*each, JUMP) for each in places]
    moved, changed = found(dotted(), known, tiles, JUMP)
    assert is_same(moved, JUMP)
    assert changed < 0.02


def test_tiles_that_are_read_elsewhere_do_not_tell_that_the_camera_stood_still():
    """After a bump two of three were read in each other's places, and hardly any other was (film 353004)."""
    before = [tile(code, 300 + SIDE * at, 300) for at, code in enumerate(("R40", "B20", "G60"))]
    assert is_still(before, before)
    moved = [tile(code, 330 + SIDE * at, 310) for at, code in enumerate(("R40", "G60", "B20"))]
    assert not is_still(before, moved)


def test_a_tile_that_fell_does_not_move_the_camera():
    known = [tile("R40", 500, 400), tile("B20", 536, 328)]
    fallen = [known[0], tile("B20", 572, 400)]
    for ground in (plain(), dotted(), spotted()):
        moved, changed = found(ground, known, fallen, None)
        assert moved is None
        assert 0 < changed < 0.05
    alone, there = [tile("R40", 500, 400)], [tile("R40", 572, 400)]
    assert found(dotted(), alone, there, None)[0] is None


def test_a_pile_on_a_plain_cloth_tells_how_the_camera_moved_while_the_only_tile_fell():
    """What changed is small, and the tile alone would tell otherwise."""
    cloth = plain()
    noise = np.random.default_rng(5).normal(0, 10, (275, 425, 3))
    cloth = np.clip(cloth + cv2.resize(noise, (1700, 1100)), 0, 255).astype(np.uint8)
    cv2.rectangle(cloth, (300, 400), (390, 490), (40, 160, 160), -1)
    lay, fell = tile("G60", 536, 328), tile("G60", 572, 400)
    assert is_same(found(cloth, [lay], [tile("G60", 572, 400, BUMP)], BUMP)[0], BUMP)
    assert found(cloth, [lay], [fell], None)[0] is None


def test_another_light_changes_nothing():
    image = picture(spotted(), tile("R40", 500, 400))
    for light, rise in ((0.7, 0), (1.2, 0), (0.9, 12)):
        other = np.clip(image * light + rise, 0, 255).astype(np.uint8)
        assert changes(shrink(image), shrink(other)).mean() < 0.005


def test_a_lamp_that_brightens_one_side_of_the_table_changes_nothing():
    """What was put down in that light has changed."""
    lamp = np.linspace(0.9, 1.5, 1280)[None, :, None] * np.linspace(1.1, 0.8, 720)[:, None, None]

    def lit(image: np.ndarray) -> np.ndarray:
        return np.clip(image * lamp, 0, 255).astype(np.uint8)

    ground, new = spotted(), tile("R40", 600, 300)
    before = shrink(picture(ground))
    assert changes(before, shrink(lit(picture(ground)))).sum() == 0
    changed = changes(before, shrink(lit(picture(ground, new))))
    place = np.zeros_like(changed)
    cv2.fillConvexPoly(place, np.int32(np.array(new.quad_px) * FACTOR), 1)
    assert changed[place > 0].mean() > 0.9
    assert changed[cv2.dilate(place, np.ones((7, 7), np.uint8)) == 0].sum() == 0
