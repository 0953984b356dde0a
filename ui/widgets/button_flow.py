"""Buttons side by side that go on in the next row where the window is too narrow for them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

GAP_PX = 8


class FlowLayout(QLayout):
    """Puts its widgets side by side, in as many rows as that takes.

    Each is as wide as it wants, or all are equally wide and fill the rows.
    """

    def __init__(self, parent: QWidget | None = None, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._fills = fills
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(GAP_PX)

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item as the last one."""
        self._items.append(item)

    def count(self) -> int:
        """Return how many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item; None where there is none."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it; None where there is none."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Return that no more room is wanted than is needed."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Return that a narrow window needs more rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        return self._place(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put every widget into its place."""
        super().setGeometry(rect)
        self._place(rect, moves=True)

    def sizeHint(self) -> QSize:
        """Return the size of one row."""
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(wide, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        """Return the size of the largest widget."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, moves: bool) -> int:
        """Return the height of the rows, after putting the widgets there if they are to be moved."""
        x, y, row = rect.x(), rect.y(), 0
        shared = self._shared_width(rect.width())
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            wide = shared or min(hint.width(), rect.width())
            if row and x + wide > rect.right() + 1:
                x, y, row = rect.x(), y + row + self.spacing(), 0
            if moves:
                item.setGeometry(QRect(QPoint(x, y), QSize(wide, hint.height())))
            x, row = x + wide + self.spacing(), max(row, hint.height())
        return y + row - rect.y()

    def _shared_width(self, width: int) -> int:
        """Return how wide each widget is where all are equally wide; 0 where each is as wide as it wants."""
        hints = [item.sizeHint().width() for item in self._items if not item.isEmpty()]
        if not self._fills or not hints:
            return 0
        columns = max(1, min(len(hints), (width + self.spacing()) // (max(hints) + self.spacing())))
        return (width - self.spacing() * (columns - 1)) // columns


class ButtonFlow(QWidget):
    """Buttons in a flow layout."""

    def __init__(self, buttons: Sequence[QWidget] = (), *, fills: bool = False) -> None:
        super().__init__()
        flow = FlowLayout(self, fills=fills)
        for button in buttons:
            flow.addWidget(button)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, button: QWidget) -> None:
        """Put a button after the others."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(button)
