"""The player's settings: one frozen value, stored in a small JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from referee.errors import RefereeError
from referee.rules.game import Variant, Voice
from referee.rules.options import DEFAULTS, Options, read_options, write_options
from ui.storage.paths import model_folder, user_data_folder
from vision.files import read_input, replacing

VERSION = 1
FILE_NAME = "settings.json"
MAX_BYTES = 64_000
MAX_CAMERAS = 50
MAX_NAME = 300
"""Characters of a camera's name; longer ones are not remembered."""


class Language(Enum):
    """The language of the app."""

    SYSTEM = "system"
    ENGLISH = "en"
    FRENCH = "fr"

    @property
    def code(self) -> str | None:
        """What `ui.text.catalogue.choose_language` takes."""
        return None if self is Language.SYSTEM else self.value


class ThemeChoice(Enum):
    """The colours of the window."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high-contrast"


class TextSize(Enum):
    """How large text is, compared with the size that fits the window."""

    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"
    LARGEST = "largest"

    @property
    def factor(self) -> float:
        """What sizes are multiplied by."""
        return {"small": 0.9, "normal": 1.0, "large": 1.2, "largest": 1.45}[self.value]


@dataclass(frozen=True, slots=True)
class CameraLocks:
    """What a camera keeps as it is, once it has adjusted itself to the light."""

    exposure: bool = False
    focus: bool = False
    white_balance: bool = False

    @property
    def holds(self) -> tuple[str, ...]:
        """The names of what is held, as `vision.sources.open_source.open_source` takes them."""
        return tuple(part.name for part in fields(self) if getattr(self, part.name))


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a player sets once."""

    language: Language = Language.SYSTEM
    theme: ThemeChoice = ThemeChoice.SYSTEM
    text_size: TextSize = TextSize.NORMAL
    sound: bool = False
    speech: bool = False
    reduced_motion: bool = False
    keep_corrections: bool | None = None
    """Whether corrections become training examples; None until the player was asked, which counts as no."""
    keep_pictures: bool = True
    locks: Mapping[str, CameraLocks] = field(default_factory=dict)
    """By the camera's name."""
    tiles: str = ""
    """The player's own tile set for new games; empty for the tiles of the box."""
    reader: str = ""
    """The player's own reader model; empty for the shipped one."""
    names: tuple[str, ...] = ()
    """Of the players of the last game, as they were typed."""
    colours: tuple[str, ...] = ()
    """Theirs, such as #E07A3F."""
    variant: Variant = Variant.FAMILY
    voice: Voice = Voice.ANNOUNCE
    options: Options = DEFAULTS
    """The house rules of the last game."""
    window: tuple[int, int] = (0, 0)
    """Width and height of the window when it was closed; zeros before."""


_Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME)]
_Names = Annotated[tuple[_Name, ...], msgspec.Meta(max_length=6)]
_Colours = Annotated[
    tuple[Annotated[str, msgspec.Meta(pattern="^#[0-9A-Fa-f]{6}$")], ...], msgspec.Meta(max_length=6)
]
_Side = Annotated[int, msgspec.Meta(ge=0, le=20_000)]
_Window = tuple[_Side, _Side]
_Locks = Annotated[
    dict[_Name, list[Literal["exposure", "focus", "white_balance"]]], msgspec.Meta(max_length=MAX_CAMERAS)
]
"""The locks as the file has them: what is held, by the camera's name."""


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """What was read from the file."""

    settings: Settings
    is_damaged: bool = False
    """Whether there was a file that could not be used, or not all of it."""


def settings_path() -> Path:
    """Return where the settings are kept; the file need not exist."""
    return user_data_folder() / FILE_NAME


def load_settings(path: Path | None = None) -> LoadedSettings:
    """Return the settings of the file, with the default for each one that is missing or wrong."""
    try:
        raw = read_input(path or settings_path(), MAX_BYTES)
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except OSError:
        return LoadedSettings(Settings(), is_damaged=True)
    try:
        found = json.loads(raw.decode())
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        return LoadedSettings(Settings(), is_damaged=True)
    return _read(found)


def reader_folder() -> Path | None:
    """Return the folder of the reader model that the settings name; None for the shipped one.

    Raises:
        ModelError: There is no such model any more.
    """
    return model_folder(load_settings().settings.reader or None)


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings that differ from the defaults.

    Raises:
        OSError: The folder cannot be made or written to.
    """
    path = path or settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_written(settings), ensure_ascii=False, indent=1)
    with replacing(path, sync=True) as beside:
        beside.write_text(text + "\n", encoding="utf-8")


def _written(settings: Settings) -> dict[str, object]:
    defaults = Settings()
    written: dict[str, object] = {"version": VERSION}
    for each in fields(Settings):
        value = getattr(settings, each.name)
        if each.name == "locks":
            named = [(name, locks.holds) for name, locks in value.items() if locks.holds]
            held = {name: list(holds) for name, holds in named[-MAX_CAMERAS:] if len(name) <= MAX_NAME}
            written.update({"locks": held} if held else {})
        elif each.name == "options":
            written.update({"options": write_options(value)} if value != DEFAULTS else {})
        elif value != getattr(defaults, each.name):
            written[each.name] = value.value if isinstance(value, Enum) else value
    return written


def _read(found: Mapping[str, object]) -> LoadedSettings:
    kinds = get_type_hints(Settings) | {
        "locks": _Locks, "tiles": _Name, "reader": _Name, "names": _Names, "colours": _Colours,
        "options": dict[str, Any], "window": _Window,
    }  # fmt: skip
    values: dict[str, Any] = {}
    is_damaged = False
    for name in kinds.keys() & found.keys():
        try:
            values[name] = msgspec.convert(found[name], kinds[name])
        except ValueError:
            is_damaged = True
    if "locks" in values:
        values["locks"] = {
            name: CameraLocks(**dict.fromkeys(held, True)) for name, held in values["locks"].items()
        }
    if "options" in values:
        try:
            values["options"] = read_options(values["options"])
        except RefereeError:
            del values["options"]
            is_damaged = True
    return LoadedSettings(Settings(**values), is_damaged)
