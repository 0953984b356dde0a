"""Which places nothing hides, though they look so."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from tests.vision.tracking.test_table_tracker import A, B, picture, reading, tile
from vision.imaging.arrays import ImageU8
from vision.recognition.lattice import LatticePlace
from vision.recognition.reading import TileReading
from vision.tracking.still_places import StillPlaces, hidden_places

HIDDEN = tile("-", 0, 4).quad_px


def test_what_looks_as_it_did_when_tiles_lay_otherwise_hides_nothing() -> None:
    places = StillPlaces()
    assert places.look(picture(A), [HIDDEN], [A]) == set()
    assert places.look(picture(A), [HIDDEN], [A]) == set(), "an arm may lie still"
    assert places.look(picture(A, B), [HIDDEN], [A, B]) == {HIDDEN}


def test_a_hand_looks_otherwise_once_it_has_moved_a_tile() -> None:
    places, first, then = StillPlaces(), picture(A), picture(A, B)
    first[390:470, 530:600], then[390:470, 530:600] = (60, 80, 120), (130, 160, 210)
    assert places.look(first, [HIDDEN], [A]) == set()
    assert places.look(then, [HIDDEN], [A, B]) == set()


def test_the_last_picture_of_tiles_that_lay_there_before_counts_as_well_as_the_first() -> None:
    """A tile came to lie where the first one had lain, and the cloth there hid the game (film 388027)."""
    places, there = StillPlaces(), tile("R6", 0, 0)
    under_a_hand, bare = picture(A), picture()
    under_a_hand[390:470, 530:600], bare[390:470, 530:600] = (60, 80, 120), (130, 160, 210)
    for image, tiles in ((under_a_hand, [A]), (bare, []), (picture(there), [there])):
        assert places.look(image, [HIDDEN], tiles, [A, there]) == set()
    assert places.look(picture(there, B), [HIDDEN], [there, B]) == {HIDDEN}


def _with_hand(*tiles: TileReading) -> ImageU8:
    image = picture(*tiles)
    image[390:470, 530:600] = (60, 80, 120)
    return image


@pytest.mark.parametrize(("laid_over", "expected"), [([HIDDEN], set()), ([], {HIDDEN})])
def test_a_hand_that_comes_again_hides_a_tile_that_was_seen_in_between(laid_over, expected) -> None:
    """A hand lay over three tiles where one had lain before, and they were told as taken (film 398032)."""
    places = StillPlaces()
    places.look(_with_hand(A), [HIDDEN], [A])
    places.look(picture(A, B), [], [A, B])
    places.is_clear()
    assert places.look(_with_hand(A, B), [HIDDEN], [A, B], (), laid_over) == expected


def test_what_was_laid_over_a_tile_hides_it_no_longer_once_others_were_moved() -> None:
    places = StillPlaces()
    places.look(picture(A), [], [A])
    places.is_clear()
    assert places.look(_with_hand(A), [HIDDEN], [A], (), [HIDDEN]) == set()
    assert places.look(_with_hand(A, B), [HIDDEN], [A, B], (), [HIDDEN]) == {HIDDEN}


def test_a_square_of_the_cloth_like_the_tile_that_lay_on_it_hides_nothing() -> None:
    """A blue 2 was taken from a blue square, and for three turns a thing seemed to lie there (398253)."""
    beside = Mock()
    beside.is_strange.return_value, beside.holds.return_value = False, True
    place = LatticePlace(0, 0)
    for is_bare, hidden in ((True, []), (False, [A.quad_px])):
        beside.is_bare.return_value = is_bare
        assert hidden_places(reading(), {}, {place: A}, {A.code: place}, [], beside) == hidden
