# What a person types at Cardtable. Every target builds .venv first if it is not there; a built one costs nothing.
# Needs GNU make, git and CPython 3.11 or newer; everything else comes from PyPI at the versions in constraints.txt.

PYTHON ?= python3
RECORDS ?= tests/records
TESTS ?=
SITE ?= build/site
JOBS ?= auto
SET ?= day
# One test is done before three processes have started. Else a process takes a whole file at a time, with what its tests
# share, a browser above all, the dearest first (tests/cost.py); the tests of one file are spread one by one.
SPREAD = $(if $(findstring ::,$(TESTS)),--numprocesses=0,--numprocesses=$(JOBS) \
  $(if $(findstring .py,$(TESTS)),--dist=worksteal,--dist=loadfile --no-loadscope-reorder))

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PLAYABLE := $(VENV)/.playable
PEERS := build/peers
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# The tests and the virtual table look for this variable when the registries hold no MicroPython for a machine.
export MICROPYTHON
# What names a port or a board goes to `cardtable device` by its environment: no shell reads it on the way.
export PORT BOARD IMAGE SITE_ADDRESS

.DEFAULT_GOAL := help
.PHONY: help setup compiled run demo test test-all test-load mutants bench bench-peers replay lint deploy flash package site wheel release clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: compiled ## build .venv and compile the engine; PYTHON=... picks a CPython, MICROPYTHON=... another MicroPython
	@$(BIN)/python -m host_tools.base.interpreters

# Nobody who only plays waits for this: `make run` has it done behind the table. Where it cannot be done one line says
# so, and the source runs instead.
compiled: $(READY)
	@$(BIN)/python -m host_tools.base.fast.build

run: $(PLAYABLE) ## sit down and play, in a browser; PLAY=... options of cardtable play
	@$(BIN)/python -m host_tools.base.fast.behind
	@$(BIN)/cardtable play $$([ -t 1 ] || echo --alone) $(PLAY)

demo: $(PLAYABLE) ## watch the table settle five disputes, in half a minute
	@$(BIN)/cardtable demo

test: compiled ## run the tests; TESTS=... picks a folder, a file or one test, JOBS=... the processes
	@$(BIN)/python -m pytest $(SPREAD) --set=$(SET) $(TESTS)

test-all: SET := all
test-all: test ## run every test in every combination, as before a release

test-load: compiled ## run the tests that a busy machine could fail, RUNS=1 times beside LOOPS=8 busy loops
	@$(BIN)/python -m tests.load --runs $(or $(RUNS),1) --loops $(or $(LOOPS),8) --jobs $(JOBS) $(TESTS)

mutants: $(READY) ## put small faults into the engine: do the tests find them? MUTANTS=... options
	@$(BIN)/python -m tests.mutants $(MUTANTS)

bench: compiled ## measure the engine and the firmware
	@$(BIN)/cardtable bench

# Twice: once with the compiled engine, once with its source.
bench-peers: compiled $(PEERS)/.ready ## measure other engines beside ours, in an environment of its own
	@PYTHONPATH=.:firmware $(PEERS)/bin/python -m host_tools.lab.bench.peers_start
	@CARDTABLE_PURE=1 PYTHONPATH=.:firmware $(PEERS)/bin/python -m host_tools.lab.bench.peers_start

$(PEERS)/.ready: host_tools/lab/bench/peers.txt constraints.txt | $(READY)
	@echo "Building $(PEERS), once; this takes about a minute."
	@$(BIN)/python -m venv --clear $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r $<
	@touch $@

replay: $(READY) ## judge recorded games again; RECORDS=... picks a file or a folder
	@$(BIN)/cardtable replay $(RECORDS)

deploy: $(READY) ## bring the application onto a table; BOARD=... PORT=..., FORCE=1 during a game
	@$(BIN)/cardtable device deploy $(if $(FORCE),--force)

flash: $(READY) ## bring MicroPython and the application onto a chip; BOARD=... PORT=..., IMAGE=... of MicroPython
	@[ -e $(BIN)/esptool ] && [ -e $(BIN)/mpflash ] || $(PIP) -e '.[flash]'
	@$(BIN)/cardtable device flash $(if $(ERASE),--erase) $(if $(FORCE),--force)

package: $(READY) ## make what mpremote's mip installs; BOARD=...
	@$(BIN)/cardtable device package

lint: $(READY) ## only the checks of the source: ruff, mypy, mpy-cross, the rules of the house, tests by rule id
	@$(BIN)/python -m pytest tests/test_tools.py tests/test_tidy.py tests/host_tools/test_rules.py

site: $(PLAYABLE) ## make a folder to serve anywhere, in which people play; SITE=... names it, SITE_ADDRESS=... where it will stand
	@$(BIN)/python -c 'import chumicro_mqtt, jinja2, littlefs, markdown_it, openskill, zstandard' 2>/dev/null || \
	  $(PIP) -e '.[site]'
	@$(BIN)/cardtable site $(SITE) $(if $(SITE_ADDRESS),--address "$$SITE_ADDRESS")

wheel: compiled ## make a wheel with the compiled engine for this machine and Python, in build/wheel
	@rm -rf build/lib build/lib.* build/bdist.* build/wheel  # else what is gone from the source would be packed again
	@CARDTABLE_COMPILED="$$($(BIN)/python -m host_tools.base.fast.sources)" \
	  $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	@ls build/wheel

# TESTED=1: they have run, on this commit.
release: compiled ## build all that is published, into build/release; TESTED=1 if make test-all has passed
	@[ -n "$(TESTED)" ] || $(MAKE) test-all
	@$(BIN)/python -m host_tools.lab.release $(RELEASE)

clean: ## remove everything that make has made
	rm -rf $(VENV) build cardtable.egg-info .hypothesis
	find firmware boards host_tools tests -name __pycache__ -type d -exec rm -rf {} +

# The mark is taken away first and written last: a set-up that was cut short begins again from nothing, a finished one
# whose list of packages has changed is only brought up to date. Playing needs a few packages, everything else all.
$(PLAYABLE): pyproject.toml constraints.txt setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) or sys.implementation.name != "cpython")' \
	  2>/dev/null || { echo "Cardtable needs CPython 3.11 or newer, and '$(PYTHON)' is not: name one with" \
	  "make setup PYTHON=/path/to/python3." >&2; exit 1; }
	@if [ -e $@ ]; then rm $@; else echo "Building $(VENV), once; this takes about ten seconds."; \
	  $(PYTHON) -m venv --clear $(VENV); fi
	@[ -z "$(HASHED)" ] || .ci/packages $(BIN)/python
	@$(PIP) -e .
	@$(BIN)/python -m host_tools.base.interpreters >/dev/null 2>&1 || true  # says nothing yet: who starts a table asks again
	@touch $@

$(READY): $(PLAYABLE)
	@if [ -e $@ ]; then rm $@; else echo "Adding what tests and makers need, once; this takes about half a minute."; fi
	@$(PIP) -e '.[dev]'
	@rm -rf $(VENV)/typings
	@$(PIP) --no-compile --target $(VENV)/typings micropython-esp32-stubs
	@touch $@
