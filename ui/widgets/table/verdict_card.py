"""The verdict card of the table page: the largest words on the screen, and the choices."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.artwork.flat_tile import paint_tile
from ui.platform.accessibility import announce
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.sentences import tile_name
from ui.viewmodels.game_view import CardView, Choice
from ui.viewmodels.table_view import Tone
from ui.widgets.controls import scroll_area
from ui.widgets.style import restyle
from ui.widgets.table.choice_buttons import ChoiceButtons, shrunk_px
from ui.widgets.theme import BODY_PX, CORNER_PX, HEADLINE_PX, SENTENCE_PX, Look
from ui.widgets.tone_sign import ToneSign

URGENT = (Tone.MAYHEM, Tone.MISSED, Tone.QUESTION)
"""Tones of which a screen reader tells at once."""
CHIP_PX, CROP_PX = 46, 110
NARROW = 12.5
"""Times the least size of sentences: a card that is not wider has a smaller headline."""
SHRINKS = (1.0, 0.88, 0.77, 0.68, 0.6)
"""How large words are that need less and less room."""


class TileChips(QWidget):
    """Some tiles in a row, small."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: tuple[str, ...] = ()
        self._side = CHIP_PX
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_codes(self, codes: tuple[str, ...], side_px: int) -> None:
        """Show these tiles."""
        self._codes, self._side = codes, side_px
        self.setVisible(bool(codes))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for all of them."""
        return QSize(round(len(self._codes) * self._side * 1.12), self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tiles."""
        painter = QPainter(self)
        for at, code in enumerate(self._codes):
            paint_tile(painter, QRectF(at * self._side * 1.12, 0, self._side, self._side), code)


