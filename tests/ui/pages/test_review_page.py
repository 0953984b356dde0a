"""From photos to an enrolled set in the real window, offscreen; clicks and keys are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from referee.rules.tiles import CODES
from tests.ui.laid_out import PHOTOS, laid_out, write_photos
from tests.ui.waiting import WaitFor
from tests.vision.dataset.data_sets import tile
from ui.app.main_window import START, MainWindow
from ui.app.navigation import NEW_GAME, TILES, AppPages
from ui.app.own_tiles_controller import REVIEW
from ui.pages.export_dialog import ExportDialog
from ui.pages.review_page import ReviewPage
from ui.platform.qimages import to_bgr
from ui.storage.paths import tile_sets_folder
from ui.storage.preferences import Settings, TextSize, load_settings
from ui.text.catalogue import choose_language
from ui.widgets.review.crop_loader import CropLoader
from ui.widgets.table.tile_popup import TilePopup
from vision.dataset.capture import LabelProposer
from vision.recognition.reading import Quad, Reading
from vision.tilesets.tile_set_file import read_tile_set

ENTER = Qt.Key.Key_Return
MOST_GESTURES = 60
WRONG = {"R40": "R10", "G6": "G60", "B120": "B20"}
"""What the reader takes for what, in 3 of 45 tiles: fewer than 95 % of its proposals are right."""


@pytest.fixture
def pages(application: QApplication) -> Iterator[AppPages]:
    choose_language("en")
    window = MainWindow()
    made = AppPages(window, Settings())
    window.show_page(START)
    window.show()
    application.processEvents()
    yield made
    window.close()
    made.stop()


class Hands:
    """Clicks and presses keys as a person does, and counts."""

    def __init__(self) -> None:
        self.gestures = 0

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())
        QApplication.processEvents()
        self.gestures += 1

    def press(self, widget: QWidget, *keys: Qt.Key | str) -> None:
        for key in keys:
            QTest.keyClick(widget, key)  # type: ignore[arg-type]  # a letter is one as well
            QApplication.processEvents()
            self.gestures += 1


def write_data_set(folder: Path) -> Path:
    """Write two small photos of the same tiles, which the reader has proposed."""
    write_photos(folder, called=None, shown=[PHOTOS[0][:4], PHOTOS[1][:3]])
    for number, codes in enumerate((PHOTOS[0][:4], PHOTOS[1][:3])):
        _, quads = laid_out(codes)
        tiles = [
            tile(code, quad.tolist(), confidence=0.9 - 0.1 * at - 0.01 * number, proposed=True)
            for at, (code, quad) in enumerate(zip(codes, quads, strict=True))
        ]
        content = {"image": f"{number}.png", "layout": "-", "tiles": tiles}
        (folder / f"{number}.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def page(pages: AppPages, tmp_path: Path, wait_for: WaitFor) -> ReviewPage:
    """A review of seven tiles, the fourth of the first photo the most doubtful."""
    page = pages.own_tiles.page
    pages.own_tiles.open_folder(write_data_set(tmp_path / "kitchen"))
    wait_for(lambda: pages.window.page_name() == REVIEW)
    wait_for(lambda: page.grid.loader.photo(0) is not None)
    return page


def shown(page: ReviewPage) -> list[str]:
    review = page.review
    assert review is not None
    return [review.crop(number).label.code for number in review.shown()]


def written(page: ReviewPage, name: str = "0") -> list[dict[str, object]]:
    assert page.review is not None
    return json.loads((page.review.folder / f"{name}.json").read_text())["tiles"]  # type: ignore[no-any-return]


def test_from_photos_to_an_enrolled_set_in_at_most_sixty_gestures(
    pages: AppPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait_for: WaitFor
) -> None:
    """Choosing the photos in the system's dialog counts as three."""
    photos = sorted(write_photos(tmp_path / "photos", called=None).iterdir())
    monkeypatch.setattr("ui.app.own_tiles_controller.choose_photos", lambda _parent: photos)
    propose = LabelProposer.propose

    def propose_wrongly(self: LabelProposer, image_bgr: object) -> Reading:
        reading = propose(self, image_bgr)  # type: ignore[arg-type]
        tiles = [replace(tile, code=WRONG.get(tile.code, tile.code)) for tile in reading.tiles]
        return replace(reading, tiles=tuple(tiles))

    monkeypatch.setattr(LabelProposer, "propose", propose_wrongly)
    hands, own, page = Hands(), pages.own_tiles, pages.own_tiles.page
    pages.window.show_page(TILES)
    hands.click(pages.tiles.capture)
    hands.gestures += 3
    wait_for(lambda: pages.window.page_name() == REVIEW)
    review, grid = page.review, page.grid
    assert review is not None
    assert sorted(shown(page)) == sorted(WRONG.get(code, code) for code in CODES)
    for right, wrong in WRONG.items():
        photo = next(at for at, codes in enumerate(PHOTOS) if right in codes)
        row = next(
            row
            for row, number in enumerate(grid.crops.numbers)
            if review.crop(number).label.code == wrong
            and _lies_at(review.crop(number).label.quad_px, photo, right)
            and review.image(review.crop(number).picture).name.startswith(f"{photo}-")
        )
        grid.scrollTo(grid.crops.index(row))
        hands.gestures += 1  # the wheel
        hands.click(grid.viewport(), grid.visualRect(grid.crops.index(row)).center())
        hands.press(grid, *right.lower(), ENTER)
    hands.click(page.confirm_all)
    assert review.progress().proposed == 0
    hands.click(page.learning.learn)
    wait_for(lambda: page.learning.use.isVisible() or not own._other.is_busy)
    assert page.learning.use.isVisible(), page.learning.result.text
    hands.click(page.learning.use)
    name = review.folder.name
    assert read_tile_set(name, tile_sets_folder()).codes == CODES
    assert load_settings().settings.tiles == name
    pages.window.show_page(NEW_GAME)
    assert pages.new_game.request().tiles == name
    assert hands.gestures <= MOST_GESTURES, hands.gestures
    print(f"{hands.gestures} gestures")


