"""Tile sets by many artists: what is held out stays held out, and a person could name every tile."""

from __future__ import annotations

import colorsys
from collections import Counter

import numpy as np
import pytest

from models.training.rendering.artists import drawn_set
from models.training.rendering.artists.artist import CARRIERS, GROUNDS, HANDS, TECHNIQUES, Artist
from models.training.rendering.artists.drawn_set import DrawnSet
from models.training.rendering.artists.hands import Handwriting
from models.training.rendering.artists.held_out import HELD_OUT, is_held_out, trained_artist, typefaces_of
from models.training.rendering.artists.lettering import Lettered
from models.training.rendering.artists.plaques import KINDS, Plaque
from models.training.rendering.artists.strokes import Strokes
from models.training.rendering.faces import FACE_PX
from models.training.rendering.glyphs import load_typefaces
from models.training.rendering.textures import TextureBank
from models.training.scenes import corpus
from models.training.scenes.tables import TablePainter
from referee.rules.tiles import CODES
from tests.models.test_rendering import plain_typeface

HUES = {"Y": 52, "R": -2, "G": 122, "B": 215}


@pytest.fixture(scope="module")
def bank() -> TextureBank:
    return TextureBank(np.random.default_rng(2))


def colour_seen(image: np.ndarray) -> str:
    """Return the colour that most of the colourful pixels are nearest to, by hue alone.

    Where the ground is as brown as wood, what differs from it counts.
    """
    pixels = image[::3, ::3].reshape(-1, 3).astype(float)
    apart = pixels[np.abs(pixels - np.median(pixels, axis=0)).max(axis=1) > 55]
    return _by_hue(apart) or _by_hue(pixels)


def _by_hue(pixels: np.ndarray) -> str:
    share = Counter[str]()
    for blue, green, red in pixels / 255:
        hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
        strength = saturation * value
        name = min(HUES, key=lambda each: abs((hue * 360 - HUES[each] + 180) % 360 - 180))
        if strength > 0.22 and abs((hue * 360 - HUES[name] + 180) % 360 - 180) < 30:
            share[name] += strength
    return share.most_common(1)[0][0] if share.total() > 0.01 * len(pixels) else ""


def test_no_artist_to_learn_from_is_held_out() -> None:
    """Every held-out group is kept apart, whatever is drawn to learn from."""
    rng = np.random.default_rng(1)
    for group in HELD_OUT.values():
        assert all(is_held_out(group.artist(rng)) for _ in range(30))
    learned = [trained_artist(rng) for _ in range(1500)]
    assert not any(is_held_out(artist) for artist in learned)
    known = {artist.group for artist in learned}
    assert not known & {group.artist(rng).group for group in HELD_OUT.values() for _ in range(30)}
    assert len(known) > 150
    assert len(HELD_OUT) >= 8


def test_no_shard_to_learn_from_shows_a_held_out_artist(tmp_path) -> None:
    """A shard says who drew its pictures: groups to learn from, or the held-out group that was asked for."""
    for directory in (tmp_path / "learn", tmp_path / "hold"):
        directory.mkdir()
        digits = {f"{face}_{digit}": mask for face in range(9) for digit, mask in enumerate(plain_typeface())}
        np.savez(directory / "typefaces.npz", **digits)
    learned = [
        picture.artist
        for picture in corpus.read_shard(corpus.render_shard(tmp_path / "learn", 7, 0, pictures=16))
    ]
    families = {f"{carrier}/{ground}/{how}/{hand}"
                for carrier in (*CARRIERS.values(), "several") for ground in GROUNDS.values()
                for how in TECHNIQUES for hand in ("type", "hand")}  # fmt: skip
    assert set(learned) <= families | {"painted", "another game", "printed"}
    assert not set(learned) & set(HELD_OUT)
    assert len(set(learned)) > 6
    for group in ("woodcut corner", "neon on black"):
        shard = corpus.render_shard(
            tmp_path / "hold", 8, list(HELD_OUT).index(group), group=group, pictures=3
        )
        assert {picture.artist for picture in corpus.read_shard(shard)} == {group}


