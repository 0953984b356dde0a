"""Training that is stopped and taken up again ends with the same network."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from models.training.networks import loop  # noqa: E402

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone


def batches(step: int):
    draw = torch.Generator().manual_seed(step)
    while True:
        yield {"x": torch.rand(8, 3, generator=draw)}


def loss_of(net, batch, share_done):
    # What is drawn while training counts too.
    loss = ((net(batch["x"]) + torch.rand(8, 1) - batch["x"].sum(1, keepdim=True)) ** 2).mean()
    return loss, {"loss": loss.item()}


def trained(directory, stops: tuple[int, ...]):
    for steps in stops:
        torch.manual_seed(3)
        net = torch.nn.Linear(3, 1)
        done = loop.train(
            "toy", net, batches, loss_of, directory=directory, cycles=(8,), peak_rate=1e-2, until=steps
        )
    return done.weight.detach().clone()


def test_a_training_that_was_interrupted_gives_the_same_network(tmp_path, monkeypatch) -> None:
    """Batches and randomness start afresh at each step that is saved."""
    monkeypatch.setattr(loop, "SAVE_EVERY_STEPS", 2)
    at_once = trained(tmp_path / "one", (8,))
    in_parts = trained(tmp_path / "two", (4, 6, 8))
    assert torch.equal(at_once, in_parts)


def test_the_learning_rate_rises_anew_in_each_cycle_to_half_the_height() -> None:
    rates = [loop._learning_rate(step, (1000, 600), 2.0) for step in range(1600)]
    assert max(rates[:1000]) == rates[199] == pytest.approx(1.811, abs=0.001)
    assert rates[999] < 1e-3
    assert max(rates[1000:]) == rates[1199] == pytest.approx(0.752, abs=0.001)
    assert rates[1599] < 1e-3
