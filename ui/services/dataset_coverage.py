"""What a data set still lacks: tiles that were never seen, or under one light only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.text.catalogue import Plural, _, say
from ui.text.sentences import tile_name

if TYPE_CHECKING:
    from vision.dataset.label_file import LabelledPicture
    from vision.dataset.light import MeanColour

MOST_TOLD = 8


class Coverage:
    """Counts the pictures of a data set, and which tiles they show under which light."""

    def __init__(self, codes: Sequence[str]) -> None:
        """Begin with a data set without pictures; `codes` are those of all tiles."""
        self._lights: dict[str, list[MeanColour]] = {code: [] for code in codes}
        self.pictures = 0

    def add(self, gathered: LabelledPicture) -> None:
        """Count a picture of the data set."""
        from vision.dataset.light import is_same_light

        self.pictures += 1
        light = gathered.mean_colour or (0.0, 0.0, 0.0)
        for code in gathered.likely_codes:
            lights = self._lights[code]
            if not lights or (len(lights) == 1 and not is_same_light(lights[0], light)):
                lights.append(light)

    @property
    def unseen(self) -> list[str]:
        """The codes of the tiles that no picture shows."""
        return [code for code, lights in self._lights.items() if not lights]

    @property
    def in_one_light(self) -> list[str]:
        """The codes of the tiles that were seen under one light only."""
        return [code for code, lights in self._lights.items() if len(lights) == 1]

    def sentence(self) -> str:
        """Return a sentence that says which tiles to show next."""
        if unseen := self.unseen:
            return say("Not seen yet: {tiles}.", tiles=_some(unseen))
        if once := self.in_one_light:
            return say(
                "Every tile was seen. Show these under another light as well: {tiles}.", tiles=_some(once)
            )
        return _("Every tile was seen under two lights: nothing is missing.")


def _some(codes: Sequence[str]) -> str:
    """Return the first few tiles, and how many more there are."""
    from referee.rules.tiles import TILES

    told = ", ".join(tile_name(code) if code in TILES else code for code in codes[:MOST_TOLD])
    if len(codes) <= MOST_TOLD:
        return told
    more = Plural("{tiles} and {count} more", "{tiles} and {count} more")
    return say(more, tiles=told, count=len(codes) - MOST_TOLD)
