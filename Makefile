# Two commands: `make play` and `make test`. Everything they need is set up in .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.DEFAULT_GOAL := play
.PHONY: play test browser check soak bench load pictures words clean

HOST ?= 127.0.0.1
PORT ?= 8765

play: $(READY) ## the web table, in your browser; HOST=0.0.0.0 lets others in the same network in
	@$(BIN)/ridotto warm
	@$(BIN)/ridotto serve --open --host $(HOST) --port $(PORT)

test: export PYTHONDONTWRITEBYTECODE := # Python is started hundreds of times: what it has compiled is kept
test: check browser ## everything that must hold
	$(BIN)/ridotto warm --everything
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak"

browser: ## a real Chromium, for the tests of the pages
	@command -v chromium >/dev/null || { echo "installing Chromium (once) ..."; \
		{ apt-get install -yq chromium || { apt-get update -q && apt-get install -yq chromium; }; } >/dev/null 2>&1; }; \
		command -v chromium >/dev/null || { echo "the tests need a browser: sudo apt-get install chromium"; exit 1; }

check: $(READY) ## style, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: $(READY) ## the long runs
	$(BIN)/pytest -n 2 -m soak
	$(BIN)/ridotto audit fantome --pairs 200000

bench: .venv-bench/ready ## how fast, beside the peers: a table, a picture, bench/results/
	.venv-bench/bin/python -m bench

load: $(READY) ## how many live tables a server bears: a table, a picture, bench/results/
	$(BIN)/python -m bench.load

.venv-bench/ready: pyproject.toml constraints.txt
	@echo "setting up .venv-bench, with the peers (once) ..."
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch .venv-bench/ready

pictures: $(READY) ## draw the pictures of the documentation
	$(BIN)/python docs/pictures.py

words: $(READY) ## collect the sentences and compile the catalogues
	$(BIN)/python -m ridotto.cli.catalogues ridotto
	$(BIN)/python -m ridotto.cli.catalogues examples/liars-dice/src/liars_dice

$(READY): pyproject.toml constraints.txt examples/liars-dice/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ridotto needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "setting up .venv (once) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' -e examples/liars-dice
	@touch $(READY)

clean:
	rm -rf .venv .venv-bench .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
