"""Packs the bundle as a plain archive: unpack it anywhere, and start it."""

import platform
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = {"win32": "windows", "darwin": "macos"}
START = {
    "linux": "Start the program pyramid-referee in this folder. The folder may lie anywhere.",
    "macos": "Start the app Pyramid Referee in this folder.",
    "windows": "Start Pyramid Referee.exe in this folder; pyramid-referee.exe is for the command line.",
}
PACKAGES = "No window opens? On Debian and Ubuntu it needs these packages, which most desktops have:"


def make_archive(folder, work, version):
    """Return the archive that holds this folder, on macOS the app, and beside it the licences."""
    system = SYSTEMS.get(sys.platform, "linux")
    contents = {"pyramid-referee": folder}
    if system == "macos":
        app = folder.with_name("Pyramid Referee.app")
        contents = {f"pyramid-referee/{app.name}": app}
    (work / "README.txt").write_text(first_page(folder, system, version), encoding="utf-8")
    for file in (work / "README.txt", work / "NOTICES.txt", work / "sbom.cdx.json", ROOT / "LICENSE"):
        contents[f"pyramid-referee/{file.name}"] = file
    name = f"pyramid-referee-{version}-{system}-{platform.machine().lower()}"
    target = ROOT / "dist" / (name + (".zip" if system == "windows" else ".tar.gz"))
    target.parent.mkdir(exist_ok=True)
    beside = target.with_name(target.name + ".new")
    (pack_zip if system == "windows" else pack_tar)(beside, contents)
    beside.replace(target)
    return target


def pack_tar(target, contents):
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        for name, file in contents.items():
            archive.add(file, name, filter=of_nobody)


def of_nobody(entry):
    """Return an entry that everybody may read, whoever made the bundle."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode |= 0o555 if entry.mode & 0o100 else 0o444
    return entry


def pack_zip(target, contents):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in contents.items():
            for each in sorted(file.rglob("*")) if file.is_dir() else [file]:
                archive.write(each, (Path(name) / each.relative_to(file)).as_posix())


def first_page(folder, system, version):
    lines = [f"Pyramid Referee {version}", "", START[system]]
    if system == "linux":
        from debian import depends

        packages = [package for package in depends(folder) if not package.startswith("libc6 ")]
        lines += ["", PACKAGES, f"apt-get install --no-install-recommends {' '.join(packages)}"]
    lines += ["", "To remove it, delete the folder. Your games are not in it: they lie in your home folder."]
    lines += ["Licences of all that is packed: NOTICES.txt, and as a list for programs: sbom.cdx.json."]
    return "\n".join(lines) + "\n"
