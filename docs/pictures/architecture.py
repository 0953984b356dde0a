"""Draws architecture.svg beside it: `python docs/pictures/architecture.py`.

A new room is one line in `BANDS`; the rooms of a row share its width.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

PHOTO, FRAME, CLICK = "photo", "frame", "click"
WIDTH, HEIGHT = 1000, 700
GAP = 8


@dataclass(frozen=True, slots=True)
class Room:
    """A room, what it holds in two lines, and which steps of the three ways go through it."""

    path: str
    first: str
    second: str = ""
    steps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Rooms side by side; `left`, `top`, `width` and `height` in user units."""

    left: int
    top: int
    width: int
    height: int
    rooms: tuple[Room, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A package with its rows of rooms."""

    name: str
    what: str
    left: int
    top: int
    width: int
    height: int
    rows: tuple[Row, ...]


BANDS = (
    Band("ui", "what a person touches", 20, 20, 960, 270, (
        Row(36, 56, 140, 104, (Room("ui/cli", "the commands", "of the terminal", ((PHOTO, 1),)),)),
        Row(196, 80, 760, 74, (
            Room("ui/app", "window, games,", "navigation", ((CLICK, 2),)),
            Room("ui/pages", "one file a page", "", ((FRAME, 9), (CLICK, 1))),
            Room("ui/widgets", "what pages", "are made of"),
            Room("ui/workers", "threads beside", "the window", ((FRAME, 8), (CLICK, 3))),
            Room("ui/artwork", "tiles, sheets,", "strips"),
            Room("ui/platform", "cameras, screen,", "speech"),
        )),
        Row(46, 196, 908, 72, (
            Room("ui/phones", "serves the pages", "of ui/web to phones"),
            Room("ui/viewmodels", "what a page shows,", "what a click means", ((FRAME, 7), (CLICK, 4))),
            Room("ui/services", "follow a game,", "replay, learn tiles", ((FRAME, 4), (CLICK, 5))),
            Room("ui/storage", "games (SQLite),", "settings, tile sets", ((FRAME, 6), (CLICK, 7))),
            Room("ui/text", "every sentence, English", "and French", ((PHOTO, 6),)),
        )),
    )),
    Band("vision", "from pixels to a layout; no Qt, no rules", 20, 330, 760, 190, (
        Row(36, 366, 728, 72, (
            Room("vision/sources", "cameras, streams, videos;", "is the table at rest?", ((FRAME, 1),)),
            Room("vision/imaging", "photos, geometry,", "quality of a picture", ((PHOTO, 2),)),
            Room("vision/recognition", "find, name, assign", "tiles", ((PHOTO, 3), (FRAME, 2))),
            Room("vision/tracking", "from table to table:", "hidden, moved, gone", ((FRAME, 3),)),
        )),
        Row(36, 446, 728, 60, (
            Room("vision/dataset", "labelled pictures,", "their formats"),
            Room("vision/tilesets", "learn a player's own tiles"),
            Room("vision/pyramid", "lattice; way up; slant"),
            Room("vision/evaluation", "figures"),
        )),
    )),
    Band("models", "", 800, 330, 180, 190, (
        Row(812, 366, 156, 72, (Room("models/training", "makes the models;", "never imported by vision"),)),
    )),
    Band("referee", "the rules and the game; standard library only", 20, 560, 960, 120, (
        Row(36, 594, 928, 74, (
            Room("referee/rules", "tiles, layout, checks,", "resolution, verdict", ((PHOTO, 5),)),
            Room("referee/tracking", "what is certain, asked", "and announced", ((FRAME, 5), (CLICK, 6))),
            Room("referee/search", "what can have", "happened, how likely"),
            Room("referee/formats", "JSON, to", "and fro"),
            Room("referee/cube", "the cube game"),
            Room("uncertain.py", "a verdict in spite of", "doubtful tiles", ((PHOTO, 4),)),
        )),
    )),
)  # fmt: skip

STYLE = """
.page { fill: #ffffff }
.band { stroke-width: 1.5 }
.ui { fill: #eef4fb; stroke: #9dbbe0 }
.vision { fill: #eef8f0; stroke: #98c9a4 }
.models { fill: #f6f2fa; stroke: #bba6d3 }
.referee { fill: #fcf4e8; stroke: #dfbd85 }
.part { fill: none; stroke: #9dbbe0; stroke-dasharray: 4 4 }
.box { fill: #ffffff; stroke: #b9c0c9 }
.name { font-size: 17px; font-weight: 700; fill: #1c2430 }
.room { font-size: 14px; font-weight: 600; fill: #1c2430 }
.what, .note { font-size: 11px; fill: #46505e }
.note { font-style: italic }
.arrow { fill: none; stroke: #46505e; stroke-width: 1.5 }
.head { fill: #46505e }
.step { font-size: 11px; font-weight: 700; fill: #ffffff }
.photo { fill: #b4470f }
.frame { fill: #1b5fae }
.click { fill: #1f7a43 }
@media (prefers-color-scheme: dark) {
.page { fill: #14181e }
.ui { fill: #17222f; stroke: #3c5a7d }
.vision { fill: #16261b; stroke: #3d6b4a }
.models { fill: #221b2c; stroke: #5f4b78 }
.referee { fill: #2a2114; stroke: #7a5f31 }
.part { stroke: #3c5a7d }
.box { fill: #1d232b; stroke: #434d59 }
.name, .room { fill: #eef1f5 }
.what, .note { fill: #b3bdc9 }
.arrow { stroke: #b3bdc9 }
.head { fill: #b3bdc9 }
}
"""


def rect(left: float, top: float, width: float, height: float, kind: str, round_px: int = 8) -> str:
    """Return a box."""
    place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    return f'<rect class="{kind}" {place} rx="{round_px}"/>'


def text(left: float, base: float, words: str, kind: str, more: str = "") -> str:
    """Return a line of text; nothing of no words."""
    if not words:
        return ""
    return f'<text class="{kind}" x="{left:g}" y="{base:g}"{more}>{escape(words)}</text>'


def step(across: float, down: float, way: str, number: int | str) -> list[str]:
    """Return a numbered dot of one of the three ways."""
    dot = f'<circle class="{way}" cx="{across:g}" cy="{down:g}" r="10"/>'
    return [dot, text(across, down + 4, str(number), "step", ' text-anchor="middle"')]


def arrow(*points: int) -> str:
    """Return an arrow from the first point to the second."""
    x1, y1, x2, y2 = points
    return f'<path class="arrow" d="M{x1} {y1} L{x2} {y2}" marker-end="url(#head)"/>'


def draw_row(row: Row) -> list[str]:
    """Return the rooms of a row, all of one width."""
    width = (row.width - GAP * (len(row.rooms) - 1)) / len(row.rooms)
    drawn = []
    for at, room in enumerate(row.rooms):
        left = row.left + at * (width + GAP)
        drawn += [
            rect(left, row.top, width, row.height, "box", 6),
            text(left + 10, row.top + 20, room.path.rpartition("/")[2], "room", f' id="{room.path}"'),
            text(left + 10, row.top + 37, room.first, "what"),
            text(left + 10, row.top + 51, room.second, "what"),
        ]
        for back, (way, number) in enumerate(reversed(room.steps)):
            drawn += step(left + width - 14 - 23 * back, row.top + row.height - 14, way, number)
    return drawn


def svg() -> str:
    """Return the picture."""
    drawn = [rect(0, 0, WIDTH, HEIGHT, "page", 14)]
    for band in BANDS:
        drawn.append(rect(band.left, band.top, band.width, band.height, f"band {band.name}", 12))
        drawn.append(text(band.left + 16, band.top + 24, band.name, "name"))
        drawn.append(text(band.left + 28 + 11 * len(band.name), band.top + 24, band.what, "what"))
        if band.name == "ui":
            drawn += [rect(188, 56, 776, 104, "part"), rect(36, 172, 928, 104, "part")]
            drawn += [text(906, 72, "with Qt", "note"), text(918, 189, "no Qt", "note")]
        for row in band.rows:
            drawn += draw_row(row)
    shipped = ("finder_…, reader_…", "the shipped networks,", "read as files")
    drawn += [text(812, 466 + 16 * at, words, "what") for at, words in enumerate(shipped)]
    drawn += [
        arrow(300, 290, 300, 327),
        text(310, 312, "imports", "note"),
        arrow(880, 290, 880, 327),
        arrow(790, 290, 790, 557),
        arrow(800, 402, 783, 402),
        arrow(300, 520, 300, 557),
        text(310, 542, "imports tiles and layout alone", "note"),
        arrow(880, 520, 880, 557),
    ]
    for at, way in enumerate((PHOTO, FRAME, CLICK)):
        drawn += [*step(420 + 125 * at, 310, way, "n"), text(434 + 125 * at, 314, f"a {way}'s way", "note")]
    head = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    )
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
        "<title>The rooms of Pyramid Referee and three ways through them</title>",
        f"<style>{STYLE}</style>",
        head,
        *filter(None, drawn),
        "</svg>\n",
    ])  # fmt: skip


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(svg(), encoding="utf-8")
