"""What the table page shows of a game, without any widget."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from referee.rules.events import DieNeed, Direction, FallNeed
from referee.rules.game import Game, Setup, Variant, Voice
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES
from referee.search.observation import ObservedTile, Settled
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer
from tests.ui.recorded_games import settled
from ui.services.game_session import GameSession
from ui.services.replay import follow_again
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from ui.text.rulebook.rules import Topic
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import (
    AnotherRound,
    CallCheck,
    CarryOut,
    Export,
    GoHome,
    Hold,
    KeepTiles,
    LetFall,
    LookBack,
    NameTiles,
    Put,
    PutRight,
    Redo,
    Retile,
    Shift,
    ShowEnding,
    ShowRoll,
    Tell,
    Undo,
)
from ui.viewmodels.table_view import FallArrow, Ring, Tone
from vision.recognition.tile_set import Example

NAMES = ("Anna", "Bruno", "Chloé")


@pytest.fixture(autouse=True)
def english() -> None:
    choose_language("en")


@pytest.fixture
def store(tmp_path) -> Iterator[GameStore]:
    with GameStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


def begin(store: GameStore, *, source: str = "", **agreed: object) -> GameViewModel:
    setup = Setup(**{"players": 3, **agreed})  # type: ignore[arg-type]
    settings = GameSettings(setup, source=source, names=NAMES[: setup.players])
    return GameViewModel(store, GameSession.begin(store, settings, None), settings, chance=random.Random(1))


def shown(model: GameViewModel) -> str:
    return str(Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in model.view().tiles}))


def rings(model: GameViewModel) -> dict[str, Ring]:
    return {tile.code: tile.ring for tile in model.view().tiles if tile.ring is not Ring.NONE}


class TestByClicking:
    """A game without a camera."""

    def test_a_collapse_is_shown_chosen_and_paid(self, store: GameStore) -> None:
        model = begin(store)
        card = model.view().card
        assert (card.tone, card.headline) == (Tone.CALM, "Anna's turn")
        model.do(Put("R40", 0, 0))
        model.do(Put("B20", 0, 1))
        assert [(place.row, place.slot) for place in model.view().places] == [(1, 0)]
        model.do(Put("Y100", 1, 0))
        view = model.view()
        assert (view.card.tone, view.card.headline) == (Tone.MAYHEM, "Collapse")
        assert view.card.taken == ("R40", "B20")
        assert view.card.payment == "under the pile of Chloé (+2, stock 16)"
        assert [choice.act for choice in view.card.choices] == [LetFall(each) for each in Direction]
        assert rings(model) == {"Y100": Ring.CAUSE, "R40": Ring.TAKEN, "B20": Ring.TAKEN}
        assert view.arrows == (FallArrow(1, 0, left=True, right=True),)
        assert view.places == ()
        assert [player.state for player in view.players] == ["", "", "Resolving"]
        model.do(LetFall(Direction.LEFT))
        view = model.view()
        assert (shown(model), view.card.tone) == ("Y100", Tone.CALM)
        assert view.card.headline == "Anna's turn"
        assert [player.stock for player in view.players] == [14, 14, 16]
        assert [player.last for player in view.players] == [
            "Placed red 40",
            "Placed blue 20",
            "Took 2 on turn 3",
        ]
        assert [turn.was_mayhem for turn in view.turns] == [False, False, True]

    def test_what_was_done_can_be_undone_and_done_again_also_after_a_restart(self, store: GameStore) -> None:
        model = begin(store)
        for code, slot in (("R40", 0), ("B20", 1)):
            model.do(Put(code, 0, slot))
        model.do(Undo())
        assert (shown(model), model.view().players[1].stock) == ("R40", 15)
        model.do(Redo())
        assert (shown(model), model.view().can_redo) == ("R40 B20", False)
        model.do(Undo())
        model.do(Undo())
        model.do(Put("G10", 0, 0))
        assert not model.view().can_redo
        game, settings = model.session.game, store.settings(model.session.game)
        again = GameViewModel(store, GameSession(store, game, None), settings)
        assert (shown(again), again.is_clicked) == ("G10", True)
        assert again.view().card == model.view().card
        again.do(Undo())
        assert (shown(again), again.view().can_undo) == ("-", False)

    @pytest.mark.parametrize("roll", [2, 3, 4, 5, 6])
    def test_the_card_and_the_turn_tell_what_the_fire_die_showed(self, store: GameStore, roll: int) -> None:
        model = begin(store, options=Options(fire_die=FireDie.NEWER))
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("B7", 1, 0)):
            model.do(Put(code, row, slot))
        model.do(ShowRoll(roll))
        shows = f"Done: the fire die shows {roll}."
        view = model.view()
        assert view.card.sentences[0] == shows
        assert view.turns[-1].sentences.count(shows) == 1
        while model.view().places == ():
            model.do(model.view().card.choices[0].act)
        place = model.view().places[0]
        model.do(Put("G10", place.row, place.slot))
        assert shows not in model.view().card.sentences

    @pytest.mark.parametrize("seed", range(4))
    def test_a_game_comes_out_as_the_rules_say(self, store: GameStore, seed: int) -> None:
        """Each step that is clicked has the effect that it has in the rules' own game."""
        chance = random.Random(seed)
        die = (FireDie.OFF, FireDie.NEWER)[seed % 2]
        model = begin(store, variant=list(Variant)[seed // 2], options=Options(fire_die=die, curse=seed == 3))
        game: Game = model.session.follower.game
        for _ in range(30):
            before = game.settle() if game.has_placed and game.pending.events == () else game
            needs = before.needs
            if isinstance(before.pending.needs, FallNeed) and len(before.pending.events) <= 1:
                direction = chance.choice(list(Direction))
                model.do(LetFall(direction))
                while game.needs is None:
                    game = game.step()
                game = game.choose(direction)
            elif isinstance(needs, DieNeed):
                roll = chance.randint(1, 6)
                model.do(ShowRoll(roll))
                game = before.roll(roll)
            elif before.pending.events:
                model.do(CarryOut())
                game = game.step()
            else:
                code = chance.choice(sorted(set(TILES) - set(model.view().elsewhere)))
                place = chance.choice(model.view().places)
                model.do(Put(code, place.row, place.slot))
                game = game.place(TILES[code], place.row, place.slot)
            assert shown(model) == str(game.layout)
            assert tuple(player.stock for player in model.view().players) == game.stocks
        entries = store.entries(model.session.game)
        inputs = [entry.content for entry in entries if entry.kind.value != "said"]
        assert follow_again(store.settings(1), inputs)[0].game.layout == game.layout

    def test_the_forecast_tells_calm_from_mayhem_where_it_is_asked_for(self, store: GameStore) -> None:
        model = begin(store)
        for code, slot in (("R40", 0), ("B20", 1)):
            model.do(Put(code, 0, slot))
        model.do(Hold("Y100"))
        assert [place.forecast for place in model.view().places] == [None]
        model.do(Hold("Y100", wants_forecast=True))
        assert [place.forecast for place in model.view().places] == [Tone.MAYHEM]
        model.do(Hold("R4", wants_forecast=True))
        assert [place.forecast for place in model.view().places] == [Tone.CALM]
        assert "R40" in model.view().elsewhere

    @pytest.mark.parametrize("player", range(3))
    def test_whose_turn_it_is_and_the_stocks_are_put_right(self, store: GameStore, player: int) -> None:
        model = begin(store)
        for code, slot in (("R40", 0), ("B20", 1)):
            model.do(Put(code, 0, slot))
        model.do(PutRight(player, (15, 13, 15)))
        view = model.view()
        assert [each.stock for each in view.players] == [15, 13, 15]
        assert [each.is_on_turn for each in view.players] == [at == player for at in range(3)]
        assert [turn.sentences for turn in view.turns] == [("Placed: red 40.",), ("Placed: blue 20.",)]
        model.do(Put("R4", 1, 0))
        assert model.view().players[player].stock == (15, 13, 15)[player] - 1
        assert len(model.view().turns) == 3
        model.do(Undo())
        model.do(Undo())
        assert [each.stock for each in model.view().players] == [14, 14, 15]

    def test_who_resolves_is_put_right(self, store: GameStore) -> None:
        model = begin(store)
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
            model.do(Put(code, row, slot))
        model.do(PutRight(0, (14, 14, 14)))
        view = model.view()
        assert (view.card.headline, view.players[0].state) == ("Collapse", "Resolving")
        assert view.card.payment == "under the pile of Anna (+2, stock 16)"

    def test_left_over_tiles_are_drawn(self, store: GameStore) -> None:
        view = begin(store, players=2).view()
        assert (len(view.tiles), [player.stock for player in view.players]) == (1, [22, 22])
        assert not view.can_undo


class TestAtTheTable:
    """A game that a camera follows."""

    def see(self, model: GameViewModel, *layouts: str) -> None:
        for layout in layouts:
            model.session.hear(settled(layout, model.session.last_s + 5))
        model.do(Hold(None))
        model._forget()

    def test_the_silent_voice_gives_nothing_away_before_a_check(self, store: GameStore) -> None:
        silent = begin(store, source="camera", voice=Voice.SILENT, variant=Variant.STRATEGY)
        calm = begin(store, source="camera", voice=Voice.SILENT, variant=Variant.STRATEGY)
        self.see(silent, "R40", "R40 B20", "R40 B20/Y100")
        self.see(calm, "R40", "R40 B20", "R40 B20/R4")
        one, other = silent.view(), calm.view()
        assert (one.card, one.arrows, one.places, rings(silent)) == (other.card, (), other.places, {})
        assert [(each.stock, each.state) for each in one.players] == [
            (each.stock, each.state) for each in other.players
        ]
        assert (one.can_check, one.card.tone) == (True, Tone.CALM)
        silent.do(CallCheck())
        assert (silent.view().card.headline, rings(silent)["Y100"]) == ("Collapse", Ring.CAUSE)

    @pytest.mark.parametrize("source", ["", "camera"])
    def test_the_silent_voice_stays_silent_when_the_game_is_left_and_goes_on(
        self, store: GameStore, source: str
    ) -> None:
        silent = begin(store, source=source, voice=Voice.SILENT, variant=Variant.STRATEGY)
        if source:
            self.see(silent, "R40", "R40 B20", "R40 B20/Y100")
        else:
            for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
                silent.do(Put(code, row, slot))
        before = silent.view()
        silent.leave()
        game = silent.session.game
        again = GameViewModel(store, GameSession(store, game, None), store.settings(game))
        assert (again.view().card, again.view().turns) == (before.card, before.turns)
        again.do(CallCheck())
        assert again.view().card.headline == "Collapse"

    def test_a_silent_game_that_watch_stopped_goes_on_silently(self, store: GameStore) -> None:
        """`watch` says at its end what was kept back."""
        silent = begin(store, source="camera", voice=Voice.SILENT, variant=Variant.STRATEGY)
        self.see(silent, "R40", "R40 B20", "R40 B20/Y100")
        before = silent.view()
        assert [type(said).__name__ for said in silent.session.close()] == ["MayhemFound"]
        game = silent.session.game
        again = GameViewModel(store, GameSession(store, game, None), store.settings(game))
        assert (again.view().card, again.view().turns) == (before.card, before.turns)

    def test_a_check_that_finds_nothing_says_so_until_the_game_goes_on(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20")
        model.do(CallCheck())
        nothing = "There is nothing to resolve: the pyramid is stable."
        assert model.view().card.sentences == (nothing, "Place a tile. I am watching.")
        self.see(model, "R40 B20/R4")
        assert model.view().card.sentences == ("Place a tile. I am watching.",)

    def test_missed_mayhem_is_violet_and_says_since_when_and_who_pays(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20", "R40 B20/Y100", "R40 B20 G4/Y100 -")
        card = model.view().card
        assert (card.tone, card.headline) == (Tone.MISSED, "Missed mayhem")
        assert card.sentences[0] == "Since turn 3: Collapse"
        assert (card.taken, card.payment) == (("R40", "B20"), "out of the game")

    def test_buttons_only_show_a_fall_that_the_camera_will_see(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20", "R40 B20/Y100")
        model.do(LetFall(Direction.LEFT))
        assert model.view().arrows == (FallArrow(1, 0, left=True, right=False),)
        assert model.view().card.sentences[-1] == "Slide yellow 100 down to the left."
        assert shown(model) == "R40 B20/Y100"

    def test_a_question_offers_what_may_lie_there(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20")
        tiles = (
            *settled("R40 B20", 0).tiles,
            ObservedTile(1, 0, (("R10", 0.5), ("R4", 0.45)), sure=False),
        )
        model.session.hear(Settled(30.0, tiles))
        model._forget()
        view = model.view()
        assert view.card.tone is Tone.QUESTION
        labels = "Red 10, Red 4, Another tile …, We do not know: go on, No tile lies there"
        assert ", ".join(choice.label for choice in view.card.choices) == labels
        assert [tile.unsure for tile in view.tiles if tile.row == 1] == [True]
        assert view.card.asks_about == ((1, 0),)
        model.do(Tell(Answer(Reply.TILE, "R4", 1, 0)))
        assert (shown(model), model.view().card.tone) == ("R40 B20/R4", Tone.CALM)
        model.do(Undo())
        assert model.view().card.tone is Tone.QUESTION

    def test_whether_the_die_was_rolled_can_be_said(self, store: GameStore) -> None:
        model = begin(store, source="camera", options=Options(fire_die=FireDie.NEWER))
        self.see(model, "R40", "R40 B20", "R40 B20/B7")
        model.do(Tell(Answer(Reply.OK)))
        self.see(model, "R40 B20 Y2/B7 -")
        card = model.view().card
        assert card.sentences == ("Was the fire die rolled, and what did it show?",)
        assert [choice.label for choice in card.choices] == [
            "Nobody rolled it", "6", "We do not know: go on"
        ]  # fmt: skip
        model.do(card.choices[0].act)
        assert model.view().card.headline == "Missed mayhem"
        model.do(Undo())
        model.do(card.choices[1].act)
        assert model.view().card.tone is Tone.CALM

    def test_a_tile_is_put_right_or_moved_and_nobody_gains_by_it(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20", "R40 B20/R4")
        stocks = [player.stock for player in model.view().players]
        model.do(Retile(0, 0, "R30"))
        assert shown(model) == "R30 B20/R4"
        model.do(Retile(0, 1, "R30"))
        assert shown(model) == "B20 R30/R4"
        model.do(Shift(1, 0, 0, -1))
        assert shown(model) == "R4 B20 R30"
        assert [player.stock for player in model.view().players] == stocks
        for _ in range(3):
            model.do(Undo())
        assert shown(model) == "R40 B20/R4"

    def test_looking_back_shows_the_turn_and_doing_something_resumes(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20", "R40 B20/R4")
        model.do(LookBack(1))
        view = model.view()
        assert (view.past.at, shown(model)) == (1, "R40 B20")
        assert [turn.sentences for turn in view.turns][1] == ("Placed: blue 20.",)
        model.do(LookBack(None))
        assert (model.view().past, shown(model)) == (None, "R40 B20/R4")

    def test_looking_back_shows_the_stocks_and_the_player_of_that_turn(self, store: GameStore) -> None:
        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20", "R40 B20/Y100", "Y100")
        assert [player.stock for player in model.view().players] == [14, 14, 16]
        model.do(LookBack(1))
        players = model.view().players
        assert [(player.stock, player.is_on_turn) for player in players] == [
            (14, False), (14, True), (15, False)
        ]  # fmt: skip
        model.do(LookBack(2))
        assert [player.stock for player in model.view().players] == [14, 14, 14]

    def test_what_the_silent_voice_kept_back_stands_with_its_turn(self, store: GameStore) -> None:
        model = begin(store, source="camera", voice=Voice.SILENT, variant=Variant.STRATEGY)
        self.see(model, "R40", "R40 B20", "R40 B20/Y100", "R40 B20 G4/Y100 -")
        model.do(CallCheck())
        assert [turn.number for turn in model.view().turns] == [1, 2, 3, 4]

    def test_looking_at_a_finished_game_changes_nothing_of_it(self, store: GameStore) -> None:
        from referee.tracking.inputs import Corrected

        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20")
        model.session.hear(Corrected(20.0, Layout.parse("R40 B20"), (20, 22, 1), ()))
        self.see(model, "R40 B20/R4")
        game = model.session.game
        model.leave()
        before = store.head(game), store.entries(game)
        assert before[0].finished is not None
        again = GameViewModel(store, GameSession(store, game, None), store.settings(game), by_clicking=True)
        again.do(LookBack(2))
        again.leave()
        assert (store.head(game), store.entries(game)) == before

    def test_the_last_tile_ends_the_game(self, store: GameStore) -> None:
        from referee.tracking.inputs import Corrected

        model = begin(store, source="camera")
        self.see(model, "R40", "R40 B20")
        model.session.hear(Corrected(20.0, Layout.parse("R40 B20"), (20, 22, 1), ()))
        self.see(model, "R40 B20/R4")
        view = model.view()
        assert (view.is_over, view.card.headline) == (True, "Chloé wins!")
        assert [player.is_winner for player in view.players] == [False, False, True]
        assert (view.places, view.can_check) == ((), False)
        assert [choice.act for choice in view.card.choices] == [
            ShowEnding(),
            AnotherRound(),
            Export(),
            GoHome(),
        ]

    def test_at_the_end_tiles_that_had_to_be_asked_about_can_be_kept(self, store: GameStore) -> None:
        from referee.tracking.inputs import Corrected

        model = begin(store, source="camera")
        taught = _Taught()
        model.session._learning = taught  # type: ignore[assignment]
        self.see(model, "R40", "R40 B20")
        assert NameTiles() not in [choice.act for choice in model.view().card.choices]
        model.session.hear(Corrected(20.0, Layout.parse("R40 B20"), (20, 22, 1), ()))
        self.see(model, "R40 B20/R4")
        view = model.view()
        assert [choice.act for choice in view.card.choices] == [
            ShowEnding(),
            AnotherRound(),
            Export(),
            NameTiles(),
            GoHome(),
        ]
        assert view.card.sentences[-1].startswith("I have learned 2 tiles of this set.")
        model.do(KeepTiles("mine"))
        view = model.view()
        assert (taught.kept, view.kept_tiles) == (["mine"], "mine")
        assert view.card.sentences[-1].startswith("These tiles are kept as mine.")
        assert [choice.act for choice in view.card.choices] == [
            ShowEnding(),
            AnotherRound(),
            Export(),
            GoHome(),
        ]


class _Taught:
    """Knows two tiles of a set that is worth a name."""

    is_worth_a_name = True
    examples = tuple(Example(code, np.zeros((8, 8, 3), np.uint8)) for code in ("R40", "R40", "B20"))

    def __init__(self) -> None:
        self.kept: list[str] = []

    def keep(self, name: str, replaces: str) -> None:
        self.kept.append(name)

    def hear(self, *_heard: object) -> None:
        """Learn nothing."""


class TestWhy:
    """The rule behind every card, with the tiles of the case."""

    def test_a_collapse_is_explained_with_its_tiles_lit(self, store: GameStore) -> None:
        model = begin(store)
        why = model.view().why
        assert why is not None
        assert (why.topic, len(why.places)) == (Topic.PLACING, 1)
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
            model.do(Put(code, row, slot))
        why = model.view().why
        assert why is not None
        assert (why.topic, why.title) == (Topic.COLLAPSE, "Collapse")
        assert why.arrows == (FallArrow(1, 0, left=True, right=True),)
        assert {tile.code: tile.ring for tile in why.tiles} == rings(model)

    def test_the_card_of_the_die_says_what_each_number_means(self, store: GameStore) -> None:
        model = begin(store, options=Options(fire_die=FireDie.NEWER))
        model.do(Put("R40", 0, 0))
        model.do(Put("R7", 0, 1))
        view = model.view()
        assert view.card.choices[0].act == ShowRoll(1)
        assert view.card.hint == (
            "1, 2, 3: fire, the incendiary stays · 4: fire, it leaves the game · 5: explosion · "
            "6: smoke, nothing burns"
        )
        assert view.why is not None
        assert view.why.topic is Topic.DIE

    def test_the_silent_voice_explains_nothing_that_it_keeps_back(self, store: GameStore) -> None:
        model = begin(store, variant=Variant.STRATEGY, voice=Voice.SILENT)
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
            model.do(Put(code, row, slot))
        why = model.view().why
        assert why is not None
        assert why.topic is Topic.PLACING
        assert {tile.ring for tile in why.tiles} == {Ring.NONE}
        model.do(CallCheck())
        why = model.view().why
        assert why is not None
        assert why.topic is Topic.COLLAPSE
