"""What a picture file says of itself before its pixels are decoded: size, orientation, and day."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

UPRIGHT = 1
"""The orientation that needs no turning, as EXIF counts them."""
_TURNED_BY_A_QUARTER = 5
"""From this orientation on, width and height change places."""
_ORIENTATION, _EXIF_IFD, _TAKEN = 0x0112, 0x8769, 0x9003
_MOST_UNPACKED_PX = 100_000_000
_SHORTEST_BOX = 8
_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of its picture."""

    stored_size_wh: tuple[int, int]
    """In pixels, as they lie in the file."""
    orientation: int = UPRIGHT
    """How to turn the picture, 1 to 8, as EXIF counts them."""
    day: str | None = None
    """When the picture was taken, such as 2026-08-31."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height when the picture is turned upright."""
        wide, high = self.stored_size_wh
        return (high, wide) if self.orientation >= _TURNED_BY_A_QUARTER else (wide, high)


def read_header(data: bytes) -> Header | None:
    """Return what a JPEG, PNG, WebP or HEIF file says; None for other kinds and damaged files.

    Damaged EXIF data count as none.
    """
    # A damaged file may raise almost anything in the decoders; Pillow also warns about odd EXIF data.
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if is_heif(data):
            if not names_items_in_ascii(data):
                return None
            import pi_heif

            # The decoder turns the picture itself, so its EXIF orientation is out of date.
            heif = pi_heif.open_heif(io.BytesIO(data))
            return Header(heif.size, UPRIGHT, _orientation_and_day(heif.info.get("exif"))[1])
        image = _opened(data)
        if image is not None and min(image.size) > 0:
            return Header(image.size, *_orientation_and_day(image.info.get("exif")))
    return None


def is_heif(data: bytes) -> bool:
    """Return whether a file is a HEIF picture, such as the HEIC photos of an iPhone."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS


def boxes(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the kind of each box of a HEIF picture, where it begins, and where it says that it ends."""
    at = 0
    while at + 16 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:  # a large one
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        end = len(data) if size < _SHORTEST_BOX else at + size  # up to the end, or damaged
        yield data[at + 4 : at + 8], at, end
        at = end


def names_items_in_ascii(data: bytes) -> bool:
    """Return whether what a HEIF picture says of the kinds and names of its parts is plain text.

    It always is. The decoder ends the process, without an error, where a kind is no text at all.
    """
    return all(_are_named_in_ascii(data[at:end]) for kind, at, end in boxes(data) if kind == b"meta")


def _are_named_in_ascii(meta: bytes) -> bool:
    at = meta.find(b"infe")
    while at >= 0:
        end = at - 4 + int.from_bytes(meta[max(at - 4, 0) : at], "big")
        # Version and flags, the part's number (longer from version 3 on), and how it is protected.
        text = at + 8 + (6 if meta[at + 4 : at + 5] >= b"\x03" else 4)
        if not meta[text:end].isascii():
            return False
        at = meta.find(b"infe", at + 4)
    return True


def _opened(data: bytes) -> ImageFile | None:
    """Return a JPEG, PNG or WebP with its header read.

    Only the parser that fits is imported: `PIL.Image.open` loads many, and warns about the second pictures
    that phones put behind the first.
    """
    from PIL import Image

    # Pillow would warn or refuse by limits of its own; those of `vision.imaging.photo` count.
    Image.MAX_IMAGE_PIXELS = None
    if data.startswith(b"\xff\xd8"):
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(io.BytesIO(data))
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile

        image = PngImageFile(io.BytesIO(data))
        if "exif" not in image.info and b"eXIf" in data and image.width * image.height <= _MOST_UNPACKED_PX:
            image.load()  # which finds EXIF data behind the pixels, too
        return image
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(io.BytesIO(data))
    return None


def _orientation_and_day(exif: bytes | None) -> tuple[int, str | None]:
    from PIL.Image import Exif

    orientation, day = UPRIGHT, None
    with contextlib.suppress(Exception):
        tags = Exif()
        tags.load(exif or b"")
        value = tags.get(_ORIENTATION)
        if isinstance(value, int) and UPRIGHT <= value <= 8:
            orientation = value
        taken = re.match(r"(\d{4}):(\d\d):(\d\d)", str(tags.get_ifd(_EXIF_IFD).get(_TAKEN, "")))
        day = "-".join(taken.groups()) if taken else None
    return orientation, day
