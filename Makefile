# Two commands: `make play` and `make test`. What each needs is set up for it alone: in .venv-play and in .venv.
PYTHON ?= python3
PLAY := .venv-play
TAB := .venv-tab
BIN := .venv/bin
READY := .venv/ready

.DEFAULT_GOAL := play
.PHONY: play test browser check soak bench load learners tab docs release pictures rounds words clean

HOST ?= 127.0.0.1
PORT ?= 8765

play test: export PYTHONDONTWRITEBYTECODE := # what Python has compiled is kept for the next start
play: $(PLAY)/ready ## the web table, in your browser; HOST=0.0.0.0 lets others in the same network in
	@$(PLAY)/bin/ridotto serve --open --host $(HOST) --port $(PORT)

$(PLAY)/ready: pyproject.toml constraints.txt
	$(call new_environment,$(PLAY))
	@$(PLAY)/bin/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[web]'
	@touch $@

test: check browser .venv/compiled ## everything that must hold
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak"

# The machine code of games, and of what tests alone run: bounds checks, learners' arrays, other boxes. What fails here fails again.
.venv/compiled: $(READY) $(shell find ridotto examples/liars-dice/src -name '*.py' -o -name '*.toml' 2>/dev/null)
	$(BIN)/ridotto warm --everything
	@echo "compiling what only the tests run (once) ..."
	@$(BIN)/pytest -q -n 2 -m "compiles and not soak" $$(grep -rl --include='*.py' mark.compiles tests) >/dev/null || true
	@touch $@

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

# Against itself level:1 wins 57 % as the inspector and 43 % as the phantom (567 and 433 of 1,000 matches): more is past level:1.
# Tianshou comes by itself: it asks for older versions of what it does not use here than constraints.txt has.
learners: ## the wheel in an empty environment: the suites of the standards, copies, Tianshou, MaskablePPO on both seats of Le Fantôme
	$(call new_environment,.venv-learners)
	@rm -rf .venv-learners/wheel && .venv-learners/bin/pip wheel --quiet --no-deps --wheel-dir .venv-learners/wheel .
	@.venv-learners/bin/pip install --quiet -c constraints.txt "$$(ls .venv-learners/wheel/*.whl)[rl,arena]" pytest hypothesis torch stable-baselines3 sb3-contrib
	@.venv-learners/bin/pip install --quiet 'tianshou>=2' torch==$$(sed -n 's/^torch==//p' constraints.txt)
	@.venv-learners/bin/pip install --quiet --no-deps ./examples/liars-dice
	@rm -rf .venv-learners/checkout && mkdir .venv-learners/checkout && cp -r tests bench docs examples .venv-learners/checkout
	cd .venv-learners/checkout && ../bin/python -m pytest -q --import-mode=importlib -c /dev/null --rootdir tests -o pythonpath=tests \
		-W ignore::pytest.PytestUnknownMarkWarning -m "not soak" \
		tests/rl/test_rl_plugs.py tests/rl/test_rl_zoo.py tests/rl/test_rl_gym.py tests/rl/test_rl_openspiel.py \
		tests/rl/test_rl_learners.py
	.venv-learners/bin/python examples/maskable_ppo.py fantome --seat 0 --opponents random,level:1 --steps 80000,200000 --least 0.9,0.57 \
		--out .venv-learners/inspector.npz
	.venv-learners/bin/python examples/maskable_ppo.py fantome --seat 1 --opponents random,level:1 --steps 80000,200000 --least 0.6,0.5 \
		--out .venv-learners/phantom.npz

tab: $(TAB)/ready ## the table in a tab: a folder of static files, in dist/tab, served on this machine and opened
	@$(TAB)/bin/ridotto tab --out dist/tab --serve

$(TAB)/ready: pyproject.toml constraints.txt
	$(call new_environment,$(TAB))
	@$(TAB)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[tab]'
	@touch $@

docs: .venv-docs/ready ## the documentation site, in docs/_site; a warning is an error
	.venv-docs/bin/python -m sphinx --fail-on-warning --keep-going --quiet docs docs/_site
	@echo "docs/_site/index.html"

release: ## the checklist of a release: what holds, what does not
	@$(PYTHON) docs/release.py

.venv-docs/ready: pyproject.toml constraints.txt
	$(call new_environment,.venv-docs)
	@.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

.venv-bench/ready: pyproject.toml constraints.txt
	@echo "setting up .venv-bench, with the peers (once) ..."
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch .venv-bench/ready

pictures: $(READY) ## draw the pictures of the documentation
	$(BIN)/python docs/pictures.py

rounds: $(READY) ## write the worked rounds of the rulebooks anew
	$(BIN)/python docs/rounds.py

words: $(READY) ## collect the sentences and compile the catalogues
	$(BIN)/python -m ridotto.cli.catalogues ridotto
	$(BIN)/python -m ridotto.cli.catalogues examples/liars-dice/src/liars_dice

$(READY): pyproject.toml constraints.txt examples/liars-dice/pyproject.toml
	$(call new_environment,.venv)
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' -e examples/liars-dice
	@touch $(READY)

# A new environment, if there is a Python for it.
define new_environment
	@command -v $(PYTHON) >/dev/null || { echo "there is no $(PYTHON) here: install Python 3.11 or newer, or name one: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ridotto needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no venv: sudo apt-get install python3-venv, or what your system calls it"; exit 1; }
	@echo "setting up $(1) (once) ..."
	@$(PYTHON) -m venv $(1)
endef

clean:
	rm -rf .venv .venv-play .venv-bench .venv-docs .venv-learners .venv-tab docs/_site .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
