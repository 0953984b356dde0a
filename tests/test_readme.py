"""What README and docs promise: commands run or at least parse, and print what is shown; all paths exist.

In the pages, a block marked `sh` holds commands, one a line. A block marked `text` right after a block with
one command shows what it prints; `…` stands for what was left out.
"""

from __future__ import annotations

import argparse
import doctest
import io
import re
import runpy
import shlex
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.places import ROOT
from ui.cli.main import command_names, main
from ui.text.catalogue import choose_language

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "samples/*.md", "models/**/*.md")
    for page in ROOT.glob(pattern)
)
PACKAGES = ("referee", "vision", "models", "ui")
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
GAME_PICTURES = 24
"""So much of the sample game is watched here: what the docs show of it. The app's test watches all of it."""
RUNNABLE = {"check", "evaluate", "judge", "replay", "tiles", "watch"}
"""Commands that need no window, no camera and no photos of the reader's own."""
FOREIGN = {
    "git": {"clone", "mv", "log"},
    "python -m": {"build", "mypy", "pip", "pytest", "ruff", "venv"},
    "ruff": {"check", "format"},
    "pipx": {"install"},
    "uv": {"tool"},
}
"""What other programs are called with."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page."""

    page: str
    text: str
    output: str = ""
    """What it prints by the page; empty where the page does not show it."""

    @property
    def words(self) -> list[str]:
        """The words after a pipe if there is one, without the way to the virtual environment."""
        return shlex.split(self.text.rpartition(" | ")[2].replace(".venv/bin/", ""), comments=True)

    @property
    def given(self) -> str:
        """What is piped into it."""
        before = shlex.split(self.text.rpartition(" | ")[0])
        return " ".join(before[1:]) + "\n" if before[:1] == ["echo"] else ""


def name(page: Path) -> str:
    """Return a page's path in the project."""
    return page.relative_to(ROOT).as_posix()


@cache
def commands() -> tuple[Command, ...]:
    """Return every command of every page: those of the blocks, and those within a line."""
    found: dict[tuple[str, str], Command] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        for at, block in enumerate(blocks):
            if block[2] != "sh":
                continue
            lines = [line.strip() for line in block[3].splitlines() if line.strip()]
            after = blocks[at + 1] if at + 1 < len(blocks) else None
            shown = (
                after[3]
                if after and after[2] == "text" and not text[block.end() : after.start()].strip()
                else ""
            )
            for line in lines:
                found[name(page), line] = Command(name(page), line, shown if len(lines) == 1 else "")
        for code in inline_codes(page):
            if re.match(r"(\.venv/bin/)?(pyramid-referee|make|python3?|pip) ", code):
                found.setdefault((name(page), code), Command(name(page), code))
    return tuple(found.values())


def inline_codes(page: Path) -> list[str]:
    """Return what stands between single backticks in a page, blocks left out."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [code.replace("\n", " ") for code in re.findall(r"`([^`]+)`", text)]


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return a parser with the options of one command of ours."""
    parser = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    parser.add_argument("--lang")
    parser.add_argument("--debug", action="store_true")
    import_module(f"ui.cli.commands.{command}").add_arguments(parser)
    return parser


def parse(words: list[str]) -> argparse.Namespace:
    """Return what our program would understand of these words.

    Raises:
        ValueError: It would refuse them.
    """
    command = next((word for word in words if not word.startswith("-")), "app")
    if command not in command_names():
        raise ValueError(f"no command {command}")
    try:
        return parser_of(command).parse_args([word for word in words if word != command])
    except (argparse.ArgumentError, SystemExit) as error:
        raise ValueError(str(error)) from error


