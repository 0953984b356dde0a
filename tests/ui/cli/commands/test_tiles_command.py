"""`pyramid-referee tiles`: the PDF is read back, and a painted sheet is measured."""

from __future__ import annotations

import argparse
import errno
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from referee.rules.tiles import CODES
from tests.places import ROOT
from ui.artwork.print_sheets import SHEETS, paint_sheet, print_note
from ui.artwork.tile_face import GROUND
from ui.cli.commands import tiles
from ui.cli.main import main
from ui.platform.qimages import to_bgr
from ui.text import catalogue

POINTS_PER_MM = 72 / 25.4
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
DPI = 150
PX_PER_MM = DPI / 25.4
HALF_A_PIXEL_MM = 0.5 / PX_PER_MM


@pytest.fixture(scope="session")
def application() -> QApplication:
    running = QApplication.instance()
    return running if isinstance(running, QApplication) else QApplication([])


class Done(NamedTuple):
    """What one run came to."""

    returncode: int
    stdout: str
    stderr: str


Referee = Callable[..., Done]


def referee_process(folder: Path, *arguments: str) -> Done:
    """Run the program in a folder, as a person does."""
    line = [sys.executable, "-m", "ui", *arguments]
    place = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        line, capture_output=True, text=True, cwd=folder, env=place, timeout=120, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def referee(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    application: QApplication,
) -> Referee:
    """Runs the program in the test's folder, but in this process."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: Done(main(list(arguments)), *capfd.readouterr())


def page_contents(pdf: bytes) -> list[str]:
    """The drawing instructions of the pages: the streams that set a page's unit first."""
    streams = []
    for start in re.finditer(rb"stream\r?\n", pdf):
        try:
            text = zlib.decompressobj().decompress(pdf[start.end() :]).decode("latin-1")
        except zlib.error:
            continue  # words about the file
        if " cm\n" in text:
            streams.append(text)
    return streams


@pytest.mark.parametrize(
    ("arguments", "paper"), [((), "a4"), (("--paper", "letter"), "letter")], ids=["default", "letter"]
)
def test_the_file_has_three_pages_of_the_papers_size_with_15_tiles_of_50_mm(
    tmp_path: Path, arguments: tuple[str, ...], paper: str
) -> None:
    done = referee_process(tmp_path, "--lang", "en", "tiles", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    (file,) = tmp_path.iterdir()
    assert file.name == f"pyramid-referee-tiles-{paper}.pdf"
    assert done.stdout.startswith(f"Written: {file.name}\nPrint at 100 %")
    pdf = file.read_bytes()
    boxes = re.findall(rb"/MediaBox \[([\d. ]+)\]", pdf)
    assert len(boxes) == 3
    for box in boxes:
        assert [float(value) for value in box.split()] == pytest.approx(
            [0, 0, *(side * POINTS_PER_MM for side in PAPERS_MM[paper])], abs=0.5
        )
    contents = page_contents(pdf)
    assert len(contents) == 3
    for content in contents:
        unit = float(re.search(r"([\d.]+) 0 0 -", content)[1])  # type: ignore[index]
        faces = re.findall(r"([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm\n0 0 100 100 re", content)
        assert len(faces) == 15
        sides_mm = np.array(faces, float) * 100 * unit / POINTS_PER_MM
        assert sides_mm == pytest.approx(np.full((15, 2), 50), abs=0.01)


def test_all_45_tiles_are_on_the_sheets() -> None:
    assert sorted(code for sheet in SHEETS for code in sheet) == sorted(CODES)


def test_it_speaks_french(referee: Referee, tmp_path: Path) -> None:
    done = referee("--lang", "fr", "tiles", "tuiles.pdf")
    assert "Imprimez à 100\u00a0%" in done.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["tuiles.pdf"]


def test_a_folder_gets_the_file_under_its_usual_name(referee: Referee, tmp_path: Path) -> None:
    assert referee("tiles", str(tmp_path)).returncode == 0
    assert (tmp_path / "pyramid-referee-tiles-a4.pdf").read_bytes().startswith(b"%PDF-")


def test_an_older_file_is_replaced(referee: Referee, tmp_path: Path) -> None:
    assert referee("tiles", "x.pdf", "--paper", "letter").returncode == 0
    older = (tmp_path / "x.pdf").read_bytes()
    assert referee("tiles", "x.pdf").returncode == 0
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "x.pdf").read_bytes() != older


def test_a_file_of_somebody_else_stays(referee: Referee, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_text("mine", encoding="utf-8")
    done = referee("--lang", "en", "tiles", "x.pdf")
    assert done.returncode == 1
    assert "rename or remove that one first" in done.stderr
    assert (tmp_path / "x.pdf").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["missing/x.pdf", "file/x.pdf", "x" * 300 + ".pdf"])
