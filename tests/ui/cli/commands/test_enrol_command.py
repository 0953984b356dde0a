"""`pyramid-referee enrol`, and `--tiles` of the commands that use what it learned."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from pathlib import Path

import pytest

from referee.rules.tiles import CODES
from tests.ui.laid_out import PHOTOS, write_photos
from ui.cli.main import main
from vision.tilesets.tile_set_file import read_tile_set

SAMPLES = Path(__file__).parents[4] / "samples"
ORDER = " ".join(code for codes in PHOTOS for code in codes)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the player's own data, empty."""
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def referee(*arguments: str | Path) -> tuple[int, str, str]:
    """Return exit status, standard output and standard error of one run."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = main([str(argument) for argument in arguments])
    return status, out.getvalue(), error.getvalue()


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three photos of all 45 tiles with their label files."""
    return write_photos(tmp_path_factory.mktemp("labelled"))


@pytest.fixture(scope="module")
def unlabelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_photos(tmp_path_factory.mktemp("unlabelled"), called=None)


@pytest.fixture(scope="module")
def other_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with a photo of 15 tiles whose codes are words, and the data folder where they are kept."""
    root = tmp_path_factory.mktemp("other")
    photos = write_photos(root / "photos", "my-{}".format, PHOTOS[1:2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYRAMID_REFEREE_DATA", str(root / "data"))
        assert referee("enrol", "other", photos)[0] == 0
    return photos, root / "data"


def test_three_photos_are_enough(photos: Path, data: Path) -> None:
    """The sentences say what was learned, where it is kept, how to use it, how well it is told apart."""
    status, out, error = referee("--lang", "en", "enrol", "mine", photos)
    assert (status, error) == (0, "")
    learned, kept, likeness, *_ = out.splitlines()
    assert learned == "Learned 45 tiles from 3 photos."
    assert kept == f"The tile set is in '{data / 'tiles' / 'mine.json'}'. Use it with --tiles mine."
    assert "tell apart" in likeness
    assert [path.name for path in (data / "tiles").iterdir()] == ["mine.json"]
    kept_set = read_tile_set("mine", data / "tiles")
    assert kept_set.codes == CODES
    assert kept_set.is_of_the_game
    assert [example.code for example in kept_set.examples] == ORDER.split()
    status, out, _ = referee("check", "--json", "--tiles", "mine", SAMPLES / "stable.jpg")
    answer = json.loads(out)
    assert status == 0
    assert len(answer["tiles"]) == len(json.loads((SAMPLES / "stable.json").read_text())["tiles"])


def test_names_in_reading_order_do_as_well(unlabelled: Path, data: Path) -> None:
    """The tiles that are found get the codes in reading order, photo after photo."""
    status, out, _ = referee("enrol", "ordered", unlabelled, "--order", ORDER, "--json")
    assert status == 0
    answer = json.loads(out)
    assert answer["file"] == str(data / "tiles" / "ordered.json")
    assert {key: answer[key] for key in ("name", "codes", "copies", "aspect", "photos", "examples")} == {
        "name": "ordered",
        "codes": list(CODES),
        "copies": 1,
        "aspect": 1.0,
        "photos": 3,
        "examples": 45,
    }
    assert all({"codes", "chance"} == pair.keys() for pair in answer["alike"])
    assert answer["disagreements"] == []  # the shipped reader knows this artwork


def test_the_set_that_was_learned_is_used(
    other_game: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a set of its own words `check` speaks them; such tiles have no layout and no verdict."""
    photos, data = other_game
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(data))
    status, out, _ = referee("check", "--json", "--tiles", "other", photos / "0.png")
    answer = json.loads(out)
    assert status == 0
    assert (answer["layout"], answer["verdict"], answer["needs"]) == (None, [], None)
    codes = [tile["code"] for tile in answer["tiles"]]
    assert len(codes) > 10
    assert set(codes) <= {f"my-{code}" for code in PHOTOS[1]}
    assert {(tile["row"], tile["slot"]) for tile in answer["tiles"]} == {(None, None)}
    status, out, _ = referee("check", "--tiles", "other", photos / "0.png")
    assert [word.rstrip("?") for word in out.split()[1:]] == codes


