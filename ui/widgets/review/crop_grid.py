"""The grid of crops: the doubtful ones first, each with its code; put right with the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from referee.rules.tiles import TILES
from ui.artwork.colour_signs import symbol_path
from ui.artwork.palette import TILE_COLOURS
from ui.text import review as texts
from ui.text.catalogue import say
from ui.text.sentences import tile_name
from ui.widgets.review.crop_loader import MAX_CROPS, CropLoader, Sheet
from ui.widgets.theme import Look

if TYPE_CHECKING:
    from vision.dataset.review import Crop, Review

CELL_PX, GAP_PX, CHIP_PX = 108, 10, 26
"""In pixels of the design: side of a crop, gap between two, and height of the line with the code."""
MAX_TYPED = 24
SURE_PERCENT, PERCENT_FROM_PX = 99, 88
"""A percentage is shown if it is below the first, and if the cell is wider than the second."""
Index = QModelIndex | QPersistentModelIndex


class CropList(QAbstractListModel):
    """The crops that are shown, by number."""

    def __init__(self) -> None:
        super().__init__()
        self.review: Review | None = None
        self.numbers: list[int] = []

    def show_crops(self, review: Review | None, numbers: Sequence[int]) -> bool:
        """Show these crops. Return whether they have changed, because then the selection is lost."""
        numbers = list(numbers)
        if review is self.review and numbers == self.numbers:
            if numbers:
                self.dataChanged.emit(self.index(0), self.index(len(numbers) - 1))
            return False
        self.beginResetModel()
        self.review, self.numbers = review, numbers
        self.endResetModel()
        return True

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many crops there are."""
        return 0 if parent is not None and parent.isValid() else len(self.numbers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what screen readers say of a crop."""
        if self.review is None or role not in (
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        crop = self.review.crop(self.numbers[index.row()])
        name = called(crop.label.code)
        if crop.gone:
            return say(texts.CROP_GONE)
        if crop.is_proposed:
            return say(texts.CROP_PROPOSED, tile=name, percent=round(100 * (crop.label.confidence or 0)))
        return say(texts.CROP_CONFIRMED, tile=name)


class CropDelegate(QStyledItemDelegate):
    """Paints a crop with its code below it."""

    def __init__(self, grid: CropGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of every cell."""
        return self._grid.cell_size()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        review = self._grid.crops.review
        if review is None:
            return
        crop = review.crop(self._grid.crops.numbers[index.row()])
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        is_current = index.row() == self._grid.currentIndex().row()
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self._paint(painter, QRect(option.rect), crop, chosen=chosen, is_current=is_current)
        painter.restore()

    def _paint(self, painter: QPainter, rect: QRect, crop: Crop, *, chosen: bool, is_current: bool) -> None:
        look = self._grid.look
        theme, gap, chip = look.theme, look.px(GAP_PX), look.px(CHIP_PX)
        cell = QRectF(rect).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2)
        picture = QRectF(cell.x(), cell.y(), cell.width(), cell.height() - chip)
        round_px = look.px(9)
        card = QPainterPath()
        card.addRoundedRect(cell, round_px, round_px)
        painter.fillPath(card, QColor(theme.hover if chosen else theme.card))
        painter.save()
        painter.setClipPath(card)
        image = self._grid.loader.crop(crop.picture, (crop.number, crop.label.quad_px))
        if image is not None:
            painter.setOpacity(0.3 if crop.gone else 1.0)
            painter.drawImage(picture, image)
            painter.setOpacity(1.0)
        elif self._grid.loader.has_failed(crop.picture):
            painter.setPen(QColor(theme.quiet))
            painter.drawText(picture, Qt.AlignmentFlag.AlignCenter, "?")
        painter.restore()
        if crop.gone:
            painter.setPen(QPen(QColor(theme.quiet), look.px(3)))
            inner = picture.adjusted(gap * 2, gap * 2, -gap * 2, -gap * 2)
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
        line = QRectF(cell.x(), picture.bottom(), cell.width(), chip)
        self._paint_line(painter, line, crop, self._grid.typed if is_current else "")
        if is_current or chosen:
            painter.setPen(QPen(QColor(theme.accent), look.px(3 if is_current else 2)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(card)

    def _paint_line(self, painter: QPainter, line: QRectF, crop: Crop, typed: str) -> None:
        """Paint the sign and number of a tile on the left, and how sure it is on the right."""
        look = self._grid.look
        theme, inset = look.theme, look.px(6)
        font = QFont(painter.font())
        font.setPixelSize(look.text_px(14))
        font.setBold(True)
        painter.setFont(font)
        if typed:
            self._paint_typed(painter, line, typed)
            return
        inner = line.adjusted(inset, 0, -inset, 0)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if crop.gone:
            painter.setPen(QColor(theme.quiet))
            painter.drawText(inner, left, say(texts.CROP_GONE))
            return
        code = crop.label.code
        if code in TILES and code[0] in TILE_COLOURS:
            box = QRectF(inner.x(), inner.center().y() - look.px(8), look.px(16), look.px(16))
            painter.fillPath(symbol_path(code[0], box), QColor(TILE_COLOURS[code[0]]))
            inner.setLeft(box.right() + inset)
        elif code in TILES:
            self._paint_millstone(painter, inner)
            inner.setLeft(inner.left() + look.px(16) + inset)
        painter.setPen(QColor(theme.text))
        painter.drawText(inner, left, code[1:] if code in TILES else code)
        if crop.is_proposed:
            font.setBold(False)
            font.setPixelSize(look.text_px(13))
            painter.setFont(font)
            painter.setPen(QColor(theme.ring_taken))
            percent = int(100 * (crop.label.confidence or 0))
            is_told = percent < SURE_PERCENT and line.width() > PERCENT_FROM_PX
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(inner, right, f"{percent} % ?" if is_told else "?")
        else:
            self._paint_tick(painter, inner)

    def _paint_typed(self, painter: QPainter, line: QRectF, typed: str) -> None:
        """Paint the code that is being typed, in place of the tile's own."""
        look = self._grid.look
        path = QPainterPath()
        path.addRoundedRect(line, look.px(6), look.px(6))
        painter.fillPath(path, QColor(look.theme.accent))
        painter.setPen(QColor(look.theme.accent_text))
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, f"{typed.upper()}▏")

    def _paint_tick(self, painter: QPainter, inner: QRectF) -> None:
        """Paint on the right that the tile is confirmed."""
        look = self._grid.look
        painter.setPen(QPen(QColor(look.theme.accent), look.px(2.5)))
        x, y, size = inner.right() - look.px(13), inner.center().y(), look.px(4)
        tick = QPainterPath(QPoint(round(x), round(y)).toPointF())
        tick.lineTo(x + size, y + size)
        tick.lineTo(x + 3 * size, y - size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(tick)

    def _paint_millstone(self, painter: QPainter, inner: QRectF) -> None:
        side = self._grid.look.px(8)
        top = inner.center().y() - side
        for at, letter in enumerate(TILE_COLOURS):
            box = QRectF(inner.x() + at % 2 * side, top + at // 2 * side, side - 1, side - 1)
            painter.fillRect(box, QColor(TILE_COLOURS[letter]))


class CropGrid(QListView):
    """Shows crops, and tells what somebody says of them with keys or mouse."""

    confirm_wanted = Signal(list)
    """Rows."""
    gone_wanted = Signal(list)
    """Rows of crops that show no tile."""
    code_wanted = Signal(int, str)
    """A row, and the code that was typed for it."""
    asked = Signal(int, QPoint)
    """Somebody wants to choose the tile of a row; and where, on the screen."""
    undo_wanted = Signal()
    redo_wanted = Signal()
    add_wanted = Signal()
    """Somebody wants to add a tile to the photo."""
    cancel_wanted = Signal()
    """Escape, while `is_waiting`."""
    current_row_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.look = Look()
        self.typed = ""
        self.is_waiting = False
        """Whether a tile is being added. Escape ends that."""
        self.crops = CropList()
        self.loader = CropLoader(self._sheet, self)
        self.setModel(self.crops)
        self.setItemDelegate(CropDelegate(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(False)
        self.viewport().setAutoFillBackground(False)
        self.loader.loaded.connect(lambda _picture: self.viewport().update())
        self.doubleClicked.connect(self._on_double_clicked)
        self.set_look(self.look)

    def show_review(self, review: Review | None) -> None:
        """Show the crops of a data set, in place of the one before."""
        self.loader.stop()
        self.loader.deleteLater()
        self.loader = CropLoader(self._sheet, self)
        self.loader.loaded.connect(lambda _picture: self.viewport().update())
        self.typed = ""
        self.crops.show_crops(review, () if review is None else review.shown())

    def show_numbers(self, numbers: Sequence[int]) -> None:
        """Show these crops as they are now."""
        if self.crops.show_crops(self.crops.review, numbers):
            self.typed = ""

    def go_to(self, row: int) -> None:
        """Make this row the current one, and select it alone."""
        if 0 <= row < len(self.crops.numbers):
            self.typed = ""
            index = self.crops.index(row)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def current_number(self) -> int | None:
        """Return the number of the current crop."""
        row = self.currentIndex().row()
        return self.crops.numbers[row] if 0 <= row < len(self.crops.numbers) else None

    def chosen_rows(self) -> list[int]:
        """Return the rows that are chosen, from the top."""
        return sorted(index.row() for index in self.selectedIndexes())

    def cell_size(self) -> QSize:
        """Return the size of a cell with its gap. As many cells as fit share the width."""
        gap, room = self.look.px(GAP_PX), max(1, self.viewport().width() - 1)
        columns = max(1, room // (self.look.px(CELL_PX) + gap))
        side = room // columns
        return QSize(side, side + self.look.px(CHIP_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        self.setGridSize(self.cell_size())
        super().resizeEvent(event)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self.look = look
        self.setGridSize(self.cell_size())
        self.setStyleSheet("QListView { background: transparent; border: none; outline: none; }")
        self.viewport().update()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which row is the current one."""
        super().currentChanged(current, previous)
        self.typed = ""
        self.current_row_changed.emit(current.row())

    def event(self, event: QEvent) -> bool:
        """Take the keys that name a tile, before the window takes them as shortcuts."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._means(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a key."""
        rows, row, key = self.chosen_rows(), self.currentIndex().row(), Qt.Key(event.key())
        if not self._means(event) or row < 0:
            super().keyPressEvent(event)
        elif self.typed and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            typed, self.typed = self.typed, ""
            self.code_wanted.emit(row, typed)
        elif self.typed and key in (Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            self.typed = self.typed[:-1] if key == Qt.Key.Key_Backspace else ""
        elif key == Qt.Key.Key_Escape:
            self.cancel_wanted.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.confirm_wanted.emit(rows or [row])
        elif key == Qt.Key.Key_Delete:
            self.gone_wanted.emit(rows or [row])
        elif self._types(event):
            self.typed = (self.typed + event.text())[:MAX_TYPED]
        elif key == Qt.Key.Key_U:
            is_redo = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.redo_wanted if is_redo else self.undo_wanted).emit()
        else:
            self.add_wanted.emit()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select what is clicked."""
        super().mousePressEvent(event)
        self.viewport().update()

    def _means(self, event: QKeyEvent) -> bool:
        """Return whether a key says something about a tile."""
        key = Qt.Key(event.key())
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            return bool(self.typed) or (self.is_waiting and key == Qt.Key.Key_Escape)
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Delete)
        return key in keys or self._types(event) or key in (Qt.Key.Key_U, Qt.Key.Key_A)

    def _types(self, event: QKeyEvent) -> bool:
        """Return whether a key begins or continues a tile's code."""
        text, review = event.text(), self.crops.review
        if not text or not text.isprintable() or text.isspace() or review is None:
            return False
        return bool(self.typed) or review.is_beginning(text)

    def _on_double_clicked(self, index: Index) -> None:
        self.asked.emit(index.row(), self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()))

    def _sheet(self, picture: int) -> Sheet:
        """Return a picture's file, and what to cut out of it if all crops can be kept."""
        review = self.crops.review
        assert review is not None
        if review.size > MAX_CROPS:
            return review.image(picture), ()
        crops = review.crops_of(picture)
        return review.image(picture), [(crop.number, crop.label.quad_px) for crop in crops]


def called(code: str) -> str:
    """Return what people call a tile. A tile of another game is called by its code."""
    return tile_name(code) if code in TILES else code
