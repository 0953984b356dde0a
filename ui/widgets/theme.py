"""Colours and sizes of the window: dark, light, and with high contrast."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from ui.storage.preferences import Settings, ThemeChoice
from ui.viewmodels.table_view import Tone

HEADLINE_PX, SENTENCE_PX, BODY_PX, SMALLEST_PX = 34, 22, 16, 13
DESIGN_WIDTH, DESIGN_HEIGHT = 1440, 900
CORNER_PX = 14


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours, as Qt reads them."""

    ground: str
    card: str
    text: str
    quiet: str
    button: str
    hover: str
    line: str
    """Edges of fields and lists."""
    accent: str
    """The most important button, and what has the keyboard."""
    accent_text: str
    ring_cause: str
    ring_taken: str
    tones: dict[Tone, tuple[str, str]]
    """Tone -> its accent colour, and the colour of its card."""


DARK = Theme(
    ground="#15181C",
    card="#1B1F24",
    text="#EEF1F4",
    quiet="#A5AEB8",
    button="#2A3037",
    hover="#353C45",
    line="#3B434C",
    accent="#6FB1FF",
    accent_text="#0C1A2A",
    ring_cause="#FF5A4F",
    ring_taken="#FFB020",
    tones={
        Tone.CALM: ("#9FB3A6", "#1B1F24"),
        Tone.MAYHEM: ("#FFB020", "#2B2115"),
        Tone.QUESTION: ("#6FB1FF", "#172434"),
        Tone.NOTICE: ("#B4BBC3", "#22262B"),
        Tone.MISSED: ("#C4A5FF", "#241D33"),
    },
)
LIGHT = Theme(
    ground="#F6F4EF",
    card="#FFFFFF",
    text="#1C2024",
    quiet="#5B636C",
    button="#EAE6DD",
    hover="#DED9CD",
    line="#CBC5B8",
    accent="#1F5FA8",
    accent_text="#FFFFFF",
    ring_cause="#C8281C",
    ring_taken="#B86E00",
    tones={
        Tone.CALM: ("#4A6354", "#FFFFFF"),
        Tone.MAYHEM: ("#8F5200", "#FFF3DC"),
        Tone.QUESTION: ("#1F5FA8", "#E6F0FB"),
        Tone.NOTICE: ("#565E66", "#ECEAE4"),
        Tone.MISSED: ("#6A3FB5", "#F1EAFC"),
    },
)
HIGH_CONTRAST = Theme(
    ground="#000000",
    card="#000000",
    text="#FFFFFF",
    quiet="#FFFFFF",
    button="#000000",
    hover="#1F3A5C",
    line="#FFFFFF",
    accent="#FFE000",
    accent_text="#000000",
    ring_cause="#FF8A80",
    ring_taken="#FFE000",
    tones={
        Tone.CALM: ("#FFFFFF", "#000000"),
        Tone.MAYHEM: ("#FFE000", "#000000"),
        Tone.QUESTION: ("#7CC4FF", "#000000"),
        Tone.NOTICE: ("#FFFFFF", "#000000"),
        Tone.MISSED: ("#E0C8FF", "#000000"),
    },
)


def system_theme() -> Theme:
    """Return the theme of the system. If it has none: dark, as games are often played by lamplight."""
    request = QGuiApplication.styleHints().colorScheme()
    return LIGHT if request == Qt.ColorScheme.Light else DARK


def theme_for(request: ThemeChoice) -> Theme:
    """Return the theme that the settings ask for."""
    named = {ThemeChoice.LIGHT: LIGHT, ThemeChoice.DARK: DARK, ThemeChoice.HIGH_CONTRAST: HIGH_CONTRAST}
    return named.get(request) or system_theme()


def palette_for(theme: Theme) -> QPalette:
    """Return the colours for what Qt draws by itself: ticks, arrows, scroll bars, dialogs."""
    roles = QPalette.ColorRole
    palette = QPalette()
    for colour, names in (
        (theme.ground, (roles.Window,)),
        (theme.card, (roles.Base, roles.AlternateBase, roles.ToolTipBase)),
        (theme.text, (roles.WindowText, roles.Text, roles.ButtonText, roles.ToolTipText)),
        (theme.quiet, (roles.PlaceholderText,)),
        (theme.button, (roles.Button,)),
        (theme.accent, (roles.Highlight, roles.Link, roles.Accent)),
        (theme.accent_text, (roles.HighlightedText,)),
    ):
        for name in names:
            palette.setColor(name, QColor(colour))
    for name in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.quiet))
    return palette


@dataclass(frozen=True, slots=True)
class Look:
    """How everything in the window is drawn."""

    theme: Theme = DARK
    scale: float = 1.0
    """Scale against the sizes of the design, from the size of the window and the player's text size."""
    reduced_motion: bool = False

    def px(self, size_px: float) -> int:
        """Return a length of the design in this window's pixels."""
        return max(1, round(size_px * self.scale))

    def text_px(self, size_px: int) -> int:
        """Return a text size of the design in this window's pixels."""
        return text_px(size_px, self.scale)


def look_for(settings: Settings, width: int, height: int) -> Look:
    """Return the look of a window of this size in pixels. It changes in steps: resizing stays quick."""
    scale = round(scale_for(width, height) * 20) / 20 * settings.text_size.factor
    return Look(theme_for(settings.theme), scale, settings.reduced_motion)


def text_px(size_px: int, scale: float) -> int:
    """Return a text size for a window of this scale."""
    return max(SMALLEST_PX, round(size_px * scale))


def scale_for(width: int, height: int) -> float:
    """Return the scale of a window of this size; 1.0 is the size of the design."""
    across, down = sorted((DESIGN_WIDTH, DESIGN_HEIGHT), reverse=width > height)
    return max(0.7, min(width / across, height / down))
