"""Checks of the files of a game, of its declarations and of its rulebooks."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from ridotto.arena.checks.report import Line
from ridotto.core.game import Game
from ridotto.engine.build import folder
from ridotto.engine.contract import BotRules, Rules
from ridotto.engine.fields import HIDDEN
from ridotto.present import figures, owner, protocols
from ridotto.present.narrator import LANGUAGES
from ridotto.present.words import Words

MOST_ACTIONS: Final = 256
OPTIONAL_FILES: Final[Mapping[str, str]] = {
    "inputs.py": "texts mean what the notation of actions says, in the order in which the rules ask",
    "ai/bot.py": "bots choose at random inside their playouts, and play every match to its end",
    "ai/features.py": "a trained network is shown the row alone",
    "ai/solver.py": "the bot `solver` searches instead",
    "ui/sketch.py": "a terminal lists the named fields",
    "ui/picture.py": "a page shows the named fields as one panel",
    "ui/page.py": "every answer is a plain button",
    "ui/stage.py": "a beat is what one seat does in a row, and nothing gets a stage of its own",
    "ui/ledger.py": "no list of its rounds is offered",
    "ui/lesson.py": "no lesson is offered",
    "ui/owner.py": "nothing is asked about its box",
    "ui/figures.py": "its rulebook has no figures",
    "tuning.toml": "the standard levels, without ratings",
    "ui/page.css": "no styles of its own",
    "rulebook/en.md": "the page says that there is no rulebook",
    "rulebook/fr.md": "the English one is shown",
    "rulebook/nl.md": "the English one is shown",
    "locale": "sentences stay English",
}
"""The files that a game may lack, and what happens without each."""


def files(game: Game) -> Iterator[Line]:
    """Every module of a game has the members of its protocol."""
    here = folder(game.package)
    build = game.build()
    yield from _members("rules.py", build.rules, Rules)
    yield from _members("ai/bot.py", build.bot, BotRules, "ridotto.engine.plain_bot")
    if len(game.roles) < build.rules.SEATS[1]:
        yield Line("fault", "__init__.py", f"{len(game.roles)} roles for up to {build.rules.SEATS[1]} seats")
    words = getattr(build.module("ui.words"), "Words", None)
    if not isinstance(words, type) or not issubclass(words, Words):
        yield Line("fault", "ui/words.py", "there is no class Words(ridotto.present.words.Words)")
    else:
        for name in ("label", "player", "sentence", "because", "question"):
            if getattr(words, name) is getattr(Words, name):
                yield Line("fault", "ui/words.py", f"Words has no {name}()")
        if words.figures is Words.figures:
            yield Line("note", "ui/words.py", "Words has no figures(): a review says what was better, and not why")
    yield from _members("ui/sketch.py", build.module("ui.sketch"), protocols.Sketch)
    yield from _members("ui/picture.py", build.module("ui.picture"), protocols.Picture)
    yield from _members("ui/lesson.py", build.module("ui.lesson"), protocols.LessonModule)
    yield from _members("ui/owner.py", build.module("ui.owner"), owner.Owner)
    yield from _members("ui/figures.py", build.module("ui.figures"), figures.Figures)
    page, stage = build.module("ui.page"), build.module("ui.stage")
    if page is not None and not issubclass(getattr(page, "Page", object), protocols.Page):
        yield Line("fault", "ui/page.py", "there is no class Page(ridotto.present.protocols.Page)")
    if stage is not None and not issubclass(getattr(stage, "Stage", object), protocols.Stage):
        yield Line("fault", "ui/stage.py", "there is no class Stage(ridotto.present.protocols.Stage)")
    _ = game.tuning
    for name, without in OPTIONAL_FILES.items():
        if not (here / name).exists() and not (here / name).with_suffix("").is_dir():
            yield Line("note", name, f"missing: {without}")
    yield Line("ok", "files", f"read from {here}")


def _members(part: str, module: Any, protocol: type, usual: str = "") -> Iterator[Line]:
    """The members of a protocol that a module lacks, or has with other arguments; the module `usual` has all of them."""
    if module is None:
        return
    wanted = [*vars(protocol).get("__annotations__", {}), *(name for name in vars(protocol) if not name.startswith("_"))]
    for name in wanted:
        if not hasattr(module, name):
            instead = f"; to do without one of your own: `from {usual} import {name}`" if usual else ""
            yield Line("fault", part, f"{name} is missing{instead}")
            continue
        asked, given = vars(protocol).get(name), getattr(module, name)
        if inspect.isfunction(asked):
            if not callable(given):
                yield Line("fault", part, f"{name} must be a function")
            elif len(inspect.signature(given).parameters) != len(inspect.signature(asked).parameters) - 1:
                asks = ", ".join(list(inspect.signature(asked).parameters)[1:])
                yield Line("fault", part, f"{name} must take ({asks})")


def declarations(game: Game) -> Iterator[Line]:
    """Fields, actions, events and codes make sense together."""
    rules = game.rules
    if not game.name.isidentifier() or game.name != game.name.lower():
        yield Line("fault", "__init__.py", f"the name {game.name!r} must be lower-case letters, digits and underscores")
    if not 1 <= rules.SEATS[0] <= rules.SEATS[1] <= 8:
        yield Line("fault", "rules.py", f"SEATS {rules.SEATS} must be the fewest and the most, 1 to 8")
    if rules.ACTIONS.size > MOST_ACTIONS:
        yield Line("note", "rules.py", f"{rules.ACTIONS.size} actions: more than {MOST_ACTIONS} make search and learning slow")
    for name, at in (("QUESTION", rules.QUESTION), ("ROUND", rules.ROUND)):
        if not -1 <= at < rules.FIELDS.width:
            yield Line("fault", "rules.py", f"{name} is {at}; it must be the offset of a field, or -1")
    for one in rules.FIELDS:
        if one.top > 32767 or one.low <= HIDDEN:
            yield Line("fault", "rules.py", f"field {one.name!r} does not fit 16 bits")
    if not rules.ENDINGS:
        yield Line("fault", "rules.py", "ENDINGS is empty: no match could end")
    yield from _emitted(game)
    size = f"{rules.FIELDS.width} words, {rules.ACTIONS.size} actions, {len(rules.EVENTS)} events"
    yield Line("ok", "rules.py", f"declared: {size}")


def _emitted(game: Game) -> Iterator[Line]:
    """Every event that the source emits by its name has as many arguments as are declared."""
    events = game.rules.EVENTS
    for path in sorted(folder(game.package).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "emit":
                continue
            if len(node.args) < 2 or node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
                continue
            for code in ast.walk(node.args[1]):
                if not isinstance(code, ast.Attribute) or code.attr not in events.E._fields:
                    continue
                event, given = events[getattr(events.E, code.attr)], len(node.args) - 2
                if given != len(event.args):
                    wanted = f"{len(event.args)} ({', '.join(arg.name for arg in event.args)})"
                    text = f"line {node.lineno}: emit gives the event {event.name!r} {given} arguments instead of {wanted}"
                    yield Line("fault", path.name, text)


def rulebooks(game: Game) -> Iterator[Line]:
    """The rulebooks have the same paragraphs, the rules open each by a banner, and every § that is named exists."""
    books = {name: game.rulebook(name) for name in LANGUAGES}
    headings = {name: _headings(path) for name, path in books.items() if path.exists()}
    if "en" not in headings:
        return
    rules, numbers = game.rules, [number for number, _ in headings["en"]]
    for name, others in headings.items():
        if [number for number, _ in others] != numbers:
            other = set(numbers) ^ {number for number, _ in others}
            yield Line("fault", f"rulebook/{name}.md", f"other § than en.md: {', '.join(sorted(other)) or 'in another order'}")
    named = {game.resigning: "resigning"}
    codes = (rules.EVENTS, rules.REASONS, rules.ENDINGS, rules.PARTS, rules.FAULTS, rules.OPTIONS)
    named |= {one.section: one.name for lines in codes for one in lines} | {one.section: one.verb for one in rules.ACTIONS}
    for section, what in named.items():
        if section not in numbers:
            yield Line("fault", "rules.py", f"{what!r} rests on §{section}, which the rulebook has not")
    source = (folder(game.package) / "rules.py").read_text("utf-8")
    banners = re.findall(r"^\s*# §(\d+\.\d+) ([^.\n]+)\.", source, re.MULTILINE)
    wanted = [one for one in headings["en"] if "." in one[0] and not one[0].startswith("1.")]
    if banners != wanted:
        lost = [f"no banner for §{number} {title}" for number, title in wanted if (number, title) not in banners]
        odd = [f"a banner for §{number} {title}" for number, title in banners if (number, title) not in wanted]
        what = ", ".join([*lost, *odd]) or "they stand in another order"
        yield Line("note", "rules.py", f"the banners `# §2.1 Title.` are not the paragraphs of the rulebook: {what}")
    yield Line("ok", "rulebook", f"{len(numbers)} paragraphs in {', '.join(headings)}")


def _headings(path: Path) -> list[tuple[str, str]]:
    return re.findall(r"^##+ §([\d.]+) (.+)$", path.read_text("utf-8"), re.MULTILINE)
