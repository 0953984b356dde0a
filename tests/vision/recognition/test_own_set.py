"""What a game teaches of its own tiles, and what is unlearned again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from tests.vision.recognition.painted_model import COLOURS, QUAD, WEIGHTS, PaintedModel, face
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8
from vision.recognition.assignment import log_softmax
from vision.recognition.own_set import MOST_PICTURES, Looks, OwnSet, Shown
from vision.recognition.tile_set import Example

CHALK = PaintedModel({"Y": "B"})
"""Calls yellow blue, and is sure of it."""


def own_set(model: PaintedModel = CHALK, *kept: str) -> OwnSet:
    return OwnSet(model, [Example(code, face(code)) for code in kept])  # type: ignore[arg-type]


def learn(
    own: OwnSet, code: str, at: int = 0, *, is_told: bool = True, looks: str = "", light: float = 1.0
) -> bool:
    return own.learn(face(looks or code, light), [Shown(code, QUAD, is_told)], at)


class CountedModel:
    """A model that counts the pictures it is shown."""

    def __init__(self, model: PaintedModel) -> None:
        self._model, self.manifest, self.pictures = model, model.manifest, 0

    def run(self, pictures: ImageU8) -> list[NDArray[np.float32]]:
        self.pictures += len(pictures)
        return self._model.run(pictures)


def chances(own: OwnSet, *codes: str, model: PaintedModel = CHALK) -> np.ndarray:
    crops = np.stack([face(code) for code in codes])
    weight, colour, embedding = model.run(crops)
    log_weight, log_colour = log_softmax(weight), log_softmax(colour)
    of_weight = [WEIGHTS.index(int(code[1:])) for code in CODES]
    of_colour = [COLOURS.index(code[0]) for code in CODES]
    shipped = log_softmax(log_weight[:, of_weight] + log_colour[:, of_colour])
    return np.exp(own.log_codes(Looks.of(crops, log_weight, log_weight, log_colour, embedding), shipped))


def read(own: OwnSet, *codes: str, model: PaintedModel = CHALK) -> list[str]:
    return [CODES[index] for index in chances(own, *codes, model=model).argmax(axis=1)]


def known(own: OwnSet) -> list[str]:
    return [each.example.code for each in own.learned]


def test_a_set_that_nothing_is_known_of_is_read_as_shipped() -> None:
    assert read(own_set(), "Y40", "R10") == ["B40", "R10"]


def test_a_tile_that_was_told_is_read_rightly_when_it_comes_again() -> None:
    own = own_set()
    assert learn(own, "Y40")
    assert read(own, "Y40", "B10", "R20") == ["Y40", "B10", "R20"]


def test_a_colour_that_was_told_on_some_tiles_is_known_on_all() -> None:
    """Also that blue is what the shipped reader says of yellow: it is not believed about colours any more."""
    own = own_set()
    for code in ("Y40", "Y2", "Y10", "B20"):
        learn(own, code)
    found = chances(own, "Y30", "Y100", "B40")
    assert [CODES[index] for index in found.argmax(axis=1)] == ["Y30", "Y100", "B40"]
    assert found.max(axis=1).min() > 0.9


def test_a_known_set_is_read_as_before_to_the_last_bit() -> None:
    model = PaintedModel()
    before = chances(own_set(model), *CODES, model=model)
    own = own_set(model)
    for at, code in enumerate(CODES[:20]):
        assert learn(own, code, at, is_told=False)
    assert np.array_equal(chances(own, *CODES, model=model), before)


def test_a_reader_that_named_all_known_tiles_rightly_is_asked_about_the_others() -> None:
    assert own_set().left_to_reader == set(CODES)
    own = own_set(PaintedModel())
    learn(own, "R40")
    assert own.left_to_reader == set(CODES) - {"R40"}
    own = own_set(CHALK)
    for code in ("Y40", "Y2", "Y10", "B20"):
        learn(own, code)
    assert own.left_to_reader == set()


def test_a_reader_is_believed_as_far_as_both_of_its_networks_name_the_pictures() -> None:
    """It was judged by the first alone, and what the second read rightly was in doubt."""

    def rightly(by_first, _log_colour, crops, _are_faces):  # type: ignore[no-untyped-def]
        return by_first, log_softmax(PaintedModel().run(crops)[1])

    own = OwnSet(CHALK, joined=rightly)  # type: ignore[arg-type]
    told = ("Y40", "Y2", "Y10", "B20")
    for code in told:
        learn(own, code)
    assert own.left_to_reader == set(CODES) - set(told)


def test_a_picture_in_common_is_hardly_a_colour_in_common_while_the_reader_is_right() -> None:
    """What is painted on a face may have nothing to do with the tile's colour."""
    own, model = own_set(PaintedModel()), PaintedModel()
    for code in ("R40", "G10"):
        learn(own, code)
    crops = np.stack([face("R30")])
    weight, _colour, embedding = model.run(crops)
    log_weight = log_softmax(weight)
    seen = np.log([[0.01, 0.14, 0.84, 0.005, 0.005]])  # rather green, though it is painted red
    of_weight = [WEIGHTS.index(int(code[1:])) for code in CODES]
    shipped = log_softmax(log_weight[:, of_weight] + seen[:, [COLOURS.index(code[0]) for code in CODES]])
    found = own.log_codes(Looks.of(crops, log_weight, log_weight, seen, embedding), shipped)
    assert CODES[int(found.argmax())] == "G30"


def test_what_nobody_told_and_the_others_contradict_is_no_example() -> None:
    own = own_set()
    for code in ("Y40", "Y2", "Y10"):
        learn(own, code)
    assert not learn(own, "B30", is_told=False, looks="Y30")
    assert learn(own, "Y30", is_told=False)


