"""The pages with which a phone is the camera, in a real browser, and what they say of each mishap."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.by import By as Find
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from tests.ui.phones.browser import HAS_BROWSER, browser, wait_until
from tests.ui.phones.conftest import HOST, Served, begin, jpeg, serving
from ui.storage.game_store import GameStore
from ui.viewmodels.requests import PHONE_SOURCE

pytestmark = pytest.mark.skipif(not HAS_BROWSER, reason="there is no chromium here")

TAKEN = "Number(document.body.dataset.taken ?? 0)"
"""How many pictures of this page the computer has taken."""
TRACK = "document.querySelector('video').srcObject?.getVideoTracks()[0]"
RICH_CAMERA = """
MediaStreamTrack.prototype.getCapabilities = () => ({ zoom: { min: 1, max: 4, step: 0.5 }, torch: true });
MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => void window.wanted.push(...advanced);
window.wanted = [];
"""
"""Chromium's false camera has neither zoom nor lamp."""
STATUS = "document.getElementById('status').textContent"
Opens = Callable[[str], Any]


@pytest.fixture
def served(store: GameStore, tmp_path: Path) -> Iterator[Served]:
    with serving(begin(store, source=PHONE_SOURCE), tmp_path) as found:
        yield found


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A camera's film of two grey pictures."""
    target = tmp_path / "film.y4m"
    with target.open("wb") as file:
        file.write(b"YUV4MPEG2 W640 H360 F10:1 Ip A1:1 C420jpeg\n")
        for grey in (60, 90):
            image = np.full((360, 640, 3), grey, np.uint8)
            file.write(b"FRAME\n" + cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes())
    return target


@pytest.fixture
def camera(served: Served, film: Path, tmp_path: Path) -> Iterator[Opens]:
    """Open the page on a phone with a camera, and start it."""
    with ExitStack() as held:

        def open_one(name: str) -> Any:
            opened = held.enter_context(browser(tmp_path / name, film=film))
            opened.get(served.address + "before")
            opened.find_element(Find.ID, "go").click()
            wait_until(opened, "location.protocol === 'https:' && document.querySelector('#start')")
            press_start(opened)
            sends_on(opened)
            return opened

        yield open_one


def press_start(opened: Any) -> None:
    opened.find_element(Find.ID, "start").click()


def status(opened: Any) -> str:
    return str(opened.execute_script(f"return {STATUS}"))


def waits_for(opened: Any, words: str) -> None:
    """Wait until the page says this."""
    wait_until(opened, f"{STATUS}.includes({words!r})")


def sends_on(opened: Any) -> None:
    """Wait until more pictures have been taken, and see that the page says so."""
    taken = opened.execute_script(f"return {TAKEN}")
    wait_until(opened, f"{TAKEN} > {taken + 2}")
    waits_for(opened, "The referee sees the table")


def test_a_phone_films(served: Served, camera: Opens) -> None:
    """By two buttons; and nothing is refused by the policy of the page."""
    opened = camera("phone")
    assert served.hub.pictures.count > 2
    assert not opened.find_element(Find.ID, "start").is_displayed()
    served.hub.advise(["It is too dark."])
    wait_until(opened, "document.getElementById('advice').textContent === 'It is too dark.'")
    assert opened.get_log("browser") == []


@pytest.mark.slow
def test_the_camera_stops_and_is_started_again(camera: Opens) -> None:
    opened = camera("phone")
    opened.execute_script(
        "const track = document.querySelector('video').srcObject.getVideoTracks()[0];"
        "track.stop(); track.dispatchEvent(new Event('ended'))"
    )
    waits_for(opened, "The phone has stopped the camera. Press Start.")
    press_start(opened)
    sends_on(opened)


@pytest.mark.slow
def test_the_pictures_pause_for_another_app(camera: Opens) -> None:
    opened = camera("phone")
    track = "document.querySelector('video').srcObject.getVideoTracks()[0]"
    opened.execute_script(f"{track}.dispatchEvent(new Event('mute'))")
    assert "gives no pictures just now" in status(opened)
    opened.execute_script(f"{track}.dispatchEvent(new Event('unmute'))")
    sends_on(opened)


