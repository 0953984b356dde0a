"""What a game teaches of its own tiles: a few certain pictures of some of them, and what they say of others.

A reader that never saw a set's art names some of its faces wrongly. But the tiles of a set share four colours
and the digits of one hand. So one picture of red 40 helps to read red 40 when it comes again, and every other
red tile, and every other 40.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.rectify import upright_crop
from vision.recognition.assignment import log_softmax
from vision.recognition.model_store import Model
from vision.recognition.tile_set import Example, TileSet, check_name, fitted, prototypes_of

MOST_PICTURES = 3
"""The most pictures that are kept of one tile."""
SAME_LOOK = 0.97
"""A picture whose embedding is as similar (cosine) as this to one that is kept tells nothing new."""
_AGAINST = 0.9
"""A picture is no example of a tile if the others say with this chance that it is another one."""
_TRUST, _DISTRUST = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1), 2.0
"""How far the shipped reader may count, and how much likelier (log-chance) the pictures must be for it to
count for nothing: a few pictures tell little."""
_LESS = 0.5, 0.85
"""By these shares pictures count less for weights and colours where the shipped reader counts in full: of
5,256 new tiles of 285 held-out sets, a third of which chose them, 15 are silently others; 30 were before
(decision 55)."""
_IN_DOUBT = 0.9
"""While the shipped reader counts in full, only what it reads with a smaller chance is read anew."""
_CHROMA, _BINS, _FACE_INSET = 60.0, 12, 0.12
"""Colours are counted by Lab's a and b, from minus the first number to that number in so many steps; this
share of a crop is left out at each side."""


@dataclass(frozen=True, slots=True)
class _Likeness:
    """How the distance (1 - cosine) to the nearest picture of a kind becomes a log-chance."""

    largest: float
    """A distance like this makes a kind less likely by the factor e, at most;"""
    share: float
    """or this share of the distance that pictures of different kinds usually keep in a set, if it is less."""
    unknown: float
    """Log-chance, negative, of a kind of which there is no picture."""
    least: float
    """The smallest log-chance of any kind."""

    def log_chances(
        self, seen: NDArray[np.float64], known: NDArray[np.float64], kind: NDArray[np.intp], kinds: int
    ) -> NDArray[np.float64]:
        """Return (n, kinds) log-chances, not normalised.

        Args:
            seen: (n, m) what is seen, of length 1.
            known: (pictures, m) the same of the pictures.
            kind: (pictures,) their kinds.
            kinds: How many kinds there are.
        """
        scale = self.largest
        others = np.where(kind[:, None] != kind[None], 1 - known @ known.T, np.inf).min(axis=1)
        if np.isfinite(others).all():
            scale = min(scale, max(self.share * float(np.median(others)), _SMALLEST_SCALE))
        found = np.full((len(seen), kinds), self.unknown)
        for each in np.unique(kind):
            nearest = 1 - (seen @ known[kind == each].T).max(axis=1)
            found[:, each] = np.maximum(-nearest / scale, self.least)
        return found


Joined = Callable[
    [NDArray[np.float64], NDArray[np.float64], ImageU8, NDArray[np.bool_]],
    tuple[NDArray[np.float64], NDArray[np.float64]],
]
_SMALLEST_SCALE = 1e-3
_BY_WEIGHT = _Likeness(0.14, 0.4, -2.0, -3.0)
_BY_COLOUR = _Likeness(0.02, 0.3, -6.0, -9.0)
_BY_FACE = _Likeness(0.04, 0.08, -4.0, -8.0)


@dataclass(frozen=True, slots=True)
class Looks:
    """What is seen of n faces; the arrays' first axis is the face."""

    by_first: NDArray[np.float64]
    """(n, weights) log-chances by the reader's first network."""
    log_weight: NDArray[np.float64]
    """(n, weights) log-chances by the shipped reader, its second network heard where it is asked."""
    log_colour: NDArray[np.float64]
    """(n, colours) the same of the colours."""
    chroma: NDArray[np.float64]
    """(n, steps) how often each colour occurs in the face, as square roots: of length 1."""
    embedding: NDArray[np.float64]
    """(n, embedding) of length 1."""

    @classmethod
    def of(
        cls,
        crops_bgr: ImageU8,
        by_first: NDArray[np.float64],
        log_weight: NDArray[np.float64],
        log_colour: NDArray[np.float64],
        embedding: NDArray[np.floating],
    ) -> Looks:
        """Return what is seen in n crops (n, side, side, 3) uint8 BGR, of which the models say the rest."""
        return cls(by_first, log_weight, log_colour, _chroma(crops_bgr), embedding.astype(np.float64))

    @property
    def form(self) -> NDArray[np.float64]:
        """(n, weights) the first network's answer about the weight, centred and of length 1."""
        centred = self.by_first - self.by_first.mean(axis=1, keepdims=True)
        return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9))

    def only(self, which: NDArray[np.bool_] | Sequence[int]) -> Looks:
        """Return the faces for which `which` is true, or which it counts up."""
        return Looks(*(getattr(self, field.name)[which] for field in fields(Looks)))

    @classmethod
    def joined(cls, parts: Collection[Looks]) -> Looks:
        """Return the faces of one or more parts one after the other."""
        return cls(
            *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Looks))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A tile that is certain, in a picture."""

    code: str
    quad_px: Points
    """(4, 2) float32: where, clockwise from the face's own top left."""
    is_told: bool
    """Whether a player said which tile it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """One picture of a tile that is certain."""

    example: Example
    at: int
    """The number of the game's input at which it was learned."""
    is_told: bool
    """Whether a player said which tile it is."""


