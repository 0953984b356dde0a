"""Lets the app follow a film of the other hand, whose players press the app's buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from referee.tracking.announcements import Announcement
from tests.other_hand.camera import Camera
from tests.other_hand.films.film import Film
from tests.other_hand.films.painter import LyingFace, TablePainter
from tests.other_hand.pyramids import lay_loosely
from tests.other_hand.table_tops import table_top
from tests.simulation.following import ASIDE, Report, compare, plain
from tests.simulation.play import Play, Said
from tests.simulation.players import MOST_PRESSES, Players
from ui.cli.late_lines import LateLines
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from ui.viewmodels.game import GameViewModel
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader
from vision.recognition.reading import Reading
from vision.recognition.tile_set import TileSet
from vision.tilesets.enrolment import LabelledPhoto, learn

_PHOTO_WH, _PHOTO_SIDE_PX = (1920, 1080), 120.0


@dataclass
class Followed:
    """How a film was followed."""

    report: Report
    """Its lines without the players' stocks: one slip in them would mark all later lines as wrong."""
    calls: int = 0
    """Lines that must be said, verdicts aside."""
    corrections: int = 0
    """How often the players renamed a tile in the drawing."""
    left_open: int = 0
    """Moments that ended with a question for which the card had no button that is true."""
    first_wrong: str = ""
    """The first line that is not true, the moment, and what had got in the way shortly before."""

    @property
    def missing(self) -> int:
        """Calls that were not made."""
        return len(self.report.unsaid)

    @property
    def right(self) -> int:
        """Calls that were made as they should be."""
        return self.calls - self.missing


def enrolment_photos(set_name: str, seed: int) -> list[LabelledPhoto]:
    """Return three photos of 15 tiles each, as players take them to enrol a set."""
    photos = []
    rng = np.random.default_rng([seed, 12])
    for number, codes in enumerate(rng.permutation(CODES).reshape(3, 15).tolist()):
        lying = lay_loosely(codes, rng)
        camera = Camera.over_table(
            _PHOTO_WH, side_px=_PHOTO_SIDE_PX, focal_px=1.05 * _PHOTO_WH[0], bend=(-0.03, 0.0),
            yaw_deg=rng.normal(0, 2), tilt_deg=rng.uniform(2, 9), tilt_towards_deg=rng.normal(0, 20),
            target=(0.0, -1.42),
        )  # fmt: skip
        painter = TablePainter(camera, table_top(int(rng.integers(12))), [], set_name, rng, well_lit=True)
        faces = [LyingFace(tile.code, (*tile.at, float(np.degrees(tile.turn)))) for tile in lying]
        named = tuple((face.code, painter.quad(face.pose).astype(np.float32)) for face in faces)
        photos.append(LabelledPhoto(f"{set_name} {number}", painter.scene(faces), named))
    return photos


def enrolled(set_name: str, seed: int, model_folder: Path | None = None) -> TileSet:
    """Return a tile set as the app learns it from three photos."""
    model = open_model("reader", model_folder)
    return learn(set_name, enrolment_photos(set_name, seed), model).tile_set


