"""The other hand's films show the game that is played, and share nothing with the training."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.rules.game import Setup
from tests.benchmarks import other_films
from tests.other_hand.films import watched
from tests.other_hand.films.backs import BackKeeper
from tests.other_hand.films.film import HARD, TAME, UPRIGHT_WH, Difficulty, Film
from tests.other_hand.films.prints import PRINTS
from tests.other_hand.films.tile_sets import FILM_FACE_PX, OWN, film_face, home_made
from tests.other_hand.films.watched import watch
from tests.places import ROOT
from tests.rooms import imported_names
from tests.simulation.mishaps import MishapRates, with_mishaps
from tests.simulation.play import play_game
from tests.simulation.players import MOST_PRESSES, Players
from tests.simulation.poses import poses_of
from ui.viewmodels.game import GameViewModel
from vision.recognition.reader import TileReader

TINY = play_game(300_001, max_turns=2)
PX = 48


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Return the correlation of two faces in grey, edges left out."""
    one, other = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY)[4:-4, 4:-4].ravel() for each in (a, b))
    return float(np.corrcoef(one.astype(float), other)[0, 1])


def test_nothing_of_the_training_is_in_the_films() -> None:
    waiting, seen = ["tests.other_hand.films.watched", "tests.benchmarks.other_films"], set()
    used: set[str] = set()
    while waiting:
        module = waiting.pop()
        file = (ROOT / module.replace(".", "/")).with_suffix(".py")
        if module in seen or not file.exists():
            continue
        seen.add(module)
        for name in imported_names(file):
            used.add(name)
            if name.startswith("tests."):
                waiting += [name, name.rpartition(".")[0]]
    assert {"tests.other_hand.films.painter", "tests.simulation.poses", "tests.other_hand.light"} <= seen
    assert [name for name in sorted(used) if name.startswith("models.")] == []


def test_a_film_can_be_repeated_and_every_frame_differs() -> None:
    one, two = ([s.frame.image_bgr for s in islice(Film(TINY, 5, OWN, TAME), 6)] for _ in range(2))
    assert all(np.array_equal(*pair) for pair in zip(one, two, strict=True))
    assert not any(np.array_equal(*pair) for pair in pairwise(one))


@pytest.mark.parametrize("set_name", [OWN, home_made(3)])
def test_each_tile_lies_where_it_is_said_to_lie(set_name: str) -> None:
    """Upright and seen from any side, on a hard table."""
    upright = Difficulty("upright", cloth=True, upright=1.0)
    film = Film(play_game(300_001, max_turns=4), 7, set_name, upright)
    assert film.size_wh == UPRIGHT_WH
    last = [shot for shot in film if shot.is_last][-1]
    assert last.number == len(film.poses) - 1
    corners = np.array([[0, 0], [PX, 0], [PX, PX], [0, PX]], np.float32) - 0.5
    assert len(film.poses[-1]) >= 3
    for code, pose in film.poses[-1].items():
        matrix = cv2.getPerspectiveTransform(film.quad(pose).astype(np.float32), corners)
        seen = cv2.warpPerspective(last.frame.image_bgr, matrix, (PX, PX))
        face = cv2.resize(film_face(set_name, code), (PX, PX), interpolation=cv2.INTER_AREA)
        assert face.shape == (PX, PX, 3)
        assert FILM_FACE_PX >= PX
        assert likeness(seen, face) > 0.5, code
        assert likeness(seen, face) > likeness(np.rot90(seen), face), code


def test_tiles_that_are_laid_as_they_come_lie_any_way_up_and_keep_it_when_they_fall() -> None:
    play = play_game(300_001, max_turns=25)
    upright, lying = (poses_of(play, np.random.default_rng(1), any_way_up=each) for each in (False, True))
    assert {abs(round(turn / 90)) for poses in upright for *_, turn in poses.values()} == {0}
    ways = [{code: round(turn / 90) % 4 for code, (*_, turn) in poses.items()} for poses in lying]
    assert {way for each in ways for way in each.values()} == {0, 1, 2, 3}
    for before, now in pairwise(ways):
        assert all(now[code] == way for code, way in before.items() if code in now)


