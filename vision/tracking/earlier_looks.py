"""What was in doubt about a tile on earlier tables counts on later ones: one look alone does not rename it.

A shadow or a hand beside the pyramid changes the light, and a tile of a strange set may then be surely read
as another one than before. While it lies where it lay, all looks count alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import TileReading
from vision.tracking.lattice_track import TilesByPlace

LEAST_CHANCE = 0.02
"""A tile that was less likely than this on earlier tables is another one, put in the same place."""

OPEN_CHANCE = 0.15
"""A tile is in doubt while another weight is as likely as this in the mean of its looks: a green 30 was read
as 60 with 0.58 to 0.83 on four tables, and with 0.97 on the fifth (`chequered` of game-hard). Another colour
leaves it in doubt until it is surely read twice, and as no other in between, and while it is twice as likely
as this: a blue 20 under a lamp was read as blue and as yellow by turns, once as yellow with 0.985, and then
twice (`opposite`, made brighter)."""
_OPEN_TOGETHER = 0.2
"""So it is while all other weights together are as likely as this: of thirty looks at a green 30 in dim light
most gave a little to 30 and to 40, and one was sure that it is a 60 (`chequered`, decision 69)."""


@dataclass(frozen=True, slots=True)
class DoubtfulLooks:
    """How one tile was read on the settled tables on which it was in doubt."""

    count: int
    chances: Counter[str]
    """Code -> the sum of its chances."""
    sure: str = ""
    """As what it was surely read last."""

    @staticmethod
    def of(tile: TileReading) -> DoubtfulLooks:
        """Return what one reading says."""
        chances = Counter(dict([(tile.code, tile.confidence), *tile.alternatives]))
        return DoubtfulLooks(1, chances, "" if tile.unsure else tile.code)

    def __add__(self, later: DoubtfulLooks) -> DoubtfulLooks:
        return DoubtfulLooks(self.count + later.count, self.chances + later.chances, later.sure or self.sure)

    def may_be(self, code: str) -> bool:
        """Return whether the looks leave it open that it is this tile."""
        return self.chances[code] >= LEAST_CHANCE * self.count

    def leave_open(self, code: str, *, at_once: bool) -> bool:
        """Return whether the looks may mean another tile.

        Args:
            code: As what it is surely read now.
            at_once: Whether it was not before; else other tiles may tell the colour, and another counts half.
        """
        others = [
            chance if at_once or other[1:] != code[1:] else chance / 2
            for other, chance in self.chances.items()
            if other != code
        ]
        weights = sum(chance for other, chance in self.chances.items() if other[1:] != code[1:])
        return max(others, default=0.0) >= OPEN_CHANCE * self.count or weights >= _OPEN_TOGETHER * self.count

    def read(self, tile: TileReading, taken: Collection[str]) -> TileReading:
        """Return a tile as all looks together read it: in doubt, and as none of those that are taken."""
        free = [(code, chance) for code, chance in self.chances.most_common() if code not in taken]
        (code, chance), *others = [(code, round(chance / self.count, 4)) for code, chance in free]
        return replace(tile, code=code, confidence=chance, unsure=True, alternatives=tuple(others))


def weigh(
    found: TilesByPlace, earlier: Mapping[LatticePlace, DoubtfulLooks]
) -> dict[LatticePlace, DoubtfulLooks]:
    """Read tiles anew that are surely read against what earlier tables said; return the looks to remember."""
    kept: dict[LatticePlace, DoubtfulLooks] = {}
    for place, tile in found.items():
        before = earlier.get(place)
        if tile.covered or tile.cut:
            kept |= {} if before is None else {place: before}
        elif before is None or not before.may_be(tile.code):
            kept |= {place: DoubtfulLooks.of(tile)} if tile.unsure else {}
        elif tile.unsure:
            kept[place] = before + DoubtfulLooks.of(tile)
        elif (looks := before + DoubtfulLooks.of(tile)).leave_open(
            tile.code, at_once=before.sure != tile.code
        ):
            kept[place] = looks
            taken = {other.code for at, other in found.items() if at != place}
            found[place] = looks.read(tile, taken)
    return kept


def read_otherwise(tile: TileReading, taken: Collection[str]) -> TileReading | None:
    """Return a tile that was in doubt as the likeliest that is not taken; None where there is none such."""
    free = [(code, chance) for code, chance in tile.alternatives if code not in taken]
    if not tile.unsure or not free:
        return None
    (code, chance), *others = free
    return replace(tile, code=code, confidence=chance, alternatives=tuple(others))
