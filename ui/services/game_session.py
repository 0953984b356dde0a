"""The loop that follows a game: frames in, settled tables read, and what is said stored before it is shown.

No Qt and no printing: the command line and the app use it alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from referee.formats.input_json import MAX_TEXT, input_to_dict
from referee.rules.layout import Layout
from referee.rules.tiles import Colour
from referee.search.observation import ObservedGroup, ObservedTile, Settled
from referee.tracking.announcements import Announcement, Asked
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Input, Noticed, Reply
from referee.tracking.questions import AS_IT_LIES, QuestionKind
from referee.tracking.state import PATIENCE_S
from ui.services.challenges import content_of_challenge
from ui.services.game_learning import GameLearning, told_and_denied
from ui.services.replay import BY_CAMERA, Heard, Replay, clear_time, tiles_seen_last
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore, now
from ui.storage.stored_pictures import pack_picture
from ui.text.announcements import announcement_json
from ui.text.catalogue import _
from ui.text.dates import unseen_sentence
from ui.text.errors import error_sentence
from ui.text.table import NEVER_RESTS, PICTURE_FAULTS
from vision.recognition.naming import KnownLooks
from vision.sources.frame import Frame, SourceNotice
from vision.tracking.table_watch import Awaited, TableReader, TableWatch
from vision.tracking.tile_learner import LearningReader

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8
    from vision.recognition.reading import Reading, TileReading


class Reader(TableReader, Protocol):
    """Reads the settled tables of a game; `vision.recognition.reader.TileReader` does."""

    known: KnownLooks | None
    """What the pictures of this game have told of its tiles so far."""


class WatchedTable:
    """The table of a game that a camera watches, and what the game tells of it. For one thread."""

    def __init__(self, reader: Reader, least: int) -> None:
        """Begin with a table that was not seen yet, on which at least so many tiles should lie."""
        self.known = reader.known = KnownLooks()
        self.watch = TableWatch(reader, least)
        self._heard_s = 0.0
        """When the last table was heard of."""
        self.seen, self.most_before = 0, 0
        """How many tiles were read last, and at most on the tables before, but for things left out since."""

    def see(self, item: Frame, follower: Follower) -> Reading | None:
        """Return what lies on a settled table, or None where a frame tells nothing new."""
        lying = [tile.code for tile in follower.lying]
        awaited = Awaited(
            lying,
            follower.has_begun,
            follower.left_over,
            follower.is_waiting,
            knows_tiles=bool(follower.game.layout),
        )
        most = max(self.most_before, self.seen)
        reading = self.watch.see(item, awaited)
        if reading is not None:
            if self.watch.turned_over_px is not None:
                self.known.way.show(self.watch.turned_over_px)
            self.most_before, self.seen = 0 if self.watch.has_left_out else most, len(reading.tiles)
        return reading

    def hear_first(self, heard: Input, follower: Follower) -> bool:
        """Let what people say count for what is seen, before the game hears it.

        Returns:
            Whether the one row that was seen is read from its other end now.
        """
        if isinstance(heard, Corrected) and heard.layout == _from_other_end(follower.game.layout):
            return self._turn_over()
        if isinstance(heard, Answered):
            if heard.reply is Reply.MENDED and not follower.has_begun:
                self.watch.expect_tiles()
            elif heard.reply is Reply.NO_TILE and not (follower.game.actions or _asks_unseen(follower)):
                # Beside tiles that the game knows the table is not looked at as if it were the first one.
                asked = None if follower.game.layout else follower.question
                places = () if asked is None else asked.places
                self.watch.deny([(place.row, place.slot) for place in places])
                self.seen = self.most_before = 0
        return False

    def _turn_over(self) -> bool:
        """Look at the one row from its other end, as people see it, unless the bricks have shown which it is.

        Which way is up is hard to tell of faces that hardly can be read (films 395106, 395134 and 395149), or
        that lie as they come.
        """
        if self.watch.reading is None or self.watch.has_stood:
            return False
        self.watch.turn_over()
        self.known.turn_over()
        return True

    def hear_after(self, heard: Input, before: Layout, follower: Follower) -> None:
        """Hear what the game made of an input.

        Args:
            heard: The input.
            before: The table of the game before it was heard.
            follower: Follows the game.
        """
        certain = {at: tile.code for at, tile in follower.certain_tiles.items()}
        lying = {*follower.game.layout.cells.values(), *follower.told_tiles}
        if isinstance(heard, Settled):
            self._heard_s = heard.time_s
        judged = follower.judged
        if judged is not None and judged.time_s == self._heard_s:
            # Beside what was no tile the tiles lay one slot off: the wrong one was shown (film 422053).
            self.watch.keep_only({(tile.row, tile.slot) for tile in judged.tiles})
        self.watch.tell(*told_and_denied(heard, before, follower.game.layout))
        self.watch.confirm(certain, {tile.code for tile in lying})
        if self.watch.reading is not None:
            self._learn_colours(self.watch.reading.tiles, follower)

    def _learn_colours(self, tiles: Sequence[TileReading], follower: Follower) -> None:
        """Remember how the colours of those tiles look that are certain now, or that nobody doubts."""
        leftmost, agreed = min((tile.slot for tile in tiles), default=0), follower.agreed_tiles
        for tile in tiles:
            at = tile.row, tile.slot - leftmost
            known = agreed.get(at, follower.game.layout.get(*at))
            # Of a tile that is doubtful by itself, an answer or the rules may have told the colour.
            if (
                known is not None
                and not (tile.covered or tile.cut)
                and known.code[1:]
                in {code[1:] for code in (tile.code, *(each for each, _ in tile.alternatives))}
                and known not in follower.unread
            ):
                self.known.learn(known.code, tile)


class GameSession:
    """One game that is followed and stored. For one thread; `see` takes what a source gives, in order."""

    def __init__(
        self, store: GameStore, game: int, reader: Reader | None, *, keeps_pictures: bool = True
    ) -> None:
        """Take up a stored game, a new one or one that was left.

        Args:
            store: Where the game is stored.
            game: Its number.
            reader: Reads settled tables; None for a game without a camera.
            keeps_pictures: Store the picture of each settled table that is new.

        Raises:
            StorageError: The game cannot be read, or another program follows it.
            ChoiceError: Not 2 to 6 players.
        """
        self.game = game
        self._game_store, self._keeps_pictures = store, keeps_pictures
        inputs = self._hear_stored()
        self._offset_s = 0.0
        self._unseen_since = ""
        """Since when nobody has seen the table, as it is stored; empty while it is seen."""
        least = min(len(self.follower.game.layout.cells), tiles_seen_last(inputs))
        self._table = None if reader is None else WatchedTable(reader, least)
        self.reading: Reading | None = None
        """What was read last."""
        self.is_moving = False
        """Whether something moves over the table, so that what was read last may not lie there any more."""
        self.is_covered = False
        """Whether something lay over the table when it was read last."""
        self.is_unattended = False
        """Whether a recording is watched where nobody can answer."""
        self._learning: GameLearning | None = None
        self._stored: Settled | None = None

    def _hear_stored(self) -> Sequence[Mapping[str, Any]]:
        """Hear what was stored of the game before, and return its inputs."""
        store, game = self._game_store, self.game
        store.follow(game)  # before it is read: nobody adds to it from here on
        entries = store.entries(game)
        inputs = [entry.content for entry in entries if entry.kind is not EntryKind.SAID]
        self._replay = Replay(store.settings(game), inputs)
        self.said_before = [entry.content for entry in entries if entry.kind is EntryKind.SAID]
        """All that was said before, as it was stored."""
        self.last_s: float = max((found["time_s"] for found in inputs if "time_s" in found), default=0.0)
        """The time of the last input, in seconds of the game."""
        self.clear_s = clear_time(inputs)
        """The time of the last settled table over which nothing lay."""
        return inputs

    @classmethod
    def begin(
        cls, store: GameStore, settings: GameSettings, reader: Reader | None, *, keeps_pictures: bool = True
    ) -> GameSession:
        """Start a new game.

        Raises:
            ChoiceError: Not 2 to 6 players; nothing is stored then.
            StorageError: It cannot be stored.
        """
        setup = settings.setup
        Follower(setup.players, setup.options, setup.variant, setup.voice)
        return cls(store, store.start_game(settings), reader, keeps_pictures=keeps_pictures)

    def learn_tiles(self, reader: LearningReader) -> None:
        """Teach a reader the tiles of this game from now on; it begins with what was learned before."""
        store = self._game_store
        self._learning = GameLearning(store, self.game, reader, keeps_pictures=self._keeps_pictures)

    @property
    def learned(self) -> GameLearning | None:
        """What was learned of the tiles; None if nothing is to be."""
        return self._learning

    @property
    def follower(self) -> Follower:
        """The follower; what it says goes through `see`, `hear` and `close` alone."""
        return self._replay.follower

    @property
    def heard(self) -> Sequence[Heard]:
        """The inputs that count, in order, with what was said to them."""
        return self._replay.heard

    @property
    def correctable(self) -> Layout:
        """The table that people put right: the game's; in a lost game the one that is seen."""
        follower = self.follower
        return Layout.parse(follower.table) if follower.is_lost else follower.game.layout

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.follower.game.winner is not None

    def go_on_after(self, *, tells: bool = True) -> None:
        """Let the time of what is seen from now on, which begins at 0 again, go on after the game's last.

        Args:
            tells: Whether the first picture brings the remark that nobody saw what happened until then; in a
                game of which no table was seen it never does.
        """
        self._offset_s = self.last_s
        entries = self._game_store.entries(self.game)
        if tells and any(entry.kind is EntryKind.SETTLED for entry in entries):
            self._unseen_since = entries[-1].time

    def see(self, item: Frame | SourceNotice) -> list[Announcement]:
        """Return what is said about a frame or notice; it is stored by then.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        if isinstance(item, SourceNotice):
            text = error_sentence(item)[:MAX_TEXT]
            return self.hear(Noticed(self._time_of(item), text))
        said = [*self._tell_unseen(item), *self._see_frame(item)]
        is_asked = any(isinstance(each, Asked) and each.question.asks_laid for each in said)
        table = self._table
        if self.is_unattended and is_asked and table is not None and table.seen >= table.most_before:
            # Who played in a recording never heard that a left-over tile was to be laid: it was placed. Where
            # more lay there before it is not the first one (film 411822).
            said += self.hear(AS_IT_LIES.at(self.last_s))
        return said

    def _tell_unseen(self, frame: Frame) -> list[Announcement]:
        """Return the remark that nobody saw the table until this frame, where that is so."""
        since, self._unseen_since = self._unseen_since, ""
        return self.hear(Noticed(self._time_of(frame), unseen_sentence(since, now()))) if since else []

    def _see_frame(self, item: Frame) -> list[Announcement]:
        assert self._table is not None, "who has no reader has no frames either"
        reading = self._table.see(item, self.follower)
        watch = self._table.watch
        self.reading, self.is_moving, self.is_covered = watch.reading, watch.is_moving, watch.is_covered
        if reading is None:
            return self.hear(Noticed(self._time_of(item), _(NEVER_RESTS))) if watch.never_rests else []
        settled = as_settled(reading, self._time_of(item), hidden=watch.is_covered)
        settled = replace(settled, left_out=watch.has_left_out)
        turned = self._turn_row_over(settled.time_s) if watch.turned_over_px is not None else []
        said = turned + self.hear(settled, item.image_bgr)
        if watch.fault is not None:
            said += self.hear(Noticed(settled.time_s, _(PICTURE_FAULTS[watch.fault.value])))
        if self._learning is not None:
            clear = None if watch.is_covered else self.reading
            self._learning.see(watch.in_enough_light(item.image_bgr), clear, self.follower, self._newest)
        return said

    def hear(
        self, heard: Input, image_bgr: ImageU8 | None = None, *, by: int | None = None
    ) -> list[Announcement]:
        """Return what is said about an input; both are stored by then.

        Args:
            heard: What happened; a settled table that is as the last one, and of which nothing is said, is
                not stored.
            image_bgr: (height, width, 3) uint8, BGR: how the table looks.
            by: The player, from 0, who said so on the own phone; stored with it.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        before, table = self.follower.game.layout, self._table
        if table is not None and table.hear_first(heard, self.follower):
            self.reading = table.watch.reading
            if self._learning is not None:
                self._learning.turn_over()
        said = self.follower.hear(heard)
        if table is not None:
            table.hear_after(heard, before, self.follower)
            self._leave_out_things(table.watch.reading)
        self.last_s = heard.time_s
        picture = None
        if isinstance(heard, Settled):
            is_new = self._stored is None or replace(heard, time_s=self._stored.time_s) != self._stored
            if not is_new and not said:
                return []
            if image_bgr is not None and self._keeps_pictures and (said or self._lies_otherwise(heard)):
                picture = pack_picture(image_bgr)
            self._stored = heard
        content = input_to_dict(heard) | ({} if by is None else {"by": by})
        self._store(EntryKind(content["input"]), content, said, picture)
        self._replay.note(content, said)
        if self._learning is not None:
            self._learning.hear(heard, before, self.follower, self._newest)
        return said

    def _leave_out_things(self, reading: Reading | None) -> None:
        """Take what was read last without what people say is no tile."""
        if reading is None or reading is self.reading:
            return
        self.reading = reading
        if self._learning is not None:
            self._learning.correct(reading)

    def _turn_row_over(self, time_s: float) -> list[Announcement]:
        """Put the game's one row the other way round: the bricks upon it show that it was read so."""
        before = self.follower.game.layout
        layout = _from_other_end(before)
        if layout is None or self.follower.unread or self.follower.is_lost:
            return []
        heard = Corrected(time_s, layout)
        said = self.follower.hear(heard)
        content = {**input_to_dict(heard), BY_CAMERA: True}
        self._store(EntryKind(content["input"]), content, said, None)
        self._replay.note(content, said)
        if self._learning is not None:
            self._learning.turn_over()
            self._learning.hear(heard, before, self.follower, self._newest)
        return said

    def challenge(self, number: int, *, is_overturned: bool) -> None:
        """Store that players had the call on an input judged again.

        Args:
            number: As in `heard`.
            is_overturned: Whether the call was wrong.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        self.last_s = round(self.last_s + 0.001, 3)
        content = content_of_challenge(self.last_s, number, is_overturned=is_overturned)
        self._store(EntryKind.CHALLENGE, content, [], None)
        self._replay.note(content, [])

    def take_back(self, numbers: Sequence[int], *, again: bool = False) -> None:
        """Let inputs not count any more, or count again; everything else stays as it was heard.

        Args:
            numbers: As in `heard`.
            again: Whether they count again.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        kind = EntryKind.REDONE if again else EntryKind.UNDONE
        content = {"input": kind.value, "time_s": self.last_s, "inputs": list(numbers)}
        self._store(kind, content, [], None)
        self._replay.hear(content)
        if self._table is not None:
            self._table.known.colours.forget()
        self._stored = None
        if self._learning is not None:
            self._learning.take_back(min(numbers, default=0))

    def close(self) -> list[Announcement]:
        """Return what was kept back, stored, and let others follow the game.

        It may go on later, unless somebody has won. What nobody answered in a recording is set aside first.

        Raises:
            StorageError: It could not be stored.
        """
        ended = _that_nobody_answers(self.follower, self.last_s) if self.is_unattended else ()
        told = [line for heard in ended for line in self.hear(heard)]
        said = self.follower.close()
        content = {"input": EntryKind.CLOSED.value, "time_s": self.last_s}
        self._store(EntryKind.CLOSED, content, said, None)
        self._replay.note(content, said)
        self.leave()
        return [*told, *said]

    def leave(self) -> None:
        """Let others follow the game; one that somebody has won is finished, of any other nothing is said.

        Raises:
            StorageError: It could not be stored.
        """
        if self.is_over and self._game_store.head(self.game).finished is None:
            self._game_store.finish(self.game)
        self._game_store.leave(self.game)

    @property
    def _newest(self) -> int:
        """The number of the last input; -1 before the first."""
        return self.heard[-1].number if self.heard else -1

    def _time_of(self, item: Frame | SourceNotice) -> float:
        """Return the time in the game; a notice can be older than the frame before it."""
        return max(self.last_s, round(item.time_s + self._offset_s, 3))

    def _lies_otherwise(self, settled: Settled) -> bool:
        """Return whether a table looks new to people, not just to the reader's last decimal."""
        return self._stored is None or _codes(settled) != _codes(self._stored)

    def _store(
        self,
        kind: EntryKind,
        content: Mapping[str, Any],
        said: Sequence[Announcement],
        picture: bytes | None,
    ) -> None:
        stored = [(EntryKind.SAID, announcement_json(each)) for each in said]
        self._game_store.append(self.game, [(kind, content), *stored], picture)


