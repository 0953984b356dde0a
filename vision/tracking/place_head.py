"""The place head: what a place shows, and whether it is as before, from the reader's features of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, turned, turned_as
from vision.imaging.rectify import upright_crops
from vision.pyramid.lattice import LatticePlace
from vision.recognition.assignment import log_softmax
from vision.recognition.model_store import Model, open_model
from vision.recognition.reader import TileReader
from vision.recognition.reading import TileReading
from vision.tracking.earlier_looks import read_otherwise
from vision.tracking.lattice_track import GameLattice, TilesByPlace, mirrored

SAME, SURELY_SAME = 0.5, 0.9
"""From the first chance on a place shows the same as before rather than something else. Whoever surely reads
another tile there is overruled from the second on: a 30 had 0.67 in the place of a 20 (film 382029). A tile
that comes back has less in 2 of 43 cases, and in 2 of 3 where it is another one (films 383019 to 24, 384037
to 42)."""
_LEAST = 5e-5
"""A smaller chance is none."""
SHOWN, SHOWN_AT_FIRST = 0.9, 0.98
"""A place shows a tile from this chance on; without an earlier picture from the second. All of 66 tiles on
the first tables of 60 films had that, the least 0.985, and 4 of 60 other quads that were taken for tiles.
With an earlier picture two that had just been placed or had fallen had less (films 371009 and 371011)."""
MILLSTONE, SHOWN_MILLSTONE = "M200", 0.98
"""A place shows a new millstone from this chance on. Six telephones passed for one, and one of them had 0.946
(film 407883); 15 millstones in as many films had 0.9875 and more."""
NO_HAND, NO_TILE = 0.03, 0.05
"""There is no sign of a hand or of a tile in a place up to these chances."""
SHOWN_THING, SHOWN_HAND = 0.9, 0.01
"""A place shows a thing from the first chance on if a hand has at most the second: so did, in 72 films, 10 of
131 places where no tile had lain that only seemed to be hidden, and 3 of 379 while a hand was in the picture.
One of those lay wholly under it."""
STATES = ("tile", "table", "occluder", "other")
"""A face-up tile, the bare table, a hand or arm over the place, another thing there."""


Earlier = tuple[ImageU8, Sequence[Points]] | None
"""An earlier table, (H, W, 3) uint8 BGR, and where some places lie on it, (4, 2) each."""


@dataclass(frozen=True, slots=True)
class JudgedPlaces:
    """What n places show; the arrays' first axis is the place."""

    log_states: NDArray[np.float64]
    """(n, 4) log-chances in the order of STATES; rows sum to 1 in chances."""
    same: NDArray[np.float64]
    """(n,) chance that the same tile lies there as before, or that the table is bare as before."""

    @property
    def tile(self) -> NDArray[np.float64]:
        """(n,) chance that a face-up tile is seen."""
        return np.asarray(np.exp(self.log_states[:, STATES.index("tile")]))


class PlaceHead:
    """Judges places by what one reader sees in them: the shipped one, whichever reader names the tiles."""

    def __init__(self, model: Model, reader: Model) -> None:
        """Use an opened model for the task `place`, and the reader that it was made for."""
        self._model, self._reader = model, reader
        self._temperature = float(model.manifest["temperature"])

    @classmethod
    def open(cls, reader: Model, folder: Path | None = None) -> PlaceHead:
        """Return a place head: the shipped one, or the one in a folder.

        Args:
            reader: The reader that names the tiles. If the place head was made for another one, that is the
                shipped reader, and is opened as well.
            folder: Where the place head is.

        Raises:
            ModelError: There is none, it is damaged, or it was made for another reader than these.
        """
        model = open_model("place", folder)
        told = model.manifest.get("reader")
        if reader.manifest["sha256"] != told:
            reader = open_model("reader")
        if reader.manifest["sha256"] != told:
            raise ModelError("The model {name!r} was made for another reader.", name=model.name)
        return cls(model, reader)

    def crops(self, image_bgr: ImageU8, quads_px: Sequence[Points]) -> ImageU8:
        """Return the crops of n upright quads as its reader takes them, (n, side, side, 3) uint8 BGR."""
        told = self._reader.manifest
        return upright_crops(image_bgr, quads_px, int(told["input"]["shape"][2]), float(told["face_share"]))

    def features(self, crops_bgr: ImageU8) -> NDArray[np.float32]:
        """Return what its reader sees in such crops, (n, 128, 5, 5)."""
        return self._reader.features(crops_bgr)

    def judge(self, now: NDArray[np.float32], before: NDArray[np.float32]) -> JudgedPlaces:
        """Return what n places show.

        Args:
            now: (n, 128, 5, 5) the features of the places.
            before: The same of an earlier table, zeros where it is not known; `same` says nothing there.
        """
        state, same = self._model.session.run(["state", "same"], {"now": now, "before": before})
        return JudgedPlaces(
            log_softmax(state / self._temperature),
            np.asarray(1 / (1 + np.exp(-same[:, 0].astype(np.float64)))),
        )


