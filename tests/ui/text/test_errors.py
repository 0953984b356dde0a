"""What went wrong, in sentences for people."""

# ruff: noqa: E501, RUF001  (a table of sentences: one a line; French needs its apostrophe)

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import referee
from referee.cube.game import answer_request as answer_cube
from referee.errors import Fault, RefereeError
from referee.formats.codec import JsonType
from referee.formats.judge_json import answer_request
from referee.rules.resolve import Needed
from referee.rules.tiles import TILES
from ui.errors import TOLD, StorageError, ToldError
from ui.text import errors as texts
from ui.text.catalogue import _, choose_language
from ui.text.errors import FAULTS, error_sentence
from vision.errors import ImageError


@pytest.fixture(autouse=True)
def english():
    choose_language("en")
    yield
    choose_language("en")


SENTENCES = [
    (Fault.LINE_TOO_LONG, {"limit": 1048576}, "The line is longer than 1048576 bytes."),
    (Fault.NOT_UTF8, {"byte": 13}, "The line is not UTF-8: byte 13 cannot be read."),
    (Fault.NOT_JSON, {"what": 'Expecting value', "column": 1}, "The line is not JSON: Expecting value, at column 1."),
    (Fault.NOT_A_JSON_NUMBER, {"name": 'NaN'}, "The line is not JSON: NaN is no JSON number."),
    (Fault.NUMBER_TOO_LONG, {}, "The line is not JSON: a number is too long."),
    (Fault.NESTED_TOO_DEEPLY, {}, "The line is nested too deeply."),
    (Fault.DOUBLE_KEY, {"key": 'layout'}, "The key 'layout' is there twice."),
    (Fault.NOT_AN_OBJECT, {"found": JsonType.LIST}, "A request must be a JSON object, not a list."),
    (Fault.WRONG_TYPE, {"key": 'layout', "expected": JsonType.TEXT, "found": JsonType.WHOLE}, "layout must be a text, not a whole number."),
    (Fault.OUT_OF_RANGE, {"key": 'players', "least": 2, "most": 6, "value": 1}, "players must be from 2 to 6, not 1."),
    (Fault.FAR_OUT_OF_RANGE, {"key": 'players', "least": 2, "most": 6}, "players must be from 2 to 6, not a number of many digits."),
    (Fault.TOO_MANY_PARTS, {"key": 'tiles', "most": 256}, "tiles has more than 256 parts."),
    (Fault.NO_LAYOUT, {}, "The request has no layout."),
    (Fault.UNKNOWN_VARIANT, {"value": 'team'}, "missed must be family or strategy, not 'team'."),
    (Fault.UNKNOWN_CHOICE, {"value": 'up'}, "A choice must be left or right, not 'up'."),
    (Fault.PLACE_LACKS, {"key": 'tile'}, "place has no tile."),
    (Fault.PLACE_FAR_OFF, {"key": 'row'}, "place.row is far off any table."),
    (Fault.TOO_MANY_ENDINGS, {"count": 3, "layout": 'R40', "limit": 2}, "There are 3 ways in which 'R40' can end; at most 2 are listed."),
    (Fault.TREE_TOO_LARGE, {"layout": 'R40'}, "There are too many ways in which 'R40' can end."),
    (Fault.UNKNOWN_TILE, {"code": 'R5'}, "There is no tile 'R5'; a code is a colour letter and a weight, such as R40, Y1 or M200."),
    (Fault.UNKNOWN_TILE_IN_LAYOUT, {"code": 'R41', "layout": 'R41'}, "There is no tile 'R41', in the layout 'R41'."),
    (Fault.DOUBLE_TILE, {"code": 'R40'}, "R40 is there twice."),
    (Fault.DOUBLE_TILE_IN_LAYOUT, {"code": 'R40', "layout": 'R40 R40'}, "R40 is there twice in 'R40 R40'."),
    (Fault.EMPTY_SLOT_TEXT, {"layout": 'R40  B20'}, "'R40  B20' has an empty slot text; rows are separated by one '/', slots by one space, and an empty slot is '-'."),
    (Fault.BASE_TOO_WIDE, {"width": 65537}, "A base of 65537 slots is wider than any table."),
    (Fault.TOO_MANY_ROWS, {"layout": 'R40/', "rows": 2, "width": 1, "top": 0}, "'R40/' has 2 rows; a base of 1 slots carries no row above row 0."),
    (Fault.WRONG_ROW_LENGTH, {"row": 1, "layout": 'R40 B20/R4 -', "found": 2, "width": 2, "expected": 1}, "Row 1 of 'R40 B20/R4 -' has 2 slots; over a base of 2 it must have 1."),
    (Fault.ROW_BELOW_BASE, {"row": -1}, "Row -1 lies below the base, which is row 0."),
    (Fault.TILE_LIES_ALREADY, {"code": 'R40', "layout": 'R40 B20'}, "R40 lies on the table already, in 'R40 B20'."),
    (Fault.NO_PLACE_AT_ALL, {"layout": '- -/R40'}, "No tile can be placed on '- -/R40': it has no base to extend."),
    (Fault.NOT_A_PLACE, {"code": 'R4', "row": 1, "slot": 5, "layout": 'R40 B20', "places": '(1, 0)'}, "R4 cannot go to row 1, slot 5 of 'R40 B20'; the allowed places (row, slot) are (1, 0)."),
    (Fault.UNKNOWN_RULE, {"name": 'undo', "known": 'overhang, fire_order, curse, fire_die'}, "There is no rule 'undo'; the rules are overhang, fire_order, curse, fire_die."),
    (Fault.UNKNOWN_RULE_VALUE, {"name": 'curse', "value": 'true', "known": 'false, true'}, "The rule curse cannot be 'true'; it can be false, true."),
    (Fault.NOT_NAME_AND_VALUE, {"part": 'curse'}, "'curse' is not of the form NAME=VALUE."),
    (Fault.WRONG_ANSWER, {"given": 4, "need": Needed.NOTHING}, "4 does not answer what is needed, which is nothing."),
    (Fault.NOTHING_HAPPENS, {"layout": '-'}, "Nothing happens by itself on '-'."),
    (Fault.NOTHING_TO_ACCEPT, {"number": 1}, "There is nothing to say OK to: player 1 has not placed a tile."),
    (Fault.GAME_OVER, {"number": 1}, "The game is over: player 1 has won."),
    (Fault.TILE_LEFT_GAME, {"code": 'B7'}, "B7 left the game and cannot be placed."),
    (Fault.WRONG_TOTAL, {"layout": 'R40', "stocks": '14, 14, 15', "out": 0, "total": 44}, "'R40', stocks of 14, 14, 15 and 0 tiles out of the game make 44 tiles, not 45."),
    (Fault.TILE_IN_TWO_PLACES, {"code": 'R40'}, "R40 cannot lie on the table and be out of the game."),
    (Fault.WRONG_PLAYERS, {"players": 1}, "2 to 6 can play, not 1."),
    (Fault.WRONG_LEFT_OVER, {"players": 2, "left": 1, "found": 0}, "With 2 players 1 tiles are left over, not 0."),
    (Fault.DOUBLE_LEFT_OVER, {}, "A left-over tile is named twice."),
    (Fault.UNKNOWN_INPUT, {"kind": 'wink'}, "'wink' is no input of a game that is followed."),
    (Fault.NO_MOVES, {}, "The request has no moves."),
    (Fault.MOVE_NOT_AN_OBJECT, {"number": 1, "found": JsonType.WHOLE}, "Move 1 must be an object, not a whole number."),
    (Fault.MOVE_AT, {"number": 1}, "Move 1: at must be a list of three whole numbers."),
    (Fault.MOVE_FAR_OFF, {"number": 1}, "Move 1: at is far off the board."),
    (Fault.MOVE_COLOUR, {"number": 1}, "Move 1: colour must be light or dark."),
    (Fault.IN_MOVE, {"number": 1, "problem": RefereeError(Fault.NO_SUCH_PLACE, at=(4, 0, 5))}, "Move 1: There is no place (4, 0, 5)."),
    (Fault.NO_CUBE_LEFT, {"side": 'light', "colour": 'dark', "at": (4, 0, 0)}, "light has no dark cube left to place at (4, 0, 0)."),
    (Fault.PYRAMID_COMPLETE, {"at": (0, 0, 0)}, "The pyramid is complete, no cube can be placed at (0, 0, 0)."),
    (Fault.CUT_OFF, {"number": 1}, "Line 1 is cut off or no JSON."),
    (Fault.NOT_A_RECORD_LINE, {"number": 1}, "Line 1 is no line of a record."),
    (Fault.LINE_CHANGED, {"number": 2}, "Line 2 was changed, or one before it is missing."),
    (Fault.OTHER_FORMAT, {"format": 'pyramid-referee cube game', "version": 1}, "This is no pyramid-referee cube game of version 1."),
    (Fault.IN_LINE, {"number": 2, "problem": RefereeError(Fault.NOT_A_SPACE, at=(3, 0, 0))}, "Line 2: (3, 0, 0) is no free space: not all three cubes below it are there."),
    (Fault.NOT_A_PAIR, {"key": "codes"}, "codes must be a list of pairs."),
    (Fault.NO_SUCH_PLACE, {"at": (5, 0, 0)}, "There is no place (5, 0, 0)."),
    (Fault.CUBE_LIES_ALREADY, {"at": (4, 0, 0)}, "A cube lies at (4, 0, 0) already, and placed cubes never move."),
    (Fault.SPACE_OWED, {"at": (0, 4, 0), "side": "light", "spaces": "(3, 0, 0), (2, 1, 0)"}, "(0, 4, 0) must wait: light owes (3, 0, 0), (2, 1, 0) first."),
    (Fault.NOT_A_SPACE, {"at": (3, 0, 0)}, "(3, 0, 0) is no free space: not all three cubes below it are there."),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "values", "sentence"), SENTENCES, ids=[row[0].value for row in SENTENCES])
