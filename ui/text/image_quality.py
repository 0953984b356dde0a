"""What the meters say: one sentence for each thing that can be improved, or that all is well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.text.catalogue import mark, say

if TYPE_CHECKING:
    from vision.imaging.quality import ImageQuality

LIGHT = {
    "dark": mark("It is too dark: bring a lamp nearer, or open the curtains."),
    "bright": mark("It is too bright: turn the lamp away, or fix the exposure of the camera."),
    "glare": mark("Something shines into the camera: move the lamp or tilt the camera."),
}
FOCUS = {"blurred": mark("The tiles are blurred: hold the camera still, or focus again.")}
ANGLE = {
    "flat": mark(
        "The camera looks at the table from the side: put it higher, and let it look down at the tiles."
    )
}
SIZE = {
    "small": mark("The tiles are small, {pixels} pixels wide: bring the camera nearer."),
    "unknown": mark("There is no tile in the picture yet. Lay some on the table to check the picture."),
}
ALL_WELL = mark("Light, sharpness and size are good. The tiles are {pixels} pixels wide.")


def quality_sentences(meters: ImageQuality) -> tuple[str, ...]:
    """Return what to improve about a picture, the most important first."""
    pixels = round(meters.tile_px or 0)
    found = (
        LIGHT.get(meters.light.value),
        FOCUS.get(meters.focus.value),
        ANGLE.get(meters.angle.value),
        SIZE.get(meters.size.value),
    )
    said = tuple(say(sentence, pixels=pixels) for sentence in found if sentence)
    return said or (say(ALL_WELL, pixels=pixels),)
