"""A program of its own: opens one camera or stream with OpenCV and writes its pictures to standard output.

Drivers and FFmpeg can hang where no thread can be ended, print addresses with their passwords, or crash.
In a process of their own they can do none of this to the game: it is killed, and nothing of it is printed.
`vision.sources.camera` starts it with the file's path; it imports nothing of this project.

Standard input: one line of JSON with "target" (index, path or address), "api", "open" (pairs of property and
value), "set" (the same, set afterwards), "hold" (the same, set once the camera's automatics have settled);
its end ends the program. Standard output: for each picture three big-endian 32-bit numbers, PICTURE, height
and width, then the pixels, BGR. FAILED comes in place of the first picture when nothing can be opened;
REFUSED between two pictures, with the place in "hold", when the camera does not let that be set.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading

HEADER = struct.Struct(">III")
PICTURE, FAILED, REFUSED = 1, 2, 3
PICTURES_BEFORE_HOLDING = 30
"""A camera's automatics need about a second to suit the light; what is held sooner is held wrongly."""


def main() -> None:
    """Write pictures until there are no more, or until the reader is gone."""
    with os.fdopen(os.dup(0), "rb", buffering=0) as requests:
        line = b""
        while not line.endswith(b"\n") and (byte := requests.read(1)):
            line += byte
        request = json.loads(line)
        threading.Thread(target=_leave_with_the_reader, daemon=True).start()
        try:
            _copy(request)
        except BrokenPipeError:
            pass
        finally:
            os._exit(0)  # the other thread still waits for standard input


def _copy(request: dict[str, object]) -> None:
    import cv2

    out = sys.stdout.buffer
    capture = cv2.VideoCapture(request["target"], request["api"], request["open"])  # type: ignore[call-overload]
    for key, value in request["set"]:  # type: ignore[attr-defined]
        capture.set(key, value)
    if not capture.isOpened():
        out.write(HEADER.pack(FAILED, 0, 0))
        out.flush()
        return
    number = 0
    while True:
        has_come, image = capture.read()
        if not has_come:
            return
        number += 1
        if number == PICTURES_BEFORE_HOLDING:
            for at, (key, value) in enumerate(request["hold"]):  # type: ignore[arg-type]
                if not capture.set(key, value):
                    out.write(HEADER.pack(REFUSED, at, 0))
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        out.write(HEADER.pack(PICTURE, *image.shape[:2]))
        out.write(memoryview(image).cast("B"))
        out.flush()


def _leave_with_the_reader() -> None:
    """Wait for the end of standard input: the program that started this one is gone, or wants no more."""
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
