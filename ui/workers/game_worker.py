"""Two tasks beside the window: one takes pictures from the source, one follows the game and stores it.

The window never waits for either. Of pictures only the newest counts; notices, and what people do, are
all heard, in order. An error becomes a sentence with details, and the game goes on from what is stored.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from ui.errors import TOLD
from ui.platform.qimages import to_qimage
from ui.services.game_session import GameSession
from ui.storage.correction_examples import keep_example
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Act, Retile
from ui.viewmodels.table_view import Outline
from ui.workers.task import Run, Task, failure
from vision.errors import VisionError
from vision.sources.frame import Back, Frame, Lost, Source, SourceNotice, of_one_size

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8
    from vision.imaging.geometry import Points
    from vision.recognition.naming import KnownLooks
    from vision.recognition.own_set import OwnSet
    from vision.recognition.reader import TileReader
    from vision.recognition.reading import DetectedTile, Reading

STOP_S = 4.0
SHOWN_SIDE_PX = 1600
"""Larger pictures are made smaller before they are shown."""
MOST_PICTURES_A_SECOND = 30
SAME_ERROR_S = 10.0
"""For so long an error that comes again and again is told once."""

_LOG = logging.getLogger(__name__)


class Audience(Protocol):
    """Who else is shown the game; `ui.phones.hub.PhoneHub` is."""

    def show(self, model: GameViewModel) -> None:
        """Take over how the game stands; on the game's thread."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What a worker needs to follow a game."""

    store: GameStore
    settings: GameSettings
    game: int | None = None
    """The number of a stored game that goes on; None for a new one."""
    open_source: Callable[[], Source] | None = None
    """Opens the camera; None for a game without one."""
    open_reader: Callable[[], TileReader] | None = None
    by_clicking: bool = False
    """Whether a game that had a camera goes on without it."""
    keeps_time: bool = False
    """Whether the source is a recording that goes on from where the game was: its times are the game's."""
    waits: bool = False
    """Whether each picture is followed before the next one comes, however slow the computer is."""
    keeps_pictures: bool = True
    examples: Path | None = None
    """The folder for corrections that become examples to learn from; None where nobody agreed to that."""
    audience: Audience | None = None


class _LaterReader:
    """Opens the reader after the game is shown for the first time, as that takes a second."""

    def __init__(self, open_reader: Callable[[], TileReader]) -> None:
        self._open = open_reader
        self._reader: TileReader | None = None
        self.known: KnownLooks | None = None

    def make_ready(self) -> TileReader:
        """Return the reader, opened unless it was."""
        if self._reader is None:
            self._reader = self._open()
        self._reader.known = self.known
        return self._reader

    @property
    def own_set(self) -> OwnSet | None:
        return self.make_ready().own_set

    def read(self, image_bgr: ImageU8) -> Reading:
        return self.make_ready().read(image_bgr)

    def tiles(self, image_bgr: ImageU8) -> list[DetectedTile]:
        return self.make_ready().tiles(image_bgr)

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> list[DetectedTile]:
        return self.make_ready().name(image_bgr, quads_px)