def test_evaluate_reads_labels_of_the_set(
    other_game: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words are labels only for the set that has them; there are no figures of layouts then."""
    photos, data = other_game
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(data))
    status, out, _ = referee("evaluate", "--json", "--tiles", "other", photos)
    (line,) = out.splitlines()
    answer = json.loads(line)
    assert (status, answer["pictures"], answer["tiles"]) == (0, 1, 15)
    assert answer["tiles_found"] > 0.6
    assert not any("layouts" in name for name in answer)
    assert "layouts" not in referee("evaluate", "--tiles", "other", photos)[1]
    status, _, error = referee("evaluate", photos)
    assert status == 1
    assert "'my-R30' is not a tile" in error


def test_the_app_is_for_the_game_alone(
    other_game: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(other_game[1]))
    status, _, error = referee("--lang", "en", "app", "--tiles", "other")
    assert status == 2
    assert error.startswith("'other' has the tiles of another game")


@pytest.mark.parametrize("command", [("check", "a.jpg"), ("evaluate", "."), ("app",)], ids=" ".join)
def test_an_unknown_set_is_wrong_usage(data: Path, command: tuple[str, ...]) -> None:
    """The sentence says which sets there are."""
    (data / "tiles").mkdir(parents=True)
    (data / "tiles" / "mine.json").touch()
    status, out, error = referee("--lang", "en", *command, "--tiles", "yours")
    assert (status, out) == (2, "")
    assert error.startswith("There is no tile set 'yours' (there are: mine)")


def test_a_damaged_set_is_a_sentence(data: Path) -> None:
    (data / "tiles").mkdir(parents=True)
    (data / "tiles" / "mine.json").write_text("{", encoding="utf-8")
    status, _, error = referee("check", SAMPLES / "stable.jpg", "--tiles", "mine")
    assert status == 2
    assert len(error.splitlines()) == 1
    assert "cannot be read" in error


def test_a_wrong_number_of_names_is_told_photo_by_photo(unlabelled: Path, data: Path) -> None:
    status, out, error = referee("--lang", "en", "enrol", "x", unlabelled, "--json", "--order", ORDER[3:])
    assert status == 1
    assert error.startswith("44 tiles are named, but 45 were found")
    assert all(f"'{unlabelled / name}': 15" in error for name in ("0.png", "1.png", "2.png"))
    assert json.loads(out) == {"name": "x", "error": error.strip()}
    assert not data.exists()


def test_names_in_a_wrong_order_are_refused(unlabelled: Path, data: Path) -> None:
    """The shipped reader knows most tiles; names that contradict it throughout are a slip."""
    backwards = [unlabelled / name for name in ("2.png", "1.png", "0.png")]
    status, _, error = referee("--lang", "en", "enrol", "x", *backwards, "--order", ORDER)
    assert status == 1
    assert error.startswith("--order does not fit the photos")
    assert not data.exists()


def test_one_odd_label_is_pointed_out(tmp_path: Path, data: Path) -> None:
    """A set may have its own ideas; a label that the shipped reader contradicts is named, not refused."""
    swapped = {"R40": "B20", "B20": "R40"}
    photos = write_photos(tmp_path / "photos", called=lambda code: swapped.get(code, code))
    status, out, _ = referee("--lang", "en", "enrol", "mine", photos)
    assert status == 0
    for named, looks_like in (("red 40", "blue 20"), ("blue 20", "red 40")):
        assert f"the tile named {named} looks like {looks_like}. Check its label." in out


@pytest.mark.parametrize(
    ("labelled", "arguments", "words"),
    [
        (True, ("mine", "--order", ORDER), "Use either --order or label files, not both"),
        (False, ("mine",), "It is not known which tiles"),
        (True, ("../mine",), "cannot be the name of a tile set"),
        (True, ("mine", "--copies", "0"), "--copies must be from 1 to 20, not 0."),
        (False, ("mine", "--order", "Y2 " + "x" * 25), "is too long for the code of a tile"),
    ],
    ids=["both", "neither", "name", "copies", "code"],
)
def test_wrong_usage(
    photos: Path, unlabelled: Path, data: Path, labelled: bool, arguments: tuple[str, ...], words: str
) -> None:
    name, *rest = arguments
    status, out, error = referee("--lang", "en", "enrol", name, photos if labelled else unlabelled, *rest)
    assert (status, out) == (2, "")
    assert words in error
    assert not data.exists()


def test_what_cannot_be_learned_leaves_the_old_set_alone(photos: Path, data: Path) -> None:
    """A photo that does not exist, and photos that do not show everything."""
    (data / "tiles").mkdir(parents=True)
    (data / "tiles" / "mine.json").write_text("as it was", encoding="utf-8")
    for source, words in (
        (photos / "none.png", "cannot be opened"),
        (photos / "0.png", "The photos show 15 of the 45 tiles. Missing: R30 "),
    ):
        status, _, error = referee("--lang", "en", "enrol", "mine", source)
        assert status == 1
        assert words in error
    assert [path.read_text(encoding="utf-8") for path in (data / "tiles").iterdir()] == ["as it was"]


def test_a_label_file_of_another_photo_is_refused(tmp_path: Path, data: Path) -> None:
    photos = write_photos(tmp_path / "photos")
    (photos / "1.json").write_bytes((photos / "0.json").read_bytes())
    status, _, error = referee("--lang", "en", "enrol", "mine", photos)
    assert status == 1
    assert "describes '0.png' and not '1.png'" in error
    assert not data.exists()


def test_tiles_seen_in_part_are_not_learned_from(tmp_path: Path, data: Path) -> None:
    photos = write_photos(tmp_path / "photos")
    content = json.loads((photos / "1.json").read_text(encoding="utf-8"))
    content["tiles"][3]["covered"] = True
    (photos / "1.json").write_text(json.dumps(content), encoding="utf-8")
    status, _, error = referee("--lang", "en", "enrol", "mine", photos)
    assert status == 1
    assert f"Missing: {PHOTOS[1][3]}. " in error
    assert not data.exists()


def test_it_speaks_french(photos: Path, tmp_path: Path, data: Path) -> None:
    two = write_photos(tmp_path / "two", "x{}".format, [["R40", "B7"]])
    status, out, _ = referee("--lang", "fr", "enrol", "miennes", two)
    assert status == 0
    assert out.startswith("Appris\u00a0: 2 tuiles, à partir de 1 photo.")
    assert "Utilisez-le avec --tiles miennes" in out
    status, _, error = referee("--lang", "fr", "enrol", "x", photos / "0.png")
    assert status == 1
    assert error.startswith("Les photos montrent 15 des 45 tuiles. Il manque\u00a0: R30 ")


def test_of_a_data_set_only_what_is_confirmed_is_learned(photos: Path, tmp_path: Path, data: Path) -> None:
    """What is only proposed is counted, and it is said how to confirm it."""
    folder = shutil.copytree(photos, tmp_path / "set")
    shutil.copy(folder / "0.png", folder / "again.png")
    content = json.loads((folder / "0.json").read_text())
    wrong = [{**tile, "code": "B7", "proposed": True, "confidence": 0.99} for tile in content["tiles"]]
    (folder / "again.json").write_text(json.dumps({**content, "image": "again.png", "tiles": wrong}))
    status, out, _ = referee("--lang", "en", "enrol", "mine", folder)
    assert status == 0
    assert "15 labels of these photos are not confirmed and are left out. Check them in the app" in out
    assert len(read_tile_set("mine", data / "tiles").examples) == 45
    for path in folder.glob("?.json"):
        path.unlink()
        path.with_suffix(".png").unlink()
    status, _, error = referee("--lang", "en", "enrol", "mine", folder)
    assert (status, error.count("\n")) == (1, 1)
    assert "Nobody has confirmed the labels of these photos (proposed: 15)" in error
