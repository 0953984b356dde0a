"""The page on which a data set is looked over: crops in order of doubt, the photo, progress, and learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from referee.rules.tiles import CODES
from ui.pages.page import Page
from ui.text import review as texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.widgets.controls import scrolled
from ui.widgets.review.act_row import ActRow
from ui.widgets.review.crop_grid import CropGrid
from ui.widgets.review.learn_row import LearnRow
from ui.widgets.review.missed_tile import MissedTile
from ui.widgets.review.photo_pane import PhotoPane
from ui.widgets.review.progress_card import ProgressCard
from ui.widgets.style import dress
from ui.widgets.table.tile_popup import TilePopup
from ui.widgets.theme import Look

if TYPE_CHECKING:
    from vision.dataset.review import Review


class ReviewPage(Page):
    """Shows a data set, and writes each correction to its files at once."""

    learn_wanted = Signal(str)
    """The name that somebody gives the tile set."""
    use_wanted = Signal(str)
    """The tile set for new games."""
    export_wanted = Signal()
    photos_wanted = Signal()
    """Somebody wants to add photos to the data set."""
    said = Signal(str)
    """One sentence: what could not be done."""

    def __init__(self) -> None:
        super().__init__(texts.REVIEW)
        self.review: Review | None = None
        self._only: str | None = None
        self._popup: TilePopup | None = None
        """Made when it is first needed, and kept."""
        self.grid, self.pane = CropGrid(), PhotoPane()
        self._missed = MissedTile(self.grid, self.pane, self)
        self.progress, self.learning = ProgressCard(self.words), LearnRow(self.words)
        self._acts = ActRow(self.words)
        self.confirm_all = self.add_tool(texts.CONFIRM_ALL, self._on_confirm_all)
        self.add_tool(texts.ADD_PHOTOS, self.photos_wanted.emit)
        self.add_tool(texts.EXPORT, self.export_wanted.emit)
        self._hint = QLabel()
        self._hint.setWordWrap(True)
        dress(self._hint, "quiet")
        self.words.bind(self.grid.setAccessibleName, texts.CROPS_NAME)
        self.words.bind(self.pane.setAccessibleName, texts.PHOTO_NAME)
        self.words.bind(self.pane.set_empty_text, texts.PHOTO_WAITS)
        self._arrange()
        self._connect()
        self.words.bind_made(self._say_all, lambda: "")

    def show_review(self, review: Review | None) -> None:
        """Show a data set from the beginning."""
        self.review, self._only = review, None
        self._missed.stop()
        self.learning.forget()
        self.pane.show_photo(None, None, (), None)
        self.grid.show_review(review)
        self.grid.loader.loaded.connect(self._on_loaded)
        self._say_all()
        self.grid.go_to(0)
        self.grid.setFocus()
        if review is not None and review.problems:
            first = error_sentence(review.problems[0])
            self.said.emit(say(texts.LEFT_OUT, count=len(review.problems), reason=first))

    def enter(self) -> None:
        """Give the keyboard to the crops."""
        self.grid.setFocus()

    def leave(self) -> None:
        """Finish what is being changed."""
        if self.review is not None:
            self._do(self.review.finish)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.grid.set_look(look)
        self.pane.set_look(look)
        self.progress.squares.set_look(look)

    def _arrange(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.grid, 1)
        left.addWidget(self._hint)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.learning.result)
        column.addWidget(self.progress)
        column.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self.pane, 6)
        right.addWidget(self._acts)
        self._lower = scrolled(lower)
        right.addWidget(self._lower, 5)
        right.addWidget(self.learning)
        halves = self.make_halves()
        halves.setSpacing(20)
        halves.addLayout(left, 8)
        halves.addLayout(right, 6)
        self.content.addLayout(halves, 1)

    def _connect(self) -> None:
        grid = self.grid
        grid.confirm_wanted.connect(self._on_confirm)
        grid.gone_wanted.connect(self._on_gone)
        grid.code_wanted.connect(self._on_code)
        grid.asked.connect(self._on_asked)
        grid.current_row_changed.connect(lambda _row: self._show_photo())
        self.pane.quad_moved.connect(self._on_moved)
        self.pane.picked.connect(self._on_picked)
        self._missed.hint_changed.connect(self._hint.setText)
        self._missed.stopped.connect(self._show_hint)
        self._acts.confirm_wanted.connect(lambda: self._on_confirm(grid.chosen_rows()))
        self._acts.gone_wanted.connect(lambda: self._on_gone(grid.chosen_rows()))
        self._acts.add_wanted.connect(self._missed.begin_or_stop)
        for each in (grid, self._acts):
            each.undo_wanted.connect(self._on_undo)
            each.redo_wanted.connect(self._on_redo)
        self.add_key(QKeySequence(QKeySequence.StandardKey.Undo), self._on_undo, self._acts.undo)
        self.add_key(QKeySequence(QKeySequence.StandardKey.Redo), self._on_redo, self._acts.redo)
        self.progress.chosen.connect(self._on_only)
        self.progress.trouble_chosen.connect(self._on_trouble)
        self.learning.learn_wanted.connect(self.learn_wanted)
        self.learning.use_wanted.connect(self.use_wanted)
        self.learning.result.text_changed.connect(lambda: self._lower.verticalScrollBar().setValue(0))

    def _do(self, change: Callable[[], object]) -> bool:
        """Make a change; say why if it cannot be made."""
        from vision.errors import VisionError

        try:
            change()
        except VisionError as error:
            self.said.emit(error_sentence(error))
            return False
        return True

    def _numbers(self, rows: Sequence[int]) -> list[int]:
        return [self.grid.crops.numbers[row] for row in rows]

    def _on_confirm(self, rows: list[int]) -> None:
        if self.review is not None:
            self._mark(rows, self.review.confirm)

    def _on_gone(self, rows: list[int]) -> None:
        if self.review is not None:
            self._mark(rows, self.review.no_tile)

    def _mark(self, rows: list[int], mark: Callable[[list[int]], object]) -> None:
        if rows and self._do(lambda: mark(self._numbers(rows))):
            self._refresh()
            self._go_on(rows[-1])

    def _on_confirm_all(self) -> None:
        review = self.review
        if review is None:
            return
        counts: list[int] = []
        remaining = [number for number in self.grid.crops.numbers if not review.crop(number).gone]
        if self._do(lambda: counts.append(review.confirm(remaining))):
            self._refresh()
            self._hint.setText(say(texts.CONFIRMED_NOW, count=counts[0]))
            self.learning.name_field.setFocus() if not review.progress().proposed else self.grid.setFocus()

    def _on_code(self, row: int, typed: str) -> None:
        review = self.review
        if review is None:
            return
        code = review.known_code(typed)
        if code is None:
            self._hint.setText(say(texts.NO_SUCH_CODE, code=typed))
            return
        if self._missed.corners is not None:
            self._add(code)
            return
        self._set_code(self._numbers([row])[0], row, code)

    def _on_asked(self, row: int, where: QPoint) -> None:
        """Let somebody choose a tile of the game with the mouse."""
        review = self.review
        if review is None or not set(review.codes) <= set(CODES):
            return
        crop = review.crop(self._numbers([row])[0])
        if self._popup is None:
            self._popup = TilePopup(self, self.look)
            self._popup.chosen.connect(
                lambda number, _slot, code: self._set_code(number, self.grid.currentIndex().row(), code)
            )
        self._popup.ask((crop.number, 0), crop.label.code, (crop.label.code,), {}, where, self.look)

    def _set_code(self, number: int, row: int, code: str) -> None:
        review = self.review
        if review is not None and self._do(lambda: review.set_code(number, code)):
            self._refresh()
            self._go_on(row - self._has_left(number))

    def _on_moved(self, number: int, quad: object) -> None:
        review = self.review
        if review is not None:
            self._do(lambda: review.set_quad(number, quad))  # type: ignore[arg-type]  # four corners
            self._refresh()

    def _on_picked(self, number: int) -> None:
        if number in self.grid.crops.numbers:
            self.grid.go_to(self.grid.crops.numbers.index(number))

    def _add(self, code: str) -> None:
        review, corners = self.review, self._missed.corners
        self._missed.stop()
        number = self.grid.current_number()
        if review is None or number is None:
            return
        picture = review.crop(number).picture
        if self._do(lambda: review.add(picture, corners, code)):  # type: ignore[arg-type]  # four corners
            self._refresh()

    def _on_undo(self) -> None:
        if self.review is not None:
            self._step(self.review.undo)

    def _on_redo(self) -> None:
        if self.review is not None:
            self._step(self.review.redo)

    def _step(self, step: Callable[[], int | None]) -> None:
        self._missed.stop()
        about: list[int | None] = [None]
        self._do(lambda: about.__setitem__(0, step()))
        self._refresh()
        if about[0] is not None:
            self._on_picked(about[0])

    def _on_only(self, code: str | None) -> None:
        self._only = code
        self._refresh()
        self.grid.go_to(0)
        self.grid.setFocus()

    def _on_trouble(self, at: int) -> None:
        if self.review is not None:
            trouble = self.review.troubles()[at]
            self._only = trouble.code or None
            self._refresh()
            self._on_picked(trouble.one)
            self.grid.setFocus()

    def _go_on(self, row: int) -> None:
        if self.review is not None:
            self.grid.go_to(self.review.next_proposed(self.grid.crops.numbers, row))
            self.grid.setFocus()

    def _has_left(self, number: int) -> bool:
        """Return whether a crop has left the list because its code has changed."""
        return number not in self.grid.crops.numbers

    def _refresh(self) -> None:
        """Show everything as it is now."""
        review = self.review
        if review is None:
            return
        self.learning.offer_use("")
        number, row = self.grid.current_number(), self.grid.currentIndex().row()
        self.grid.show_numbers(review.shown(self._only))
        numbers = self.grid.crops.numbers
        if self.grid.current_number() is None and numbers:
            last = min(max(row, 0), len(numbers) - 1)
            self.grid.go_to(numbers.index(number) if number in numbers else last)
        self._say_all()

    def _say_all(self, _text: str = "") -> None:
        """Say how far the review is."""
        review = self.review
        for button in (self.confirm_all, self.learning.learn):
            button.setEnabled(review is not None)
        self._acts.show_review(review)
        if review is None:
            self.subtitle.setText(say(texts.NO_DATA_SET))
            return
        progress = review.progress()
        self.confirm_all.setEnabled(progress.proposed > 0)
        self.subtitle.setText(
            say(
                texts.LOOKED_AT,
                name=review.folder.name,
                proposed=progress.proposed,
                confirmed=progress.confirmed,
            )
        )
        self.progress.show_progress(review, progress, self._only)
        self._show_hint()
        self._show_photo()

    def _show_hint(self) -> None:
        if not self._missed.is_being_added:
            self._hint.setText(say(texts.KEYS_HINT))

    def _show_photo(self) -> None:
        """Show the photo of the current crop."""
        number, review = self.grid.current_number(), self.review
        if review is None or number is None or not review.exists(number):
            self.pane.show_photo(None, None, (), None)
            return
        picture = review.crop(number).picture
        self.pane.show_photo(picture, self.grid.loader.photo(picture), review.crops_of(picture), number)

    def _on_loaded(self, picture: int) -> None:
        number, review = self.grid.current_number(), self.review
        if review is not None and number is not None and review.crop(number).picture == picture:
            self._show_photo()
