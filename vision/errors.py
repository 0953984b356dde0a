"""What can go wrong between a picture and its reading.

VisionError
+-- ImageError   (also ValueError)  a picture that cannot be read or is not allowed
+-- SourceError  (also ValueError)  a camera, stream, video or folder that can never give a frame
+-- ModelError                      a model that is missing, damaged or of the wrong kind
+-- TileSetError (also ValueError)  a player's tile set that cannot be learned, found or read
+-- DataSetError (also ValueError)  a data set, or a part of one, that cannot be read, written or converted
|   +-- LabelError                  a label file that cannot be read
+-- BatchError                      work on many pictures that cannot go on
"""


class VisionError(Exception):
    """The root of all errors of this package.

    The sentence is kept as a template with its values, as the rules' errors are, so that a user interface
    can look the template up in its catalogue; `str` gives the English sentence.
    """

    def __init__(self, template: str, **values: object) -> None:
        """Take the sentence's template and its values."""
        self.template = template
        self.values = values
        super().__init__(template.format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        """Return what pickle needs, for errors that cross a process border."""
        return _rebuild, (type(self), self.template, self.values)


def _rebuild(kind: type[VisionError], template: str, values: dict[str, object]) -> VisionError:
    return kind(template, **values)


class ImageError(VisionError, ValueError):
    """A picture that cannot be read, or is too large to be read."""


class SourceError(VisionError, ValueError):
    """A camera, stream, video or folder that can never give a frame; the sentence holds no credentials."""


class ModelError(VisionError):
    """A model that is missing, damaged or not the one its manifest describes."""


class TileSetError(VisionError, ValueError):
    """A player's tile set that cannot be learned, found, read or written."""


class DataSetError(VisionError, ValueError):
    """A data set, or one picture of it, that cannot be read, written or converted."""


class LabelError(DataSetError):
    """The file of a picture's known contents is missing, damaged or does not fit the picture."""


class BatchError(VisionError):
    """Work on many pictures that cannot go on; what is done is kept."""
