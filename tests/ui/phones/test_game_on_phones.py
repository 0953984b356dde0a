"""What phones see of a game, and what they may choose in it."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import cv2
import pytest

from referee.rules.game import Setup, Variant, Voice
from tests.places import SAMPLES
from tests.ui.phones.conftest import HOST, Served, begin, jpeg, ours, serving, visit
from tests.ui.phones.played_games import play_turns, win
from tests.ui.recorded_games import settled
from ui.phones import server as servers
from ui.phones.hub import PhoneHub
from ui.phones.server import PhoneServer
from ui.services.game_session import GameSession
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.announcements import announcement_json
from ui.viewmodels.game_view import CallCheck, Put, Undo
from vision.recognition.reader import TileReader
from vision.sources.frame import Frame

COLLAPSE = ("-", "R40", "R40 B20", "R40 B20/R30", "R40 B20 Y60/R30 -", "R40 B20 Y60/R30 B100")
"""The last tile, of player 2, is too heavy."""


def watch(served: Served, *tables: str) -> None:
    """Let the game see tables, as its camera would."""
    for number, table in enumerate(tables, len(served.model.session.heard)):
        served.model.session.hear(settled(table, 10.0 * number + 1))
        served.model._forget()
        served.hub.show(served.model)


async def states(answer: aiohttp.ClientResponse) -> AsyncIterator[dict[str, Any]]:
    async for line in answer.content:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


async def told(line: aiohttp.ClientWebSocketResponse, key: str) -> Any:
    """Wait for a message with this key."""
    while True:
        found = json.loads((await line.receive()).data)
        if key in found:
            return found[key]


def player_address(served: Served, player: int, language: str = "en") -> str:
    return f"{served.address}player?player={player}&lang={language}"


@pytest.fixture
def watched(store: GameStore, tmp_path: Path):
    with serving(begin(store, source="phone://"), tmp_path) as found:
        yield found


class TestWhoWatches:
    def test_a_new_state_comes_by_itself(self, watched: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(watched.address + "events") as answer:
                assert answer.content_type == "text/event-stream"
                shown = states(answer)
                assert (await anext(shown))["tiles"] == []
                await asyncio.to_thread(watch, watched, *COLLAPSE)
                async for state in shown:
                    if state["card"]["tone"] == "mayhem":
                        break
            assert state["card"]["headline"] == "Collapse"
            assert state["card"]["taken"] == ["B20", "Y60"]
            assert state["names"]["B100"] == "blue 100"
            assert [tile["ring"] for tile in state["tiles"] if tile["code"] == "B100"] == ["cause"]
            assert [player["name"] for player in state["players"]][1] == "<b>Bruno</b>"
            assert "choices" not in state

        visit(come)

    def test_each_in_the_own_language(self, watched: Served) -> None:
        watch(watched, *COLLAPSE)

        async def come(guest: aiohttp.ClientSession) -> None:
            for language, headline in (("fr", "Effondrement"), ("en", "Collapse"), ("xx", "Collapse")):
                async with guest.get(f"{watched.address}events?lang={language}") as answer:
                    assert (await anext(states(answer)))["card"]["headline"] == headline
            async with guest.get(watched.address + "watch", headers={"Accept-Language": "fr-CA"}) as answer:
                assert "La pyramide" in await answer.text()

        visit(come)
        assert watched.model.view().card.headline == "Collapse"

    def test_who_looks_back_at_the_computer_shows_nobody_the_past(self, watched: Served) -> None:
        from ui.viewmodels.game_view import LookBack

        watch(watched, *COLLAPSE)
        watched.do(LookBack(0))
        view = watched.hub.view("en")
        assert view is not None
        assert len(view.public["tiles"]) == 5

    def test_who_watches_is_told_that_the_game_was_left(self, store: GameStore, tmp_path: Path) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(served.address + "events?lang=fr") as answer:
                shown = states(answer)
                await anext(shown)
                await asyncio.to_thread(served.server.stop)
                *_before, last = [state async for state in shown]
            assert "a été quittée" in last["goodbye"]

        with serving(begin(store), tmp_path) as served:
            visit(come)


class TestTheFeed:
    def test_it_has_the_lines_of_watch_json(self, store: GameStore, watched: Served) -> None:
        lines: list[dict[str, Any]] = []

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(watched.address + "feed") as line:
                await asyncio.to_thread(watch, watched, *COLLAPSE)
                while not lines or lines[-1]["event"] != "verdict":
                    lines.append(json.loads((await line.receive()).data))

        visit(come)
        stored = [
            entry.content
            for entry in store.entries(watched.model.session.game)
            if entry.kind is EntryKind.SAID
        ]
        assert lines == stored
        assert lines[-1]["verdict"][0]["event"] == "collapse"

    def test_what_was_taken_back_is_not_told_again(self, served: Served) -> None:
        lines: list[str] = []

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "feed") as line:
                place = served.model.view().places[0]
                for act in (Put("R40", place.row, place.slot), Undo(), Put("R60", place.row, place.slot)):
                    served.do(act)
                while len(lines) < 2:
                    found = json.loads((await line.receive()).data)
                    lines.extend([found["tile"]] if found["event"] == "placed" else [])

        visit(come)
        assert lines == ["R40", "R60"]


class TestPlayers:
    def test_the_chooser_chooses_and_nobody_else(self, watched: Served) -> None:
        watch(watched, *COLLAPSE)

        async def come(guest: aiohttp.ClientSession) -> None:
            async with (
                guest.ws_connect(player_address(watched, 1), headers=ours(watched)) as bruno,
                guest.ws_connect(player_address(watched, 0), headers=ours(watched)) as anna,
            ):
                own = (await told(bruno, "state"))["choices"]
                assert [choice["label"] for choice in own] == ["Left", "Right"]
                assert (await told(anna, "state"))["choices"] == []
                await anna.send_str(json.dumps({"choose": own[0]["id"]}))
                assert "no longer" in await told(anna, "told")
                assert watched.acts == []
                await bruno.send_str(json.dumps({"choose": own[0]["id"]}))
                assert await told(bruno, "told") == "Sent."

        visit(come)
        assert [act.player for act in watched.acts] == [1]
        assert "to the left" in watched.model.view().card.sentences[-1]

    def test_an_answer_is_stored_with_who_gave_it_and_can_be_taken_back(
        self, store: GameStore, tmp_path: Path
    ) -> None:
        model = begin(store, variant=Variant.STRATEGY, players=2)
        with serving(model, tmp_path) as served:
            place = model.view().places[0]
            served.do(Put("R40", place.row, place.slot))

            async def come(guest: aiohttp.ClientSession) -> None:
                async with guest.ws_connect(player_address(served, 1, "fr"), headers=ours(served)) as line:
                    choices = (await told(line, "state"))["choices"]
                    assert choices[0]["label"] == "OK"
                    for _twice in range(2):
                        await line.send_str(json.dumps({"choose": choices[0]["id"]}))
                    assert await told(line, "told") == "Envoyé."
                    assert "plus possible" in await told(line, "told")

            visit(come)
            said = [e.content for e in store.entries(model.session.game) if e.kind is EntryKind.ANSWER]
            assert [(each["reply"], each["by"]) for each in said] == [("ok", 1)]
            assert model.view().can_undo
            served.do(Undo())
            assert [choice.label for choice in model.view().card.choices] == ["OK"]

    def test_a_second_phone_takes_over_and_the_first_is_told(self, served: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(player_address(served, 0, "fr"), headers=ours(served)) as first:
                await told(first, "state")
                async with guest.ws_connect(player_address(served, 0), headers=ours(served)) as second:
                    assert "autre téléphone" in await told(first, "goodbye")
                    await told(second, "state")

        visit(come)

    def test_when_the_game_is_left_everybody_is_told(self, store: GameStore, tmp_path: Path) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(player_address(served, 0), headers=ours(served)) as line:
                await told(line, "state")
                await asyncio.to_thread(served.server.stop)
                assert await told(line, "goodbye") == "The game on the computer was left."
            with pytest.raises(aiohttp.ClientConnectionError):
                await guest.get(served.address)

        with serving(begin(store), tmp_path) as served:
            visit(come)


class TestTheSilentVoice:
    """Nothing gives away what the referee keeps back, nor that somebody asks before the answer is public."""

    @pytest.fixture
    def silent(self, store: GameStore, tmp_path: Path):
        model = begin(store, source="phone://", variant=Variant.STRATEGY, voice=Voice.SILENT)
        with serving(model, tmp_path) as found:
            yield found

    def test_mayhem_is_not_seen_until_somebody_asks(self, store: GameStore, silent: Served) -> None:
        watch(silent, *COLLAPSE)
        view = silent.hub.view("en")
        assert view is not None
        kept = json.dumps([view.for_player(player) for player in range(3)])
        assert "ollapse" not in kept
        assert '"ring": "cause"' not in kept
        assert view.public["card"]["tone"] == "calm"

        async def come(guest: aiohttp.ClientSession) -> None:
            async with (
                guest.ws_connect(player_address(silent, 0), headers=ours(silent)) as anna,
                guest.ws_connect(player_address(silent, 2), headers=ours(silent)) as chloe,
                guest.ws_connect(silent.address + "feed") as feed,
            ):
                await told(chloe, "state")
                check = next(each for each in (await told(anna, "state"))["choices"] if each["check"])
                await anna.send_str(json.dumps({"choose": check["id"]}))
                # The first thing that anybody else hears is the answer.
                assert (await told(chloe, "state"))["card"]["headline"] == "Collapse"
                line = json.loads((await feed.receive()).data)
                assert line["event"] == "verdict"
                assert "by" not in line

        visit(come)
        assert [(act.player, act.act) for act in silent.acts] == [(0, CallCheck())]
        public = silent.hub.view("en")
        assert public is not None
        assert "check" not in json.dumps(public.public["turns"]).lower()
        entries = store.entries(silent.model.session.game)
        asked = [entry.content for entry in entries if entry.kind is EntryKind.CHECK]
        assert [(each["player"], each["by"]) for each in asked] == [(0, 0)]


class TestTheCamera:
    def test_pictures_become_frames_of_a_source(self, watched: Served) -> None:
        source = watched.hub.pictures.open_source()
        seen: list[float] = []

        async def come(guest: aiohttp.ClientSession) -> None:
            frames = iter(source)
            async with guest.ws_connect(watched.address + "pictures", headers=ours(watched)) as line:
                for grey in (40, 120, 200):
                    await line.send_bytes(jpeg(grey=grey))
                    frame = await asyncio.to_thread(next, frames)
                    assert isinstance(frame, Frame)
                    seen.append(float(frame.image_bgr.mean()))
                    await told(line, "taken")
                watched.hub.advise(["Too dark."])
                assert await told(line, "advice") == ["Too dark."]

        try:
            visit(come)
        finally:
            source.close()
        assert seen == pytest.approx([40, 120, 200], abs=2)

    def test_a_second_phone_becomes_the_camera(self, watched: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(watched.address + "pictures", headers=ours(watched)) as first:
                await first.send_bytes(jpeg())
                await told(first, "taken")
                async with guest.ws_connect(watched.address + "pictures", headers=ours(watched)):
                    assert "Another phone" in await told(first, "goodbye")

        visit(come)

    def test_a_single_photo_is_a_table_at_rest(self, watched: Served) -> None:
        """It is shown until the motion gate lets it through, and the next one takes its place."""
        from vision.sources.motion_gate import MotionGate, TableMotion

        gate, source = MotionGate(), watched.hub.pictures.open_source()

        async def post(guest: aiohttp.ClientSession, grey: int) -> None:
            url = watched.address + "photo"
            async with guest.post(url, data=jpeg(grey=grey), headers=ours(watched)) as answer:
                assert answer.status == 200
                assert "next one after the next turn" in (await answer.json())["told"]

        try:
            for grey in (60, 160):
                visit(lambda guest, grey=grey: post(guest, grey))  # type: ignore[misc]
                for item in source:
                    if isinstance(item, Frame) and gate.see(item) is TableMotion.SETTLED:
                        break
                assert item.image_bgr.mean() == pytest.approx(grey, abs=2)
        finally:
            source.close()

    def test_a_phone_that_is_turned_in_the_game_is_followed_all_the_same(self, store: GameStore) -> None:
        """Its pictures stand upright from then on, and the table lies on its side."""
        pictures = [cv2.imread(str(each)) for each in sorted((SAMPLES / "game").glob("*.jpg"))[:11:2]]
        said = []
        for turned in ((), (3, 4)):
            session = GameSession.begin(store, GameSettings(Setup(3)), TileReader.open())
            said.append([])
            for number in range(6 * len(pictures)):
                image = pictures[number // 6]
                if number // 6 in turned:
                    image = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
                frame = Frame(image, 0.15 * number, number)
                said[-1] += [announcement_json(each) for each in session.see(frame)]
        assert len(said[0]) >= 5
        assert said[0] == said[1]

    def test_the_page_for_the_camera_is_reached_over_https(self, watched: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(watched.address + "before") as answer:
                text = await answer.text()
            assert f'href="{watched.server.address(HOST, encrypted=True)}camera"' in text

        visit(come)


def test_a_game_that_is_taken_up_again_is_not_told_from_its_beginning(
    store: GameStore, tmp_path: Path
) -> None:
    model = begin(store, source="phone://")
    for number, table in enumerate(COLLAPSE[:4]):
        model.session.hear(settled(table, 10.0 * number + 1))
    lines: list[dict[str, Any]] = []

    async def come(guest: aiohttp.ClientSession) -> None:
        async with guest.ws_connect(served.address + "feed") as line:
            served.hub.forget_game()
            served.hub.show(model)
            await asyncio.to_thread(watch, served, COLLAPSE[4])
            lines.append(json.loads((await line.receive()).data))

    with serving(model, tmp_path) as served:
        visit(come)
    assert [line["tile"] for line in lines] == ["Y60"]


def test_a_guest_who_comes_as_the_server_ends_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", left.append)
    monkeypatch.setattr(servers, "HTTP_PORT", 0)
    for _ in range(4):
        server = PhoneServer(PhoneHub(), [HOST], tmp_path)
        server.start()
        port = int(server.address(HOST).split(":")[2].split("/")[0])
        for _guest in range(3):
            socket.create_connection((HOST, port), 10).close()
        assert server.stop()
        gc.collect()
    assert left == []


class TestWhatThePagesTellBeside:
    def test_the_rule_behind_the_card_with_the_tiles_of_the_case(self, watched: Served) -> None:
        watch(watched, *COLLAPSE)
        view, shown = watched.hub.view("fr"), watched.model.view(is_live=True).why
        assert view is not None
        assert shown is not None
        why = view.public["why"]
        assert why["title"] == "Effondrement"
        assert (shown.title, len(why["said"])) == ("Collapse", len(shown.sentences))
        assert [tile["code"] for tile in why["tiles"]] == [tile.code for tile in shown.tiles]
        assert {tile["code"] for tile in why["tiles"]} <= set(view.public["names"])

    def test_nobody_has_won_yet(self, served: Served) -> None:
        view = served.hub.view("en")
        assert view is not None
        assert view.public["ending"] is None

    def test_the_result_is_that_of_the_window(self, served: Served) -> None:
        play_turns(served, 6)
        win(served)
        shown, view = served.model.view().ending, served.hub.view("en")
        assert shown is not None
        assert view is not None
        ending = view.public["ending"]
        winner = view.public["players"][ending["ranks"][0]["player"]]
        assert (winner["winner"], ending["ranks"][0]["place"], ending["ranks"][0]["stock"]) == (True, 1, 0)
        assert ending["remarks"] == list(shown.remarks)
        assert ending["stocks"] == [list(stocks) for stocks in shown.stocks]
        assert "<b>Bruno</b>: 15 tiles at first" in ending["stocks_told"]
        assert view.for_player(0)["choices"] == []
