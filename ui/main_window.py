"""The window: the photo, the verdict, and the drawn pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ui import window_texts
from ui.picture_view import PictureView
from ui.pyramid_view import PyramidView
from ui.table_view_model import TableView, Tone, VerdictView
from ui.theme import BODY_PX, DESIGN_HEIGHT, DESIGN_WIDTH, scale_for, system_theme, text_px
from ui.verdict_panel import VerdictPanel

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


class MainWindow(QMainWindow):
    """Shows the table that it is given, and tells which photo somebody wants to see."""

    photo_wanted = Signal(Path)
    """Somebody chose or dropped a photo."""

    def __init__(self, samples: Sequence[Path] = ()) -> None:
        super().__init__()
        self._samples = tuple(samples)
        self._next_sample = 0
        theme = system_theme()
        self._picture = PictureView(theme, window_texts.no_photo_yet())
        self._verdict = VerdictPanel(theme)
        self._pyramid = PyramidView(theme)
        self._title = QLabel(window_texts.app_name())
        self._table_name = QLabel()
        self._buttons = [self._button(self._open_action())]
        if self._samples:
            self._buttons.append(self._button(self._sample_action()))
        self._add_window_actions()
        self.setCentralWidget(self._arranged())
        self.setWindowTitle(window_texts.app_name())
        self.setMinimumSize(640, 480)
        self.setAcceptDrops(True)
        self._fit_to_screen()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._dress)
        self.show_welcome()

    def show_table(self, table: TableView) -> None:
        """Show what was read."""
        self._table_name.setText(table.name)
        self._picture.show_picture(table.picture_bgr)
        self._pyramid.show_tiles(table.tiles, table.arrows)
        self._verdict.show_verdict(table.verdict)

    def show_welcome(self) -> None:
        """Show the state before anything was read."""
        hints = (window_texts.welcome_samples() if self._samples else window_texts.welcome(),)
        self.show_table(TableView("", VerdictView(Tone.CALM, window_texts.welcome_headline(), hints)))

    def show_reading(self, name: str) -> None:
        """Tell that this photo is being read, and leave the rest as it is."""
        self._verdict.show_verdict(VerdictView(Tone.NOTICE, window_texts.reading(name)))

    def show_failure(self, name: str, sentence: str) -> None:
        """Tell why a photo could not be read."""
        verdict = VerdictView(Tone.NOTICE, window_texts.not_read(), (sentence,))
        self.show_table(TableView(name, verdict))

    def show_error(self, sentence: str) -> None:
        """Tell that something went wrong which nobody foresaw."""
        self._verdict.show_verdict(VerdictView(Tone.NOTICE, window_texts.app_failed(), (sentence,)))

    def next_sample(self) -> None:
        """Want the next of the shipped photos, the first one after the last."""
        photo = self._samples[self._next_sample % len(self._samples)]
        self._next_sample += 1
        self.photo_wanted.emit(photo)

    def _open_action(self) -> QAction:
        action = QAction(window_texts.open_photo(), self)
        action.setShortcut(QKeySequence.StandardKey.Open)
        action.triggered.connect(self._on_open)
        return action

    def _sample_action(self) -> QAction:
        action = QAction(window_texts.next_sample(), self)
        action.setShortcut(QKeySequence(Qt.Key.Key_N))
        action.triggered.connect(self.next_sample)
        return action

    def _add_window_actions(self) -> None:
        full_screen = QAction(window_texts.full_screen(), self)
        full_screen.setShortcut(QKeySequence(Qt.Key.Key_F))
        full_screen.triggered.connect(self._on_full_screen)
        leave = QAction(window_texts.leave_full_screen(), self)
        leave.setShortcut(QKeySequence(Qt.Key.Key_Escape))
        leave.triggered.connect(self._on_leave_full_screen)
        quit_app = QAction(window_texts.quit_app(), self)
        quit_app.setShortcut(QKeySequence.StandardKey.Quit)
        quit_app.triggered.connect(self.close)
        self.addActions([full_screen, leave, quit_app])

    def _button(self, action: QAction) -> QPushButton:
        button = QPushButton(action.text())
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(action.trigger)
        button.setToolTip(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        self.addAction(action)
        return button

    def _arranged(self) -> QWidget:
        bar = QHBoxLayout()
        bar.setSpacing(16)
        bar.addWidget(self._title)
        bar.addWidget(self._table_name, 1)
        for button in self._buttons:
            bar.addWidget(button)
        words = QVBoxLayout()
        words.setSpacing(16)
        words.addWidget(self._verdict, 1)
        words.addWidget(self._pyramid, 1)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._halves.setSpacing(16)
        self._halves.addWidget(self._picture, 16)
        self._halves.addLayout(words, 11)
        ground = QWidget()
        ground.setObjectName("ground")
        whole = QVBoxLayout(ground)
        whole.setContentsMargins(16, 12, 16, 16)
        whole.setSpacing(12)
        whole.addLayout(bar)
        whole.addLayout(self._halves, 1)
        return ground

    def _fit_to_screen(self) -> None:
        free = self.screen().availableGeometry()
        self.resize(min(DESIGN_WIDTH, free.width()), min(DESIGN_HEIGHT, free.height()))

    def _dress(self) -> None:
        """Hand the current theme and scale to every part."""
        theme = system_theme()
        scale = scale_for(self.width(), self.height())
        self.setStyleSheet(
            f"#ground {{ background: {theme.ground}; }}"
            f"QPushButton {{ background: {theme.button}; color: {theme.text}; border: none; "
            "border-radius: 10px; padding: 7px 14px; }"
            f"QPushButton:focus {{ outline: none; border: 2px solid {theme.tones[Tone.QUESTION][0]}; }}"
        )
        font = QFont(self.font())
        font.setPixelSize(text_px(BODY_PX, scale))
        for widget in (self._title, self._table_name, *self._buttons):
            widget.setFont(font)
        font.setBold(True)
        self._title.setFont(font)
        self._title.setStyleSheet(f"color: {theme.text};")
        self._table_name.setStyleSheet(f"color: {theme.quiet};")
        for view in (self._picture, self._verdict, self._pyramid):
            view.set_look(theme, scale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the card under the picture in a tall window, and scale the type."""
        tall = self.height() > self.width()
        self._halves.setDirection(
            QBoxLayout.Direction.TopToBottom if tall else QBoxLayout.Direction.LeftToRight
        )
        self._dress()
        super().resizeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome a photo."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Want the photo that was dropped; the first one of several."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            self.photo_wanted.emit(Path(files[0]))

    def _on_open(self) -> None:
        wanted = " ".join(f"*{suffix} *{suffix.upper()}" for suffix in PHOTO_SUFFIXES)
        chosen, _ = QFileDialog.getOpenFileName(
            self, window_texts.choose_photo(), filter=f"{window_texts.photos()} ({wanted})"
        )
        if chosen:
            self.photo_wanted.emit(Path(chosen))

    def _on_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _on_leave_full_screen(self) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
