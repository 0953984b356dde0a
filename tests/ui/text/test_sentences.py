"""The sentences for people."""

# ruff: noqa: E501, RUF001  (tables of sentences: one a line; French has its own apostrophe)

from __future__ import annotations

import pytest

from referee.rules.events import Direction, FallNeed
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.resolve import Missed, resolve
from referee.rules.tiles import ALL_TILES, TILES
from referee.rules.verdict import Verdict, common_verdict
from referee.tracking.announcements import StepWrong
from referee.tracking.questions import ask_first, ask_unread
from ui.text import sentences as messages
from ui.text.announcements import wrong_sentence
from ui.text.catalogue import choose_language
from ui.text.questions import question_sentence


@pytest.fixture(autouse=True)
def english():
    choose_language("en")
    yield
    choose_language("en")


def steps(text, names=None, options=None, **how):
    done = resolve(Layout.parse(text), options or Options(), **how)
    return messages.numbered_steps(Verdict(done.events, done.needs, certain=True), names)


def test_a_player_whose_name_is_missing_has_a_number():
    assert "player 1" in steps("R60 R120 Y60/R4 Y20/G1", names=())[0]


def test_a_collapse_and_the_choice_it_needs_are_said_in_one_breath():
    assert steps("R60 R120 Y60/R4 Y20/G1") == [
        "1. Collapse: green coal 1 matches neither red 4 nor yellow 20. Put red 4 and yellow 20 under the pile "
        "of the player whose turn it is, then slide the coal down, left or right."
    ]
    choose_language("fr")
    assert steps("R60 R120 Y60/R4 Y20/G1") == [
        "1. Effondrement\u00a0: le charbon vert 1 ne s’accorde ni avec la rouge 4 ni avec la jaune 20. Placez la rouge 4 "
        "et la jaune 20 sous la pioche du joueur actif, puis faites glisser le charbon vers le bas, à gauche ou à "
        "droite."
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
    ("R40 B20/R4", {}, "There is nothing to resolve: the pyramid is stable."),
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
        (5, "1. Fire die: 5, an explosion. 2. Explosion: red blowtorch 7 explodes."),
        (6, "1. Fire die: 6, smoke; nothing burns."),
    ],
)
def test_what_is_said_of_the_die(roll, words):
    said = steps("R40 R60", options=DIE, place=(TILES["R7"], 1, 0), die=roll)
    assert words in " ".join(said)


def test_a_second_incendiary_that_finds_nothing_is_told():
    said = steps("R60 R2 - Y60 G60/R7 - - -", options=DIE, die=1) or []
    assert said == ["There is nothing to resolve: the pyramid is stable."]
    two = steps("R7 - B7 R60", options=DIE, place=(TILES["R10"], 0, 1), die=1)
    assert two[2] == "3. Wood fire: blue blowtorch 7 finds nothing left to burn."


@pytest.mark.parametrize(
    ("names", "put", "ask"),
    [
        (None, "the pile of the player whose turn it is.", "The player whose turn it is chooses: red 40"),
        (3, "the pile of player 1.", "Player 1 chooses: red 40"),
        (["Ann", "Ben"], "the pile of Ann.", "Ann chooses: red 40"),
    ],
)
def test_players_are_called_by_what_is_known_of_them(names, put, ask):
    assert put in steps("R40 B20/B7", names)[0]
    assert messages.needs_sentence(FallNeed(TILES["R40"], 0, 0), names).startswith(ask)


def test_whoever_is_not_on_turn_is_the_previous_player_and_nobody_is_everybody():
    assert messages.needs_sentence(FallNeed(TILES["R4"], 1, 0)).startswith(
        "The previous player chooses: red 4 "
    )
    assert messages.needs_sentence(FallNeed(TILES["R4"], None, 0)).startswith("Choose together: red 4 ")


def test_what_hangs_on_an_unsure_tile_is_not_announced():
    sure, other = Layout.parse("R40 B20/R4"), Layout.parse("R40 B20/G4")
    assert messages.numbered_steps(common_verdict([sure, other])) == [
        "As long as a tile is in doubt, I cannot say what must be resolved."
    ]
    known = resolve(Layout.parse("R40 B20/G4"))
    steps = messages.numbered_steps(Verdict(known.events[:1], None, certain=False))
    assert steps[0].startswith("1. Collapse")
    assert steps[1:] == ["As long as a tile is in doubt, I cannot say what else must be resolved."]


def test_a_fall_by_itself_and_other_single_events():
    done = resolve(Layout.parse("R40 - -/- R4"), choices=[Direction.RIGHT])
    assert messages.event_sentence(done.events[0]) == "Free air: red 4 rests on nothing."
    assert messages.event_sentence(done.events[1]) == "Fall: red 4 slides down to the right."
    alone = Verdict(done.events[1:], None, certain=True)
    assert messages.numbered_steps(alone) == ["1. Fall: red 4 slides down to the right."]


def test_the_question_for_an_unsure_tile():
    assert messages.question_sentence(["R40", "R10"]) == "Is this red 40 or red 10?"
    assert messages.question_sentence(["R40", "R10", "Y1"]) == "Is this red 40, red 10 or yellow coal 1?"
    choose_language("fr")
    assert messages.question_sentence(["R40", "M200"]) == "Est-ce la rouge 40 ou la meule 200\u00a0?"
    assert messages.player_name(1) == "joueur 2"


def test_every_tile_has_a_name_of_its_own():
    for language in ("en", "fr"):
        choose_language(language)
        assert len({messages.tile_name(tile) for tile in ALL_TILES}) == 45
        assert messages.tile_name("R40") == {"en": "red 40", "fr": "la rouge 40"}[language]


def test_of_a_single_tile_it_is_asked_whether_it_was_placed():
    assert question_sentence(ask_first([(1, TILES["B40"]), (2, TILES["R4"])])) == (
        "Which was placed first, blue 40 or red 4?"
    )
    assert question_sentence(ask_first([(1, TILES["B40"])])) == (
        "Was blue 40 placed, and did the others lie there before the game?"
    )


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
    assert wrong_sentence(wrong) == ("This step is wrong: put red 40 back, and take blue 20 and green 4 off.")
    choose_language("fr")
    assert question_sentence(asked) == (
        "Étage 1 depuis le bas, emplacement 2 depuis la gauche\u00a0: est-ce le charbon jaune 1 ou la verte 60\u00a0?"
    )
    assert wrong_sentence(wrong) == (
        "Étape mal exécutée\u00a0: remettez la rouge 40, et retirez la bleue 20 et la verte 4."
    )