@pytest.mark.slow
def test_the_phone_is_locked_and_opened_again(camera: Opens) -> None:
    """The page is hidden, as by the lock: nothing is sent. Then it says so, and goes on by itself."""
    opened = camera("phone")
    lock(opened, "minimized")
    wait_until(opened, "document.hidden")
    taken = opened.execute_script(f"return {TAKEN}")
    wait_until(opened, "new Promise((done) => setTimeout(() => done(true), 1000))")
    assert opened.execute_script(f"return {TAKEN}") <= taken + 2  # those that were on the way
    opened.execute_script(
        "window.told = [];"
        f"new MutationObserver(() => window.told.push({STATUS}))"
        ".observe(document.getElementById('status'), { childList: true })"
    )
    lock(opened, "normal")
    wait_until(opened, "window.told.some((told) => told.includes('the referee saw nothing'))")
    sends_on(opened)


def lock(opened: Any, state: str) -> None:
    """Hide the window of the browser, or show it."""
    window = opened.execute_cdp_cmd("Browser.getWindowForTarget", {})["windowId"]
    bounds = {"windowId": window, "bounds": {"windowState": state}}
    opened.execute_cdp_cmd("Browser.setWindowBounds", bounds)


@pytest.mark.slow
def test_the_network_is_lost_and_comes_back(served: Served, camera: Opens) -> None:
    opened = camera("phone")
    said = f"{STATUS}.includes('cannot be reached')"
    opened.execute_script(
        "window.wasLost = false;"
        f"new MutationObserver(() => {{ window.wasLost ||= {said} }})"
        ".observe(document.getElementById('status'), { childList: true })"
    )
    for each in served.server.connections():
        each.shutdown(socket.SHUT_RDWR)
    wait_until(opened, "window.wasLost")
    sends_on(opened)


@pytest.mark.slow
def test_a_second_phone_takes_over_and_the_first_can_come_back(camera: Opens) -> None:
    first = camera("one")
    second = camera("two")
    waits_for(first, "Another phone is the camera now.")
    press_start(first)
    sends_on(first)
    waits_for(second, "Another phone is the camera now.")


@pytest.mark.slow
def test_cameras_zoom_and_lamp_are_offered_where_there_are_any(served: Served, tmp_path: Path) -> None:
    flags = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=2")
    with browser(tmp_path / "phone", flags=flags) as opened:
        opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RICH_CAMERA})
        opened.get(served.server.address(HOST, encrypted=True) + "camera")
        press_start(opened)
        sends_on(opened)
        cameras = Select(opened.find_element(Find.ID, "cameras"))
        assert len(cameras.options) == 2
        other = next(each for each in cameras.options if not each.is_selected())
        wanted = other.get_attribute("value")
        cameras.select_by_value(wanted)
        wait_until(opened, f"{TRACK}?.getSettings().deviceId === {wanted!r}")
        sends_on(opened)
        opened.find_element(Find.ID, "zoom").send_keys(Keys.END)
        opened.find_element(Find.ID, "torch").click()
        wait_until(opened, "document.getElementById('torch').ariaPressed === 'true'")
        assert opened.execute_script("return window.wanted") == [{"zoom": 4}, {"torch": True}]


@pytest.mark.slow
def test_the_permission_is_refused(served: Served, tmp_path: Path) -> None:
    flags = ("--use-fake-device-for-media-stream", "--deny-permission-prompts")
    with browser(tmp_path / "phone", flags=flags) as opened:
        opened.get(served.server.address(HOST, encrypted=True) + "camera")
        press_start(opened)
        waits_for(opened, "does not give its camera to this page")
        assert opened.find_element(Find.ID, "start").is_displayed()
        # The way out leads to single photos, without a certificate.
        opened.find_element(Find.CSS_SELECTOR, "a[href$='photos']").click()
        wait_until(opened, "location.protocol === 'http:' && document.querySelector('#photo')")


@pytest.mark.slow
def test_the_phone_has_no_camera(served: Served, tmp_path: Path) -> None:
    with browser(tmp_path / "phone", flags=("--use-fake-ui-for-media-stream",)) as opened:
        opened.get(served.server.address(HOST, encrypted=True) + "camera")
        press_start(opened)
        waits_for(opened, "This phone has no camera")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "words"), [("no picture", "could not use this photo"), ("photo", "has this photo")]
)
def test_single_photos(served: Served, tmp_path: Path, device: str, words: str) -> None:
    photo = tmp_path / f"{device}.jpg"
    photo.write_bytes(jpeg(3000, 2000) if device == "photo" else b"not a picture")
    with browser(tmp_path / "phone") as opened:
        opened.get(served.address + "photos")
        opened.find_element(Find.ID, "photo").send_keys(str(photo))
        waits_for(opened, words)
        assert served.hub.pictures.count == int(device == "photo")
        assert opened.find_element(Find.ID, "shown").is_displayed() == (device == "photo")
