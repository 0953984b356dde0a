"""Compare what two versions of the referee say: `python -m tests.same_lines BEFORE.jsonl AFTER.jsonl`.

Both files hold lines of `watch --json` or `replay N --json`. Words may differ, and so may the keys that a
newer version has added to questions; everything else must be the same. To compare two commits, let each of
them watch the same film.
"""

from __future__ import annotations

import argparse
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

WORDS = {"text"}
ADDED = {"kind", "answers"}
"""Keys of a question that records of older versions lack."""


def meaning(line: str) -> dict[str, Any]:
    """Return what a line says, without its words and without what only some versions write."""
    return {key: value for key, value in json.loads(line).items() if key not in WORDS | ADDED}


def main() -> int:
    """Print the first difference, if there is one; return 0 where there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    asked = parser.parse_args()
    before, after = (path.read_text(encoding="utf-8").splitlines() for path in (asked.before, asked.after))
    for number, (one, other) in enumerate(zip_longest(before, after), 1):
        if one is None or other is None or meaning(one) != meaning(other):
            print(f"Line {number} differs:\n  {one}\n  {other}")
            return 1
    print(f"All {len(before)} lines say the same.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
