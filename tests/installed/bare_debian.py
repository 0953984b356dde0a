"""A bare Debian without Python, in a folder: what a computer looks like that only gets our package."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.places import ROOT

RELEASE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PRISTINE = ROOT / "build" / "bundle" / "bare"
"""Made once, and copied for each test."""
LEFT_ALONE = ("/proc", "/sys", "/dev", "/tmp", "/root", "/var/cache", "/var/log", "/var/lib")
"""Where files come and go with every package."""


class BareDebian:
    """A copy of the bare system; commands run in it as root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.before: set[str] = set()
        """The files that were there before our package."""

    def line(self, *words: str) -> list[str]:
        """Return the command that runs another one inside."""
        return ["chroot", str(self.root), "/usr/bin/env", "-i", *self.variables(), *words]

    @staticmethod
    def variables() -> list[str]:
        """Return what is set inside, and nothing else is."""
        return [
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME=/root",
            "LANG=C.UTF-8",
            "DEBIAN_FRONTEND=noninteractive",
        ]

    def run(self, *words: str, status: int = 0) -> str:
        """Return what a command prints; it must end with this status."""
        done = subprocess.run(
            self.line(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1800,
            check=False,
        )
        assert done.returncode == status, f"{words}: {done.stdout[-3000:]}"
        return done.stdout

    def install(self, *packages: str) -> None:
        """Install packages and what they depend on."""
        self.run("apt-get", "install", "--yes", "--no-install-recommends", *packages)

    def files(self) -> set[str]:
        """Return every file that is not of the kind that comes and goes."""
        found = set()
        for folder, folders, names in os.walk(self.root):
            inside = "/" + os.path.relpath(folder, self.root).removeprefix(".")
            if inside.startswith(LEFT_ALONE):
                folders.clear()
                continue
            found |= {os.path.join(inside, name) for name in (*names, *folders)}
        return found


@contextmanager
def bare_debian(folder: Path) -> Iterator[BareDebian]:
    """Yield a bare Debian in a new folder; it is gone afterwards."""
    if not PRISTINE.is_dir():
        making = PRISTINE.with_name("bare.new")
        shutil.rmtree(making, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, str(making), MIRROR], check=True)
        making.rename(PRISTINE)
    root = folder / "bare"
    subprocess.run(["cp", "-a", str(PRISTINE), str(root)], check=True)
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    try:
        yield BareDebian(root)
    finally:
        subprocess.run(["umount", "--lazy", str(root / "proc")], check=True)
        shutil.rmtree(root)
