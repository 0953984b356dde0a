"""Files from outside are read here, and files are written: whole or not at all, and never over a stranger's.

Only regular files are read: a pipe would be waited for, and a device gives bytes for ever.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MADE_HERE = b"\n% made by pyramid-referee\n"
"""The end of pictures and sheets that this program wrote; whoever shows them passes over it."""


class NotRegularError(OSError):
    """A pipe, a device, a socket or a folder where a file was expected."""


class TooLargeError(OSError):
    """A file with more bytes than are read."""


def open_input(path: str | os.PathLike[str]) -> BinaryIO:
    """Return a file, opened to be read.

    Raises:
        NotRegularError: It is no regular file; it was not opened, or not for longer than it took to see that.
        OSError: It is missing, or may not be read.
    """
    _check_regular(os.stat(path), path)
    return open(path, "rb", opener=_open_regular)


def _open_regular(path: str, flags: int) -> int:
    """Return a descriptor, which is whoever opens the file's to close from here on, also after Ctrl-C."""
    # Between the two looks another program may have put a pipe there, which must not be waited for.
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _check_regular(os.fstat(descriptor), path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_input(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """Return what is in a file.

    Raises:
        NotRegularError: It is no regular file.
        TooLargeError: It has more than `most_bytes`; no more than those are read.
        OSError: It is missing, or may not be read.
    """
    with open_input(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most_bytes else file.read(size + 1)
        if len(data) > size:  # it grows, or is one of those whose size the system does not know
            data += file.read(most_bytes + 1 - len(data))
    if max(size, len(data)) > most_bytes:
        raise TooLargeError(errno.EFBIG, f"it is larger than {_size(most_bytes)}", os.fspath(path))
    return data


def read_input_text(path: str | os.PathLike[str], most_bytes: int) -> str:
    """Return the UTF-8 text in a file; errors as those of `read_input`, and UnicodeDecodeError."""
    return read_input(path, most_bytes).decode()


def is_same_file(path: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether two names are those of one file, by device and number, through links of every kind."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def may_be_replaced(target: Path, *, beginning: bytes = b"") -> bool:
    """Return whether `target` may be written to: where nothing lies, or what this program wrote.

    Pictures and sheets of earlier versions, which have no mark, count as a stranger's.

    Args:
        target: The file that is to be written.
        beginning: How the files begin that are written there; without it, they end with `MADE_HERE`.
    """
    if not os.path.lexists(target):  # a link that leads nowhere is something, too
        return True
    try:
        with open_input(target) as file:
            size = os.fstat(file.fileno()).st_size
            if beginning:
                return file.read(len(beginning)) in (b"", beginning)
            file.seek(max(0, size - len(MADE_HERE)))
            return file.read() in (b"", MADE_HERE)
    except OSError:
        return False


@contextmanager
def replacing(path: Path, *, sync: bool = False) -> Iterator[Path]:
    """Give a place beside `path` to write to; what lies there replaces `path` when the block ends.

    If the block fails, `path` stays as it was, and nothing is left beside it:

        with replacing(path) as beside:
            beside.write_text(text, encoding="utf-8")

    Args:
        path: The file to write or replace. Its folder must exist.
        sync: Whether to wait until the disk has the new content, so that a power cut loses neither the old
            file nor the new one. This takes milliseconds.

    Raises:
        OSError: The file cannot be written, or `path` is a folder.
    """
    if not path.name or os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    # With the process in its name, two programs that write one file do not write into each other's work.
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield beside
        if sync:
            with beside.open("rb+") as file:
                os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _check_regular(found: os.stat_result, path: str | os.PathLike[str]) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise NotRegularError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(found.st_mode):
        raise NotRegularError(errno.EINVAL, "it is a pipe or a device", os.fspath(path))


def _size(count: int) -> str:
    """Return a number of bytes as people say it."""
    return f"{count // 2**20} MB" if count >= 2**20 else f"{count} bytes"