class OwnSet:
    """The pictures that were learned, and what they say of faces. Not safe to share between threads."""

    def __init__(self, model: Model, examples: Sequence[Example] = (), joined: Joined | None = None) -> None:
        """Begin with the pictures of a set that a player has kept; with none of a set that is not known.

        Args:
            model: The reader's first network.
            examples: The pictures.
            joined: What both networks say together, where there is a second one (`SecondOpinion.joined`).
        """
        manifest = model.manifest
        self._model, self._joined = model, joined
        self._side, self._face_share = int(manifest["input"]["shape"][2]), float(manifest["face_share"])
        self._temperature = {each: float(manifest["temperature"][each]) for each in ("weight", "colour")}
        weights, colours = manifest["classes"]["weight"], manifest["classes"]["colour"]
        self._weight_of = np.array([weights.index(int(code[1:])) for code in CODES])
        self._colour_of = np.array([colours.index(code[0]) for code in CODES])
        self._learned: list[Learned] = []
        self._looks: Looks | None = None
        self._seen: dict[Learned, Looks] = {}
        """What is seen in each picture: a network looks at it but once."""
        self._kept = tuple(Learned(each, -1, is_told=False) for each in examples)
        self.restore(())

    @property
    def learned(self) -> tuple[Learned, ...]:
        """The pictures that this game has taught."""
        return tuple(each for each in self._learned if each.at >= 0)

    @property
    def examples(self) -> tuple[Example, ...]:
        """All pictures, those of the kept set too."""
        return tuple(each.example for each in self._learned)

    @property
    def codes(self) -> frozenset[str]:
        """The tiles of which there are pictures."""
        return frozenset(each.example.code for each in self._learned)

    @property
    def misread_with(self) -> float:
        """The greatest chance of a weight that is another one, as people said; 0 where none is."""
        if self._looks is None:
            return 0.0
        log_weight = self._looks.log_weight
        is_told = np.array([each.is_told for each in self._learned], bool)
        misread = is_told & (log_weight.argmax(axis=1) != self._weight_of[self._codes()])
        return float(np.exp(log_weight[misread].max(initial=-np.inf)))

    @property
    def left_to_reader(self) -> frozenset[str]:
        """The tiles of which there is no picture; none where the shipped reader names known ones wrongly.

        It has shown then that what it says of a face counts for less than what the pictures say.
        """
        return frozenset(CODES) - self.codes if min(self._trusted) == 1 else frozenset()

    def restore(self, learned: Sequence[Learned]) -> None:
        """Know the kept set, and of this game what it had taught when it was left."""
        self._know([*self._kept, *learned])
        if any(each.is_told for each in learned):
            self._forget_contradicted()

    def learn(self, image_bgr: ImageU8, shown: Sequence[Shown], at: int) -> bool:
        """Take the pictures of tiles, but those like one that is known, or contradicted by the others.

        What a player tells is always taken, and what it contradicts is forgotten.

        Args:
            image_bgr: (H, W, 3) uint8 BGR: the picture in which they lie.
            shown: The tiles.
            at: The number of the game's input.

        Returns:
            Whether any was taken.
        """
        offered = [
            each for each in shown if each.is_told or len(self._pictures_of(each.code)) < MOST_PICTURES
        ]
        if not offered:
            return False
        crops = [upright_crop(image_bgr, each.quad_px, self._side, self._face_share) for each in offered]
        looks = self._looks_of(crops)
        taken = [
            self._take(Learned(Example(each.code, crop), at, each.is_told), looks.only([index]))
            for index, (each, crop) in enumerate(zip(offered, crops, strict=True))
        ]
        return any(taken)

    def _pictures_of(self, code: str) -> list[int]:
        return [index for index, each in enumerate(self._learned) if each.example.code == code]

    def _take(self, new: Learned, looks: Looks) -> bool:
        """Take a picture in which `looks` is seen, if it tells anything new; return whether it does."""
        code, own = new.example.code, self._pictures_of(new.example.code)
        if self._looks is not None and own and not new.is_told:
            alike = self._looks.embedding[own] @ looks.embedding[0]
            if len(own) >= MOST_PICTURES or alike.max() >= SAME_LOOK:
                return False
        if not new.is_told and self._contradicts(looks, code, self._looks, self._codes()):
            return False
        known = [each for index, each in enumerate(self._learned) if index not in own[MOST_PICTURES - 1 :]]
        kept = [each for each in known if (each.example.code, each.at) != (code, new.at)]
        self._seen[new] = looks
        self._know([*kept, new])
        if new.is_told:
            self._forget_contradicted()
        return True

    def forget(self, codes: Collection[str]) -> None:
        """Unlearn what this game has taught of some tiles."""
        self._keep([each for each in self._learned if each.at < 0 or each.example.code not in codes])

    def forget_since(self, at: int) -> None:
        """Unlearn what this game has taught since one of its inputs."""
        self._keep([each for each in self._learned if each.at < at])

    def log_codes(self, looks: Looks, shipped: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 45) log-chances of the codes by the shipped reader and the pictures.

        Args:
            looks: What is seen of n faces.
            shipped: (n, 45) log-chances of their codes by the shipped reader alone; to the last bit what is
                returned where the pictures say nothing.
        """
        if self._looks is None:
            return shipped
        trust = self._trusted
        anew = np.exp(shipped.max(axis=1)) < _IN_DOUBT if min(trust) == 1 else np.ones(len(shipped), bool)
        taught = shipped.copy()
        if anew.any():
            taught[anew] = log_softmax(self._read_by(looks.only(anew), self._looks, self._codes(), trust))
        return taught

    def as_tile_set(self, name: str) -> TileSet:
        """Return everything that is known as a tile set, to be kept under a name.

        Raises:
            TileSetError: That is no name for one, or no tile is known.
        """
        examples = self.examples
        known = [code for code in CODES if any(each.code == code for each in examples)]
        if not known:
            raise TileSetError("No tile of this set is known yet.")
        found = prototypes_of(self._model, known, examples)
        prototypes = np.zeros((len(CODES), found.shape[1]), np.float32)
        prototypes[[CODES.index(code) for code in known]] = found
        sha = str(self._model.manifest["sha256"])
        return TileSet(check_name(name), tuple(CODES), 1.0, 1, examples, sha, prototypes)

    def _read_by(
        self, looks: Looks, known: Looks, codes: NDArray[np.intp], trust: tuple[float, float]
    ) -> NDArray[np.float64]:
        """Return (n, 45) log-chances, not normalised, by the shipped reader and some pictures."""
        of_weight, of_colour = self._weight_of[codes], self._colour_of[codes]
        by_weight = _BY_WEIGHT.log_chances(looks.form, known.form, of_weight, looks.log_weight.shape[1])
        by_colour = _BY_COLOUR.log_chances(looks.chroma, known.chroma, of_colour, looks.log_colour.shape[1])
        weight = trust[0] * looks.log_weight + (1 - _LESS[0] * trust[0]) * by_weight
        colour = trust[1] * looks.log_colour + (1 - _LESS[1] * trust[1]) * by_colour
        face = _BY_FACE.log_chances(looks.embedding, known.embedding, codes, len(CODES))
        return np.asarray(weight[:, self._weight_of] + colour[:, self._colour_of] + face, np.float64)

    def _trust(self, known: Looks, codes: NDArray[np.intp]) -> tuple[float, float]:
        """Return how far to trust the shipped reader on weights and on colours of this set, 0..1."""

        def best(log_chances: NDArray[np.float64], right: NDArray[np.intp]) -> float:
            rows = np.arange(len(right))
            fits = [
                log_softmax(trust * log_chances)[rows, right].sum() + _DISTRUST * trust for trust in _TRUST
            ]
            return _TRUST[int(np.argmax(fits))]

        return best(known.log_weight, self._weight_of[codes]), best(known.log_colour, self._colour_of[codes])

    def _contradicts(self, looks: Looks, code: str, known: Looks | None, codes: NDArray[np.intp]) -> bool:
        """Return whether pictures say that a face, the only one in `looks`, is surely not `code`."""
        if known is None or not len(codes):
            return False
        (joint,) = self._read_by(looks, known, codes, self._trust(known, codes))
        best = int(joint.argmax())
        return CODES[best] != code and 1 / np.exp(joint - joint[best]).sum() >= _AGAINST

    def _forget_contradicted(self) -> None:
        """Unlearn what nobody told and what is surely another tile by all other pictures."""
        if self._looks is None:
            return
        codes, kept = self._codes(), []
        for index, each in enumerate(self._learned):
            own, others = np.arange(len(codes)) == index, np.arange(len(codes)) != index
            if each.is_told or not self._contradicts(
                self._looks.only(own), each.example.code, self._looks.only(others), codes[others]
            ):
                kept.append(each)
        self._keep(kept)

    def _keep(self, learned: list[Learned]) -> None:
        if len(learned) < len(self._learned):
            self._know(learned)

    def _know(self, learned: list[Learned]) -> None:
        unseen = [each for each in learned if each not in self._seen]
        if unseen:
            looks = self._looks_of([each.example.crop_bgr for each in unseen])
            self._seen |= {each: looks.only([index]) for index, each in enumerate(unseen)}
        self._seen = {each: self._seen[each] for each in learned}
        self._learned = learned
        self._looks = Looks.joined(self._seen.values()) if learned else None
        self._trusted = (1.0, 1.0) if self._looks is None else self._trust(self._looks, self._codes())

    def _codes(self) -> NDArray[np.intp]:
        return np.array([CODES.index(each.example.code) for each in self._learned], np.intp)

    def _looks_of(self, crops_bgr: Sequence[ImageU8]) -> Looks:
        crops = np.stack([fitted(crop, self._side) for crop in crops_bgr])
        weight, colour, *_others, embedding = self._model.run(crops)
        by_first = log_softmax(weight / self._temperature["weight"])
        log_colour, log_weight = log_softmax(colour / self._temperature["colour"]), by_first
        if self._joined is not None:
            are_faces = np.ones(len(crops), bool)
            log_weight, log_colour = self._joined(by_first, log_colour, crops, are_faces)
        return Looks.of(crops, by_first, log_weight, log_colour, embedding)


def _chroma(crops_bgr: ImageU8) -> NDArray[np.float64]:
    """Return how often each colour occurs in (n, side, side, 3) uint8 BGR crops, (n, steps) square roots."""
    inset = int(crops_bgr.shape[1] * _FACE_INSET)
    faces = crops_bgr[:, inset:-inset, inset:-inset]
    found = np.empty((len(faces), _BINS * _BINS))
    for index, face in enumerate(faces):
        lab = cv2.cvtColor(face.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        lab[..., 1:] = np.clip(lab[..., 1:], -_CHROMA, _CHROMA - 0.1)
        counts = cv2.calcHist([lab], [1, 2], None, [_BINS, _BINS], [-_CHROMA, _CHROMA, -_CHROMA, _CHROMA])
        counts = cv2.GaussianBlur(counts, (3, 3), 0.8)
        found[index] = np.sqrt(counts / max(float(counts.sum()), 1e-9)).ravel()
    return found
