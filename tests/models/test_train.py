"""The whole training at its small size, from nothing to models that open, and what it goes on from."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.recognition.assignment import log_softmax
from vision.recognition.model_store import model_file, open_model
from vision.tracking.place_head import PlaceHead

torch = pytest.importorskip("torch")

from models.training.at_once import AtOnceSize, Pool  # noqa: E402
from models.training.calibration.pictures import SMALL, HeldOutPictures  # noqa: E402
from models.training.export import export_second  # noqa: E402
from models.training.networks.codes_loss import codes_loss  # noqa: E402
from models.training.networks.loop import averaged_weights  # noqa: E402
from models.training.networks.nets import FinderNet, second_net  # noqa: E402
from models.training.networks.reader_data import BatchPlan, ReaderCrops, readable_crops  # noqa: E402
from models.training.networks.whole_numbers import pixels_of  # noqa: E402
from models.training.scenes import corpus  # noqa: E402
from models.training.shipped import between, normed_reader, shipped_reader, shipped_second  # noqa: E402
from models.training.train import train_second  # noqa: E402

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone


def run(work: Path, out: Path) -> None:
    """Run `train --small`."""
    line = [sys.executable, "-m", "ui", "train", "--small", "--work", str(work), "--out", str(out)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_small_training_gives_models_that_open(tmp_path: Path) -> None:
    """Models, cards and licences are written; a second run has nothing to train, and gives the same."""
    work, out = tmp_path / "work", tmp_path / "models"
    run(work, out)
    folders = {task: next(out.glob(f"{task}_*")) for task in ("finder", "reader", "place")}
    for task, steps in (("finder", 4), ("reader", 4), ("place", 2)):
        assert open_model(task, folders[task]).manifest["steps"] == steps
        assert (folders[task] / "LICENSE").exists()
    folder = folders["reader"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| reader | 4 |" in card
    assert "| left out | sets |" in card
    assert "row of dots" in (folders["place"] / "README.md").read_text(encoding="utf-8")
    reader = open_model("reader", folder)
    crops = np.zeros((2, *reader.manifest["input"]["shape"][1:]), np.uint8)
    features = reader.features(crops)
    judged = PlaceHead.open(reader, folders["place"]).judge(features, np.zeros_like(features))
    assert judged.log_states.shape == (2, 4)
    first = (folder / "manifest.json").read_text(encoding="utf-8")
    (work / "held-out" / "families_00000.npz").unlink()
    run(work, out)
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == json.loads(first)
    assert len((work / "reader.log.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_with_its_batch_norms_put_back_the_shipped_reader_answers_as_it_did() -> None:
    folded = shipped_reader(model_file("reader")).eval()
    crops = torch.rand(24, 3, 80, 80, generator=torch.Generator().manual_seed(5))
    normed = normed_reader(folded, [crops[:12], crops[12:]]).eval()
    with torch.no_grad():
        for before, now in zip(folded(crops), normed(crops), strict=True):
            assert torch.allclose(before, now, atol=1e-4)
        # On the crops that it was normed on it also answers so while it learns, but for rounding.
        weights = normed.train()(crops)[0]
        assert torch.allclose(weights, folded(crops)[0], atol=0.05)


def test_what_has_learned_becomes_a_second_network_of_the_shipped_reader(tmp_path: Path) -> None:
    """Of the shipped reader itself it says what that says, but for 8 bits and for temperatures."""
    reader = open_model("reader")
    pictures = HeldOutPictures(tmp_path / "held-out", SMALL)
    export_second(shipped_reader(model_file("reader")), 7, pictures, reader, tmp_path / "second")
    second = open_model("second", tmp_path / "second")
    assert (second.manifest["steps"], second.manifest["reader"]) == (7, reader.manifest["sha256"])
    crops = next(pictures.crops(200))
    shown = pixels_of(np.stack([sample["crop"] for sample in crops]))
    (weight, colour), own = second.run(shown), reader.run(shown)
    for now, before in ((weight, own[0]), (colour, own[1])):
        read = np.exp(log_softmax(before)).max(axis=1) > 0.8  # many crops show no tile
        assert read.sum() > 50
        assert (now.argmax(1) == before.argmax(1))[read].mean() > 0.95


def test_the_second_network_goes_on_learning_and_a_finder_learns_beside_it(tmp_path: Path) -> None:
    """What has learned is left as it is by a second run, and nothing that was rendered meanwhile is left."""
    corpus.render_shard(tmp_path / "corpus", 3, 0, pictures=2)
    size = AtOnceSize(0.02, 2, 500, 40, 16, 2, 1)
    train_second(tmp_path, size)
    second, steps = averaged_weights(second_net(), tmp_path / "second.pt")
    finder, _ = averaged_weights(FinderNet(), tmp_path / "finder.pt")
    assert steps >= 1
    assert (tmp_path / f"second-{steps:06d}.pt").exists()
    before = normed_reader(shipped_second(model_file("second")), [torch.rand(8, 3, 80, 80)])
    assert not torch.equal(second.weight.weight, before.weight.weight)
    assert torch.isfinite(finder(torch.rand(1, 3, 64, 64))).all()
    assert {path.name for path in (tmp_path / "corpus").glob("*")} == {"shard_00000.npz", "typefaces.npz"}
    written = (tmp_path / "second.pt").stat().st_mtime_ns
    train_second(tmp_path, size)
    assert (tmp_path / "second.pt").stat().st_mtime_ns == written


def test_the_shipped_second_network_can_be_trained_on(tmp_path: Path) -> None:
    """It says what its file says, but for the 8 bits of what lies between its layers."""
    corpus.render_shard(tmp_path, 3, 0, pictures=6)
    rng = np.random.default_rng(4)
    samples = [
        sample
        for picture in corpus.read_shard(corpus.shard_path(tmp_path, 0))
        for sample in readable_crops(rng, picture)
    ]
    batch = {
        key: torch.from_numpy(np.stack([sample[key] for sample in samples[:64]]))
        for key in ("crop", "weight", "colour", "places")
    }
    net = shipped_second(model_file("second")).eval()
    said = open_model("second").run(pixels_of(batch["crop"].numpy()))[0]
    with torch.no_grad():
        own = net(batch["crop"].float() / 255)[0].numpy()
    read = np.exp(log_softmax(said)).max(axis=1) > 0.8
    assert read.sum() > 20
    assert (own.argmax(1) == said.argmax(1))[read].mean() > 0.95
    loss, figures = codes_loss(net.train(), batch, 0.0)
    assert torch.isfinite(loss)
    assert figures["weight"] > 0.3


def test_to_be_sure_of_what_is_no_tile_costs_a_second_network() -> None:
    """A printed figure of a cloth was a number that it read."""

    def surest(sureness: float, *, is_tile: bool) -> float:
        batch = {
            "crop": torch.zeros(2, 3, 80, 80, dtype=torch.uint8),
            "weight": torch.tensor([3 if is_tile else -1, 3]),
            "colour": torch.tensor([1 if is_tile else -1, 1]),
            "places": torch.full((2, 10, 10), 13),
        }
        batch["places"][int(not is_tile) :, 5, 5] = 3
        said = torch.zeros(2, 13), torch.zeros(2, 5)
        for logits, code in zip(said, (3, 1), strict=True):
            logits[:, code] = sureness
        return codes_loss(lambda _: (*said, *[torch.zeros(0)] * 5, torch.zeros(2, 14, 10, 10)), batch, 0)[1][
            "unsure"
        ]

    assert surest(0, is_tile=False) == pytest.approx(0, abs=1e-6)
    assert surest(9, is_tile=False) > 5
    assert surest(9, is_tile=True) == 0


def test_a_full_pool_forgets_the_oldest() -> None:
    pool = Pool(5, torch.device("cpu"), {"weight": ()})
    for value in (1, 2, 3):
        pool.add({"weight": np.full(2, value, np.int8)})
    assert sorted(pool.values["weight"][: pool.count].tolist()) == [2, 2, 3, 3]
    assert set(pool.draw(50)["weight"].tolist()) == {2, 3}


def test_between_two_readers_lies_one_whose_weights_are_between_theirs() -> None:
    crops = torch.rand(24, 3, 80, 80, generator=torch.Generator().manual_seed(6))
    before = normed_reader(shipped_reader(model_file("reader")), [crops])
    after = normed_reader(shipped_reader(model_file("reader")), [crops])
    with torch.no_grad():
        after.weight.bias += 2.0
        half = between(before, after, 0.5, [crops])
        unchanged = between(before, before, 0.5, [crops])
        assert torch.allclose(half(crops)[0] - before.eval()(crops)[0], torch.tensor(1.0), atol=0.05)
        for one, other in zip(unchanged(crops), before.eval()(crops), strict=True):
            assert torch.allclose(one, other, atol=0.05)


@pytest.mark.parametrize("unread", [0.0, 0.5, 1.0])
def test_crops_without_a_weight_are_left_out_as_a_plan_says(tmp_path, unread: float) -> None:
    corpus.render_shard(tmp_path, 3, 0, pictures=6)

    def shares(plan: BatchPlan) -> float:
        crops = iter(ReaderCrops(tmp_path, 1, plan, pool=20))
        return float(np.mean([next(crops)["weight"] >= 0 for _ in range(600)]))

    of_all, read = shares(BatchPlan()), shares(BatchPlan(unread=unread))
    assert 0 < of_all < 1
    assert read == pytest.approx(of_all / (of_all + (1 - of_all) * unread), abs=0.12)


def test_a_part_of_the_training_sees_its_own_shards_alone(tmp_path) -> None:
    """Each picture is learned from about once: a network learns an artist by heart that it sees often."""
    (tmp_path / "shard_00000.npz").write_bytes(b"not a shard")
    corpus.render_shard(tmp_path, 3, 1, pictures=6)
    assert next(iter(ReaderCrops(tmp_path, 1, pool=20, part=(1, 2))))
    with pytest.raises(ValueError, match="pickle"):
        next(iter(ReaderCrops(tmp_path, 1, pool=20, part=(0, 2))))
