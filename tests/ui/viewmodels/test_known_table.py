"""What people say of the table of a photo."""

from __future__ import annotations

import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import Colour
from ui.errors import ToldError
from ui.viewmodels.photo.known_table import KnownTable, KnownTile, LookAlikes, as_read
from vision.recognition.reading import ColourGroup, Reading, TileReading

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def lying(text: str) -> KnownTable:
    return KnownTable().after(Layout.parse(text))


def doubtful(code: str, row: int, slot: int, *others: str) -> KnownTile:
    return KnownTile(code, row, slot, unsure=True, alternatives=tuple((other, 0.2) for other in others))


def test_a_named_tile_is_certain_and_no_other_tile_can_be_the_same() -> None:
    tiles = (
        TileReading("R40", 0, 0, QUAD, 0.6, unsure=True, alternatives=(("B20", 0.3),)),
        TileReading("B20", 0, 1, QUAD, 0.5, unsure=True, alternatives=(("B10", 0.4),)),
    )
    named = as_read(Reading(tiles, Layout.parse("R40 B20"))).named((0, 0), "B20")
    assert [(tile.code, tile.unsure) for tile in named.tiles] == [("B20", False), ("B10", True)]
    assert str(named.layout) == "B20 B10"
    assert named.tiles[0].quad_px == QUAD


def test_a_covered_tile_that_is_named_is_covered_no_more() -> None:
    table = KnownTable((KnownTile("R40", 0, 0, unsure=True, covered=True),))
    (tile,) = table.named((0, 0), "R40").tiles
    assert (tile.covered, tile.unsure) == (False, False)


def test_a_covered_tile_whose_guess_is_named_elsewhere_becomes_another_guess() -> None:
    covered = KnownTile("B20", 0, 1, unsure=True, covered=True)
    table = KnownTable((KnownTile("R40", 0, 0), covered)).named((0, 0), "B20")
    assert table.tiles[0].code == "B20"
    assert table.tiles[1].code != "B20"
    assert table.tiles[1].unsure


def test_a_certain_tile_that_is_named_elsewhere_is_asked_about() -> None:
    table = lying("R40 B20").named((0, 0), "B20")
    assert [(tile.code, tile.unsure) for tile in table.tiles] == [("B20", False), ("R40", True)]


def test_tiles_are_placed_moved_exchanged_and_taken_away() -> None:
    table = lying("R40 B20/R4")
    assert str(table.with_tile("G10", (0, -1)).layout) == "G10 R40 B20/- R4"
    assert str(table.without((1, 0)).layout) == "R40 B20"
    assert str(table.shifted((0, 0), (0, 1)).layout) == "B20 R40/R4"
    assert str(table.shifted((1, 0), (0, 2)).layout) == "R40 B20 R4"
    with pytest.raises(ToldError, match="no tile in row 3"):
        table.without((3, 0))


def test_what_leaves_the_table_takes_its_outline_along() -> None:
    table = KnownTable((KnownTile("R40", 0, 0, quad_px=QUAD), KnownTile("B20", 0, 1)))
    assert [tile.quad_px for tile in table.after(Layout.parse("B20 - R40")).tiles] == [None, QUAD]


class TestColours:
    """Tiles that look alike in colour."""

    GROUP = LookAlikes(("R4", "R20"), (("R", 0.5), ("Y", 0.4)))

    def table(self, *sure: KnownTile) -> KnownTable:
        tiles = (doubtful("R4", 0, 0, "Y4"), doubtful("R20", 0, 1, "Y20", "Y30"), *sure)
        return KnownTable(tiles, unnamed=(self.GROUP,))

    def test_the_colour_of_all_is_told_at_once_and_a_doubt_about_the_weight_stays(self) -> None:
        told = self.table().coloured(self.GROUP, "Y")
        assert told is not None
        assert [(tile.code, tile.unsure) for tile in told.tiles] == [("Y4", False), ("Y20", True)]
        assert told.unnamed == ()

    def test_a_colour_that_cannot_be_is_not_offered(self) -> None:
        table = self.table(KnownTile("Y4", 0, 2))
        assert table.coloured(self.GROUP, "Y") is None
        assert table.colours_of(self.GROUP) == (Colour.RED, Colour.GREEN, Colour.BLUE)

    def test_a_group_without_any_colour_left_is_asked_tile_by_tile(self) -> None:
        sure = [KnownTile(f"{letter}4", 0, 2 + at) for at, letter in enumerate("YGB")]
        table = self.table(*sure).named((0, 1), "R30").with_tile("R4", (0, 5))
        assert table.unnamed == ()

    def test_a_group_shrinks_as_its_tiles_are_named(self) -> None:
        reading = Reading(
            tuple(
                TileReading(code, 0, slot, QUAD, 0.5, unsure=True, alternatives=((other, 0.4),))
                for slot, (code, other) in enumerate((("R4", "Y4"), ("R20", "Y20"), ("R30", "Y30")))
            ),
            Layout.parse("R4 R20 R30"),
            unnamed=(ColourGroup(("R4", "R20", "R30"), (("R", 0.5), ("Y", 0.4))),),
        )
        table = as_read(reading)
        assert table.unnamed[0].codes == ("R4", "R20", "R30")
        assert table.named((0, 0), "R4").unnamed[0].codes == ("R20", "R30")
        assert table.named((0, 0), "R4").named((0, 1), "R20").unnamed == ()
