"""A photo's table is judged, asked about, corrected and tried out; without any window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import ChoiceError, PlacementError
from referee.rules.events import Direction
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.tracking.inputs import Reply
from ui.text.rulebook.rules import Topic
from ui.viewmodels.game_view import (
    CarryOut,
    Choice,
    Hold,
    LetFall,
    PickTile,
    Put,
    Redo,
    Retile,
    Shift,
    ShowRoll,
    TakeAway,
    Tell,
    Undo,
)
from ui.viewmodels.photo.known_table import KnownTable, KnownTile, LookAlikes
from ui.viewmodels.photo.photo import PhotoTable, PhotoViewModel, notice
from ui.viewmodels.table_view import FallArrow, Ring, Tone


def opened(text: str, options: Options | None = None, **doubts: tuple[str, ...]) -> PhotoViewModel:
    """Return a photo of a layout; `doubts` gives the other codes of its unsure tiles."""
    tiles = tuple(
        KnownTile(
            tile.code,
            row,
            slot,
            tile.code in doubts,
            tuple((code, 0.3) for code in doubts.get(tile.code, ())),
        )
        for (row, slot), tile in Layout.parse(text).tiles
    )
    return with_table(KnownTable(tiles), options)


def with_table(table: KnownTable, options: Options | None = None) -> PhotoViewModel:
    model = PhotoViewModel(options or Options())
    model.open(PhotoTable("a.jpg", table))
    return model


def layout(model: PhotoViewModel) -> str:
    return str(model.table.layout)


def labels(model: PhotoViewModel) -> list[str]:
    return [choice.label for choice in model.view().card.choices]


def choice(model: PhotoViewModel, label: str) -> Choice:
    return next(each for each in model.view().card.choices if each.label == label)


def choose(model: PhotoViewModel, label: str) -> None:
    act = choice(model, label).act
    model.do(act)  # type: ignore[arg-type]


class TestTheCard:
    """A verdict becomes tone, sentences, rings and arrows."""

    def test_mayhem_marks_the_first_step(self) -> None:
        view = opened("R40 B20/G60").view()
        assert (view.card.tone, view.card.headline) == (Tone.MAYHEM, "Collapse")
        assert view.card.sentences[0].startswith("1. Collapse: green 60")
        rings = {tile.code: tile.ring for tile in view.tiles}
        assert rings == {"R40": Ring.TAKEN, "B20": Ring.TAKEN, "G60": Ring.CAUSE}
        assert view.arrows == (FallArrow(1, 0, left=True, right=True),)

    def test_calm_says_so_in_one_line(self) -> None:
        card = opened("R40 B20/R4").view().card
        assert (card.tone, card.headline, len(card.sentences)) == (Tone.CALM, "The pyramid is stable", 1)

    def test_the_rule_behind_it_is_told_with_the_tiles_of_the_case(self) -> None:
        collapse, calm = opened("R40 B20/G60").view().why, opened("R40 B20/R4").view().why
        assert collapse is not None
        assert calm is not None
        assert (collapse.topic, calm.topic) == (Topic.COLLAPSE, Topic.PLACING)
        assert {tile.code for tile in collapse.tiles} == {"R40", "B20", "G60"}

    def test_a_photo_without_a_pyramid_is_no_alarm_and_an_emptied_table_is_none_at_all(self) -> None:
        model = with_table(KnownTable())
        model.open(replace(model.opened, photo=Path("a.jpg")))
        assert model.view().card.headline == "No pyramid found"
        model.do(Put("R40", 0, 0))
        assert layout(model) == "R40"
        model.do(TakeAway(0, 0))
        model.do(Put("G10", 0, 0))
        assert model.view().title == "a.jpg  ·  changed by hand"


class TestQuestions:
    """What is not certain is asked, with a button for every answer."""

    def test_a_doubt_that_decides_has_a_button_for_each_tile(self) -> None:
        model = opened("R40 B20/G6", G6=("B6",))
        card = model.view().card
        assert (card.tone, card.sentences) == (Tone.QUESTION, ("Is this green 6 or blue 6?",))
        assert labels(model) == ["Green 6", "Blue 6", "Another tile …", "No tile lies there"]
        assert card.asks_about == ((1, 0),)
        assert model.view().places == ()
        choose(model, "Blue 6")
        assert layout(model) == "R40 B20/B6"
        assert model.view().card.tone is Tone.CALM
        model.do(Undo())
        assert model.view().card.tone is Tone.QUESTION

    def test_a_doubt_that_decides_nothing_is_asked_below_the_verdict(self) -> None:
        model = opened("R40 B20/R4", R4=("R6",))
        card = model.view().card
        assert (card.tone, card.headline) == (Tone.CALM, "The pyramid is stable")
        assert card.prompt == "Is this red 4 or red 6?"
        assert labels(model)[:2] == ["Red 4", "Red 6"]
        assert model.saved() is None

    def test_nothing_is_saved_or_tried_out_before_it_is_answered(self) -> None:
        model = opened("R40 B20/G6", G6=("B6",))
        assert model.saved() is None
        with pytest.raises(ChoiceError):
            model.do(CarryOut())
        choose(model, "Green 6")
        assert model.saved() is not None

    def test_another_tile_or_none(self) -> None:
        model = opened("R40 B20/G6", G6=("B6",))
        pick = choice(model, "Another tile …").act
        assert isinstance(pick, PickTile)
        answer = pick.question.answer_with("R4")
        assert answer is not None
        model.do(Tell(answer))
        assert layout(model) == "R40 B20/R4"
        model.do(Undo())
        choose(model, "No tile lies there")
        assert layout(model) == "R40 B20"

    @pytest.mark.parametrize(("how", "words"), [("covered", "Uncover it"), ("cut", "Move the camera")])
    def test_a_tile_that_is_seen_in_part_is_chosen_from_all(self, how: str, words: str) -> None:
        half = KnownTile("B20", 0, 1, unsure=True, **{how: True})  # type: ignore[arg-type]
        model = with_table(KnownTable((KnownTile("R40", 0, 0), half)))
        assert words in model.view().card.sentences[0]
        assert labels(model) == ["Choose the tile …", "No tile lies there"]
        model.do(Retile(0, 1, "B20"))
        assert model.view().card.tone is Tone.CALM

    def test_a_tile_of_which_nothing_is_known_is_asked_for_by_its_place(self) -> None:
        model = opened("R40 B20")
        model.do(Retile(0, 0, "B20"))
        assert model.view().card.sentences == (
            "Which tile lies in row 1 from the bottom, slot 2 from the left?",
        )
        assert labels(model) == ["Choose the tile …", "No tile lies there"]

    def test_something_that_hides_the_table_can_be_said_to_hide_nothing(self) -> None:
        model = with_table(replace(opened("R40 B20/G60").table, hidden=("a place",)))
        card = model.view().card
        assert (card.tone, card.headline) == (Tone.NOTICE, "The table is covered")
        assert {tile.ring for tile in model.view().tiles} == {Ring.NONE}
        choose(model, "No tile is under it")
        assert model.view().card.headline == "Collapse"

    def test_the_colour_of_many_is_asked_once_and_only_colours_that_fit_are_offered(self) -> None:
        tiles = opened("R4 R20 Y4", R4=("Y4", "G4"), R20=("Y20", "G20")).table.tiles
        group = LookAlikes(("R4", "R20"), (("R", 0.5), ("Y", 0.4)))
        model = with_table(KnownTable(tiles, unnamed=(group,)))
        assert model.view().card.prompt.startswith("Which colour are these, red or yellow")
        assert labels(model) == ["Red", "Green", "Blue"]
        choose(model, "Green")
        assert layout(model) == "G4 G20 Y4"
        assert model.view().card.tone is Tone.CALM

    def test_mayhem_that_is_certain_is_said_beside_the_question(self) -> None:
        model = opened("R40 B20 Y4/G60 -", Y4=("Y6",))
        card = model.view().card
        assert (card.tone, card.headline) == (Tone.MAYHEM, "Collapse")
        assert card.prompt == "Is this yellow 4 or yellow 6?"
        assert "Left" not in labels(model)
        choose(model, "Yellow 6")
        assert labels(model) == ["Left", "Right"]


class TestCorrecting:
    """Tiles are named, moved, taken away; everything can be taken back."""

    def test_tiles_are_named_moved_and_taken_away(self) -> None:
        model = opened("R40 B20/G60")
        model.do(Retile(1, 0, "R4"))
        assert layout(model) == "R40 B20/R4"
        model.do(Shift(0, 0, 0, 1))
        assert layout(model) == "B20 R40/R4"
        model.do(TakeAway(1, 0))
        assert layout(model) == "B20 R40"
        for before in ("B20 R40/R4", "R40 B20/R4", "R40 B20/G60"):
            assert model.view().can_undo
            model.do(Undo())
            assert layout(model) == before
        assert not model.view().can_undo
        model.do(Undo())
        assert model.view().can_redo
        model.do(Redo())
        assert layout(model) == "R40 B20/R4"
        model.do(Retile(0, 0, "R60"))
        assert not model.view().can_redo

    def test_a_tile_that_was_not_seen_is_added_where_mayhem_waits(self) -> None:
        model = opened("R40 - G20/- -/R4")
        assert model.view().card.headline == "Free air"
        assert [(place.row, place.slot) for place in model.view().places] == [(0, 1)]
        model.do(Put("B20", 0, 1))
        assert layout(model) == "R40 B20 G20/- -/R4"
        assert not model.view().card.hint.startswith("This is tried out")

    def test_what_did_not_change_anything_is_no_step(self) -> None:
        model = opened("R40 B20")
        model.do(Retile(0, 0, "R40"))
        assert not model.view().can_undo
        assert model.view().title == "a.jpg"


class TestTryingOut:
    """Falls, next steps and tiles, in thought."""

    def test_both_falls_are_told_and_tried(self) -> None:
        model = opened("B60 R10 R100 -/- G1 Y40")
        later = model.view().card.later
        assert "To the left, then" in later
        assert "To the right, then" in later
        choose(model, "Left")
        left = layout(model)
        assert model.view().card.hint == "This is tried out only: Undo takes it back."
        assert "So far red 10 and red 100 came off." in model.view().card.sentences
        model.do(Undo())
        assert layout(model) == "B60 R10 R100 -/- G1 Y40"
        choose(model, "Right")
        assert layout(model) != left

    def test_a_fall_after_which_nothing_happens(self) -> None:
        later = opened("R40 B20/G60").view().card.later
        assert later == "To the left, nothing more happens. To the right, nothing more happens."

    def test_a_tile_is_placed_in_thought_and_what_it_sets_off_is_shown(self) -> None:
        model = opened("R40 B20")
        model.do(Hold("G60"))
        tones = {(place.row, place.slot): place.forecast for place in model.view().places}
        assert tones == {(1, 0): Tone.MAYHEM}
        model.do(Hold("R4"))
        assert {place.forecast for place in model.view().places} == {Tone.CALM}
        model.do(Put("G60", 1, 0))
        assert model.view().card.headline == "Collapse"
        assert model.view().held is None
        assert model.view().places == ()  # first it is resolved
        model.do(LetFall(Direction.LEFT))
        assert layout(model) == "G60"
        assert model.view().card.tone is Tone.CALM
        model.do(Put("R60", 0, 1))
        assert layout(model) == "G60 R60"
        for _ in range(3):
            model.do(Undo())
        assert layout(model) == "R40 B20"

    def test_events_follow_one_after_the_other(self) -> None:
        model = opened("R7 B7 G4")
        assert (model.view().card.headline, labels(model)) == ("Explosion", ["Next"])
        model.do(CarryOut())
        assert "R7" not in layout(model)
        with pytest.raises(ChoiceError):
            model.do(CarryOut())

    def test_a_place_that_is_none_is_refused(self) -> None:
        model = opened("R40 B20")
        with pytest.raises(PlacementError):
            model.do(Put("R4", 2, 0))
        assert layout(model) == "R40 B20"

    def test_the_fire_die_is_answered(self) -> None:
        model = opened("R40", Options(fire_die=FireDie.NEWER))
        model.do(Put("R7", 0, 1))
        assert model.view().card.headline == "Fire die"
        assert labels(model) == ["1", "2", "3", "4", "5", "6"]
        model.do(ShowRoll(6))
        assert layout(model) == "R40 R7"
        assert model.view().card.tone is Tone.CALM
        model.do(Undo())
        model.do(ShowRoll(4))
        assert layout(model) == "-"
        assert model.view().card.headline == "No tile lies here"

    def test_the_rules_of_the_game_decide(self) -> None:
        cursed = opened("R40 Y40/B40", Options(curse=True))
        assert cursed.view().card.headline == "Curse"
        assert opened("R40 Y40/B40").view().card.tone is Tone.CALM


def test_what_is_said_meanwhile_gives_way_to_what_is_done() -> None:
    model = opened("R40 B20")
    model.tell(lambda: notice("Reading b.jpg …"))
    assert model.view().card.headline == "Reading b.jpg …"
    model.do(Put("R4", 1, 0))
    assert model.view().card.tone is Tone.CALM


def test_an_answer_that_names_nothing_uncovers_the_table() -> None:
    model = with_table(replace(opened("R40").table, hidden=("a place",)))
    act = model.view().card.choices[0].act
    assert isinstance(act, Tell)
    assert act.answer.reply is Reply.AS_IT_LIES


class TestCorrectionsThatAreNotSaved:
    """They are what somebody would lose with the photo."""

    def test_corrections_count_until_they_are_saved_or_taken_back(self) -> None:
        model = opened("R40 B20/G60")
        assert not model.has_unsaved
        model.do(Retile(1, 0, "R4"))
        assert model.has_unsaved
        model.let_go()
        assert not model.has_unsaved
        model.do(TakeAway(1, 0))
        assert model.has_unsaved
        model.do(Undo())
        assert not model.has_unsaved
        model.do(Undo())
        assert not model.has_unsaved

    def test_what_is_tried_out_is_no_correction_and_takes_none_away(self) -> None:
        model = opened("R40 B20")
        model.do(Put("G60", 1, 0))
        model.do(CarryOut())
        assert not model.has_unsaved
        model = opened("R40 B20")
        model.do(Shift(0, 1, 0, 0))
        model.do(Put("G60", 1, 0))
        model.do(CarryOut())
        assert model.has_unsaved

    def test_a_tile_that_was_not_seen_is_a_correction(self) -> None:
        model = opened("R40 B20/G60")
        model.do(Put("R4", 0, 2))
        assert model.has_unsaved

    def test_an_answer_is_none_but_belongs_to_those_before(self) -> None:
        model = opened("R40 B20/G60", G60=("R4",))
        choose(model, "Green 60")
        assert not model.has_unsaved
        model = opened("R40 B20/G60", G60=("R4",))
        model.do(Retile(0, 1, "B30"))
        model.let_go()
        choose(model, "Green 60")
        assert model.has_unsaved

    def test_another_photo_begins_anew(self) -> None:
        model = opened("R40 B20")
        model.do(Retile(0, 0, "R4"))
        model.open(PhotoTable("b.jpg", KnownTable()))
        assert not model.has_unsaved