def _lies_at(quad: Quad, photo: int, code: str) -> bool:
    """Return whether corners are those of a tile of a photo."""
    _, quads = laid_out(PHOTOS[photo])
    middle = quads[PHOTOS[photo].index(code)].mean(axis=0)
    x, y = (sum(part) / 4 for part in zip(*quad, strict=True))
    return float(abs(x - middle[0]) + abs(y - middle[1])) < 30


def test_the_keyboard_says_it_all(page: ReviewPage) -> None:
    hands, grid = Hands(), page.grid
    assert shown(page)[0] == PHOTOS[0][3]
    hands.press(grid, ENTER)
    assert "proposed" not in written(page)[3]
    hands.press(grid, "g", "4", "1", Qt.Key.Key_Backspace, "0", ENTER)
    assert [each["code"] for each in written(page, "1")][2] == "G40"
    hands.press(grid, Qt.Key.Key_Delete)
    assert len(written(page)) == 3
    hands.press(grid, "u", "u")
    assert (len(written(page)), written(page, "1")[2]["code"]) == (4, PHOTOS[1][2])
    QTest.keyClick(grid, Qt.Key.Key_U, Qt.KeyboardModifier.ShiftModifier)
    assert written(page, "1")[2]["code"] == "G40"
    hands.press(grid, "g", "9", ENTER)
    assert page._hint.text().startswith("There is no tile 'g9'")
    hands.press(grid, "b", Qt.Key.Key_Escape)
    assert (grid.typed, page.isVisible()) == ("", True)


def test_a_corner_is_dragged_and_a_missed_tile_added(page: ReviewPage, wait_for: WaitFor) -> None:
    grid, pane = page.grid, page.pane
    number = grid.current_number()
    assert number is not None
    assert page.review is not None
    before = page.review.crop(number).label.quad_px
    wait_for(lambda: pane._image is not None)
    at = pane.to_pane(before[2]).toPoint()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(pane, at + QPoint(5, 0))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=at + QPoint(5, 0))
    after = page.review.crop(number).label.quad_px
    assert after[:2] == before[:2]
    assert after[2][0] > before[2][0] + 3
    QTest.keyClick(grid, Qt.Key.Key_A)
    QTest.keyClick(grid, Qt.Key.Key_Escape)
    assert (pane.is_adding, page.isVisible()) == (False, True)
    QTest.keyClick(grid, Qt.Key.Key_A)
    for x, y in ((700, 500), (700, 560), (760, 560), (760, 500)):  # the other way round
        QTest.mouseClick(pane, Qt.MouseButton.LeftButton, pos=pane.to_pane((x, y)).toPoint())
    QTest.keyClicks(grid, "m200")
    QTest.keyClick(grid, ENTER)
    added = written(page)[-1]
    assert added["code"] == "M200"
    assert len(grid.crops.numbers) == 8
    QTest.keyClick(grid, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(grid.crops.numbers) == 7
    assert grid.current_number() == number
    corners = [[round(part, -1) for part in corner] for corner in added["quad"]]  # type: ignore[attr-defined]
    assert corners == [[700, 500], [760, 500], [760, 560], [700, 560]]


def test_one_tile_by_itself_and_contradictions(page: ReviewPage, wait_for: WaitFor) -> None:
    hands, grid = Hands(), page.grid
    hands.click(page.progress.squares.squares["Y10"])
    assert len(grid.crops.numbers) == 1
    hands.press(grid, *"y2", ENTER)
    assert grid.crops.numbers == []
    hands.click(page.progress.show_all)
    assert len(grid.crops.numbers) == 7
    assert page.progress.troubles[0].text() == "yellow 2 twice in 0.png"
    hands.click(page.confirm_all)
    hands.click(page.learning.learn)
    wait_for(lambda: page.learning.result.text.startswith("'"))
    assert "shows Y2 2 times, but there is only 1" in page.learning.result.text
    assert not page.learning.use.isVisible()


def test_a_folder_that_is_dropped_is_reviewed(pages: AppPages, tmp_path: Path, wait_for: WaitFor) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(write_data_set(tmp_path / "dropped")))])
    pages.window.show_page(TILES)
    actions, buttons, keys = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    pages.tiles.dropEvent(QDropEvent(QPointF(), actions, data, buttons, keys))
    wait_for(lambda: pages.window.page_name() == REVIEW)
    assert pages.own_tiles.page.learning.name_field.text() == "dropped"


