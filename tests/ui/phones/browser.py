"""A real browser for the pages: Debian's chromium, without a screen and without a network of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

WAIT_S = 120
"""After this, what is waited for does not come any more."""
PHONE = (390, 844)
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
HAS_BROWSER = CHROMIUM is not None and DRIVER is not None
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
    "--ignore-certificate-errors", "--mute-audio",
)  # fmt: skip


@contextmanager
def browser(
    folder: Path,
    *,
    language: str = "en",
    dark: bool = False,
    size: tuple[int, int] = PHONE,
    film: Path | None = None,
    flags: tuple[str, ...] = (),
) -> Iterator[webdriver.Chrome]:
    """Open a browser with a new profile.

    Args:
        folder: Where the profile goes.
        language: That of the phone.
        dark: Whether the phone is dark.
        size: Width and height of its screen.
        film: What its camera sees, a .mjpeg or .y4m file.
        flags: Further flags.
    """
    options = Options()
    assert CHROMIUM is not None
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, *flags, f"--user-data-dir={folder}", f"--lang={language}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    if film is not None:
        options.add_argument("--use-fake-ui-for-media-stream")
        options.add_argument("--use-fake-device-for-media-stream")
        options.add_argument(f"--use-file-for-fake-video-capture={film}")
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 600},
        )
        driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]},
        )
        yield driver
    finally:
        driver.quit()


def wait_until(driver: webdriver.Chrome, script: str) -> object:
    """Wait until a script in the page returns something true, and return that."""
    return WebDriverWait(driver, WAIT_S, poll_frequency=0.05).until(
        lambda opened: opened.execute_script(f"return {script}")
    )
