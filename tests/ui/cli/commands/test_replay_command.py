"""`pyramid-referee replay`: the list, the sentences, and following a game again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

from referee.formats.input_json import input_from_dict, input_to_dict
from referee.rules.game import Setup, Variant, Voice
from referee.rules.options import FireDie, Options
from referee.tracking.announcements import MayhemFound
from tests.ui.cli.conftest import lay_down, sealed, unsealed
from tests.ui.recorded_games import SETTINGS, TABLES, settled
from ui.cli.main import main
from ui.services.game_session import GameSession
from ui.services.recorded_turns import turns_of
from ui.services.replay import follow_again
from ui.storage.game_entries import EntryKind
from ui.storage.game_export import export_game
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.announcements import recorded_sentences
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import CallCheck, Challenge, Put, Ruling, ShowRoll, Undo


def test_without_games_it_says_how_to_get_one(replay):
    status, out, err = replay()
    assert (status, err) == (0, "")
    assert out == "No game has been recorded yet. Follow one with: pyramid-referee watch SOURCE\n"
    assert replay("--json") == (0, "", "")


def test_the_list(replay, game):
    with GameStore.open() as store:
        going_on = store.start_game(SETTINGS)
        store.append(going_on, [(EntryKind.SAID, {"turn": 12})])
        store.finish(store.start_game(SETTINGS))
    status, out, err = replay()
    assert (status, err) == (0, "")
    last, middle, first = out.splitlines()
    assert first.startswith("Game 1: ")
    assert first.endswith(", Ann, Béa, Kōji 🔥, 5 turns, won by Béa (evening.mp4)")
    assert middle.endswith(", 12 turns, not finished (evening.mp4)")
    assert last.endswith(", 0 turns, finished (evening.mp4)")


def test_names_and_sources_give_no_commands_to_a_terminal(replay):
    with GameStore.open() as store:
        game = store.start_game(GameSettings(Setup(), "\x1b[31m.mp4", ("\x07Ann", "Ben\n")))
        store.append(game, [(EntryKind.SAID, {"event": "end", "turn": 1, "player": 0, "winner": 1})])
    assert ",  Ann, Ben , 1 turn, won by Ben  ( [31m.mp4)" in replay()[1]
    assert replay(game)[1].splitlines()[2:] == ["Turn 1,  Ann", "  The game is over. The winner is Ben ."]


def test_the_list_as_json(replay, game):
    status, out, err = replay("--json")
    (found,) = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert found.pop("started") <= found.pop("finished")
    assert found == {"game": 1, "players": 3, "names": list(SETTINGS.names), "turns": 5, "winner": 1,
                     "source": "evening.mp4"}  # fmt: skip


def test_a_game_turn_by_turn(replay, game):
    status, out, err = replay(game)
    assert (status, err) == (0, "")
    title, *lines = out.splitlines()
    assert title.startswith("Game 1: ")
    assert lines == [
        "",
        "Turn 1, Ann",
        "  Placed: red 40.",
        "",
        "Turn 2, Béa",
        "  Placed: blue 20.",
        "",
        "Turn 3, Kōji 🔥",
        "  Placed: yellow 100.",
        "  1. Collapse: yellow 100 matches neither red 40 nor blue 20, and is heavier than the two together. "
        "Put red 40 and blue 20 under the pile of Kōji 🔥, then slide yellow 100 down, left or right.",
        "  Done: collapse of yellow 100; red 40 and blue 20 came off.",
        "  Done: yellow 100 fell to the left.",
        "",
        "Turn 4, Ann",
        "  Placed: yellow 2.",
        "",
        "Turn 5, Béa",
        "  Placed: yellow 4.",
        "  The game is over. The winner is Béa.",
    ]


def test_a_game_in_french(capsys, game):
    assert main(["--lang", "fr", "replay", str(game)]) == 0
    out = capsys.readouterr().out
    assert "Tour 3, Kōji 🔥\n  Tuile posée\u00a0: la jaune 100.\n" in out
    assert "  1. Effondrement\u00a0: la jaune 100 " in out
    assert "  Fait\u00a0: la jaune 100 a glissé à gauche.\n" in out


def test_a_game_as_json_is_what_watch_printed(replay, game):
    status, out, _ = replay(game, "--json")
    said = [json.loads(line) for line in out.splitlines()]
    with GameStore.open() as store:
        assert said == [entry.content for entry in store.entries(game) if entry.kind is EntryKind.SAID]
    assert status == 0
    assert [line["event"] for line in said] == ["placed"] * 3 + ["verdict", "step", "step"] + [
        "placed"
    ] * 2 + ["end"]


def event(kind, **more):
    return {"event": "step", "step": {"event": kind, "layout": "-", **more}}


SAID = [
    (event("air", tile="R4", chooser=0), ["Done: red 4 was in free air."]),
    (event("fall", tile="R4", direction="right", chooser=0), ["Done: red 4 fell to the right."]),
    (event("explosion", tiles=["Y1", "G1"], taken=[], payer=0),
     ["Done: explosion of yellow coal 1 and green coal 1."]),
    (event("fire", tile="R7", taken=["R40"], payer=0, leaves=False),
     ["Done: fire of red blowtorch 7; red 40 came off."]),
    (event("fire", tile="R7", taken=[], payer=0, leaves=False),
     ["Done: fire of red blowtorch 7; nothing burned."]),
    (event("curse", tiles=["R40", "B40", "G40"], taken=["R40", "B40", "G40"], payer=1),
     ["Done: curse of red 40, blue 40 and green 40."]),
    (event("die", roll=4), ["Done: the fire die shows 4."]),
    ({"event": "verdict", "verdict": [], "needs": {"choice": "die"}}, ["1. Roll the fire die."]),
    ({"event": "verdict", "verdict": [{"event": "air", "tile": "R4", "chooser": 1}],
      "needs": {"choice": "fall", "tile": "R4", "chooser": 1}},
     ["1. Free air: red 4 rests on nothing. Slide red 4 down, left or right."]),
    ({"event": "missed", "since": 4, "needs": None, "payer": 1,
      "verdict": [{"event": "curse", "tiles": ["R40", "B40", "G40"], "taken": ["R40"], "payer": 1}]},
     ["Missed since turn 4:", "1. Curse: red 40, blue 40 and green 40 have the same weight. Put red 40 under "
      "the pile of player 2."]),
    ({"event": "wrong-step", "right": ["R40"], "text": "Blue 20 was taken as well."},
     ["Blue 20 was taken as well."]),
    ({"event": "fixed"}, ["The wrong step was corrected."]),
    ({"event": "question", "tiles": [], "text": "Is this red 40?"}, ["Is this red 40?"]),
    ({"event": "notice", "text": "The camera is gone."}, ["The camera is gone."]),
    ({"event": "end", "winner": None}, ["The game is over."]),
    ({"event": "end", "winner": 2}, ["The game is over. The winner is player 3."]),
    ({"event": "song", "text": "La la."}, ["La la."]),
    ({"event": "notice", "text": "\x1b[2J\x9bgone\r\n"}, [" [2J gone  "]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "sentences"), SAID, ids=[words[0][:30] for _, words in SAID])
def test_all_that_can_be_said(said, sentences):
    assert recorded_sentences(said, 3) == sentences


@pytest.mark.parametrize(
    "said",
    [{}, {"event": "song"}, {"event": "placed", "tile": "R41"}, event("song"), {"event": "step", "step": 3},
     event("fall", tile="R4", direction="up"), {"event": "verdict", "verdict": 7},
     event("collapse", tile="R4", reasons=["mood"], taken=["R40"], payer=0),
     {"event": "verdict", "verdict": [], "needs": {}}, {"event": "missed", "since": "x", "verdict": []},
     {"event": "verdict", "needs": None,
      "verdict": [{"event": "collapse", "tile": "R4", "reasons": [], "taken": [], "payer": 0}]}],
    ids=str,
)  # fmt: skip
def test_what_is_not_understood_is_told_as_such(said):
    assert recorded_sentences(said, 3) == ["This version does not understand what was said here."]


def test_a_turn_has_its_first_picture_and_what_is_said_of_it_later_belongs_to_it(data):
    with GameStore.open() as store:
        game = store.start_game(SETTINGS)
        for turn, jpeg in ((1, None), (1, b"a"), (1, b"b"), (2, b"c"), (1, None)):
            store.append(
                game, [(EntryKind.SETTLED, {}), (EntryKind.SAID, {"turn": turn, "player": turn - 1})], jpeg
            )
        store.append(game, [(EntryKind.NOTICE, {}), (EntryKind.SAID, {"event": "notice"})])
        turns = turns_of(store.entries(game))
    assert [(turn.number, turn.player, turn.picture, len(turn.said)) for turn in turns] == [
        (1, 0, 3, 4),
        (2, 1, 7, 2),
    ]


def clicked_game(voice=Voice.ANNOUNCE):
    """Return the number of a stored game of which a turn was taken back, or of one in the silent voice."""
    variant = Variant.STRATEGY if voice is Voice.SILENT else Variant.FAMILY
    settings = GameSettings(Setup(3, variant, voice), "", ("Ann", "Ben", "Cleo"))
    with GameStore.open() as store:
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("G60", 1, 0)):
            model.do(Put(code, row, slot))
        if voice is Voice.ANNOUNCE:
            model.do(Undo())
            model.do(Put("R4", 1, 0))
        else:
            model.do(Put("G4", 0, 2))
            model.do(CallCheck())
        return model.session.game


def test_what_was_taken_back_is_not_told(replay, data, tmp_path):
    game = clicked_game()
    status, out, _ = replay(game)
    assert (status, [line for line in out.splitlines() if "Placed" in line]) == (
        0, ["  Placed: red 40.", "  Placed: blue 20.", "  Placed: red 4."]
    )  # fmt: skip
    assert "green 60" not in out
    assert "G60" not in replay(game, "--json")[1]
    assert replay(game, "--verify")[0] == 0
    with GameStore.open() as store:
        assert [len(turn.said) for turn in turns_of(store.entries(game))] == [1, 1, 1]


def test_what_the_silent_voice_kept_back_stands_with_its_turn(replay, data):
    game = clicked_game(Voice.SILENT)
    with GameStore.open() as store:
        turns = turns_of(store.entries(game))
    assert [turn.number for turn in turns] == [1, 2, 3, 4]
    assert [said["event"] for turn in turns for said in turn.said].count("missed") == 1


def test_turns_are_there_again_after_the_turn_was_put_back(data):
    with GameStore.open() as store:
        game = store.start_game(SETTINGS)
        for turn in (1, 2, 3):
            said = {"event": "fixed", "turn": turn, "player": turn - 1}
            store.append(game, [(EntryKind.SETTLED, {}), (EntryKind.SAID, said)])
        store.append(game, [(EntryKind.CORRECTION, {"input": "correction", "turn": 1})])
        said = {"event": "fixed", "turn": 2, "player": 1}
        store.append(game, [(EntryKind.SETTLED, {}), (EntryKind.SAID, said)])
        assert [turn.number for turn in turns_of(store.entries(game))] == [1, 2, 3, 2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--verify",), "Give the number of a game"),
        (("--export", "x.jsonl"), "Give the number of a game"),
        (("--strip", "x.pdf"), "Give the number of a game"),
        (("1", "--import", "x.jsonl"), "Leave the number out"),
        (("1", "--with-pictures"), "Use --with-pictures only together with --export."),
        (("1", "--strip", "x.gif"), "end in .pdf or .png"),
        (("1", "--verify", "--strip", "x.pdf"), "not allowed with argument"),
        (("first",), "invalid int value"),
    ],
    ids=" ".join,
)
def test_arguments_that_do_not_go_together_are_wrong_usage(replay, data, arguments, words):
    status, out, err = replay(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert not data.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("9",), "There is no game 9."),
        (("9", "--json"), "There is no game 9."),
        (("9", "--verify"), "There is no game 9."),
        (("9", "--export", "x.jsonl"), "There is no game 9."),
        (("9", "--strip", "x.pdf"), "There is no game 9."),
        (("--import", "missing.jsonl"), "'missing.jsonl' cannot be opened: No such file"),
        (("1", "--export", "missing/x.jsonl"), "'missing/x.jsonl' cannot be written: No such file"),
        (("1", "--strip", "missing/x.png"), "'missing/x.png' cannot be written: No such file"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_one_sentence(replay, game, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    status, out, err = replay(*arguments)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert err.startswith(words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_damaged_store_is_told_on_standard_error(replay, data):
    lay_down(data, b"no data base" * 100)
    status, out, err = replay()
    assert status == 0
    assert out.startswith("No game has been recorded yet.")
    assert err.startswith("The recorded games in")


def test_as_a_process(game, data):
    line = [sys.executable, "-m", "ui", "--lang", "en", "replay", str(game), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(text)["turn"] for text in done.stdout.splitlines()] == [1, 2, 3, 3, 3, 3, 4, 5, 5]


def test_a_sound_game_is_verified(replay, game):
    sentence = "Game 1: the record is complete (16 entries), and the replay says the same.\n"
    assert replay(game, "--verify") == (0, sentence, "")


def change_and_verify(replay, exported, path, change):
    """Take in a file with other, well sealed entries, and verify that game."""
    objects = unsealed(exported)
    changed = [objects[0], *change(objects[1:])]
    for number, entry in enumerate(changed[1:], 1):
        entry["number"] = number
    changed[0]["entries"] = len(changed) - 1
    path.write_bytes(b"".join(sealed(changed)))
    assert replay("--import", path)[0] == 0
    return replay(2, "--verify")


def test_words_may_be_of_another_language(replay, game):
    with GameStore.open() as store:
        entry = store.append(
            game,
            [(EntryKind.NOTICE, {"input": "notice", "time_s": 70.0, "text": "The camera is gone."}),
             (EntryKind.SAID, {"event": "notice", "turn": 5, "player": 1, "layout": "Y100 Y2/Y4",
                               "stocks": [20, 0, 22], "time_s": 70.0, "text": "La caméra a disparu."})],
        )  # fmt: skip
    assert entry == 18
    assert replay(game, "--verify")[0] == 0


def test_what_was_said_otherwise_is_found(replay, exported, tmp_path):
    def take_another_tile(entries):
        entries[3]["content"]["tile"] = "B40"
        return entries

    status, out, err = change_and_verify(replay, exported, tmp_path / "x.jsonl", take_another_tile)
    assert (status, err) == (1, "")
    said, then, now = out.splitlines()
    assert said == "Game 2: the replay differs from announcement 2 on."
    assert (json.loads(then)["tile"], json.loads(now)["tile"]) == ("B40", "B20")


@pytest.mark.parametrize(("roll", "recorded"), [(2, 1), (3, 1), (5, 4)])
def test_a_game_in_which_an_older_version_recorded_another_roll_goes_on(
    replay, data, tmp_path, roll, recorded
):
    settings = GameSettings(Setup(3, options=Options(fire_die=FireDie.NEWER)), "", ("Ann", "Ben", "Cleo"))
    path = tmp_path / "x.jsonl"
    with GameStore.open() as store:
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("B7", 1, 0)):
            model.do(Put(code, row, slot))
        model.do(ShowRoll(roll))
        then = model.view()
        export_game(store, model.session.game, path, with_pictures=True)
    objects = unsealed(path.read_bytes().splitlines())
    steps = [found["content"]["step"] for found in objects if "step" in found.get("content", {})]
    rolls = [step for step in steps if "roll" in step]
    assert [step["roll"] for step in rolls] == [roll]
    rolls[0]["roll"] = recorded
    path.write_bytes(b"".join(sealed(objects)))
    assert replay("--import", path)[0] == 0
    status, out, err = replay(2, "--verify")
    assert (status, err) == (1, "")
    assert "for an older version recorded another roll of the fire die" in out.splitlines()[0]
    assert (replay(2)[0], replay(2, "--json")[0]) == (0, 0)
    with GameStore.open() as store:
        again = GameViewModel(store, GameSession(store, 2, None), settings)
        assert (again.view().card, again.view().players) == (then.card, then.players)
        while not again.view().places:
            again.do(again.view().card.choices[0].act)
        place = again.view().places[0]
        again.do(Put("G10", place.row, place.slot))
        again.do(Undo())
        assert again.view().places


def test_what_was_never_said_or_is_missing_is_found(replay, exported, tmp_path):
    status, out, _ = change_and_verify(replay, exported, tmp_path / "x.jsonl", lambda entries: entries[:-1])
    assert (status, out) == (1, "Game 2: 8 announcements in the record, 9 announcements in the replay.\n")


def test_an_input_that_is_none_is_a_sentence(replay, exported, tmp_path):
    def sing(entries):
        entries[2]["content"]["input"] = "song"
        return entries

    status, out, err = change_and_verify(replay, exported, tmp_path / "x.jsonl", sing)
    assert (status, out, err) == (1, "", "'song' is no input of a game that is followed.\n")


def test_a_game_whose_entries_were_changed_is_not_followed_again(replay, game, data):
    with sqlite3.connect(data / "games.sqlite3") as db:
        db.execute("UPDATE entry SET content = '{}' WHERE number = 4")
    db.close()
    status, out, err = replay(game, "--verify")
    assert (status, out) == (1, "")
    assert err == "Entry 4 of game 1 was changed, or one before it is missing.\n"


@pytest.mark.parametrize("voice", Voice)
def test_a_game_goes_on_where_its_process_ended(voice):
    """After any entry, a fresh follower that hears the inputs again says what the first goes on to say."""
    setup = Setup(players=3, voice=voice)
    inputs = [input_to_dict(settled(table, 10.0 * number)) for number, table in enumerate(TABLES)]
    inputs.insert(3, {"input": "closed"})
    inputs.insert(6, {"input": "check", "time_s": 45.0, "player": None})
    settings = GameSettings(setup)
    _, whole = follow_again(settings, inputs)
    assert any(isinstance(said, MayhemFound) for said in whole)
    for ended in range(len(inputs)):
        follower, said = follow_again(settings, inputs[:ended])
        for found in inputs[ended:]:
            heard = follower.close() if found["input"] == "closed" else follower.hear(input_from_dict(found))
            said += heard
        assert said == whole


def test_challenged_calls_are_counted(replay):
    with GameStore.open() as store:
        settings = GameSettings(Setup(3), "", ("Ann", "Ben", "Cal"))
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        for slot, code in enumerate(("R40", "B20")):
            model.do(Put(code, 0, slot))
            model.do(Challenge(slot, 0))
            model.do(Ruling(is_overturned=slot == 0))
        game = model.session.game
        model.leave()
    assert replay(game)[1].splitlines()[-1] == "Challenged: 2, overturned: 1."
    assert replay(game, "--verify")[0] == 0