def test_tiles_that_are_laid_loosely_have_gaps_and_lie_askew() -> None:
    play = play_game(300_001, max_turns=25)
    neat, loose = (poses_of(play, np.random.default_rng(1), loosely=each)[-1] for each in (False, True))
    turns, loose_turns = ([abs(turn) for *_, turn in poses.values()] for poses in (neat, loose))
    assert neat.keys() == loose.keys()
    assert max(turns) < 4 < max(loose_turns) <= 10
    wide, loose_wide = (np.ptp([x for x, *_ in poses.values()]) for poses in (neat, loose))
    assert loose_wide > wide + 0.1


def test_a_pyramid_that_is_pushed_lies_elsewhere_as_it_lay() -> None:
    play = play_game(300_001, max_turns=25)
    still, moved = (poses_of(play, np.random.default_rng(1), pushed=each) for each in (False, True))
    away = []
    for before, now in zip(still, moved, strict=True):
        old, new = (np.array([poses[code][:2] for code in before]).reshape(-1, 2) for poses in (before, now))
        apart, as_before = (np.linalg.norm(each[:, None] - each, axis=2) for each in (old, new))
        assert np.allclose(apart, as_before)
        away.append(float(np.median(np.hypot(*(new - old).T))) if len(old) else 0.0)
    assert away[0] == 0
    assert len({round(each, 2) for each in away}) >= 3


@pytest.mark.parametrize(("face_up", "least"), [(False, 1.0), (True, 1.9)])
def test_what_is_taken_lies_beside_the_pyramid_and_never_under_a_tile(face_up: bool, least: float) -> None:
    play = play_game(300_001, max_turns=25)
    poses = poses_of(play, np.random.default_rng(1))
    for seed in range(4):
        keeper = BackKeeper(poses, np.random.default_rng(seed), face_up=face_up)
        gone: set[str] = set()
        before: set[str] = set()
        for lying, backs in zip(poses, keeper.lying, strict=True):
            gone = (gone | (before - lying.keys())) - lying.keys()
            before = set(lying)
            assert len(backs) == len(gone)
            assert {back.code for back in backs} == (gone if face_up or not gone else {""})
            for back in backs:
                away = [max(abs(back.pose[0] - x), abs(back.pose[1] - y)) for x, y, _ in lying.values()]
                assert min(away, default=9) > least
        assert len(keeper.lying[-1]) >= 5


def test_mishaps_change_the_table_and_not_what_must_be_said() -> None:
    often = MishapRates(two_tiles=0.3, wrong_place=0.3, exchanged=0.3)
    seen: set[str] = set()
    for seed in (300_001, 300_008):
        play = play_game(seed, max_turns=20)
        after = with_mishaps(play, seed, often)
        assert [moment for moment in after.moments if moment in play.moments] == list(play.moments)
        assert [line for m in after.moments for line in m.said] == [
            line for m in play.moments for line in m.said
        ]
        for before, moment, later in zip(after.moments, after.moments[1:], after.moments[2:], strict=False):
            seen.add(moment.what)
            tiles = set(moment.layout.cells.values())
            if moment.what == "two-tiles":
                assert len(tiles) == len(later.layout) + 1 == len(before.layout) + 2
            elif moment.what == "wrong-place":
                assert tiles == set(later.layout.cells.values())
                assert moment.layout != later.layout
            elif moment.what == "exchanged":
                assert moment.layout != before.layout
                assert (later.what, later.layout) == ("restored", before.layout)
    assert {"two-tiles", "wrong-place", "exchanged"} <= seen


def test_a_tiny_film_is_followed(tmp_path: Path) -> None:
    film = Film(TINY, 300_001, OWN, TAME)
    followed = watch(film, TINY, TileReader.open(), tmp_path)
    assert (followed.report.wrong, followed.report.unsaid, followed.report.questions) == ([], [], [])
    assert followed.right == followed.calls >= 2


