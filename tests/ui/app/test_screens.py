"""Every page and state of the window looks as it did: compared with stored pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton

from tests.compare_pictures import STORED, difference, read, shrunk
from tests.screenshots import DARK, STORED_SIZES, take_pictures
from ui.app.main_window import MainWindow
from ui.pages.settings_page import SettingsPage
from ui.platform.qimages import ImageU8, to_bgr, to_qimage

NAMES = sorted(file.stem for file in STORED.glob("*.webp"))
REWRITE = "If the new picture is right, run: python -m tests.screenshots --store"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the font is pinned by fontconfig")


@pytest.fixture(scope="module")
def pictures(
    tmp_path_factory: pytest.TempPathFactory, application: QApplication
) -> Iterator[dict[str, ImageU8]]:
    """All pictures as they are now, shrunk."""
    family = QFontInfo(QFont("DejaVu Sans")).family()
    assert family == "DejaVu Sans", "DejaVu Sans is missing; `make test` installs it where it may."
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path_factory.mktemp("screens")))
        yield {name: shrunk(picture) for name, picture in take_pictures(STORED_SIZES)}


def test_every_picture_is_stored_and_no_other(pictures: dict[str, ImageU8]) -> None:
    """A new page or state comes with its picture."""
    assert sorted(pictures) == NAMES, REWRITE


@pytest.mark.parametrize("name", NAMES)
def test_it_looks_as_it_did(
    pictures: dict[str, ImageU8], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The page, or its state, is drawn as in the stored picture."""
    now, stored = pictures[name], read(STORED / f"{name}.webp")
    if what := difference(now, stored):
        seen = tmp_path_factory.getbasetemp() / f"{name}.png"
        height = max(now.shape[0], stored.shape[0])
        both = [np.pad(one, ((0, height - len(one)), (0, 8), (0, 0))) for one in (stored, now)]
        cv2.imwrite(str(seen), np.hstack(both))
        pytest.fail(
            f"{name}: {what}. {seen} shows the stored picture and the new one. {REWRITE}", pytrace=False
        )


@pytest.mark.usefixtures("application")
class TestTheComparison:
    """It sees what people would see, and nothing finer."""

    @pytest.fixture
    def window(self) -> Iterator[MainWindow]:
        window = MainWindow(DARK)
        window.add_page("settings", SettingsPage())
        window.show_page("settings")
        window.resize(1440, 900)
        window.show()
        yield window
        window.close()

    def seen(self, window: MainWindow) -> ImageU8:
        QApplication.processEvents()
        return shrunk(window.grab().toImage())

    def test_the_same_page_again(self, window: MainWindow) -> None:
        assert difference(self.seen(window), self.seen(window)) == ""

    def test_a_missing_button(self, window: MainWindow) -> None:
        before = self.seen(window)
        button = next(one for one in window.findChildren(QPushButton) if one.text() == "Largest")
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        button.hide()
        assert "levels apart" in difference(self.seen(window), before)

    def test_a_missing_text(self, window: MainWindow) -> None:
        before = self.seen(window)
        label = next(one for one in window.findChildren(QLabel) if one.text().startswith("Full screen"))
        label.setStyleSheet("color: transparent")
        assert "levels apart" in difference(self.seen(window), before)

    def test_a_page_that_is_shifted_by_two_pixels(self, window: MainWindow) -> None:
        before = self.seen(window)
        page = window.findChild(SettingsPage)
        assert isinstance(page, SettingsPage)
        page.content.setContentsMargins(2, 0, 0, 0)
        assert "levels apart" in difference(self.seen(window), before)

    def test_a_card_without_its_ground(self, window: MainWindow) -> None:
        before = self.seen(window)
        card = next(one for one in window.findChildren(QFrame) if one.property("role") == "card")
        card.setStyleSheet('QFrame[role="card"] { background: transparent; }')
        assert "levels apart" in difference(self.seen(window), before)

    def test_edges_that_are_smoothed_in_another_way_are_the_same(self, window: MainWindow) -> None:
        before = self.seen(window)
        image = to_bgr(window.grab().toImage())
        aside = cv2.warpAffine(image, np.array([[1, 0, 0.3], [0, 1, 0.3]]), image.shape[1::-1],
                               borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        for other in (aside, cv2.GaussianBlur(image, (0, 0), 0.6)):
            assert difference(shrunk(to_qimage(np.asarray(other, np.uint8))), before) == ""
