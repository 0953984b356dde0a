"""`pyramid-referee capture`: gathers training pictures, each with proposed labels."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli.batch import add_arguments as add_batch_arguments
from ui.cli.dataset_options import add_arguments as add_exchange_arguments
from ui.cli.dataset_options import is_wanted as exchange_is_wanted
from ui.cli.dataset_options import run as exchange
from ui.cli.streams import refuse
from ui.text.catalogue import Plural, _, mark, say
from ui.text.counts import PICTURES, TILES
from ui.text.errors import error_sentence
from ui.text.sentences import hidden_sentence

if TYPE_CHECKING:
    from ui.cli.progress import ProgressBar
    from ui.services.dataset_coverage import Coverage
    from vision.dataset.capture import LabelProposer, Novelty
    from vision.dataset.label_file import LabelledPicture
    from vision.errors import VisionError
    from vision.sources.frame import Frame, Source

_SAME = mark("{name!r} is the same picture as {other!r}, which is already there. It is skipped.")
_THERE_ALREADY = Plural("{count} picture was already there.", "{count} pictures were already there.")
_NOT_USED = Plural("{count} picture could not be used.", "{count} pictures could not be used.")

HELP = mark("capture training pictures from photos, a video or a camera, with proposed labels")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `capture`."""
    parser.add_argument(
        "source",
        nargs="*",
        metavar="SOURCE",
        help=_(
            "a photo, a folder of photos, a video, the number of a camera or the address of a "
            "stream; of what moves, a picture is taken when the table is at rest and shows "
            "something new"
        ),
    )
    parser.add_argument(
        "--tiles", metavar="NAME", help=_("propose the tiles of this tile set, learned with enrol")
    )
    parser.add_argument(
        "--as-is",
        action="store_true",
        help=_("copy JPEG photos as they are, with place, time and camera"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object per line for each picture")
    )
    add_batch_arguments(parser)
    add_exchange_arguments(parser)


@dataclass(frozen=True, slots=True)
class CaptureJob:
    """What a worker must know beside the photo; it may be another machine's."""

    folder: Path
    tiles: str | None
    as_is: bool
    threads: int


@dataclass(slots=True)
class CaptureReport:
    """What was captured into a folder, and what is said of it."""

    folder: Path
    coverage: Coverage
    as_json: bool
    known: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Checksum of what was captured -> name of the picture, and, from earlier runs, of what it came from."""
    kept: int = 0
    tiles: int = 0
    before: int = 0
    """How many pictures need not be done again."""
    failed: int = 0
    progress: ProgressBar | None = None
    """What is shown meanwhile."""

    def add(self, source: str, gathered: LabelledPicture) -> None:
        """Count a picture that was put into the folder now, and tell programs."""
        from vision.dataset.label_file import label_content

        self.kept += 1
        self.tiles += len(gathered.labels)
        self.coverage.add(gathered)
        self.tell({"source": source, **label_content(gathered), "image": str(gathered.path)})

    def fail(self, source: str, error: VisionError) -> None:
        """Count something that cannot be used, and say why."""
        self.failed += 1
        sentence = error_sentence(error)
        self.tell({"source": source, "error": sentence})
        self.say(sentence)

    def skip(self, source: str, name: str, sha256: str) -> None:
        """Count a picture that is there already; say so unless it came from this photo before."""
        image, came_from = self.known[sha256]
        self.before += 1
        self.tell({"source": source, "skipped": image})
        if came_from != name:
            self.say(say(_SAME, name=source, other=image))

    def tell(self, answer: dict[str, object]) -> None:
        """Print a line for programs, if they are asked for."""
        if self.as_json:
            print(json.dumps(answer, ensure_ascii=False), flush=True)

    def say(self, sentence: str) -> None:
        """Print a sentence for people on standard error."""
        if self.progress is not None:
            self.progress.say(sentence)
        else:
            print(sentence, file=sys.stderr, flush=True)


def run(args: argparse.Namespace) -> int:
    """Return 0 when everything was captured, 1 when some could not be, 2 for wrong usage."""
    if exchange_is_wanted(args):
        return exchange(args)
    if not args.source or args.to is None:
        return refuse(_("Name what to capture, and a folder for it: capture SOURCE --to DIR"))
    from referee.rules.tiles import CODES
    from ui.cli.photo_files import photo_files
    from ui.services.dataset_coverage import Coverage
    from ui.storage.paths import open_tile_set
    from vision.errors import BatchError, TileSetError
    from vision.files import is_same_file
    from vision.imaging.picture_names import is_picture_name

    try:
        tile_set = open_tile_set(args.tiles)
    except TileSetError as error:
        return refuse(error_sentence(error))
    still = [text for text in args.source if is_picture_name(Path(text)) or os.path.isdir(text)]
    photos = list(photo_files([Path(text) for text in still]))
    if any(is_same_file(photo.parent, args.to) for photo in photos):
        sentence = mark("The pictures are already in {folder!r}. Name another folder with --to.")
        return refuse(say(sentence, folder=str(args.to)))
    args.to.mkdir(parents=True, exist_ok=True)
    codes = CODES if tile_set is None else tile_set.codes
    report = CaptureReport(args.to, Coverage(codes), args.json)
    _count_what_is_there(report, codes)
    try:
        _capture_photos(photos, report, args)
    except BatchError as error:
        report.failed += 1
        report.say(error_sentence(error))
    for text in args.source:
        if text not in still:
            _capture_source(text, report, args.tiles)
    _report(report)
    return 1 if report.failed else 0


def _count_what_is_there(report: CaptureReport, codes: tuple[str, ...]) -> None:
    """Take note of earlier pictures, so that they are not captured again."""
    from vision.dataset.capture import read_captured
    from vision.dataset.dataset import label_files_of
    from vision.errors import VisionError

    for path in label_files_of(report.folder):
        try:
            gathered = read_captured(path, codes)
        except VisionError as error:
            report.fail(str(path), error)
            continue
        report.coverage.add(gathered)
        if gathered.source_sha256 is not None:
            report.known[gathered.source_sha256] = (gathered.name, gathered.source_name)


def _capture_photos(photos: list[Path], report: CaptureReport, args: argparse.Namespace) -> None:
    """Put photos into the data set, several at a time.

    Raises:
        BatchError: The cluster or the workers fail.
    """
    from ui.cli.batch import spread, threads_for_each, worker_count
    from ui.cli.progress import ProgressBar
    from vision.errors import VisionError

    workers = worker_count(len(photos), args.workers)
    threads = threads_for_each(workers, args.scheduler)
    folder = args.to
    if args.scheduler is not None:  # whose workers may have been started anywhere
        folder, photos = folder.absolute(), [photo.absolute() for photo in photos]
    job = CaptureJob(folder, args.tiles, args.as_is, threads)
    with ProgressBar(len(photos)) as progress:
        report.progress = progress
        todo = _new_photos(photos, report, progress)
        with closing(
            spread(partial(capture_photo, job), todo, workers=workers, scheduler=args.scheduler)
        ) as results:
            for photo, gathered in results:
                if isinstance(gathered, VisionError):
                    report.fail(str(photo), gathered)
                else:
                    report.add(str(photo), gathered)
                progress.step()
    report.progress = None


def _new_photos(photos: list[Path], report: CaptureReport, progress: ProgressBar) -> Iterator[Path]:
    """Yield the photos that are not in the data set yet, and say of the others that they are."""
    from vision.dataset.capture import checksum
    from vision.errors import ImageError
    from vision.imaging.photo import photo_bytes

    for photo in photos:
        try:
            sha256 = checksum(photo_bytes(photo))
        except ImageError as error:
            report.fail(str(photo), error)
            progress.skip()
            continue
        if sha256 in report.known:
            report.skip(str(photo), photo.name, sha256)
            progress.skip()
            continue
        report.known[sha256] = (photo.name, None)
        yield photo


def capture_photo(job: CaptureJob, photo: Path) -> LabelledPicture | VisionError:
    """Put one photo into the data set; return what went in, or why it did not."""
    from ui.services.kept_open import kept_open
    from vision.dataset.capture import add_photo
    from vision.errors import ImageError

    proposer = kept_open(_open_proposer, (job.tiles, job.threads))
    try:
        return add_photo(photo, job.folder, proposer, as_is=job.as_is)
    except ImageError as error:
        return error


def _open_proposer(key: tuple[str | None, int]) -> LabelProposer:
    from ui.storage.paths import open_tile_set
    from vision.dataset.capture import LabelProposer

    tiles, threads = key
    return LabelProposer(open_tile_set(tiles), threads=threads)


def _capture_source(text: str, report: CaptureReport, tiles: str | None) -> None:
    """Put the new pictures of a video, camera or stream into the data set; goes on until it ends."""
    from vision.errors import ImageError, SourceError
    from vision.sources.open_source import open_source

    try:
        with open_source(text) as source:
            watch(source, report, _open_proposer((tiles, 2)), _day_of(text))
    except (ImageError, SourceError) as error:
        report.fail(getattr(error, "values", {}).get("name", ""), error)


def _day_of(text: str) -> str:
    """Return the day a video's file was written; today for a camera."""
    from datetime import date

    path = Path(text)
    return (date.fromtimestamp(path.stat().st_mtime) if os.path.isfile(path) else date.today()).isoformat()


def watch(source: Source, report: CaptureReport, proposer: LabelProposer, day: str) -> None:
    """Keep a picture whenever the table has settled and shows something new; say what is still missing."""
    from vision.dataset.capture import Novelty
    from vision.errors import ImageError
    from vision.sources.frame import SourceNotice
    from vision.sources.motion_gate import MotionGate, TableMotion

    gate, novelty = MotionGate(), Novelty()
    name = Path(source.name).name if os.path.isfile(source.name) else source.name
    if source.is_live:
        report.say(report.coverage.sentence())
    for item in source:
        if isinstance(item, SourceNotice):
            report.say(say(item.template, **item.values))
        elif gate.see(item) is TableMotion.SETTLED:
            try:
                if not _look(item, name, day, report, proposer, novelty):
                    gate.covered()
            except ImageError as error:
                report.fail(name, error)


def _look(
    frame: Frame, name: str, day: str, report: CaptureReport, proposer: LabelProposer, novelty: Novelty
) -> bool:
    """Keep a settled frame if it shows something new; return False where something covers the table.

    Raises:
        ImageError: It cannot be written.
    """
    from vision.dataset.capture import Origin, add_frame, checksum, pack_frame
    from vision.dataset.light import mean_colour

    reading = proposer.propose(frame.image_bgr)
    if reading.hidden or any(tile.covered for tile in reading.tiles):
        report.say(hidden_sentence())
        return False
    if not reading.tiles or not novelty.is_new(reading, mean_colour(frame.image_bgr)):
        return True
    packed = pack_frame(frame)
    sha256 = checksum(packed)
    if sha256 in report.known:
        report.skip(name, name, sha256)
        return True
    gathered = add_frame(packed, frame, reading, Origin(name, day), report.folder)
    report.known[sha256] = (gathered.name, name)
    report.add(name, gathered)
    kept = say("Picture {number}: {tiles}.", number=report.kept, tiles=say(TILES, count=len(reading.tiles)))
    report.say(f"{kept} {report.coverage.sentence()}")
    return True


def _report(report: CaptureReport) -> None:
    """Say what was captured and what the data set still lacks."""
    coverage = report.coverage
    report.tell(
        {"pictures": coverage.pictures, "unseen": coverage.unseen, "in_one_light": coverage.in_one_light}
    )
    sentences = [
        say(
            "Captured into {folder!r}: {pictures}, {tiles}.",
            folder=str(report.folder),
            pictures=say(PICTURES, count=report.kept),
            tiles=say(TILES, count=report.tiles),
        )
    ]
    if report.before:
        sentences.append(say(_THERE_ALREADY, count=report.before))
    if report.failed:
        sentences.append(say(_NOT_USED, count=report.failed))
    print(" ".join([*sentences, coverage.sentence()]), file=sys.stderr if report.as_json else sys.stdout)
