"""A game that teaches the reader its tiles: what is stored, what comes back, what is kept under a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from referee.rules.game import Setup
from referee.rules.layout import Layout
from referee.tracking.inputs import Answered, Corrected, Input, Reply
from tests.vision.recognition.painted_model import SIDE, PaintedModel, face
from ui.services.game_learning import FEWEST_KEPT, GameLearning, told_and_denied
from ui.services.game_session import GameSession, as_settled
from ui.storage.game_examples import GameExamples
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.paths import open_tile_set, tile_sets_folder
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8
from vision.recognition.own_set import OwnSet, Shown
from vision.recognition.reading import Reading, TileReading
from vision.tracking.tile_learner import SURE_TABLES


class Taught:
    """A reader that can be taught, and is asked nothing."""

    def __init__(self) -> None:
        self.own_set: OwnSet | None = OwnSet(PaintedModel({"Y": "B"}))  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameStore]:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path))
    with GameStore.open() as opened:
        yield opened


def table(*codes: str, unsure: str = "") -> tuple[ImageU8, Reading]:
    """Return a picture of tiles side by side, and what was read there."""
    tiles = []
    for slot, code in enumerate(codes):
        left, right = SIDE * slot - 0.5, SIDE * (slot + 1) - 0.5
        quad = ((left, -0.5), (right, -0.5), (right, SIDE - 0.5), (left, SIDE - 0.5))
        others = (("B10", 0.4),) if code == unsure else ()
        chance = 0.5 if code == unsure else 0.99
        tiles.append(TileReading(code, 0, slot, quad, chance, code == unsure, others))
    return np.hstack([face(code) for code in codes]), Reading(tuple(tiles), None)  # type: ignore[arg-type]


def watch(session: GameSession, *codes: str, unsure: str = "") -> None:
    """Let a session see a settled table, as a camera would."""
    image, reading = table(*codes, unsure=unsure)
    session.hear(as_settled(reading, session.last_s + 5, hidden=False), image)
    assert session.learned is not None
    session.learned.see(image, reading, session.follower, session.heard[-1].number)


def begin(store: GameStore, *, keeps_pictures: bool = True) -> tuple[GameSession, Taught]:
    session = GameSession.begin(store, GameSettings(Setup(3)), None, keeps_pictures=keeps_pictures)
    reader = Taught()
    session.learn_tiles(reader)
    return session, reader


def known(reader: Taught) -> set[str]:
    assert reader.own_set is not None
    return {example.code for example in reader.own_set.examples}


def asked_and_answered(session: GameSession) -> None:
    watch(session, "R40")
    watch(session, "R40", "Y30", unsure="Y30")
    assert session.follower.question is not None
    session.hear(Answered(session.last_s + 1, Reply.TILE, "Y30", 0, 1))


def test_what_lies_long_enough_and_what_was_told_is_learned_and_stored(store: GameStore) -> None:
    session, reader = begin(store)
    asked_and_answered(session)
    assert known(reader) == {"Y30"}
    for _ in range(SURE_TABLES):
        watch(session, "R40", "Y30")
    found = [(each.code, each.is_told) for each in GameExamples(store.database, session.game).all()]
    assert found == [("Y30", True), ("R40", False)]


def test_a_game_that_goes_on_knows_what_it_knew(store: GameStore) -> None:
    session, reader = begin(store)
    asked_and_answered(session)
    again = GameSession(store, session.game, None)
    taught = Taught()
    again.learn_tiles(taught)
    assert again.learned is not None
    assert [each.code for each in again.learned.examples] == ["Y30"]
    assert reader.own_set is not None
    assert taught.own_set is not None
    for one, other in zip(reader.own_set.learned, taught.own_set.learned, strict=True):
        assert (one.at, one.is_told) == (other.at, other.is_told)
        assert np.array_equal(one.example.crop_bgr, other.example.crop_bgr)


def test_an_answer_that_is_taken_back_is_unlearned(store: GameStore) -> None:
    session, reader = begin(store)
    asked_and_answered(session)
    session.take_back([session.heard[-1].number])
    assert known(reader) == set()
    assert GameExamples(store.database, session.game).all() == []


def test_a_correction_unlearns_what_it_denies_and_teaches_what_it_tells(store: GameStore) -> None:
    session, reader = begin(store)
    for codes in (("R40",), ("R40", "B20"), ("R40", "B20"), ("R40", "B20")):
        watch(session, *codes)
    assert known(reader) == {"R40", "B20"}
    session.hear(Corrected(session.last_s + 1, Layout.parse("R40 Y20"), session.follower.game.stocks, ()))
    assert known(reader) == {"R40", "Y20"}


def test_what_nobody_doubts_is_learned_while_another_tile_is_in_doubt(store: GameStore) -> None:
    """Nobody answered, and what would have told the tile was not learned (game-hard, in warm light)."""
    session, reader = begin(store)
    for codes in (*(4 * [("Y30",)]), *(SURE_TABLES * [("Y30", "B20")])):
        watch(session, *codes, unsure="Y30")
    assert session.follower.question is not None
    assert known(reader) == {"B20"}
    session.hear(Corrected(session.last_s + 1, Layout.parse("Y30 B60"), (14, 14, 15), ()))
    assert known(reader) == {"Y30", "B60"}, "it was none"


def test_without_pictures_nothing_is_stored(store: GameStore) -> None:
    session, reader = begin(store, keeps_pictures=False)
    asked_and_answered(session)
    assert known(reader) == {"Y30"}
    assert GameExamples(store.database, session.game).all() == []


def test_a_damaged_example_is_left_out(store: GameStore) -> None:
    session, _ = begin(store)
    asked_and_answered(session)
    for _ in range(SURE_TABLES):
        watch(session, "R40", "Y30")
    with store.database.writing() as db:
        db.execute("UPDATE example SET png = x'00' WHERE code = 'R40'")
    again = GameLearning(store, session.game, Taught(), keeps_pictures=True)
    assert [each.code for each in again.examples] == ["Y30"]


def learned_much(store: GameStore, *, is_told: bool = True) -> GameLearning:
    """A game in which many tiles were learned."""
    reader = Taught()
    learning = GameLearning(store, store.start_game(GameSettings(Setup(3))), reader, keeps_pictures=False)
    assert learning.examples == ()
    assert reader.own_set is not None
    quad = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - 0.5
    for at, code in enumerate(("G2", "G4", "G6", "G10", "G20", "R2", "R4", "R6", "R10", "R20")):
        assert not learning.is_worth_a_name
        reader.own_set.learn(face(code), [Shown(code, quad, is_told)], at)
    assert len(learning.examples) == FEWEST_KEPT
    return learning


def test_a_set_that_had_to_be_told_is_kept_under_a_name(store: GameStore) -> None:
    learning = learned_much(store)
    assert learning.is_worth_a_name
    learning.keep("mine")
    kept = open_tile_set("mine")
    assert kept is not None
    assert (kept.is_of_the_game, kept.is_complete, len(kept.examples)) == (True, False, FEWEST_KEPT)


def test_a_set_that_was_read_without_a_question_needs_no_name(store: GameStore) -> None:
    assert not learned_much(store, is_told=False).is_worth_a_name


def test_another_set_of_that_name_stays(store: GameStore) -> None:
    """Only the set that the game is played with may be written anew."""
    learning = learned_much(store)
    learning.keep("mine")
    before = (tile_sets_folder() / "mine.json").read_bytes()
    with pytest.raises(TileSetError, match="already"):
        learning.keep("mine")
    with pytest.raises(TileSetError, match="cannot be the name"):
        learning.keep("no name")
    assert (tile_sets_folder() / "mine.json").read_bytes() == before
    learning.keep("mine", replaces="mine")


def test_a_reader_that_knows_all_tiles_has_nothing_to_keep(store: GameStore) -> None:
    reader = Taught()
    reader.own_set = None
    learning = GameLearning(store, store.start_game(GameSettings(Setup(3))), reader, keeps_pictures=True)
    assert (learning.examples, learning.is_worth_a_name) == ((), False)
    learning.take_back(0)
    with pytest.raises(TileSetError, match="No tile"):
        learning.keep("mine")


@pytest.mark.parametrize(
    ("heard", "before", "after", "told", "denied"),
    [
        (Answered(1, Reply.TILE, "B20", 0, 1), "R40", "R40 B20", "B20", ""),
        (Answered(1, Reply.TILE, "B20", 0, 0), "R40", "B20 R40", "B20", ""),
        (Answered(1, Reply.TILE, "B20", 0, 1), "R40 B10", "R40 B20", "B20", "B10 B20"),
        (Answered(1, Reply.TILE, "B20", 0, 1), "R40 G4", "B20", "B20", "R40 B20"),
        (Answered(1, Reply.AS_IT_LIES), "R40 B10", "R40 B20", "", ""),
        (Corrected(1, Layout.parse("R40 B20")), "R40 B10", "R40 B20", "B20", "B10 B20"),
        (Corrected(1, Layout.parse("R40")), "R40 B10", "R40", "", "B10"),
        (Corrected(1, Layout.parse("R40 B10")), "R40", "R40 B10", "B10", ""),
    ],
    ids=["placed", "at the left", "exchanged", "all else", "as it lies", "corrected", "gone", "overlooked"],
)  # fmt: skip
def test_what_people_say_of_tiles(heard: Input, before: str, after: str, told: str, denied: str) -> None:
    found = told_and_denied(heard, Layout.parse(before), Layout.parse(after))
    assert found == (set(told.split()), set(denied.split()))
