"""Shipped ONNX models; one folder each, found through importlib.resources."""
