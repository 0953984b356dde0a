"""Pictures that are made to take time and memory, or that are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.attacked import attack
from tests.attack.bombs import BOMBS
from tests.places import SAMPLES


def test_bombs_are_refused_and_the_others_read(tmp_path: Path) -> None:
    for name, make in BOMBS.items():
        (tmp_path / name).write_bytes(make())
    found = attack(
        "check", *sorted(map(tmp_path.joinpath, BOMBS)), SAMPLES / "fire.jpg", data=tmp_path / "data"
    )
    assert found.status == 1
    assert len(found.err.splitlines()) == len(BOMBS)
    assert "Wood fire" in found.out


@pytest.mark.slow
def test_the_largest_pictures_that_are_read_stay_within_memory(tmp_path: Path) -> None:
    from PIL import Image

    from tests.attack.bombs import progressive

    files = {name: tmp_path / name for name in ("a.jpg", "b.jpg", "c.png", "d.webp", "e.tiff")}
    files["a.jpg"].write_bytes(progressive(10000, 9900))
    Image.new("RGB", (10000, 9900)).save(files["b.jpg"], subsampling=0)
    Image.new("RGB", (7000, 7000)).save(files["c.png"], compress_level=1)
    Image.new("RGB", (7000, 7000)).save(files["d.webp"], method=0)
    Image.new("RGB", (5900, 5900)).save(files["e.tiff"])
    for file in files.values():
        assert attack("check", file, data=tmp_path / "data").status == 0
