"""The place head: from two sets of features to chances."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.vision.tracking.test_table_tracker import A, B, C, Look, layout, picture, reading, stray, tile
from vision.errors import ModelError
from vision.pyramid.lattice import LatticePlace
from vision.recognition.model_store import Model, open_model
from vision.recognition.reader import TileReader
from vision.recognition.reading import TileReading
from vision.tracking import place_head
from vision.tracking.lattice_track import GameLattice
from vision.tracking.place_head import SAME, STATES, JudgedPlaces, KnownFaces, PlaceHead
from vision.tracking.table_tracker import TableTracker


class FixedSession:
    """Says `occluder` where the features differ from before, and `table` where they do not."""

    def run(self, outputs, features):
        assert outputs == ["state", "same"]
        differs = np.abs(features["now"] - features["before"]).max(axis=(1, 2, 3)) > 0
        state = np.zeros((len(differs), 4), np.float32)
        state[differs, STATES.index("occluder")] = 4
        state[~differs, STATES.index("table")] = 4
        return state, np.where(differs, -3, 3)[:, None].astype(np.float32)


def model_for(reader: str, temperature: float = 1.0) -> Model:
    return Model("place_1", {"reader": reader, "temperature": temperature}, FixedSession())


OWN = Model("own", {"sha256": "own"}, FixedSession())


def test_places_get_chances() -> None:
    """Each row sums to one; a higher temperature makes them less certain."""
    now, before = np.zeros((2, 128, 5, 5), np.float32), np.zeros((2, 128, 5, 5), np.float32)
    now[1] += 1
    judged = PlaceHead(model_for("a"), OWN).judge(now, before)
    assert np.exp(judged.log_states).sum(axis=1) == pytest.approx(1)
    assert [STATES[index] for index in judged.log_states.argmax(axis=1)] == ["table", "occluder"]
    assert judged.same == pytest.approx([0.9526, 0.0474], abs=1e-4)
    milder = PlaceHead(model_for("a", 2.0), OWN).judge(now, before)
    assert milder.log_states.max() < judged.log_states.max()


@pytest.mark.parametrize(("made_for", "uses"), [("own", "own"), ("shipped", "shipped"), ("another", None)])
def test_a_head_sees_places_with_the_reader_that_it_was_made_for(monkeypatch, made_for, uses) -> None:
    """Features of two readers have nothing in common."""
    shipped = Model("reader_1", {"sha256": "shipped"}, SimpleNamespace(run=lambda names, given: ["shipped"]))
    opened = {"place": model_for(made_for), "reader": shipped}
    monkeypatch.setattr(place_head, "open_model", lambda task, folder=None: opened[task])
    if uses is None:
        with pytest.raises(ModelError, match="another reader"):
            PlaceHead.open(OWN)
    else:
        assert PlaceHead.open(OWN)._reader.manifest["sha256"] == uses


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader.open()


@pytest.fixture
def faces(reader) -> KnownFaces:
    found = KnownFaces.of(reader)
    assert found is not None, "the shipped place head was made for the shipped reader"
    return found


AT = {"A": LatticePlace(0, 0), "B": LatticePlace(0, 2)}
CERTAIN = {(0, 0): A.code, (0, 1): B.code}
UNREAD = {"code": "Y30", "unsure": True, "confidence": 0.3, "alternatives": (("G6", 0.2), (B.code, 0.1))}
OTHER, DOUBTFUL = tile("R120", 0, 1), replace(B, **UNREAD)


def seen(faces: KnownFaces, image: np.ndarray, *tiles: TileReading) -> list[TileReading]:
    """What is read in two places beside what was known there."""
    found = dict(zip(AT.values(), tiles, strict=True))
    faces.compare(image, found, GameLattice.of(found, with_doubtful=True))
    return list(found.values())


@pytest.fixture
def knowing(faces) -> KnownFaces:
    """Faces of a game that is certain of two tiles."""
    seen(faces, picture(A, B), A, B)
    faces.confirm(CERTAIN, CERTAIN.values())
    return faces


@pytest.mark.parametrize("light", [1.0, 0.8, 1.15])
def test_a_known_tile_that_cannot_be_read_lies_there_still_while_it_looks_as_it_did(knowing, light) -> None:
    first, stayed = seen(knowing, picture(A, B, light=light), A, DOUBTFUL)
    assert first == A
    assert (stayed.code, stayed.remembered, stayed.unsure) == (B.code, True, True)
    assert stayed.confidence > 0.9
    assert [code for code, _ in stayed.alternatives] == ["Y30", "G6"]
    assert stayed.confidence + sum(chance for _, chance in stayed.alternatives) <= 1.0001
    turned = replace(DOUBTFUL, quad_px=(*B.quad_px[1:], B.quad_px[0]))
    assert seen(knowing, picture(A, B, light=light), A, turned)[1].code == B.code


def on_its_head(read: TileReading) -> TileReading:
    return replace(read, quad_px=(*read.quad_px[2:], *read.quad_px[:2]))


@pytest.mark.parametrize("way", range(4))
def test_a_tile_that_lay_alone_is_known_whichever_way_up_it_was_taken(faces, way: int) -> None:
    """Named by people, it was read anew as another one once a second tile lay beside it (film 395106)."""
    lone = replace(B, quad_px=(*B.quad_px[way:], *B.quad_px[:way]))
    found = {AT["B"]: lone}
    faces.compare(picture(B), found, GameLattice.of(found))
    faces.confirm({(0, 0): B.code}, [B.code])
    assert seen(faces, picture(A, B), A, DOUBTFUL)[1].code == B.code
    assert seen(faces, picture(A, OTHER), A, DOUBTFUL)[1].code != B.code


def test_tiles_that_were_read_on_their_heads_are_known_once_that_is_said(faces) -> None:
    found = {AT["A"]: on_its_head(B), AT["B"]: on_its_head(A)}
    faces.compare(picture(A, B), found, GameLattice.of(found))
    faces.confirm({(0, 0): B.code, (0, 1): A.code}, [A.code, B.code])
    faces.turn_over()
    upright = {LatticePlace(0, -2): A, LatticePlace(0, 0): DOUBTFUL}
    faces.compare(picture(A, B), upright, GameLattice.of(upright, with_doubtful=True))
    assert [each.code for each in upright.values()] == [A.code, B.code]
    faces.confirm({(0, 0): A.code, (0, 1): B.code}, [A.code, B.code])
    assert [face.code for face in faces._known.values()] == [B.code, A.code]


def test_what_lies_right_of_a_thing_is_known_where_it_lies(faces) -> None:
    """The game did not count the thing, and took each tile for the one left of it (film 422053)."""
    seen(faces, picture(A, B), A, B)
    faces.keep_only({(0, 1)})
    faces.confirm({(0, 0): B.code}, [B.code])
    assert {place: face.code for place, face in faces._known.items()} == {AT["B"]: B.code}


def test_where_another_tile_lies_the_known_one_is_unlikely_whatever_was_read(knowing) -> None:
    read = replace(B, unsure=True, confidence=0.6, alternatives=(("Y30", 0.3),))
    (_, changed) = seen(knowing, picture(A, OTHER), A, read)
    assert (changed.code, changed.confidence, changed.remembered) == ("Y30", 0.3, False)
    assert dict(changed.alternatives).get(B.code, 0.0) < 0.06
    only = replace(B, unsure=True, confidence=0.6)
    (_, changed) = seen(knowing, picture(A, OTHER), A, only)
    assert (changed.code, changed.confidence < 0.05) == (B.code, True)


@pytest.mark.parametrize(("code", "chance"), [(B.code, 0.97), ("Y30", 0.3)])
def test_a_known_tile_that_is_put_back_another_way_up_is_that_still(
    knowing, monkeypatch, code, chance
) -> None:
    """It read as itself and lay otherwise: nobody knew it any more, nor what came next (film 475233)."""
    tiles = np.log(np.full((4, len(STATES)), 1e-6))
    tiles[:, STATES.index("tile")] = 0.0

    def judge(_head: PlaceHead, now: np.ndarray, _before: np.ndarray) -> JudgedPlaces:
        same = {1: [0.0], 4: [0.0, 0.0, 0.97, 0.0]}[len(now)]  # on its head it looks as it did
        return JudgedPlaces(tiles[: len(now)], np.array(same))

    monkeypatch.setattr(PlaceHead, "judge", judge)
    read = replace(B, code=code, unsure=True, confidence=0.3, alternatives=())
    (_, put_back) = seen(knowing, picture(A, B), A, read)
    assert (put_back.code, put_back.confidence) == (code, chance)


@pytest.mark.parametrize("same", [0.0, 0.03, 0.3, 0.6, 1.0])
@pytest.mark.parametrize(
    "chances", [{"B20": 1.0}, {"Y30": 1.0}, {"B20": 0.9999, "Y30": 0.0001}, {"Y30": 0.2, "B20": 0.1}]
)
def test_chances_stay_chances(same, chances) -> None:
    """Also where the reader or the head is as good as certain."""
    (code, confidence), *others = chances.items()
    read = replace(B, code=code, unsure=True, confidence=confidence, alternatives=tuple(others))
    found = {AT["A"]: A, AT["B"]: read}
    place_head._read_beside(found, AT["B"], B.code, same)
    after = found[AT["B"]]
    codes = [after.code, *(each for each, _ in after.alternatives)]
    shares = [after.confidence, *(chance for _, chance in after.alternatives)]
    assert len({*codes}) == len(codes)
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) <= 1.0002
    assert shares == sorted(shares, reverse=True)
    assert same < SAME or after.code == B.code


def test_what_is_surely_read_is_not_asked_of_memory(knowing) -> None:
    sure = replace(OTHER, code="G60")
    assert seen(knowing, picture(A, B), A, sure) == [A, sure]
    assert seen(knowing, picture(A, OTHER), A, sure) == [A, sure]


def test_what_is_surely_read_is_in_doubt_against_a_tile_that_people_named(knowing) -> None:
    """They named a yellow 20, and it was surely read as a 60 a second later (film 391180)."""
    misread = replace(B, code="G60")
    knowing.tell({B.code}, ())
    stayed = seen(knowing, picture(A, B), A, misread)[1]
    assert (stayed.code, stayed.unsure, stayed.remembered) == (B.code, True, True)
    assert seen(knowing, picture(A, OTHER), A, misread) == [A, misread], "another one lies there"
    knowing.tell((), {B.code})
    assert seen(knowing, picture(A, B), A, misread) == [A, misread]


def test_a_doubtful_tile_elsewhere_gives_up_the_code_of_the_known_one(knowing) -> None:
    """Each tile lies on the table once; what is surely read elsewhere has moved there."""
    thief = replace(A, code=B.code, unsure=True, confidence=0.5, alternatives=(("Y2", 0.4),))
    knowing.confirm({(0, 1): B.code}, [B.code])
    assert [each.code for each in seen(knowing, picture(A, B), thief, DOUBTFUL)] == ["Y2", B.code]
    moved = replace(A, code=B.code)
    assert seen(knowing, picture(A, B), moved, DOUBTFUL) == [moved, DOUBTFUL]


def test_what_looks_otherwise_is_no_look_of_a_known_tile(knowing) -> None:
    """The game may believe it a while: then each table after it would look as if nothing had happened."""
    for _ in range(2):
        assert seen(knowing, picture(A, OTHER), A, DOUBTFUL)[1].code == "Y30"
        knowing.confirm(CERTAIN, CERTAIN.values())
    knowing.confirm({}, CERTAIN.values())
    assert seen(knowing, picture(A, B), A, DOUBTFUL)[1].code == B.code, "in doubt nothing is forgotten"
    knowing.confirm({}, [A.code])
    assert seen(knowing, picture(A, B), A, DOUBTFUL)[1].code == "Y30", "it lies there no more"
    knowing.confirm({(0, 1): OTHER.code}, [A.code, OTHER.code])
    assert seen(knowing, picture(A, B), A, DOUBTFUL)[1].code == OTHER.code, "which lies there since"
    knowing.forget()
    assert seen(knowing, picture(A, B), A, DOUBTFUL)[1].code == "Y30"


def test_a_covered_tile_is_not_compared_and_nothing_is_learned_of_it(faces) -> None:
    hidden, doubtful = replace(A, covered=True), replace(A, **UNREAD)
    assert seen(faces, picture(B), hidden, B) == [hidden, B]
    faces.confirm(CERTAIN, CERTAIN.values())
    assert seen(faces, picture(A, B), doubtful, B)[0].code == "Y30"


def test_what_is_no_reader_compares_nothing() -> None:
    assert KnownFaces.of(Look([])) is None


def test_places_are_judged_alike_whichever_reader_names_the_tiles(reader, monkeypatch) -> None:
    """A player's own reader has other features than the shipped one, and no place head was made for it."""
    shipped = KnownFaces.of(reader)
    model = reader.classifier.model
    other = replace(model, manifest={**model.manifest, "sha256": "another"}, session=FixedSession())
    monkeypatch.setattr(reader.classifier, "model", other)
    own = KnownFaces.of(reader)
    assert shipped is not None
    assert own is not None
    looks = [(picture(A, B), (A, B)), (picture(B), (replace(A, **UNREAD), B))]
    for known in (shipped, own):
        seen(known, looks[0][0], *looks[0][1])
        known.confirm(CERTAIN, CERTAIN.values())
    for image, tiles in looks:
        assert seen(own, image, *tiles) == seen(shipped, image, *tiles)


