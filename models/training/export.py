"""Write a trained network as a shipped model: ONNX file, manifest with checksum, licence beside it."""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models.training.faces import COLOURS
from models.training.finder_data import CORNER_UNIT_PX
from models.training.glyphs import WEIGHTS
from models.training.nets import CROP_PX, FACE_SHARE, FINDER_STRIDE, FinderNet, ReaderNet
from referee.tiles import CODES

READER_OUTPUTS = ["weight", "colour", "tile", "up", "corners", "embedding"]


def averaged_weights(net: nn.Module, checkpoint: Path) -> tuple[nn.Module, int]:
    """Return `net` with the averaged weights of a checkpoint, ready for use, and its steps."""
    saved = torch.load(checkpoint, weights_only=True, map_location="cpu")
    prefix = "module."
    net.load_state_dict(
        {key[len(prefix) :]: value for key, value in saved["averaged"].items() if key.startswith(prefix)}
    )
    return net.eval(), int(saved["step"])


def _write(
    net: nn.Module,
    example: torch.Tensor,
    outputs: list[str],
    free: dict[int, str],
    folder: Path,
    manifest: dict[str, Any],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / "model.onnx.part"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.to(memory_format=torch.contiguous_format),
            (example,),
            str(beside),
            input_names=["pictures"],
            output_names=outputs,
            dynamic_axes={"pictures": free, **{name: {0: "n"} for name in outputs}},
            dynamo=False,
        )
    manifest = {
        "version": 1,
        **manifest,
        "input": {
            "name": "pictures",
            "shape": list(example.shape),
            "dtype": "float32",
            "colour_order": "RGB",
            "range": [0, 1],
        },
        "outputs": outputs,
        "sha256": hashlib.sha256(beside.read_bytes()).hexdigest(),
    }
    beside.replace(folder / "model.onnx")
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    shutil.copyfile(Path(__file__).parents[2] / "LICENSE", folder / "LICENSE")


def export_finder(checkpoint: Path, folder: Path) -> None:
    """Write the finder of a checkpoint into `folder`."""
    net, steps = averaged_weights(FinderNet(), checkpoint)
    manifest = {
        "task": "finder",
        "steps": steps,
        "stride_px": FINDER_STRIDE,
        "corner_unit_px": CORNER_UNIT_PX,
    }
    _write(net, torch.zeros(1, 3, 384, 640), ["cells"], {0: "n", 2: "height", 3: "width"}, folder, manifest)


def export_reader(checkpoint: Path, folder: Path, temperature: float) -> None:
    """Write the reader of a checkpoint into `folder`; `temperature` divides its logits at use."""
    net, steps = averaged_weights(ReaderNet(), checkpoint)
    manifest = {
        "task": "reader",
        "steps": steps,
        "face_share": FACE_SHARE,
        "temperature": temperature,
        "classes": {"weight": list(WEIGHTS), "colour": list(COLOURS)},
        "codes": list(CODES),
    }
    _write(net, torch.zeros(1, 3, CROP_PX, CROP_PX), READER_OUTPUTS, {0: "n"}, folder, manifest)
