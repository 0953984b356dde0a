"""What the tests of `replay` and of the files that it writes share."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ui.recorded_games import recorded_file
from ui.cli.main import main
from ui.storage.game_export import export_game
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language

Replay = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Begins and leaves in English."""
    choose_language("en")
    yield
    choose_language("en")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives the test a data folder of its own, and returns it; it is not there yet."""
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def lay_down(data: Path, content: bytes) -> None:
    """Put a data base where the program looks for it."""
    data.mkdir()
    (data / "games.sqlite3").write_bytes(content)


@pytest.fixture
def game(data: Path) -> int:
    """The number of a recorded game."""
    lay_down(data, recorded_file())
    return 1


@pytest.fixture
def replay(data: Path, application: object, capsys: pytest.CaptureFixture[str]) -> Replay:
    """Runs the command in this process; returns exit status, standard output and standard error.

    With an application: drawing a strip must not leave one behind in which no window can be opened.
    """

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main(["--lang", "en", "replay", *map(str, arguments)])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def exported(game: int, tmp_path: Path) -> list[bytes]:
    """The lines of a recorded game when it is exported with pictures."""
    with GameStore.open() as store:
        export_game(store, game, tmp_path / "game.jsonl", with_pictures=True)
    return (tmp_path / "game.jsonl").read_bytes().splitlines(keepends=True)


def sealed(objects: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield objects as the lines of a file; \ud800 stands for half a letter, which only JSON can write."""
    check = 0
    for found in objects:
        text = json.dumps(found, ensure_ascii=False)
        check = zlib.crc32(text.encode(errors="surrogatepass"), check)
        sealed = f'{text[:-1]}, "check": "{check:08x}"}}\n'.replace("\ud800", "\\ud800")
        yield sealed.encode()


def unsealed(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the objects of the lines of a file, without their check sums."""
    return [{key: value for key, value in json.loads(line).items() if key != "check"} for line in lines]
