"""Write a trained network as a shipped model: ONNX in 8 bits, manifest with checksum, licence beside it."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.training.calibration.calibrate import Calibration, calibrate
from models.training.calibration.hues import fit_hues, seen_sets
from models.training.calibration.pictures import Answers, HeldOutPictures
from models.training.calibration.risk import ReadSet, SureConfidence, read_sets, sure_confidence
from models.training.calibration.sets import LEARNED
from models.training.networks.finder_data import CORNER_UNIT_PX
from models.training.networks.loop import averaged_weights
from models.training.networks.nets import CROP_PX, EMBEDDING, FACE_SHARE, FINDER_STRIDE, FinderNet
from models.training.networks.whole_numbers import PIXELS, pixels_of, quicken
from models.training.rendering.artists.held_out import HELD_OUT
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from models.training.scenes import corpus
from referee.rules.tiles import CODES
from vision.files import replacing
from vision.imaging.preprocess import to_tensor
from vision.recognition.classifier import SecondOpinion, TileClassifier
from vision.recognition.detector import TileDetector
from vision.recognition.model_store import MANIFEST_VERSION, READER_OUTPUTS, SECOND_OUTPUTS, Model
from vision.recognition.reader import TileReader

if TYPE_CHECKING:
    from onnxruntime.quantization import CalibrationDataReader

_FINDER_WH = (640, 384)
_READER_SHAPE = [1, CROP_PX, CROP_PX, 3]


def _to_onnx(net: nn.Module, shape: list[int], outputs: list[str], free: dict[int, str], path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.to(memory_format=torch.contiguous_format),
            (torch.zeros(shape[0], shape[3], *shape[1:3]),),
            str(path),
            input_names=["pictures"],
            output_names=outputs,
            dynamic_axes={"pictures": free, **{name: {0: "n"} for name in outputs}},
            dynamo=False,
        )


def _quantise(
    whole: Path, small: Path, pictures: Iterable[NDArray[np.float32]], spared: tuple[str, ...]
) -> None:
    """Write the network in `whole` with convolutions in 8 bits to `small`, taking pixels.

    Args:
        whole: The network in 32 bits.
        small: Where the new one goes.
        pictures: What shows the range of every layer's values.
        spared: Convolutions that keep 32 bits, by a part of their names.
    """
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quant_pre_process, quantize_static

    prepared = whole.with_suffix(".prepared.onnx")
    quant_pre_process(str(whole), str(prepared), skip_symbolic_shape=True)
    convolutions = [node for node in onnx.load(str(prepared)).graph.node if node.op_type == "Conv"]
    quantize_static(
        str(prepared),
        str(small),
        _data_reader(pictures),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        # Seven bits for weights: processors without VNNI instructions would overflow with eight.
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["Conv", "Add"],
        nodes_to_exclude=[node.name for node in convolutions if any(part in node.name for part in spared)],
        extra_options={"TensorQuantOverrides": {convolutions[0].input[0]: [PIXELS]}},
    )
    quickened = onnx.load(str(small))
    quicken(quickened)
    onnx.save(quickened, str(small))


def _data_reader(pictures: Iterable[NDArray[np.float32]]) -> CalibrationDataReader:
    """Return what onnxruntime asks for one batch of pictures after the other."""
    from onnxruntime.quantization import CalibrationDataReader

    class Pictures(CalibrationDataReader):
        def __init__(self) -> None:
            self._rest = iter(pictures)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            batch = next(self._rest, None)
            return None if batch is None else {"pictures": batch}

    return Pictures()


def _whole(own: dict[str, Any], shape: list[int], outputs: list[str], model: Path) -> dict[str, Any]:
    """Return the manifest of a network that takes pictures, with what every manifest says."""
    pictures = {
        "name": "pictures",
        "shape": shape,
        "dtype": "uint8",
        "colour_order": "BGR",
        "range": [0, 255],
    }
    return _signed({**own, "input": pictures, "outputs": outputs}, model)


def _signed(own: dict[str, Any], model: Path) -> dict[str, Any]:
    return {
        "version": MANIFEST_VERSION,
        **own,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
    }


def write_model(model: Path, folder: Path, own: dict[str, Any]) -> None:
    """Write a network as a model folder, but for its card.

    Args:
        model: Its ONNX file.
        folder: The model folder.
        own: The manifest, without version and checksum.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / "model.onnx") as beside:
        shutil.copyfile(model, beside)
    text = json.dumps(_signed(own, model), indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    shutil.copyfile(Path(__file__).parents[2] / "LICENSE", folder / "LICENSE")


def _finder_pictures(directory: Path) -> Iterable[NDArray[np.float32]]:
    paths = sorted(directory.glob("shard_*.npz"))[:2]
    for path in paths:
        for picture in corpus.read_shard(path):
            small = cv2.resize(picture.image, _FINDER_WH, interpolation=cv2.INTER_AREA)
            yield to_tensor(np.asarray(small[None], np.uint8))


def export_finder(checkpoint: Path, pictures: HeldOutPictures, folder: Path) -> None:
    """Write the finder of a checkpoint into `folder`."""
    pictures.render()
    net, steps = averaged_weights(FinderNet(), checkpoint)
    manifest = {
        "task": "finder",
        "steps": steps,
        "stride_px": FINDER_STRIDE,
        "corner_unit_px": CORNER_UNIT_PX,
    }
    shape = [1, _FINDER_WH[1], _FINDER_WH[0], 3]
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch) / "whole.onnx", Path(scratch) / "small.onnx"
        _to_onnx(net, shape, ["cells"], {0: "n", 2: "height", 3: "width"}, whole)
        _quantise(whole, small, _finder_pictures(pictures.directory), spared=("head",))
        write_model(small, folder, _whole(manifest, shape, ["cells"], small))


