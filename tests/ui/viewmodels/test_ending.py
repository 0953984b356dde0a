"""How a game went, without any widget."""

from __future__ import annotations

from referee.rules.events import Direction
from referee.rules.game import Setup, Variant, Voice
from referee.tracking.inputs import Corrected
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings, settings_from_dict, settings_to_dict
from ui.storage.game_store import GameStore
from ui.viewmodels.ending import EndingView, stock_words
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import (
    AnotherRound,
    CallCheck,
    Challenge,
    LetFall,
    LookBack,
    Put,
    Ruling,
    ShowEnding,
)

NAMES = ("Anna", "Bruno", "Chloé")


def begin(store: GameStore, wins: tuple[int, ...] = (), **agreed: object) -> GameViewModel:
    settings = GameSettings(Setup(**{"players": 3, **agreed}), "", NAMES, wins=wins)  # type: ignore[arg-type]
    return GameViewModel(store, GameSession.begin(store, settings, None), settings)


def finish(model: GameViewModel) -> EndingView:
    """Leave the player whose turn it is one tile, and place it."""
    game = model.session.follower.game
    on_turn = [player.is_on_turn for player in model.view().players].index(True)
    rest = 45 - len(game.layout) - len(game.out) - 1
    stocks = [1 if player == on_turn else rest // 2 for player in range(3)]
    stocks[(on_turn + 1) % 3] += rest - 2 * (rest // 2)
    model.session.hear(Corrected(model.session.last_s + 1, game.layout, tuple(stocks)))
    model._forget()
    place = model.view().places[0]
    lying = {tile.code for tile in model.view().tiles}
    code = next(code for code in ("Y60", "Y120", "G60") if code not in lying)
    model.do(Put(code, place.row, place.slot))
    ending = model.view().ending
    assert ending is not None
    return ending


def test_there_is_no_ending_before_the_end(store: GameStore) -> None:
    assert begin(store).view().ending is None


def test_ranks_stocks_mayhem_and_the_longest_chain(store: GameStore) -> None:
    model = begin(store)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
        model.do(Put(code, row, slot))
    model.do(LetFall(Direction.LEFT))
    ending = finish(model)
    assert ending.headline == "Anna wins!"
    assert [(rank.place, rank.name, rank.stock) for rank in ending.ranks] == [
        (1, "Anna", 0), (2, "Chloé", 21), (3, "Bruno", 22),
    ]  # fmt: skip
    assert [(rank.name, rank.caused, rank.suffered) for rank in ending.ranks] == [
        ("Anna", 0, 0), ("Chloé", 2, 2), ("Bruno", 0, 0),
    ]  # fmt: skip
    assert ending.stocks[0] == (14, 15, 15)
    assert ending.stocks[-1] == tuple(player.stock for player in model.view().players)
    assert len(ending.stocks) == 5
    assert ending.remarks == (
        "Longest chain: 1 event on turn 3, by Chloé.",
        "Nobody missed anything.",
    )
    assert stock_words(ending).startswith("Anna: 14 tiles at first, 14 at most, 0 at the end. Bruno: 15")
    acts = [choice.act for choice in model.view().card.choices]
    assert acts[:2] == [ShowEnding(), AnotherRound()]


def test_what_was_missed_is_told_with_who_missed_it_and_on_whose_turn_it_was_found(store: GameStore) -> None:
    model = begin(store, variant=Variant.STRATEGY, voice=Voice.SILENT)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0), ("G10", 0, 2)):
        model.do(Put(code, row, slot))
    model.do(CallCheck())
    assert model.view().card.headline == "Missed mayhem"
    while model.view().card.choices and isinstance(model.view().card.choices[0].act, LetFall):
        model.do(LetFall(Direction.LEFT))
    game = model.session.follower.game
    ending_remarks = [
        remark for remark in _remarks(model, store) if remark.startswith("Turn 3, Chloé: mayhem was missed.")
    ]
    assert game.is_stable
    assert len(ending_remarks) == 1
    assert "found on turn" in ending_remarks[0]


def _remarks(model: GameViewModel, store: GameStore) -> tuple[str, ...]:
    from ui.viewmodels.ending import _missed

    return tuple(_missed(model._told(), NAMES))


def test_challenges_are_counted(store: GameStore) -> None:
    model = begin(store)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("R4", 1, 0)):
        model.do(Put(code, row, slot))
    for at in range(3):
        model.do(Challenge(at, 0))
        model.do(Ruling(is_overturned=at == 1))
    model.do(LookBack(None))
    assert finish(model).remarks[-1] == "Challenged: 3, overturned: 1."


def test_rounds_are_counted_over_games(store: GameStore) -> None:
    model = begin(store, wins=(1, 0, 2))
    model.do(Put("R40", 0, 0))
    ending = finish(model)
    assert ending.rounds == 4
    assert {rank.name: rank.wins for rank in ending.ranks} == {"Anna": 1, "Bruno": 1, "Chloé": 2}
    settings = store.settings(model.session.game)
    assert settings.wins == (1, 0, 2)
    assert settings_from_dict({**settings_to_dict(settings), "wins": [1]}).wins == ()
