"""Capturing training pictures: each gets proposed labels in the label file beside it.

The label file is the one of `vision.dataset.ground_truth` with more keys. Each tile has its "confidence", and
is "proposed" until a person has confirmed its code. The picture has its "light" (mean blue, green and red)
and its "source": the "name" of what it came from, the "sha256" of that, the "date" and, in a video, "time_s".
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.rules.tiles import CODES
from vision.dataset.ground_truth import read_ground_truth
from vision.dataset.label_file import Label, LabelledPicture, label_content
from vision.dataset.light import MeanColour, is_same_light, mean_colour
from vision.dataset.unordered_tiles import read_unordered_tiles
from vision.errors import ImageError
from vision.files import replacing
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, share_inside, side_px
from vision.imaging.header import UPRIGHT, read_header
from vision.imaging.photo import decode_photo, photo_bytes
from vision.imaging.strip_metadata import without_metadata
from vision.pyramid.slant import STRAIGHT, Squash
from vision.recognition.classifier import TileClassifier
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.model_store import THREADS, open_model
from vision.recognition.places_beside import CLEAR_SCORE
from vision.recognition.pyramid_finder import WHOLE_SHARE
from vision.recognition.reader import TileReader
from vision.recognition.reading import Reading, TileReading
from vision.recognition.tile_set import TileSet
from vision.sources.frame import Frame

JPEG_QUALITY = 95
_MOST_ELSEWHERE = 1 / 3
"""Tiles beside the pyramid, as a share of its own tiles. If tiles are laid out in rows, every second row may
look like a pyramid of its own, and then two of three tiles lie beside it."""
_HASH_CHARACTERS = 12
_NAME_CHARACTERS = 60


class LabelProposer:
    """Proposes labels. Not safe to share between threads."""

    def __init__(
        self, tile_set: TileSet | None = None, folder: Path | None = None, *, threads: int = THREADS
    ) -> None:
        """Open the models, for the tiles of an enrolled set, and with another reader, if they are given.

        Raises:
            ModelError: A model is missing or damaged.
        """
        self._detector = _CachingDetector(open_model("finder", threads=threads))
        classifier = TileClassifier.open(tile_set, folder, threads=threads)
        self._reader = TileReader(self._detector, classifier)
        self._of_the_game = set(classifier.codes) <= set(CODES)

    def propose(self, image_bgr: ImageU8) -> Reading:
        """Return the tiles in a (H, W, 3) uint8 BGR picture.

        These are the tiles of the pyramid. If many lie elsewhere, they are all tiles, without a layout.
        """
        if not self._of_the_game:
            return self._loose(image_bgr)
        pyramid, loose = self._reader.read(image_bgr), self._loose(image_bgr)
        clear = [each.quad_px for each in self._detector.find(image_bgr) if each.score >= CLEAR_SCORE]
        sure = [np.array(tile.quad_px, np.float32) for tile in loose.tiles if not tile.unsure]
        elsewhere = max(_elsewhere(clear, pyramid), _elsewhere(sure, pyramid))
        more = min(elsewhere, len(loose.tiles) - len(pyramid.tiles))
        return pyramid if pyramid.tiles and more <= _MOST_ELSEWHERE * len(pyramid.tiles) else loose

    def _loose(self, image_bgr: ImageU8) -> Reading:
        reading = read_unordered_tiles(self._reader.laid_out, image_bgr)
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        return replace(
            reading,
            tiles=tuple(
                replace(tile, cut=share_inside(np.array(tile.quad_px, np.float32), size_wh) < WHOLE_SHARE)
                for tile in reading.tiles
            ),
        )


def _elsewhere(quads_px: Sequence[Points], pyramid: Reading) -> int:
    """Return how many (4, 2) quads do not lie on a tile of the pyramid."""
    middles = [np.mean(tile.quad_px, axis=0) for tile in pyramid.tiles]
    return sum(
        all(np.hypot(*(quad.mean(axis=0) - middle)) > side_px(quad) / 2 for middle in middles)
        for quad in quads_px
    )


class _CachingDetector(TileDetector):
    """Searches a picture once, even if it is asked again."""

    _image: ImageU8 | None = None

    def find(self, image_bgr: ImageU8, squash: Squash | None = STRAIGHT) -> list[TileCandidate]:
        if image_bgr is not self._image:
            self._image, self._found = image_bgr, super().find(image_bgr, squash)
        return self._found


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a picture came from."""

    name: str
    """File name, or a source's name without credentials."""
    day: str
    """When it was taken, such as 2026-08-31."""
    time_s: float | None = None
    """Seconds in the video or since the camera was opened."""


def checksum(data: bytes) -> str:
    """Return the SHA-256 of a picture, in hexadecimal digits; it tells two pictures apart."""
    return hashlib.sha256(data).hexdigest()


