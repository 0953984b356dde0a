"""The .deb in a bare Debian that has no Python: installed, used, and removed without a trace."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import cv2
import pytest

from tests.installed.bare_debian import BareDebian, bare_debian
from tests.places import ROOT, SAMPLES
from ui import __version__

pytestmark = pytest.mark.bundle

PACKAGE = next(iter(sorted(ROOT.glob(f"dist/pyramid-referee_{__version__}_*.deb"))), None)
WITH_SCREEN = ("xvfb-run", "--auto-servernum", "--server-args=-screen 0 1440x900x24")
WAIT_S = 300
BOTH_STARTS = """
pyramid-referee --lang en app --demo &
echo $! > /tmp/pid
while [ ! -e /tmp/play ]; do sleep 1; done
pyramid-referee --lang en 2> /tmp/second
echo $? > /tmp/status
wait
"""
"""The sample game, and beside it another start of the app, as soon as there is a file `play`."""


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BareDebian]:
    """A bare Debian with our package, and a screen that nobody sees."""
    assert PACKAGE is not None, "There is no package in dist/. Run: make bundle"
    with bare_debian(tmp_path_factory.mktemp("debian")) as made:
        made.run("apt-get", "update")
        made.install("xvfb", "xauth", "fonts-dejavu-core")
        made.before = made.files()
        shutil.copyfile(PACKAGE, made.root / "tmp" / "package.deb")
        made.install("/tmp/package.deb")
        yield made


def test_there_is_no_python(debian: BareDebian) -> None:
    debian.run("sh", "-c", "command -v python3 python", status=127)


def test_a_photo_is_judged(debian: BareDebian) -> None:
    shutil.copyfile(SAMPLES / "fire.jpg", debian.root / "tmp" / "photo.jpg")
    truth = json.loads((SAMPLES / "fire.json").read_text(encoding="utf-8"))
    answer = json.loads(debian.run("pyramid-referee", "check", "--json", "/tmp/photo.jpg").splitlines()[-1])
    assert answer["layout"] == truth["layout"]


def test_a_layout_is_judged_and_french_is_there(debian: BareDebian) -> None:
    assert debian.run("pyramid-referee", "--version") == f"pyramid-referee {__version__}\n"
    assert "Sans commande" in debian.run("pyramid-referee", "--lang", "fr", "--help")
    said = debian.run("sh", "-c", """echo '{"layout": "R40 B20/Y1"}' | pyramid-referee judge""")
    assert json.loads(said)["events"][0]["event"] == "collapse"


def test_the_doctor_finds_nothing_missing(debian: BareDebian) -> None:
    said = debian.run(*WITH_SCREEN, "sh", "-c", "pyramid-referee --lang en doctor; true")
    assert "All libraries can be loaded." in said
    assert said.count("is sound") == 2
    assert "A window can be opened." in said


def test_a_film_is_read_by_a_process_that_the_bundle_starts_from_itself(debian: BareDebian) -> None:
    film, kind = debian.root / "tmp" / "film.avi", cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(film), kind, 10, (1280, 720))
    picture = cv2.resize(cv2.imread(str(SAMPLES / "game" / "04.jpg")), (1280, 720))
    for _ in range(60):
        writer.write(picture)
    writer.release()
    said = debian.run("pyramid-referee", "--lang", "en", "watch", "/tmp/film.avi", "--players", "3")
    assert "blue 100" in said


def test_the_sample_game_plays_and_a_second_start_finds_its_window(debian: BareDebian) -> None:
    folder = debian.root / "tmp"
    (folder / "both-starts").write_text(BOTH_STARTS, encoding="utf-8")
    app = subprocess.Popen(debian.line(*WITH_SCREEN, "sh", "/tmp/both-starts"))
    try:
        assert wait_for_turns(debian) >= 3
        (folder / "play").touch()
        wait_for(lambda: (folder / "status").is_file() and bool((folder / "status").read_text()))
        assert (folder / "status").read_text() == "0\n"
        second = (folder / "second").read_text(encoding="utf-8")
        assert second.endswith("Pyramid Referee is open already: its window is in front now.\n")
        assert app.poll() is None
    finally:
        debian.run("sh", "-c", "kill -INT $(cat /tmp/pid)")
        app.wait(timeout=120)


def wait_for(holds: Callable[[], bool]) -> None:
    """Return as soon as something holds; fail if it never does."""
    until = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.5)


def wait_for_turns(debian: BareDebian) -> int:
    """Return how many entries the sample game has stored, once there are some."""
    found = 0

    def has_some() -> bool:
        nonlocal found
        for base in debian.root.glob("tmp/pyramid-referee-*/sample.sqlite3"):
            with closing(sqlite3.connect(f"file:{base}?mode=ro", uri=True)) as store, suppress(sqlite3.Error):
                found = int(store.execute("SELECT count(*) FROM entry").fetchone()[0])
        return found >= 3

    wait_for(has_some)
    return found


def test_menu_entry_man_page_and_completion_are_there(debian: BareDebian) -> None:
    share = debian.root / "usr" / "share"
    for place in (
        "applications/pyramid-referee.desktop", "icons/hicolor/scalable/apps/pyramid-referee.svg",
        "mime/packages/pyramid-referee.xml", "man/man1/pyramid-referee.1.gz",
        "bash-completion/completions/pyramid-referee", "zsh/vendor-completions/_pyramid-referee",
        "fish/vendor_completions.d/pyramid-referee.fish", "doc/pyramid-referee/copyright",
    ):  # fmt: skip
        assert (share / place).stat().st_size > 100, place


def test_it_is_removed_without_a_trace(debian: BareDebian) -> None:
    """The last test: afterwards nothing of ours is there but the user's own data."""
    debian.run("apt-get", "purge", "--yes", "--auto-remove", "pyramid-referee")
    left = {file for file in debian.files() - debian.before if not file.startswith("/etc/")}
    assert {file for file in left if "pyramid" in file} == set()
    debian.run("sh", "-c", "command -v pyramid-referee", status=127)
