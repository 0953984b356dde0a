"""What the referee asks, and the answers to it, in the language of the user."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rules.tiles import Tile
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer, Question, QuestionKind
from ui.text.catalogue import Plural, _, mark, say
from ui.text.sentences import Names, colour_name, either_tile, tile_name, tile_names
from ui.text.table import capital, name_of

_SENTENCES: Mapping[QuestionKind, str | Plural] = {
    QuestionKind.WHICH_TILE: mark(
        "Is the tile in row {row} from the bottom, slot {slot} from the left, {either}?"
    ),
    QuestionKind.WHICH_COLOUR: mark("{count} tiles look alike in colour. Which colour are these?"),
    QuestionKind.EXCHANGED: mark(
        "In row {row} from the bottom, slot {slot} from the left, there was {first}. Now I read "
        "{last}. Which of the two is it?"
    ),
    QuestionKind.UNSEEN_TILE: mark(
        "A tile was placed, and tiles came off before I could see it. Was it {either}?"
    ),
    QuestionKind.PLACED_FIRST: mark("Which was placed first, {either}?"),
    QuestionKind.ROLL: mark("What did the fire die show?"),
    QuestionKind.WAS_ROLLED: mark("Was the fire die rolled, and what did it show?"),
    QuestionKind.UNCLEAR: mark("I do not know what happened. Please correct the table, or just go on."),
    QuestionKind.NO_PLACE: mark(
        "{first} may not be placed there: gaps are filled first, and the base grows only at its ends. Move "
        "the tile, or say that the table is correct."
    ),
    QuestionKind.PUT_BACK: mark(
        "By the rules, the table cannot look like this. Put {tiles} back, or say that the table is correct."
    ),
    QuestionKind.TAKE_OFF: mark(
        "By the rules, the table cannot look like this. Take {tiles} off, or say that the table is correct."
    ),
    QuestionKind.MOVE_BACK: mark(
        "By the rules, the table cannot look like this. Move {tiles} back, or say that the table is correct."
    ),
    QuestionKind.PUT_RIGHT: mark(
        "By the rules, the table cannot look like this. Check {tiles} and correct what is wrong, or "
        "say that the table is correct."
    ),
    QuestionKind.FIRST_TABLE: mark(
        "I see {count} tiles before the game has begun. Take away what is no tile of this game, or say so. "
        "If you have begun, say that the table is correct."
    ),
    QuestionKind.UNLIKELY: mark(
        "By the rules, the table is unlikely to look like this. Check {tiles} and correct what is "
        "wrong, or say that the table is correct."
    ),
    QuestionKind.LOST: mark("I have lost the game. Please show me the pyramid alone, or correct it here."),
    QuestionKind.PLACED_LAST: mark("Who placed the last tile?"),
    QuestionKind.LEFT_OVER: Plural(
        "{count} tile is left over, and I see none. Incendiaries leave the game: was it one? If not, please "
        "lay it on the table.",
        "{count} tiles are left over, and I see {lying}. Incendiaries leave the game: are only incendiaries "
        "missing? If not, please lay the tiles side by side.",
    ),
}
_NAMELESS: Mapping[QuestionKind, str] = {
    QuestionKind.WHICH_TILE: mark("Which tile lies in row {row} from the bottom, slot {slot} from the left?"),
    QuestionKind.UNSEEN_TILE: mark(
        "A tile was placed, and tiles came off before I could see it. Which tile was it?"
    ),
    QuestionKind.PLACED_FIRST: mark("Several tiles were placed. Which was placed first?"),
}
"""For questions that name no tile."""
_OF_ONE: Mapping[QuestionKind, str] = {
    QuestionKind.LEFT_OVER: mark("Was {first} left over, or was it placed in the first turn?"),
    QuestionKind.PLACED_FIRST: mark("Was {first} placed, and did the others lie there before the game?"),
}
"""For questions that name a single tile where they usually name several."""


def question_sentence(question: Question) -> str:
    """Return what is asked."""
    pattern = _SENTENCES[question.kind]
    if not question.tiles:
        pattern = _NAMELESS.get(question.kind, pattern)
    elif len(question.tiles) == 1:
        pattern = _OF_ONE.get(question.kind, pattern)
    row, slot = (question.places[0].row, question.places[0].slot) if question.places else (0, 0)
    names = [tile_name(tile) for tile in question.tiles] or [""]
    sentence = say(
        pattern,
        row=row + 1,
        slot=slot + 1,
        first=names[0],
        last=names[-1],
        tiles=tile_names(question.tiles),
        either=either_tile(question.tiles),
        count=question.left_over or len(question.places),
        lying=question.lying,
    )
    return capital(sentence)


_CORRECT = mark("The table is correct")
_MENDED = mark("We have corrected it")
NOTHING_HERE = mark("No tile lies there")
_GO_ON = mark("We do not know: go on")


def answer_label(question: Question, answer: Answer, names: Names = None) -> str:
    """Return an answer as it stands on a button; `names` are those of the players."""
    match answer.reply:
        case Reply.PLAYER if answer.player is not None:
            return name_of(answer.player, names)
        case Reply.TILE:
            return _tile_label(question, Tile.from_code(answer.code or ""))
        case Reply.COLOUR if answer.colour is not None:
            return capital(colour_name(answer.colour))
        case Reply.ROLL:
            return str(answer.roll) if answer.roll else _("Nobody rolled it")
        case Reply.NO_TILE if question.kind is QuestionKind.FIRST_TABLE:
            return _("They are no tiles of the game")
        case Reply.NO_TILE if question.kind is QuestionKind.UNSEEN_TILE:
            return _("No tile was placed")
        case Reply.NO_TILE:
            return _(NOTHING_HERE)
    return _table_label(question, answer)


def _table_label(question: Question, answer: Answer) -> str:
    """Return an answer about the whole table."""
    match answer.reply:
        case Reply.MENDED if question.kind is QuestionKind.LEFT_OVER:
            return _("It was left over") if question.asks_laid else _("We lay them now")
        case Reply.MENDED:
            return _(_MENDED)
    if question.kind is QuestionKind.LEFT_OVER:
        return _("It was placed") if question.asks_laid else _("Yes, only incendiaries")
    if question.kind is QuestionKind.UNCLEAR:
        return _("Just go on")
    if question.kind is QuestionKind.LOST:
        return _("The table is as shown here")
    return _(_GO_ON if question.stays_open_with(answer) else _CORRECT)


def _tile_label(question: Question, tile: Tile) -> str:
    """Return a tile; where it is the only one, with a yes before it."""
    others = [answer for answer in question.answers if answer.reply is Reply.TILE]
    name = tile_name(tile)
    return say("Yes, {tile}", tile=name) if len(others) == 1 else capital(name)


MOST_LISTED = 9
"""So many answers are listed in a terminal."""


def answers_sentence(question: Question) -> str:
    """Return every answer with the number by which it is given in a terminal."""
    listed = [
        f"{number} {answer_label(question, answer)}"
        for number, answer in enumerate(question.answers[:MOST_LISTED], 1)
    ]
    if question.takes_any_tile or len(question.answers) > MOST_LISTED:
        return say("Answers: {answers}; or a tile's code, such as R40.", answers=" · ".join(listed))
    return say("Answers: {answers}", answers=" · ".join(listed))


def read_answer(question: Question, typed: str) -> Answer | None:
    """Return the answer that somebody typed; None where it is none.

    Args:
        question: What was asked.
        typed: The number of an answer, or the code of a tile.
    """
    if typed.isdecimal():
        return question.answers[int(typed) - 1] if 0 < int(typed) <= len(question.answers) else None
    return question.answer_with(typed.upper())
