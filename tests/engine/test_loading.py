"""Loading a game: the ordinary modules where they will do, copies elsewhere, and what a game may do without."""

from __future__ import annotations

import importlib
import inspect
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import liars_dice.ai.bot
import liars_dice.rules
import ridotto.engine.dice
import ridotto.engine.driver
import ridotto.engine.plain_bot
import ridotto.engine.search
import ridotto.games.fantome.ai.bot
import ridotto.games.fantome.rules
import ridotto.games.opera.ai.bot
import ridotto.games.opera.rules
import ridotto.games.turandot.ai.bot
import ridotto.games.turandot.rules
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import _cache_key, folder, load
from ridotto.engine.contract import BotRules, DiceFunctions, Driver, Rules, Search
from ridotto.engine.errors import BadBox
from ridotto.engine.fields import Target
from ridotto.games import GAMES

OUTSIDE = Path(liars_dice.rules.__file__).parent

# A type checker says here whether the modules fit the protocols.
RULES: dict[str, Rules] = {
    "fantome": ridotto.games.fantome.rules,
    "opera": ridotto.games.opera.rules,
    "turandot": ridotto.games.turandot.rules,
    "liars_dice": liars_dice.rules,
}
BOTS: dict[str, BotRules] = {
    "fantome": ridotto.games.fantome.ai.bot,
    "opera": ridotto.games.opera.ai.bot,
    "turandot": ridotto.games.turandot.ai.bot,
    "liars_dice": liars_dice.ai.bot,
    "": ridotto.engine.plain_bot,
}
DICE: DiceFunctions = ridotto.engine.dice
DRIVER: Driver = ridotto.engine.driver
SEARCH: Search = ridotto.engine.search


# What is loaded.


@pytest.mark.parametrize("name", RULES)
def test_interpreted_rules_are_the_ordinary_module(name: str) -> None:
    """A breakpoint in the file of the rules, bot or words is met by a match, since there is no other module of them."""
    game = GAMES[name]
    build = game.build()
    assert build is load(game.package) and game.rules is build.rules
    assert RULES[name] is build.rules and BOTS[name] is build.bot and DICE is build.dice
    for part in ("ui.words", "ui.sketch", "ui.picture"):
        assert importlib.import_module(f"{game.package}.{part}") is build.module(part)


def test_a_build_imports_its_own_copies() -> None:
    """The driver of each build calls the rules and the bot of that build; only compiled rules are copies."""
    for name in ("fantome", "opera"):
        for target in ("python", "cpu"):
            build = GAMES[name].build(target)
            driver: Any = build.driver
            assert driver.rules is build.rules and driver.bot is build.bot
            assert driver is not DRIVER and build.search is not SEARCH
            assert (build.rules is RULES[name]) == (target == "python")
    assert load("ridotto.games.opera").driver is not load("ridotto.games.fantome").driver


def test_a_copy_reads_as_its_file() -> None:
    """File, line and source of a function in a copy are those of the file."""
    copied: Any = GAMES["fantome"].build("cpu").rules
    plain = ridotto.games.fantome.rules.move
    assert inspect.getsource(copied.move.py_func) == inspect.getsource(plain)
    assert copied.move.py_func.__code__.co_firstlineno == plain.__code__.co_firstlineno
    assert sys.modules[copied.__name__] is copied


def test_another_box_is_another_build(tmp_path: Path) -> None:
    """With other components every module of a game is a copy that sees them, also where it imports a module as a whole."""
    box = tmp_path / "box.toml"
    package = "ridotto.games.fantome"
    standard = Path(ridotto.games.fantome.rules.__file__).with_name("components.toml").read_text("utf-8")
    box.write_text(standard.replace("phantoms = 3", "phantoms = 4"), "utf-8")
    plain, other = load(package), load(package, "python", box)
    assert plain.box != other.box and other is load(package, "python", box)
    assert (3, 4) == (plain.components.PHANTOM_CARDS, other.components.PHANTOM_CARDS)
    assert other.rules.FIELDS != plain.rules.FIELDS
    words: list[Any] = [build.module("ui.words") for build in (other, plain)]
    assert other.rules is words[0].rules and ridotto.games.fantome.rules is words[1].rules
    assert other.dice is plain.dice
    box.write_text("dice = 30", "utf-8")
    with pytest.raises(BadBox, match="dice must be"):
        load("liars_dice", "python", _elsewhere(box))
    with pytest.raises(BadBox, match="cannot read the box"):
        load("liars_dice", "python", tmp_path / "missing.toml")


@pytest.mark.parametrize("name", sorted(RULES))
def test_no_copy_holds_a_module_of_the_standard_box(name: str, tmp_path: Path) -> None:
    """However a module for readers is imported, as a file of a package too, a copy has that of its own build."""
    package = GAMES[name].package
    build = load(package, "python", _elsewhere(Path(shutil.copy(folder(package) / "components.toml", tmp_path / "box.toml"))))
    for path in (folder(package) / "ui").rglob("*.py"):
        build.module(".".join(path.relative_to(folder(package)).with_suffix("").parts).removesuffix(".__init__"))
    copies = [module for one, module in list(sys.modules.items()) if one.startswith(package) and one.endswith(build.copies.tag)]
    assert len(copies) > 8
    for module in copies:
        held = [value.__name__ for value in vars(module).values() if isinstance(value, ModuleType)]
        assert [] == [one for one in held if one.startswith(f"{package}.") and not one.endswith(f"@{build.copies.tag}")]


