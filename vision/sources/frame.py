"""What a source gives: frames, and notices when something is wrong with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.imaging.photo import check_megapixels

MIN_SIDE_PX = 16
"""Smaller frames hold no tile that could be read."""


def mark(sentence: str) -> str:
    """Return a sentence as it is; marks it for the catalogue where it is looked up later."""
    return sentence


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a source."""

    image_bgr: ImageU8
    """(height, width, 3) uint8, BGR; the receiver's own, no source writes into it again."""
    time_s: float
    """Seconds in the source's own time: since it was opened, or since the beginning of the video."""
    number: int
    """Counts the source's pictures from 0; a gap shows how many were skipped."""


@dataclass(frozen=True, slots=True)
class SourceNotice:
    """Something to tell the players about a source: a template and its values, as errors have them."""

    template: str
    values: Mapping[str, object]
    time_s: float
    """When it happened, on the clock of `Frame.time_s`."""

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.template.format(**self.values)


class Lost(SourceNotice):
    """No frames come; the source is tried again and again until `Back`."""

    __slots__ = ()


class Busy(Lost):
    """The camera is there but cannot be opened, mostly because another program holds it."""

    __slots__ = ()


class Back(SourceNotice):
    """Frames come again after `Lost`."""

    __slots__ = ()


class Skipped(SourceNotice):
    """One picture of a folder cannot be read; the next one follows."""

    __slots__ = ()


class Source(ABC):
    """Frames and notices in the order of time, once; a context manager that closes itself."""

    name: str
    """What was opened, fit to be printed and stored: without any credentials."""
    is_live: bool
    """Whether only the newest frame is kept, so that a slow reader misses frames but sees no old ones."""

    @abstractmethod
    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        """Yield until the end of the recording, or until `close` is called from any thread; never raises."""

    @abstractmethod
    def now_s(self) -> float:
        """Return the present on the clock of `Frame.time_s`; less a frame's time it is the frame's age."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the camera, connection or file, within two seconds; may be called twice."""

    def __enter__(self) -> Self:
        """Return the source itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()


def of_one_size(items: Iterable[Frame | SourceNotice]) -> Iterator[Frame | SourceNotice]:
    """Yield what a source gives, every frame as large as the first one, so that tables can be compared.

    Who turns a phone turns its pictures, photos are taken upright and lengthwise, and streams grow coarser. A
    frame that stands the other way round is turned by a quarter; what is then larger or smaller is resized.
    """
    first_hw: tuple[int, int] | None = None
    for item in items:
        if isinstance(item, Frame):
            first_hw = first_hw or item.image_bgr.shape[:2]
            yield replace(item, image_bgr=_fitted(item.image_bgr, first_hw))
        else:
            yield item


def _fitted(image_bgr: ImageU8, size_hw: tuple[int, int]) -> ImageU8:
    """Return a (H, W, 3) uint8 BGR picture in one of another size, with black beside it if need be."""
    high, wide = size_hw
    if (image_bgr.shape[0] - image_bgr.shape[1]) * (high - wide) < 0:
        image_bgr = np.asarray(cv2.rotate(image_bgr, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    if image_bgr.shape[:2] == size_hw:
        return image_bgr
    scale = min(high / image_bgr.shape[0], wide / image_bgr.shape[1])
    inner_wh = max(1, round(image_bgr.shape[1] * scale)), max(1, round(image_bgr.shape[0] * scale))
    inner = cv2.resize(image_bgr, inner_wh, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    left, top = (wide - inner_wh[0]) // 2, (high - inner_wh[1]) // 2
    fitted = np.zeros((high, wide, 3), np.uint8)
    fitted[top : top + inner_wh[1], left : left + inner_wh[0]] = inner
    return fitted


def check_image(image_bgr: ImageU8, name: str) -> None:
    """Check that a picture can be a frame.

    Raises:
        ImageError: It is not (H, W, 3) uint8, tiny, or larger than any picture that is read.
    """
    if image_bgr.dtype != np.uint8 or image_bgr.ndim != 3 or image_bgr.shape[2] != 3:
        raise ImageError("{name!r} does not hold colour pictures of 8 bits.", name=name)
    check_size(image_bgr.shape[1], image_bgr.shape[0], name)


def check_size(width: int, height: int, name: str) -> None:
    """Check the size of a frame, in pixels.

    Raises:
        ImageError: It is tiny, or larger than any picture that is read.
    """
    if min(width, height) < MIN_SIDE_PX:
        raise ImageError("{name!r} has pictures of {width} x {height} pixels, which is too small.",
                         name=name, width=width, height=height)  # fmt: skip
    check_megapixels((width, height), name)
