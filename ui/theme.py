"""Colours and sizes of the window, dark and light."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from ui.table_view_model import Tone

HEADLINE_PX, SENTENCE_PX, BODY_PX, SMALLEST_PX = 34, 22, 16, 13
DESIGN_WIDTH, DESIGN_HEIGHT = 1440, 900
CORNER_PX = 14

TILE_COLOURS = {"Y": "#D9A514", "R": "#C4452F", "G": "#3C8C4C", "B": "#2F6DB3"}
TILE_INK = {"Y": "#1B1402", "R": "#FFFFFF", "G": "#FFFFFF", "B": "#FFFFFF", "M": "#FFFFFF"}
MILLSTONE_HUB = "#2A2D31"


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours, as Qt reads them."""

    ground: str
    card: str
    text: str
    quiet: str
    button: str
    ring_cause: str
    ring_taken: str
    tones: dict[Tone, tuple[str, str]]
    """Tone -> its accent, and the ground of its card."""


DARK = Theme(
    ground="#15181C",
    card="#1B1F24",
    text="#EEF1F4",
    quiet="#A5AEB8",
    button="#2A3037",
    ring_cause="#FF5A4F",
    ring_taken="#FFB020",
    tones={
        Tone.CALM: ("#9FB3A6", "#1B1F24"),
        Tone.MAYHEM: ("#FFB020", "#2B2115"),
        Tone.QUESTION: ("#6FB1FF", "#172434"),
        Tone.NOTICE: ("#B4BBC3", "#22262B"),
    },
)
LIGHT = Theme(
    ground="#F6F4EF",
    card="#FFFFFF",
    text="#1C2024",
    quiet="#5B636C",
    button="#E7E3DA",
    ring_cause="#C8281C",
    ring_taken="#B86E00",
    tones={
        Tone.CALM: ("#4A6354", "#FFFFFF"),
        Tone.MAYHEM: ("#8F5200", "#FFF3DC"),
        Tone.QUESTION: ("#1F5FA8", "#E6F0FB"),
        Tone.NOTICE: ("#565E66", "#ECEAE4"),
    },
)


def system_theme() -> Theme:
    """Return the theme that the system asks for; dark where it says nothing, as lamps light the table."""
    wish = QGuiApplication.styleHints().colorScheme()
    return LIGHT if wish == Qt.ColorScheme.Light else DARK


def text_px(size_px: int, scale: float) -> int:
    """Return a text size for a window of this scale."""
    return max(SMALLEST_PX, round(size_px * scale))


def scale_for(width: int, height: int) -> float:
    """Return how large things are in a window, 1.0 in the one that the design shows."""
    across, down = sorted((DESIGN_WIDTH, DESIGN_HEIGHT), reverse=width > height)
    return max(0.7, min(width / across, height / down))
