"""Every page and state has room for its words, in both languages, at every size of text and window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget

from referee.rules.options import DEFAULTS
from tests.screenshots import DARK, Studio, _states
from ui.app.game_controller import ENDING, TABLE
from ui.app.main_window import START
from ui.app.navigation import CUBE, NEW_GAME, PHOTO, RULES, SETTINGS, TILES
from ui.app.own_tiles_controller import REVIEW
from ui.app.shelf_controller import SHELF
from ui.storage.preferences import Language, TextSize
from ui.viewmodels.rulebook import rule_views

WINDOWS = ((1024, 640), (1440, 900), (390, 844))
WIDE_ONLY = {REVIEW}
"""Pages that want a screen, not a phone: small pictures are compared there."""
PAGES = (START, NEW_GAME, PHOTO, TILES, REVIEW, SETTINGS, RULES, SHELF, ENDING, CUBE)
SMALLEST_PX = 2
"""Widgets overlap, or words are cut, if it is more than this."""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, application: QApplication) -> Iterator[Studio]:
    """The window with something on every page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path_factory.mktemp("room")))
        studio = Studio()
        yield studio
        studio.close()


def place_of(widget: QWidget, page: QWidget) -> QRect:
    return QRect(widget.mapTo(page, QPoint()), widget.size())


def is_scrolled(widget: QWidget, page: QWidget) -> bool:
    """Whether a widget lies in a part that scrolls."""
    above = widget.parentWidget()
    while above is not None and above is not page:
        if isinstance(above, QScrollArea) and above.widget() is not None:
            return True
        above = above.parentWidget()
    return False


def name_of(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    return f"{type(widget).__name__} {words[:40]!r}"


def visible(widget: QWidget) -> Iterator[QWidget]:
    """Yield a widget and all in it that can be seen."""
    if widget.isVisible():
        yield widget
        for child in widget.children():
            if isinstance(child, QWidget):
                yield from visible(child)


def cut_words(page: QWidget) -> Iterator[str]:
    """Yield every label and button that has too little room for its words."""
    for widget in visible(page):
        if not isinstance(widget, QLabel | QAbstractButton) or not widget.text():
            continue
        need = widget.sizeHint()
        wide, high = need.width(), need.height()
        if isinstance(widget, QLabel) and widget.wordWrap():
            wide, high = widget.minimumSizeHint().width(), widget.heightForWidth(widget.width())
        if wide > widget.width() + SMALLEST_PX or high > widget.height() + SMALLEST_PX:
            yield f"{name_of(widget)} needs {wide} x {high}, has {widget.width()} x {widget.height()}"


def overlaps(page: QWidget) -> Iterator[str]:
    """Yield widgets that lie one over the other, and such as lie outside the page."""
    for parent in visible(page):
        if isinstance(parent, QScrollArea):
            continue
        children = [
            child for child in parent.children()
            if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
        ]  # fmt: skip
        for one, other in combinations(children, 2):
            common = one.geometry().intersected(other.geometry())
            if min(common.width(), common.height()) > SMALLEST_PX:
                yield f"{name_of(one)} and {name_of(other)} overlap by {common.width()} x {common.height()}"
    for widget in visible(page):
        is_inside = page.rect().adjusted(0, 0, SMALLEST_PX, SMALLEST_PX).contains(place_of(widget, page))
        shown = not widget.isWindow() and not widget.size().isEmpty()
        if shown and not is_scrolled(widget, page) and not is_inside:
            yield f"{name_of(widget)} lies outside"


def faults(studio: Studio, where: str) -> Iterator[str]:
    page = studio.window.centralWidget()
    for _ in range(3):  # words, then sizes, then what hangs on these
        studio.settle()
    for fault in (*cut_words(page), *overlaps(page)):
        yield f"{where}: {fault}"


FAR_MM = 2000.0
ARC_MINUTES = 8
"""So high capital letters are easily read with normal sight: 5 are just legible."""
SCREEN_MM = 14 * 25.4 * 9 / math.hypot(16, 9)
"""Height of a 14-inch screen."""


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.FRENCH], ids=lambda each: each.value)
def test_the_big_view_is_legible_from_two_metres(studio: Studio, language: Language) -> None:
    """The sentence has 4 % of the height, and its capitals 8 arc minutes."""
    studio.dress(replace(DARK, language=language))
    page = studio.games.page
    found: list[str] = []
    for window in ((1440, 900), (1920, 1080)):
        studio.window.resize(*window)
        for state in _states(language):
            studio.show_table(state)
            page.set_big(is_big=True)
            found += faults(studio, f"{state.name} at {window}")
            assert not any(part.isVisible() for part in (page.players, page.timeline, page.tiles, page.tools))
            assert page.card.isVisible()
            assert page.picture.isVisible() != page.pyramid.isVisible()
            for label in page.card.sentence_labels():
                metrics = QFontMetricsF(label.font())
                assert label.font().pixelSize() >= 0.04 * window[1]
                seen_mm = metrics.capHeight() / window[1] * SCREEN_MM
                assert seen_mm >= FAR_MM * math.tan(math.radians(ARC_MINUTES / 60))
            page.set_big(is_big=False)
    assert found == []


