# Two commands: `make play` and `make test`. Everything they need is set up in .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.DEFAULT_GOAL := play
.PHONY: play test check soak bench pictures words clean

play: $(READY) ## a match of Le Fantôme against a bot
	@$(BIN)/ridotto warm fantome
	@$(BIN)/ridotto play fantome

test: check ## everything that must hold
	$(BIN)/ridotto warm
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak"
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -q tests/test_contract.py -k "cpu" -m "not soak"

check: $(READY) ## style, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: $(READY) ## the long runs
	$(BIN)/pytest -n 2 -m soak
	$(BIN)/ridotto audit fantome --pairs 200000

bench: $(READY) ## how fast, beside the interpreted rules
	$(BIN)/python bench/speed.py

pictures: $(READY) ## draw the pictures of the documentation
	$(BIN)/python docs/pictures.py

words: $(READY) ## collect the sentences and compile the catalogues
	$(BIN)/python tests/catalogues.py

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ridotto needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "setting up .venv (once) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
