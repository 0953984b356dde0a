"""Leaves out of Qt's tables of languages (ICU) what is not for the languages of the program.

Qt needs these tables to start, and uses them to sort names. They are one package of files inside a library:
a header, a table of contents, and the files in the order of their names. A smaller package is made of the
files that are kept, and a library around it with `as` and `ld`. A language that is not there is sorted by
the rules that hold for all.
"""

import re
import struct
import subprocess

KEPT_LANGUAGES = "en|fr"
KEPT = re.compile(
    rf"""[^/]+/(
        (coll/)? (root|res_index|pool|({KEPT_LANGUAGES})(_[A-Z]{{2}})?)\.res  # for all, and for ours
      | (coll/)? [^/]+ \.(icu|nrm)                                            # letters and their order
      | [a-z]* [A-Z0-9] \w* \.res                                             # such as supplementalData
      | metadata\.res
    )""",
    re.VERBOSE,
)
ALIGNED = 16
LIBRARY = """\
.section .rodata
.balign {aligned}
.globl {symbol}
.type {symbol}, STT_OBJECT
{symbol}: .incbin "{package}"
.size {symbol}, . - {symbol}
"""


def slim(library, work):
    """Write the library anew, with what is kept of its package."""
    package, symbol = work / "languages.dat", re.search(rb"icudt\d+_dat", library.read_bytes())[0].decode()
    package.write_bytes(package_of(contents(library.read_bytes())))
    source, object_file = work / "languages.s", work / "languages.o"
    source.write_text(LIBRARY.format(aligned=ALIGNED, symbol=symbol, package=package), encoding="utf-8")
    for line in (
        ["as", "-o", object_file, source],
        ["ld", "-shared", "-soname", library.name, "-z", "noexecstack", "-o", library, object_file],
    ):
        subprocess.run(line, check=True)


def contents(data):
    """Return header and files of the package that is somewhere in these bytes, by their names."""
    start = data.index(b"CmnD") - 12  # the kind of the package, in its header
    table = start + struct.unpack_from("<H", data, start)[0]
    (count,) = struct.unpack_from("<I", data, table)
    entries = [struct.unpack_from("<II", data, table + 4 + 8 * number) for number in range(count)]
    ends = [begin for _, begin in entries[1:]] + [len(data) - table]
    files = {}
    for (name, begin), end in zip(entries, ends, strict=True):
        shown = data[table + name : data.index(b"\0", table + name)].decode("ascii")
        files[shown] = data[table + begin : table + end]
    return data[start:table], files


def package_of(header_and_files):
    """Return a package of those files that are kept."""
    header, files = header_and_files
    kept = {name: file for name, file in sorted(files.items()) if KEPT.fullmatch(name)}
    names, places = b"", []
    begin = 4 + 8 * len(kept)
    for name in kept:
        places.append(begin + len(names))
        names += name.encode("ascii") + b"\0"
    begin += len(names)
    entries, body = b"", b""
    for place, file in zip(places, kept.values(), strict=True):
        body += b"\0" * (-(begin + len(body)) % ALIGNED)
        entries += struct.pack("<II", place, begin + len(body))
        body += file
    return header + struct.pack("<I", len(kept)) + entries + names + body
