# Everything runs inside .venv, which the first target that needs it creates from the pinned requirements.
# A stamp file marks each finished step, so that a second run starts at once.

SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.stamp-run
DEV := $(VENV)/.stamp-dev
LOCK := .venv-lock

# The engine is compiled while the web app is built, so that the first bot need not wait for it.
ENGINE := $(VENV)/.stamp-engine
COMPILE_ENGINE := $(BIN)/riverstones engine --level ocean </dev/null

# Marks that all tests have been collected once.
COLLECTED := $(VENV)/.stamp-collected

# The web app: its packages, and its build inside the Python package.
NODE := $(VENV)/.stamp-node
NODE_MODULES := web/node_modules/.stamp
WEB := src/riverstones/server/static/index.html
# The web app as files for hosts without a server.
STATIC := build/static/index.html
# The documentation site, and the virtual environment of its generator.
SITE := build/docs/index.html
DOCS := .venv-docs
SITE_SOURCES := $(shell find docs tools/site -type f -not -name '*.pyc') README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md \
	CITATION.cff tools/figures.py web/src/pages/Rules.svelte $(wildcard src/riverstones/words/*.json) \
	$(shell find $(addprefix src/riverstones/,rules notation svg engine study envs) -name '*.py')
WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/src/words/generated -prune -o \
	-path web/src/protocol -prune -o -path web/tests -prune -o -type f -print) \
	$(shell find $(addprefix src/riverstones/,rules notation table engine study local) -name '*.py') \
	$(wildcard src/riverstones/words/*.json) src/riverstones/study/puzzles/puzzles.txt \
	docs/protocol.schema.json docs/openapi.json docs/figures.json $(wildcard docs/pictures/layout-*.svg)
IN_WEB = PATH="$$(tools/find-node):$$PATH"; cd web;

# Some containers forbid Python to keep compiled modules. Every test worker and every command that a test starts would
# then compile all of them again.
unexport PYTHONDONTWRITEBYTECODE

# Where pip finds a file is the machine's business; which file it may be is fixed by its hash.
PIP_INSTALL := -m pip install --quiet --quiet --disable-pip-version-check --no-input
# The project itself: its dependencies are in place, and the pinned build backend is used as it is.
INSTALL_SELF = $(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .

# Two workers per core: some tests wait for a clock, and more workers would only import and start more. A worker that has
# nothing left to do takes over tests of another, so that the long ones do not wait for each other.
CORES := $(shell getconf _NPROCESSORS_ONLN)
PYTEST := $(BIN)/pytest -n $$(( 2 * $(CORES) )) --dist worksteal
CHECKED := src tests $(if $(wildcard bench/*.py),bench)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

# Python's part and the web app's are made and checked at the same time.
AT_ONCE = @$(MAKE) -j2

.PHONY: ready
ready: $(RUN) $(WEB) $(ENGINE)
	@:

.PHONY: play
play: ## play a game
	@tools/announce-setup
	$(AT_ONCE) ready
	@exec $(BIN)/riverstones play

.PHONY: host
host: ## play a game that others on your network can join
	@tools/announce-setup
	$(AT_ONCE) ready
	@exec $(BIN)/riverstones play --host 0.0.0.0

.PHONY: test
test: ## run every check and every test, as CI does
	$(AT_ONCE) lint web-test compiled $(COLLECTED) $(STATIC) $(SITE)
	$(PYTEST) $(PYTEST_ARGS)

.PHONY: check
check: ## run every check and the quick tests
	$(AT_ONCE) lint web-test compiled $(COLLECTED)
	$(PYTEST) -m "not slow" $(PYTEST_ARGS)

.PHONY: lint
lint: $(DEV) web-lint ## check style, formatting and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy $(CHECKED)

.PHONY: web-lint
web-lint: $(NODE_MODULES)
	@$(IN_WEB) npm run --silent lint

.PHONY: wasm
wasm: $(DEV) ## compile the engine for browsers, web/src/play/local/kernel.wasm (needs wasm-ld)
	@$(BIN)/python -m tools.build_kernel

# Once, before several workers would each begin to.
.PHONY: compiled
compiled: $(DEV)
	@$(COMPILE_ENGINE)
	@$(BIN)/python -c "import riverstones.study.puzzles.making.jobs, riverstones.envs.vector_kernel, riverstones.envs.dataset_kernel"

# Python compiles the tests and everything they import. In a new clone each worker would do that, all at the same time.
$(COLLECTED): $(DEV) | compiled
	@output=$$($(BIN)/pytest --collect-only --quiet) || { echo "$$output"; exit 1; }
	@touch $@

.PHONY: web
web: $(WEB) ## build the web app

.PHONY: static
static: $(STATIC) ## build the game as files for any web space, into build/static/

.PHONY: docs
docs: $(SITE) ## build the documentation site into build/docs/

.PHONY: web-test
web-test: $(WEB) $(DEV) ## check and test the web app's code
	@$(BIN)/python web/tests/make_rules_cases.py
	@$(BIN)/python web/tests/make_fold_cases.py
	@$(BIN)/python web/tests/make_words_cases.py
	@$(BIN)/python web/tests/make_position_cases.py
	@$(BIN)/python web/tests/make_puzzle_cases.py
	@$(BIN)/python web/tests/make_figure_cases.py
	@# The build has just compiled the words and the protocol; the scripts before these two would do so again.
	@$(IN_WEB) npm run --silent --ignore-scripts check
	@$(IN_WEB) npm run --silent --ignore-scripts test

.PHONY: dist
dist: $(RUN) $(WEB) ## build a wheel and a source distribution into dist/
	@# Only today's files: an upload takes everything that lies there.
	@rm -rf dist
	@$(BIN)/python -m hatchling build --directory dist

.PHONY: screenshots
screenshots: $(WEB) $(DEV) ## take the screenshots of the README and the docs anew
	@$(BIN)/python -m tools.screenshots

.PHONY: drawings
drawings: $(RUN) ## draw the boards of the documentation anew
	@$(BIN)/python -m tools.drawings

.PHONY: schemas
schemas: $(DEV) ## write the published schemas of messages and routes anew
	@$(BIN)/python -m tools.schemas
	@$(BIN)/python -m tools.error_codes

.PHONY: sbom
sbom: $(RUN) ## write the software bill of materials to build/sbom.json
	@$(BIN)/python -m tools.sbom build/sbom.json

.PHONY: format
format: $(DEV) $(NODE_MODULES) ## format the code and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	@$(IN_WEB) npm run --silent format

.PHONY: bench
bench: $(DEV) ## run the benchmarks
	@for script in bench/bench_*.py; do \
		[ -e "$$script" ] || { echo "There is no benchmark yet."; exit 0; }; \
		echo "== $$script"; \
		$(BIN)/python "$$script"; \
	done

.PHONY: lock
lock: $(LOCK)/.stamp ## pin the requirements again (UPGRADE=1: to the newest versions)
	$(COMPILE) --extra server --extra engine --group build --output-file requirements/run.txt
	$(COMPILE) --extra server --extra engine --extra cluster --group build --constraint requirements/run.txt --output-file requirements/cluster.txt
	$(COMPILE) --extra server --extra engine --group build --group dev --constraint requirements/run.txt --output-file requirements/dev.txt
	$(COMPILE_GROUP) --group lock --output-file requirements/lock.txt
	$(COMPILE_GROUP) --group node --output-file requirements/node.txt
	$(COMPILE_GROUP) --group docs --output-file requirements/docs.txt

.PHONY: clean
clean: ## remove the virtual environments, caches and build output
	rm -rf $(VENV) $(LOCK) $(DOCS) web/node_modules web/src/words/generated web/src/protocol src/riverstones/server/static build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

COMPILE_GROUP = $(LOCK)/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)
COMPILE = $(COMPILE_GROUP) pyproject.toml

$(BIN)/python:
	@python=$$(tools/find-python); \
	echo "Setting up $(VENV) with $$($$python --version); this happens once."; \
	rm -rf $(VENV); \
	$$python -m venv $(VENV)

$(RUN): requirements/run.txt pyproject.toml $(BIN)/python
	@$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement requirements/run.txt
	@$(INSTALL_SELF)
	@touch $@

# dev.txt holds all of run.txt, at the same versions.
$(DEV): requirements/run.txt requirements/dev.txt pyproject.toml $(BIN)/python
	@$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement requirements/dev.txt
	@$(INSTALL_SELF)
	@touch $(RUN) $@

$(ENGINE): $(RUN) $(wildcard src/riverstones/engine/*.py src/riverstones/engine/*/*.py)
	@$(COMPILE_ENGINE)
	@touch $@

