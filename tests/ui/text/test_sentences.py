"""The sentences for people, and their catalogues."""

# ruff: noqa: E501  (tables of sentences: one a line)

from __future__ import annotations

import ast
import string

import pytest

from referee.rules.events import Direction, FallNeed
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.resolve import Missed, resolve
from referee.rules.tiles import ALL_TILES, TILES
from referee.rules.verdict import Verdict, common_verdict
from referee.tracking.announcements import StepWrong
from referee.tracking.questions import ask_unread
from tests.places import ROOT
from ui.text import gettext_catalogue as catalogue
from ui.text import sentences as messages
from ui.text.announcements import wrong_sentence
from ui.text.questions import question_sentence
from vision.errors import VisionError

MARKS = {"_", "mark"}


@pytest.fixture(autouse=True)
def english():
    messages.choose_language("en")
    yield
    messages.choose_language("en")


def sentences_in_the_code():
    """Every text that is looked up: those marked, those of errors of the eyes."""
    errors = {kind.__name__ for kind in VisionError.__subclasses__()}
    for path in sorted(
        path for package in ("referee", "vision", "ui") for path in (ROOT / package).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if node.func.id in MARKS | errors and isinstance(first, ast.Constant):
                    yield first.value


def fields(sentence):
    return sorted(name for _, name, _, _ in string.Formatter().parse(sentence) if name)


CATALOGUES = catalogue.catalogue_paths()


def test_there_is_a_catalogue_in_english_and_in_french():
    assert [path.parts[-3] for path in CATALOGUES] == ["en", "fr"]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_catalogue_holds_every_sentence_of_the_code_and_no_other(path):
    entries = catalogue.read_po(path.read_text(encoding="utf-8"))
    assert set(entries) - {""} == set(sentences_in_the_code())
    for sentence, translated in entries.items():
        assert translated
        assert not sentence or fields(translated) == fields(sentence)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_compiled_catalogue_is_that_of_its_source(path):
    compiled = catalogue.compile_mo(catalogue.read_po(path.read_text(encoding="utf-8")))
    assert path.with_suffix(".mo").read_bytes() == compiled


def test_english_says_what_the_code_says():
    entries = catalogue.read_po(CATALOGUES[0].read_text(encoding="utf-8"))
    assert all(sentence == translated for sentence, translated in entries.items() if sentence)


def test_a_stale_or_unfinished_catalogue_is_refused():
    for text, words in (
        ('#, fuzzy\nmsgid "a"\nmsgstr "b"\n', "fuzzy"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "twice"),
        ("msgctxt x\n", "not understood"),
    ):
        with pytest.raises(ValueError, match=words):
            catalogue.read_po(text)
    assert catalogue.read_po('# x\nmsgid ""\n"a"\n"b"\nmsgstr "c"\n"d"\n') == {"ab": "cd"}


def steps(text, names=None, options=None, **how):
    done = resolve(Layout.parse(text), options or Options(), **how)
    return messages.numbered_steps(Verdict(done.events, done.needs, certain=True), names)


def test_a_collapse_and_the_choice_it_needs_are_said_in_one_breath():
    assert steps("R60 R120 Y60/R4 Y20/G1") == [
        "1. Collapse: green coal 1 matches neither red 4 nor yellow 20. Put red 4 and yellow 20 under the pile "
        "of the player whose turn it is, then slide the coal down, left or right."
    ]
    messages.choose_language("fr")
    assert steps("R60 R120 Y60/R4 Y20/G1") == [
        "1. Effondrement : charbon vert 1 ne correspond ni à rouge 4 ni à jaune 20. Placez rouge 4 et jaune 20 "
        "sous la pioche du joueur actif, puis faites glisser le charbon vers le bas, à gauche ou à droite."
    ]


CURSE = Options(curse=True)
DIE = Options(fire_die=FireDie.NEWER)
SENTENCES = [
    ("R40 B20/G100", {}, "Collapse: green 100 matches neither red 40 nor blue 20, and is heavier than the two"),
    ("R40 B20/R100", {}, "Collapse: red 100 is heavier than red 40 and blue 20 together."),
    ("R40 -/G30", {}, "Collapse: green 30 does not match red 40, the only tile it rests on."),
    ("R40 -/R60", {}, "Collapse: red 60 is heavier than red 40, the only tile it rests on."),
    ("R40 -/G60", {}, "does not match red 40, the only tile it rests on, and is heavier."),
    ("R40 B20/G10", {"choices": [Direction.LEFT]}, "then slide green 10 down to the left."),
    ("R40 B20/M200", {"choices": [Direction.RIGHT]}, "then slide the millstone down to the right."),
    ("R40 B20/B7", {"active": 1, "players": 3}, "1. Wood fire: blue blowtorch 7 burns red 40 and blue 20."),
    ("G2 Y4/G1", {}, "1. Straw fire: green coal 1 burns green 2 and yellow 4. Put green 2 and yellow 4 under the "
     "pile of the player whose turn it is. Take green coal 1 out of the game."),
    ("R2 Y1 G1", {}, "1. Explosion: yellow coal 1 and green coal 1 touch. Put red 2 under the pile of the player "
     "whose turn it is. Take yellow coal 1 and green coal 1 out of the game."),
    ("Y1 G1", {}, "1. Explosion: yellow coal 1 and green coal 1 touch. Take yellow coal 1 and green coal 1 out"),
    ("R40 B40/G40", {"options": CURSE}, "1. Curse: green 40, red 40 and blue 40 have the same weight. Put green 40, "
     "red 40 and blue 40 under the pile of the previous player."),
    ("R40 - -/- R4", {}, "1. Free air: red 4 rests on nothing. Slide red 4 down, left or"),
    ("R40 - -/- R4", {"choices": [Direction.LEFT]}, "Free air: red 4 rests on nothing. Slide red 4 down to the left."),
    ("R40 - -/- R4", {"choices": [Direction.RIGHT]}, "Slide red 4 down to the right."),
    ("R40 B20/G60", {"missed": Missed.FAMILY}, "Take red 40 and blue 20 out of the game, then slide green 60 down"),
    ("R40 B20/R4", {}, "Nothing must be resolved: the pyramid is stable."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "how", "words"), SENTENCES, ids=[words[:40] for _, _, words in SENTENCES])
def test_what_is_said(text, how, words):
    assert words in " ".join(steps(text, **how))


@pytest.mark.parametrize(
    ("roll", "words"),
    [
        (None, "1. Roll the fire die."),
        (2, "1. Fire die: 2, a fire, and the incendiary stays. 2. Wood fire: red blowtorch 7 burns red 40"),
        (4, "1. Fire die: 4, a fire, and the incendiary leaves the game."),
        (5, "1. Fire die: 5, an explosion. 2. Explosion: red blowtorch 7 goes off."),
        (6, "1. Fire die: 6, smoke; nothing burns."),
    ],
)
def test_what_is_said_of_the_die(roll, words):
    said = steps("R40 R60", options=DIE, place=(TILES["R7"], 1, 0), die=roll)
    assert words in " ".join(said)


def test_a_second_incendiary_that_finds_nothing_is_told():
    said = steps("R60 R2 - Y60 G60/R7 - - -", options=DIE, die=1) or []
    assert said == ["Nothing must be resolved: the pyramid is stable."]
    two = steps("R7 - B7 R60", options=DIE, place=(TILES["R10"], 0, 1), die=1)
    assert two[2] == "3. Wood fire: blue blowtorch 7 finds nothing left to burn."


@pytest.mark.parametrize(
    ("names", "put", "ask"),
    [
        (None, "the pile of the player whose turn it is.", "The player whose turn it is says where"),
        (3, "the pile of player 1.", "Player 1 says where"),
        (["Ann", "Ben"], "the pile of Ann.", "Ann says where"),
    ],
)
def test_players_are_called_by_what_is_known_of_them(names, put, ask):
    assert put in steps("R40 B20/B7", names)[0]
    assert messages.needs_sentence(FallNeed(TILES["R40"], 0, 0), names).startswith(ask)


def test_whoever_is_not_on_turn_is_the_previous_player_and_nobody_is_everybody():
    assert messages.needs_sentence(FallNeed(TILES["R4"], 1, 0)).startswith(
        "The previous player says where red 4"
    )
    assert messages.needs_sentence(FallNeed(TILES["R4"], None, 0)).startswith("Agree where red 4 slides down")


def test_what_hangs_on_an_unsure_tile_is_not_announced():
    sure, other = Layout.parse("R40 B20/R4"), Layout.parse("R40 B20/G4")
    assert messages.numbered_steps(common_verdict([sure, other])) == [
        "What must be resolved hangs on a tile that is not sure."
    ]
    known = resolve(Layout.parse("R40 B20/G4"))
    steps = messages.numbered_steps(Verdict(known.events[:1], None, certain=False))
    assert steps[0].startswith("1. Collapse")
    assert steps[1:] == ["What else must be resolved hangs on a tile that is not sure."]


def test_a_fall_by_itself_and_other_single_events():
    done = resolve(Layout.parse("R40 - -/- R4"), choices=[Direction.RIGHT])
    assert messages.event_sentence(done.events[0]) == "Free air: red 4 rests on nothing."
    assert messages.event_sentence(done.events[1]) == "Fall: red 4 slides down to the right."
    alone = Verdict(done.events[1:], None, certain=True)
    assert messages.numbered_steps(alone) == ["1. Fall: red 4 slides down to the right."]


def test_the_question_for_an_unsure_tile():
    assert messages.question_sentence(["R40", "R10"]) == "Is this red 40 or red 10?"
    assert messages.question_sentence(["R40", "R10", "Y1"]) == "Is this red 40, red 10 or yellow coal 1?"
    messages.choose_language("fr")
    assert messages.question_sentence(["R40", "M200"]) == "Est-ce rouge 40 ou meule 200 ?"
    assert messages.player_name(1) == "joueur 2"


def test_every_tile_has_a_name_of_its_own():
    for language in ("en", "fr"):
        messages.choose_language(language)
        assert len({messages.tile_name(tile) for tile in ALL_TILES}) == 45
        assert messages.tile_name("R40") == {"en": "red 40", "fr": "rouge 40"}[language]


def test_the_systems_language_and_unknown_ones(monkeypatch):
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    messages.choose_language(None)
    assert messages.tile_name("R40") == "rouge 40"
    messages.choose_language("xx")
    assert messages.tile_name("R40") == "red 40"
    messages.choose_language("fr_CA")
    assert messages.tile_name("R40") == "rouge 40"


def test_what_a_follower_says_names_tiles_as_people_do():
    asked = ask_unread(1, [TILES["Y1"], TILES["G60"]])
    wrong = StepWrong(
        right=(Layout.parse("R40"),),
        put_back=(TILES["R40"],),
        take_off=(TILES["B20"], TILES["G4"]),
        turn=1,
        player=0,
        layout="B20 G4",
        stocks=(),
        time_s=0.0,
    )
    assert question_sentence(asked) == (
        "Is the tile in row 1 from the bottom, slot 2 from the left, yellow coal 1 or green 60?"
    )
    assert wrong_sentence(wrong) == "Done wrongly: put red 40 back, and take blue 20 and green 4 off."
    messages.choose_language("fr")
    assert question_sentence(asked) == (
        "La tuile de la rangée 1 en partant du bas, emplacement 2 en partant de la gauche, est-elle charbon "
        "jaune 1 ou vert 60 ?"
    )
    assert wrong_sentence(wrong) == "Mal exécuté : remettez rouge 40, et retirez bleu 20 et vert 4."