def _side_by_side(crops: Sequence[QImage], side_px: int) -> QPixmap:
    """Return pictures in a square: one alone, more in two columns."""
    columns = 1 if len(crops) == 1 else 2
    each = side_px // columns
    whole = QPixmap(columns * each, ceil(len(crops) / columns) * each)
    whole.fill(Qt.GlobalColor.transparent)
    painter = QPainter(whole)
    for at, crop in enumerate(crops):
        small = crop.scaled(
            each, each, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        painter.drawImage(at % columns * each, at // columns * each, small)
    painter.end()
    return whole


class VerdictCard(QFrame):
    """Shows the current card in its tone. Each tone has a word, a shape and a colour."""

    chosen = Signal(object)
    """An act of the choice that somebody made."""
    why_wanted = Signal()
    """Somebody asks for the rule behind the card."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._card = CardView(Tone.CALM, "")
        self._crops: tuple[QImage, ...] = ()
        self._most = 400
        self._sign, self._headline, self._step = ToneSign(), QLabel(), QLabel()
        self._headline.setWordWrap(True)
        self._sentences, self._payment, self._prompt = QLabel(), QLabel(), QLabel()
        self._hint, self._later, self._picture = QLabel(), QLabel(), QLabel()
        for label in (self._sentences, self._payment, self._prompt, self._hint, self._later):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._why = QPushButton()
        self._why.setCursor(Qt.CursorShape.PointingHandCursor)
        self._why.setAutoDefault(True)
        self._why.setToolTip("F1")
        self._why.clicked.connect(self.why_wanted)
        self._chips = TileChips()
        self._choices = ChoiceButtons()
        self._choices.chosen.connect(self.chosen)
        self._shrink = SHRINKS[0]
        self._least_px = 0
        """No sentence is smaller than this."""
        self._arrange()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 150)

    def _arrange(self) -> None:
        top = self._top = QHBoxLayout()
        top.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self._headline, 1)
        top.addWidget(self._step, 0, Qt.AlignmentFlag.AlignVCenter)
        taken = QHBoxLayout()
        taken.addWidget(self._chips, 0, Qt.AlignmentFlag.AlignVCenter)
        taken.addWidget(self._payment, 1)
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        said = QHBoxLayout()
        said.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self._sentences, 1)
        self._middle.addLayout(said)
        self._middle.addLayout(taken)
        self._middle.addStretch(1)
        whole = self._whole = QVBoxLayout(self)
        whole.addLayout(top)
        area = scroll_area(middle)
        area.setMinimumHeight(1)  # or it would take room from the headline
        whole.addWidget(area, 1)
        whole.addWidget(self._prompt)
        whole.addLayout(self._choices)
        below = QVBoxLayout()
        below.addWidget(self._hint)
        below.addWidget(self._later)
        foot = QHBoxLayout()
        foot.addLayout(below, 1)
        foot.addWidget(self._why, 0, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight)
        whole.addLayout(foot)

    def show_card(self, card: CardView, *, is_told: bool = True) -> None:
        """Say this; `is_told`: to screen readers as well."""
        if card == self._card:
            return
        self._card = card
        chips = ", ".join(tile_name(code) for code in card.taken)
        parts = [card.headline, *card.sentences, chips, card.payment, card.prompt, card.later]
        words = ". ".join(part.rstrip(".") for part in parts if part)
        self.setAccessibleName(words)
        self._fill()
        if is_told:
            announce(self, words, is_urgent=card.tone in URGENT)

    def show_crops(self, crops: Sequence[QImage]) -> None:
        """Show the parts of the picture that a question is about, several side by side, or none."""
        self._crops = tuple(crops)
        if crops:
            self._picture.setPixmap(_side_by_side(crops, self._look.px(CROP_PX)))
        self._picture.setVisible(bool(crops))
        self._take_room()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self._fill()
        self.show_crops(self._crops)

    def buttons(self) -> tuple[QPushButton, ...]:
        """Return the buttons of the choices, in their order, and then *Why?*."""
        return (*self._choices.buttons, self._why)

    @property
    def why(self) -> QPushButton:
        """The button that asks for the rule behind the card."""
        return self._why

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen."""
        return self._card.choices

    def _fill(self) -> None:
        card, theme, px = self._card, self._look.theme, self._look.px
        accent, ground = theme.tones[card.tone]
        edge = ground if card.tone in (Tone.CALM, Tone.NOTICE) and ground != theme.ground else accent
        restyle(
            self,
            f"VerdictCard {{ background: {ground}; border: 2px solid {edge}; border-radius: {CORNER_PX}px; }}"
            "QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }",
        )
        layout = self._whole
        margin = px(22)
        layout.setContentsMargins(margin, margin, margin, px(16))
        for box in (layout, self._middle, self._choices, self._top):
            box.setSpacing(px(12))
        self._say_all()
        most = max(1, len(card.taken))
        self._chips.show_codes(card.taken, min(px(CHIP_PX), max(px(24), int(self.width() * 0.55 / most))))
        self._choices.show_choices(card.choices, card.tone, self._look, self._inner_width(), self._shrink)
        self._take_room()

    def _say_all(self) -> None:
        """Put every sentence into its label, as large as the room allows."""
        card, theme = self._card, self._look.theme
        accent, _ground = theme.tones[card.tone]
        # A long word must fit beside its sign, also in a narrow window.
        is_wide = self._inner_width() > NARROW * self._least_px
        size = max(self._text_px(HEADLINE_PX), round(self._least_px * (1.3 if is_wide else 0.85)))
        sentence = max(self._text_px(SENTENCE_PX), self._least_px)
        self._sign.show_tone(card.tone, accent, size)
        self._say(self._headline, card.headline, size, accent, bold=True)
        self._say(self._step, card.step, self._text_px(BODY_PX), theme.quiet)
        colour = theme.quiet if card.tone is Tone.CALM else theme.text
        self._say(self._sentences, "\n".join(card.sentences), sentence, colour)
        self._say(self._payment, card.payment, sentence, theme.text)
        prompt = max(self._text_px(BODY_PX + 2), round(self._least_px * 0.75))
        self._say(self._prompt, card.prompt, prompt, theme.text)
        self._say(self._hint, card.hint, self._text_px(BODY_PX - 2), theme.quiet)
        self._say(self._later, card.later, self._text_px(BODY_PX), theme.quiet)
        self._why.setText(say(texts.WHY))
        self._why.setVisible(card.topic is not None)
        restyle(
            self._why,
            f"QPushButton {{ font-size: {self._text_px(BODY_PX - 1)}px; padding: {self._look.px(3)}px "
            f"{self._look.px(10)}px; background: transparent; border: 1px solid {theme.quiet}; }}"
            f"QPushButton:hover {{ background: {theme.hover}; }}"
            f"QPushButton:focus {{ border: 2px solid {theme.text}; }}",
        )

    def _text_px(self, size_px: int) -> int:
        """Return a text size, smaller where the card would not hold all of its words else."""
        return shrunk_px(self._look, size_px, self._shrink)

    def set_least(self, least_px: int) -> None:
        """Let no sentence be smaller than this; 0: as small as the room needs."""
        if least_px != self._least_px:
            self._least_px = least_px
            self._fill()

    def sentence_labels(self) -> tuple[QLabel, ...]:
        """Return the labels of what must be read from afar, as far as there is something to read."""
        return tuple(label for label in (self._sentences, self._payment) if label.text())

    def set_room(self, most_px: int) -> None:
        """Make the card as high as its content, up to this height."""
        self._most = most_px
        self._take_room()

    def _inner_width(self) -> int:
        """Return the width between the margins, in pixels."""
        margins = self._whole.contentsMargins()
        return max(200, self.width() - margins.left() - margins.right() - 4)

    def _take_room(self) -> None:
        """Be as high as the words need; where that is too much, make them smaller."""
        if not self._choices.are(self._card.choices):
            return  # the card is being filled
        high = 0
        for shrink in SHRINKS:
            if shrink != self._shrink:
                self._shrink = shrink
                self._say_all()
                self._choices.lay_out(self._inner_width(), self._shrink)
            high = self._needed_height()
            if high <= self._most:
                break
        self.setMinimumHeight(max(0, min(self._most, high)))

    def _needed_height(self) -> int:
        layout = self._whole
        margins, wide = layout.contentsMargins(), self._inner_width()
        high = margins.top() + margins.bottom() + 8
        beside_headline = self._sign.width() + self._top.spacing()
        if self._card.step:
            beside_headline += self._step.sizeHint().width() + self._top.spacing()
        high += max(self._headline.heightForWidth(wide - beside_headline), self._sign.height())
        high += layout.spacing()
        if self._card.taken:
            beside = wide - self._chips.sizeHint().width() - layout.spacing()
            payment = self._payment.heightForWidth(max(80, beside))
            high += max(self._chips.sizeHint().height(), payment) + layout.spacing()
        crop = self._look.px(CROP_PX) + layout.spacing() if self._crops else 0
        high += max(crop, self._sentences.heightForWidth(wide - crop)) + layout.spacing()
        if self._prompt.text():
            high += self._prompt.heightForWidth(wide) + layout.spacing()
        why = self._why.sizeHint() if self._card.topic is not None else QSize(0, 0)
        beside = max(80, wide - why.width() - layout.spacing())
        notes = [label for label in (self._hint, self._later) if label.text()]
        below = sum(label.heightForWidth(beside) + layout.spacing() for label in notes)
        high += max(below, why.height() + layout.spacing())
        return high + self._choices.height(layout.spacing())

    def hasHeightForWidth(self) -> bool:
        """Return that no layout needs to ask: the height is set here."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the height that the sentences and choices need at this width."""
        super().resizeEvent(event)
        if self._choices.are(self._card.choices):
            self._choices.lay_out(self._inner_width(), self._shrink)
        self._take_room()

    def _say(self, label: QLabel, text: str, size_px: int, colour: str, *, bold: bool = False) -> None:
        font = QFont(self.font())
        font.setPixelSize(size_px)
        font.setBold(bold)
        label.setFont(font)
        restyle(label, f"color: {colour}; font-size: {size_px}px;")
        label.setText(text)
        label.setVisible(bool(text))
