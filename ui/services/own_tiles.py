"""From photos to a tile set, for the app: capture photos into a data set, learn what is confirmed, export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ui.text import review as texts
from ui.text.catalogue import say
from ui.text.counts import LABELS, PICTURES, TILES
from ui.text.enrolment import disagreement_sentences, likeness_sentences

if TYPE_CHECKING:
    from vision.dataset.capture import LabelProposer
    from vision.dataset.review import Review
    from vision.dataset.review_progress import ReviewProgress
    from vision.errors import VisionError
    from vision.recognition.tile_set import TileSet
    from vision.tilesets.enrolment import Learned

Told = Callable[[int, int], None]
MOST_TOLD = 3
"""Labels that look wrong which are told after learning."""


@dataclass(frozen=True, slots=True)
class LearnedTiles:
    """A tile set that was learned and kept."""

    name: str
    sentences: tuple[str, ...]
    is_of_the_game: bool
    """Whether games can be played with it."""


def new_data_set_folder(parent: Path) -> Path:
    """Return a folder for a new data set, named after the day; it is not there yet."""
    day = f"tiles-{date.today().isoformat()}"
    number = 1
    while (folder := parent / (day if number == 1 else f"{day}-{number}")).exists():
        number += 1
    return folder


def capture_photos(photos: Sequence[Path], folder: Path, tiles: str, told: Told) -> Review:
    """Put photos into a data set with proposed labels, and return it ready for review.

    Args:
        photos: The files, which are not changed; those that are in the data set already are left out.
        folder: The data set; made where it is not there.
        tiles: Name of the tile set that is proposed; empty for the shipped one.
        told: Called with how many photos are done, of how many.

    Raises:
        VisionError: The models cannot be opened, or no photo could be used.
    """
    from ui.storage.paths import open_tile_set
    from ui.storage.preferences import reader_folder
    from vision.dataset.capture import LabelProposer
    from vision.dataset.review import open_review
    from vision.errors import DataSetError, TileSetError

    try:
        tile_set = open_tile_set(tiles or None)
    except TileSetError:  # it is not needed to find tiles
        tile_set = None
    proposer = LabelProposer(tile_set, reader_folder())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataSetError(
            "{path!r} cannot be written: {reason}.", path=str(folder), reason=error.strerror or error
        ) from error
    problems = _add_photos(photos, folder, proposer, told)
    if len(problems) == len(photos) and problems:
        raise problems[0]
    review = open_review(folder)
    if not review.size:
        raise DataSetError(texts.NOTHING_FOUND)
    review.problems = (*problems, *review.problems)
    return review


def _add_photos(
    photos: Sequence[Path], folder: Path, proposer: LabelProposer, told: Told
) -> list[VisionError]:
    """Put photos into a data set, and return why some of them could not be used."""
    from vision.dataset.capture import add_photo
    from vision.errors import ImageError

    problems: list[VisionError] = []
    told(0, len(photos))
    for number, photo in enumerate(photos, 1):
        try:
            add_photo(photo, folder, proposer)
        except ImageError as error:
            problems.append(error)
        told(number, len(photos))
    return problems


def learn_tiles(
    name: str, photos: Sequence[Path], copies: int, progress: ReviewProgress, told: Told
) -> LearnedTiles:
    """Learn the confirmed tiles of a data set and store them under a name.

    Args:
        name: What the tile set is to be called.
        photos: The pictures of the data set.
        copies: How many of each tile there are.
        progress: How far the review of the data set is.
        told: Called with how many photos are done, of how many.

    Raises:
        VisionError: Nothing is confirmed, labels contradict each other, or the set cannot be kept.
    """
    from ui.storage.paths import tile_sets_folder
    from ui.storage.preferences import reader_folder
    from vision.errors import TileSetError
    from vision.recognition.model_store import open_model
    from vision.recognition.tile_set import check_name
    from vision.tilesets.enrolment import LabelledPhoto, learn
    from vision.tilesets.labelled_photos import labelled_by_files
    from vision.tilesets.tile_set_file import write_tile_set

    check_name(name)
    if not progress.confirmed:
        raise TileSetError(texts.NOTHING_CONFIRMED)

    def labelled() -> Iterator[LabelledPhoto]:
        for number, photo in enumerate(labelled_by_files(photos), 1):
            told(number, len(photos))
            yield photo

    learned = learn(name, labelled(), open_model("reader", reader_folder()), copies=copies)
    write_tile_set(learned.tile_set, tile_sets_folder())
    sentences = _sentences_about(learned, name)
    if progress.proposed:
        sentences.append(say(texts.LEFT_PROPOSED, count=progress.proposed))
    return LearnedTiles(name, tuple(sentences), learned.tile_set.is_of_the_game)


def _sentences_about(learned: Learned, name: str) -> list[str]:
    """Return what is said of the tiles that were learned, the most doubtful ones by name."""
    tile_set = learned.tile_set
    return [
        say(
            texts.LEARNED,
            tiles=say(TILES, count=len(tile_set.codes)),
            pictures=say(PICTURES, count=len(tile_set.examples)),
            name=name,
        ),
        *likeness_sentences(learned.closest),
        *disagreement_sentences(learned.disagreements[:MOST_TOLD]),
    ]


def open_playable(name: str | None) -> TileSet | None:
    """Return the tile set of this name, with which games can be played; None for the box's own tiles.

    Raises:
        TileSetError: There is no such set, it is damaged, or its tiles are those of another game.
    """
    from ui.storage.paths import open_tile_set
    from vision.errors import TileSetError

    tile_set = open_tile_set(name)
    if tile_set is not None and not tile_set.is_of_the_game:
        raise TileSetError(
            "{name!r} has the tiles of another game, and the app knows only the rules of this one. "
            "Read them with: pyramid-referee check --tiles {name}",
            name=name,
        )
    return tile_set


def name_for(folder: Path) -> str:
    """Return what the tile set of a data set may be called."""
    return re.sub(r"[^\w-]+", "-", folder.name).strip("-_")[:40] or "my-tiles"


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """How a data set is to be exported."""

    format: str
    folder: Path
    licence: str
    blur: bool


def export_data_set(folder: Path, request: ExportRequest, told: Told) -> str:
    """Write the data set in a folder for others; return what is to be said of it.

    Raises:
        VisionError: It cannot be read or written.
    """
    from dataclasses import replace

    from ui.text.errors import error_sentence
    from vision.dataset.anonymise import PrivacyOptions
    from vision.dataset.dataset import FILE_NAME, build_data_set, read_data_set
    from vision.dataset.formats.convert import export

    has_manifest = (folder / FILE_NAME).is_file()
    data_set, problems = read_data_set(folder) if has_manifest else build_data_set(folder)
    data_set = replace(data_set, licence=request.licence or data_set.licence)
    treatment = PrivacyOptions(blur=request.blur, crop=False, keep_metadata=False)
    problems = [*problems, *export(data_set, request.format, request.folder, treatment, told)]
    labels = sum(len(picture.labels) for picture in data_set.pictures)
    sentence = say(
        texts.EXPORTED,
        pictures=say(PICTURES, count=len(data_set.pictures)),
        labels=say(LABELS, count=labels),
        folder=str(request.folder),
    )
    if problems:
        sentence += " " + say(texts.LEFT_OUT, count=len(problems), reason=error_sentence(problems[0]))
    return sentence