def watch(film: Film, play: Play, reader: TileReader, folder: Path, *, answers: bool = True) -> Followed:
    """Return how a film is followed.

    Args:
        film: Is run through.
        play: What happens in it.
        reader: Reads the tiles.
        folder: Where the game is stored.
        answers: Whether the players press buttons; else they play on, whatever they are asked.
    """
    choose_language("en")
    found = Followed(Report())
    true: list[tuple[int, Said]] = []
    said: list[tuple[int, Said]] = []
    settings = GameSettings(play.setup, source="film")
    at = looked_at = -1
    late, seen_at = LateLines(), dict[float, int]()
    with GameStore.open(folder / "games.sqlite3") as store:
        session = GameSession.begin(store, settings, reader, keeps_pictures=False)
        session.learn_tiles(reader)
        session.is_unattended = not answers
        model = GameViewModel(store, session, settings)
        players = Players(model)
        for shot in film:
            while at < shot.number:
                at += 1
                true += [(at, _without_stocks(line)) for line in play.moments[at].said]
            before = session.reading
            lines = model.see(shot.frame)
            seen_at |= {line.time_s: at for line in lines}
            if not answers:
                lines = late.hear(lines, session.follower)
            looked_at = looked_at if session.reading is before else at
            # What is shown of a table that has changed since is not answered: the app is about to look.
            may_press = answers and shot.is_calm and (looked_at == at or shot.is_last)
            for _ in range(MOST_PRESSES + 1):  # what the last press brought about is heard, too
                players.hear(lines)
                said += _spoken(lines, at, seen_at)
                found.report.note(at, lines)
                heard = len(session.heard)
                truth = [line for _, line in true]
                is_thing = _is_thing(session.reading, film, at)
                if not may_press or not players.press(
                    at,
                    play.moments[at],
                    truth,
                    is_last=shot.is_last,
                    is_thing=is_thing,
                    outlined=_outlined(session.reading, film, at),
                ):
                    break
                lines = [line for each in session.heard[heard:] for line in each.said]
            found.left_open += shot.is_last and session.follower.question is not None
        if not answers:
            lines = late.close(session.close(), session.follower)
            said += _spoken(lines, at, seen_at)
        model.leave()
    compare(true, said, play, found.report)
    found.calls = sum(line["event"] != "verdict" for _, line in true)
    found.corrections = players.corrections
    found.first_wrong = _first_wrong(found.report, play, film)
    return found


def _spoken(
    lines: Sequence[Announcement], at: int, seen_at: Mapping[float, int]
) -> list[tuple[int, Said]]:  # fmt: skip
    """Return what is no question and no remark, with the moment of which it is told.

    Args:
        lines: What was said.
        at: The moment now.
        seen_at: Times of lines -> the moments, of those that were told late.
    """
    return [
        (seen_at.get(line.time_s, at), _without_stocks(plain(line)))
        for line in lines
        if not isinstance(line, ASIDE)
    ]


def _is_thing(reading: Reading | None, film: Film, at: int) -> bool:
    """Whether the only tile that is read is none: neither its middle nor a tile's lies in the other one."""
    if reading is None or len(reading.tiles) != 1:
        return False
    seen = np.array(reading.tiles[0].quad_px, np.float32)
    tiles = [film.quad(pose).astype(np.float32) for pose in film.poses[at].values()]
    return not any(_is_in(seen, tile) or _is_in(tile, seen) for tile in tiles)


def _outlined(reading: Reading | None, film: Film, number: int) -> dict[tuple[int, int], str]:
    """Return which tile lies in the outline of each row and slot of a reading; "" in those of nothing."""
    if reading is None:
        return {}
    leftmost = min((tile.slot for tile in reading.tiles), default=0)
    lying = {code: film.quad(pose).astype(np.float32) for code, pose in film.poses[number].items()}
    found = {}
    for tile in reading.tiles:
        seen = np.array(tile.quad_px, np.float32)
        at = tile.row, tile.slot - leftmost
        found[at] = next((code for code, quad in lying.items() if _is_in(seen, quad)), "")
    return found


def _is_in(quad: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether the middle of a quad lies in another one."""
    return cv2.pointPolygonTest(other, quad.mean(axis=0).tolist(), measureDist=False) >= 0


def _without_stocks(line: Said) -> Said:
    return {**line, "stocks": []}


def _first_wrong(report: Report, play: Play, film: Film) -> str:
    """Return the first line that is not true, in words; empty where all are."""
    if not report.wrong:
        return ""
    number, line = report.wrong[0]
    told = " ".join(f"{line[key]}" for key in ("event", "turn", "tile") if key in line)
    moments = [play.moments[each].what for each in range(max(0, number - 2), number + 1)]
    nearby = [what for each, what in film.happened if number - 2 <= each <= number]
    return f"{told} at moment {number} ({', '.join(moments)}; {', '.join(nearby) or 'nothing else'})"