def problem_of(command: Command) -> str:
    """Return why a command cannot be meant as it stands; an empty text where it is sound."""
    program, *words = command.words
    try:
        if program == "pyramid-referee":
            parse(words)
        elif program == "make":
            targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            wanted = words[2:] if words[:1] == ["-C"] else words
            return "" if set(wanted) <= set(targets) else "no such target"
        elif program in ("python", "python3"):
            return problem_of_python(words)
        elif program == "pip":
            return problem_of_pip(words)
        elif program not in FOREIGN or words[0] not in FOREIGN[program]:
            return "this test does not know the program"
    except ValueError as error:
        return str(error)
    return ""


def problem_of_python(words: list[str]) -> str:
    """Return what is wrong with the words after `python`."""
    if words[0] != "-m":
        return "" if (ROOT / words[0]).is_file() else "no such file"
    module, options = words[1], [word.split("=")[0] for word in words[2:] if word.startswith("--")]
    if module in FOREIGN["python -m"]:
        paths = [word for word in words[2:] if "/" in word]
        return "" if all((ROOT / path).exists() for path in paths) else "no such path"
    file = ROOT / module.replace(".", "/")
    file = file / "__main__.py" if file.is_dir() else file.with_suffix(".py")
    if not file.is_file():
        return "no such module"
    source = file.read_text(encoding="utf-8")
    return "" if all(f'"{option}"' in source for option in options) else "no such option"


def problem_of_pip(words: list[str]) -> str:
    """Return what is wrong with the words after `pip`."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    named = [extra for word in words for extra in re.findall(r"\[(\w+)\]", word)]
    files = [word for word in words if word.endswith(".txt")]
    is_sound = (
        words[0] == "install" and set(named) <= set(extras) and all((ROOT / file).is_file() for file in files)
    )
    return "" if is_sound else "no such extra or file"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_can_be_meant(page: Path) -> None:
    """Programs, commands, options and values exist."""
    problems = {each.text: problem_of(each) for each in commands() if each.page == name(page)}
    assert {text: problem for text, problem in problems.items() if problem} == {}


def can_run(command: Command) -> bool:
    """Return whether a command needs nothing but the samples."""
    program, *words = command.words
    if program != "pyramid-referee" or not words or words[0] not in RUNNABLE:
        return False
    args = vars(parse(words))
    if args.get("tiles") or args.get("model") or args.get("scheduler") or args.get("resume"):
        return False
    inputs = [args.get(key) for key in ("source", "directory", "file") if words[0] != "tiles"]
    named = [str(one) for each in inputs if each for one in (each if isinstance(each, list) else [each])]
    return all((ROOT / each).exists() for each in named) and (
        words[0] != "judge" or bool(named or command.given)
    )


@pytest.mark.usefixtures("qapp")  # strips need an application, and a process has but one
def test_the_commands_that_can_run_print_what_the_pages_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each ends well, in a folder with the samples alone; games are replayed after they were watched."""
    game = tmp_path / "samples" / "game"
    game.mkdir(parents=True)
    for sample in (ROOT / "samples").glob("*.*"):
        (tmp_path / "samples" / sample.name).symlink_to(sample)
    for picture in sorted((ROOT / "samples" / "game").iterdir())[:GAME_PICTURES]:
        (game / picture.name).symlink_to(picture)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    wanted: dict[str, list[Command]] = {}
    for command in sorted(filter(can_run, commands()), key=lambda each: each.words[1] == "replay"):
        wanted.setdefault(command.text.replace(".venv/bin/", ""), []).append(command)
    ran = {each.words[1] for same in wanted.values() for each in same}
    assert ran == RUNNABLE
    try:
        for same in wanted.values():
            stdin = io.TextIOWrapper(io.BytesIO(same[0].given.encode()), encoding="utf-8")
            monkeypatch.setattr(sys, "stdin", stdin)
            status = main(same[0].words[1:])
            out, err = capsys.readouterr()
            assert status == 0, (same[0], err)
            for command in same:
                assert lacks(out, command.output) == [], command
    finally:
        choose_language("en")


