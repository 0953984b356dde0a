"""The part of the reader's card that the training writes itself: what it did, and held-out figures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from models.training.calibration.calibrate import Calibration
from models.training.calibration.pictures import CalibrationSize
from models.training.calibration.risk import ALLOWED, CONFIDENCE, SureConfidence
from models.training.measure import Named, report
from models.training.scenes.real_photos import CREDITS
from vision.files import replacing

_START, _END = "<!-- written by the training -->", "<!-- end of what the training wrote -->"
_GROUPS, _END_OF_GROUPS = "<!-- held-out groups -->", "<!-- end of the held-out groups -->"
_CREDITS, _END_OF_CREDITS = "<!-- credits of real photos -->", "<!-- end of the credits -->"
_LOGS = ("finder.log.jsonl", "reader.log.jsonl")
_BAR = 40
_COVERAGES = (0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def write_figures(card: Path, work: Path, calibration: Calibration, size: CalibrationSize) -> None:
    """Replace the card's section of figures, or add it at the end; the rest of the card stays."""
    _write_section(card, _START, _lines(work, calibration, size), _END)


def write_credits(card: Path) -> None:
    """Put into the card which real photos were trained on, and who made them; the rest of the card stays."""
    _write_section(card, _CREDITS, ["## Real photos in the training", "", *CREDITS], _END_OF_CREDITS)


def write_groups(card: Path, named: Mapping[str, Named], sure: SureConfidence) -> None:
    """Put into the card how held-out groups of artists are read, and what `unsure` promises.

    Args:
        card: The file; the rest of it stays.
        named: How the tiles of each held-out group were named, each by itself.
        sure: The threshold of `unsure`, and what was found about it.
    """
    _write_section(card, _GROUPS, [*_promise(sure), *_group_lines(named)], _END_OF_GROUPS)


def _promise(sure: SureConfidence) -> list[str]:
    missed = (
        f"No threshold that was tried keeps to the {ALLOWED:.1%} that are aimed at. This is the strictest."
    )
    return [
        "## What `unsure` promises",
        "",
        f"A tile is asked about if its code has a chance below {sure.threshold:.4f} after the joint",
        f"decoding. With {CONFIDENCE:.0%} confidence, sets drawn like those of the held-out groups have, in",
        f"the mean, at most {sure.bound:.2%} of tiles wrong and not asked about ({sure.sets} sets,",
        "one picture each, the tiles' places given; `models/training/calibration/risk.py`). Each group is",
        "read with an opinion of hues that was fitted without it (decision 19).",
        *(["", missed] if sure.bound > ALLOWED else []),
        "",
        "This is said of the mean of many sets, not of each. It does not cover art unlike all held-out",
        "groups, real cameras and printing, tiles found at a wrong place, covered tiles, or enrolled",
        "sets. How far it carries to a *kind* of art that had no part in choosing the threshold is seen by",
        "leaving each group out; so few groups promise nothing of another one:",
        "",
        "| left out | sets | threshold of the others | tiles right | asked about | silent errors |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {group} | {each.sets} | {each.threshold:.4f} | {each.right:.1%} | {each.asked:.1%} "
            f"| {each.silent:.2%} |"
            for group, each in sorted(sure.left_out.items(), key=lambda item: -item[1].silent)
        ),
        "",
    ]


def _group_lines(named: Mapping[str, Named]) -> list[str]:
    order = sorted(named, key=lambda group: named[group].figures()["right"])
    together = Named.joined(list(named.values()))
    return [
        "## Groups of artists that were never trained on",
        "",
        "By `python -m models.training.measure --model FOLDER`, the worst group first. Every tile is named",
        "by its own crop alone. These pictures are none of those above; which of the last checkpoints is",
        "shipped was chosen by the worst of these groups.",
        "",
        "```text",
        *report(named),
        "```",
        "",
        "Risk and coverage: the share of wrong ones among the surest tiles, by how many of all these are.",
        "",
        "```text",
        f"{'of the tiles':<26}" + "".join(f"{coverage:>9.0%}" for coverage in _COVERAGES),
        *(
            f"{group:<26}" + "".join(f"{named[group].risk_at(coverage):>9.2%}" for coverage in _COVERAGES)
            for group in order
        ),
        "```",
        "",
        "Reliability: the share named right, by confidence; all groups together, then the worst.",
        "",
        *_diagram(together.reliability()),
        "",
        *_diagram(named[order[0]].reliability()),
    ]


