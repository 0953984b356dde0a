"""Pixels to layouts: numpy, cv2 and onnxruntime; no Qt and no rules.

Importing it opens no camera and loads no model. `photo.read_photo` gives a picture, `reader.TileReader`
turns it into a `reading.Reading`.
"""

import os

# OpenCV reads this when it is loaded; it keeps a small file that claims to be huge from taking all memory.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(110_000_000))
