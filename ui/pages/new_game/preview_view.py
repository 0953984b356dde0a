"""The picture of a camera that is being chosen, what to improve, and which camera settings stay fixed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.storage.preferences import CameraLocks
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.viewmodels.requests import SourceKind, SourceRequest
from ui.widgets.controls import make_label
from ui.widgets.picture_view import PictureView
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words
from vision.imaging.arrays import ImageU8

LOCKS = {
    "exposure": texts.HOLD_EXPOSURE,
    "focus": texts.HOLD_FOCUS,
    "white_balance": texts.HOLD_WHITE_BALANCE,
}
"""Field of `CameraLocks` -> its name."""
PREVIEW_HEIGHT_PX = 170


class PreviewView(QWidget):
    """Shows pictures and sentences that it is given."""

    locks_wanted = Signal(object)
    """The `CameraLocks` that somebody wants."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._picture = PictureView(Look().theme, say(texts.PREVIEW_EMPTY))
        words.bind(self._picture.set_empty_text, texts.PREVIEW_EMPTY)
        self._meters = QLabel()
        self._meters.setWordWrap(True)
        dress(self._meters, "quiet")
        self._locks = QWidget()
        row = QHBoxLayout(self._locks)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(make_label(words, texts.HOLD, "quiet", wrap=False))
        self._boxes = {name: QCheckBox() for name in LOCKS}
        for name, box in self._boxes.items():
            words.bind(box.setText, LOCKS[name])
            box.clicked.connect(self._on_clicked)
            row.addWidget(box)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._picture)
        layout.addWidget(self._meters)
        layout.addWidget(self._locks)

    def show_source(self, source: SourceRequest | None) -> None:
        """Begin with this source: no picture yet."""
        self._picture.show_picture(None)
        self._picture.set_empty_text(say(texts.PREVIEW_WAITS if source else texts.PREVIEW_EMPTY))
        self.show_sentences(())
        self._locks.setVisible(source is not None and source.kind is SourceKind.CAMERA)

    def show_picture(self, picture_bgr: ImageU8) -> None:
        """Show the newest picture, (H, W, 3) BGR."""
        self._picture.show_picture(picture_bgr)

    def show_sentences(self, sentences: Sequence[str]) -> None:
        """Say what to improve, or what is wrong with the source."""
        self._meters.setText("\n".join(sentences))
        self._meters.setVisible(bool(sentences))

    def show_locks(self, locks: CameraLocks) -> None:
        """Show which camera settings stay fixed, without a signal."""
        for name, box in self._boxes.items():
            box.setChecked(getattr(locks, name))

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._picture.set_look(look.theme, look.scale)
        self._picture.setFixedHeight(look.px(PREVIEW_HEIGHT_PX))

    def _on_clicked(self) -> None:
        self.locks_wanted.emit(CameraLocks(**{name: box.isChecked() for name, box in self._boxes.items()}))