def test_what_is_said_of_a_fault(fault, values, sentence):
    assert error_sentence(RefereeError(fault, **values)) == sentence


def test_there_is_an_example_of_every_fault():
    assert [*FAULTS] == [*Fault]
    assert {fault for fault, _, _ in SENTENCES} == {*Fault}


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.value)
def test_every_fault_has_a_sentence_in_french(fault):
    choose_language("fr")
    assert _(FAULTS[fault]) != FAULTS[fault] or fault in (Fault.IN_LINE, Fault.IN_MOVE)


@pytest.mark.parametrize("kind", [JsonType, Needed])
def test_every_kind_of_value_has_words_of_its_own(kind):
    for language in ("en", "fr"):
        choose_language(language)
        said = {error_sentence(RefereeError(Fault.NOT_AN_OBJECT, found=value)) for value in kind}
        assert len(said) == len(kind)
        assert not any(value.name in sentence for value in kind for sentence in said)


def places(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def raised(*folders):
    """Yield where, first argument and the names of the values, of every error that is made."""
    names = {kind.__name__ for kind in (*RefereeError.__subclasses__(), ToldError, StorageError)}
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                first = ast.unparse(node.args[0]).rpartition(".")[2]
                yield f"{path.name}:{node.lineno}", first, {value.arg for value in node.keywords}


REFEREE, UI = Path(referee.__file__).parent, Path(texts.__file__).parents[1]


def test_each_error_brings_the_values_that_its_sentence_has_places_for():
    faults = {fault.name: sentence for fault, sentence in FAULTS.items()}
    sentences = faults | {name: value for name, value in vars(texts).items() if isinstance(value, str)}
    found = [*raised(REFEREE, UI)]
    assert [(where, first) for where, first, values in found if places(sentences[first]) != values] == []
    assert len(found) >= 80  # or it looks in the wrong places


def test_every_sentence_of_the_program_itself_is_used():
    own = {name for name, value in vars(texts).items() if name.isupper() and type(value) is str}
    assert own == {first for _, first, _ in raised(UI)} - {fault.name for fault in Fault}


def test_errors_are_worded_in_the_language_of_the_user():
    def sentence(request):
        with pytest.raises(RefereeError) as caught:
            answer_request(request)
        return error_sentence(caught.value)

    assert sentence({"layout": 3}) == "layout must be a text, not a whole number."
    choose_language("fr")
    assert sentence({"layout": 3}) == "layout doit être un texte, et non un nombre entier."
    assert sentence({"layout": "R40", "die": 10**20}) == (
        "die doit être compris entre 1 et 6, et non un nombre de très nombreux chiffres."
    )
    assert error_sentence(OSError("disk")) == "disk"


def test_an_error_within_an_error_is_worded_as_well():
    choose_language("fr")
    with pytest.raises(RefereeError) as caught:
        answer_cube({"moves": [{"at": [9, 0, 0], "colour": "light"}]})
    assert error_sentence(caught.value) == "Coup 1\u00a0: La place (9, 0, 0) n’existe pas."
    within = StorageError(texts.PICTURE_DAMAGED, problem=ImageError("{name!r} is empty.", name="JPEG"))
    assert error_sentence(within) == "Une image enregistrée ne peut pas être montrée\u00a0: 'JPEG' est vide."


def test_a_sentence_that_begins_with_a_tile_begins_with_a_capital():
    """It said "red 40 left the game and cannot be placed."."""
    gone = RefereeError(Fault.TILE_LEFT_GAME, code=TILES["R40"])
    assert error_sentence(gone) == "Red 40 left the game and cannot be placed."


def test_what_the_program_refuses_is_told_as_what_the_rules_refuse():
    error = StorageError(texts.NO_GAME, number=7)
    assert str(error) == error_sentence(error) == "There is no game 7."
    assert isinstance(error, TOLD)
    assert isinstance(RefereeError(Fault.NO_MOVES), TOLD)
    assert not isinstance(OSError(), TOLD)