@pytest.mark.parametrize("kind", PRINTS)
def test_printed_matter_lies_beside_a_game_all_the_time(kind: str) -> None:
    film, without = (Film(TINY, 300_001, OWN, TAME, beside) for beside in (kind, ""))
    prints = film._prints
    assert prints
    pages = [each.corners.astype(np.float32) for each in prints]
    for pose in {pose for poses in film.poses for pose in poses.values()}:
        apart = [-cv2.pointPolygonTest(page, pose[:2], measureDist=True) for page in pages]
        assert min(apart) > 1
    assert film.poses == without.poses
    shots = [shot for shot in film if shot.is_calm]
    seen = [
        film._painter.camera.project(np.column_stack([each.corners, np.full(4, 0.02)])) for each in prints
    ]
    width, height = film.size_wh
    assert all((quad > 0).all() and (quad < (width, height)).all() for quad in seen)
    x, y = np.round(seen[0].mean(axis=0)).astype(int)
    patches = [shot.frame.image_bgr[y - 8 : y + 8, x - 8 : x + 8].astype(float) for shot in shots]
    assert np.abs(patches[0] - patches[-1]).mean() < 12


def test_a_game_beside_a_rulebook_is_followed(tmp_path: Path) -> None:
    film = Film(TINY, 300_001, OWN, TAME, "rulebook")
    followed = watch(film, TINY, TileReader.open(), tmp_path, answers=False)
    assert (followed.report.wrong, followed.right) == ([], followed.calls)
    assert followed.calls >= 2


@pytest.mark.parametrize("answers", [True, False])
def test_what_the_last_press_of_a_moment_brings_about_is_heard(tmp_path, monkeypatch, answers) -> None:
    """What the fourth press brought about was not, right or wrong (film 408258)."""
    happened: list[str] = []

    class Presses(Players):
        def hear(self, _announced: object) -> None:
            happened.append("lines")

        def press(self, *_moment: object, **_table: object) -> bool:
            may_press = happened.count("press") < MOST_PRESSES
            happened.append("press" if may_press else "no press")
            return may_press

    see = GameViewModel.see
    monkeypatch.setattr(GameViewModel, "see", lambda *frame: (happened.append("frame"), see(*frame))[1])
    monkeypatch.setattr(watched, "Players", Presses)
    watch(Film(TINY, 300_001, OWN, TAME), TINY, TileReader.open(), tmp_path, answers=answers)
    frames = " ".join(happened).split("frame ")
    assert (
        max(frames, key=len).split() == ["lines", "press"] * MOST_PRESSES + ["lines", "no", "press"]
    ) is answers
    assert ("press" in happened) is answers


def test_a_change_in_which_no_tile_moves_is_filmed() -> None:
    film = Film(TINY, 5, OWN, Difficulty("half done", half_done=1.0))
    film.poses[-1] = film.poses[-2]
    assert [shot.number for shot in film if shot.is_last][-1] == len(film.poses) - 1


@pytest.mark.slow
def test_a_hard_film_has_everything_in_it_and_ends(tmp_path: Path) -> None:
    play = with_mishaps(play_game(300_001, setup=Setup(3), max_turns=14), 300_001)
    film = Film(play, 300_001, OWN, HARD)
    followed = watch(film, play, TileReader.open(), tmp_path)
    happened = {what for _, what in film.happened}
    assert {"half done", "pointing", "bump", "lamp"} <= happened
    assert happened & {"glass", "mug", "phone"}
    assert 0 <= followed.right <= followed.calls


def test_the_seeds_of_the_last_measurement_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    first_kept, last_kept = other_films.KEPT[0], other_films.KEPT[-1]
    for first, games, refused in (
        (first_kept - 1, 1, False),
        (first_kept - 1, 2, True),
        (last_kept, 1, True),
        (last_kept + 1, 1, False),
    ):
        monkeypatch.setattr("sys.argv", ["other_films", "--first", str(first), "--games", str(games)])
        if refused:
            with pytest.raises(SystemExit):
                other_films.parsed()
        else:
            assert other_films.parsed().first == first
    monkeypatch.setattr("sys.argv", ["other_films", "--first", str(first_kept), "--last-measurement"])
    assert other_films.parsed().last_measurement


def test_intervals_are_those_of_wilson() -> None:
    low, high = other_films.interval(98, 100)
    assert (round(low, 1), round(high, 1)) == (93.0, 99.4)
    assert other_films.interval(0, 0) == (0, 100)
