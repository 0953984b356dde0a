"""The window: a stack of pages, of which one is shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from ui.pages.page import Page
from ui.storage.preferences import Settings
from ui.text import pages as page_texts
from ui.text import window as window_texts
from ui.text.catalogue import choose_language, say
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.style import body_px, style_sheet
from ui.widgets.theme import DESIGN_HEIGHT, DESIGN_WIDTH, look_for, palette_for
from ui.widgets.words import Words

FONTS = ["Inter", "Segoe UI", "SF Pro Text", "Helvetica Neue", "Noto Sans", "Ubuntu", "DejaVu Sans"]
"""The window uses the first of these fonts that the system has."""
START = "start"
"""Esc leads back to this page."""


class MainWindow(QMainWindow):
    """Shows one page at a time, and gives all of them language, colours and sizes."""

    game_wanted = Signal(object)
    """A `GameRequest`: somebody starts a new game."""
    photos_dropped = Signal(list)
    recording_dropped = Signal(Path)
    page_changed = Signal(str)
    """The name of the page that is shown from now on."""
    closing = Signal()
    """The window closes: the time to save."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._settings = settings or Settings()
        self._pages: dict[str, Page] = {}
        self._back: tuple[str, ...] = ()
        """The pages that Esc and the first button lead back to, the nearest last; none: the start page."""
        self._look = look_for(self._settings, DESIGN_WIDTH, DESIGN_HEIGHT)
        self._words = Words()
        self._stack = QStackedWidget()
        self._notice = NoticeBar(self._words)
        ground = QWidget()
        ground.setObjectName("ground")
        layout = QVBoxLayout(ground)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._notice)
        layout.addWidget(self._stack, 1)
        self.setCentralWidget(ground)
        self.setWindowTitle(say(window_texts.APP_NAME))
        self.setMinimumSize(360, 480)
        self.setAcceptDrops(True)
        self._add_actions()
        free = self.screen().availableGeometry()
        wide, high = self._settings.window
        self.resize(min(wide or DESIGN_WIDTH, free.width()), min(high or DESIGN_HEIGHT, free.height()))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_colour_scheme)
        self._dress(anew=True)

    def add_page(self, name: str, page: Page) -> None:
        """Put a page into the stack; it is shown with `show_page`."""
        self._pages[name] = page
        self._stack.addWidget(page)
        page.home_wanted.connect(self._leave_page)
        page.set_look(self._look)

    def visit_page(self, name: str) -> None:
        """Show the page of this name; Esc and its first button lead back to the one before."""
        self.show_page(name, back=(*self._back, self.page_name()))

    def show_page(self, name: str, *, back: tuple[str, ...] = ()) -> None:
        """Show the page of this name in place of the one before."""
        before, page = self._stack.currentWidget(), self._pages[name]
        if before is page and page.isVisible():
            return
        if isinstance(before, Page) and before is not page:
            before.leave()
        self._back = back
        page.show_way_back(leads_home=back in ((), (START,)))
        page.set_big(is_big=self.isFullScreen())
        self._stack.setCurrentWidget(page)
        self._notice.forget_news()
        page.enter()
        self.page_changed.emit(name)

    def page_name(self) -> str:
        """Return the name of the page that is shown; empty if there is none yet."""
        shown = self._stack.currentWidget()
        return next((name for name, page in self._pages.items() if page is shown), "")

    def show_notice(self, sentence: str, details: str = "") -> None:
        """Show on a strip above the page what went wrong."""
        self._notice.show_notice(sentence, details)

    def show_news(self, sentence: str) -> None:
        """Show on that strip what went well, as long as this page is shown."""
        self._notice.show_notice(sentence, is_news=True)

    def apply_settings(self, settings: Settings) -> None:
        """Take over changed settings: language, colours and sizes, all at once."""
        new_words = settings.language is not self._settings.language
        self._settings = settings
        if new_words:
            choose_language(settings.language.code)
            self._words.renew()
            for page in self._pages.values():
                page.renew_words()
        self._dress()

    def go_back(self) -> None:
        """Leave full screen; else take a step back within the page; else go back to the start page."""
        page = self._stack.currentWidget()
        if self.windowState() & Qt.WindowState.WindowFullScreen:
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        elif isinstance(page, Page) and page.go_back():
            return
        else:
            self._leave_page()

    def _leave_page(self) -> None:
        """Show the page before a visit; else the start page."""
        before = self._back[-1] if self._back else START
        if before in self._pages:
            self.show_page(before, back=self._back[:-1])

    def _add_actions(self) -> None:
        for name, keys, on_triggered in (
            (window_texts.FULL_SCREEN, QKeySequence(Qt.Key.Key_F), self._on_full_screen),
            (window_texts.GO_BACK, QKeySequence(Qt.Key.Key_Escape), self.go_back),
            (window_texts.QUIT, QKeySequence("Ctrl+Q"), self.close),
        ):
            action = QAction(self)
            action.setShortcut(keys)
            action.triggered.connect(on_triggered)
            self._words.bind(action.setText, name)
            self.addAction(action)

    def _dress(self, *, anew: bool = False) -> None:
        """Give the current look to every part if it has changed."""
        look = look_for(self._settings, self.width(), self.height())
        if look == self._look and not anew:
            return
        self._look = look
        palette = palette_for(look.theme)
        QApplication.setPalette(palette)
        font = QFont(FONTS)
        font.setPixelSize(body_px(look))
        QApplication.setFont(font)
        self.setStyleSheet(style_sheet(look))
        for page in self._pages.values():
            page.set_look(look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scale the type."""
        self._dress()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Show the page from afar in full screen."""
        super().changeEvent(event)
        page = self._stack.currentWidget() if event.type() == QEvent.Type.WindowStateChange else None
        if isinstance(page, Page):
            page.set_big(is_big=self.isFullScreen())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome a file."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped: a recording, or photos."""
        # It brings much with it that the first frame need not wait for.
        from ui.pages.choose_files import is_recording

        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        photos = [file for file in files if not is_recording(file)]
        recordings = [file for file in files if file not in photos]
        if recordings:
            self.recording_dropped.emit(recordings[0])
            if len(files) > 1:
                self.show_notice(say(page_texts.ONE_RECORDING, name=recordings[0].name))
        elif photos:
            self.photos_dropped.emit(photos)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what the pages run, and let others save; a page that has something to ask stays."""
        for name, page in self._pages.items():
            if not page.may_close(self.close):
                if name != self.page_name():
                    self.visit_page(name)
                event.ignore()
                return
        self.closing.emit()
        for page in self._pages.values():
            page.leave()
        super().closeEvent(event)

    def _on_colour_scheme(self) -> None:
        self._dress()

    def _on_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
