"""The style sheet of the window. `dress` gives a control its role; the style sheet says how that looks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from ui.widgets.theme import BODY_PX, CORNER_PX, HEADLINE_PX, SENTENCE_PX, Look

QUIET_PX = 14
DISABLED = "#8F8F8F"
"""Where quiet words are as bright as others."""
ICONS = Path(__file__).parent / "icons"


def dress(widget: QWidget, role: str) -> None:
    """Give a widget its role: title, heading, quiet (labels); primary, plain, choice (buttons); card."""
    widget.setProperty("role", role)


def restyle(widget: QWidget, sheet: str) -> None:
    """Give a widget its own style sheet if it has another one: Qt styles it anew for the same one, too."""
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)


def style_sheet(look: Look) -> str:
    """Return the style sheet for a look."""
    return _surfaces(look) + _buttons(look) + _fields(look)


def _surfaces(look: Look) -> str:
    """Return how the ground, the cards and what is read on them look."""
    theme, px = look.theme, look.px
    card_edge = theme.line if theme.card == theme.ground else "transparent"
    return f"""
#ground, QStackedWidget, #page, #scrolled {{ background: {theme.ground}; }}
QScrollBar:vertical {{ background: transparent; border: none; width: {px(12)}px; margin: 0px; }}
QScrollBar::handle:vertical {{ background: {theme.line}; border-radius: {px(3)}px; min-height: {px(40)}px;
  margin: 0px {px(3)}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0px; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QScrollArea {{ background: transparent; border: none; }}
QLabel {{ color: {theme.text}; background: transparent; }}
QPushButton, QLineEdit, QComboBox, QCheckBox, QRadioButton, QToolTip, QLabel[role="body"] {{
  font-size: {body_px(look)}px; }}
QLabel[role="title"] {{ font-size: {look.text_px(HEADLINE_PX)}px; font-weight: 700; }}
QLabel[role="heading"] {{ font-size: {look.text_px(SENTENCE_PX)}px; font-weight: 600; }}
QLabel[role="name"] {{ font-size: {body_px(look)}px; font-weight: 600; }}
QLabel[role="key"] {{ font-size: {look.text_px(QUIET_PX)}px; background: {theme.button};
  border: 1px solid {theme.line}; border-radius: {px(6)}px; padding: {px(2)}px {px(8)}px; }}
QLabel[role="quiet"] {{ font-size: {look.text_px(QUIET_PX)}px; color: {theme.quiet}; }}
QFrame[role="card"] {{ background: {theme.card}; border: 1px solid {card_edge};
  border-radius: {CORNER_PX}px; }}
QFrame[role="popup"] {{ background: {theme.card}; border: 2px solid {theme.quiet}; }}
QTextBrowser {{ background: transparent; color: {theme.text}; border: none;
  font-size: {look.text_px(QUIET_PX)}px; selection-background-color: {theme.accent};
  selection-color: {theme.accent_text}; }}
QProgressBar {{ background: {theme.button}; border: none; border-radius: {px(4)}px; max-height: {px(8)}px; }}
QProgressBar::chunk {{ background: {theme.accent}; border-radius: {px(4)}px; }}
QFrame[role="notice"] {{ background: {theme.button}; border: 1px solid {theme.line};
  border-radius: {px(10)}px; }}
"""


def _buttons(look: Look) -> str:
    """Return how buttons look, and whatever has the keyboard."""
    theme, px = look.theme, look.px
    plain_edge = theme.line if theme.button == theme.ground else "transparent"
    is_high_contrast = theme.quiet == theme.text
    disabled, disabled_edge = (DISABLED, DISABLED) if is_high_contrast else (theme.quiet, plain_edge)
    return f"""
QPushButton {{ background: {theme.button}; color: {theme.text}; border: 2px solid {plain_edge};
  border-radius: {px(10)}px; padding: {px(7)}px {px(14)}px; }}
QPushButton:hover {{ background: {theme.hover}; }}
QPushButton:disabled {{ color: {disabled}; border-style: dashed; border-color: {disabled_edge}; }}
QPushButton[role="primary"] {{ background: {theme.accent}; color: {theme.accent_text};
  font-size: {look.text_px(SENTENCE_PX - 2)}px; font-weight: 600;
  border: 2px solid {theme.accent}; padding: {px(12)}px {px(24)}px; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {theme.text}; }}
QPushButton[role="go"] {{ background: {theme.accent}; color: {theme.accent_text}; font-weight: 600;
  border: 2px solid {theme.accent}; padding: {px(7)}px {px(20)}px; }}
QPushButton[role="go"]:focus {{ border: 2px solid {theme.text}; }}
QPushButton[role="go"]:disabled {{ background: {theme.button}; color: {theme.quiet};
  border: 2px solid {plain_edge}; }}
QPushButton[role="large"] {{ font-size: {look.text_px(SENTENCE_PX - 4)}px; padding: {px(12)}px {px(20)}px; }}
QPushButton[role="choice"] {{ padding: {px(7)}px {px(10)}px; }}
QPushButton[role="choice"]:checked {{ background: {theme.hover}; border: 2px solid {theme.accent};
  font-weight: 600; }}
QPushButton[role="toggle"]:checked {{ background: {theme.hover}; border: 2px solid {theme.accent}; }}
QPushButton[role="row"] {{ text-align: left; background: transparent; }}
QPushButton[role="row"]:hover {{ background: {theme.hover}; }}
QPushButton[role="row"]:checked {{ background: {theme.button}; border: 2px solid {theme.accent}; }}
QPushButton[role="swatch"] {{ padding: 0px; border-radius: {px(9)}px; }}
QPushButton:focus, QLineEdit:focus, QComboBox:focus {{ outline: none; border: 2px solid {theme.accent}; }}
QPushButton[role="choice"]:focus, QPushButton[role="row"]:focus {{ border: 2px solid {theme.text}; }}
"""


def _fields(look: Look) -> str:
    """Return how boxes to tick, fields to type in and lists to choose from look."""
    theme, px = look.theme, look.px
    arrow = _icon("arrow", is_light=QColor(theme.text).lightness() > 127)
    return f"""
QCheckBox, QRadioButton {{ color: {theme.text}; spacing: {px(10)}px; border: 2px solid transparent;
  border-radius: {px(8)}px; padding: {px(3)}px; }}
QCheckBox::indicator {{ width: {px(18)}px; height: {px(18)}px; border: 2px solid {theme.quiet};
  border-radius: {px(5)}px; background: {theme.ground}; }}
QCheckBox::indicator:checked {{ background: {theme.accent}; border-color: {theme.accent};
  image: url("{_tick(look)}"); }}
QCheckBox::indicator:disabled {{ border-color: {theme.line}; }}
QCheckBox:disabled {{ color: {theme.quiet}; }}
QCheckBox:focus, QRadioButton:focus {{ border: 2px solid {theme.accent}; outline: none; }}
QLineEdit, QComboBox {{ background: {theme.ground}; color: {theme.text}; border: 2px solid {theme.line};
  border-radius: {px(10)}px; padding: {px(6)}px {px(10)}px; min-height: {px(20)}px;
  selection-background-color: {theme.accent}; selection-color: {theme.accent_text}; }}
QComboBox::drop-down {{ border: none; width: {px(24)}px; }}
QComboBox::down-arrow {{ image: url("{arrow}"); width: {px(12)}px; }}
"""


def body_px(look: Look) -> int:
    """Return the size of plain text."""
    return look.text_px(BODY_PX)


def _tick(look: Look) -> str:
    """Return the path of the tick for a ticked box."""
    return _icon("tick", is_light=look.theme.accent_text == "#FFFFFF")


def _icon(name: str, *, is_light: bool) -> str:
    """Return the path of an icon, drawn light or dark, in the form that a style sheet needs."""
    return (ICONS / f"{name}-{'light' if is_light else 'dark'}.svg").as_posix()