def test_a_tile_that_nobody_can_read_lies_where_the_place_shows_one(faces) -> None:
    """Nothing was found there, and the game would go on without it (film 371011)."""
    new = tile("R120", 0, 2)

    def layout_on(image: np.ndarray, known: KnownFaces | None) -> str:
        tracker = TableTracker(Look([]), known)
        for lying in ((A,), (A, B, C)):
            tracker.amend(picture(*lying), reading(*lying), 0)
            tracker.accept()
        return layout(tracker, image, A, B, C)

    assert layout_on(picture(A, B, C, new), None) == "R40 B20/G60"
    assert layout_on(picture(A, B, C, new), faces) == "R40 B20 Y1/G60 -"
    shadow = picture(A, B, C)
    (x, y), _, (right, low), _ = ((int(x), int(y)) for x, y in new.quad_px)
    shadow[y:low, x:right] //= 2
    assert layout_on(shadow, faces) == "R40 B20/G60"


def test_the_back_of_a_tile_is_a_thing_and_an_arm_is_none(faces) -> None:
    place = [np.array(B.quad_px, np.float32)]
    (left, top), _, (right, low), _ = ((int(x), int(y)) for x, y in B.quad_px)
    back, arm = picture(A), picture(A)
    cv2.rectangle(back, (left, top), (right, low), (150, 190, 210), -1)
    cv2.rectangle(back, (left + 6, top + 6), (right - 6, low - 6), (110, 140, 160), 2)
    cv2.line(arm, ((left + right) // 2, 719), ((left + right) // 2, top), (120, 150, 205), right - left)
    pictures = picture(A), picture(A, B), back, arm
    seen = [faces.show_things(image, place, (picture(A), place))[0] for image in pictures]
    assert seen == [False, False, True, False]


def test_a_thing_that_is_surely_read_as_a_new_tile_is_in_doubt(faces) -> None:
    """A glass was surely read as a red 7, and told as placed (film 381045); or a second later (407584)."""
    new = tile("R120", 0, 2)
    shadow = picture(A, B)
    (x, y), _, (right, low), _ = ((int(x), int(y)) for x, y in new.quad_px)
    shadow[y:low, x:right] //= 2

    def read(image: np.ndarray) -> list[TileReading]:
        tracker, found = TableTracker(Look([]), faces), []
        for seen, lying in ((picture(A), (A,)), (picture(A, B), (A, B)), *[(image, (A, B, new))] * 2):
            found.append(tracker.amend(seen, reading(*lying), 0).tiles[-1])
            tracker.accept()
        return found[-2:]

    assert not any(each.unsure for each in read(picture(A, B, new)))
    for thing in read(shadow):
        assert (thing.code, thing.unsure) == (new.code, True)
        assert thing.confidence < 0.5
    new = replace(new, unsure=True)  # where it lies is in doubt, and not its code (407702)
    assert [each.confidence for each in read(picture(A, B, new))] == [new.confidence] * 2
    assert all(each.confidence < 0.5 for each in read(shadow))


@pytest.mark.parametrize(
    ("code", "chance", "unsure"), [("M200", 0.95, True), ("M200", 0.99, False), ("B20", 0.95, False)]
)
def test_a_millstone_looks_more_like_a_tile_than_others_must(
    faces, monkeypatch, code, chance, unsure
) -> None:
    """The screen of a telephone beside the pyramid was one, and told as placed (film 407883)."""
    found = {LatticePlace(0, 0): tile(code, 0, 0)}
    other = (1 - chance) / 3
    judged = JudgedPlaces(np.log([[chance, other, other, other]]), np.ones(1))
    monkeypatch.setattr(faces, "_judged", lambda _now, _before: judged)
    faces.doubt(picture(A), found, [*found], None)
    assert found[LatticePlace(0, 0)].unsure is unsure


def test_a_tile_that_comes_back_must_look_as_it_did(faces) -> None:
    """A red 10 was surely read as the blue 10 that had been taken (film 384039)."""
    back = tile(B.code, 0, 2)

    def unsure(image: np.ndarray) -> bool:
        tracker = TableTracker(Look([]), faces)
        for lying in ((A, B), (A, tile("G6", 0, 1))):
            tracker.amend(picture(*lying), reading(*lying), 0)
            tracker.accept()
            certain = {(each.row, each.slot): each.code for each in lying}
            faces.confirm(certain, certain.values())
        return tracker.amend(image, reading(A, tile("G6", 0, 1), back), 1).tiles[-1].unsure

    assert not unsure(picture(A, tile("G6", 0, 1), back))
    turned, (x, y) = picture(A, tile("G6", 0, 1), back), (round(each) for each in back.quad_px[0])
    for way in (1, 2, 3):  # whichever way up it is laid down
        part = turned[y : y + 60, x : x + 60]
        turned[y : y + 60, x : x + 60] = np.rot90(part).copy()
        assert not unsure(turned), way
    other = picture(A, tile("G6", 0, 1), tile("R120", 0, 2))
    assert unsure(other)


def test_a_tile_that_lies_alone_looks_as_it_did_beside_others(knowing) -> None:
    """Alone it was taken for a square of the cloth, and in doubt since it had fallen (462092, unanswered)."""
    (left, top), _, (right, bottom), _ = B.quad_px
    by, down = 0.7 * (right - left), 0.7 * (bottom - top)
    far = ((left - by, top - down), (right, top - down), (right, bottom), (left - by, bottom))
    found = {AT["B"]: replace(B, quad_px=far)}
    knowing.compare(picture(B), found, GameLattice.of(found))
    knowing.confirm({(0, 0): B.code}, [B.code])
    fallen = {AT["A"]: tile(B.code, 0, 0)}
    knowing.doubt(picture(tile(B.code, 0, 0)), fallen, [*fallen], None)
    assert not fallen[AT["A"]].unsure


@pytest.mark.parametrize("at", [1, 2])
def test_an_unknown_tile_that_looks_like_one_that_is_gone_may_be_that_one(faces, at: int) -> None:
    """A red 20 was surely read as a blue one, where it lay and after its fall (films 387005, 387023)."""

    def read(lies: TileReading, code: str) -> TileReading:
        tracker = TableTracker(Look([]), faces)
        tracker.amend(picture(A, B), reading(A, B), 0)
        tracker.accept()
        faces.confirm(CERTAIN, CERTAIN.values())
        named = replace(lies, code=code)
        return tracker.amend(picture(A, lies), reading(A, named), 1).tiles[-1]

    moved = tile(B.code, 0, at)
    misread = read(moved, "R20")
    assert misread.unsure
    assert {misread.code, *(code for code, _ in misread.alternatives)} == {"R20", B.code}
    assert misread.confidence + misread.alternatives[0][1] <= 1
    assert not read(moved, B.code).unsure
    assert not read(tile("G6", 0, at), "G6").unsure


def test_a_tile_of_the_game_is_looked_for_where_it_lay_though_it_was_off_the_table(faces) -> None:
    """A yellow 1 was put back over an empty row, and the reader passed it over (film 386014)."""
    right, beside, top = tile("R6", 0, 2), tile("G4", 1, 1), tile("Y1", 2, 0)
    base, lying = (A, B, right), [*(each.code for each in (A, B, right, C, beside, top))]
    look = Look([])
    tracker = TableTracker(look, faces)
    for tiles in ((*base, C, beside, top), base):
        tracker.amend(picture(*tiles), reading(*tiles), 0, lying)
        tracker.accept()
        faces.confirm({(each.row, each.slot): each.code for each in tiles}, lying)
    look.passed_over = (stray(top),)
    assert layout(tracker, picture(*base, top), *base) == "R40 B20 R6/- -/Y1"


def test_the_shipped_head_is_sound() -> None:
    assert open_model("place").manifest["states"] == list(STATES)
