"""*Why?* at the table, and the page of all rules."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.pages.test_table_page import begin_clicked, headline, put
from tests.ui.waiting import WaitFor
from ui.app.game_controller import TABLE, AppGames
from ui.app.main_window import START
from ui.app.navigation import RULES
from ui.viewmodels.table_view import Ring


def test_why_tells_the_rule_with_the_tiles_lit_and_leads_to_all_rules(
    games: AppGames, wait_for: WaitFor
) -> None:
    begin_clicked(games, wait_for)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
        put(games, wait_for, code, row, slot)
    wait_for(lambda: headline(games) == "Collapse")
    page, window = games.page, games._window
    QTest.mouseClick(page.card.why, Qt.MouseButton.LeftButton)
    popup = page.why_popup
    assert popup.isVisible()
    assert popup.said().startswith("Collapse\nA tile needs the colour or the weight of one of the two")
    assert popup.said().endswith("the newer online rules")
    lit = {tile.code: tile.ring for tile in popup.drawing._tiles}
    assert lit == {"Y100": Ring.CAUSE, "R40": Ring.TAKEN, "B20": Ring.TAKEN}
    QTest.mouseClick(popup._rules, Qt.MouseButton.LeftButton)
    assert (window.page_name(), popup.isVisible()) == (RULES, False)
    window.go_back()
    assert (window.page_name(), headline(games)) == (TABLE, "Collapse")
    QTest.keyClick(page, Qt.Key.Key_F1)
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_rules_are_found_by_typing(games: AppGames) -> None:
    window, page = games._window, games._pages.rules
    window.show_page(START)
    games._pages.start.rules_wanted.emit()
    assert window.page_name() == RULES
    assert len(page.shown()) == 18
    QTest.keyClicks(page.field, "curse")
    assert page.shown() == ["Mayhem", "The curse", "What comes first"]
    QTest.keyClicks(page.field, " xyz")
    assert (page.shown(), page._none.isVisible()) == ([], True)
    window.go_back()
    assert window.page_name() == START
