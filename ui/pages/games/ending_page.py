"""How a game went: ranks, stocks over the turns, mayhem, what was missed; and another round."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ui.pages.page import Page
from ui.text.catalogue import say
from ui.text.rulebook import ending as texts
from ui.viewmodels.ending import EndingView
from ui.widgets.controls import make_card, make_label, scrolled
from ui.widgets.stocks_chart import StocksChart
from ui.widgets.style import dress
from ui.widgets.theme import Look


class EndingPage(Page):
    """Shows the view of an ending."""

    round_wanted = Signal()
    """Another round with the same players."""
    share_wanted = Signal()
    """A picture of the result is to be saved."""

    def __init__(self) -> None:
        super().__init__(texts.TITLE)
        self.view: EndingView | None = None
        self._headline = QLabel()
        dress(self._headline, "title")
        self._headline.setWordWrap(True)
        self._remarks = QLabel()
        dress(self._remarks, "body")
        self._remarks.setWordWrap(True)
        self._remarks.setTextFormat(Qt.TextFormat.PlainText)
        self.chart = StocksChart(self.look)
        self._ranks = QGridLayout()
        self._ranks.setHorizontalSpacing(18)
        self._ranks.setVerticalSpacing(8)
        self.round = self.add_tool(texts.ANOTHER_ROUND, self.round_wanted.emit, "Ctrl+Return")
        dress(self.round, "go")
        self.share = self.add_tool(texts.SHARE, self.share_wanted.emit, "Ctrl+S")
        self._arrange()

    def show_ending(self, view: EndingView) -> None:
        """Show how a game went."""
        self.view = view
        self._headline.setText(view.headline)
        self._remarks.setText("\n".join(view.remarks))
        self.chart.show_ending(view)
        while (item := self._ranks.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        heads: list[object] = ["", "", say(texts.STOCK), say(texts.CAUSED), say(texts.SUFFERED)]
        rows: list[list[object]] = [
            [say(texts.PLACE, place=rank.place), rank.name, rank.stock, rank.caused, rank.suffered]
            for rank in view.ranks
        ]
        if view.rounds > 1:
            heads.append(say(texts.WINS))
            for row, rank in zip(rows, view.ranks, strict=True):
                row.append(rank.wins)
        for at, row in enumerate([heads, *rows]):
            for column, text in enumerate(row):
                self._write(at, column, str(text), is_head=at == 0)

    def picture(self) -> QImage:
        """Return the result as a picture."""
        return self._inner.grab().toImage()

    def enter(self) -> None:
        """Give the keyboard to what most people want next."""
        self.round.setFocus()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.chart.set_look(look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now; the game makes its sentences anew."""
        super().renew_words()
        if self.view is not None:
            self.show_ending(self.view)

    def _write(self, row: int, column: int, text: str, *, is_head: bool) -> None:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(column == 1 or is_head)
        dress(label, "quiet" if is_head else "name" if column == 1 else "body")
        side = Qt.AlignmentFlag.AlignLeft if column < 2 else Qt.AlignmentFlag.AlignRight
        label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self._ranks.addWidget(label, row, column)
        self._ranks.setColumnStretch(column, int(column == 1))

    def _arrange(self) -> None:
        ranks, inside = make_card()
        inside.addWidget(self._headline)
        inside.addWidget(make_label(self.words, texts.RANKS, "heading"))
        inside.addLayout(self._ranks)
        notable, inside = make_card()
        inside.addWidget(make_label(self.words, texts.NOTABLE, "heading"))
        inside.addWidget(self._remarks)
        drawn, inside = make_card()
        inside.addWidget(make_label(self.words, texts.OVER_TURNS, "heading"))
        inside.addWidget(self.chart, 1)
        side = QVBoxLayout()
        side.setSpacing(16)
        side.addWidget(ranks)
        side.addWidget(notable)
        side.addStretch(1)
        self._inner = QWidget()
        halves = self.make_halves(self._inner)
        halves.addLayout(side, 10)
        halves.addWidget(drawn, 11)
        self.content.addWidget(scrolled(self._inner), 1)