# Node.js comes with the system, or else into the virtual environment.
$(NODE): requirements/node.txt $(BIN)/python
	@tools/find-node >/dev/null || { \
		echo "Fetching Node.js to build the web app; this happens once."; \
		$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement requirements/node.txt; \
	}
	@touch $@

# Not `npm ci`, which insists on a lock file with the binaries of every platform; this takes what the lock file pins, and
# leaves the file alone.
$(NODE_MODULES): web/package.json web/package-lock.json web/.npmrc $(NODE)
	@$(IN_WEB) npm install --no-save --silent
	@touch $@

$(WEB): $(NODE_MODULES) $(WEB_SOURCES)
	@echo "Building the web app."
	@$(IN_WEB) npm run --silent build -- --logLevel warn

# Both builds compile the words and the protocol first. Where both are wanted, one waits for the other.
$(STATIC): $(NODE_MODULES) $(WEB_SOURCES) | $(if $(filter static,$(MAKECMDGOALS)),,$(WEB))
	@echo "Building the web app for static hosts."
	@$(IN_WEB) npm run --silent build -- --mode static --logLevel warn

# Without pip, which the other environment has.
$(DOCS)/.stamp: requirements/docs.txt $(BIN)/python
	@$(BIN)/python -m venv --clear --without-pip $(DOCS)
	@$(BIN)/python -m pip --python $(DOCS)/bin/python $(wordlist 3,99,$(PIP_INSTALL)) --require-hashes --requirement requirements/docs.txt
	@touch $@

# The fonts come with the packages of the web app. A warning of the generator is an error.
$(SITE): $(SITE_SOURCES) $(DOCS)/.stamp | $(DEV) $(NODE_MODULES)
	@echo "Building the documentation site."
	@$(BIN)/python -m tools.site.assemble build/docs-source
	@output=$$($(DOCS)/bin/zensical build --strict --config-file build/docs-source/zensical.toml 2>&1) || { echo "$$output"; exit 1; }
	@$(BIN)/python -m tools.site.assemble --search build/docs-source/site
	@rm -rf build/docs
	@mv build/docs-source/site build/docs
	@touch $@

$(LOCK)/.stamp: requirements/lock.txt
	@python=$$(tools/find-python); $$python -m venv --clear $(LOCK)
	@$(LOCK)/bin/python $(PIP_INSTALL) --require-hashes --requirement requirements/lock.txt
	@touch $@