def as_settled(reading: Reading, time_s: float, *, hidden: bool) -> Settled:
    """Return a reading as the follower hears it; `hidden`: something lies over the table."""
    tiles = tuple(_observed_tile(tile, hidden=hidden) for tile in reading.tiles)
    lifted = () if hidden else reading.lifted
    return Settled(time_s, tiles, hidden, tuple(_observed_groups(reading)), lifted)


def _observed_groups(reading: Reading) -> Iterator[ObservedGroup]:
    """Yield the groups of which the colour must be told, as far as their tiles still lie there in doubt."""
    places = {tile.code: (tile.row, tile.slot) for tile in reading.tiles if tile.unsure and not tile.covered}
    for group in reading.unnamed:
        lying = tuple(places[code] for code in group.codes if code in places)
        if len(lying) > 1:
            yield ObservedGroup(lying, tuple((Colour(letter), chance) for letter, chance in group.colours))


def _observed_tile(tile: TileReading, *, hidden: bool) -> ObservedTile:
    """Return a tile with its chances; one that is covered or cut off in part may be any.

    Where nothing lies over the table, no tile is covered, whatever it looks like.
    """
    codes = ((tile.code, tile.confidence), *tile.alternatives)
    covered = tile.cut or (hidden and tile.covered)
    return ObservedTile(tile.row, tile.slot, codes, not tile.unsure, covered, tile.lay_first)