def add_photo(photo: Path, folder: Path, proposer: LabelProposer, *, as_is: bool = False) -> LabelledPicture:
    """Put a photo into a data set; an upright JPEG keeps its pixels, all others are packed anew.

    Args:
        photo: The file, which is not changed.
        folder: The data set.
        proposer: Finds the tiles.
        as_is: Copy a JPEG with its metadata (place, time, camera).

    Raises:
        ImageError: The photo cannot be read, or not be written.
    """
    data = photo_bytes(photo)
    picture = decode_photo(data, str(photo))
    reading = proposer.propose(picture.image_bgr).scaled(picture.scale)
    header = read_header(data)
    is_jpeg = data.startswith(b"\xff\xd8")
    if is_jpeg and as_is:
        packed = data
    elif is_jpeg and header is not None and header.orientation == UPRIGHT:
        packed = without_metadata(data, str(photo))
    else:
        whole = picture if picture.scale == 1 else decode_photo(data, str(photo), whole=True)
        packed = _packed(whole.image_bgr)
    day = header.day if header is not None else None
    origin = Origin(photo.name, day or date.fromtimestamp(photo.stat().st_mtime).isoformat())
    return _put(packed, checksum(data), reading, mean_colour(picture.image_bgr), origin, folder)


def add_frame(packed: bytes, frame: Frame, reading: Reading, origin: Origin, folder: Path) -> LabelledPicture:
    """Put a frame, packed with `pack_frame`, into a data set.

    Raises:
        ImageError: It cannot be written.
    """
    origin = replace(origin, time_s=round(frame.time_s, 3))
    return _put(packed, checksum(packed), reading, mean_colour(frame.image_bgr), origin, folder)


def pack_frame(frame: Frame) -> bytes:
    """Return a frame as JPEG."""
    return _packed(frame.image_bgr)


def _packed(image_bgr: ImageU8) -> bytes:
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def _put(
    packed: bytes, sha256: str, reading: Reading, light: MeanColour, origin: Origin, folder: Path
) -> LabelledPicture:
    """Write picture and label file, the label file last: with it the picture is done."""
    image = folder / f"{_stem(origin.name, sha256)}.jpg"
    source: dict[str, Any] = {"name": origin.name, "sha256": sha256, "date": origin.day}
    if origin.time_s is not None:
        source["time_s"] = origin.time_s
    extra = {"layout": str(reading.layout), "light": list(light), "source": source}
    picture = LabelledPicture(image, image.name, (0, 0), "", tuple(map(_proposed, reading.tiles)), extra)
    labels = image.with_suffix(".json")
    if labels.exists():
        # A person may have corrected it.
        raise ImageError("{name!r} is already there. It is not changed.", name=str(labels))
    try:
        for path, data in ((image, packed), (labels, json.dumps(label_content(picture)).encode())):
            with replacing(path) as beside:
                beside.write_bytes(data)
    except OSError as error:
        raise ImageError(
            "{name!r} cannot be written: {reason}.", name=str(image), reason=error.strerror or str(error)
        ) from error
    return picture


def _proposed(tile: TileReading) -> Label:
    """Return a tile that was read as a label for somebody to confirm."""
    flags = {flag: True for flag in ("covered", "cut") if getattr(tile, flag)}
    extra = {"row": tile.row, "slot": tile.slot, "confidence": tile.confidence, "proposed": True, **flags}
    return Label(tile.code, tile.quad_px, extra)


def _stem(name: str, sha256: str) -> str:
    """Return a file name without suffix; the same picture always gets the same, and no other picture."""
    readable = re.sub(r"[^\w-]+", "-", Path(name).stem).strip("-")[:_NAME_CHARACTERS]
    return f"{readable or 'picture'}-{sha256[:_HASH_CHARACTERS]}"


def read_captured(path: Path, codes: Collection[str]) -> LabelledPicture:
    """Return a picture of a data set by its label file.

    Raises:
        LabelError: The label file is damaged, or names tiles that do not exist.
        ImageError: Its picture is missing.
    """
    picture = read_ground_truth(path, codes)
    if not picture.path.is_file():
        raise ImageError("{labels!r} names the picture {name!r}, but it is missing.", name=str(picture.path),
                         labels=str(path))  # fmt: skip
    return picture


class Novelty:
    """Remembers tables, and finds the new ones: another layout, or the same one under another light."""

    def __init__(self) -> None:
        """Begin with no table."""
        self._known: list[tuple[Sequence[tuple[int, int, str | None]], MeanColour]] = []

    def is_new(self, reading: Reading, light: MeanColour) -> bool:
        """Return whether no table was like this one, and remember it.

        A tile whose code is unsure is like any other in its place.
        """
        places = [(tile.row, tile.slot, None if tile.unsure else tile.code) for tile in reading.tiles]
        for known, its_light in self._known:
            if _are_alike(known, places) and is_same_light(its_light, light):
                return False
        self._known.append((places, light))
        return True


def _are_alike(
    one: Sequence[tuple[int, int, str | None]], other: Sequence[tuple[int, int, str | None]]
) -> bool:
    return len(one) == len(other) and all(
        a[:2] == b[:2] and (a[2] == b[2] or None in (a[2], b[2])) for a, b in zip(one, other, strict=True)
    )