@dataclass(frozen=True, slots=True)
class _KnownFace:
    """A tile as it looked when the game was certain of it."""

    code: str
    crop_bgr: ImageU8
    is_alone: bool = False
    """Whether it lay alone, so that nobody knew for certain which way up it lies."""


class KnownFaces:
    """How the tiles of a game looked that it is certain of: whether they lie there still. For one thread."""

    def __init__(self, head: PlaceHead) -> None:
        """Begin without any."""
        self._head = head
        self._known: dict[LatticePlace, _KnownFace] = {}
        self._looks: dict[str, ImageU8] = {}
        """How each tile looked that the game was ever certain of, wherever it is now."""
        self._told: set[str] = set()
        """Those that people have named."""
        self._seen: dict[LatticePlace, ImageU8] = {}
        """The crops of the last table, of the tiles over which nothing lay."""
        self._same: dict[LatticePlace, float] = {}
        self._at: dict[tuple[int, int], LatticePlace] = {}
        """Row and slot of each tile of the last table -> its place."""

    @staticmethod
    def of(reader: object) -> KnownFaces | None:
        """Return them for a reader; None where there is no place head."""
        if not isinstance(reader, TileReader):
            return None
        try:
            return KnownFaces(PlaceHead.open(reader.classifier.model))
        except ModelError:
            return None

    def forget(self) -> None:
        """Forget them: the places are counted otherwise from now on."""
        self._known, self._seen, self._same, self._at = {}, {}, {}, {}

    def tell(self, named: Collection[str], denied: Collection[str]) -> None:
        """Hear which tiles people have named, and which of them are others after all, by code."""
        self._told = (self._told - {*denied}) | {*named}

    def turn_over(self) -> None:
        """Hear that the one row of tiles was read from its wrong end, and each tile on its head."""
        self._known = {
            mirrored(place): replace(face, crop_bgr=_turned(face.crop_bgr, 2))
            for place, face in self._known.items()
        }
        self._looks = {code: _turned(crop_bgr, 2) for code, crop_bgr in self._looks.items()}
        self._seen = {mirrored(place): _turned(crop_bgr, 2) for place, crop_bgr in self._seen.items()}
        self._same = {mirrored(place): same for place, same in self._same.items()}
        last = max((slot for _, slot in self._at), default=0)
        self._at = {(row, last - slot): mirrored(place) for (row, slot), place in self._at.items()}

    def missing(self, seen: Collection[str]) -> dict[str, LatticePlace]:
        """Return where tiles lay that lie there as far as the game knows, and are not among those seen."""
        return {face.code: place for place, face in self._known.items() if face.code not in seen}

    def name_of(self, place: LatticePlace, read: str) -> str:
        """Return the code of the tile that the game knows in a place; where it knows none, what was read."""
        face = self._known.get(place)
        return read if face is None else face.code

    def begin(self, image_bgr: ImageU8, found: TilesByPlace) -> None:
        """See the first table, (H, W, 3) uint8 BGR, with what was read there; what was known is forgotten."""
        self.forget()
        self.compare(image_bgr, found, GameLattice())

    def compare(
        self,
        image_bgr: ImageU8,
        found: TilesByPlace,
        lattice: GameLattice,
        ground: int = 0,
    ) -> None:
        """Read doubtful tiles in the light of those that were known in their places.

        How a known tile reads is no news while its place looks as it did; and where that looks otherwise, it
        hardly lies there any more.

        Args:
            image_bgr: (H, W, 3) uint8 BGR, a settled table.
            found: What was read there; is changed.
            lattice: Its places.
            ground: The row of the base.
        """
        left = min((place.slot for place in found), default=0)
        self._at = {(place.row - ground, place.slot - left): place for place in found}
        whole = {place: tile for place, tile in found.items() if not (tile.covered or tile.cut)}
        quads = [_upright(place, tile, lattice) for place, tile in whole.items()]
        self._seen, self._same = dict(zip(whole, self._head.crops(image_bgr, quads), strict=True)), {}
        asked = [place for place, tile in whole.items() if self._may_be_known(place, tile)]
        if not asked:
            return
        judged = self._beside_known(asked, found)
        for place, same, tile in zip(asked, judged.same, judged.tile, strict=True):
            self._same[place] = round(float(same), 4)
            if not found[place].unsure:
                if same < SURELY_SAME:
                    continue
                found[place] = replace(found[place], unsure=True)
            # What lies over a tile looks otherwise, too.
            if tile >= SHOWN or same >= SAME:
                _read_beside(found, place, self._known[place].code, self._same[place])

    def _beside_known(self, asked: Sequence[LatticePlace], found: TilesByPlace) -> JudgedPlaces:
        """Return what lies in some places as it looks beside what is known to have lain there.

        What reads as that may have been taken off and put back another way up (film 475233).
        """
        now = self._head.features(np.stack([self._seen[place] for place in asked]))
        for index, place in enumerate(asked):
            if self._known[place].is_alone and len(found) > 1:
                self._stand_up(place, now[index])
        known = [self._known[place] for place in asked]
        judged = self._head.judge(now, self._head.features(np.stack([face.crop_bgr for face in known])))
        reads_so = [found[place].code == face.code for place, face in zip(asked, known, strict=True)]
        laid_anew = np.flatnonzero((judged.same < SAME) & reads_so)
        if laid_anew.size:
            same, looks = judged.same.copy(), [known[index].crop_bgr for index in laid_anew]
            same[laid_anew] = self._same_any_way_up(now[laid_anew], looks)
            return replace(judged, same=same)
        return judged

    def _may_be_known(self, place: LatticePlace, tile: TileReading) -> bool:
        """Return whether what was read in a place is no news if that looks as it did.

        What is surely read counts, but against people: they named a yellow 20, and it was surely read as a 60
        afterwards (film 391180).
        """
        face = self._known.get(place)
        if face is None:
            return False
        return tile.unsure or (tile.code != face.code and face.code in self._told)

    def _stand_up(self, place: LatticePlace, now: NDArray[np.float32]) -> None:
        """Turn the picture of a tile that lay alone as the place looks most like it: others lie there now."""
        face = self._known[place]
        ways = [_turned(face.crop_bgr, way) for way in range(4)]
        same = self._head.judge(np.repeat(now[None], 4, axis=0), self._head.features(np.stack(ways))).same
        crop_bgr = ways[int(np.argmax(same))]
        self._known[place] = replace(face, crop_bgr=crop_bgr)
        self._looks[face.code] = crop_bgr

    def show_tiles(
        self, image_bgr: ImageU8, quads: Sequence[Points], least: float, before: Earlier = None
    ) -> list[bool]:
        """Return whether each of n places shows a face-up tile, which perhaps nobody can read.

        Args:
            image_bgr: (H, W, 3) uint8 BGR, a settled table.
            quads: The places, (4, 2) each; one at least.
            least: The least chance of a tile, such as `SHOWN`.
            before: An earlier table, and where the places lie on it; None where there was none.
        """
        tile = self._judged(self._seen_at(image_bgr, quads), before).tile
        return [bool(chance >= least) for chance in tile]

    def show_nothing_over(self, image_bgr: ImageU8, quads: Sequence[Points], before: Earlier) -> list[bool]:
        """Return whether each of n places shows hardly a tile or a hand: the table, or a thing.

        Args:
            image_bgr: (H, W, 3) uint8 BGR, a settled table.
            quads: The places, (4, 2) each; one at least.
            before: An earlier table, and where the places lie on it.
        """
        hand, tile = self._chances(image_bgr, quads, before, "occluder", "tile")
        return list(map(bool, (hand <= NO_HAND) & (tile <= NO_TILE)))

    def show_things(self, image_bgr: ImageU8, quads: Sequence[Points], before: Earlier) -> list[bool]:
        """Return whether each of n places shows something that is neither tile nor table nor hand.

        Args:
            image_bgr: (H, W, 3) uint8 BGR, a settled table.
            quads: The places, (4, 2) each; one at least.
            before: An earlier table, and where the places lie on it.
        """
        hand, thing = self._chances(image_bgr, quads, before, "occluder", "other")
        return list(map(bool, (thing >= SHOWN_THING) & (hand <= SHOWN_HAND)))

    def _chances(
        self, image_bgr: ImageU8, quads: Sequence[Points], before: Earlier, *states: str
    ) -> list[NDArray[np.float64]]:
        """Return the chances of some states in each of n places, (n,) for each state."""
        chances = np.exp(self._judged(self._seen_at(image_bgr, quads), before).log_states)
        return [chances[:, STATES.index(state)] for state in states]

    def doubt(
        self, image_bgr: ImageU8, found: TilesByPlace, new: Sequence[LatticePlace], before: Earlier
    ) -> None:
        """Be in doubt about new tiles that do not look like one, or not as they looked before.

        A glass was surely read as a red 7 (film 381045), a red 10 as the blue one that had lain there before
        (film 384039).

        Args:
            image_bgr: (H, W, 3) uint8 BGR, a settled table.
            found: What was read there; is changed.
            new: The places of the new tiles.
            before: An earlier table, and where their quads lie on it.
        """
        if not new:
            return
        now = self._seen_at(image_bgr, [np.array(found[place].quad_px, np.float32) for place in new])
        tile = self._judged(now, before).tile
        same = self._same_as_before(now, [found[place].code for place in new])
        for place, is_tile, is_same in zip(new, tile, same, strict=True):
            least = SHOWN_MILLSTONE if found[place].code == MILLSTONE else SHOWN
            if is_tile < least or is_same < SURELY_SAME:
                confidence = round(found[place].confidence * float(min(is_tile, is_same)), 4)
                found[place] = replace(found[place], unsure=True, confidence=confidence)
        self._doubt_unknown(now, found, new)

    def _doubt_unknown(
        self, now: NDArray[np.float32], found: TilesByPlace, new: Sequence[LatticePlace]
    ) -> None:
        """Be in doubt about new tiles that nobody has seen yet and that look like one that is gone.

        A red 20 was surely read as a blue one when the next tile lay beside it (film 387005), and so was a
        green 2 that people had named, after its fall (film 387023).
        """
        unknown = [index for index, place in enumerate(new) if found[place].code not in self._looks]
        gone = self.missing({tile.code for tile in found.values()})
        if not unknown or not gone:
            return
        before = [self._known[place].crop_bgr for place in gone.values()]
        for index in unknown:
            alike = self._same_any_way_up(np.repeat(now[index : index + 1], len(gone), axis=0), before)
            code, same = max(zip(gone, alike, strict=True), key=lambda each: float(each[1]))
            if same >= SAME:
                tile = found[new[index]]
                others = tuple(other for other in tile.alternatives if other[0] != code)
                confidence = round(tile.confidence * float(1 - same), 4)
                alternatives = ((code, round(float(same), 4)), *others)
                found[new[index]] = replace(
                    tile, unsure=True, confidence=confidence, alternatives=alternatives
                )

    def _same_as_before(self, now: NDArray[np.float32], codes: Sequence[str]) -> NDArray[np.float64]:
        """Return the chances that tiles look as they did when the game was certain of them, or 1."""
        same = np.ones(len(codes))
        seen = [index for index, code in enumerate(codes) if code in self._looks]
        if seen:
            same[seen] = self._same_any_way_up(now[seen], [self._looks[codes[index]] for index in seen])
        return same

    def _same_any_way_up(
        self, now: NDArray[np.float32], before_bgr: Sequence[ImageU8]
    ) -> NDArray[np.float64]:
        """Return the chances that n tiles look as they did, whichever way up they have been laid down since.

        Args:
            now: (n, ...) their features.
            before_bgr: (side, side, 3) uint8 BGR each, how they looked.
        """
        ways = np.stack([_turned(crop_bgr, way) for way in range(4) for crop_bgr in before_bgr])
        judged = self._head.judge(np.concatenate([now] * 4), self._head.features(ways))
        same: NDArray[np.float64] = judged.same.reshape(4, -1).max(axis=0)
        return same

    def _judged(self, now: NDArray[np.float32], before: Earlier) -> JudgedPlaces:
        return self._head.judge(now, np.zeros_like(now) if before is None else self._seen_at(*before))

    def _seen_at(self, image_bgr: ImageU8, quads: Sequence[Points]) -> NDArray[np.float32]:
        return self._head.features(self._head.crops(image_bgr, quads))

    def keep_only(self, places: Collection[tuple[int, int]]) -> None:
        """Hear in which places tiles lie, by row and slot as they were read; elsewhere there is none."""
        self._at = {at: place for at, place in self._at.items() if at in places}

    def confirm(self, certain: Mapping[tuple[int, int], str], lying: Collection[str]) -> None:
        """Hear what the game made of the table that was compared last.

        Args:
            certain: The tiles that it is certain of, by row and slot; none while something is in doubt.
            lying: The codes of all tiles that it has on the table.
        """
        self._known = {place: face for place, face in self._known.items() if face.code in lying}
        left = min((slot for _row, slot in self._at), default=0)
        for (row, slot), code in certain.items():
            place = self._at.get((row, slot + left))
            if place is None:
                continue
            before = self._known.get(place)
            is_known = before is not None and before.code == code
            # What does not look like a known tile is none of its looks, whatever the game believes.
            if place in self._seen and not (is_known and self._same.get(place, 1.0) < SAME):
                crop_bgr = self._seen[place].copy()  # without the others
                is_alone = len(self._at) == 1
                self._known[place] = _KnownFace(code, crop_bgr, is_alone=is_alone)
                # Alone it looked larger than it is, on a square of the cloth, and as another after its fall
                # (462092): what was seen beside others stays.
                if not is_alone or code not in self._looks:
                    self._looks[code] = crop_bgr


