"""The card that says how far a review is: what the data set shows, what it lacks, what contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.text import review as texts
from ui.text.catalogue import say
from ui.widgets.controls import make_button, make_card, make_label
from ui.widgets.review.crop_grid import called
from ui.widgets.review.tile_squares import TileSquares
from ui.widgets.style import dress
from ui.widgets.words import Words

if TYPE_CHECKING:
    from vision.dataset.review import Review, Trouble
    from vision.dataset.review_progress import ReviewProgress

MOST_TROUBLES, MOST_TILES = 3, 6


class ProgressCard(QWidget):
    """Shows how far each tile is, and the first few troubles."""

    chosen = Signal(object)
    """Somebody wants to see the pictures of this code, or of all tiles for None."""
    trouble_chosen = Signal(int)
    """The index of a trouble among all of them."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.squares = TileSquares()
        self.squares.chosen.connect(self.chosen)
        self._lacks, self._trouble_title = QLabel(), make_label(words, texts.TROUBLES, "name")
        self._lacks.setWordWrap(True)
        dress(self._lacks, "quiet")
        self.show_all = make_button(words, texts.SHOW_ALL)
        self.show_all.clicked.connect(lambda: self.chosen.emit(None))
        self.troubles = [QPushButton() for _ in range(MOST_TROUBLES)]
        self._more = QLabel()
        dress(self._more, "quiet")
        for hidden in (self._trouble_title, self.show_all):
            hidden.hide()
        self._arrange()

    def _arrange(self) -> None:
        card, inside = make_card()
        inside.setContentsMargins(18, 14, 18, 14)
        inside.setSpacing(8)
        inside.addWidget(self.squares)
        row = QHBoxLayout()
        row.addWidget(self._lacks, 1)
        row.addWidget(self.show_all)
        inside.addLayout(row)
        inside.addWidget(self._trouble_title)
        for at, button in enumerate(self.troubles):
            dress(button, "row")
            button.clicked.connect(lambda _on=False, at=at: self.trouble_chosen.emit(at))
            inside.addWidget(button)
            button.hide()
        inside.addWidget(self._more)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(card)

    def show_progress(self, review: Review, progress: ReviewProgress, only: str | None) -> None:
        """Show how far a review is; `only` is the code whose pictures alone are shown."""
        self.squares.show_progress(progress, only)
        self._lacks.setText(lacks_sentence(progress))
        self.show_all.setVisible(only is not None)
        troubles = review.troubles()
        self._trouble_title.setVisible(bool(troubles))
        for at, button in enumerate(self.troubles):
            button.setVisible(at < len(troubles))
            if at < len(troubles):
                button.setText(_trouble_sentence(review, troubles[at]))
        self._more.setVisible(len(troubles) > MOST_TROUBLES)
        self._more.setText(say(texts.MORE_TROUBLES, count=len(troubles) - MOST_TROUBLES))


def lacks_sentence(progress: ReviewProgress) -> str:
    """Return what a data set still lacks."""
    if unseen := progress.unseen:
        return say(texts.STILL_UNSEEN, tiles=_some(unseen))
    if progress.proposed:
        return say(texts.SQUARES_HINT)
    if once := progress.in_one_light:
        return f"{say(texts.ALL_CONFIRMED)} {say(texts.UNDER_ANOTHER_LIGHT, tiles=_some(once))}"
    return say(texts.ALL_COMPLETE)


def _some(codes: Sequence[str]) -> str:
    """Return the first few tiles, and how many more there are."""
    told = ", ".join(map(called, codes[:MOST_TILES]))
    return told if len(codes) <= MOST_TILES else f"{told}, … (+{len(codes) - MOST_TILES})"


def _trouble_sentence(review: Review, trouble: Trouble) -> str:
    one, other = review.crop(trouble.one), review.crop(trouble.other)
    photo = review.image(one.picture).name
    if trouble.code:
        return say(texts.TWICE, tile=called(trouble.code), photo=photo)
    return say(texts.ONE_PLACE, tile=called(one.label.code), other=called(other.label.code), photo=photo)
