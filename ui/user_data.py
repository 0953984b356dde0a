"""Where a player's own data lies: recorded games, learned tile sets."""

from __future__ import annotations

import os
from pathlib import Path


def user_data_folder() -> Path:
    """Return the folder for a player's own data, by the custom of the system; it need not exist yet.

    The environment variable `PYRAMID_REFEREE_DATA` names another one.
    """
    chosen = os.environ.get("PYRAMID_REFEREE_DATA")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("pyramid-referee")