def _codes(settled: Settled) -> list[tuple[int, int, str]]:
    return [(tile.row, tile.slot, tile.codes[0][0]) for tile in settled.tiles]


def _asks_unseen(follower: Follower) -> bool:
    """Return whether a tile is asked about that nobody sees any more."""
    return follower.question is not None and follower.question.kind is QuestionKind.UNSEEN_TILE


def _that_nobody_answers(follower: Follower, time_s: float) -> Iterator[Input]:
    """Yield what ends the waiting for answers to what is open when a recording ends.

    Play had gone on over a tile that nobody had seen, and all of it was still waited with (film 465524).
    """
    if follower.is_waiting and follower.judged is not None:
        yield replace(follower.judged, time_s=time_s + PATIENCE_S + 1)
    asked = follower.question
    if asked is not None and asked.stays_open_with(AS_IT_LIES):
        yield AS_IT_LIES.at(time_s + PATIENCE_S + 1)


def _from_other_end(layout: Layout) -> Layout | None:
    """Return a row of two tiles and more as it is seen from the other end; None where others lie on it."""
    last = max((slot for (_, slot), _ in layout.tiles), default=0)
    if not last or any(row for (row, _), _ in layout.tiles):
        return None
    return Layout.from_tiles({(0, last - slot): tile.code for (_, slot), tile in layout.tiles})
