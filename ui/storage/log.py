"""The log: what went wrong, in a small file in the user's state folder, for whoever is asked to help.

It holds no passwords of stream addresses, and of files their names alone. Every module writes to it with the
standard library's `logging`; nothing else needs to know where it is.
"""

from __future__ import annotations

import logging
import re
import traceback
from contextlib import suppress
from pathlib import Path

from ui import __version__
from ui.storage.paths import user_state_folder

FILE_NAME = "pyramid-referee.log"
MAX_BYTES, OLD_FILES = 512 * 1024, 2
LAST_LINES = 20
"""So many of the log's last lines go with an error."""

_OURS = ("referee", "vision", "models", "ui")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_PRIVATE = r"""
    (?P<address> \w{0,10}://\S+ )
    | File\ " [^"\n]*? (?P<code> (?:[^"\n\\/]+[\\/]){0,2} [^"\n\\/]+ ) ",\ line
    | (?P<quote> ["'] ) (?:[A-Za-z]:)? [\\/] (?: (?!(?P=quote)) [^\n] )* [\\/]
      (?P<quoted> (?: (?!(?P=quote)) [^\n\\/] )+ ) (?P=quote)
    | (?<![\w\\/"'.-]) (?:[A-Za-z]:)? (?:[\\/]+[^\s\\/"'():,;]+)+ [\\/]+ (?P<name> [^\s\\/"'():,;]+ )
"""
"""An address, the file of a line of code (its last two folders stay), a path in quotes, and one without."""


def start_logging() -> None:
    """Let every warning, and what our own packages note, go to the log; once in a process."""
    root = logging.getLogger()
    if not any(isinstance(handler, _LogFile) for handler in root.handlers):
        root.addHandler(_LogFile())
    for package in _OURS:
        logging.getLogger(package).setLevel(logging.INFO)


def log_path() -> Path:
    """Return the file of the log; it need not exist."""
    return user_state_folder() / FILE_NAME


def last_lines(count: int = LAST_LINES) -> list[str]:
    """Return the last lines of the log; none where it cannot be read."""
    try:
        return log_path().read_text(encoding="utf-8", errors="replace").splitlines()[-count:]
    except OSError:
        return []


def details_of(error: BaseException) -> str:
    """Return what helps to find an error: the versions, the traceback, and the last lines of the log."""
    lines = [about_this_program(), "", *"".join(traceback.format_exception(error)).splitlines()]
    if before := last_lines():
        lines += ["", "The log before:", *before]
    return without_secrets("\n".join(lines))


def about_this_program() -> str:
    """Return the versions of the program, Python and the system, in a line."""
    import platform

    return f"pyramid-referee {__version__}, Python {platform.python_version()}, {platform.platform()}"


def without_secrets(text: str) -> str:
    """Return a text without passwords of addresses, and with the names alone of files.

    >>> without_secrets("cannot open '/home/ann/My photos/table.jpg'")
    "cannot open '…/table.jpg'"
    >>> without_secrets("rtsp://ann:secret@camera/live?token=7 is gone")
    'rtsp://…@camera/live?… is gone'
    """
    return re.sub(_PRIVATE, _without_secret, text, flags=re.VERBOSE)


def _without_secret(found: re.Match[str]) -> str:
    from vision.sources.stream_address import redacted

    if address := found["address"]:
        return redacted(address)
    if code := found["code"]:
        return f'File "…/{code}", line'
    quote = found["quote"] or ""
    return f"{quote}…/{found['quoted'] or found['name']}{quote}"


class _LogFile(logging.Handler):
    """Opens the file for each record: there are few, mostly none, and two programs may share the file."""

    _is_begun = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; what cannot be written is lost, as there is nobody to tell."""
        from logging.handlers import RotatingFileHandler

        class Quiet(RotatingFileHandler):
            def handleError(self, record: logging.LogRecord) -> None:
                pass

        path = log_path()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = Quiet(path, maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8", errors="replace")
            file.setFormatter(_Formatter(_FORMAT))
            try:
                if not self._is_begun:
                    self._is_begun = True
                    file.emit(logging.LogRecord("ui", logging.INFO, "", 0, about_this_program(), None, None))
                file.emit(record)
            finally:
                file.close()


class _Formatter(logging.Formatter):
    """Writes a record, its traceback included, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return without_secrets(super().format(record))