def test_typefaces_are_kept_apart() -> None:
    """No typeface is on both sides, and all are on one."""
    faces = [[np.full((2, 2), number, np.uint8)] for number in range(40)]
    learned, held_out = (typefaces_of(faces, held_out=side) for side in (False, True))
    assert len(learned) + len(held_out) == 40
    assert not {id(face) for face in learned} & {id(face) for face in held_out}


def test_the_same_seed_gives_the_same_set(bank) -> None:
    """A shard that was lost can be made again."""
    one, two = (
        DrawnSet(rng, TextureBank(rng), [plain_typeface()], trained_artist(rng)).face("G30").image
        for rng in (np.random.default_rng(4), np.random.default_rng(4))
    )
    assert np.array_equal(one, two)


@pytest.mark.parametrize("group", HELD_OUT)
def test_the_colour_of_a_held_out_set_can_be_seen(bank, group) -> None:
    """The mean hue of what is colourful names the colour nearly always: nobody has to guess."""
    rng = np.random.default_rng(list(HELD_OUT).index(group))
    right = []
    for _ in range(12):
        drawn = DrawnSet(rng, bank, [plain_typeface()], HELD_OUT[group].artist(rng))
        right.extend(colour_seen(drawn.face(code).image) == code[0] for code in ("Y10", "R10", "G10", "B10"))
    assert np.mean(right) > 0.85


def test_the_colour_of_a_set_to_learn_from_can_be_seen(bank) -> None:
    """So it is with the others; pictures in other colours beside it may win now and then."""
    rng = np.random.default_rng(3)
    right = []
    for _ in range(60):
        drawn = DrawnSet(rng, bank, [plain_typeface()], trained_artist(rng))
        right.extend(colour_seen(drawn.face(code).image) == code[0] for code in ("Y10", "R10", "G10", "B10"))
    assert np.mean(right) > 0.88


def test_numbers_stand_out_from_what_is_round_them(bank) -> None:
    """Where a number stands there is a contrast in brightness, on every ground and in every technique."""
    rng = np.random.default_rng(6)
    contrasts = []
    for _ in range(60):
        face = DrawnSet(rng, bank, [plain_typeface()], trained_artist(rng)).face("R60")
        assert face.image.shape == (FACE_PX, FACE_PX, 3)
        for place in face.numerals:
            top, left = (
                int((place.y - place.height / 2) * FACE_PX),
                int((place.x - place.width / 2) * FACE_PX),
            )
            part = face.image[max(0, top) :, max(0, left) :]
            part = part[: int(place.height * FACE_PX), : int(place.width * FACE_PX)].astype(int).mean(axis=2)
            contrasts.append(np.percentile(part, 95) - np.percentile(part, 5))
    assert np.percentile(contrasts, 3) > 40


def test_the_millstone_shows_all_four_colours(bank) -> None:
    """In the way of its set: four parts of a frame, four dots, a number in bands."""
    rng = np.random.default_rng(9)
    seen = []
    for _ in range(40):
        image = DrawnSet(rng, bank, [plain_typeface()], trained_artist(rng)).face("M200").image
        names = [colour_seen(image[y : y + 16, x : x + 16])
                 for y in range(0, FACE_PX, 16) for x in range(0, FACE_PX, 16)]  # fmt: skip
        seen.append(len(set(names) - {""}))
    assert np.mean(np.array(seen) >= 3) > 0.85


def test_handwriting_differs_from_call_to_call() -> None:
    """One hand never writes a number twice alike, but always as tall."""
    for pen in HANDS[1:]:
        writing = Handwriting.of(np.random.default_rng(5), pen)
        first, second = writing.number(120), writing.number(120)
        assert first.shape[0] == second.shape[0]
        assert first.shape != second.shape or not np.array_equal(first, second)
        assert writing.number(1).shape[1] < first.shape[1]


