# Each of these commands does all the set-up it needs; a second run starts at once.
#
#   make demo         the referee at work on the shipped samples
#   make test         the tests, and whether those of the engine reach every line and branch of it
#   make test-slow    the tests that take long: training, filmed games, other programs that read our data sets
#   make attack       attacks of every kind on all that reads from outside; 15 minutes at most
#   make check-style  ruff and mypy
#   make catalogues   brings the sentences of every language up to date with the code
#   make bench        measures reading, rules and watching, the long benchmarks shortened
#   make bundle       packs the program with all that it needs, Python included: an archive and a .deb in dist/
#   make test-bundle  installs that .deb in a bare Debian and tries it there (root, debootstrap)
#   make release-check  all that must hold before a release
#   make train        rebuilds the shipped models from nothing (hours; resumes where it was stopped)
#   make clean        removes what these commands made

PYTHON ?= python3
VENV_PYTHON = .venv/bin/python
# A test that hangs, or takes its process down, ends the run at once and says where.
TWO_AT_A_TIME = -n 2 --dist loadfile --max-worker-restart 0 \
	-o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

.PHONY: demo test test-slow attack check-style catalogues bench train bundle test-bundle release-check clean have-python

demo: have-python
	@"$(PYTHON)" .ci/set_up.py
	@$(VENV_PYTHON) -m ui app --demo

test: have-python
	@"$(PYTHON)" .ci/set_up.py test
	$(VENV_PYTHON) -m pytest $(TWO_AT_A_TIME) tests/referee --cov
	$(VENV_PYTHON) -m pytest $(TWO_AT_A_TIME) --ignore=tests/referee

test-slow: have-python
	@"$(PYTHON)" .ci/set_up.py test train slow
	$(VENV_PYTHON) -m pytest -m slow

attack: have-python
	@"$(PYTHON)" .ci/set_up.py test
	QT_QPA_PLATFORM=offscreen $(VENV_PYTHON) -m tests.attack.gate

check-style: have-python
	@"$(PYTHON)" .ci/set_up.py test dev
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy

catalogues: have-python
	@"$(PYTHON)" .ci/set_up.py test
	$(VENV_PYTHON) -m tests.catalogues

bench: have-python
	@"$(PYTHON)" .ci/set_up.py test dev
	$(VENV_PYTHON) -m tests.benchmarks.reading samples/overweight.jpg samples/collapse.jpg
	$(VENV_PYTHON) -m pytest tests/benchmarks/bench_rules.py
	$(VENV_PYTHON) -m tests.benchmarks.watching
	$(VENV_PYTHON) -m tests.benchmarks.following
	QT_QPA_PLATFORM=offscreen $(VENV_PYTHON) -m tests.benchmarks.filmed_games --games 10
	$(VENV_PYTHON) -m tests.benchmarks.kills --kills 50
	QT_QPA_PLATFORM=offscreen $(VENV_PYTHON) -m tests.benchmarks.evening --hours 0.25
	QT_QPA_PLATFORM=offscreen $(VENV_PYTHON) -m tests.benchmarks.phones.delay --seconds 30
	QT_QPA_PLATFORM=offscreen $(VENV_PYTHON) -m tests.benchmarks.phones.memory --minutes 6

train: have-python
	@"$(PYTHON)" .ci/set_up.py train
	$(VENV_PYTHON) -m ui train

bundle: have-python
	@"$(PYTHON)" .ci/set_up.py bundle
	$(VENV_PYTHON) .ci/bundle/make_bundle.py packages

test-bundle: have-python
	@"$(PYTHON)" .ci/set_up.py test bundle
	$(VENV_PYTHON) -m pytest -m bundle tests/installed

release-check: check-style test bundle
	$(VENV_PYTHON) .ci/release_check.py

have-python:
	@command -v "$(PYTHON)" >/dev/null || { echo "set-up: $(PYTHON) was not found. Install Python 3.11 or newer," \
		"on Debian and Ubuntu with: apt-get install python3 python3-venv" >&2; exit 1; }

clean:
	rm -rf .venv demo-out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
