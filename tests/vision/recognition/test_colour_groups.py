"""Four colours for one table, worked out together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage

from referee.rules.tiles import CODES
from vision.recognition.assignment import assign_codes, log_softmax
from vision.recognition.colour_groups import (
    COLOURS,
    ColourField,
    group_colours,
    tints_of,
    ward_merges,
    with_other_names,
)
from vision.recognition.naming import KnownColours

WELL_KNOWN = {letter: 10.7 * np.eye(4)[index] for index, letter in enumerate(COLOURS)}
"""Colours as the network knows them: by far the likeliest is right."""
CHALK = {
    "Y": np.array([-0.5, -2.2, -2.3, 5.1]),
    "R": np.array([-4.0, 0.7, 1.7, 1.6]),
    "G": np.array([-3.3, 2.8, 1.4, -0.9]),
    "B": np.array([1.4, 2.7, -3.2, -0.9]),
}
"""Chalk on dark card, as a network that never saw any took it: yellow for blue, and so on."""
FAINT_CHALK = {letter: 0.45 * tint for letter, tint in CHALK.items()}
"""The same, where the network is not sure of any tile by itself."""
WEIGHTS = sorted({int(code[1:]) for code in CODES})


def seen(
    codes: Sequence[str], looks: dict[str, NDArray[np.float64]], spread: float = 0.0
) -> NDArray[np.float64]:
    """Log-chances (n, 45) of tiles whose weights are read well and whose colours look like this."""
    rng = np.random.default_rng(5)
    rows = []
    for code in codes:
        colour = looks["Y"] * 0 if code == "M200" else looks[code[0]] + rng.normal(0, spread, 4)
        of_colour = dict(zip(COLOURS, colour, strict=True)) | {"M": 9.0 if code == "M200" else -9.0}
        rows.append([of_colour[each[0]] + 9.0 * (each[1:] == code[1:]) for each in CODES])
    return log_softmax(np.array(rows))


def group(log_codes: NDArray[np.float64], memory: KnownColours | None = None) -> ColourField:
    known = [] if memory is None else memory.known()
    return group_colours(log_codes, np.ones(len(log_codes), bool), known)


def read(log_codes: NDArray[np.float64], memory: KnownColours | None = None) -> list[tuple[str, float]]:
    """The codes with their confidence."""
    field = group(log_codes, memory)
    return [
        (CODES[each.index], each.confidence)
        for each in with_other_names(assign_codes(field.log_codes), field)
    ]


def certain(names: list[tuple[str, float]]) -> list[str]:
    return [code for code, confidence in names if confidence >= 0.9]


MANY = ["Y40", "Y10", "Y2", "R40", "R20", "G60", "G20", "G4", "B40", "B2", "B100"]


@pytest.mark.parametrize(
    "codes", [["R40"], ["Y1"], ["M200"], ["Y40", "B40"], MANY, list(CODES)], ids=lambda codes: str(len(codes))
)
def test_colours_that_the_network_knows_stay_certain(codes: list[str]) -> None:
    assert certain(read(seen(codes, WELL_KNOWN, 0.5))) == codes


def test_no_tile_is_no_group() -> None:
    field = group(np.zeros((0, len(CODES))))
    assert (field.groups, field.unnamed((), 0.9)) == ((), ())


def test_many_tiles_of_strange_colours_are_no_surer_than_one() -> None:
    log_codes = seen(MANY, FAINT_CHALK, 0.2)
    wrong = [CODES[index] != code for index, code in zip(log_codes.argmax(axis=1), MANY, strict=True)]
    assert sum(wrong) > len(MANY) / 2
    assert certain(read(log_codes)) == []
    # As if each of a group's tiles told its name anew, the name would be certain, and wrong.
    yellow = log_codes[[MANY.index(code) for code in ("Y40", "Y10", "Y2")]]
    together = np.exp(log_softmax(tints_of(yellow).sum(axis=0)[None]))[0]
    assert COLOURS[int(together.argmax())] != "Y"
    assert together.max() > 0.9


def test_tiles_that_look_alike_form_a_group_whatever_they_look_like() -> None:
    field = group(seen(MANY, CHALK, 0.3))
    found = sorted(sorted(MANY[tile] for tile in tiles) for tiles in field.groups)
    assert found == [["B100", "B2", "B40"], ["G20", "G4", "G60"], ["R20", "R40"], ["Y10", "Y2", "Y40"]]


def test_an_unnamed_group_is_told_with_what_it_may_be() -> None:
    codes = [code for code in MANY if code[0] == "R"]
    (unnamed,) = group(seen(codes, CHALK, 0.2)).unnamed(codes, 0.9)
    assert sorted(unnamed.codes) == sorted(codes)
    assert {letter for letter, _ in unnamed.colours[:3]} == {"R", "G", "B"}
    chances = [chance for _, chance in unnamed.colours]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1.001


def test_one_doubtful_tile_is_named_by_those_that_look_like_it() -> None:
    """By itself the last yellow tile is a little more likely red than yellow."""
    codes = ["Y40", "Y10", "Y2", "Y60", "R40", "R20", "R4", "Y100"]
    looks = {"Y": np.array([1.6, 1.0, -1.3, -1.3]), "R": np.array([-1.5, 3.5, -1.0, -1.0])}
    log_codes = seen(codes, looks, 0.1)
    last = np.array([1.2, 1.5, -1.35, -1.35]) - looks["Y"]
    log_codes[-1] = log_softmax(
        log_codes[-1:] + np.array([last[COLOURS.index(code[0])] if code != "M200" else 0.0 for code in CODES])
    )[0]
    assert CODES[int(log_codes[-1].argmax())] == "R100"
    assert read(log_codes)[-1][0] == "Y100"


def test_two_tiles_of_one_weight_have_two_colours() -> None:
    """Both sixties look alike, and somewhat yellow; but only one of them can be."""
    looks = {"Y": np.array([2.0, 1.0, -1.5, -1.5]), "R": np.array([1.7, 1.2, -1.4, -1.5])}
    names = read(seen(["Y60", "R60"], looks))
    assert {code for code, _ in names} == {"Y60", "R60"}
    assert certain(names) == []


def test_where_two_groups_may_have_changed_names_no_tile_is_certain() -> None:
    """An assignment of single tiles would find it very unlikely that all change at once."""
    looks = {"Y": np.array([2.6, 2.0, -2.3, -2.3]), "R": np.array([2.0, 2.6, -2.3, -2.3])}
    codes = [f"{colour}{weight}" for colour in "YR" for weight in (4, 10, 40, 60, 100)]
    assert certain(read(seen(codes, looks))) == []


def test_a_weight_that_exists_in_two_colours_alone_tells_about_the_group() -> None:
    looks = {"Y": np.array([1.0, 1.2, -1.1, -1.1])}
    without, with_coal = ["Y40", "Y10"], ["Y40", "Y10", "Y1"]
    yellow = COLOURS.index("Y")
    assert (
        group(seen(with_coal, looks)).colours[0, yellow]
        > group(seen(without, looks)).colours[0, yellow] + 0.2
    )


def test_nothing_is_assumed_of_how_many_tiles_a_colour_has() -> None:
    codes = [f"G{weight}" for weight in (2, 4, 6, 10, 20, 30, 40, 60, 100, 120)]
    assert certain(read(seen(codes, WELL_KNOWN, 0.4))) == codes


def test_what_is_no_tile_or_covered_stays_as_it_was() -> None:
    log_codes = seen(MANY, CHALK, 0.3)
    is_seen = np.arange(len(MANY)) > 0
    field = group_colours(log_codes, is_seen)
    assert field.log_codes[0] == pytest.approx(log_codes[0])
    assert all(0 not in tiles for tiles in field.groups)


def test_a_grey_picture_says_nothing_of_colours() -> None:
    field = group(seen(["R40", "B10"], dict.fromkeys(COLOURS, np.zeros(4))))
    assert field.colours == pytest.approx(np.full((2, 4), 0.25), abs=0.05)


def test_a_group_that_looks_like_a_colour_of_earlier_tables_has_its_name() -> None:
    memory = KnownColours()
    for code, tint in zip(MANY, tints_of(seen(MANY, FAINT_CHALK, 0.15)), strict=True):
        memory.learn(code, tuple(tint.tolist()))
    later = ["Y100", "Y60", "R4", "B20", "G100"]
    names = read(seen(later, FAINT_CHALK, 0.15), memory)
    assert [code for code, _ in names] == later
    assert len(certain(names)) >= len(later) - 1
    memory.forget()
    assert memory.known() == []
    assert certain(read(seen(later, FAINT_CHALK, 0.15), memory)) == []


def test_the_last_look_of_a_tile_counts_and_the_millstone_has_no_group() -> None:
    memory = KnownColours()
    memory.learn("R40", (0.0, 1.0, 0.0, -1.0))
    memory.learn("R40", (0.0, 3.0, 0.0, -3.0))
    memory.learn("M200", (1.0, -1.0, 0.0, 0.0))
    assert memory.known() == [("R", (0.0, 3.0, 0.0, -3.0))]


def test_of_each_colour_the_tiles_that_were_seen_last_are_taken_along() -> None:
    memory = KnownColours()
    for number, weight in enumerate([2, 4, 6, 10, 20, 30, 2]):
        memory.learn(f"B{weight}", (0.0, 0.0, 0.0, float(number)))
    assert memory.known() == [("B", (0.0, 0.0, 0.0, float(number))) for number in (3, 4, 5, 6)]


def taught(log_codes: NDArray[np.float64], says: dict[int, tuple[str, float]]) -> NDArray[np.float64]:
    """The same log-chances, but some tiles are another code with a chance, all others alike."""
    rows = log_codes.copy()
    for tile, (code, chance) in says.items():
        rows[tile] = np.log((1 - chance) / (len(CODES) - 1))
        rows[tile, CODES.index(code)] = np.log(chance)
    return rows


def test_tiles_of_which_no_picture_says_anything_stay_as_their_group_to_the_last_bit() -> None:
    log_codes = seen(MANY, WELL_KNOWN, 0.3)
    field = group(log_codes)
    told = field.with_taught(log_codes, log_codes, 0.9)
    assert np.array_equal(told.log_codes, field.log_codes)
    assert np.array_equal(told.colours, field.colours)
    assert np.array_equal(told.named, field.named)
    assert told.groups == field.groups


def test_what_pictures_are_sure_of_holds_whatever_the_group_is_called() -> None:
    """Nobody is asked about their colour any more; about that of the others of their groups they are."""
    log_codes = seen(MANY, CHALK, 0.3)
    field = group(log_codes)
    says = taught(log_codes, {1: ("Y10", 0.99), 5: ("G60", 0.99)})
    told = field.with_taught(log_codes, says, 0.9, doubted=())
    names = [
        (CODES[each.index], each.confidence) for each in with_other_names(assign_codes(told.log_codes), told)
    ]
    assert (names[1][0], names[5][0]) == ("Y10", "G60")
    assert {"Y10", "G60"} <= set(certain(names))
    assert not {1, 5} & {tile for tiles in told.groups for tile in tiles}
    assert sum(map(len, told.groups)) == sum(map(len, field.groups)) - 2
    assert [len(tiles) for tiles in told.groups] == sorted(map(len, told.groups), reverse=True)


def test_pictures_that_are_not_sure_leave_a_tile_in_doubt_or_to_its_group() -> None:
    """In doubt where they name another tile; where they name the same, the group may be sure of it."""
    log_codes = seen(MANY, WELL_KNOWN, 0.3)
    says = taught(log_codes, {0: ("B60", 0.6), 3: (MANY[3], 0.8)})
    told = group(log_codes).with_taught(log_codes, says, 0.9)
    names = [
        (CODES[each.index], each.confidence) for each in with_other_names(assign_codes(told.log_codes), told)
    ]
    assert [code for code, _ in names] == ["B60", *MANY[1:]]
    assert certain(names) == MANY[1:]


def test_what_one_opinion_is_sure_of_and_another_does_not_share_is_in_doubt() -> None:
    """Whichever of face, group and pictures it is; about a tile that was learned the pictures alone count."""
    log_codes = seen(["Y20", "Y30", "R40", "R60", "B10"], WELL_KNOWN, 0.3)
    field = group(log_codes)

    def likeliest(
        log_faces: NDArray[np.float64], says: NDArray[np.float64], **more: object
    ) -> tuple[str, float]:
        told = field.with_taught(log_faces, says, 0.9, **more)  # type: ignore[arg-type]
        return CODES[int(told.log_codes[0].argmax())], float(np.exp(told.log_codes[0].max()))

    assert likeliest(log_codes, log_codes)[1] > 0.99
    by_face = taught(log_codes, {0: ("B20", 0.7)})
    code, chance = likeliest(by_face, by_face)
    assert chance < 0.9
    says = taught(log_codes, {0: ("B20", 0.97)})
    code, chance = likeliest(log_codes, says)
    assert (code, chance < 0.9) == ("Y20", True)
    assert likeliest(log_codes, says, doubted=["Y20"]) == ("B20", pytest.approx(0.97))
    told = field.with_taught(log_codes, says, 0.9)
    assert not any(0 in tiles for tiles in told.groups)


def test_what_all_opinions_share_is_as_sure_as_it_was() -> None:
    log_codes = seen(MANY, WELL_KNOWN, 0.3)
    field = group(log_codes)
    says = taught(log_codes, {0: (MANY[0], 0.8)})
    assert np.array_equal(field.with_taught(log_codes, says, 0.9).log_codes, field.log_codes)


def test_groups_are_merged_as_another_hand_merges_them() -> None:
    rng = np.random.default_rng(4)
    for count in rng.integers(2, 53, 40).tolist():
        tints = rng.normal(0, 1, (count, 4)) + 3 * rng.integers(0, 4, (count, 1))
        theirs = linkage(tints, "ward")[:, :2].astype(int).tolist()
        assert [list(merge) for merge in ward_merges(tints)] == theirs
    assert list(ward_merges(np.zeros((1, 4)))) == []
