"""Which places nothing hides, though they look so."""

from __future__ import annotations

from tests.vision.tracking.test_table_tracker import A, B, picture, tile
from vision.tracking.still_places import StillPlaces

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
