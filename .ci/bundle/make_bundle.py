"""Makes the bundle: the program with all that it needs, Python included, in one folder.

    python .ci/bundle/make_bundle.py [folder|packages]

`folder` stops after build/bundle/dist; `packages`, which is what `make bundle` asks for, goes on to a plain
archive and, on Linux, a .deb, both in dist/. What is packed is what pip installs from our wheel with the
versions of .ci/constraints.txt, in an environment of its own: nothing of the developer's gets in.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from language_tables import slim

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "bundle"
ENVIRONMENT = WORK / "environment"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
FOLDER = WORK / "dist" / "pyramid-referee"
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
MOST_MB = 370

RENDER = """
import sys
from pathlib import Path
from PIL import Image
from PySide6.QtGui import QGuiApplication, QIcon
app, out = QGuiApplication([]), Path(sys.argv[2])
QIcon(sys.argv[1]).pixmap(512, 512).toImage().save(str(out / "pyramid-referee.png"))
picture = Image.open(out / "pyramid-referee.png").convert("RGBA")
picture.save(out / "pyramid-referee.ico", sizes=[(side, side) for side in (16, 24, 32, 48, 64, 128, 256)])
picture.save(out / "pyramid-referee.icns")
"""
"""All icons from the one drawing."""


class BundleError(Exception):
    """What stops the bundle, in a sentence."""


def main(arguments):
    make_environment()
    make_icons()
    make_notices()
    make_sbom()
    pack()
    add_system_libraries()
    check_size()
    if arguments != ["folder"]:
        from archive import make_archive

        say(str(make_archive(FOLDER, WORK, version()).relative_to(ROOT)))
        if sys.platform.startswith("linux"):
            from debian import make_deb

            say(str(make_deb(FOLDER, WORK, version()).relative_to(ROOT)))


def run(*command, **more):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"BUNDLE_WORK": str(WORK), "BUNDLE_VERSION": version(), "QT_QPA_PLATFORM": "offscreen"}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    where = {"env": environment, "cwd": WORK} | more
    done = subprocess.run([str(word) for word in command], check=False, **streams, **where)
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise BundleError(f"{' '.join(map(str, command[:4]))} … failed:\n{last}")
    return done.stdout


def version():
    names = {}
    exec((ROOT / "ui" / "__init__.py").read_text(encoding="utf-8"), names)
    return names["__version__"]


def make_environment():
    """Make an environment with our wheel and all that it needs, and nothing else, not even pip."""
    WORK.mkdir(parents=True, exist_ok=True)
    say("making an environment for it")
    run(sys.executable, "-m", "venv", "--clear", "--without-pip", ENVIRONMENT, cwd=ROOT)
    shutil.rmtree(
        ROOT / "build" / "lib", ignore_errors=True
    )  # files that are gone from the checkout lie there
    install(ROOT)
    exchange_opencv()


def exchange_opencv():
    """Put OpenCV without windows of its own in the place of the other: it would bring a second Qt.

    What pip knows of the other one stays, with its licences: *About* looks for it.
    """
    site = Path(run(PYTHON, "-c", "import sysconfig; print(sysconfig.get_paths()['platlib'])").strip())
    for folder in ("cv2", "opencv_python.libs"):
        shutil.rmtree(site / folder, ignore_errors=True)
    pinned = re.search(r"^opencv-python==(\S+)$", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
    install("--no-deps", f"opencv-python-headless=={pinned[1]}")


def install(*what):
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        PYTHON,
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    run(*pip, "--constraint", CONSTRAINTS, *what, cwd=ROOT)


def make_icons():
    drawing = ROOT / "ui" / "widgets" / "icons" / "pyramid-referee.svg"
    run(PYTHON, "-c", RENDER, drawing, WORK)


def make_notices():
    """Write the licences of all that is packed into one file; Qt's wheels and Python lack theirs."""
    ours = "from ui.services.notices import notices_text; import sys; sys.stdout.write(notices_text())"
    parts = [run(PYTHON, "-X", "utf8", "-c", ours)]
    python = "import sys, sysconfig; print(sysconfig.get_paths()['stdlib'], sys.base_prefix, sep='\\n')"
    places = [Path(line) for line in run(PYTHON, "-c", python).splitlines()]
    texts = [*(place / "LICENSE.txt" for place in places), *sorted((HERE / "licences").glob("*.txt"))]
    for text in texts:
        if text.is_file():
            parts.append(
                f"\n{text.name} ({'Python' if text.name == 'LICENSE.txt' else 'Qt, and others'})\n\n"
            )
            parts.append(text.read_text(encoding="utf-8"))
    if not any(text.name == "LICENSE.txt" and text.is_file() for text in texts):
        raise BundleError("The licence of Python was not found beside it.")
    (WORK / "NOTICES.txt").write_text("".join(parts), encoding="utf-8")


