"""What was in doubt about a tile on earlier tables counts on later ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.tracking.test_table_tracker import A, B, C, Look, picture, reading, tile
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import TileReading
from vision.tracking.earlier_looks import DoubtfulLooks, weigh
from vision.tracking.table_tracker import TableTracker

AT = LatticePlace(0, 0)
DOUBTFUL = tile("R120", 0, 0, unsure=True, confidence=0.7, alternatives=(("R100", 0.25),))


def sure(code: str) -> TileReading:
    return tile(code, 0, 0, confidence=0.99)


def read_after(
    *looks: TileReading, then: TileReading
) -> tuple[TileReading, dict[LatticePlace, DoubtfulLooks]]:
    """Return how a tile is read after some earlier readings, and what is remembered."""
    kept: dict[LatticePlace, DoubtfulLooks] = {}
    for look in looks:
        kept = weigh({AT: look}, kept)
    found = {AT: then}
    kept = weigh(found, kept)
    return found[AT], kept


def test_one_sure_look_does_not_rename_a_tile_that_was_read_otherwise() -> None:
    read, kept = read_after(DOUBTFUL, DOUBTFUL, DOUBTFUL, then=sure("R100"))
    assert (read.code, read.unsure) == ("R120", True)
    assert read.alternatives[0][0] == "R100"
    assert 0.4 < read.alternatives[0][1] < read.confidence < 0.7
    assert kept[AT].count == 4


def test_one_sure_look_does_not_settle_what_several_left_open() -> None:
    """A green 30 that four looks took for 60 rather than 30 was surely a 60 to the fifth (`chequered`)."""
    open_ = replace(DOUBTFUL, alternatives=(("R100", 0.28),))
    read, kept = read_after(open_, open_, open_, then=sure("R120"))
    assert (read.code, read.unsure) == ("R120", True)
    assert kept[AT].count == 4
    read, kept = read_after(open_, *[sure("R120")] * 2, then=sure("R120"))
    assert (read.code, read.unsure, kept) == ("R120", False, {})


@pytest.mark.parametrize(
    ("others", "looks", "unsure"),
    [(("R100", "R60"), 20, True), (("R100", "R60"), 3, False), (("Y120", "G120"), 20, False)],
    ids=["weights", "few looks", "colours"],
)
def test_several_other_weights_count_together(others: tuple[str, str], looks: int, unsure: bool) -> None:
    """A green 30 was a 60 to one look of thirty, and hardly anything to the others (`chequered`)."""
    vague = replace(DOUBTFUL, confidence=0.77, alternatives=((others[0], 0.13), (others[1], 0.1)))
    read, kept = read_after(*[vague] * looks, then=sure("R120"))
    assert (read.unsure, bool(kept)) == (unsure, unsure)


def test_what_earlier_looks_said_is_said_surely_now() -> None:
    read, kept = read_after(DOUBTFUL, then=sure("R120"))
    assert not read.unsure
    assert not kept


def test_colours_may_be_told_by_other_tiles_meanwhile() -> None:
    either = replace(DOUBTFUL, alternatives=(("Y120", 0.25),))
    read, _ = read_after(either, sure("Y120"), then=sure("Y120"))
    assert (read.code, read.unsure) == ("Y120", False)
    looks = either, sure("Y120"), either, sure("Y120")
    read, _ = read_after(*looks[:3], then=looks[3])
    assert read.unsure, "more than a third of what was read of it is another colour"
    read, _ = read_after(*looks, then=sure("Y120"))
    assert (read.code, read.unsure) == ("Y120", False)


@pytest.mark.parametrize("before", [(), ("R120",)])
def test_a_tile_of_either_colour_is_not_sure_at_once(before: tuple[str, ...]) -> None:
    """A blue 20 that shone was surely a yellow one once, and surely blue a second later."""
    either = replace(DOUBTFUL, alternatives=(("Y120", 0.4),))
    read, kept = read_after(either, *map(sure, before), then=sure("Y120"))
    assert read.unsure
    assert kept[AT].sure == "Y120"


def test_another_tile_in_the_same_place_is_read_by_itself() -> None:
    read, kept = read_after(DOUBTFUL, then=sure("B6"))
    assert (read.code, read.unsure, kept) == ("B6", False, {})
    doubtful = replace(DOUBTFUL, code="B6", alternatives=())
    assert read_after(DOUBTFUL, then=doubtful)[1][AT].count == 1


def test_a_covered_tile_tells_nothing() -> None:
    covered = tile("B6", 0, 0, unsure=True, covered=True)
    assert read_after(DOUBTFUL, then=covered)[1][AT].count == 1
    assert read_after(then=covered) == (covered, {})


def test_a_tile_is_read_as_none_that_lies_elsewhere() -> None:
    found = {AT: sure("R100"), LatticePlace(0, 2): tile("R120", 0, 1)}
    weigh(found, weigh({AT: DOUBTFUL}, {}))
    assert (found[AT].code, found[AT].unsure) == ("R100", True)


def test_the_tracker_remembers_what_was_in_doubt() -> None:
    doubtful = replace(A, code="R120", unsure=True, confidence=0.7, alternatives=(("R100", 0.25),))
    tracker = TableTracker(Look([]))
    for time_s in range(3):
        tracker.amend(picture(A, B, C), reading(doubtful, B, C), time_s)
        tracker.accept()
    amended = tracker.amend(picture(A, B, C), reading(replace(A, code="R100"), B, C), 3)
    (read,) = [each for each in amended.tiles if (each.row, each.slot) == (0, 0)]
    assert (read.code, read.unsure) == ("R120", True)