def _diagram(reliability: Sequence[tuple[float, float, int]]) -> list[str]:
    return [
        "```text",
        "confidence  right    tiles",
        *(
            f"{100 * confidence:8.1f} %{100 * right:6.1f} %{tiles:7}  {'#' * round(_BAR * right)}".rstrip()
            for confidence, right, tiles in reliability
        ),
        "```",
    ]


def place_lines(
    name: str, rights: Mapping[str, Mapping[str, tuple[float, int]]], steps: int, temperature: float
) -> list[str]:
    """Return the card of a place head: share of right answers by state and group, the worst group first.

    Args:
        name: Of the model.
        rights: By group and by answer, the share of right ones and how many were asked.
        steps: How long it was trained.
        temperature: What the logits of the state are divided by.
    """
    return [
        f"# {name}",
        "",
        "The place head: from the reader's features of a place now and on an earlier table it tells a tile,",
        "the bare table, an occluder (a hand or arm) and another thing, and whether tile or bare table are",
        "the same as before.",
        "[Decision 12](../../docs/decisions/0012-the-place-head-learns-after-the-reader.md) says why and",
        "how.",
        "",
        f"Trained for {steps:,} steps by `python -m models.training.train place`, on rendered pairs of",
        "places and the features of the reader that its manifest names. The logits of the state are divided",
        f"by {temperature}. The tracker asks it whether a tile that the game knows lies there still, and",
        "whether a place shows a tile that nobody can read; the others are not used. Licence: MIT.",
        "",
        "Right answers of both networks as they ship, on pairs that were not learned from, the group with",
        "the worst state first; the temperature was fitted on the same pairs:",
        "",
        *_rights_table(rights),
    ]


def _rights_table(rights: Mapping[str, Mapping[str, tuple[float, int]]]) -> list[str]:
    """Return the table of what `place_lines` takes, the group with the worst answer first."""
    answers = list(next(iter(rights.values())))
    order = sorted(rights, key=lambda group: min(share for share, asked in rights[group].values() if asked))
    return [
        f"| group | {' | '.join(answers)} |",
        "| --- " * (len(answers) + 1) + "|",
        *(
            f"| {group} | "
            + " | ".join(
                f"{share:.1%} of {asked}" for share, asked in (rights[group][name] for name in answers)
            )
            + " |"
            for group in order
        ),
    ]


def _write_section(card: Path, start: str, lines: list[str], end: str) -> None:
    text = card.read_text(encoding="utf-8") if card.exists() else ""
    section = "\n".join([start, *lines, end])
    if start in text and end in text:
        before, rest = text.split(start, 1)
        text = before + section + rest.split(end, 1)[1]
    else:
        text = "\n\n".join(filter(None, (text.rstrip(), section))) + "\n"
    with replacing(card) as beside:
        beside.write_text(text, encoding="utf-8")


def _lines(work: Path, calibration: Calibration, size: CalibrationSize) -> list[str]:
    figures = calibration.figures
    share = {name: f"{100 * value:.2f} %" for name, value in figures.items()}
    lines = [
        "## What the training says of itself",
        "",
        "| network | steps | minutes | last figures on its own batches |",
        "| --- | --- | --- | --- |",
        *(_log_line(log) for log in sorted(work.glob("*.log.jsonl")) if log.name in _LOGS),
        "",
        f"On {size.crops:,} crops of rendered tables of another seed, and {size.families} families of "
        "close-ups, with the 8-bit network as shipped:",
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
        f"| temperature of weights | {calibration.temperatures.weight} |",
        f"| temperature of colours | {calibration.temperatures.colour} |",
        f"| expected calibration error | {share['calibration_error']} |",
        "",
        "Reliability of a crop by itself, before the joint decoding: share of codes right, by confidence.",
        "",
        *_diagram(calibration.reliability),
    ]
    return lines


def _log_line(log: Path) -> str:
    last = json.loads(log.read_text(encoding="utf-8").splitlines()[-1])
    step, minutes = last.pop("step"), last.pop("minutes", 0)
    shown = ", ".join(f"{key} {value:.3f}" for key, value in last.items())
    return f"| {log.name.partition('.')[0]} | {step:,} | {minutes:.0f} | {shown} |"
