"""Where the pictures of a game come from: a camera, a phone, a stream, or a recording; or from nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ui.services.replay import clear_time
from ui.storage.game_entries import EntryKind
from ui.storage.preferences import CameraLocks
from ui.text.catalogue import say
from ui.text.phones import words as phone_words
from ui.viewmodels.games.shelf import source_title
from ui.viewmodels.requests import PHONE_SOURCE, SourceKind, SourceRequest
from ui.workers.game_worker import GamePlan
from vision.sources.motion_gate import REST_S

if TYPE_CHECKING:
    from ui.app.navigation import AppPages
    from ui.platform.cameras import Camera
    from vision.recognition.reader import TileReader
    from vision.sources.frame import Source


class GameSources:
    """Finds the sources of new games and stored ones."""

    def __init__(self, pages: AppPages) -> None:
        """Take the pages, which know the cameras, the settings and the phones."""
        self._pages = pages

    def offered(self) -> tuple[SourceRequest, ...]:
        """Return the cameras that are plugged in, and a phone."""
        return (*map(self._camera, self._pages.cameras.cameras()), _phone())

    def stored(self, text: str) -> SourceRequest | None:
        """Return a stored source, None for none. A camera is found by name: its device may have changed."""
        if not text:
            return None
        if text == PHONE_SOURCE:
            return _phone()
        for camera in self._pages.cameras.cameras():
            if camera.name == text:
                return self._camera(camera)
        is_file = "://" not in text and os.path.isabs(text) and not text.startswith("/dev/")
        kind = SourceKind.RECORDING if is_file else SourceKind.ADDRESS
        return SourceRequest(kind, text, source_title(text))

    def with_source(self, plan: GamePlan, source: SourceRequest | None) -> GamePlan:
        """Return a plan with a source, None for none; a recording goes on from where the game was.

        Raises:
            StorageError: The game cannot be read.
        """
        if source is None:
            return plan
        reader = partial(open_reader, plan.settings.tiles or None)
        is_recording = source.kind is SourceKind.RECORDING
        begin_s = 0.0
        if is_recording and plan.game is not None:
            entries = plan.store.entries(plan.game)
            # The last clear table is seen once more, to compare the next ones with.
            clear_s = clear_time(entry.content for entry in entries if entry.kind is not EntryKind.SAID)
            begin_s = max(0.0, clear_s - 2 * REST_S)
        opens: Callable[[], Source] = partial(_open_source, source.text, source.holds, begin_s)
        if source.kind is SourceKind.PHONE:
            opens = self._pages.phones.hub.pictures.open_source
        return replace(plan, open_source=opens, open_reader=reader, keeps_time=is_recording)

    def _camera(self, camera: Camera) -> SourceRequest:
        holds = self._pages.settings.locks.get(camera.name, CameraLocks()).holds
        return SourceRequest(SourceKind.CAMERA, camera.source, camera.name, holds)


def stored_name(source: SourceRequest) -> str:
    """Return how a source is stored: a recording with its folder, so that the game can go on."""
    if source.kind is SourceKind.RECORDING:
        return str(Path(source.text).absolute())
    if source.kind is SourceKind.PHONE:
        return PHONE_SOURCE
    return source.name or source.text


def address_in(source: SourceRequest | None) -> str:
    """Return the address of a stream, with its secrets; empty for all else."""
    return source.text if source is not None and source.kind is SourceKind.ADDRESS else ""


def open_reader(tiles: str | None) -> TileReader:
    """Return a reader that knows a tile set, None: no own one; the next picture is read at once.

    Raises:
        ModelError: A model is missing or damaged.
        TileSetError: The tile set cannot be read.
    """
    from ui.storage.paths import open_tile_set
    from ui.storage.preferences import reader_folder
    from vision.recognition.reader import TileReader

    reader = TileReader.open(open_tile_set(tiles), reader_folder())
    reader.make_ready()
    return reader


def _phone() -> SourceRequest:
    return SourceRequest(SourceKind.PHONE, PHONE_SOURCE, say(phone_words.PHONE_CAMERA))


def _open_source(text: str, holds: tuple[str, ...], begin_s: float) -> Source:
    from vision.sources.open_source import open_source

    return open_source(text, live=True, holds=holds, begin_s=begin_s)
