"""What the app remembers from one start to the next: players, colours, rules, the size of the window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from referee.rules.game import Variant, Voice
from referee.rules.options import FireDie
from ui.app.game_controller import AppGames
from ui.app.main_window import MainWindow
from ui.app.navigation import AppPages
from ui.storage.preferences import Settings, load_settings, settings_path
from ui.text.catalogue import choose_language


@pytest.mark.usefixtures("user_folders", "application")
def test_players_rules_and_window_are_there_at_the_next_start() -> None:
    choose_language("en")
    window = MainWindow(Settings())
    pages = AppPages(window, Settings())
    games = AppGames(window, pages)
    pages.new_game.players.show_players(("Zoé", "", "Max"), ("#8A8F98", "#E07A3F", "#4F9D69"))
    options = replace(pages.new_game.rules.options(), fire_die=FireDie.OLDER, curse=True)
    pages.new_game.rules.show_rules(Variant.STRATEGY, Voice.SILENT, options)
    window.game_wanted.disconnect()
    pages.new_game.game_wanted.emit(pages.new_game.request())
    window.resize(700, 600)
    window.show()
    QApplication.processEvents()
    window.close()
    games.close()
    pages.stop()
    loaded = load_settings()
    assert not loaded.is_damaged
    again = MainWindow(loaded.settings)
    pages_again = AppPages(again, loaded.settings)
    request = pages_again.new_game.request()
    assert [(player.name, player.colour) for player in request.players] == [
        ("Zoé", "#8A8F98"), ("Player 2", "#E07A3F"), ("Max", "#4F9D69"),
    ]  # fmt: skip
    assert (request.variant, request.voice, request.options) == (Variant.STRATEGY, Voice.SILENT, options)
    assert (again.width(), again.height()) == (700, 600)
    pages_again.stop()


@pytest.mark.usefixtures("user_folders")
def test_rules_that_this_version_does_not_know_are_left_at_their_first_values() -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text('{"version": 1, "options": {"fire_die": "golden"}, "names": ["Ann", "Ben"]}')
    loaded = load_settings()
    assert loaded.is_damaged
    assert (loaded.settings.options, loaded.settings.names) == (Settings().options, ("Ann", "Ben"))
