"""Pixels to layouts: numpy, cv2 and onnxruntime; no Qt and no rules.

Importing it opens no camera and loads no model. `photo.read_photo` gives a picture, `reader.TileReader`
turns it into a `reading.Reading`.
"""
