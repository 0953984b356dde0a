"""Every kind of question in a real window: every answer is a button, and pressing it ends the question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from referee.formats.input_json import input_to_dict
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer, QuestionKind
from tests.referee.tracking.tables import QUESTIONS
from ui.app.game_controller import AppGames
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.questions import answer_label, question_sentence
from ui.viewmodels.game_view import PickTile, Tell
from ui.viewmodels.table_view import Tone
from ui.workers.game_worker import GamePlan


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        yield store


def open_game(kind: QuestionKind, games: AppGames, store: GameStore, qtbot: QtBot) -> None:
    """Go on with a recorded game at the end of which something is asked."""
    asking = QUESTIONS[kind]
    settings = GameSettings(asking.setup, source="camera")
    game = store.start_game(settings)
    for heard in asking.inputs:
        content = input_to_dict(heard)
        store.append(game, [(EntryKind(content["input"]), content)])
    games._run(GamePlan(store, settings, game))
    qtbot.waitUntil(lambda: games.page.view is not None and games.page.view.card.tone is Tone.QUESTION)


def buttons(games: AppGames) -> dict[str, QPushButton]:
    """What is on the card's buttons -> the button, as far as people see it; *Why?* is no answer."""
    found = [button for button in games.page.card.buttons() if button is not games.page.card.why]
    return {button.text().strip(" ←→↑↓"): button for button in found if button.isVisible()}


@pytest.mark.parametrize("kind", QuestionKind, ids=lambda kind: kind.value)
def test_every_answer_is_a_button_that_ends_the_question(
    kind: QuestionKind, games: AppGames, store: GameStore, qtbot: QtBot
) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    asked = (question_sentence(question),)
    for answer in question.answers:
        open_game(kind, games, store, qtbot)
        assert games.page.view.card.sentences == asked
        offered = [choice.act for choice in games.page.view.card.choices]
        assert [act.answer for act in offered if isinstance(act, Tell)].count(answer) == 1
        label = answer_label(question, answer)
        qtbot.waitUntil(lambda label=label: label in buttons(games))
        button = buttons(games)[label]
        assert games.page.card.rect().contains(button.geometry())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: games.page.view.card.sentences != asked)


def test_a_tile_that_is_no_button_is_picked_from_all(games: AppGames, store: GameStore, qtbot: QtBot) -> None:
    open_game(QuestionKind.WHICH_TILE, games, store, qtbot)
    qtbot.waitUntil(lambda: "Another tile …" in buttons(games))
    acts = [choice.act for choice in games.page.view.card.choices]
    assert PickTile(QUESTIONS[QuestionKind.WHICH_TILE].follower().question) in acts
    QTest.mouseClick(buttons(games)["Another tile …"], Qt.MouseButton.LeftButton)
    popup = games.page.popup
    qtbot.waitUntil(popup.isVisible)
    assert popup.likely_codes() == ["B20", "B10"]
    QTest.mouseClick(popup.palette_of_tiles.button("G100"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: games.page.view.card.tone is not Tone.QUESTION)
    assert {tile.code for tile in games.page.view.tiles} == {"R40", "G100"}


def test_a_tile_that_is_gone_can_be_said_to_be_gone(games: AppGames, store: GameStore, qtbot: QtBot) -> None:
    """The app once offered "Yes, blue 20" alone, and pressing it brought the same question back for ever."""
    open_game(QuestionKind.PUT_BACK, games, store, qtbot)
    qtbot.waitUntil(lambda: list(buttons(games)) == ["The table is correct", "We have corrected it"])
    answers = [choice.act for choice in games.page.view.card.choices]
    assert answers == [Tell(Answer(Reply.AS_IT_LIES)), Tell(Answer(Reply.MENDED))]
    QTest.keyClick(games.page, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: games.page.view.card.tone is not Tone.QUESTION)
    assert [tile.code for tile in games.page.view.tiles] == ["R40"]
