"""How well `watch` follows a filmed game: `python -m tests.benchmarks.played_games FOLDER`.

The folder holds `frame_000.jpg` … and either `script.json` (a game by the rules, with what a referee should
say) or `game.json` (tables alone, with arbitrary removals). Every picture is held for a second at 15 frames a
second, with fresh sensor noise on each frame, as an MJPEG video, which `watch --json` then follows. Printed
is every line that is missing, and every one too many; the exit status is 1 if there are any.

Without rules to go by, each settled table must be reported once, in order, by whatever line carries it.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

FPS, HELD_FRAMES, SIGMA = 15, 15, 4.0


def write_video(folder: Path, path: Path) -> None:
    """Write the pictures of a folder as a video."""
    rng = np.random.default_rng(1)
    writer, noise = None, np.zeros(0, np.int16)
    for picture in sorted(folder.glob("frame_*.jpg")):
        image = cv2.imread(str(picture))
        if image is None:
            raise SystemExit(f"{picture} is no picture that can be read.")
        height, width = image.shape[:2]
        if writer is None:
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (width, height))
            noise = np.round(rng.normal(0, SIGMA, (2 * height, 2 * width, 3))).astype(np.int16)
        for _ in range(HELD_FRAMES):
            y, x = rng.integers(height), rng.integers(width)
            writer.write(np.clip(image + noise[y : y + height, x : x + width], 0, 255).astype(np.uint8))
    if writer is None:
        raise SystemExit(f"{folder} holds no frame_*.jpg.")
    writer.release()


def watched(video: Path, players: int, variant: str) -> list[dict[str, Any]]:
    """Return the lines of `watch --json` for a video."""
    line = [sys.executable, "-m", "ui", "watch", "--json", "--players", str(players), "--variant", variant]
    with tempfile.TemporaryDirectory() as data:
        done = subprocess.run(
            [*line, str(video)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env={**os.environ, "PYRAMID_REFEREE_DATA": data},
        )
    return [json.loads(text) for text in done.stdout.splitlines()]


def expected_lines(script: dict[str, Any]) -> Iterator[str]:
    """Yield what should be said in a game by the rules."""
    announced: dict[str, Any] = {}
    for step in script["steps"]:
        if step["hand"] or step["what"] in {"start", "bumped"}:
            continue
        what, head = step["what"], f"turn {step['turn']}, player {step['player']}"
        place = step.get("place", {})
        if what in {"placed", "missed"}:
            yield f"{head}: placed {place['tile']}, table {step['layout']}"
        if what == "fixed":
            yield f"{head}: fixed"
        if what in {"step", "fixed"}:
            done = announced["pending"]
            at = next((at for at, event in enumerate(done) if _is_same(event, step["event"])), None)
            # A fall that was chosen comes after all that could be told before the choice.
            for event in [*done, step["event"]] if at is None else done[: at + 1]:
                yield f"{head}: step {_named(event)}"
        pending = [_named(event) for event in step["pending"]]
        if what == "missed":
            yield f"{head}: missed since {step['since']}, {pending}"
        elif what == "wrong-step":
            yield f"{head}: wrong-step, table {step['layout']}"
        elif pending:
            yield f"{head}: verdict {pending}"
        if what != "wrong-step":
            announced = step


def said_lines(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what was said in the same words."""
    for line in lines:
        what, head = line["event"], f"turn {line['turn']}, player {line['player']}"
        match what:
            case "placed":
                yield f"{head}: placed {line['tile']}, table {line['layout']}"
            case "step":
                yield f"{head}: step {_named(line['step'])}"
            case "missed":
                yield f"{head}: missed since {line['since']}, {[_named(each) for each in line['verdict']]}"
            case "verdict":
                yield f"{head}: verdict {[_named(each) for each in line['verdict']]}"
            case "wrong-step":
                yield f"{head}: wrong-step, table {line['layout']}"
            case "fixed":
                yield f"{head}: fixed"
            case _:
                yield f"{head}: {what} {line.get('text', '')}"


def _named(event: dict[str, Any]) -> str:
    keys = ("event", "tile", "tiles", "reasons", "taken", "direction", "payer")
    return " ".join(f"{event[key]}" for key in keys if key in event)


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return _named(one) == _named(other)


def compare(expected: list[str], said: list[str]) -> int:
    """Print what differs, and return how many lines do."""
    differing = [line for line in difflib.ndiff(expected, said) if line[0] in "+-"]
    for line in differing:
        print({"-": "missing: ", "+": "too many: "}[line[0]] + line[2:])
    print(f"{len(expected)} expected, {len(said)} said, {len(differing)} differ")
    return len(differing)


def main() -> None:
    """Play the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--players", type=int, default=3, help="where the folder does not tell")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        video = Path(work) / "game.avi"
        write_video(args.folder, video)
        script = args.folder / "script.json"
        if script.exists():
            game = json.loads(script.read_text(encoding="utf-8"))
            lines = watched(video, game["players"], game["variant"])
            expected, said = list(expected_lines(game)), list(said_lines(lines))
        else:
            game = json.loads((args.folder / "game.json").read_text(encoding="utf-8"))
            lines = watched(video, args.players, "family")
            expected = [turn["layout"] for turn in game["turns"]]
            said = []
            for line in lines:
                if not said or said[-1] != line["layout"]:
                    said.append(line["layout"])
    raise SystemExit(bool(compare(expected, said)))


if __name__ == "__main__":
    main()