def test_a_place_that_cannot_be_written_is_one_sentence(referee: Referee, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    done = referee("--lang", "en", "tiles", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"The sheets cannot be written to '{name}': ")
    assert len(done.stderr.splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_the_older_file_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    application: QApplication,
) -> None:
    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    old = tmp_path / "x.pdf"
    assert tiles.run(argparse.Namespace(file=old, paper="letter")) == 0
    older = old.read_bytes()
    capsys.readouterr()
    monkeypatch.setattr(Path, "write_bytes", full)
    assert tiles.run(argparse.Namespace(file=old, paper="a4")) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["x.pdf"]
    assert old.read_bytes() == older


def test_other_paper_is_wrong_usage(referee: Referee, tmp_path: Path) -> None:
    assert referee("tiles", "--paper", "a3").returncode == 2
    assert list(tmp_path.iterdir()) == []


def painted(paper: str, number: int = 1) -> np.ndarray:
    """A sheet as (H, W, 3) uint8 BGR at DPI."""
    width, height = PAPERS_MM[paper]
    page = QImage(round(width * PX_PER_MM), round(height * PX_PER_MM), QImage.Format.Format_RGB32)
    page.fill(0xFFFFFFFF)
    painter = QPainter(page)
    painter.scale(PX_PER_MM, PX_PER_MM)
    paint_sheet(painter, QSizeF(width, height), number)
    painter.end()
    return to_bgr(page)


def inked(paper: str, number: int = 1) -> np.ndarray:
    """A sheet as (H, W) shares of ink, from 0 for bare paper to 1."""
    return 1 - painted(paper, number).min(axis=2) / 255


def runs_mm(dark: np.ndarray) -> list[tuple[float, float]]:
    """Where a line of ink begins and ends, in mm; `dark` has the share of ink, 0 to 1, of each pixel."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (dark > 0).astype(int), [0]])))
    runs = []
    for start, end in edges.reshape(-1, 2):
        ink = dark[start:end]
        if len(ink) < 3:  # a hairline, thinner than the pixels that it tints
            middle = np.arange(start, end) @ ink / ink.sum() + 0.5
            runs.append((middle - ink.sum() / 2, middle + ink.sum() / 2))
        else:
            runs.append((start + 1 - ink[0], end - 1 + ink[-1]))
    return [(float(start) / PX_PER_MM, float(end) / PX_PER_MM) for start, end in runs]


@pytest.mark.usefixtures("application")
@pytest.mark.parametrize("paper", PAPERS_MM)
class TestMeasured:
    """A sheet painted at 150 dpi, measured in pixels: what a ruler would say of the print."""

    def test_crop_marks_are_50_mm_apart_on_all_four_sides(self, paper: str) -> None:
        ink = inked(paper)
        for lines, count, other in ((ink, 3, 5), (ink.T, 5, 3)):
            length, start = size_and_margin_mm(lines.shape[1], count)
            far, margin = size_and_margin_mm(lines.shape[0], other)
            expected = [start + at * 52 + edge for at in range(count) for edge in (0, 50)]
            for line_mm in (margin - 1.4, margin + far + 1.4):  # no mark is cut through
                assert lines[int(line_mm * PX_PER_MM)].max() == 0
            for line_mm in (margin - 4, margin + far + 4):
                marks = [
                    (begin + end) / 2
                    for begin, end in runs_mm(lines[int(line_mm * PX_PER_MM)])
                    if start - 1 < begin < start + length + 1
                ]
                assert marks == pytest.approx(expected, abs=HALF_A_PIXEL_MM)

    def test_tiles_lie_between_their_marks(self, paper: str) -> None:
        """The colour of their edge goes on by 1 mm; the ground within the rim of 1.5 mm is 47 mm wide."""
        page = painted(paper)
        _, left = size_and_margin_mm(page.shape[1], 3)
        _, top = size_and_margin_mm(page.shape[0], 5)
        line = page[int((top + 2.5) * PX_PER_MM)]
        block = [run for run in runs_mm(1 - line.min(axis=1) / 255) if run[1] - run[0] > 100]
        assert block == [pytest.approx((left - 1, left + 155), abs=2 * HALF_A_PIXEL_MM)]
        yellow_bgr = [int(GROUND["Y"][at : at + 2], 16) for at in (5, 3, 1)]
        grounds = runs_mm((np.abs(line - np.array(yellow_bgr)).max(axis=1) < 3).astype(float))
        expected = [(left + at * 52 + 1.5, left + at * 52 + 48.5) for at in range(3)]
        assert np.array(grounds) == pytest.approx(np.array(expected), abs=2 * HALF_A_PIXEL_MM)

    def test_the_bar_is_50_mm_long(self, paper: str) -> None:
        ink = inked(paper)
        length, left = size_and_margin_mm(ink.shape[1], 3)
        (bar,) = runs_mm(ink[:, int((left + length + 13.5) * PX_PER_MM)])
        assert bar[1] - bar[0] == pytest.approx(50, abs=0.05)

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_nothing_lies_where_home_printers_cannot_print(
        self, paper: str, language: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The outermost 4.9 mm are bare, also where the words are long."""
        monkeypatch.setattr(catalogue, "_translations", catalogue._translations)  # put back afterwards
        catalogue.choose_language(language)
        edge = int(4.9 * PX_PER_MM)
        for number in range(1, len(SHEETS) + 1):
            ink = inked(paper, number)
            inside = ink[edge:-edge, edge:-edge]
            assert np.count_nonzero(inside) == np.count_nonzero(ink) > 0

    def test_the_words_are_there(self, paper: str) -> None:
        """Three lines of words in the left margin, each of its own length."""
        ink = inked(paper)
        _, left = size_and_margin_mm(ink.shape[1], 3)
        lengths = []
        for away in (17, 13, 9):
            strip = ink[:, int((left - away - 2) * PX_PER_MM) : int((left - away) * PX_PER_MM)]
            lengths.append(np.ptp(np.flatnonzero((strip > 0.5).any(axis=1))) / PX_PER_MM)
        assert min(lengths) > 40
        assert len({round(length) for length in lengths}) == 3


def size_and_margin_mm(page_px: int, tiles: int) -> tuple[float, float]:
    """How long some tiles with gaps of 2 mm are, and the margin that is left beside them in the middle."""
    length = tiles * 52 - 2
    return length, (page_px / PX_PER_MM - length) / 2


def test_the_note_tells_the_bars_length() -> None:
    assert "50 mm" in print_note()
