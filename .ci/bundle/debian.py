"""Packs the bundle as a .deb: program, menu entry, icon, kind of file, man page and completion."""

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

from system_libraries import DEBIAN_PACKAGES  # noqa: E402

MORE_PACKAGES = {
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libz.so.1": "zlib1g",
    "libdrm.so.2": "libdrm2",
    "libgbm.so.1": "libgbm1",
    "libexpat.so.1": "libexpat1",
    "libXau.so.6": "libxau6",
    "libXdmcp.so.6": "libxdmcp6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libzstd.so.1": "libzstd1",
}
OF_LIBC = re.compile(r"^(lib(c|m|dl|rt|pthread|util|resolv|anl|mvec)\.so\.\d|ld-linux.*)$")
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/pyramid-referee",
    "zsh": "usr/share/zsh/vendor-completions/_pyramid-referee",
    "fish": "usr/share/fish/vendor_completions.d/pyramid-referee.fish",
}
CONTROL = """\
Package: pyramid-referee
Version: {version}
Architecture: {architecture}
Maintainer: The Pyramid Referee authors <pyramid-referee@example.invalid>
Installed-Size: {size}
Depends: {depends}
Section: games
Priority: optional
Description: referee for the board game Flaming Pyramids
 It looks at the table through a camera and says what must be resolved,
 in what order, and who pays. It works without a network.
"""


def make_deb(folder, work, version):
    """Return the package that holds this folder."""
    tree = work / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    program = tree / "usr/lib/pyramid-referee"
    shutil.copytree(folder, program, symlinks=True)
    link = tree / "usr/bin/pyramid-referee"
    link.parent.mkdir(parents=True)
    link.symlink_to("../lib/pyramid-referee/pyramid-referee")
    add_files(tree, work)
    add_manual(tree, program)
    architecture = asked("dpkg", "--print-architecture").strip()
    size = sum(file.lstat().st_size for file in tree.rglob("*")) // 1024
    wanted = ", ".join(depends(program))
    control = CONTROL.format(version=version, architecture=architecture, size=size, depends=wanted)
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
    make_readable(tree)
    target = ROOT / "dist" / f"pyramid-referee_{version}_{architecture}.deb"
    asked("dpkg-deb", "--root-owner-group", "-Zgzip", "-z6", "--build", str(tree), str(target))
    return target


def add_files(tree, work):
    doc = "usr/share/doc/pyramid-referee"
    files = {
        HERE / "pyramid-referee.desktop": "usr/share/applications/pyramid-referee.desktop",
        HERE / "pyramid-referee.xml": "usr/share/mime/packages/pyramid-referee.xml",
        ROOT
        / "ui/widgets/icons/pyramid-referee.svg": "usr/share/icons/hicolor/scalable/apps/pyramid-referee.svg",
        work / "pyramid-referee.png": "usr/share/icons/hicolor/512x512/apps/pyramid-referee.png",
        work / "NOTICES.txt": f"{doc}/copyright",
        work / "sbom.cdx.json": f"{doc}/sbom.cdx.json",
        ROOT / "CHANGELOG.md": f"{doc}/CHANGELOG.md",
    }
    for source, place in files.items():
        target = tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def add_manual(tree, program):
    """Add the man page and the completions, made from the parser itself."""
    line = [
        sys.executable,
        "-c",
        "from argparse_manpage.cli import main; main()",
        "--module",
        "ui.cli.main",
        "--function",
        "whole_parser",
    ]
    line += ["--project-name", "pyramid-referee", "--manual-title", "Pyramid Referee"]
    page = asked(*line, "--description", "referee for the board game Flaming Pyramids")
    target = tree / "usr/share/man/man1/pyramid-referee.1.gz"
    target.parent.mkdir(parents=True)
    target.write_bytes(gzip.compress(page.encode(), mtime=0))
    for shell, place in COMPLETIONS.items():
        (tree / place).parent.mkdir(parents=True, exist_ok=True)
        (tree / place).write_text(
            asked(str(program / "pyramid-referee"), "completion", shell), encoding="utf-8"
        )


def depends(program):
    """Return the Debian packages of the libraries that the bundle's own files need, and does not hold."""
    held, needed, libc = set(), set(), (2, 0)
    for file in program.rglob("*"):
        held.add(file.name)
        with file.open("rb") if file.is_file() else open(os.devnull, "rb") as opened:
            if opened.read(4) != b"\x7fELF":
                continue
        told = asked("objdump", "-p", str(file))
        needed |= set(re.findall(r"^\s+NEEDED\s+(\S+)", told, re.MULTILINE))
        libc = max([libc, *(tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_(2\.\d+)", told))])
    wanted = {name for name in needed - held if not OF_LIBC.match(name)}
    packages = {name: (MORE_PACKAGES | DEBIAN_PACKAGES).get(name) for name in wanted}
    if unknown := sorted(name for name, package in packages.items() if package is None):
        raise SystemExit(
            f"bundle: no Debian package is known for {', '.join(unknown)}. Name it in debian.py."
        )
    return [f"libc6 (>= {libc[0]}.{libc[1]})", *sorted(set(packages.values()))]


def make_readable(tree):
    for each in tree.rglob("*"):
        if not each.is_symlink():
            is_program = each.is_dir() or os.access(each, os.X_OK)
            each.chmod(0o755 if is_program else 0o644)


def asked(*command):
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYRAMID_REFEREE_DATA": os.devnull,
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.run(command, check=True, text=True, capture_output=True, env=environment).stdout
