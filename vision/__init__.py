"""Pixels to layouts: numpy, cv2 and onnxruntime; no Qt and no rules.

Importing it opens no camera and loads no model. `photo.read_photo` gives a picture, `reader.TileReader`
turns it into a `reading.Reading`.
"""

import os

# OpenCV reads these when it is loaded. What is wrong with a file our own sentences say, and a small file that
# claims to be huge shall not take all memory.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(110_000_000))
