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

from models.training.calibration.pictures import SMALL, HeldOutPictures  # noqa: E402
from models.training.export import export_second  # noqa: E402
from models.training.networks.nets import SECOND_WIDTHS  # noqa: E402
from models.training.networks.reader_data import (  # noqa: E402
    FACES_ALONE,
    BatchPlan,
    ReaderCrops,
    reader_batches,
    reader_loss,
)
from models.training.networks.widening import widened  # noqa: E402
from models.training.scenes import corpus  # noqa: E402
from models.training.shipped import between, normed_reader, shipped_reader  # noqa: E402
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
    crops = np.zeros((2, *reader.manifest["input"]["shape"][1:]), np.float32)
    (features,) = reader.session.run(["features"], {"pictures": crops})
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
    shown = np.stack([sample["crop"] for sample in crops]).astype(np.float32) / 255
    (weight, colour), own = second.run(shown), reader.run(shown)
    for now, before in ((weight, own[0]), (colour, own[1])):
        read = np.exp(log_softmax(before)).max(axis=1) > 0.8  # many crops show no tile
        assert read.sum() > 50
        assert (now.argmax(1) == before.argmax(1))[read].mean() > 0.95


def test_a_wider_reader_answers_nearly_as_the_narrow_one() -> None:
    crops = torch.rand(24, 3, 80, 80, generator=torch.Generator().manual_seed(7))
    narrow = normed_reader(shipped_reader(model_file("reader")), [crops]).eval()
    wide = widened(narrow, SECOND_WIDTHS).eval()
    assert sum(each.numel() for each in wide.body.parameters()) > 1.8 * sum(
        each.numel() for each in narrow.body.parameters()
    )
    with torch.no_grad():
        for before, now in zip(narrow(crops)[:5], wide(crops)[:5], strict=True):
            assert ((now - before).abs().mean() / before.abs().mean()) < 0.15


def test_a_wider_copy_of_the_reader_learns_to_be_its_second_network(tmp_path: Path) -> None:
    """It is taken up where it was, and goes through the same export."""
    corpus.render_shard(tmp_path / "corpus", 3, 0, pictures=6)
    first = train_second(tmp_path, 2)
    again = train_second(tmp_path, 2)
    assert first.widths == again.widths == SECOND_WIDTHS
    for one, other in zip(first.state_dict().values(), again.state_dict().values(), strict=True):
        assert torch.equal(one, other)


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


def test_a_second_network_learns_without_close_ups(tmp_path) -> None:
    """It names codes and knows nothing of likeness."""
    corpus.render_shard(tmp_path, 3, 0, pictures=6)
    batch = next(reader_batches(tmp_path, 8, 0, 1, FACES_ALONE))
    assert batch["crop"].shape == (8, 3, 80, 80)
    net = shipped_reader(model_file("reader")).train()
    loss, figures = reader_loss(net, batch, 0.0)
    assert torch.isfinite(loss)
    assert figures["alike"] == 0


def test_a_part_of_the_training_sees_its_own_shards_alone(tmp_path) -> None:
    """Each picture is learned from about once: a network learns an artist by heart that it sees often."""
    (tmp_path / "shard_00000.npz").write_bytes(b"not a shard")
    corpus.render_shard(tmp_path, 3, 1, pictures=6)
    assert next(iter(ReaderCrops(tmp_path, 1, pool=20, part=(1, 2))))
    with pytest.raises(ValueError, match="pickle"):
        next(iter(ReaderCrops(tmp_path, 1, pool=20, part=(0, 2))))