def test_every_code_can_be_drawn_by_every_held_out_group(bank) -> None:
    """All 45 tiles of a set, with their numerals on the face."""
    rng = np.random.default_rng(8)
    for group in HELD_OUT.values():
        drawn = DrawnSet(rng, bank, [plain_typeface()], group.artist(rng))
        for code in CODES:
            face = drawn.face(code)
            assert face.code == code
            assert all(0 < place.x < 1 and 0 < place.y < 1 for place in face.numerals)


def test_a_held_out_painter_shows_its_group_alone() -> None:
    """Neither other games nor the painted sets come into the pictures of a held-out group."""
    painter = TablePainter(np.random.default_rng(3), [plain_typeface()], group="ring on wood")
    assert {painter.table((320, 240)).artist for _ in range(6)} == {"ring on wood"}


def test_typefaces_that_are_stored_are_loaded(tmp_path) -> None:
    """The two sides are told apart by a typeface's place in the stored file, which stays as it is."""
    np.savez(tmp_path / "faces.npz", **{f"0_{digit}": mask for digit, mask in enumerate(plain_typeface())})
    assert len(load_typefaces(tmp_path / "faces.npz")) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_sets_a_number_off_lies_round_it_and_leaves_it_legible(kind: str) -> None:
    """A line beside a number is no digit: the edge of a banner before a 20 passed for a 1."""
    rng, table = np.random.default_rng(3), (120.0, 120.0, 120.0)
    plaque = next(each for each in (Plaque(rng) for _ in range(200)) if each.kind == kind)
    image = np.full((FACE_PX, FACE_PX, 3), table, np.float32)
    number = Lettered(np.zeros((FACE_PX, FACE_PX), np.float32), (40, 44, 50, 34), upright=True)
    under = plaque.lay(image, number, table, own=(200.0, 60.0, 30.0))
    changed = (image != np.float32(120)).any(axis=2)
    inside = np.s_[50:72, 50:80]
    assert changed[:, :40].any()
    assert changed[:, 90:].any()
    if plaque.fills:
        assert np.abs(np.median(image[inside], axis=(0, 1)) - under).max() < 1
    else:
        assert under == table
        assert not changed[inside].any()


@pytest.mark.parametrize("lean_deg", [0, 45, 90])
def test_a_shape_is_filled_by_strokes_with_the_ground_between_them(lean_deg: float) -> None:
    """As a person fills in a spot with a pen: most of it is covered, not all, and some strokes go too far."""
    shape = np.zeros((FACE_PX, FACE_PX), np.float32)
    shape[40:90, 30:100] = 1
    strokes = Strokes(np.random.default_rng(1), thick_px=4, apart=1.4, lean_deg=lean_deg, uneven_px=4)
    filled = strokes.fill(shape)
    inside = shape > 0
    assert 0.55 < filled[inside].mean() < 0.97
    assert 0 < filled[~inside].mean() < 0.08


def test_who_has_one_pen_writes_with_it_on_every_colour(bank, monkeypatch) -> None:
    """Black numbers stand on a dark blue spot as on a yellow one; networks saw white ones alone there."""
    monkeypatch.setattr(drawn_set, "_ONE_PEN", 1.0)
    monkeypatch.setattr(drawn_set, "_ONE_PEN_BY_HAND", 1.0)
    monkeypatch.setattr(drawn_set, "_PLAQUES", 0.0)
    rng, darkest = np.random.default_rng(4), []
    for _ in range(12):
        drawn = DrawnSet(rng, bank, [plain_typeface()], Artist(("ground",), "white", "flat", "type"))
        for code in ("B20", "Y20"):
            face = drawn.face(code)
            place = face.numerals[0]
            middle = int(place.y * FACE_PX), int(place.x * FACE_PX)
            part = face.image[middle[0] - 8 : middle[0] + 8, middle[1] - 12 : middle[1] + 12]
            darkest.append(part.mean(axis=2).min())
    assert np.mean(np.array(darkest) < 75) > 0.9
