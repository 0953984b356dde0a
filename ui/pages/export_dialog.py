"""Asks how a data set is to be given to others."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from ui.services.own_tiles import ExportRequest
from ui.text import review as texts
from ui.text.catalogue import say
from ui.widgets.controls import make_button, make_label
from ui.widgets.words import Words

FORMATS = (
    ("native", texts.NATIVE),
    ("coco", "COCO"),
    ("yolo", "YOLO"),
    ("yolo-obb", "YOLO OBB"),
    ("label-studio", "Label Studio"),
)
"""Names of other programs are not translated."""
MAX_LICENCE = 200


class ExportDialog(QDialog):
    """Collects an `ExportRequest`."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self._name = name
        self.request: ExportRequest | None = None
        words = Words()
        self.format = QComboBox()
        for fmt, label in FORMATS:
            self.format.addItem(say(label), fmt)
        self.licence = QLineEdit()
        self.licence.setMaxLength(MAX_LICENCE)
        self.blur = QCheckBox()
        words.bind(self.setWindowTitle, texts.EXPORT_TITLE)
        words.bind(self.format.setAccessibleName, texts.EXPORT_FORMAT)
        words.bind(self.licence.setPlaceholderText, texts.EXPORT_LICENCE)
        words.bind(self.licence.setAccessibleName, texts.EXPORT_LICENCE)
        words.bind(self.blur.setText, texts.EXPORT_BLUR)
        go, cancel = make_button(words, texts.EXPORT_GO, "go"), make_button(words, texts.CANCEL)
        go.setDefault(True)
        go.clicked.connect(self._on_go)
        cancel.clicked.connect(self.reject)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(24, 20, 24, 20)
        inside.setSpacing(12)
        inside.addWidget(make_label(words, texts.EXPORT_TITLE, "heading"))
        inside.addWidget(make_label(words, texts.EXPORT_FORMAT, "name"))
        for widget in (self.format, self.licence, self.blur):
            inside.addWidget(widget)
        inside.addWidget(make_label(words, texts.EXPORT_PRIVACY, "quiet"))
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(go)
        inside.addLayout(row)

    def _on_go(self) -> None:
        parent = QFileDialog.getExistingDirectory(self, say(texts.EXPORT_GO))
        if parent:
            fmt = str(self.format.currentData())
            folder = Path(parent) / f"{self._name}-{fmt}"
            self.request = ExportRequest(fmt, folder, self.licence.text().strip(), self.blur.isChecked())
            self.accept()