@pytest.mark.parametrize("size", [(1024, 640), (800, 1200), (3840, 2160)], ids=str)
def test_the_page_fits_the_window(page: ReviewPage, pages: AppPages, size: tuple[int, int]) -> None:
    pages.window.apply_settings(Settings(text_size=TextSize.LARGEST))
    pages.window.resize(*size)
    QApplication.processEvents()
    assert (pages.window.width(), pages.window.height()) == size


def test_photos_without_tiles_are_said(pages: AppPages, tmp_path: Path, wait_for: WaitFor) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"no picture")
    pages.own_tiles.capture([tmp_path / "empty.jpg"])
    wait_for(lambda: not pages.own_tiles._capture.is_busy)
    assert "is not a picture" in pages.window._notice.accessibleName()
    assert pages.window.page_name() == TILES


def test_a_data_set_is_exported(
    page: ReviewPage, pages: AppPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait_for: WaitFor
) -> None:
    def accept(dialog: ExportDialog) -> int:
        dialog.format.setCurrentIndex(dialog.format.findData("coco"))
        dialog.licence.setText("CC-BY-4.0")
        button = dialog.findChildren(QPushButton)[-1]
        button.click()
        return dialog.result()

    monkeypatch.setattr(ExportDialog, "exec", accept)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    page.export_wanted.emit()
    wait_for(lambda: not pages.own_tiles._other.is_busy)
    assert pages.window._notice.accessibleName().startswith("Wrote 2 pictures with 7 labels")
    assert list((tmp_path / "kitchen-coco").rglob("*.json"))
    wait_for(lambda: not page.findChildren(ExportDialog))


def test_the_popup_that_asks_for_a_tile_is_made_once(page: ReviewPage) -> None:
    """Each was kept with its 45 buttons until the window was closed."""
    code = next(code for code in CODES if code not in shown(page))
    for row in (0, 1, 0):
        page.grid.asked.emit(row, QPoint(100, 100))
    (popup,) = page.findChildren(TilePopup)
    popup.palette_of_tiles.button(code).click()
    assert shown(page).count(code) == 1


def test_photos_are_added_to_the_data_set(
    page: ReviewPage, pages: AppPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait_for: WaitFor
) -> None:
    """What was confirmed before stays so."""
    QTest.keyClick(page.grid, ENTER)
    photos = write_photos(tmp_path / "more", called=None, shown=[PHOTOS[2]])
    monkeypatch.setattr("ui.app.own_tiles_controller.choose_photos", lambda _parent: [photos / "0.png"])
    page.photos_wanted.emit()
    wait_for(lambda: pages.window.page_name() == REVIEW and not pages.own_tiles._capture.is_busy)
    assert page.review is not None
    assert page.review.folder == tmp_path / "kitchen"
    assert (page.review.progress().confirmed, page.review.size) == (1, 22)


def test_only_tiles_of_the_game_can_be_used(pages: AppPages, page: ReviewPage, wait_for: WaitFor) -> None:
    hands = Hands()
    hands.click(page.confirm_all)
    for name in ("0", "1"):
        path = page.review.folder / f"{name}.json"  # type: ignore[union-attr]
        path.write_text(path.read_text().replace('"code": "', '"code": "my-'))
    pages.own_tiles.open_folder(page.review.folder)  # type: ignore[union-attr]
    wait_for(lambda: not pages.own_tiles._other.is_busy)
    hands.click(page.learning.learn)
    wait_for(lambda: not pages.own_tiles._other.is_busy)
    assert page.learning.result.text.startswith("Learned 7 tiles from 7 pictures")
    assert not page.learning.use.isVisible()
    pages.tiles.tiles_wanted.emit("kitchen")
    assert "has the tiles of another game" in pages.window._notice.accessibleName()
    assert load_settings().settings.tiles == ""


def test_a_crop_of_a_huge_photo_is_the_same_tile(
    application: QApplication, tmp_path: Path, wait_for: WaitFor
) -> None:
    """It is kept smaller, and its corners are still those of the file."""
    image, quads = laid_out(PHOTOS[0])
    cv2.imwrite(str(tmp_path / "small.png"), image)
    cv2.imwrite(str(tmp_path / "huge.png"), cv2.resize(image, None, fx=5, fy=5))
    crops = []
    for name, times in (("small.png", 1), ("huge.png", 5)):
        quad = tuple(map(tuple, (quads[4] + 0.5) * times - 0.5))
        loader = CropLoader(lambda _picture, name=name: (tmp_path / name, ()))  # type: ignore[misc]
        key = (0, quad)
        wait_for(lambda loader=loader, key=key: loader.crop(0, key) is not None)  # type: ignore[misc]
        crop = loader.crop(0, key)  # type: ignore[arg-type]
        assert crop is not None
        crops.append(to_bgr(crop).astype(float))
        loader.stop()
    assert abs(crops[0] - crops[1]).mean() < 6
