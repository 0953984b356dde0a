"""What a game teaches of its tiles: told to the reader, stored with the game, and kept under a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.search.mistakes import find_differences
from referee.tracking.inputs import Answered, Corrected, Input, Reply
from ui.storage.game_examples import GameExamples, StoredExample
from ui.storage.paths import own_names, tile_sets_folder
from ui.storage.stored_pictures import pack_crop, unpack_crop
from vision.errors import TileSetError
from vision.recognition.own_set import Learned
from vision.recognition.tile_set import Example
from vision.tilesets.tile_set_file import write_tile_set
from vision.tracking.tile_learner import LearningReader, TileLearner

if TYPE_CHECKING:
    from referee.rules.layout import Layout
    from referee.tracking.follower import Follower
    from ui.storage.game_store import GameStore
    from vision.imaging.arrays import ImageU8
    from vision.recognition.reading import Reading

FEWEST_KEPT = 10
"""A set of fewer different tiles is not worth a name."""


class GameLearning:
    """Learns the tiles of one game. For one thread."""

    def __init__(self, store: GameStore, game: int, reader: LearningReader, *, keeps_pictures: bool) -> None:
        """Go on with what the game has taught before.

        Args:
            store: Where the game is stored.
            game: Its number.
            reader: Is taught; not touched before something is seen or heard.
            keeps_pictures: Whether pictures may be stored, such as those of the tiles.

        Raises:
            StorageError: The store cannot be read.
        """
        self._stored, self._keeps_pictures = GameExamples(store.database, game), keeps_pictures
        self._learner = TileLearner(reader, list(_unpacked(self._stored.all())))

    @property
    def examples(self) -> tuple[Example, ...]:
        """The pictures of tiles that are known, those of a set that was kept before too."""
        own_set = self._learner.own_set
        return () if own_set is None else own_set.examples

    @property
    def is_worth_a_name(self) -> bool:
        """Whether the reader had to be told tiles of this set, and knows many of them now."""
        own_set = self._learner.own_set
        if own_set is None or not any(each.is_told for each in own_set.learned):
            return False
        return len({each.code for each in own_set.examples}) >= FEWEST_KEPT

    def keep(self, name: str, replaces: str = "") -> None:
        """Keep the tiles that are known under a name, for other games.

        Args:
            name: What the set is to be called.
            replaces: The kept set that the game is played with; it may get the same name again.

        Raises:
            TileSetError: It can have no such name, another set has it, or it cannot be written.
        """
        own_set, folder = self._learner.own_set, tile_sets_folder()
        if own_set is None:
            raise TileSetError("No tile of this set is known yet.")
        tile_set = own_set.as_tile_set(name)
        if name != replaces and name in own_names(folder, "*.json"):
            raise TileSetError("There is a tile set {name!r} already. Choose another name.", name=name)
        write_tile_set(tile_set, folder)

    def see(self, image_bgr: ImageU8, reading: Reading | None, follower: Follower, at: int) -> None:
        """Learn from a settled table that was heard.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; kept until the next.
            reading: What was read there; None if something lies over the table.
            follower: Follows the game.
            at: The number of the game's last input.

        Raises:
            StorageError: It could not be stored.
        """
        known = {**follower.agreed_tiles, **follower.certain_tiles}
        lying = {place: tile.code for place, tile in known.items()}
        if self._learner.see(image_bgr, reading, lying, at):
            self._keep()

    def hear(self, heard: Input, before: Layout, follower: Follower, at: int) -> None:
        """Learn from an input that was heard: what people say of tiles.

        Args:
            heard: The input.
            before: The table of the game before it was heard.
            follower: Follows the game.
            at: The number of the input.

        Raises:
            StorageError: It could not be stored.
        """
        told, denied = told_and_denied(heard, before, follower.game.layout)
        if not told and not denied:
            return
        lying = {place: tile.code for place, tile in follower.certain_tiles.items()}
        if self._learner.hear(lying, told, denied, at):
            self._keep()

    def correct(self, reading: Reading) -> None:
        """Hear what was read on the table that was seen last, without what people say is no tile."""
        self._learner.correct(reading)

    def turn_over(self) -> None:
        """Hear that the one row that was seen last is read from its wrong end, and each tile on its head."""
        self._learner.turn_over()

    def take_back(self, at: int) -> None:
        """Unlearn everything since an input.

        Raises:
            StorageError: It could not be stored.
        """
        self._learner.take_back(at)
        self._keep()

    def _keep(self) -> None:
        own_set = self._learner.own_set
        if own_set is not None and self._keeps_pictures:
            self._stored.keep([_packed(each) for each in own_set.learned])


def told_and_denied(heard: Input, before: Layout, after: Layout) -> tuple[set[str], set[str]]:
    """Return the codes of tiles that somebody named, and of those that were taken for others till then."""
    told: set[str] = set()
    denied: set[str] = set()
    if isinstance(heard, Answered) and heard.reply is Reply.TILE and heard.code is not None:
        told.add(heard.code)
    elif not isinstance(heard, Corrected):
        return told, denied
    for found in find_differences(before, after):
        if found.expected is None or found.seen is None:
            if isinstance(heard, Corrected):
                told |= {tile.code for tile in (found.seen,) if tile is not None}
                denied |= {tile.code for tile in (found.expected,) if tile is not None}
        elif isinstance(heard, Corrected) or found.seen.code in told:
            told.add(found.seen.code)
            denied |= {found.expected.code, found.seen.code}
    return told, denied


def _packed(learned: Learned) -> StoredExample:
    example = learned.example
    return StoredExample(example.code, learned.at, learned.is_told, pack_crop(example.crop_bgr))


def _unpacked(stored: list[StoredExample]) -> Iterator[Learned]:
    for each in stored:
        crop = unpack_crop(each.png)
        if crop is not None:
            yield Learned(Example(each.code, crop), each.input, each.is_told)
