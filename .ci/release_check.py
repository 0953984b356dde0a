"""What must hold before a release, besides style, tests and the bundle: changelog, licences, the SBOM.

    python .ci/release_check.py

Reads what `make bundle` left in build/bundle. Prints what is wrong, a sentence each; the exit status is 1
then.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bundle"
NEVER_PACKED = re.compile(r"(?<![LA])\bA?GPL", re.IGNORECASE)
LIBRARIES_UNDER_LGPL = {"pyside6-essentials", "pyside6-addons", "shiboken6"}
"""They may also be had under the GPL; we take them under the LGPL, as libraries that can be exchanged."""


def main():
    wrong = [*changelog_faults(), *notices_faults(), *sbom_faults()]
    for sentence in wrong:
        print(f"release-check: {sentence}")
    if not wrong:
        print(f"release-check: version {version()} can be released.")
    return 1 if wrong else 0


def version():
    names = {}
    exec((ROOT / "ui" / "__init__.py").read_text(encoding="utf-8"), names)
    return names["__version__"]


def changelog_faults():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    if parts[0].splitlines()[1:] and "\n- " in parts[0]:
        yield "CHANGELOG.md has lines under Unreleased. Give them a version and the day."
    if not parts[1].startswith(f"{version()} - "):
        yield f"CHANGELOG.md does not tell of version {version()} first."


def notices_faults():
    try:
        text = (WORK / "NOTICES.txt").read_text(encoding="utf-8")
    except OSError:
        yield "build/bundle/NOTICES.txt is missing. Run: make bundle"
        return
    for name, sign in (
        ("Python", "PYTHON SOFTWARE FOUNDATION LICENSE"),
        ("Qt", "GNU LESSER GENERAL PUBLIC LICENSE"),
    ):
        if sign.lower() not in text.lower():
            yield f"NOTICES.txt lacks the licence of {name}."
    for line in text.partition("\n\n")[0].splitlines():
        name, _, licence = line.partition(": ")
        if licence == "see its page":
            yield f"NOTICES.txt has no licence for {name}."
        if (
            NEVER_PACKED.search(licence)
            and name.split()[0].lower().replace("_", "-") not in LIBRARIES_UNDER_LGPL
        ):
            yield f"{name} is under {licence}, which may not be packed."
    for file in sorted((WORK / "dist/pyramid-referee/_internal").glob("lib*.so*")):
        told = rf"^\S+ \S+ \(Debian\): .*{re.escape(file.name)}"
        if not file.name.startswith("libpython") and not re.search(told, text, re.MULTILINE):
            yield f"NOTICES.txt has no licence for {file.name}."


def sbom_faults():
    try:
        listed = json.loads((WORK / "sbom.cdx.json").read_text(encoding="utf-8"))["components"]
        notices = (WORK / "NOTICES.txt").read_text(encoding="utf-8").partition("\n\n")[0]
    except (OSError, ValueError, KeyError):
        yield "build/bundle/sbom.cdx.json is missing or damaged. Run: make bundle"
        return
    names = {component["name"].lower().replace("_", "-") for component in listed}
    for line in notices.splitlines():
        name = line.split()[0].lower().replace("_", "-")
        if name != "pyramid-referee" and name not in names:
            yield f"sbom.cdx.json does not list {name}."


if __name__ == "__main__":
    sys.exit(main())
