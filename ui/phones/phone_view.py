"""What the pages on phones and televisions show of a game: the table page's own view, as plain JSON values.

No Qt, no network. A page is given what everybody may see, and a player's page what this player may choose.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.rules.events import FallNeed
from referee.tracking.inputs import Reply
from ui.text.catalogue import languages, say, speaking
from ui.text.phones import words
from ui.text.sentences import tile_name
from ui.viewmodels.ending import EndingView, stock_words
from ui.viewmodels.game_view import (
    Act,
    By,
    CallCheck,
    CardView,
    CarryOut,
    Choice,
    GameView,
    LetFall,
    PlaceView,
    RuleView,
    ShowRoll,
    Tell,
)
from ui.viewmodels.table_view import FallArrow, TileView

if TYPE_CHECKING:
    from referee.rules.game import Game
    from ui.viewmodels.game import GameViewModel

MOST_TURNS = 60
"""The timeline of a page shows the last turns of a long game."""
EVERYBODY = -1
"""Owner of a choice that any player may make."""


@dataclass(frozen=True, slots=True)
class PhoneChoice:
    """One thing that a player may choose on the own phone."""

    id: str
    """Names this choice at this moment, and no other."""
    owner: int
    """The player, from 0, or `EVERYBODY`."""
    label: str
    code: str
    is_quiet: bool
    act: Act


@dataclass(frozen=True, slots=True)
class PhoneView:
    """A game as phones show it, in one language."""

    public: dict[str, Any]
    """What everybody may see."""
    choices: tuple[PhoneChoice, ...] = ()

    def for_player(self, player: int | None) -> dict[str, Any]:
        """Return what a player's page shows; None: somebody who only watches."""
        if player is None or not 0 <= player < len(self.public["players"]):
            return self.public
        own = [choice for choice in self.choices if choice.owner in (player, EVERYBODY)]
        shown = [
            {
                "id": each.id, "label": each.label, "code": each.code, "quiet": each.is_quiet,
                "check": isinstance(each.act, CallCheck),
            }
            for each in own
        ]  # fmt: skip
        return {**self.public, "me": player, "choices": shown}

    def act_of(self, player: int, choice: str) -> By | None:
        """Return what a player's choice does; None where it is not, or no longer, this player's to make."""
        for each in self.choices:
            if each.id == choice and each.owner in (player, EVERYBODY):
                return By(player, each.act)
        return None


def phone_views(model: GameViewModel) -> dict[str, PhoneView]:
    """Return the game in every language that the app speaks. For the thread of the game."""
    found = {}
    for language in languages():
        with speaking(language):
            found[language] = _phone_view(model)
    return found


def _phone_view(model: GameViewModel) -> PhoneView:
    view = model.view(is_live=True)
    game, heard = model.session.follower.game, len(model.session.heard)
    public = {
        "title": view.title,
        "card": _card(view.card, is_clicked=view.is_clicked, is_over=view.is_over),
        "tiles": [_tile(tile) for tile in view.tiles],
        "names": {code: tile_name(code) for code in _codes(view)},
        "arrows": [_arrow(arrow) for arrow in view.arrows],
        "players": [
            {
                "name": player.name, "colour": player.colour, "stock": player.stock,
                "turn": player.is_on_turn, "state": player.state, "last": player.last,
                "winner": player.is_winner,
            }
            for player in view.players
        ],
        "turns": [
            {"number": turn.number, "player": turn.player, "said": list(turn.sentences),
             "mayhem": turn.was_mayhem}
            for turn in view.turns[-MOST_TURNS:]
        ],
        "over": view.is_over,
        "why": None if view.why is None else _why(view.why),
        "ending": None if view.ending is None else _ending(view.ending),
    }  # fmt: skip
    return PhoneView(public, tuple(_choices(view, game, heard)))


def _codes(view: GameView) -> set[str]:
    """Return every tile that a page draws."""
    lying = {tile.code for tile in view.tiles}
    if view.why is not None:
        lying |= {tile.code for tile in view.why.tiles}
    return lying | set(view.card.taken) | {choice.code for choice in view.card.choices if choice.code}


def _card(card: CardView, *, is_clicked: bool, is_over: bool) -> dict[str, Any]:
    sentences = list(card.sentences)
    if is_over:
        sentences = []  # they tell what can be clicked in the window
    elif is_clicked and not card.choices and not card.taken and not card.prompt:
        sentences = [say(words.PLACE_AT_COMPUTER)]
    return {
        "tone": card.tone.value, "headline": card.headline, "step": card.step, "sentences": sentences,
        "taken": list(card.taken), "payment": card.payment, "prompt": card.prompt, "hint": card.hint,
        "later": card.later,
    }  # fmt: skip


def _tile(tile: TileView) -> dict[str, Any]:
    return {
        "code": tile.code, "row": tile.row, "slot": tile.slot, "unsure": tile.unsure, "ring": tile.ring.value,
    }  # fmt: skip


def _arrow(arrow: FallArrow) -> dict[str, Any]:
    return {"row": arrow.row, "slot": arrow.slot, "left": arrow.left, "right": arrow.right}


def _place(place: PlaceView) -> dict[str, Any]:
    return {"row": place.row, "slot": place.slot}


def _why(rule: RuleView) -> dict[str, Any]:
    """Return the rule behind the card."""
    return {
        "title": rule.title, "said": list(rule.sentences), "source": rule.source,
        "tiles": [_tile(tile) for tile in rule.tiles], "arrows": [_arrow(arrow) for arrow in rule.arrows],
        "places": [_place(place) for place in rule.places],
    }  # fmt: skip


def _ending(view: EndingView) -> dict[str, Any]:
    """Return how the game went."""
    return {
        "ranks": [
            {
                "place": rank.place, "player": rank.player, "stock": rank.stock, "caused": rank.caused,
                "suffered": rank.suffered, "wins": rank.wins,
            }
            for rank in view.ranks
        ],
        "stocks": [list(stocks) for stocks in view.stocks], "stocks_told": stock_words(view),
        "remarks": list(view.remarks), "rounds": view.rounds,
    }  # fmt: skip


def _choices(view: GameView, game: Game, heard: int) -> Iterator[PhoneChoice]:
    """Yield what can be chosen on phones; what needs the computer's own window stays there."""
    on_turn = next((at for at, player in enumerate(view.players) if player.is_on_turn), EVERYBODY)
    for choice in view.card.choices:
        owner = _owner(choice, game, on_turn)
        if owner is not None:
            assert isinstance(choice.act, (LetFall, ShowRoll, CarryOut, Tell))  # the others have no owner
            yield PhoneChoice(
                _id(heard, choice.act), owner, choice.label, choice.code, choice.is_quiet, choice.act
            )
    if view.can_check:
        act = CallCheck()
        yield PhoneChoice(_id(heard, act), EVERYBODY, say(words.CALL_CHECK), "", True, act)


def _owner(choice: Choice, game: Game, on_turn: int) -> int | None:
    """Return whose choice it is; None for what is not for phones."""
    match choice.act:
        case LetFall():
            need = game.pending.needs
            chooser = need.chooser if isinstance(need, FallNeed) else None
            return EVERYBODY if chooser is None else chooser
        case ShowRoll() | CarryOut():
            return on_turn
        case Tell(answer):
            return on_turn if answer.reply is Reply.OK else EVERYBODY
    return None


def _id(heard: int, act: Act) -> str:
    """Return a name for an act that changes with everything that is heard: nothing is done twice."""
    return hashlib.sha256(f"{heard} {act!r}".encode()).hexdigest()[:16]
