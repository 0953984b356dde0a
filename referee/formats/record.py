"""The lines of a saved game: one JSON object each, for people to read, with a check sum. Rule 5.

The sum is over the line and all before it. So a line that was changed, lost or cut off is found, and
everything before it still loads. What the lines say, each kind of game decides for itself.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from referee.errors import Fault, RecordError


def seal(line: Mapping[str, object], before: int) -> tuple[str, int]:
    """Return an object as a line with its check sum, and that sum for the line after it."""
    text = json.dumps(line, ensure_ascii=False)
    check = zlib.crc32(text.encode(), before)
    return f'{text[:-1]}, "check": "{check:08x}"}}', check


def unseal(text: str, number: int, before: int) -> tuple[dict[str, object], int]:
    """Return the object of a line, and its check sum.

    Raises:
        RecordError: The line is no such object, or it was changed.
    """
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(Fault.CUT_OFF, number=number) from error
    check = line.pop("check", None) if type(line) is dict else None
    if check is None:
        raise RecordError(Fault.NOT_A_RECORD_LINE, number=number)
    found = zlib.crc32(json.dumps(line, ensure_ascii=False).encode(errors="surrogatepass"), before)
    if check != f"{found:08x}":
        raise RecordError(Fault.LINE_CHANGED, number=number)
    return line, found


def check_head(line: Mapping[str, object], format_: str, version: int) -> None:
    """Make sure that a first line is that of a format and version.

    Raises:
        RecordError: It is another's.
    """
    if line.get("record") != format_ or line.get("version") != version:
        raise RecordError(Fault.OTHER_FORMAT, format=format_, version=version)
