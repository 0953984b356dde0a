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
from tests.installed.distribution import wanted_files
from tests.places import DATA, ROOT, SAMPLES
from ui import __version__

pytestmark = pytest.mark.bundle

PACKAGE = next(iter(sorted(ROOT.glob(f"dist/pyramid-referee_{__version__}_*.deb"))), None)
ARCHIVE = next(iter(sorted(ROOT.glob(f"dist/pyramid-referee-{__version__}-linux-*.tar.gz"))), None)
MADE_BY_OTHERS = ("/etc/", "/usr/share/mime/", "/usr/share/icons/hicolor/icon-theme.cache")
"""What other packages write when one with a kind of file or an icon comes or goes."""
OF_DESKTOPS = ("desktop-file-utils", "libglib2.0-bin", "shared-mime-info")
BUNDLE = ROOT / "build" / "bundle"
SORT = """
from functools import cmp_to_key
from PySide6.QtCore import QCollator, QLocale
for name in ("fr_FR", "en_GB", "C"):
    order = QCollator(QLocale(name))
    order.setNumericMode(True)
    print(sorted(["jeu 10", "été", "Étage", "jeu 9", "étage"], key=cmp_to_key(order.compare)))
"""
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


def test_all_that_the_program_reads_is_packed(debian: BareDebian) -> None:
    inside = debian.root / "usr/lib/pyramid-referee/_internal"
    packed = {file.relative_to(inside).as_posix() for file in inside.rglob("*") if file.is_file()}
    assert {name for name in wanted_files() if not name.endswith(".py")} - packed == set()
    assert "NOTICES.txt" in packed


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


def test_a_desktop_knows_the_menu_entry_and_the_kind_of_a_saved_game(debian: BareDebian) -> None:
    debian.install(*OF_DESKTOPS)
    debian.run("desktop-file-validate", "/usr/share/applications/pyramid-referee.desktop")
    shutil.copyfile(DATA / "stores" / "game-1.jsonl", debian.root / "tmp" / "game.jsonl")
    told = debian.run("gio", "info", "--attributes=standard::content-type", "/tmp/game.jsonl")
    assert "standard::content-type: application/x-pyramid-referee-game" in told
    told = debian.run("gio", "mime", "application/x-pyramid-referee-game")
    assert "pyramid-referee.desktop" in told


def test_the_plain_archive_runs_where_it_was_unpacked(debian: BareDebian) -> None:
    assert ARCHIVE is not None, "There is no archive in dist/. Run: make bundle"
    (debian.root / "tmp" / "unpacked").mkdir()
    shutil.unpack_archive(ARCHIVE, debian.root / "tmp" / "unpacked", filter="tar")
    program = "/tmp/unpacked/pyramid-referee/pyramid-referee"
    shutil.copyfile(SAMPLES / "fire.jpg", debian.root / "tmp" / "another.jpg")
    truth = json.loads((SAMPLES / "fire.json").read_text(encoding="utf-8"))
    answer = json.loads(debian.run(program, "check", "--json", "/tmp/another.jpg").splitlines()[-1])
    assert answer["layout"] == truth["layout"]
    said = debian.run(*WITH_SCREEN, "sh", "-c", f"{program} --lang en doctor; true")
    assert "A window can be opened." in said
    first_page = (debian.root / "tmp/unpacked/pyramid-referee/README.txt").read_text(encoding="utf-8")
    packages = first_page.partition("--no-install-recommends ")[2].splitlines()[0]
    told = debian.run("apt-get", "install", "--simulate", "--no-install-recommends", *packages.split())
    assert " 0 newly installed" in told, "the .deb brought the same"


def test_names_are_sorted_by_the_smaller_tables_of_languages() -> None:
    """Qt's own, with which they are sorted alike, are in the environment that the bundle is made from."""
    (smaller,) = BUNDLE.glob("dist/pyramid-referee/_internal/PySide6/Qt/lib/libicudata.so.*")
    (larger,) = BUNDLE.glob("environment/lib/python*/site-packages/PySide6/Qt/lib/libicudata.so.*")
    assert smaller.stat().st_size < larger.stat().st_size / 5
    line = [str(BUNDLE / "environment/bin/python"), "-c", SORT]
    by_each = [
        subprocess.run(
            line, env={"LD_PRELOAD": str(one)}, check=True, capture_output=True, text=True, timeout=60
        )
        for one in (smaller, larger)
    ]
    assert by_each[0].stdout == by_each[1].stdout
    assert "['étage', 'Étage', 'été', 'jeu 9', 'jeu 10']" in by_each[0].stdout


def test_it_is_removed_without_a_trace(debian: BareDebian) -> None:
    """The last test: afterwards nothing is there that was not before, but the user's own data."""
    debian.run("apt-get", "purge", "--yes", "pyramid-referee", *OF_DESKTOPS)
    debian.run("apt-get", "purge", "--yes", "--auto-remove")
    left = {file for file in debian.files() - debian.before if not file.startswith(MADE_BY_OTHERS)}
    assert left == set()
    assert [file for file in debian.files() - debian.before if "pyramid" in file] == []
    debian.run("sh", "-c", "command -v pyramid-referee", status=127)