def _elsewhere(box: Path) -> Path:
    """The same file under another name: a box is read once."""
    return Path(shutil.copy(box, box.with_name("other.toml")))


def test_a_build_is_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module more sees the rules and the driver of the build, and what was loaded into it before."""
    _write(tmp_path / "more_first.py", "from ridotto.engine.contract import rules\nWIDTH = rules.FIELDS.width\n")
    _write(
        tmp_path / "more_second.py",
        "from more_first import WIDTH\nfrom ridotto.engine import driver\nfrom ridotto.engine.build import compiled\n"
        "@compiled\ndef doubled(n: int) -> int:\n    return n * WIDTH\n",
    )
    monkeypatch.syspath_prepend(tmp_path)
    for target in ("python", "cpu"):
        build = GAMES["fantome"].build(target)
        build.extend("more_first")
        second = build.extend("more_second")
        assert second is build.extend("more_second") and second.driver is build.driver
        assert 2 * build.rules.FIELDS.width == second.doubled(2)
        assert (target == "cpu") == hasattr(second.doubled, "py_func")
    assert 0 == importlib.import_module("more_first").WIDTH - 2, "the module itself sees no game"


def test_machine_code_of_a_module_more_depends_on_what_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba sees that a file has changed, not what it imports: arrays in another order would be read as they were before."""
    (tmp_path / "more_parts").mkdir()
    _write(tmp_path / "more_parts" / "__init__.py", "")
    _write(tmp_path / "more_parts" / "shape.py", "FIRST, SECOND = 0, 1\n")
    _write(
        tmp_path / "more_parts" / "reader.py",
        "from more_parts.shape import FIRST\nfrom ridotto.engine.build import compiled\n"
        "@compiled\ndef read(n: int) -> int:\n    return n + FIRST\n",
    )
    monkeypatch.syspath_prepend(tmp_path)
    build = GAMES["fantome"].build("cpu")
    before = _cache_key("more_parts.reader", "ridotto.games.fantome")
    kept = build.extend("more_parts.reader").read._cache.cache_path
    assert build.cache is not None and str(build.cache / before) in kept and before
    _cache_key.cache_clear()
    _write(tmp_path / "more_parts" / "shape.py", "SECOND, FIRST = 0, 1\n")
    assert before != _cache_key("more_parts.reader", "ridotto.games.fantome")
    assert "" == _cache_key("ridotto.engine.driver", "ridotto.games.fantome")
    assert "" == _cache_key("ridotto.games.fantome.rules", "ridotto.games.fantome")


def test_an_import_that_cannot_be_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`import a.b` without a name binds `a`, which would lead to the ordinary modules."""
    _write(tmp_path / "more_third.py", "import ridotto.engine.driver\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match=r"write `import ridotto\.engine\.driver as driver`"):
        GAMES["fantome"].build().extend("more_third")


# What a game may do without.


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game in a package of its own, with relative imports, and without bot, sketch and picture."""
    folder = tmp_path_factory.mktemp("bare") / "baregame"
    optional = ("bot.py", "sketch.py", "picture.py", "page.py", "lesson.py")
    shutil.copytree(OUTSIDE, folder, ignore=shutil.ignore_patterns("__pycache__", *optional))
    for path in folder.rglob("*.py"):
        dots = "." * len(path.relative_to(folder).parts)
        _write(path, path.read_text("utf-8").replace("from liars_dice.", f"from {dots}").replace("liars_dice", "baregame"))
    sys.path.insert(0, str(folder.parent))
    return "baregame"


def test_what_is_missing_is_none(bare: str) -> None:
    """A game needs rules, components and words; the rest is None, and the bot is a plain one."""
    build = load(bare)
    assert isinstance(build.module("ui.words"), ModuleType)
    optional = ("inputs", "ui.sketch", "ui.picture", "ui.page", "ui.lesson", "ui.owner", "ui.figures")
    assert [None] * len(optional) == [build.module(name) for name in optional]
    assert "ridotto.engine.plain_bot@baregame-python" == vars(build.bot)["__name__"]


@pytest.mark.compiles
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_the_plain_bot_is_enough_to_search(bare: str, target: Target) -> None:
    """A search without a `ai/bot.py` plays its playouts to the end, alike on both targets, and shares out the whole win."""
    build = load(bare, target)
    row = build.row()
    build.rules.deal(row, 2, build.copy([1, 6, 0]), build.generator(4), build.events(muted=True))
    masked, public = (build.copy(build.rules.FIELDS.masked(row, seat)) for seat in (0, None))
    belief, settings = build.copy(build.bot.believe(build, None), "int64"), build.copy([1000, 0, 100, 500, 0], "int64")
    tree = build.tree(512, 4096)
    build.search.search(SearchRequest(masked, public, 0, belief, settings), 200, tree, build.workspace(build.generator(5)))
    got = [int(tree.counters[build.search.VALUE_SUMS + seat]) for seat in range(2)]
    assert 200 == tree.counters[build.search.PLAYOUTS]
    assert 0 < min(got) and sum(got) <= 200 * build.search.SURE
    FOUND.setdefault("edges", [float(word) for word in tree.edges])
    assert FOUND["edges"] == [float(word) for word in tree.edges]


FOUND: dict[str, list[float]] = {}
"""What the first target has found."""


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
