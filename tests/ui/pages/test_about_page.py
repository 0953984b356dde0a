"""The page about the program, and the details that people send with a report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.ui.pages.test_pages import button
from ui import __version__
from ui.app.main_window import MainWindow
from ui.app.navigation import ABOUT, SETTINGS, AppPages
from ui.services import notices
from ui.services.notices import packages
from ui.storage.log import log_path
from ui.storage.paths import shown_folder
from ui.storage.preferences import Settings
from ui.text.catalogue import choose_language
from ui.widgets.notice_bar import NoticeBar


@pytest.fixture
def pages(application: QApplication) -> Iterator[AppPages]:
    choose_language("en")
    window = MainWindow()
    made = AppPages(window, Settings())
    window.show_page(SETTINGS)
    window.show()
    application.processEvents()
    button(made.settings_page, "About").click()
    yield made
    window.close()
    made.stop()
    choose_language("en")


def test_the_settings_lead_there(pages: AppPages) -> None:
    assert pages.window.page_name() == ABOUT
    assert pages.about.text.toPlainText().startswith("finder_")


def test_each_model_has_its_card(pages: AppPages) -> None:
    names = [card.name for card in pages.about.cards]
    assert len(names) == 4
    for name in names:
        button(pages.about, name).click()
        assert pages.about.text.toPlainText().startswith(name)


def test_the_licences_of_all_packages_are_there(pages: AppPages) -> None:
    button(pages.about, "Licences").click()
    shown = pages.about.text.toPlainText()
    named = {one.name for one in packages()}
    assert {"pyramid-referee", "numpy", "opencv-python", "PySide6_Essentials", "onnxruntime"} <= named
    assert all(f"{one.name} {one.version}: {one.licence}\n" in shown for one in packages())
    assert "Permission is hereby granted" in shown


def test_the_bundle_shows_the_notices_of_all_that_was_packed(
    pages: AppPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "NOTICES.txt"
    packed.write_text("libffi8 3.4.4 (Debian): libffi.so.8\n", encoding="utf-8")
    monkeypatch.setattr(notices, "PACKED", packed)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    button(pages.about, "Licences").click()
    assert pages.about.text.toPlainText() == packed.read_text(encoding="utf-8")


def test_the_details_hold_versions_and_nothing_private(
    pages: AppPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, stick = tmp_path / "ann", tmp_path / "secret stick"
    monkeypatch.setattr(Path, "home", lambda: home)
    for folder, shown in ((home / "games", "~/games"), (stick, "…/secret stick")):
        monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(folder))
        log_path().parent.mkdir(parents=True, exist_ok=True)
        noted = f"cannot open '{home}/a/b.jpg' of rtsp://ann:pass@camera/live\n"
        log_path().write_text(noted, encoding="utf-8")
        button(pages.about, "Copy details").click()
        copied = QGuiApplication.clipboard().text()
        assert f"pyramid-referee {__version__}, Python" in copied
        assert f"folder {shown}\n" in copied
        assert [line for line in copied.splitlines() if line.startswith("model ")]
        assert "…/b.jpg" in copied
        assert str(tmp_path) not in copied
        assert "pass" not in copied.partition("\n\n")[2]
        assert pages.window.findChild(NoticeBar).accessibleName() == "The details are on the clipboard."


def test_folders_outside_the_home_folder_are_named_alone() -> None:
    assert shown_folder(Path.home()) == "~"
    assert shown_folder(Path.home() / "a" / "b") == "~/a/b"
    assert shown_folder(Path("/media/ann/stick")) == "…/stick"