class GameWorker(QObject):
    """Follows one game until `stop`. Its signals arrive on the window's thread."""

    viewed = Signal(object)
    """A `GameView`."""
    pictured = Signal()
    """A newer picture is there: `take_picture`."""
    outlined = Signal(object)
    """A tuple of `Outline`, for the picture as it is."""
    said = Signal(object)
    """What was said just now: a list of `referee.tracking.announcements.Announcement`."""
    lost = Signal(str)
    """Why no pictures come; empty when they come again."""
    ended = Signal()
    """The recording is over."""
    refused = Signal(str)
    """Why what somebody wanted cannot be done."""
    failed = Signal(str, str)
    """A sentence, and details to copy."""

    def __init__(self, plan: GamePlan) -> None:
        """Prepare to follow a game; `start` begins."""
        super().__init__()
        self._plan = plan
        self._game = plan.game
        self._is_new = True
        self._is_first = True
        """Whether the game is taken up for the first time, and not after an error; for the game's thread."""
        self._reader = _LaterReader(plan.open_reader) if plan.open_reader else None
        self._change = threading.Condition()
        # Below: guarded by _change.
        self._acts: deque[Act | None] = deque()
        self._notices: deque[SourceNotice] = deque()
        self._frame: Frame | None = None
        self._image: QImage | None = None
        self._is_stopped = self._is_at_work = False
        self._is_watched = True
        """Whether pictures come, as far as is known."""
        self._source: Source | None = None
        self._seen: ImageU8 | None = None
        """The picture that was followed last; for the game's thread alone."""
        self._errors: dict[str, float] = {}
        self._following, self._taking = Task("game", self), Task("pictures", self)
        self._taking.failed.connect(self.failed)  # the game goes on without pictures

    @property
    def game(self) -> int | None:
        """The game's number; None before it was stored."""
        return self._game

    def start(self) -> None:
        """Begin."""
        self._following.start(self._follow)
        if self._plan.open_source is not None:
            self._taking.start(self._take_pictures)

    def do(self, act: Act) -> None:
        """Have something done; from the window's thread."""
        with self._change:
            self._acts.append(act)
            self._change.notify_all()

    def view_again(self) -> None:
        """Have the view made anew, as after a change of language."""
        with self._change:
            self._acts.append(None)
            self._change.notify_all()

    def take_picture(self) -> QImage | None:
        """Return the newest picture; None where it was taken already."""
        with self._change:
            image, self._image = self._image, None
        return image

    def stop(self) -> bool:
        """Store that the game is left, and end; return whether both tasks did within the limit."""
        with self._change:
            self._is_stopped = True
            source = self._source
            self._change.notify_all()
        if source is not None:
            source.close()
        until = time.monotonic() + STOP_S
        ended = [task.stop(max(0.0, until - time.monotonic())) for task in (self._following, self._taking)]
        return all(ended)

    # The task that takes pictures

    def _take_pictures(self, _run: Run) -> None:
        assert self._plan.open_source is not None  # or there is no such task
        try:
            source = self._plan.open_source()
            with self._change:
                self._source = source
                if self._is_stopped:
                    source.close()
            shown = 0.0
            for item in of_one_size(source):
                if isinstance(item, SourceNotice):
                    self._hand_over(item)
                    if isinstance(item, (Lost, Back)):
                        _LOG.info("%s", item)
                        self._tell_lost("" if isinstance(item, Back) else error_sentence(item))
                    continue
                now = time.monotonic()
                if now - shown >= 0.9 / MOST_PICTURES_A_SECOND:
                    shown = now
                    self._show(item.image_bgr)
                self._hand_over(item)
                if self._plan.waits:
                    self._wait_until_followed()
        except VisionError as error:
            _LOG.warning("%s", error)
            self._tell_lost(error_sentence(error))
        with self._change:
            has_ended, self._is_watched = self._is_watched and not self._is_stopped, False
        if has_ended:
            self.view_again()
            self.ended.emit()

    def _tell_lost(self, sentence: str) -> None:
        with self._change:
            self._is_watched = not sentence
        self.view_again()
        self.lost.emit(sentence)

    def _show(self, image_bgr: ImageU8) -> None:
        factor = SHOWN_SIDE_PX / max(image_bgr.shape[:2])
        if factor < 1:
            image_bgr = cv2.resize(image_bgr, None, fx=factor, fy=factor).astype(np.uint8, copy=False)
        image = to_qimage(image_bgr)
        with self._change:
            waits, self._image = self._image is not None, image
        if not waits:
            self.pictured.emit()

    def _hand_over(self, item: Frame | SourceNotice) -> None:
        with self._change:
            if isinstance(item, Frame):
                self._frame = item
            else:
                self._notices.append(item)
            self._change.notify_all()

    def _wait_until_followed(self) -> None:
        with self._change:
            while not self._is_stopped and (self._frame is not None or self._is_at_work):
                self._change.wait()

    # The task that follows the game

    def _follow(self, _run: Run) -> None:
        model: GameViewModel | None = None
        while True:
            task = self._next_task()
            try:
                if model is None:
                    model = self._take_up()
                    self._show_view(model)
                    if self._reader is not None:
                        self._reader.make_ready()
                    if task == (None,):
                        continue
                if task == ():
                    model.leave()
                    return
                self._handle(model, task)
            except Exception as error:  # the game goes on from what is stored
                self._tell_failure(error)
                model = None
            if model is None and task == ():
                return

    def _next_task(self) -> tuple[Act | Frame | SourceNotice | None, ...]:
        """Return the next thing to do as a tuple of one; an empty one to end."""
        with self._change:
            self._is_at_work = False
            self._change.notify_all()
            while not (self._is_new or self._is_stopped or self._acts or self._notices or self._frame):
                self._change.wait()
            self._is_at_work = True
            if self._is_new:
                self._is_new = False
                return (None,)
            if self._acts:
                return (self._acts.popleft(),)
            if self._is_stopped:
                return ()
            if self._notices:
                return (self._notices.popleft(),)
            frame, self._frame = self._frame, None
            return (frame,)

    def _take_up(self) -> GameViewModel:
        """Return the game, begun or as it is stored."""
        plan = self._plan
        keeps = plan.keeps_pictures
        if self._game is None:
            session = GameSession.begin(plan.store, plan.settings, self._reader, keeps_pictures=keeps)
            self._game = session.game
        else:
            session = GameSession(plan.store, self._game, self._reader, keeps_pictures=keeps)
            if not plan.keeps_time:
                session.go_on_after(tells=self._is_first)
        self._is_first = False
        if self._reader is not None:
            session.learn_tiles(self._reader)
        return GameViewModel(plan.store, session, plan.settings, by_clicking=plan.by_clicking)

    def _handle(self, model: GameViewModel, task: tuple[Act | Frame | SourceNotice | None, ...]) -> None:
        (what,) = task
        session = model.session
        if isinstance(what, (Frame, SourceNotice)):
            was = session.reading, session.is_moving
            said = model.see(what)
            if isinstance(what, Frame):
                self._seen = what.image_bgr
            if isinstance(what, Frame) and was != (session.reading, session.is_moving):
                self.outlined.emit(outlines(model, what.image_bgr.shape[:2]))
            if not said:
                return
            self.said.emit(said)
        elif what is not None:
            try:
                model.do(what)
                if isinstance(what, Retile):
                    self._keep_example(model)
            except (*TOLD, VisionError) as error:
                self.refused.emit(error_sentence(error))
        self._show_view(model)

    def _show_view(self, model: GameViewModel) -> None:
        with self._change:
            model.is_watched = self._is_watched
        self.viewed.emit(model.view())
        if self._plan.audience is not None:
            self._plan.audience.show(model)
        if self._seen is not None:
            self.outlined.emit(outlines(model, self._seen.shape[:2]))

    def _keep_example(self, model: GameViewModel) -> None:
        """Keep the picture with the correction, if the players agreed to that."""
        session, folder = model.session, self._plan.examples
        if folder is None or self._seen is None or session.reading is None or session.is_moving:
            return
        try:
            keep_example(folder, self._seen, session.reading, session.follower.game.layout)
        except OSError as error:
            self._tell_failure(error)

    def _tell_failure(self, error: Exception) -> None:
        """Tell an error, unless it was told just now."""
        now, what = time.monotonic(), f"{type(error).__name__}: {error}"
        if now - self._errors.get(what, -SAME_ERROR_S) < SAME_ERROR_S:
            return
        self._errors[what] = now
        self.failed.emit(*failure(error, say(texts.WORKER_FAILED)))


def outlines(model: GameViewModel, size: tuple[int, int]) -> tuple[Outline, ...]:
    """Return the outlines of the last reading, from 0 to 1 across the picture; none while something moves.

    Args:
        model: The game, which knows by what was corrected which tile lies where.
        size: Height and width of the picture that was read.
    """
    reading = model.session.reading
    if reading is None or model.session.is_moving:
        return ()
    high, wide = size
    layout, follower = model.shown_layout(), model.session.follower
    asked = () if follower.question is None else follower.question.places
    doubts = {(place.row, place.slot) for place in asked}
    leftmost = min((tile.slot for tile in reading.tiles), default=0)
    found = []
    for tile in reading.tiles:
        at = tile.row, tile.slot - leftmost
        known = layout.get(*at)
        quad = tuple((x / wide, y / high) for x, y in tile.quad_px)
        if known is None or known in follower.unread:
            is_shown, code, unsure = not model.session.is_covered, tile.code, tile.unsure
        else:
            # Where something lies over the table, a tile that is read as another is one that it hides.
            is_shown = not model.session.is_covered or known.code == tile.code
            code, unsure = known.code, at in doubts
        if is_shown:
            found.append(Outline(code, quad, unsure))
    return tuple(found)
