"""The part of the reader's card that the training writes itself: what it did, and held-out figures."""

from __future__ import annotations

import json
from pathlib import Path

from models.training.calibration.calibrate import CROPS, FAMILIES, Calibration
from models.training.scenes.real_photos import CREDITS
from vision.files import replacing

_START, _END = "<!-- written by the training -->", "<!-- end of what the training wrote -->"
_CREDITS, _END_OF_CREDITS = "<!-- credits of real photos -->", "<!-- end of the credits -->"
_BAR = 40


def write_figures(card: Path, work: Path, calibration: Calibration) -> None:
    """Replace the card's section of figures, or add it at the end; the rest of the card stays."""
    _write_section(card, _START, _lines(work, calibration), _END)


def write_credits(card: Path) -> None:
    """Put into the card which real photos were trained on, and who made them; the rest of the card stays."""
    _write_section(card, _CREDITS, ["## Real photos in the training", "", *CREDITS], _END_OF_CREDITS)


def _write_section(card: Path, start: str, lines: list[str], end: str) -> None:
    text = card.read_text(encoding="utf-8") if card.exists() else ""
    section = "\n".join([start, *lines, end])
    if start in text and end in text:
        before, rest = text.split(start, 1)
        text = before + section + rest.split(end, 1)[1]
    else:
        text = text.rstrip() + "\n\n" + section + "\n"
    with replacing(card) as beside:
        beside.write_text(text, encoding="utf-8")


def _lines(work: Path, calibration: Calibration) -> list[str]:
    figures = calibration.figures
    share = {name: f"{100 * value:.2f} %" for name, value in figures.items()}
    lines = [
        "## What the training says of itself",
        "",
        "| network | steps | minutes | last figures on its own batches |",
        "| --- | --- | --- | --- |",
        *(_log_line(work, name) for name in ("finder", "reader")),
        "",
        f"On {CROPS:,} crops of rendered tables of another seed, and {FAMILIES} families of close-ups, "
        "with the 8-bit network as shipped:",
        "",
        "| | |",
        "| --- | --- |",
        f"| weight named right | {share['weight']} |",
        f"| colour named right | {share['colour']} |",
        f"| both | {share['both']} |",
        f"| tile or none | {share['tile']} |",
        f"| covered or not | {share['covered']} |",
        f"| 1 of 16 tiles of the game, one example each, other light | {share['one_example_own_game']} |",
        f"| 1 of 16 tiles of another game, likewise | {share['one_example_other_games']} |",
        f"| temperature | {calibration.temperature} |",
        f"| expected calibration error | {share['calibration_error']} |",
        "",
        "Reliability of a crop by itself, before the joint decoding: share of codes right, by confidence.",
        "",
        "```text",
        "confidence  right    crops",
        *(
            f"{100 * confidence:8.1f} %{100 * right:6.1f} %{crops:7}  {'#' * round(_BAR * right)}"
            for confidence, right, crops in calibration.reliability
        ),
        "```",
    ]
    return lines


def _log_line(work: Path, name: str) -> str:
    lines = (work / f"{name}.log.jsonl").read_text(encoding="utf-8").splitlines()
    last = json.loads(lines[-1])
    step, minutes = last.pop("step"), last.pop("minutes", 0)
    shown = ", ".join(f"{key} {value:.3f}" for key, value in last.items())
    return f"| {name} | {step:,} | {minutes:.0f} | {shown} |"
