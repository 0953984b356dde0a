"""Finds the shared libraries that Qt and OpenCV miss on this system, and gets them where it may.

The wheels bring most of what they need, but not the libraries of the screen. Which of them are missing is
asked of the dynamic linker, for the very files that were installed: no list of ours decides it. The list
below only tells which Debian package holds a missing library; it was made on a bare Debian 12.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LOADED = [
    "cv2/*.so",
    "onnxruntime/capi/*.so",
    "PySide6/QtCore.*so",
    "PySide6/QtGui.*so",
    "PySide6/QtWidgets.*so",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqwayland*.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "PySide6/Qt/plugins/xcbglintegrations/*.so",
    "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
]

DEBIAN_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libICE.so.6": "libice6",
    "libOpenGL.so.0": "libopengl0",
    "libSM.so.6": "libsm6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgobject-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
VIRTUAL_SCREEN = ("Xvfb", "xvfb")  # the program that the window tests start, and its Debian package
BROWSER = {"chromium": "chromium", "chromedriver": "chromium-driver"}
"""The programs that the tests of the phones' pages start, and their Debian packages."""
FONT = ("DejaVuSans.ttf", "fonts-dejavu-core")  # what the tests write all texts with, and its Debian package
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")  # as in tests/data/fonts.conf


def provide(python, for_tests, fail):
    """Make sure that every needed library is there.

    Args:
        python: The interpreter of the virtual environment.
        for_tests: Whether the tests, too, are to run.
        fail: Raised with the sentences for the user where something is missing and stays so.
    """
    missing, packages = survey(python, for_tests)
    if packages and os.name == "posix" and shutil.which("apt-get"):
        if os.geteuid() != 0:
            sudo = "sudo " if shutil.which("sudo") else ""
            what = "window and its tests" if for_tests else "window"
            how = "Install them" if sudo else "Install them as root"
            raise fail(
                f"The system libraries for the {what} are missing here. {how} with\n"
                f"    {sudo}apt-get update && {sudo}apt-get install "
                f"--no-install-recommends {' '.join(packages)}\nthen run the same make command again."
            )
        why = install(packages)
        if why:
            raise fail(
                f"apt-get could not install the system packages:\n{why}\nPut that right, then run the same "
                "make command again."
            )
        missing, packages = survey(python, for_tests)
    if missing:
        raise fail(
            "These are missing here, and which package holds them is not known: {}. Install them with the "
            "system's package manager, then run the same make command again.".format(", ".join(missing))
        )
    if for_tests:
        provide_browser()
    try_imports(python, fail)


def provide_browser():
    """Install a browser where that is possible: other systems have none under these names."""
    packages = [package for program, package in BROWSER.items() if not shutil.which(program)]
    if not packages:
        return
    why = "they must be installed as root"
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        why = install(packages)
    if why:
        print(
            "set-up: The pages of the phones are not tested in a browser here, without {} ({}). On Debian, "
            "this brings it: apt-get install {}".format(" and ".join(packages), why, " ".join(packages)),
            flush=True,
        )


def survey(python, for_tests):
    """Return the names of what is missing, and the Debian packages that hold it as far as they are known."""
    if not sys.platform.startswith("linux"):
        return [], []
    missing = missing_libraries(python)
    packages = {DEBIAN_PACKAGES[name] for name in missing if name in DEBIAN_PACKAGES}
    program, package = VIRTUAL_SCREEN
    if for_tests and not shutil.which(program):
        missing.append(program)
        packages.add(package)
    font, package = FONT
    if for_tests and not has_font(font):
        missing.append(font)
        packages.add(package)
    return missing, sorted(packages)


def has_font(name):
    """Return whether a font is installed for everybody on this system."""
    return any(name in files for folder in FONT_FOLDERS for _, _, files in os.walk(folder))


def missing_libraries(python):
    """Return the file names of the libraries that the dynamic linker does not find."""
    if not shutil.which("ldd"):
        return []  # `try_imports` still tells whether they load
    where = "import sysconfig; print(sysconfig.get_paths()['platlib'])"
    site = subprocess.check_output([str(python), "-c", where], universal_newlines=True).strip()
    files = [str(file) for pattern in LOADED for file in sorted(Path(site).glob(pattern))]
    asked = subprocess.run(
        ["ldd", *files],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=dict(os.environ, LC_ALL="C"),
    )
    return sorted(set(re.findall(r"^\s*(\S+) => not found", asked.stdout, re.MULTILINE)))


def install(packages):
    """Install Debian packages, and return why that failed; nothing where it did not."""
    print("set-up: Installing system packages: {}.".format(" ".join(packages)), flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", "install", "--yes", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    # An update fails as a whole when one of several sources cannot be reached; what counts is the install.
    for line in (["apt-get", "update"], command + packages):
        done = subprocess.run(
            line,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    errors = [text for text in done.stdout.splitlines() if text.startswith("E:")]
    return "\n".join(errors or done.stdout.splitlines()[-5:]) if done.returncode else ""


def try_imports(python, fail):
    """Load what the app loads: a library which nobody foresaw is named here and not in a traceback."""
    for module in ("cv2", "onnxruntime", "PySide6.QtWidgets"):
        code = f"try:\n import {module}\nexcept ImportError as error:\n raise SystemExit(str(error))"
        done = subprocess.run(
            [str(python), "-c", code],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise fail(
                "{} does not load here: {}. Install what it names with the system's package manager, then "
                "run the same make command again.".format(
                    module, done.stdout.strip() or "it ended without a word"
                )
            )


def main():
    """Print what to install on Debian and Ubuntu: what is missing; all, where our packages are not yet."""
    own = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "python"
    python = own if own.exists() else Path(sys.executable)
    where = "import importlib.util; print(all(map(importlib.util.find_spec, ('cv2', 'PySide6'))))"
    are_there = subprocess.check_output([str(python), "-c", where], text=True).strip() == "True"
    missing, packages = survey(python, False) if are_there else ([], sorted(set(DEBIAN_PACKAGES.values())))
    if packages:
        print(f"apt-get install --no-install-recommends {' '.join(packages)}")
    elif missing:
        print(f"Missing, and in no Debian package that is known here: {', '.join(missing)}")
    else:
        print("Nothing is missing.")


if __name__ == "__main__":
    main()
