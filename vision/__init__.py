"""Pixels to layouts: numpy, cv2 and onnxruntime; no Qt and no rules."""
