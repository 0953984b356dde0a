"""The folders of a player's own data, and the tile sets and models in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.recognition.tile_set import TileSet

FOLDER_VARIABLE = "PYRAMID_REFEREE_DATA"
"""Names another folder than the system's own."""


def user_data_folder() -> Path:
    """Return the folder of a player's own data; it need not exist yet."""
    from platformdirs import user_data_path

    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_data_path("pyramid-referee")


def user_state_folder() -> Path:
    """Return the folder of the log; it need not exist yet."""
    from platformdirs import user_state_path

    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_state_path("pyramid-referee")


def shown_path(path: Path) -> str:
    """Return where a file is, as people may see it: from the home folder on, else its last folder.

    >>> shown_path(Path.home() / "Documents" / "game.pdf")
    '~/Documents/game.pdf'
    >>> shown_path(Path("/media/stick/games/game.pdf"))
    '…/games/game.pdf'
    """
    try:
        return f"~/{path.absolute().relative_to(Path.home()).as_posix()}"
    except ValueError:
        return f"…/{path.parent.name}/{path.name}"


def shown_folder(folder: Path) -> str:
    """Return a folder as it may be shown to others: what is in the home folder from ~ on, else its name.

    >>> shown_folder(Path.home() / "games")
    '~/games'
    >>> shown_folder(Path("/media/ann/stick"))
    '…/stick'
    """
    try:
        return (Path("~") / folder.relative_to(Path.home())).as_posix()
    except (ValueError, RuntimeError):
        return f"…/{folder.name}"


def tile_sets_folder() -> Path:
    """Return the folder of the tile sets that were learned; it need not exist yet."""
    return user_data_folder() / "tiles"


def models_folder() -> Path:
    """Return the folder of the readers that learned captured pictures; it need not exist yet."""
    return user_data_folder() / "models"


def own_names(folder: Path, pattern: str) -> list[str]:
    """Return the names, without suffix, of what is in a player's folder; none if there is no such folder."""
    return sorted(path.stem if path.is_file() else path.name for path in folder.glob(pattern))


def data_sets_folder() -> Path:
    """Return the folder of the data sets that the app captured; it need not exist yet."""
    return user_data_folder() / "data-sets"


def model_folder(name: str | None) -> Path | None:
    """Return the folder of a reader model, by its name or its path; None for None.

    Raises:
        ModelError: There is none.
    """
    if name is None:
        return None
    from vision.errors import ModelError

    for folder in (models_folder() / name, Path(name)):
        if (folder / "manifest.json").is_file():
            return folder
    raise ModelError(
        "There is no model {name!r} among your own ({folder}), and no folder of that name. Make one "
        "with: pyramid-referee train --data DIR",
        name=name,
        folder=str(models_folder()),
    )


def open_tile_set(name: str | None) -> TileSet | None:
    """Return the set of this name; None for the shipped reader's own tiles.

    Raises:
        TileSetError: There is no such set, or its file is damaged.
    """
    if name is None:
        return None
    from vision.tilesets.tile_set_file import read_tile_set

    return read_tile_set(name, tile_sets_folder())
