"""The stored games as a shelf: names, deleting, pictures, and copies to play on from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from referee.rules.events import Direction
from referee.rules.game import Setup
from ui.errors import StorageError
from ui.services.game_copy import copy_until
from ui.services.game_session import GameSession
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import MAX_NAME, GameStore
from ui.storage.stored_pictures import pack_picture
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import LetFall, Put, Undo

NAMES = ("Anna", "Bruno", "Chloé")
PICTURE = pack_picture(np.full((60, 80, 3), 90, np.uint8))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with GameStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


def begin(store: GameStore) -> GameViewModel:
    settings = GameSettings(Setup(3), "", NAMES)
    return GameViewModel(store, GameSession.begin(store, settings, None), settings)


def play(store: GameStore) -> GameViewModel:
    """A collapse on turn 3, chosen once to the left, taken back, and chosen to the right."""
    model = begin(store)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
        model.do(Put(code, row, slot))
    model.do(LetFall(Direction.LEFT))
    model.do(Undo())
    model.do(LetFall(Direction.RIGHT))
    return model


def test_a_game_has_the_name_that_it_was_given(store: GameStore) -> None:
    game = begin(store).session.game
    assert store.games()[0].name == ""
    store.rename(game, "  Sunday ")
    assert store.games()[0].name == "Sunday"
    store.rename(game, "x" * 100)
    assert len(store.games()[0].name) == MAX_NAME
    assert store.check(game) >= 1
    with pytest.raises(StorageError, match="There is no game 7"):
        store.rename(7, "x")


def test_a_deleted_game_is_gone_with_its_pictures_and_others_stay(store: GameStore) -> None:
    kept, gone = (store.start_game(GameSettings(Setup(2))) for _ in range(2))
    for game in (kept, gone):
        store.append(game, [(EntryKind.CHECK, {"input": "check", "time_s": 1.0})], PICTURE)
        store.leave(game)
    store.delete(gone)
    assert [game.id for game in store.games()] == [kept]
    assert store.last_picture(kept) == PICTURE
    assert store.last_picture(gone) is None
    assert store.start_game(GameSettings(Setup(2))) > gone  # no other game takes its number
    with pytest.raises(StorageError, match=f"There is no game {gone}"):
        store.delete(gone)


def test_a_game_that_another_program_follows_is_not_deleted(store: GameStore, tmp_path: Path) -> None:
    game = store.start_game(GameSettings(Setup(2)))
    store.follow(game)
    with GameStore.open(tmp_path / "games.sqlite3") as other, pytest.raises(StorageError, match="followed"):
        other.delete(game)
    assert [each.id for each in store.games()] == [game]


def test_a_copy_goes_on_from_a_moment_without_what_was_taken_back(store: GameStore) -> None:
    played = play(store)
    heard = played.session.heard
    copy = copy_until(store, played.session.game, heard[3].number)
    model = GameViewModel(store, GameSession(store, copy, None), store.settings(copy))
    assert str(model.session.follower.game.layout) == "R40 B20/Y100"
    assert model.view().card.headline == "Collapse"
    whole = copy_until(store, played.session.game, heard[-1].number)
    again = GameSession(store, whole, None)
    assert again.follower.game.layout == played.session.follower.game.layout
    assert [entry.kind for entry in store.entries(whole)].count(EntryKind.UNDONE) == 0
    assert store.check(whole) == len(store.entries(whole))
    model.do(LetFall(Direction.LEFT))
    assert store.games()[-1].id == played.session.game  # the first one is as it was
    assert str(played.session.follower.game.layout) == "Y100"
