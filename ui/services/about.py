"""What this program is made of, for *About* and for a report of a fault: nothing in it is private."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ui.storage.log import about_this_program, last_lines, log_path, without_secrets
from ui.storage.paths import shown_folder, user_data_folder
from vision.errors import ModelError
from vision.recognition.model_store import SHIPPED_TASKS, model_file

CHECKSUM_LETTERS = 12


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A shipped model."""

    name: str
    checksum: str
    """How its SHA-256 begins, by its manifest."""
    card: str
    """Markdown: what it can do and what it cannot, with figures."""


def model_cards() -> tuple[ModelCard, ...]:
    """Return the shipped models that can be found."""
    cards = []
    for task in SHIPPED_TASKS:
        try:
            folder = model_file(task).parent
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            card = (folder / "README.md").read_text(encoding="utf-8")
            cards.append(ModelCard(folder.name, str(manifest["sha256"])[:CHECKSUM_LETTERS], card))
        except (ModelError, OSError, ValueError, KeyError):
            continue
    return tuple(cards)


def folders() -> tuple[Path, Path]:
    """Return the folder of games and settings, and that of the log."""
    return user_data_folder(), log_path().parent


def details_for_a_report(*more: str) -> str:
    """Return versions, models, folders and the log's last lines, without private paths and addresses.

    Args:
        more: Further lines, such as what the window knows of the screen.
    """
    from ui.services.notices import OURS, packages

    versions = [f"{one.name} {one.version}" for one in packages() if one.name != OURS]
    lines = [about_this_program(), ", ".join(versions), *more]
    lines += [f"model {one.name}, {one.checksum}" for one in model_cards()]
    lines = [without_secrets(line) for line in lines if line]
    lines += [f"folder {shown_folder(folder)}" for folder in dict.fromkeys(folders())]
    if log := last_lines():
        lines += ["", *(without_secrets(line) for line in log)]
    return "\n".join(lines) + "\n"