def test_what_a_player_tells_unlearns_what_it_contradicts() -> None:
    """Yellow 30 was read as blue 30, surely and silently, before somebody named three yellow tiles."""
    own = own_set()
    assert learn(own, "B30", 1, is_told=False, looks="Y30")
    for code in ("Y40", "Y2", "Y10"):
        learn(own, code, 2)
    assert known(own) == ["Y40", "Y2", "Y10"]
    assert read(own, "Y30") == ["Y30"]


def test_what_a_player_tells_unlearns_what_a_kept_set_has_wrongly() -> None:
    own = OwnSet(CHALK, [Example("B30", face("Y30"))])  # type: ignore[arg-type]
    for code in ("Y40", "Y2", "Y10"):
        learn(own, code, 2)
    assert [example.code for example in own.examples] == ["Y40", "Y2", "Y10"]


def test_pictures_that_tell_nothing_new_are_not_kept() -> None:
    own = own_set()
    assert learn(own, "R40", 1, is_told=False)
    assert not learn(own, "R40", 2, is_told=False, light=0.9)


def test_of_a_tile_only_so_many_pictures_are_kept_and_one_of_an_input() -> None:
    own = own_set()
    for at in range(2 * MOST_PICTURES):
        assert learn(own, "R40", at)
    assert [each.at for each in own.learned] == [*range(MOST_PICTURES - 1), 2 * MOST_PICTURES - 1]
    learn(own, "G4", 9)
    learn(own, "G4", 9)
    assert known(own).count("G4") == 1


def test_it_can_be_told_whether_something_was_learned() -> None:
    """A tile that was told twice at once ended the game: pictures were compared as one truth value."""
    own = own_set()
    learn(own, "Y40", 1)
    before = own.learned
    assert own.learned == before
    learn(own, "Y40", 1, light=0.7)
    assert own.learned != before
    assert known(own) == ["Y40"]


def test_what_was_taken_back_is_unlearned_and_a_kept_set_is_not() -> None:
    own = own_set(CHALK, "G40")
    for at, code in enumerate(("Y40", "Y2", "R10")):
        learn(own, code, at)
    own.forget_since(2)
    assert known(own) == ["Y40", "Y2"]
    own.forget({"Y2", "G40"})
    assert known(own) == ["Y40"]
    assert [example.code for example in own.examples] == ["G40", "Y40"]
    own.restore(())
    assert [example.code for example in own.examples] == ["G40"]


def test_a_game_that_goes_on_knows_what_it_knew() -> None:
    own, again = own_set(), own_set()
    for at, code in enumerate(("Y40", "Y2", "R10", "B7")):
        learn(own, code, at)
    again.restore(own.learned)
    assert np.array_equal(chances(own, *CODES), chances(again, *CODES))


def test_a_tile_set_has_the_tiles_that_are_known() -> None:
    own = own_set()
    with pytest.raises(TileSetError, match="No tile"):
        own.as_tile_set("mine")
    learn(own, "Y40")
    learn(own, "R10", 1)
    tile_set = own.as_tile_set("mine")
    assert not tile_set.is_complete
    assert tile_set.is_of_the_game
    assert {each.code for each in tile_set.examples} == {"Y40", "R10"}
    lengths = np.linalg.norm(tile_set.prototypes, axis=1)
    assert [code for code, length in zip(CODES, lengths, strict=True) if length > 0.5] == ["Y40", "R10"]
    with pytest.raises(TileSetError, match="cannot be the name"):
        own.as_tile_set("../mine")


def test_the_painted_faces_are_what_the_model_reads() -> None:
    """Or the other tests would show nothing."""
    weight, colour, _ = PaintedModel().run(np.stack([face(code) for code in CODES]))
    named = [f"{COLOURS[c]}{WEIGHTS[w]}" for w, c in zip(weight.argmax(1), colour.argmax(1), strict=True)]
    assert named == list(CODES)


def test_how_surely_the_reader_was_wrong_is_known_of_tiles_that_people_named() -> None:
    """Of one that became certain without an answer a picture may be misread (film 424816)."""
    own = own_set(PaintedModel(reads={40: 10, 30: 60}, sure=3.0))
    assert own.misread_with == 0
    learn(own, "B20")
    learn(own, "G30", is_told=False)
    assert own.misread_with == 0, "it is right about one, and nobody named the other"
    learn(own, "Y40")
    assert own.misread_with == pytest.approx(np.exp(3) / (np.exp(3) + len(WEIGHTS) - 1))
    own.restore(())
    assert own.misread_with == 0
    chalk = own_set()
    learn(chalk, "Y40")
    assert chalk.misread_with == 0, "colours do not count"


def test_the_network_sees_each_picture_once_and_none_of_a_tile_of_which_there_are_enough() -> None:
    """Each tile learned cost a look at all pictures of the game, the longer it went on the more."""
    model = CountedModel(CHALK)
    own = own_set(model)  # type: ignore[arg-type]
    for at, code in enumerate(("G2", "G4", "R6", "R10")):
        assert learn(own, code, at)
    assert model.pictures == 4
    for at, light in enumerate((0.8, 0.6), start=4):
        learn(own, "G2", at, light=light)
    pictures = [each for each in own.learned if each.example.code == "G2"]
    assert len(pictures) == MOST_PICTURES
    seen = model.pictures
    assert not learn(own, "G2", 9, is_told=False, light=0.4)
    own.forget(["R6"])
    own.restore(own.learned)
    assert model.pictures == seen
