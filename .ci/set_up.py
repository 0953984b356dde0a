"""Makes a checkout ready to run: virtual environment, Python packages, shared libraries.

    python3 .ci/set_up.py [GROUP...]     groups: test, dev, slow, bundle, cluster, train (see pyproject.toml)

Does only what is still to be done, so a second run returns at once. Needs nothing but the standard library,
and is written so that an old Python, too, gets as far as the sentence that tells it is too old.
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "set-up.json"
LOG = VENV / "set-up.log"
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
OLDEST_PYTHON = (3, 11)


class SetUpError(Exception):
    """What stops the set-up, in sentences for the person who started it."""


def main(groups):
    """Bring the virtual environment up to date for these groups."""
    check_python()
    os.chdir(str(ROOT))
    done = read_stamp()
    if done.get("python") != python_identity() or not PYTHON.exists():
        make_environment()
        done = {"python": python_identity(), "groups": [], "wanted": None, "libraries": []}
    wanted = fingerprint()
    groups = sorted(set(groups) | set(done["groups"]))
    if done["wanted"] != wanted or done["groups"] != groups:
        install_packages(groups)
        done.update(wanted=wanted, groups=groups, libraries=[])
        write_stamp(done)
    uses = ["window", "test"] if "test" in groups else ["window"]
    if done["libraries"] != uses:
        from system_libraries import provide

        provide(PYTHON, for_tests="test" in uses, fail=SetUpError)
        done["libraries"] = uses
        write_stamp(done)


def check_python():
    if sys.version_info < OLDEST_PYTHON:
        needed, found = (".".join(map(str, v[:2])) for v in (OLDEST_PYTHON, sys.version_info))
        raise SetUpError(
            f"Pyramid Referee needs Python {needed} or newer, and this is {found}. Install a newer one "
            "and name it: make PYTHON=python3.12."
        )


def python_identity():
    """Return what a virtual environment is tied to: the Python it was made with and its own place."""
    return f"{sys.version_info[0]}.{sys.version_info[1]} at {VENV}"


def fingerprint():
    """Return a value that changes when the packages to be installed change."""
    files = [ROOT / "pyproject.toml", CONSTRAINTS]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def read_stamp():
    try:
        return json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_stamp(done):
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(done), encoding="utf-8")
    new.replace(STAMP)


def make_environment():
    say("Making a virtual environment in .venv.")
    made = run_quietly([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if made.returncode == 0:
        return
    if "ensurepip" in made.stdout:
        raise SetUpError(
            "Python's venv module is incomplete here. On Debian and Ubuntu, install it with\n"
            "    apt-get install python3-venv\nas root, then run the same make command again."
        )
    raise SetUpError(f"The virtual environment could not be made:\n{last_lines(made.stdout)}")


def install_packages(groups):
    say("Installing the Python packages; the first time this takes a minute or two.")
    project = "." + ("[{}]".format(",".join(groups)) if groups else "")
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--constraint", str(CONSTRAINTS.relative_to(ROOT)), "--editable", project]
    installed = run_quietly(command)
    LOG.write_text(installed.stdout, encoding="utf-8")
    if installed.returncode:
        errors = [line for line in installed.stdout.splitlines() if line.startswith("ERROR")]
        raise SetUpError(
            "pip could not install the packages:\n{}\nAll that it said is in {}.".format(
                "\n".join(errors) or last_lines(installed.stdout), LOG.relative_to(ROOT)
            )
        )


def run_quietly(command):
    """Return the finished process, standard output and error together in its `stdout`."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, check=False, text=True, **streams)


def last_lines(text):
    return "\n".join(text.strip().splitlines()[-5:])


def say(sentence):
    print("set-up: " + sentence, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except SetUpError as error:
        sys.exit(f"set-up: {error}")
    except OSError as error:
        sys.exit(f"set-up: The system refused: {error}. Put that right and run the same make command again.")
    except KeyboardInterrupt:
        sys.exit(130)