def _turned(crop_bgr: ImageU8, quarters: int) -> ImageU8:
    return np.ascontiguousarray(np.rot90(crop_bgr, quarters))


def _read_beside(found: TilesByPlace, place: LatticePlace, code: str, same: float) -> None:
    """Read a doubtful tile beside the one that was known in its place.

    Args:
        found: All tiles; changes the one in the place, and a doubtful one that was taken for the known one.
        place: The place.
        code: The known tile.
        same: The chance that the place shows it still, by how it looks.
    """
    tile = found[place]
    chances = dict([(tile.code, tile.confidence), *tile.alternatives])
    read = chances.pop(code, 0.0)
    if same >= SAME:
        share = (1 - same) / max(1 - read, 1 - same, _LEAST)
        chances = {other: chance * share for other, chance in chances.items()} | {code: same}
    else:
        chances[code] = read * same
    taken = {other.code: at for at, other in found.items() if at != place}
    ordered = sorted(chances.items(), key=lambda each: -each[1])
    if ordered[0][0] == code and code in taken:
        elsewhere = read_otherwise(found[taken[code]], {*taken, code})
        if elsewhere is None:
            return  # it lies there now
        found[taken[code]] = elsewhere
    (first, chance), *others = ordered
    if first in taken and first != code:
        return
    rest = [(each, round(less, 4)) for each, less in others if less >= _LEAST]
    remembered = first == code != tile.code
    found[place] = replace(
        tile, code=first, confidence=round(chance, 4), alternatives=tuple(rest), remembered=remembered
    )


def _upright(place: LatticePlace, tile: TileReading, lattice: GameLattice) -> Points:
    """Return a tile's quad, turned as its place is: which way up a doubtful face lies is doubtful, too."""
    quad = np.array(tile.quad_px, np.float32)
    for upright in lattice.quads_at([place]):
        return turned(quad, turned_as(quad, upright))
    return quad
