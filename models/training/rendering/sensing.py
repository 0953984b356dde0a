"""Light and camera: what stands between a table and its picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.textures import TextureBank
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points


def light(rng: np.random.Generator, image: NDArray[np.float32], gloss: bool, quads: list[Points]) -> None:
    """Light the table in place: a fall-off, hard or soft shadows, and glare on glossy tiles."""
    high, wide = image.shape[:2]
    ys, xs = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
    angle, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45)
    field = 1 + fall * (np.cos(angle) * xs + np.sin(angle) * ys)
    field -= rng.uniform(0, 0.3) * (xs**2 + ys**2) / 2
    if rng.random() < 0.35:
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [wide, high]
        shadow = np.zeros((high, wide), np.float32)
        cv2.fillPoly(shadow, [cv2.convexHull(points.astype(np.float32)).astype(np.int32)], 1.0)
        field *= 1 - rng.uniform(0.15, 0.6) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.8, 25))
    image *= np.clip(field, 0.15, 2)[..., None]
    if gloss:
        for _ in range(int(rng.integers(1, 4))):
            around = quads[rng.integers(len(quads))].mean(axis=0) + rng.normal(0, 60, 2)
            spread = rng.uniform(10, 90, 2)
            spot = (
                np.exp(-(((np.arange(wide) - around[0]) / spread[0]) ** 2))[None, :]
                * np.exp(-(((np.arange(high) - around[1]) / spread[1]) ** 2))[:, None]
            )
            image += (rng.uniform(20, 170) * spot[..., None]).astype(np.float32)


def sense(rng: np.random.Generator, bank: TextureBank, image: NDArray[np.float32]) -> ImageU8:
    """Return the picture as a camera gives it: cast, exposure, curve, blur, noise, sharpening, JPEG."""
    warmth = rng.normal(0, 0.17)
    cast = np.array([1 - warmth, 1 + rng.normal(0, 0.05), 1 + warmth], np.float32)
    image = np.clip(image * (np.clip(cast, 0.45, 1.6) * rng.uniform(0.55, 1.25)), 0, 255)
    gray = image @ np.array([0.114, 0.587, 0.299], np.float32)
    vivid = rng.uniform(0.55, 1.25)
    image = gray[..., None] + vivid * (image - gray[..., None])
    image = 255 * np.power(np.clip(image / 255, 0, 1), rng.uniform(0.7, 1.4))
    image += rng.uniform(0, 25) * (1 - image / 255)
    blur = abs(rng.normal(0, 0.7))
    if blur > 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), image.dtype)
    if rng.random() < 0.15:
        length, angle = int(rng.integers(2, 6)), rng.uniform(0, np.pi)
        kernel = np.zeros((9, 9), np.float32)
        cv2.line(kernel, (4, 4), (int(4 + length * np.cos(angle)), int(4 + length * np.sin(angle))), 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), image.dtype)
    grain = abs(rng.normal(0, 5)) * (2.2 if rng.random() < 0.15 else 1)
    noise = bank.noise(rng, image.shape) if rng.random() < 0.5 else bank.noise(rng, (*image.shape[:2], 1))
    if rng.random() < 0.5:
        blurred = cv2.GaussianBlur(noise, (0, 0), 0.8).reshape(*image.shape[:2], -1)
        noise = np.asarray(blurred * 2, np.float32)
    image = image + grain * noise
    if rng.random() < 0.35:
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    picture = np.clip(image, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 97))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