def make_sbom():
    """Write the list of all that is packed, as CycloneDX."""
    tool = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "environment",
        "--output-reproducible",
        "--mc-type",
        "application",
    ]
    run(*tool, "--pyproject", ROOT / "pyproject.toml", "--output-file", WORK / "sbom.cdx.json", PYTHON)


def pack():
    say("packing; this takes some minutes")
    install("pyinstaller")
    run(
        PYTHON, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN",
        "--distpath", WORK / "dist", "--workpath", WORK / "pyinstaller", HERE / "bundle.spec",
    )  # fmt: skip
    if sys.platform.startswith("linux"):
        strip()
        for library in FOLDER.rglob("libicudata.so.*"):
            slim(library, WORK)


def strip():
    """Remove what only debuggers read; libraries that were patched by the makers of wheels are left alone."""
    for file in FOLDER.rglob("*.so*"):
        if file.is_file() and not file.is_symlink() and not file.parent.name.endswith(".libs"):
            run("strip", "--strip-unneeded", file)


def add_system_libraries():
    """Add the libraries of this system that were packed to notices and list, by their Debian package."""
    if not sys.platform.startswith("linux"):
        return
    inside = FOLDER / "_internal"
    notices, sbom = (WORK / "NOTICES.txt", WORK / "sbom.cdx.json")
    listed = json.loads(sbom.read_text(encoding="utf-8"))
    files = {}
    for file in sorted(inside.glob("lib*.so*")):
        if not file.name.startswith("libpython"):  # its licence is that of Python
            files.setdefault(package_of(file.name), []).append(file.name)
    with notices.open("a", encoding="utf-8") as text:
        for package, names in sorted(files.items()):
            told = run("dpkg-query", "--show", "--showformat=${Package} ${Version}", package)
            name, _, its_version = told.partition(" ")
            text.write(f"\n{name} {its_version} (Debian): {', '.join(names)}\n\n")
            text.write((Path("/usr/share/doc") / name / "copyright").read_text(encoding="utf-8"))
            purl = f"pkg:deb/debian/{name}@{its_version}"
            listed["components"].append(
                {"type": "library", "bom-ref": purl, "name": name, "version": its_version, "purl": purl}
            )
    sbom.write_text(json.dumps(listed, indent=2), encoding="utf-8")
    shutil.copyfile(notices, inside / notices.name)


def package_of(library):
    """Return the installed Debian package that has a library of this name."""
    told = run("dpkg-query", "--search", f"*/{library}")
    packages = {line.partition(": ")[0].split(",")[0] for line in told.splitlines() if line.endswith(library)}
    if len(packages) != 1:
        raise BundleError(f"{library} is from {' and '.join(sorted(packages))}. One package must have it.")
    return packages.pop()


def check_size():
    files = [file for file in FOLDER.rglob("*") if file.is_file() and not file.is_symlink()]
    size_mb = sum(file.stat().st_size for file in files) / 1e6
    say(f"{size_mb:.0f} MB in {FOLDER.relative_to(ROOT)}")
    if size_mb > MOST_MB:
        raise BundleError(f"The bundle has {size_mb:.0f} MB, more than {MOST_MB}. See what came in anew.")


def say(sentence):
    print(f"bundle: {sentence}", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BundleError as error:
        sys.exit(f"bundle: {error}")
