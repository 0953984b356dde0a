"""Where the game's thread and the server's thread meet: views go out, choices and pictures come in.

The game's thread makes the views, in every language, and puts them here; the server's thread takes the newest
one. Neither waits for the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ui.phones.phone_view import PhoneView, phone_views
from ui.text.announcements import announcement_json
from ui.text.phones import words
from ui.viewmodels.game_view import By
from vision.sources.pushed_pictures import PushedPictures

if TYPE_CHECKING:
    from ui.viewmodels.game import GameViewModel

MOST_LINES = 500
"""Lines of the feed that wait for a slow listener; one that is slower is disconnected."""

_LOG = logging.getLogger(__name__)


class Listener:
    """One page or script that is connected; lives on the server's thread."""

    def __init__(self) -> None:
        """Begin with everything to be told."""
        self.changed = asyncio.Event()
        """Set when there is something new."""
        self.changed.set()
        self.lines: asyncio.Queue[str | None] = asyncio.Queue(MOST_LINES)
        """Lines of the feed; None after the last, for a listener that was too slow."""


class PhoneHub:
    """One game, as phones see it."""

    def __init__(self) -> None:
        """Begin without a game."""
        self.pictures = PushedPictures("phone")
        self.on_act: Callable[[By], None] | None = None
        """Does in the game what a player chose; from any thread."""
        self._lock = threading.Lock()
        # Below: guarded by _lock.
        self._views: Mapping[str, PhoneView] = {}
        self._advice: tuple[str, ...] = ()
        self._loop: asyncio.AbstractEventLoop | None = None
        # Of the game's thread: the last input of which the feed has told; None before a game is shown.
        self._told: int | None = None
        # Of the server's thread.
        self._listeners: set[Listener] = set()

    # From the threads of the app

    def show(self, model: GameViewModel) -> None:
        """Take over how the game stands; nothing that fails here stops the game."""
        with self._lock:
            is_served = self._loop is not None
        heard = model.session.heard
        newest = max((each.number for each in heard), default=-1)
        # What is heard again after something was taken back keeps its number, and is not told again; what was
        # said before a game is taken up is not, either.
        told = newest if self._told is None else self._told
        lines = [_line(announcement_json(said)) for each in heard if each.number > told for said in each.said]
        self._told = max(told, newest)
        if not is_served:
            return
        try:
            views = phone_views(model)
        except Exception:  # the game goes on without phones
            _LOG.exception("The view of the phones")
            return
        with self._lock:
            self._views = views
        self._on_loop(lambda: self._spread(lines))

    def advise(self, sentences: Sequence[str]) -> None:
        """Tell the phone that films what to improve."""
        with self._lock:
            self._advice = tuple(sentences)
        self._on_loop(self.wake)

    def forget_game(self) -> None:
        """Forget the game: it was left."""
        with self._lock:
            self._views, self._advice = {}, ()
        self.on_act, self._told = None, None
        self.pictures.forget()
        self._on_loop(self.wake)

    # From the server's thread

    def serve(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Begin to be served by this loop; None: end."""
        with self._lock:
            self._loop = loop

    def listen(self) -> Listener:
        """Return a new listener, which is told of everything from now on."""
        listener = Listener()
        self._listeners.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """Forget a listener."""
        self._listeners.discard(listener)

    def view(self, language: str) -> PhoneView | None:
        """Return how the game stands; None before it has begun."""
        with self._lock:
            return self._views.get(language)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to improve about the pictures."""
        with self._lock:
            return self._advice

    def choose(self, player: int, choice: str) -> str:
        """Do what a player chose, and return a sentence where it cannot be done."""
        with self._lock:
            view = next(iter(self._views.values()), None)
        act = None if view is None else view.act_of(player, choice)
        on_act = self.on_act
        if act is None or on_act is None:
            return words.NO_LONGER
        on_act(act)
        return ""

    def _spread(self, lines: Sequence[str]) -> None:
        for listener in self._listeners:
            for line in lines:
                try:
                    listener.lines.put_nowait(line)
                except asyncio.QueueFull:
                    listener.lines.get_nowait()
                    listener.lines.put_nowait(None)
                    break
        self.wake()

    def wake(self) -> None:
        """Let every listener look again."""
        for listener in self._listeners:
            listener.changed.set()

    def _on_loop(self, what: Callable[[], None]) -> None:
        with self._lock:
            loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it ends just now
                loop.call_soon_threadsafe(what)


def _line(said: Mapping[str, object]) -> str:
    """Return a line as `watch --json` prints it, without the end of the line."""
    return json.dumps(said, ensure_ascii=False)
