"""Tells screen readers what people with eyes see change."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, sentence: str, *, is_urgent: bool = False) -> None:
    """Have a sentence read by the screen reader, if there is one.

    Args:
        widget: What the sentence is about.
        sentence: What is read.
        is_urgent: Whether it may interrupt what is being read.
    """
    event = QAccessibleAnnouncementEvent(widget, sentence)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)
