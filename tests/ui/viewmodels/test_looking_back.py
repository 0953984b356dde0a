"""Calls that players have judged again, without any widget."""

from __future__ import annotations

import pytest

from referee.rules.game import Setup, Variant, Voice
from referee.rules.layout import Layout
from referee.search.observation import ObservedTile, Settled
from ui.errors import ToldError
from ui.services.challenges import rulings
from ui.services.game_copy import copy_until
from ui.services.game_session import GameSession
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import CardView, Challenge, LookBack, Retile, Ruling, Tell, Undo
from ui.viewmodels.looking_back import past_card
from ui.viewmodels.table_view import Tone

NAMES = ("Anna", "Bruno", "Chloé")


def begin(store: GameStore, *, source: str = "camera", **agreed: object) -> GameViewModel:
    settings = GameSettings(Setup(**{"players": 3, **agreed}), source, NAMES)  # type: ignore[arg-type]
    return GameViewModel(store, GameSession.begin(store, settings, None), settings)


def see(model: GameViewModel, *layouts: str, doubt: dict[str, str] | None = None) -> None:
    """Let the referee see tables; a code in `doubt` is read as it is or, rather less likely, as another."""
    for text in layouts:
        tiles = []
        for (row, slot), tile in Layout.parse(text).tiles:
            other = (doubt or {}).get(tile.code)
            codes = ((tile.code, 0.9), (other, 0.099)) if other else ((tile.code, 0.999),)
            tiles.append(ObservedTile(row, slot, codes, sure=other is None))
        model.session.hear(Settled(model.session.last_s + 5, tuple(tiles)))
    model._forget()


def card_of(model: GameViewModel) -> CardView:
    return past_card(model.view())


def drawn(model: GameViewModel) -> str:
    return str(Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in model.view().tiles}))


def challenges(store: GameStore, model: GameViewModel) -> dict[int, bool]:
    return rulings(entry.content for entry in store.entries(model.session.game))


def test_a_call_that_stands_is_counted_and_stays_known(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20", "R40 B20/Y100", "Y100")
    model.do(LookBack(2, 1))
    acts = [choice.act for choice in card_of(model).choices]
    assert acts[1] == Challenge(2, 1)
    model.do(Challenge(2, 1))
    card = card_of(model)
    assert (card.tone, card.headline) == (Tone.QUESTION, "Challenge: turn 3, Chloé")
    assert card.sentences[0] == "Placed: yellow 100."
    assert card.topic is not None  # there is a rule behind it
    assert card.sentences[-1] == "I was sure of this table, and weighed no other."
    assert [choice.act for choice in card.choices] == [
        Ruling(is_overturned=False), Ruling(is_overturned=True), LookBack(2, 1)
    ]  # fmt: skip
    table = model.session.follower.game.layout
    model.do(Ruling(is_overturned=False))
    assert (model.view().past.at, model.view().past.challenge) == (2, None)
    assert card_of(model).sentences[-1] == "This call was challenged: it stands."
    assert list(challenges(store, model).values()) == [False]
    assert model.session.follower.game.layout == table
    game, settings = model.session.game, store.settings(model.session.game)
    again = GameViewModel(store, GameSession(store, game, None), settings)
    again.do(LookBack(2))
    assert card_of(again).sentences[-1] == "This call was challenged: it stands."


def test_what_else_was_weighed_is_told(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40")
    see(model, "R40 B20", doubt={"B20": "B10"})
    question = model.session.follower.question
    assert question is not None
    model.do(Challenge(0, 0))  # the call that is known; the table in doubt has no call yet
    assert card_of(model).sentences[-1] == "I was sure of this table, and weighed no other."
    model.do(Tell(question.answers[0]))
    see(model, "R40 B20/R4", doubt={"B20": "B10"})
    model.session.hear(Settled(model.session.last_s + 1, ()))
    model.do(Challenge(1, 0))
    assert "I was sure of this table, and weighed no other." in card_of(model).sentences


def test_a_likely_table_tells_how_likely_it_was(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20")
    see(model, "R40 B20/R4", doubt={"R4": "R10"})
    assert model.session.follower.question is not None
    model.do(Challenge(1, 0))
    assert drawn(model) == "R40 B20"
    then = model.session.follower.beliefs
    assert [str(belief.layout) for belief in then] == ["R40 B20/R4", "R40 B20/R10"]
    assert [round(belief.chance, 2) for belief in then] == [0.9, 0.1]


def test_the_tile_that_really_lay_there_is_judged_and_put_right(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20", "R40 B20/R4")
    model.do(Challenge(2, 0, (1, 0), "Y100"))
    assert drawn(model) == "R40 B20/Y100"
    sentences = card_of(model).sentences
    assert "With yellow 100 there:" in sentences
    assert any(sentence.startswith("1. Collapse") for sentence in sentences)
    model.do(Ruling(is_overturned=True))
    model.do(LookBack(None))
    assert model.view().card.headline == "Collapse"
    assert list(challenges(store, model).values()) == [True]
    model.do(Undo())
    assert (drawn(model), model.view().card.tone) == ("R40 B20/R4", Tone.CALM)
    assert model._told().rulings == {}


def test_a_tile_that_lies_there_no_more_changes_nothing(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20", "R40 B20/Y100", "Y100")
    model.do(Challenge(0, 0, (0, 0), "R30"))
    assert card_of(model).sentences[-1] == "There is nothing to resolve: the pyramid is stable."
    before = model.session.follower.game
    model.do(Ruling(is_overturned=True))
    assert model.session.follower.game is before
    assert list(challenges(store, model).values()) == [True]
    with pytest.raises(ToldError):
        model.do(Challenge(0, 0, (3, 0), "R30"))


def test_a_correction_was_not_weighed(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20", "R40 B20/R4")
    model.do(Retile(1, 0, "Y100"))
    model.do(Challenge(2, 1))
    told = "I did not weigh this table: you told me of it, or the rules did not lead to it."
    assert card_of(model).sentences[-1] == told
    model.do(Challenge(2, 0))
    assert card_of(model).sentences[-1] != told


def test_the_silent_voice_does_not_judge_other_tiles_before_the_end(store: GameStore) -> None:
    model = begin(store, voice=Voice.SILENT, variant=Variant.STRATEGY)
    see(model, "R40", "R40 B20", "R40 B20/Y100")
    model.do(Challenge(2, 0, (1, 0), "R30"))
    assert (drawn(model), card_of(model).hint) == ("R40 B20/Y100", "")
    assert not model.view().past.challenge.can_name


def test_a_call_is_counted_once_as_it_was_ruled_last(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20")
    for at, is_overturned in ((0, True), (1, True), (0, False)):
        model.do(Challenge(at, 0))
        model.do(Ruling(is_overturned=is_overturned))
    model.do(Ruling(is_overturned=True))  # nothing is challenged
    assert sorted(challenges(store, model).values()) == [False, True]
    assert sorted(model._told().rulings.values()) == [False, True]


def test_a_copy_of_a_game_has_no_challenges(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40", "R40 B20")
    model.do(Challenge(0, 0))
    model.do(Ruling(is_overturned=True))
    see(model, "R40 B20/R4")
    copied = copy_until(store, model.session.game, model.session.heard[-1].number)
    kinds = [entry.kind for entry in store.entries(copied)]
    assert (kinds.count(EntryKind.CHALLENGE), kinds.count(EntryKind.SETTLED)) == (0, 3)


def test_no_turn_is_challenged_that_is_not_there(store: GameStore) -> None:
    model = begin(store)
    see(model, "R40")
    model.do(Challenge(7, 0))
    assert model.view().past is None