def lacks(out: str, shown: str) -> list[str]:
    """Return the parts of what is shown that are not printed in this order; line breaks do not count."""
    rest, missing = " ".join(out.split()), []
    for part in shown.split("…"):
        words = " ".join(part.split())
        _, found, after = rest.partition(words) if words else ("", "-", rest)
        if found:
            rest = after
        else:
            missing.append(words)
    return missing


def test_what_is_shown_wrongly_is_found() -> None:
    """The comparison itself can fail."""
    assert lacks("a  b\nc d", "a b … d") == []
    assert lacks("a b c d", "c … a") == ["a"]
    assert lacks("a b", "a x") == ["a x"]


def test_the_examples_of_the_engine_give_what_they_show() -> None:
    """Blocks with >>> are doctests."""
    results = [
        doctest.testfile(str(page), module_relative=False)
        for page in PAGES
        if ">>> " in page.read_text(encoding="utf-8")
    ]
    assert sum(result.attempted for result in results) >= 4
    assert sum(result.failed for result in results) == 0


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    """Files and folders of the project, as far as they are written as code."""
    top = {entry.name for entry in ROOT.iterdir()} - {".venv", ".git"}
    missing = []
    for code in inline_codes(page):
        path = code.rstrip("/")
        if not re.fullmatch(r"[\w.*/-]+", path):
            continue
        if path.split("/")[0] in top and ("/" in path or "." in path):
            is_there = any(ROOT.glob(path))
        elif "/" not in path and path.endswith(".py"):
            is_there = any(page.parent.rglob(path))
        else:
            continue
        missing += [] if is_there else [code]
    assert missing == []


@cache
def all_options() -> frozenset[str]:
    """Return every option of our commands, and those of the programs below tests/ and .ci/."""
    ours = {option for each in command_names() for option in parser_of(each)._option_string_actions}
    files = (*(ROOT / "tests").rglob("*.py"), *(ROOT / ".ci").glob("*.py"))
    theirs = {
        found for file in files for found in re.findall(r'"(--[\w-]+)"', file.read_text(encoding="utf-8"))
    }
    return frozenset(ours | theirs | {"--version"})


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_option_that_a_page_names_exists(page: Path) -> None:
    """Options that stand alone, such as `--turn`."""
    named = {code.split()[0].split("=")[0] for code in inline_codes(page) if re.match(r"--\w", code)}
    assert named - all_options() == set()


def links_of(page: Path) -> list[tuple[Path, str]]:
    """Return where a page's links lead to: the file, and the heading in it."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if "://" not in link:
            path, _, heading = link.partition("#")
            found.append(((page.parent / path).resolve() if path else page, heading))
    return found


def headings_of(page: Path) -> set[str]:
    """Return the headings of a page as links call them."""
    heads = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Pages, pictures and headings that are linked to exist."""
    lost = [
        f"{path}#{heading}"
        for path, heading in links_of(page)
        if not path.exists() or (heading and heading not in headings_of(path))
    ]
    assert lost == []


def test_every_page_of_the_docs_can_be_reached_from_the_readme() -> None:
    """No page is an orphan."""
    reached: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page.suffix == ".md" and page not in reached:
            reached.add(page)
            todo += [path for path, _ in links_of(page)]
    assert [name(page) for page in PAGES if page.is_relative_to(ROOT / "docs") and page not in reached] == []


def test_the_readme_is_short_and_has_five_pictures() -> None:
    """It makes one want to try it; the docs have the rest."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert text.count("](samples/pictures/") >= 5


def test_the_picture_of_the_architecture_has_the_true_rooms() -> None:
    """Each room of the four packages is in it, and no other."""
    drawing = ROOT / "docs" / "pictures" / "architecture.svg"
    picture = drawing.read_text(encoding="utf-8")
    assert picture == runpy.run_path(str(drawing.with_suffix(".py")))["svg"]()
    drawn = set(re.findall(r'id="(\w+/\w+)"', picture))
    rooms = {
        f"{package}/{file.parent.name}"
        for package in PACKAGES
        for file in (ROOT / package).glob("*/__init__.py")
    }
    assert drawn == rooms
