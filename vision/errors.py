"""What can go wrong between a picture and its reading.

    VisionError
    +-- ImageError   (also ValueError)  a picture that cannot be read or is not allowed
    +-- ModelError                      a model that is missing, damaged or of the wrong kind
    +-- LabelError   (also ValueError)  a picture's known contents that cannot be read
"""


class VisionError(Exception):
    """The root of all errors of this package; its text is one sentence for people."""


class ImageError(VisionError, ValueError):
    """A picture that cannot be read, or is too large to be read."""


class ModelError(VisionError):
    """A model that is missing, damaged or not the one its manifest describes."""


class LabelError(VisionError, ValueError):
    """The file of a picture's known contents is missing, damaged or does not fit the picture."""
