"""What `--help` says, in the language of the user."""

from __future__ import annotations

import pytest

from ui.cli.main import command_names, main
from ui.text.catalogue import choose_language

COMMANDS = [(), *((name,) for name in command_names())]


@pytest.fixture(autouse=True)
def english():
    yield
    choose_language("en")


def lines(command: tuple[str, ...], language: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Return the lines of a help that say more than names."""
    assert main([*command, "--lang", language, "--help"]) == 0
    said = capsys.readouterr().out.split("\n\n", 1)[1]
    words = [line.strip().rpartition("  ")[2] for line in said.splitlines() if not line.endswith(":")]
    return {line for line in words if line.count(" ") > 2}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "overview")
def test_every_line_of_a_help_is_translated(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    english, french = lines(command, "en", capsys), lines(command, "fr", capsys)
    assert len(english) == len(french) > 1
    assert english & french == set()


def test_what_argparse_says_is_translated(capsys):
    assert main(["check", "--lang", "fr"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("utilisation\u00a0: pyramid-referee check")
    assert said.endswith("pyramid-referee check\u00a0: erreur\u00a0: arguments manquants\u00a0: SOURCE\n")


def test_the_help_of_a_command_is_a_sentence_above_its_arguments(capsys):
    assert main(["watch", "--lang", "en", "--help"]) == 0
    assert "\nFollow a game as it is played, and say what must be resolved.\n" in capsys.readouterr().out
