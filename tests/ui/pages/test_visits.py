"""Pages that are looked at from another one lead back to it; nothing in a bar moves while one plays."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.pages.test_table_page import begin_clicked, headline, put
from tests.ui.waiting import WAIT_MS, WaitFor
from ui.app.game_controller import TABLE, AppGames
from ui.app.main_window import START
from ui.app.navigation import ABOUT, NEW_GAME, SETTINGS
from ui.services.sample_source import SampleGame
from ui.viewmodels.table_view import Tone
from vision.sources.frame import Frame, SourceNotice


def test_the_settings_are_reached_within_a_game_and_lead_back_to_it(
    games: AppGames, wait_for: WaitFor
) -> None:
    begin_clicked(games, wait_for)
    put(games, wait_for, "R40", 0, 0)
    window, worker = games._window, games.worker
    settings = games._pages.settings_page
    for leave in (window.go_back, settings._home.click):
        QTest.mouseClick(games.page.settings, Qt.MouseButton.LeftButton)
        assert window.page_name() == SETTINGS
        assert settings._home.text() == "Back"
        leave()
        assert (window.page_name(), games.worker) == (TABLE, worker)
    window.visit_page(SETTINGS)
    window.visit_page(ABOUT)
    for page in (SETTINGS, TABLE):
        window.go_back()
        assert (window.page_name(), games.worker) == (page, worker)
    window.show_page(SETTINGS)
    assert settings._home.text() == "Home"
    window.go_back()
    assert window.page_name() == START


def test_no_button_of_the_bar_moves_when_something_must_be_resolved(
    games: AppGames, wait_for: WaitFor
) -> None:
    begin_clicked(games, wait_for)
    page = games.page
    buttons = (page.what_if, page.undo, page.redo, page.check, page.export, page.settings)
    put(games, wait_for, "R40", 0, 0)
    put(games, wait_for, "B20", 0, 1)
    places = [button.geometry() for button in buttons]
    put(games, wait_for, "Y100", 1, 0)
    assert headline(games) == "Collapse"
    assert [button.geometry() for button in buttons] == places
    assert not page.check.isEnabled()


class Still(SampleGame):
    """The sample game before its first picture."""

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        self._closed.wait(WAIT_MS / 1000)
        yield from ()


def test_the_sample_is_a_tour_with_pause_faster_skip_and_an_end(games: AppGames, wait_for: WaitFor) -> None:
    sample = Still()
    games.begin_sample(lambda: sample)
    tour = games.page.tour
    wait_for(lambda: tour.sentence.startswith("The referee reads the table"))
    tour.pause.click()
    tour.faster.click()
    assert (sample.is_paused, sample.is_hurried) == (True, True)
    tour.pause.click()
    tour.skip.click()
    assert not sample.is_paused
    assert sample._skipped.is_set()
    told = [tour.sentence]
    for tone in (Tone.MAYHEM, Tone.CALM, Tone.MISSED, Tone.MAYHEM):
        tour.follow(tone)
        told.append(tour.sentence)
    assert len(dict.fromkeys(told)) == 3  # each hint once, at its moment
    sample.close()
    wait_for(lambda: tour.sentence.startswith("That was the sample. Now your table"))
    tour.own.click()
    assert games._window.page_name() == NEW_GAME
    begin_clicked(games, wait_for)
    assert tour.sentence == ""


def test_what_went_well_is_said_on_its_own_page_alone_and_trouble_on_the_next_ones_too(
    games: AppGames,
) -> None:
    """ "Written: game.pdf" once stayed on every page until somebody closed it."""
    window = games._window
    window.show_page(NEW_GAME)
    window.show_news("Written: game.pdf")
    assert window._notice.isVisible()
    window.show_page(SETTINGS)
    assert not window._notice.isVisible()
    window.show_notice("The settings could not be saved.")
    window.show_page(ABOUT)
    assert window._notice.isVisible()
