"""The window and its parts, offscreen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QPixmapCache
from PySide6.QtWidgets import QApplication, QLabel

from referee.rules.layout import Layout
from referee.rules.tiles import CODES
from tests.ui.waiting import Hear
from ui.app.main_window import MainWindow
from ui.pages.photo.photo_page import PhotoPage
from ui.platform.qimages import to_bgr, to_qimage
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable
from ui.viewmodels.table_view import TileView
from ui.widgets.picture_view import PictureView
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.style import restyle
from ui.widgets.table.tile_palette import TilePalette
from ui.widgets.theme import DARK, LIGHT, Look
from ui.workers.photo_worker import PhotoWorker
from vision.errors import ImageError

RED_BGR, BLUE_BGR = (0, 0, 255), (255, 0, 0)


@pytest.mark.usefixtures("application")
class TestImages:
    """Colour order, stride and lifetime."""

    def test_a_red_tile_is_red_and_a_blue_tile_blue(self) -> None:
        image_bgr = np.zeros((2, 3, 3), np.uint8)
        image_bgr[:, 0], image_bgr[:, 2] = RED_BGR, BLUE_BGR
        shown = to_qimage(image_bgr)
        assert (shown.pixelColor(0, 0).name(), shown.pixelColor(2, 1).name()) == ("#ff0000", "#0000ff")

    @pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
    def test_there_and_back(self, width: int) -> None:
        image_bgr = np.random.default_rng(width).integers(0, 256, (4, width, 3), np.uint8)
        assert np.array_equal(to_bgr(to_qimage(image_bgr)), image_bgr)

    def test_a_view_with_another_stride_is_read_right(self) -> None:
        whole = np.random.default_rng(1).integers(0, 256, (6, 10, 3), np.uint8)
        view = whole[::2, 3:8]
        assert np.array_equal(to_bgr(to_qimage(view)), view)

    @pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4)])
    def test_other_shapes_are_refused(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="uint8"):
            to_qimage(np.zeros(shape, np.uint8))


@pytest.mark.usefixtures("application")
class TestWidgets:
    """What the views draw."""

    def test_the_picture_keeps_its_proportions(self) -> None:
        view = PictureView(DARK, "")
        view.resize(400, 400)
        view.show_picture(np.zeros((100, 300, 3), np.uint8))
        assert (view.shown_rect().width(), view.shown_rect().height()) == (400, 133)

    @pytest.mark.parametrize(("code", "colour"), [("R40", "#c4452f"), ("B20", "#2f6db3"), ("Y6", "#d9a514")])
    def test_tiles_wear_their_colour(self, code: str, colour: str) -> None:
        view = PyramidView(LIGHT)
        view.resize(300, 200)
        view.show_tiles([TileView(code, 0, 0)])
        rect = view.tile_rect(0, 0)
        at = rect.bottomRight() - (rect.bottomRight() - rect.center()) / 4
        assert view.grab().toImage().pixelColor(at.toPoint()).name() == colour

    def test_an_unsure_tile_looks_different(self) -> None:
        view = PyramidView(DARK)
        view.resize(300, 200)
        view.show_tiles([TileView("R40", 0, 0)])
        sure = view.grab().toImage()
        view.show_tiles([TileView("R40", 0, 0, unsure=True)])
        assert view.grab().toImage() != sure

    def test_an_upper_tile_is_centred_over_the_joint_below(self) -> None:
        view = PyramidView(DARK)
        view.resize(400, 300)
        view.show_tiles([TileView("R40", 0, 0), TileView("B20", 0, 1), TileView("R4", 1, 0)])
        joint = (view.tile_rect(0, 0).center().x() + view.tile_rect(0, 1).center().x()) / 2
        assert view.tile_rect(1, 0).center().x() == pytest.approx(joint)

    def test_the_tiles_to_choose_from_are_drawn_when_they_are_seen_and_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[str] = []
        monkeypatch.setattr("ui.widgets.table.tile_icon.paint_tile", lambda *what: drawn.append(what[-1]))
        QPixmapCache.clear()
        one, other = TilePalette(Look()), TilePalette(Look())
        for palette in (one, other):
            palette.resize(600, 200)
            palette.set_look(Look())
        assert drawn == []
        one.show()
        assert set(drawn) == set(CODES)
        count = len(drawn)
        other.show()
        assert len(drawn) == count
        QPixmapCache.clear()  # these are blank

    def test_the_same_style_sheet_again_changes_nothing(self) -> None:
        styled: list[str] = []

        class Label(QLabel):
            def setStyleSheet(self, sheet: str) -> None:
                styled.append(sheet)
                super().setStyleSheet(sheet)

        label = Label()
        for sheet in ("color: red;", "color: red;", "color: blue;"):
            restyle(label, sheet)
        assert styled == ["color: red;", "color: blue;"]


class TestPhotoPage:
    """The page of photos in the window."""

    @pytest.mark.parametrize("size", [(1024, 640), (1440, 900), (3840, 2160), (800, 1200)], ids=str)
    def test_everything_has_room(self, application: QApplication, size: tuple[int, int]) -> None:
        window, page = MainWindow(), PhotoPage()
        window.add_page("photo", page)
        window.show_page("photo")
        window.resize(*size)
        window.show()
        application.processEvents()
        layout = Layout.parse("Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30/Y1")
        page.show_table(PhotoTable("a.jpg", KnownTable().after(layout)))
        assert (window.width(), window.height()) == size
        window.close()

    @pytest.mark.usefixtures("application")
    def test_samples_follow_each_other_in_a_circle(self) -> None:
        page = PhotoPage([Path("a.jpg"), Path("b.jpg")])
        wanted: list[Path] = []
        page.photo_wanted.connect(wanted.append)
        for _ in range(3):
            page.next_photo()
        assert wanted == [Path("a.jpg"), Path("b.jpg"), Path("a.jpg")]


def named(photo: Path) -> PhotoTable:
    return PhotoTable(f"{photo.name}, {threading.current_thread().name}", KnownTable())


@pytest.fixture
def workers(application: QApplication) -> Iterator[list[PhotoWorker]]:
    started: list[PhotoWorker] = []
    yield started
    for worker in started:
        assert worker.stop()


def test_photos_are_read_on_the_workers_thread(workers: list[PhotoWorker], hear: Hear) -> None:
    worker = PhotoWorker(lambda: named)
    workers.append(worker)
    (opened,) = hear(worker.photo_read, lambda: worker.ask(Path("a.jpg")))
    assert isinstance(opened, PhotoTable)
    assert opened.name == "a.jpg, photo reader"


def test_a_photo_that_fails_is_said_and_the_next_one_is_read(workers: list[PhotoWorker], hear: Hear) -> None:
    def read_photo(photo: Path) -> PhotoTable:
        if photo.name == "bad.jpg":
            raise ImageError("The file is empty.")
        return named(photo)

    worker = PhotoWorker(lambda: read_photo)
    workers.append(worker)
    said = hear(worker.failed, lambda: worker.ask(Path("bad.jpg")))
    assert said == ("bad.jpg", "The file is empty.")
    (opened,) = hear(worker.photo_read, lambda: worker.ask(Path("good.jpg")))
    assert isinstance(opened, PhotoTable)
    assert opened.name == "good.jpg, photo reader"
