"""Where the pictures come from: a camera by name, a stream's address, or none at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QLineEdit, QPushButton, QVBoxLayout

from ui.pages.new_game.preview_view import PreviewView
from ui.platform.cameras import Camera
from ui.storage.preferences import CameraLocks
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.text.phones import words as phone_words
from ui.viewmodels.requests import PHONE_SOURCE, SourceKind, SourceRequest, as_address
from ui.widgets.controls import make_button, make_label
from ui.widgets.phone_code import PhoneCode
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words

MAX_ADDRESS = 2000
TYPING_MS = 800
"""After such a pause the picture of an address is shown that is being typed."""


class SourceCard(QFrame):
    """Offers the sources and shows the chosen one's picture."""

    preview_wanted = Signal(object)
    """A `SourceRequest` whose picture is to be shown, or None for no picture."""
    locks_wanted = Signal(str, object)
    """A camera's name and its `CameraLocks`: the settings that stay fixed."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        dress(self, "card")
        self._words = words
        self._cameras: tuple[Camera, ...] = ()
        self._locks: dict[str, CameraLocks] = {}
        self._recording: Path | None = None
        self._previewed: SourceRequest | None = None
        self._group = QButtonGroup(self)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self._none = make_label(words, texts.NO_CAMERA_FOUND, "quiet")
        self._file = self._source_button("")
        self._file.hide()
        self._scan = self._source_button(phone_words.USE_PHONE)
        self.code = PhoneCode(words)
        self._phone = self._source_button(texts.PHONE_STREAM)
        self._clicking = self._source_button(texts.WITHOUT_CAMERA)
        self._address = _address_field(words)
        self._address.editingFinished.connect(self._on_chosen)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_MS)
        self._pause.timeout.connect(self._on_chosen)
        self._address.textEdited.connect(lambda _text: self._pause.start())
        self._advice = [
            make_label(words, text, "quiet")
            for text in (texts.PHONE_APP, texts.PHONE_WIFI, texts.PHONE_PLACE)
        ]
        self._clicking_hint = make_label(words, texts.WITHOUT_CAMERA_HINT, "quiet")
        self.preview = PreviewView(words)
        self.preview.locks_wanted.connect(self._on_locks)
        self._lay_out()
        self._group.buttonClicked.connect(self._on_chosen)
        self._clicking.setChecked(True)
        self.show_cameras(())

    def show_cameras(self, cameras: Sequence[Camera]) -> None:
        """List these cameras. Choose the first one if none was chosen, or if the chosen one is gone."""
        chosen = self.source()
        had_cameras = bool(self._cameras)
        self._cameras = tuple(cameras)
        while (item := self._rows.takeAt(0)) is not None:
            old = item.widget()
            assert isinstance(old, QPushButton)
            self._group.removeButton(old)
            old.hide()
            old.deleteLater()
        buttons = [self._source_button(text="") for _ in self._cameras]
        for camera, button in zip(self._cameras, buttons, strict=True):
            button.setText(camera.name)
            self._rows.addWidget(button)
        self._none.setVisible(not self._cameras)
        names = [camera.name for camera in self._cameras]
        if chosen is not None and chosen.kind is SourceKind.CAMERA:
            if chosen.name in names:
                buttons[names.index(chosen.name)].setChecked(True)
            else:
                (buttons[0] if buttons else self._clicking).setChecked(True)
        elif chosen is None and buttons and not had_cameras:
            buttons[0].setChecked(True)
        self._on_chosen()

    def show_recording(self, recording: Path) -> None:
        """Offer a recording as the source, and choose it."""
        self._recording = recording
        self._file.setText(recording.name)
        self._file.show()
        self._file.setChecked(True)
        self._on_chosen()

    def source(self) -> SourceRequest | None:
        """Return the chosen source. None for a game by clicking, and while the address is empty."""
        chosen = self._group.checkedButton()
        if chosen is self._file and self._recording is not None:
            return SourceRequest(SourceKind.RECORDING, str(self._recording), self._recording.name)
        if chosen is self._scan:
            return SourceRequest(SourceKind.PHONE, PHONE_SOURCE, say(phone_words.PHONE_CAMERA))
        if chosen is self._phone:
            text = as_address(self._address.text())
            return SourceRequest(SourceKind.ADDRESS, text, _shown(text)) if text else None
        for at, camera in enumerate(self._cameras):
            item = self._rows.itemAt(at)
            if item is not None and item.widget() is chosen:
                holds = self._locks.get(camera.name, CameraLocks()).holds
                return SourceRequest(SourceKind.CAMERA, camera.source, camera.name, holds)
        return None

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self.code.set_look(look)
        self.preview.set_look(look)

    def show_locks(self, locks: Mapping[str, CameraLocks]) -> None:
        """Remember for each camera, by name, which of its settings stay fixed."""
        self._locks = dict(locks)
        self._on_chosen()

    def _lay_out(self) -> None:
        """Put the sources below each other, each with what belongs to it, and the picture below all."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 22)
        layout.setSpacing(8)
        layout.addWidget(make_label(self._words, texts.CAMERA, "heading"))
        layout.addWidget(self._none)
        layout.addLayout(self._rows)
        for widget in (
            self._file, self._scan, self.code, self._phone, self._address, *self._advice,
            self._clicking, self._clicking_hint, self.preview,
        ):  # fmt: skip
            layout.addWidget(widget)
        layout.addStretch(1)

    def _source_button(self, text: str) -> QPushButton:
        button = make_button(self._words, text, "row") if text else QPushButton()
        dress(button, "row")
        button.setAutoDefault(True)
        button.setCheckable(True)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._group.addButton(button)
        return button

    def _on_chosen(self) -> None:
        source = self.source()
        self._pause.stop()
        self.code.setVisible(self._scan.isChecked())
        for part in (self._address, *self._advice):
            part.setVisible(self._phone.isChecked())
        self._clicking_hint.setVisible(self._clicking.isChecked())
        self.preview.setVisible(source is not None)
        if source != self._previewed:
            self._previewed = source
            self.preview.show_source(source)
            self.preview.show_locks(self._locks.get(source.name if source else "", CameraLocks()))
            self.preview_wanted.emit(source)

    def _on_locks(self, locks: CameraLocks) -> None:
        source = self.source()
        if source is not None and source.kind is SourceKind.CAMERA:
            self.locks_wanted.emit(source.name, locks)


def _address_field(words: Words) -> QLineEdit:
    """Return the field for the address of a stream."""
    field = QLineEdit()
    field.setMaxLength(MAX_ADDRESS)
    field.setClearButtonEnabled(True)
    words.bind(field.setPlaceholderText, texts.ADDRESS_EXAMPLE)
    words.bind(field.setAccessibleName, texts.ADDRESS_FIELD)
    return field


def _shown(address: str) -> str:
    """Return an address without passwords and other secrets."""
    from vision.sources.stream_address import redacted

    return redacted(address)
