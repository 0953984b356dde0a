"""The pages in a real window, offscreen: what people do, and what the window says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget

from referee.cube.game import CubeGame, Side
from referee.rules.game import Variant, Voice
from referee.rules.options import DEFAULTS, FireDie
from ui.app.main_window import START, MainWindow
from ui.app.navigation import ABOUT, CUBE, NEW_GAME, PHOTO, SETTINGS, TILES, AppPages
from ui.app.own_tiles_controller import REVIEW
from ui.platform.cameras import Camera
from ui.storage.paths import user_data_folder
from ui.storage.preferences import (
    CameraLocks,
    Language,
    Settings,
    TextSize,
    ThemeChoice,
    load_settings,
    settings_path,
)
from ui.text.catalogue import choose_language
from ui.viewmodels.requests import GameRequest, SavedGame, SourceKind, SourceRequest
from ui.widgets.cube_view import CubePyramid
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.theme import DARK, HIGH_CONTRAST, LIGHT, look_for

ALL_PAGES = (START, NEW_GAME, PHOTO, CUBE, TILES, SETTINGS, ABOUT, REVIEW)
DESK, TABLE = Camera("Desk", "/dev/video0"), Camera("Table", "/dev/video2")


@pytest.fixture
def pages(application: QApplication) -> Iterator[AppPages]:
    choose_language("en")
    window = MainWindow()
    made = AppPages(window, Settings(), [Path("a.jpg")])
    made.new_game.preview_wanted.disconnect()  # these cameras are made up
    window.show_page(START)
    window.show()
    application.processEvents()
    yield made
    window.close()
    choose_language("en")


def button(page: QWidget, text: str) -> QAbstractButton:
    """Return the button of this text that is not hidden."""
    QApplication.processEvents()
    buttons = page.findChildren(QAbstractButton)
    found = [each for each in buttons if each.text() == text and not each.isHidden()]
    assert len(found) == 1, f"{text}: {len(found)} buttons"
    return found[0]


def click(page: QWidget, text: str) -> None:
    QTest.mouseClick(button(page, text), Qt.MouseButton.LeftButton)


class TestWindow:
    """The frame round the pages."""

    @pytest.mark.parametrize(
        ("text", "page"),
        [("New game", NEW_GAME), ("Cube game", CUBE), ("Own tiles", TILES), ("Settings", SETTINGS)],
    )
    def test_the_start_page_leads_everywhere_and_esc_leads_back(
        self, pages: AppPages, text: str, page: str
    ) -> None:
        click(pages.start, text)
        assert pages.window.page_name() == page
        QTest.keyClick(pages.window, Qt.Key.Key_Escape)
        assert pages.window.page_name() == START

    def test_esc_leaves_full_screen_before_it_leaves_the_page(self, pages: AppPages) -> None:
        pages.window.show_page(CUBE)
        QTest.keyClick(pages.window, Qt.Key.Key_F)
        assert pages.window.isFullScreen()
        QTest.keyClick(pages.window, Qt.Key.Key_Escape)
        assert (pages.window.isFullScreen(), pages.window.page_name()) == (False, CUBE)

    @pytest.mark.parametrize("size", [(1024, 640), (800, 1200), (3840, 2160)], ids=str)
    @pytest.mark.parametrize("text_size", [TextSize.NORMAL, TextSize.LARGEST])
    def test_every_page_fits_the_window(
        self, pages: AppPages, size: tuple[int, int], text_size: TextSize
    ) -> None:
        pages.window.apply_settings(Settings(Language.FRENCH, text_size=text_size))
        for page in ALL_PAGES:
            pages.window.show_page(page)
            pages.window.resize(*size)
            QApplication.processEvents()
            assert (pages.window.width(), pages.window.height()) == size, page

    @pytest.mark.parametrize("page", ALL_PAGES)
    def test_every_control_can_be_reached_and_has_a_name(self, pages: AppPages, page: str) -> None:
        pages.new_game.show_cameras([DESK])
        pages.window.show_page(page)
        controls = [
            each
            for kind in (QAbstractButton, QLineEdit, QComboBox, CubePyramid)
            for each in pages.window.findChildren(kind)
            if each.isVisible()
        ]
        assert controls
        for control in controls:
            text = control.text() if isinstance(control, QAbstractButton) else ""
            assert control.accessibleName() or text, control
            if control.isEnabled() and not isinstance(control.parent(), QLineEdit):
                assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, text

    def test_a_notice_can_be_copied_and_put_away(self, pages: AppPages) -> None:
        pages.window.show_notice("It broke.", "Traceback")
        notice = next(each for each in pages.window.findChildren(NoticeBar) if each.isVisible())
        click(notice, "Copy details")
        assert QGuiApplication.clipboard().text() == "Traceback"
        click(notice, "Close")
        pages.window.show_notice("It broke again.")
        assert not any(each.text() == "Copy details" for each in visible_buttons(pages.window))

    @pytest.mark.parametrize(("name", "page"), [("a.jpg", PHOTO), ("a.MP4", NEW_GAME), ("a.txt", PHOTO)])
    def test_what_is_dropped_goes_to_its_page(
        self, pages: AppPages, tmp_path: Path, name: str, page: str
    ) -> None:
        wanted: list[Path] = []
        pages.photo_wanted.connect(wanted.append)
        (file := tmp_path / name).touch()
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        actions, buttons, keys = (
            Qt.DropAction.CopyAction,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        pages.window.dropEvent(QDropEvent(QPointF(), actions, data, buttons, keys))
        assert pages.window.page_name() == page
        assert wanted == ([file] if page == PHOTO else [])
        if page == NEW_GAME:
            assert pages.new_game.request().source == SourceRequest(SourceKind.RECORDING, str(file), name)


def visible_buttons(parent: QWidget) -> list[QAbstractButton]:
    QApplication.processEvents()
    return [each for each in parent.findChildren(QAbstractButton) if each.isVisible()]


class TestStartPage:
    """The first page."""

    def test_without_a_camera_the_sample_game_comes_first(self, pages: AppPages) -> None:
        for has_camera, first in ((False, "Try the sample game"), (True, "New game")):
            pages.start.show_cameras(has_camera=has_camera)
            QApplication.processEvents()
            names = ("New game", "Try the sample game")
            tops = {text: button(pages.start, text).mapTo(pages.start, QPoint()).y() for text in names}
            assert min(tops, key=lambda text: tops[text]) == first

    def test_a_game_is_resumed(self, pages: AppPages) -> None:
        games = [SavedGame(Path(str(at)), f"Game {at}", "today", "Ann, Ben") for at in range(8)]
        wanted: list[SavedGame] = []
        pages.resume_wanted.connect(wanted.append)
        pages.start.show_games(games)
        click(pages.start, "Game 1\ntoday  ·  Ann, Ben")
        assert wanted == [games[1]]
        assert not any("Game 5" in each.text() for each in pages.start.findChildren(QAbstractButton))


class TestNewGame:
    """What is agreed before a game."""

    def test_the_defaults_are_those_of_the_rules(self, pages: AppPages) -> None:
        request = pages.new_game.request()
        assert [player.name for player in request.players] == ["Player 1", "Player 2"]
        assert (request.variant, request.voice, request.options) == (Variant.FAMILY, Voice.ANNOUNCE, DEFAULTS)
        assert (request.source, request.tiles) == (None, None)

    def test_a_wish_holds_what_was_chosen(self, pages: AppPages) -> None:
        wanted: list[GameRequest] = []
        pages.window.game_wanted.connect(wanted.append)
        pages.window.show_page(NEW_GAME)
        page = pages.new_game
        click(page, "Add a player")
        QTest.keyClicks(QApplication.focusWidget(), "Cleo")
        for text in ("Strategy", "Stays silent", "Older rule", "Start the game"):
            click(page, text)
        (request,) = wanted
        assert [player.name for player in request.players] == ["Player 1", "Player 2", "Cleo"]
        assert len({player.colour for player in request.players}) == 3
        assert (request.variant, request.voice) == (Variant.STRATEGY, Voice.SILENT)
        assert request.options.fire_die is FireDie.OLDER

    def test_two_to_six_play_and_no_two_in_one_colour(self, pages: AppPages) -> None:
        pages.window.show_page(NEW_GAME)
        page = pages.new_game
        for _ in range(4):
            click(page, "Add a player")
        assert not any(each.text() == "Add a player" for each in visible_buttons(page))
        swatch = page.players.findChildren(QAbstractButton)[1]
        swatch.click()
        colours = [player.colour for player in page.request().players]
        assert len(set(colours)) == len(colours) == 6
        for _ in range(4):
            next(each for each in visible_buttons(page) if each.text() == "×").click()  # noqa: RUF001
        assert len(page.request().players) == 2
        assert not any(each.text() == "×" for each in visible_buttons(page))  # noqa: RUF001

    def test_the_choice_of_a_camera_survives_others(self, pages: AppPages) -> None:
        page = pages.new_game
        pages.window.show_page(NEW_GAME)
        assert page.request().source is None
        page.show_cameras([DESK])
        assert page.request().source == SourceRequest(SourceKind.CAMERA, DESK.source, "Desk")
        page.show_cameras([TABLE, DESK])
        assert page.request().source == SourceRequest(SourceKind.CAMERA, DESK.source, "Desk")
        page.show_cameras([TABLE])
        assert page.request().source == SourceRequest(SourceKind.CAMERA, TABLE.source, "Table")
        page.show_cameras([])
        assert page.request().source is None

    def test_an_address_keeps_its_secret_out_of_the_name(self, pages: AppPages) -> None:
        pages.window.show_page(NEW_GAME)
        click(pages.new_game, "A network camera or a streaming app")
        field = next(each for each in pages.new_game.source.findChildren(QLineEdit) if each.isVisible())
        QTest.keyClicks(field, " rtsp://bob:secret@camera/live ")
        source = pages.new_game.request().source
        assert source is not None
        assert (source.kind, source.text) == (SourceKind.ADDRESS, "rtsp://bob:secret@camera/live")
        assert "secret" not in source.name

    def test_the_picture_is_wanted_only_while_the_page_is_shown(self, pages: AppPages) -> None:
        wanted: list[SourceRequest | None] = []
        pages.new_game.preview_wanted.connect(wanted.append)
        pages.new_game.show_cameras([DESK])
        assert wanted == []
        pages.window.show_page(NEW_GAME)
        pages.window.show_page(START)
        assert [source and source.name for source in wanted] == ["Desk", None]

    def test_what_a_camera_holds_still_is_remembered_for_it(self, pages: AppPages) -> None:
        page = pages.new_game
        page.show_cameras([DESK, TABLE])
        pages.window.show_page(NEW_GAME)
        click(page, "Focus")
        click(page, "Table")
        source = page.request().source
        assert source is not None
        assert source.holds == ()
        click(page, "Desk")
        source = page.request().source
        assert source is not None
        assert source.holds == ("focus",)
        assert load_settings().settings.locks == {"Desk": CameraLocks(focus=True)}


class TestSettingsPage:
    """Settings are in force at once, and last."""

    def test_the_language_changes_the_whole_window(self, pages: AppPages) -> None:
        pages.window.show_page(SETTINGS)
        click(pages.settings_page, "Français")
        assert button(pages.start, "Nouvelle partie")
        assert pages.cube.model.view().headline == "Au tour de Clair"
        assert load_settings().settings.language is Language.FRENCH
        click(pages.settings_page, "English")
        assert button(pages.start, "New game")

    def test_colours_and_text_size_change_at_once(self, pages: AppPages) -> None:
        pages.window.show_page(SETTINGS)
        click(pages.settings_page, "High contrast")
        assert pages.start.look.theme == HIGH_CONTRAST
        small = pages.start.look.scale
        click(pages.settings_page, "Largest")
        assert pages.start.look.scale == pytest.approx(small * 1.45)
        assert load_settings().settings == Settings(
            theme=ThemeChoice.HIGH_CONTRAST, text_size=TextSize.LARGEST
        )

    def test_what_is_off_until_somebody_wants_it(self, pages: AppPages) -> None:
        pages.window.show_page(SETTINGS)
        click(pages.settings_page, "Keep my corrections as training examples")
        settings = load_settings().settings
        assert (settings.keep_corrections, settings.keep_pictures) == (True, True)
        assert (settings.sound, settings.speech, settings.reduced_motion) == (False, False, False)

    def test_settings_that_cannot_be_kept_are_in_force_all_the_same(self, pages: AppPages) -> None:
        settings_path().mkdir(parents=True)
        pages.window.show_page(SETTINGS)
        click(pages.settings_page, "Light")
        assert pages.start.look.theme == LIGHT
        notice = pages.window.findChild(NoticeBar)
        assert notice is not None
        assert "could not be saved" in notice.accessibleName()


@pytest.mark.parametrize("theme", [DARK, LIGHT, HIGH_CONTRAST], ids=["dark", "light", "high contrast"])
def test_text_can_be_read_on_its_ground(theme: object) -> None:
    pairs = [("text", "ground"), ("text", "card"), ("text", "button"), ("text", "hover"), ("quiet", "ground"),
             ("quiet", "card"), ("quiet", "button"), ("accent_text", "accent")]  # fmt: skip
    for ink, ground in pairs:
        assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5, (ink, ground)
    for accent, ground in theme.tones.values():  # type: ignore[attr-defined]
        assert contrast(accent, ground) >= 4.5


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the WCAG define it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((light(one), light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_no_text_is_smaller_than_the_smallest() -> None:
    look = look_for(Settings(text_size=TextSize.SMALL), 640, 480)
    assert min(look.text_px(size) for size in (34, 22, 16, 14)) == 13


class TestCubePage:
    """The cube game by mouse and by keys."""

    def test_a_click_places_a_cube_of_the_chosen_colour(self, pages: AppPages) -> None:
        pages.window.show_page(CUBE)
        pyramid = pages.cube.findChild(CubePyramid)
        assert pyramid is not None
        QTest.keyClick(pages.window, Qt.Key.Key_D)
        QTest.mouseClick(pyramid, Qt.MouseButton.LeftButton, pos=pyramid.centre((2, 1, 1)).toPoint())
        assert pages.cube.model.game.board == {(2, 1, 1): Side.DARK}
        QTest.keyClick(pages.window, Qt.Key.Key_U)
        assert pages.cube.model.game == CubeGame()

    def test_the_keys_reach_every_place(self, pages: AppPages) -> None:
        pages.window.show_page(CUBE)
        pyramid = pages.cube.findChild(CubePyramid)
        assert pyramid is not None
        assert pyramid.hasFocus()
        seen, paths = {pyramid.cursor_place()}, [pyramid.cursor_place()]
        arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
        while paths:
            here = paths.pop()
            for arrow in arrows:
                pyramid.go_to(here)
                QTest.keyClick(pyramid, arrow)
                if pyramid.cursor_place() not in seen:
                    seen.add(pyramid.cursor_place())
                    paths.append(pyramid.cursor_place())
        assert len(seen) == 15
        here = pyramid.cursor_place()
        QTest.keyClick(pyramid, Qt.Key.Key_Space)
        assert list(pages.cube.model.game.board) == [here]

    def test_the_game_waits_while_the_page_is_left(self, pages: AppPages, application: QApplication) -> None:
        pages.window.show_page(CUBE)
        pages.cube.model.place((2, 1, 1))
        pages.window.show_page(START)
        other = AppPages(window := MainWindow(), Settings())
        window.show_page(CUBE)
        assert list(other.cube.model.game.board) == [(2, 1, 1)]
        window.close()

    def test_a_file_that_is_no_game_is_said_and_the_game_goes_on(self, pages: AppPages) -> None:
        (folder := user_data_folder() / "cube").mkdir(parents=True)
        (folder / "last.cube.jsonl").write_text("no game\n")
        pages.window.show_page(CUBE)
        notice = pages.window.findChild(NoticeBar)
        assert notice is not None
        assert notice.isVisible()
        assert notice.accessibleName()
        assert pages.cube.model.place((4, 0, 0))