def test_the_photo_is_cropped_to_the_pyramid_in_the_big_view(studio: Studio) -> None:
    studio.dress(DARK)
    (state,) = (state for state in _states(Language.ENGLISH) if state.name == "mayhem")
    studio.show_table(state)
    picture = studio.games.page.picture
    assert picture.part() == QRectF(0, 0, 1, 1)
    studio.games.page.set_big(is_big=True)
    part = picture.part()
    assert part.width() < 0.7
    for outline in state.outlines:
        assert all(part.contains(x, y) for x, y in outline.quad)
    studio.games.page.set_big(is_big=False)


def test_every_rule_has_room_in_its_popup(studio: Studio) -> None:
    """The height is that of the width which the popup has, not of the one that the words would like."""
    studio.dress(replace(DARK, language=Language.FRENCH, text_size=TextSize.LARGEST))
    popup, found = studio.games.page.why_popup, []
    for rule in rule_views(DEFAULTS):
        popup.tell(rule, QPoint(800, 40), studio.games.page.look)
        QApplication.processEvents()
        found += [f"{rule.title}: {fault}" for fault in (*cut_words(popup), *overlaps(popup))]
        popup.hide()
    assert found == []


def test_full_screen_is_the_big_view_and_escape_leaves_it(studio: Studio) -> None:
    studio.dress(DARK)
    studio.show_table(_states(Language.ENGLISH)[0])
    page, window = studio.games.page, studio.window
    window._on_full_screen()
    assert not page.players.isVisible()
    window.go_back()
    assert page.players.isVisible()
    assert window.page_name() == TABLE


_IN_EVERY_RUN = ((TextSize.NORMAL, Language.ENGLISH), (TextSize.LARGEST, Language.FRENCH))
"""The usual look and the tightest one; the others take long."""


@pytest.mark.parametrize(
    ("size", "language"),
    [
        pytest.param(
            *each,
            marks=() if each in _IN_EVERY_RUN else pytest.mark.slow,
            id="-".join(one.value for one in each),
        )
        for each in product(TextSize, (Language.ENGLISH, Language.FRENCH))
    ],
)
def test_nothing_is_cut_and_nothing_overlaps(studio: Studio, size: TextSize, language: Language) -> None:
    studio.dress(replace(DARK, language=language, text_size=size))
    found: list[str] = []
    for window in WINDOWS:
        studio.window.resize(*window)
        QApplication.processEvents()
        assert (studio.window.width(), studio.window.height()) == window
        for page in PAGES:
            if page in WIDE_ONLY and window[0] < window[1]:
                continue
            studio.window.show_page(page)
            found += faults(studio, f"{page} at {window}")
        studio.window.show_page(PHOTO)
        for photo_state in studio.photo_states():
            found += faults(studio, f"{PHOTO}, {photo_state} at {window}")
        for state in _states(language):
            studio.show_table(state)
            found += faults(studio, f"{TABLE}, {state.name} at {window}")
    assert found == []
