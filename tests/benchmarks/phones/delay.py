"""How long phones wait, and how long for them: `python -m tests.benchmarks.phones.delay [--seconds S]`.

Films the sample game at 1280 x 720 on loopback, once as a page of ours does in chromium (where there is
one), once by a script. Each picture carries the time at which it was taken. Prints

- pictures a second that arrived;
- from a picture until the referee has looked at it, for those that it need not read;
- the same for those that it has read, judged and stored: a table that has just come to rest.

Then players click a game through while four pages are open. Prints how long after each click a page that
watches had the new state, and how much of that passed after the game had it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
from PySide6.QtCore import QCoreApplication

from referee.rules.game import Setup
from tests.benchmarks.phones.guests import (
    SIZE_WH,
    STAMP_BITS,
    TableFilm,
    film_on,
    listen,
    now_ms,
    read_stamp,
)
from tests.benchmarks.phones.served_games import NAMES, Served, serving
from tests.ui.phones.browser import HAS_BROWSER, browser, wait_until
from tests.ui.phones.played_games import play_turns
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Act
from ui.workers.game_worker import GamePlan, GameWorker
from vision.sources.frame import Frame

FILM_FPS, WARM_S = 30, 5.0
STATES_TURNS, ARRIVES_S = 40, 20.0
STAMPS = """
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...told) {
  draw.apply(this, told);
  const now = Date.now() % 2 ** 24;
  for (let bit = 0; bit < 24; bit += 1) {
    this.fillStyle = (now >> bit) & 1 ? "rgb(250,250,250)" : "rgb(226,226,226)";
    this.fillRect(16 * bit, 0, 16, 16);
  }
};
"""
"""Writes the time into each picture that the page takes, as `guests.stamp` does."""


class TimedWorker(GameWorker):
    """Notes how old each picture is once the referee is done with it."""

    def __init__(self, plan: GamePlan) -> None:
        super().__init__(plan)
        self.looked_ms: list[float] = []
        self.read_ms: list[float] = []

    def _handle(self, model: GameViewModel, task: tuple[Any, ...]) -> None:
        reading = model.session.reading
        super()._handle(model, task)
        (what,) = task
        taken = read_stamp(what.image_bgr) if isinstance(what, Frame) else None
        if taken is None:
            return
        has_read = model.session.reading is not None and model.session.reading is not reading
        (self.read_ms if has_read else self.looked_ms).append((now_ms() - taken) % 2**STAMP_BITS)


class TimedGame:
    """A game by clicking; notes when a page that watches has each new state."""

    def __init__(self, served: Served, model: GameViewModel, arrivals: Any) -> None:
        self.model = model
        self._served, self._arrivals = served, arrivals
        self.clicked_ms: list[float] = []
        self.shown_ms: list[float] = []

    def do(self, act: Act) -> None:
        """Do something, and wait until the page has it."""
        clicked_s = time.monotonic()
        self.model.do(act)
        known_s = time.monotonic()
        self._served.hub.show(self.model)
        if self._arrivals.poll(ARRIVES_S):
            arrived_s = self._arrivals.recv()
            self.clicked_ms.append(1000 * (arrived_s - clicked_s))
            self.shown_ms.append(1000 * (arrived_s - known_s))


def told(values_ms: Sequence[float]) -> str:
    """Return the median and the 95th percentile."""
    if not values_ms:
        return "none"
    middle, late = statistics.median(values_ms), sorted(values_ms)[int(0.95 * len(values_ms))]
    return f"{middle:5.0f} ms median, {late:5.0f} ms at the 95th percentile ({len(values_ms)})"


def film_by_script(served: Served, seconds: float) -> None:
    """Let a script be the camera for a while."""
    phone = multiprocessing.get_context("spawn").Process(target=film_on, args=(served.addresses, seconds))
    phone.start()
    measure(served, seconds)
    phone.join()


def film_by_page(served: Served, seconds: float, folder: Path) -> None:
    """Let our page in chromium be the camera for a while."""
    film, table = folder / "film.y4m", TableFilm()
    with film.open("wb") as file:
        file.write(f"YUV4MPEG2 W{SIZE_WH[0]} H{SIZE_WH[1]} F{FILM_FPS}:1 Ip A1:1 C420jpeg\n".encode())
        for number in range(int(min(20.0, seconds) * FILM_FPS)):
            image = table.at(number / FILM_FPS)
            file.write(b"FRAME\n" + cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes())
    with browser(folder / "phone", film=film) as opened:
        opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STAMPS})
        opened.get(served.addresses[1] + "camera")
        wait_until(opened, "document.querySelector('#start')").click()  # type: ignore[attr-defined]
        wait_until(opened, "Number(document.body.dataset.taken ?? 0) > 3")
        measure(served, seconds)


def measure(served: Served, seconds: float) -> None:
    """Follow a game that a phone films, and print how long its pictures took."""
    worker = served.begin(TimedWorker)
    assert isinstance(worker, TimedWorker)
    time.sleep(WARM_S)
    worker.looked_ms.clear()
    worker.read_ms.clear()
    before = served.hub.pictures.count
    time.sleep(max(1.0, seconds - WARM_S - 1))
    a_second = (served.hub.pictures.count - before) / max(1.0, seconds - WARM_S - 1)
    served.leave(worker)
    print(f"    pictures a second       {a_second:5.1f}")
    print(f"    looked at               {told(worker.looked_ms)}")
    print(f"    read, judged, stored    {told(worker.read_ms)}", flush=True)


def click_a_game(served: Served) -> None:
    """Play by clicking, and print how long each state took to the pages."""
    settings = GameSettings(Setup(3), names=NAMES)
    model = GameViewModel(served.store, GameSession.begin(served.store, settings, None), settings)
    served.hub.show(model)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    pages = multiprocessing.get_context("spawn").Process(
        target=listen, args=(served.addresses, theirs), daemon=True
    )
    pages.start()
    ours.recv()
    game = TimedGame(served, model, ours)
    play_turns(game, STATES_TURNS)
    print(f"    after the click         {told(game.clicked_ms)}")
    print(f"    after the game had it   {told(game.shown_ms)}")
    pages.terminate()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each film")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    _application = QCoreApplication([])
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as served:
        print("  pictures of a script")
        film_by_script(served, asked.seconds)
        if HAS_BROWSER:
            print("  pictures of the page in chromium")
            film_by_page(served, asked.seconds, Path(name))
        print("  new states, on a page that watches")
        click_a_game(served)


if __name__ == "__main__":
    main()