def _reader_pictures(pictures: HeldOutPictures) -> Iterable[NDArray[np.float32]]:
    for samples in pictures.crops(min(1000, pictures.size.crops)):
        yield np.asarray(np.stack([sample["crop"] for sample in samples]), np.float32) / np.float32(255)


def session_answers(model: Path) -> Answers:
    """Return the answers of an ONNX file."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return lambda crops: session.run(list(READER_OUTPUTS), {"pictures": pixels_of(crops)})


def export_network(
    net: nn.Module,
    steps: int,
    pictures: HeldOutPictures,
    finder: TileDetector,
    folder: Path,
    more: dict[str, Any],
) -> tuple[Calibration, SureConfidence]:
    """Write a trained reader into `folder`, calibrated; return the calibration and the threshold of `unsure`.

    Args:
        net: A `ReaderNet`.
        steps: How long it was trained.
        pictures: What it is calibrated on.
        finder: What finds the tiles for it.
        folder: The model folder.
        more: What else the manifest is to say.
    """
    pictures.render()
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch) / "whole.onnx", Path(scratch) / "small.onnx"
        _to_onnx(net.eval(), _READER_SHAPE, [*READER_OUTPUTS, "features"], {0: "n"}, whole)
        _quantise(whole, small, _reader_pictures(pictures), spared=("by_place",))
        return write_reader(small, pictures, finder, folder, {"steps": steps, **more})


def write_reader(
    file: Path, pictures: HeldOutPictures, finder: TileDetector, folder: Path, own: Mapping[str, Any]
) -> tuple[Calibration, SureConfidence]:
    """Write a reader's network into `folder`, calibrated; return what `export_network` does.

    Args:
        file: Its ONNX file, in 8 bits.
        pictures: What it is calibrated on.
        finder: What finds the tiles for it.
        folder: The model folder.
        own: What the manifest says of the network itself.
    """
    answers = session_answers(file)
    calibration = calibrate(answers, pictures)
    manifest = {
        "task": "reader",
        **own,
        "face_share": FACE_SHARE,
        "embedding": EMBEDDING,
        "temperature": asdict(calibration.temperatures),
        "likeness": {
            "scale": calibration.likeness_scale,
            "scale_with_shipped": calibration.likeness_scale_with_shipped,
            "shipped_share": calibration.shipped_share,
        },
        "classes": {"weight": list(WEIGHTS), "colour": list(COLOURS)},
        "codes": list(CODES),
    }
    seen = seen_sets(answers, pictures.sets((LEARNED, *HELD_OUT)), calibration.temperatures.colour)
    read: list[ReadSet] = []
    for group in HELD_OUT:
        hues = fit_hues([each for each in seen if each.group != group])
        told = manifest | {"hues": asdict(hues)}
        read += read_sets(_opened(file, told, finder), pictures.sets((group,)))
    sure = sure_confidence(read)
    told = manifest | {"hues": asdict(fit_hues(seen)), "sure_confidence": sure.threshold}
    write_model(file, folder, _whole(told, _READER_SHAPE, list(READER_OUTPUTS), file))
    return calibration, sure


def export_second(net: nn.Module, steps: int, pictures: HeldOutPictures, reader: Model, folder: Path) -> None:
    """Write a trained reader into `folder` as the second network of another one: its weight and colour alone.

    The other one's threshold of `unsure` then wants to be fitted again (`write_reader`).

    Args:
        net: A `ReaderNet`.
        steps: How long it was trained.
        pictures: What it is calibrated on.
        reader: The reader that asks it.
        folder: The model folder.
    """
    import onnx

    pictures.render()
    with tempfile.TemporaryDirectory() as scratch:
        whole, small, cut = (Path(scratch) / f"{name}.onnx" for name in ("whole", "small", "cut"))
        _to_onnx(net.eval(), _READER_SHAPE, list(READER_OUTPUTS), {0: "n"}, whole)
        _quantise(whole, small, _reader_pictures(pictures), spared=())
        temperatures = calibrate(session_answers(small), pictures).temperatures
        onnx.utils.extract_model(str(small), str(cut), ["pictures"], list(SECOND_OUTPUTS))
        manifest = {
            "task": "second",
            "steps": steps,
            "temperature": asdict(temperatures),
            "reader": reader.manifest["sha256"],
        }
        write_model(cut, folder, _whole(manifest, _READER_SHAPE, list(SECOND_OUTPUTS), cut))


def _opened(file: Path, manifest: dict[str, Any], finder: TileDetector) -> TileReader:
    """Return a reader as it will be, but for the chance from which on it is sure."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    whole = _whole(manifest | {"sure_confidence": 1.0}, _READER_SHAPE, list(READER_OUTPUTS), file)
    model = Model(file.stem, whole, session)
    return TileReader(finder, TileClassifier(model, second=SecondOpinion.of(model)))
