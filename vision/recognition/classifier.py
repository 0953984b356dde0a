"""From crops to chances: one onnxruntime session names weight and colour, and whether it is a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, map_points, square_to_quad, turned
from vision.imaging.hues import hue_values, in_ink_alone
from vision.imaging.rectify import upright_crop, upright_crops
from vision.recognition.assignment import log_softmax
from vision.recognition.model_store import THREADS, Model, open_model
from vision.recognition.own_set import Looks, OwnSet
from vision.recognition.tile_set import TileSet, fitted, prototypes_of, turned_embeddings

SURE_OF_ENROLLED = 0.9
"""A code of an enrolled set is unsure if it is less likely than this. Without one the model's manifest says
it (`sure_confidence`): it is calibrated over tile sets that the model never saw."""

DOUBTFUL_CONFIDENCE = 0.95
"""A tile whose code is less likely among all of the table is read from crops that are cut in other ways."""
SECOND_BELOW, SECOND_SHARE = 0.995, 2 / 3
"""A face of which no code is as likely as the first is read by a second network, too, whose log-chances have
this share in both. Of half, two thirds and four fifths, two thirds leave the fewest silent errors on held-out
sets (decision 37), and fewer where it is asked below 0.995 instead of 0.985 (decision 62)."""
SURE_LIKENESS = 0.8
"""A face that is less similar (cosine) to every tile of an enrolled set is unsure, whatever its code."""
_SEEM_TILES, _CERTAIN_LOGIT = 0.8, 4.6
"""This share of the pictures that a set was learned from looks like tiles for certain, as a logit. Dark tiles
with a symbol and no number do not look like what the reader was shown; where its pictures say so, it expects
less of what is like them. Of three sets with numbers, drawn and photographed, the pictures do as they are."""
NO_TILE_CHANCE, HALF_COVERED = 0.1, 0.5
"""What looks less like a tile once it stands upright, and is less covered, is none: the back of a tile may
look like a face that lies on its side."""


@dataclass(frozen=True, slots=True)
class Faces:
    """What the model says of n crops; the arrays' first axis is the crop."""

    log_codes: NDArray[np.float64]
    """(n, codes) log-chances of each code given that it is a tile; rows sum to 1 in chances."""
    log_taught: NDArray[np.float64]
    """(n, codes) the same by pictures of a game's own tiles; equal to `log_codes` where they say nothing."""
    tile: NDArray[np.float64]
    """(n,) chance that the crop shows a face-up tile, even if only a part of it can be seen."""
    covered: NDArray[np.float64]
    """(n,) chance that something hides a part of the face, or lies where a face would be."""
    up: NDArray[np.float64]
    """(n, 4) chances that the face's own top left is the quad's corner 0, -1, -2, -3."""
    quads_px: NDArray[np.float32]
    """(n, 4, 2) the faces' corners as the model corrects them, in the picture's pixels."""
    moved: NDArray[np.float64]
    """(n,) how far the farthest of these corners lies from where the crop was cut, in sides."""
    likeness: NDArray[np.float64]
    """(n,) cosine to the most similar tile of an enrolled set; 1 without one."""
    likeness_turned: NDArray[np.float64]
    """(n,) the same, whichever way up that tile lies."""

    def only(self, indices: list[int]) -> Faces:
        """Return the faces with these indices, in this order."""
        return Faces(*(getattr(self, field.name)[indices] for field in fields(Faces)))

    def seen_anew(self, indices: list[int], looks: Faces) -> Faces:
        """Return the faces; those with these indices are as the first ones of other looks show them."""
        rows = list(range(len(self.tile)))
        for position, index in enumerate(indices):
            rows[index] = len(self.tile) + position
        return joined([self, looks]).only(rows)

    def readable(self, index: int) -> float:
        """Return the chance of a face's likeliest code."""
        return float(np.exp(self.log_codes[index].max()))

    def upright_px(self, index: int) -> Points:
        """Return a face's corrected corners, (4, 2), from what is likeliest its own top left."""
        return turned(self.quads_px[index], -int(self.up[index].argmax()))

    def is_no_tile(self, index: int) -> bool:
        """Return whether a crop shows no tile, nor one that something covers in part."""
        return bool(self.tile[index] < NO_TILE_CHANCE and self.covered[index] < HALF_COVERED)

    def legible(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (n,) log chances that each face shows its likeliest code, and that it stands upright."""
        return self.log_codes.max(axis=1), np.log(np.maximum(self.up[:, 0], 1e-4))

    def looked_at_again(self, indices: list[int], looks: Faces) -> Faces:
        """Return the faces, of which some have the mean chances of several looks.

        Args:
            indices: Of the faces that were looked at again.
            looks: As many looks for each of them, one face after the other.
        """

        def mean(first: NDArray[np.float64], again: NDArray[np.float64]) -> NDArray[np.float64]:
            again = again.reshape(len(indices), -1, first.shape[1])
            whole = first.copy()
            whole[indices] = log_softmax((again.sum(axis=1) + first[indices]) / (again.shape[1] + 1))
            return whole

        return replace(
            self,
            log_codes=mean(self.log_codes, looks.log_codes),
            log_taught=mean(self.log_taught, looks.log_taught),
        )


def joined(parts: Sequence[Faces]) -> Faces:
    """Return the faces of several looks one after the other."""
    return Faces(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Faces)))


class TileClassifier:
    """Reads the faces in given quads, as the shipped model knows them or as an enrolled set shows them."""

    def __init__(
        self, model: Model, tile_set: TileSet | None = None, second: SecondOpinion | None = None
    ) -> None:
        """Use an opened reader model, with an enrolled set and a second network if they are given."""
        manifest = model.manifest
        self.model, self._second = model, second
        self._crop_px = int(manifest["input"]["shape"][2])
        self._face_share = float(manifest["face_share"])
        self._weight_temperature = float(manifest["temperature"]["weight"])
        self._colour_temperature = float(manifest["temperature"]["colour"])
        self._colours = len(manifest["classes"]["colour"])
        self._hues = HueOpinion(manifest["hues"]) if manifest.get("hues") else None
        self._prototypes: NDArray[np.float32] | None = None
        self._turned: NDArray[np.float32] | None = None
        own: tuple[str, ...] = tuple(manifest["codes"])
        self.codes = own if tile_set is None else tile_set.codes
        self.copies = 1 if tile_set is None else tile_set.copies
        self.aspect = 1.0 if tile_set is None else tile_set.aspect
        self.is_of_the_game = set(self.codes) <= set(own)
        """Whether the shipped model knows these codes."""
        if self.is_of_the_game:
            weights, colours = manifest["classes"]["weight"], manifest["classes"]["colour"]
            self._weight_of = np.array([weights.index(int(code[1:])) for code in self.codes])
            self._colour_of = np.array([colours.index(code[0]) for code in self.codes])
        self.scale, self._share, self._tile_shift = 0.0, 1.0, 0.0
        self.own_set: OwnSet | None = None
        """What a game teaches of its tiles; None where all of them are known, or none is this game's."""
        if self.is_of_the_game and (tile_set is None or not tile_set.is_complete):
            examples = () if tile_set is None else tile_set.examples
            self.own_set = OwnSet(model, examples, None if second is None else second.joined)
        self.is_by_shipped_model = tile_set is None or self.own_set is not None
        """Whether no enrolled set says what all the tiles look like."""
        self.sure_confidence = (
            float(manifest["sure_confidence"]) if self.is_by_shipped_model else SURE_OF_ENROLLED
        )
        if tile_set is not None and self.own_set is None:
            self._learn(tile_set)

    @classmethod
    def open(
        cls, tile_set: TileSet | None = None, folder: Path | None = None, *, threads: int = THREADS
    ) -> TileClassifier:
        """Return one with the second network that belongs to its reader; all as for `TileReader.open`."""
        reader = open_model("reader", folder, threads=threads)
        return cls(reader, tile_set, SecondOpinion.of(reader, threads=threads))

    def _learn(self, tile_set: TileSet) -> None:
        """Name tiles by what an enrolled set shows of all of them."""
        manifest = self.model.manifest
        likeness = manifest["likeness"]
        crops = np.stack([fitted(example.crop_bgr, self._crop_px) for example in tile_set.examples])
        weight, colour, tile = self.model.run(crops)[:3]
        self._tile_shift = max(0.0, _CERTAIN_LOGIT - float(np.quantile(tile, 1 - _SEEM_TILES)))
        trust = self._trust(tile_set, weight, colour) if self.is_of_the_game else 0.0
        self.scale = trust * float(likeness["scale_with_shipped"]) + (1 - trust) * float(likeness["scale"])
        self._share = trust * float(likeness["shipped_share"])
        has_prototypes = tile_set.prototypes.shape[1] == manifest["embedding"]
        self._prototypes = (
            tile_set.prototypes
            if tile_set.model == manifest["sha256"] and has_prototypes
            else prototypes_of(self.model, tile_set.codes, tile_set.examples)
        )
        self._turned = turned_embeddings(self.model, tile_set.examples)

    def _trust(self, tile_set: TileSet, weight: NDArray[np.float32], colour: NDArray[np.float32]) -> float:
        """Return how far to trust the shipped reader on a set, from its logits for the examples.

        1 if it names every example right, 0 if it names half of them wrong, or more.
        """
        joint = log_softmax(weight)[:, self._weight_of] + log_softmax(colour)[:, self._colour_of]
        named = [self.codes[index] for index in joint.argmax(axis=1)]
        right = np.mean(
            [name == example.code for name, example in zip(named, tile_set.examples, strict=True)]
        )
        return max(0.0, 2 * float(right) - 1)

    def vouches_for(self, code: int, alone: float) -> bool:
        """Return whether a code, by its index, may be sure.

        In a game that has taught it tiles the reader is sure of another one only where it sees it in the
        face, and likelier than it saw what was not there: not if it sees others, of which the game knows that
        they lie elsewhere (film 426666). And it is sure of none of a set whose own pictures hardly look like
        tiles: where four meet looks like a fifth.

        Args:
            code: Its index.
            alone: The chance of the code by the face alone, without what the game has taught.
        """
        if self._tile_shift > 0:
            return False
        own_set = self.own_set
        if own_set is None or not own_set.codes or self.codes[code] in own_set.codes:
            return True
        return alone >= max(DOUBTFUL_CONFIDENCE, own_set.misread_with)

    def crop(self, image_bgr: ImageU8, quad_px: Points) -> ImageU8:
        """Return the crop of one upright quad as the model takes it, (side, side, 3) uint8 BGR."""
        return upright_crop(image_bgr, quad_px, self._crop_px, self._face_share)

    def crops(self, image_bgr: ImageU8, quads_px: Sequence[Points]) -> ImageU8:
        """Return the crops of n upright quads, (n, side, side, 3) uint8 BGR."""
        return upright_crops(image_bgr, quads_px, self._crop_px, self._face_share)

    def read(self, image_bgr: ImageU8, quads_px: Sequence[Points], *, sees_colour: bool = True) -> Faces:
        """Return what the quads of a (H, W, 3) uint8 BGR picture show.

        Args:
            image_bgr: The picture; not modified.
            quads_px: n quads, (4, 2) each.
            sees_colour: Whether the picture has colours at all; if not, colours get equal chances.
        """
        count = len(quads_px)
        if not count:
            none = np.zeros(0)
            quads, codes = np.zeros((0, 4, 2), np.float32), np.zeros((0, len(self.codes)))
            return Faces(codes, codes, none, none, np.zeros((0, 4)), quads, none, none, none)
        crops = self.crops(image_bgr, quads_px)
        weight, colour, tile, covered, up, corners, embedding = self.model.run(crops)
        are_faces = (tile[:, 0] > 0) & (covered[:, 0] < 0)
        log_codes, log_taught, likeness = self._log_codes(
            crops, weight, colour, embedding, are_faces, sees_colour=sees_colour
        )
        likeness_turned = likeness
        if self._turned is not None and sees_colour:
            likeness_turned = np.maximum(likeness, (embedding @ self._turned.T).max(axis=1))
        offsets = corners.reshape(count, 4, 2) + UNIT_SQUARE
        mended = [
            map_points(square_to_quad(quad), offset) for quad, offset in zip(quads_px, offsets, strict=True)
        ]
        return Faces(
            log_codes,
            log_taught,
            _chance(tile[:, 0] + np.where(likeness_turned >= SURE_LIKENESS, self._tile_shift, 0.0)),
            _chance(covered[:, 0]),
            np.exp(log_softmax(up)),
            np.stack(mended),
            np.hypot(*(offsets - UNIT_SQUARE).transpose(2, 0, 1)).max(axis=1).astype(np.float64),
            likeness,
            likeness_turned,
        )

    def log_weights_in_ink(self, image_bgr: ImageU8, quads_px: Sequence[Points]) -> NDArray[np.float64]:
        """Return (n, codes) log-chances that faces show the weight of each code, by their ink alone.

        For the shipped codes only.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; not modified.
            quads_px: n quads, (4, 2) each, one at least.
        """
        crops = in_ink_alone(self.crops(image_bgr, quads_px))
        weight, colour = self.model.run(crops)[:2]
        log_weight, _ = self._by_networks(weight, colour, crops, np.ones(len(crops), bool))
        return log_weight[:, self._weight_of]

    def _by_networks(
        self,
        weight: NDArray[np.float32],
        colour: NDArray[np.float32],
        crops_bgr: ImageU8,
        are_faces: NDArray[np.bool_],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (n, weights) and (n, colours) log-chances; the second network counts in doubt.

        Args:
            weight: (n, weights) the reader's logits.
            colour: (n, colours) the same.
            crops_bgr: (n, side, side, 3) uint8 BGR.
            are_faces: (n,) which of them are rather tiles that can be seen whole than anything else.
        """
        log_weight = log_softmax(weight / self._weight_temperature)
        log_colour = log_softmax(colour / self._colour_temperature)
        if self._second is None or not self.is_by_shipped_model:
            return log_weight, log_colour
        return self._second.joined(log_weight, log_colour, crops_bgr, are_faces)

    def _log_codes(
        self,
        crops_bgr: ImageU8,
        weight: NDArray[np.float32],
        colour: NDArray[np.float32],
        embedding: NDArray[np.float32],
        are_faces: NDArray[np.bool_],
        *,
        sees_colour: bool,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return what the faces' `log_codes`, `log_taught` and `likeness` are."""
        joint = np.zeros((len(weight), len(self.codes)))
        likeness = np.ones(len(weight))
        if self.is_of_the_game:
            log_weight, log_colour = self._by_networks(weight, colour, crops_bgr, are_faces)
            if not sees_colour:
                log_colour = np.full(colour.shape, -np.log(self._colours))
            if self._hues is not None and sees_colour:
                log_colour = self._hues.joined(log_colour, crops_bgr)
            joint += log_weight[:, self._weight_of] + log_colour[:, self._colour_of]
            if self.own_set is not None and self.own_set.examples and sees_colour:
                by_first = log_softmax(weight / self._weight_temperature)
                looks = Looks.of(crops_bgr, by_first, log_weight, log_colour, embedding)
                log_codes = log_softmax(joint)
                return log_codes, self.own_set.log_codes(looks, log_codes), likeness
        if self._prototypes is not None and sees_colour:
            cosine = embedding.astype(np.float64) @ self._prototypes.T
            likeness = cosine.max(axis=1)
            joint = self._share * joint + self.scale * cosine
        log_codes = log_softmax(joint)
        return log_codes, log_codes, likeness


class SecondOpinion:
    """What another network says of faces that the reader doubts: a mean of both log-chances counts.

    It is larger and has learned from more artists: it names more tiles of strange sets rightly, and both
    together are more seldom sure of what is wrong (decisions 29 and 37). A face that the reader reads well
    costs no time.
    """

    def __init__(self, model: Model) -> None:
        """Use an opened model for the task `second`."""
        self._model, temperature = model, model.manifest["temperature"]
        self._temperatures = float(temperature["weight"]), float(temperature["colour"])

    @classmethod
    def of(cls, reader: Model, *, threads: int = THREADS) -> SecondOpinion | None:
        """Return the shipped one for the reader with which it was calibrated; None for any other reader.

        Raises:
            ModelError: It is missing or damaged.
        """
        model = open_model("second", threads=threads)
        return cls(model) if model.manifest["reader"] == reader.manifest["sha256"] else None

    def joined(
        self,
        log_weight: NDArray[np.float64],
        log_colour: NDArray[np.float64],
        crops_bgr: ImageU8,
        are_faces: NDArray[np.bool_],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (n, weights) and (n, colours) log-chances, from the reader's and for some crops its own.

        Args:
            log_weight: (n, weights) what the reader says.
            log_colour: (n, colours) what it says.
            crops_bgr: (n, side, side, 3) uint8 BGR.
            are_faces: (n,) which of them are rather tiles that can be seen whole than anything else.
        """
        chance = np.exp(log_weight.max(axis=1) + log_colour.max(axis=1))
        asked = are_faces & (chance < SECOND_BELOW)
        if not asked.any():
            return log_weight, log_colour
        joined = []
        for said, own, temperature in zip(
            (log_weight, log_colour),
            self._model.run(crops_bgr[asked]),
            self._temperatures,
            strict=True,
        ):
            both = said.copy()
            both[asked] = log_softmax(
                (1 - SECOND_SHARE) * said[asked] + SECOND_SHARE * log_softmax(own / temperature)
            )
            joined.append(both)
        return joined[0], joined[1]


class HueOpinion:
    """What the hues of a face say of its colour, as a correction of what the network says.

    For the four colours k beside the millstone's, log p'(k) = scale · log p(k) + limit · tanh(h(k) / limit),
    with h linear in `hue_values`: however strange a picture's hues are, they weigh no more than the limit.
    """

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        """Use what a reader's manifest says of hues."""
        self._scale, self._limit = float(manifest["scale"]), float(manifest["limit"])
        self._bias = np.array(manifest["bias"], np.float64)
        self._weights = np.array(manifest["weights"], np.float64)

    def joined(self, log_colour: NDArray[np.float64], crops_bgr: ImageU8) -> NDArray[np.float64]:
        """Return (n, 5) log-chances of colours, the millstone's last, from the network's and the crops."""
        said = log_softmax(log_colour[:, :-1])
        seen = hue_values(crops_bgr) @ self._weights + self._bias
        both = log_softmax(self._scale * said + self._limit * np.tanh(seen / self._limit))
        coloured = np.logaddexp.reduce(log_colour[:, :-1], axis=1, keepdims=True)
        return np.hstack([both + coloured, log_colour[:, -1:]])


def _chance(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits.astype(np.float64))))
