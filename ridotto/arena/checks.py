"""What a game lacks or breaks: its files, its declarations, its rulebooks, random play, its words, its secrets.

For whoever writes a game: every line says in plain words what is wrong and where. A *fault* keeps a game from being played as
it should; a *note* tells of a part that may be missing, and what happens without it.
"""

from __future__ import annotations

import ast
import inspect
import random
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal
from xml.etree import ElementTree

from ridotto.arena.audit import Report, audit
from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.build import folder, not_compiled
from ridotto.engine.contract import BotRules, Rules
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN, Named, Row, Seat
from ridotto.present import figures, owner, plain, protocols
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LANGUAGES, Narrator
from ridotto.present.svg import SMALLEST
from ridotto.present.ui import ui
from ridotto.present.words import Words

ENDLESS: Final = 5000
"""After this many decisions a match is assumed to have no end."""
MOST_ACTIONS: Final = 256
MATCHES: Final = 3
"""How many random matches are played with every set-up."""
SAMPLE: Final = 12
"""How many labels and refusals are read from each view."""
DRAWN_EVERY: Final = 5
"""One of this many positions is drawn, and the last one of a match."""
AUDITED_MATCHES: Final = 4
"""How many random matches are audited for leaks."""
AUDITED_MORE: Final = 12
"""How many more, in every set-up, while a hidden field has never differed."""
OPEN: Final = ("all", "remembered")
"""The audiences of what everybody may see."""

LEGIBLE: Final = 11.5
"""Units that text is high at the least in a panel of 360: SMALLEST, but for rounding in a wider panel."""

OPTIONAL_FILES: Final[Mapping[str, str]] = {
    "inputs.py": "texts mean what the notation of actions says, in the order in which the rules ask",
    "ai/bot.py": "bots choose at random inside their playouts, and play every match to its end",
    "ai/features.py": "a trained network is shown the row alone",
    "ai/solver.py": "the bot `solver` searches instead",
    "ui/sketch.py": "a terminal lists the named fields",
    "ui/picture.py": "a page shows the named fields as one panel",
    "ui/page.py": "every answer is a plain button",
    "ui/stage.py": "a beat is what one seat does in a row, and nothing gets a stage of its own",
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

Kind = Literal["ok", "note", "fault"]


@dataclass(frozen=True)
class Line:
    """One thing that was found."""

    kind: Kind
    part: str
    text: str


Part = Callable[[Game], Iterator[Line]]


def check(game: Game, *, quick: bool = False) -> Iterator[Line]:
    """Everything there is to say about a game; with `quick`, without compiling its rules."""
    parts: list[Part] = [files, declarations, rulebooks]
    if not quick:
        parts.append(compiled)
    faulty: set[str] = set()
    for name, part in ((part.__name__, part) for part in (*parts, play, choices, sentences, languages, lessons, secrets)):
        try:
            for line in part(game):
                if line.kind == "fault":
                    faulty.add(name)
                yield line
        except Exception as error:  # The code of a game may fail in any way.
            yield Line("fault", name, _describe(error, game))
            faulty.add(name)
        if "files" in faulty or "play" in faulty:
            yield Line("note", name, "mend this first: what comes after it was not looked at")
            return


def _describe(error: Exception, game: Game) -> str:
    """An error as one line, with the last place of its traceback in the game's own files, or else in any."""
    if isinstance(error, RidottoError):
        return str(error)
    if why := not_compiled(error):
        return why
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder(game.package))]
    last = (own or frames)[-1:]
    return f"{type(error).__name__}: {error}" + "".join(f" ({Path(one.filename).name}, line {one.lineno})" for one in last)


# The files, and what must be in them.


def files(game: Game) -> Iterator[Line]:
    """Every module of a game has what its protocol says."""
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
    yield from _members("ui/lesson.py", build.module("ui.lesson"), protocols.Lesson)
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
    found = {name: _headings(path) for name, path in books.items() if path.exists()}
    if "en" not in found:
        return
    rules, numbers = game.rules, [number for number, _ in found["en"]]
    for name, headings in found.items():
        if [number for number, _ in headings] != numbers:
            other = set(numbers) ^ {number for number, _ in headings}
            yield Line("fault", f"rulebook/{name}.md", f"other § than en.md: {', '.join(sorted(other)) or 'in another order'}")
    named = {game.resigning: "resigning"}
    codes = (rules.EVENTS, rules.REASONS, rules.ENDINGS, rules.PARTS, rules.FAULTS, rules.OPTIONS)
    named |= {one.section: one.name for lines in codes for one in lines} | {one.section: one.verb for one in rules.ACTIONS}
    for section, what in named.items():
        if section not in numbers:
            yield Line("fault", "rules.py", f"{what!r} rests on §{section}, which the rulebook has not")
    source = (folder(game.package) / "rules.py").read_text("utf-8")
    banners = re.findall(r"^\s*# §(\d+\.\d+) ([^.\n]+)\.", source, re.MULTILINE)
    wanted = [one for one in found["en"] if "." in one[0] and not one[0].startswith("1.")]
    if banners != wanted:
        lost = [f"no banner for §{number} {title}" for number, title in wanted if (number, title) not in banners]
        odd = [f"a banner for §{number} {title}" for number, title in banners if (number, title) not in wanted]
        what = ", ".join([*lost, *odd]) or "they stand in another order"
        yield Line("note", "rules.py", f"the banners `# §2.1 Title.` are not the paragraphs of the rulebook: {what}")
    yield Line("ok", "rulebook", f"{len(numbers)} paragraphs in {', '.join(found)}")


def _headings(path: Path) -> list[tuple[str, str]]:
    return re.findall(r"^##+ §([\d.]+) (.+)$", path.read_text("utf-8"), re.MULTILINE)


# Random play.


def setups(game: Game) -> Iterator[tuple[int, dict[str, int]]]:
    """Every number of seats, and each option at either end of its range."""
    yield from ((seats, {}) for seats in game.seats)
    for option in game.rules.OPTIONS:
        for value in {option.low, option.high} - {option.default}:
            yield game.seats[0], {option.name: value}


@dataclass
class Findings:
    """What was found in random play: each fault once, with where it was met first."""

    part: str
    faults: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def add(self, text: str, where: str) -> None:
        self.faults.setdefault(text, where)

    def lines(self) -> Iterator[Line]:
        yield from (Line("fault", self.part, f"{text} ({where})") for text, where in self.faults.items())
        yield from (Line("note", self.part, f"{text} ({where})") for text, where in self.notes.items())


@dataclass
class Met:
    """What was met of the declarations in random play, by name."""

    actions: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    endings: set[str] = field(default_factory=set)

    def lines(self, rules: Rules, matches: int) -> Iterator[Line]:
        """What was declared and never met."""
        for what, declared, met in (
            ("actions that were never legal", [one.verb for one in rules.ACTIONS], self.actions),
            ("events that were never told", [one.name for one in rules.EVENTS], self.events),
            ("reasons that were never given", [one.name for one in rules.REASONS], self.reasons),
            ("endings that were never met", [one.name for one in rules.ENDINGS], self.endings),
        ):
            if unmet := [name for name in declared if name not in met]:
                yield Line("note", "rules.py", f"{what} in {matches} random matches: {', '.join(unmet)}")


def play(game: Game) -> Iterator[Line]:
    """Random matches of every set-up keep the contract, end, and replay to the same row."""
    found, met, matches, decisions = Findings("play"), Met(), 0, 0
    try:
        for seats, options in setups(game):
            for seed in range(MATCHES):
                decisions += _play(game, seats, options, seed, found, met)
                matches += 1
    finally:
        yield from found.lines()
    if not found.faults:
        yield from met.lines(game.rules, matches)
        yield Line("ok", "play", f"{matches} random matches, {decisions} decisions, in every set-up")


def _where(seats: int, options: Mapping[str, int], seed: int) -> str:
    """Which match something was met in."""
    return ", ".join([f"{seats} seats", *(f"{name}={value}" for name, value in options.items()), f"seed {seed}"])


def _play(game: Game, seats: int, options: Mapping[str, int], seed: int, found: Findings, met: Met) -> int:
    """Play a random match; how many decisions it took."""
    match = Match(game, seats, options, seed=seed, clock=lambda: 0.0)
    chance = random.Random(seed)
    where = _where(seats, options, seed)
    for _ in range(ENDLESS):
        _check_position(match, found, f"{where}, ply {match.ply - 1}", met)
        # Only what both `legal` and `refuses` allow is played: where they differ, that was found already.
        offered = [(seat, action) for seat in match.to_act for action in match.legal(seat).ids]
        may = [one for one in offered if not match.rules.refuses(list(match.row), *one)]
        if not may:
            break
        seat, action = chance.choice(may)
        match.play(action, seat)
    else:
        raise RidottoError(f"a match does not end within {ENDLESS} decisions ({where})")
    met.events |= {one.event.name for one in match.events}
    if match.outcome is not None:
        met.endings.add(match.outcome.ending)
        _check_replay(match, found, where)
    return match.ply - 1


def _check_position(match: Match, found: Findings, where: str, met: Met) -> None:
    """Check one position against the contract of `ridotto.engine.contract`."""
    rules, row, seats = match.rules, list(match.row), match.seats
    waiting = rules.to_act(row)
    if not 0 <= waiting < 1 << seats:
        found.add(f"to_act gives {waiting}, which names seats that nobody sits at", where)
    if (rules.ending(row) != 0) != (waiting == 0):
        found.add("a match must be over (`ending`) exactly when nobody is to act (`to_act`)", where)
    if not 0 <= rules.ending(row) <= len(rules.ENDINGS):
        found.add(f"ending gives {rules.ending(row)}, which is not in ENDINGS", where)
    if waiting and rules.winners(row):
        found.add("there are winners before the match is over", where)
    for fault in _broken(rules, row):
        found.add(f"check finds {fault.name!r} broken (§{fault.section}): {fault.meaning}", where)
    for one, at in rules.FIELDS.slices():
        if any(not one.low <= word <= one.top for word in row[at : at + one.size]):
            found.add(f"field {one.name!r} leaves its range {one.low} to {one.top}", where)
    for seat in range(seats):
        legal = _legal(match, row, seat)
        met.actions |= {rules.ACTIONS.family(action).verb for action in legal}
        for action in range(rules.ACTIONS.size):
            code = rules.refuses(row, seat, action)
            if not 0 <= code <= len(rules.REASONS):
                found.add(f"refuses gives {code}, which is not in REASONS", where)
                continue
            if code:
                met.reasons.add(rules.REASONS.line(code).name)
            if (code == 0) != (action in legal):
                verb = rules.ACTIONS.family(action).verb
                why = f"refuses says {rules.REASONS.line(code).name!r}" if code else "refuses says nothing"
                is_legal = "legal" if action in legal else "not legal"
                found.add(f"`legal` and `refuses` disagree about {verb!r}: {is_legal}, but {why}", where)
        if bool(legal) != bool(waiting >> seat & 1):
            found.add("a seat that is to act has nothing to do" if not legal else "a seat may act out of turn", where)
        if waiting:
            _check_masked(match, seat, legal, found, where)
    if row != list(match.row):
        found.add("asking a question changes the row", where)


def _check_masked(match: Match, seat: Seat, legal: set[int], found: Findings, where: str) -> None:
    """What a seat may know determines what it may do, and `redeal` makes a possible position of it."""
    masked = match.masked(seat)
    if legal != _legal(match, masked, seat):
        found.add("what is legal for a seat depends on something that it may not know", where)
    world = list(masked)
    if _is_filled(match, world, seat, "redeal", found, where) and match.rules.FIELDS.masked(world, seat) != masked:
        found.add("redeal changes what the seat can see", where)


def _legal(match: Match, row: Row, seat: Seat) -> set[int]:
    """The actions that `legal` allows a seat on a row."""
    mask = match.build.mask()
    match.rules.legal(row, seat, mask)
    return {action for action in range(match.rules.ACTIONS.size) if mask[action // 32] >> action % 32 & 1}


def _is_filled(match: Match, world: Row, seat: Seat, by: str, found: Findings, where: str) -> bool:
    """Fill a masked row by `redeal`; whether that gives a possible position."""
    rules = match.rules
    rules.redeal(world, seat, match.build.generator(match.ply))
    if HIDDEN in world:
        found.add(f"{by} leaves {rules.FIELDS.field_at(world.index(HIDDEN)).name!r} hidden", where)
    elif broken := _broken(rules, world):
        found.add(f"{by} makes an impossible position: {', '.join(fault.name for fault in broken)}", where)
    else:
        return True
    return False


def _broken(rules: Rules, row: Row) -> list[Named]:
    """The invariants that `check` finds broken."""
    flags = rules.check(row)
    return [fault for code, fault in enumerate(rules.FAULTS, 1) if flags >> code & 1]


def _check_replay(match: Match, found: Findings, where: str) -> None:
    """A record read back is the same match."""
    try:
        back, _ = record.read(record.parse(record.dump(record.write(match))), {match.game.name: match.game})
    except RidottoError as error:
        found.add(f"a record cannot be read back: {error}", where)
        return
    if back.row != match.row or back.events != match.events:
        found.add("a record replays to another position", where)


def compiled(game: Game) -> Iterator[Line]:
    """The rules and the bot can be compiled, and give the same results then."""
    python, cpu, found = game.build(), game.build("cpu"), Findings("compiled")
    for seats, options in setups(game):
        chosen = list(game.settle(options).values())
        rows, dice = [python.row(), cpu.row()], [python.generator(seats), cpu.generator(seats)]
        for build, row, one in zip((python, cpu), rows, dice, strict=True):
            build.rules.deal(row, seats, build.copy(chosen), one, build.events(muted=True))
        for ply in range(ENDLESS):
            plain = [int(word) for word in rows[1]]
            if rows[0] != plain:
                at = next(i for i, (one, other) in enumerate(zip(rows[0], plain, strict=True)) if one != other)
                text = f"field {python.rules.FIELDS.field_at(at).name!r} differs between interpreted and compiled rules"
                found.add(text, f"{seats} seats, decision {ply}")
                break
            waiting = python.rules.to_act(rows[0])
            if not waiting:
                break
            seat, picked = (waiting & -waiting).bit_length() - 1, []
            for build, row in ((python, rows[0]), (cpu, rows[1])):
                mask, masked = build.mask(), build.copy(build.rules.FIELDS.masked(row, seat))
                build.rules.legal(masked, seat, mask)
                muted = build.events(muted=True)
                picked.append(int(build.bot.policy(masked, seat, mask, build.generator(ply), muted, build.scratch())))
            if picked[0] != picked[1]:
                found.add("the bot chooses otherwise when it is compiled", f"{seats} seats, decision {ply}")
            elif python.rules.refuses(rows[0], seat, picked[0]):
                action = python.rules.ACTIONS.notation(picked[0])
                found.add("the bot chooses what is not legal", f"{seats} seats, decision {ply}, {action!r}")
                break
            for build, row, one in zip((python, cpu), rows, dice, strict=True):
                build.rules.apply(row, seat, picked[0], one, build.events(muted=True))
    yield from found.lines()
    if not found.faults:
        yield Line("ok", "compiled", "the compiled rules give the same rows, and the bot's choices are legal")


# Words.


@dataclass(frozen=True)
class Listener(Narrator):
    """A narrator that remembers what it was asked to say, and what it had no translation for."""

    said: set[str] = field(default_factory=set, compare=False)
    untranslated: set[str] = field(default_factory=set, compare=False)

    def gettext(self, message: str) -> str:
        found = super().gettext(message)
        self.said.add(message)
        if found == message:
            self.untranslated.add(message)
        return found


def sentences(game: Game) -> Iterator[Line]:
    """Everything that happens and everything that may be done has words, and the table can be drawn."""
    found, said = Findings("ui/words.py"), 0
    failed: set[tuple[str, str]] = set()
    for view in _views(game, game.seats):
        words = ui(game).words(ui(game).narrator("en", reader=view.seat))
        for about, sentence in _sentences_of(view, words):
            said += 1
            try:
                text = sentence()
            except Exception as error:  # The code of a game may fail in any way.
                why = _describe(error, game)
                if (sentence.func.__name__, why) not in failed:
                    failed.add((sentence.func.__name__, why))
                    found.add(f"{about}: {why}", f"ply {view.ply - 1}")
                continue
            if not isinstance(text, str) or not text.strip():
                found.add(f"{about}: no words", f"ply {view.ply - 1}")
            elif re.search(r"[{}]|-32768", text):
                found.add(f"{about}: a gap is left open: {text!r}", f"ply {view.ply - 1}")
        if view.ply % DRAWN_EVERY == 0 or view.outcome is not None:
            _check_drawings(game, view, words, found)
    yield from found.lines()
    if not found.faults:
        yield Line("ok", "ui/words.py", f"{said} sentences")


def _views(game: Game, numbers: Sequence[int]) -> Iterator[View]:
    """What the seat to act, another one and a spectator see in a random match for each of some numbers of seats."""
    for seats in numbers:
        match, chance = Match(game, seats, seed=seats, clock=lambda: 0.0), random.Random(seats)
        while match.to_act and match.ply < ENDLESS:
            seat = chance.choice(match.to_act)
            yield from (match.view(viewer) for viewer in (seat, (seat + 1) % seats, None))
            match.play(chance.choice(match.legal(seat).ids), seat)
        yield from (match.view(viewer) for viewer in (0, None))


def _sentences_of(view: View, words: Words) -> Iterator[tuple[str, partial[Any]]]:
    """Whatever is said about a view: what it is about, and how to say it."""
    rules, seat = view.game.rules, view.seat
    yield f"player {seat or 0}", partial(words.player, seat or 0)
    for one in view.seen:
        if one.ply == view.ply - 1:
            yield f"event {one.event.name!r}", partial(words.sentence, one.event.name, one.values)
    for acting in view.to_act:
        yield f"question to seat {acting}", partial(words.question, view.row, acting)
    if seat is None:
        return
    for action in view.legal[:: max(1, len(view.legal) // SAMPLE)]:
        yield f"label of {rules.ACTIONS.notation(action)!r}", partial(words.label, view.row, seat, action)
    for action in range(0, rules.ACTIONS.size, max(1, rules.ACTIONS.size // SAMPLE)):
        code = rules.refuses(list(view.row), seat, action)
        if code:
            reason = rules.REASONS.line(code).name
            yield f"reason {reason!r}", partial(words.because, reason, view.row, seat, action)


def _check_drawings(game: Game, view: View, words: Words, found: Findings) -> None:
    """The drawings of a view, as text and as SVG, are well-formed."""
    where, sketch = f"ply {view.ply - 1}", ui(game).sketch
    if sketch is not plain:
        from rich.errors import MarkupError
        from rich.text import Text

        try:
            Text.from_markup(sketch.text(view, words), emoji=False)
        except MarkupError as error:
            found.add(f"ui/sketch.py: no markup that Rich can read: {error}", where)
        except Exception as error:  # The code of a game may fail in any way.
            found.add(f"ui/sketch.py: {_describe(error, game)}", where)
    try:
        panels = ui(game).panels(view, words)
        for fault in _faults_of_scene(game, view, words):
            found.add(f"ui/picture.py: {fault}", where)
    except Exception as error:  # The code of a game may fail in any way.
        found.add(f"ui/picture.py: {_describe(error, game)}", where)
        return
    for panel in panels:
        try:
            drawn = ElementTree.fromstring(panel.svg())
        except ElementTree.ParseError as error:
            found.add(f"ui/picture.py: panel {panel.name!r} is no SVG: {error}", where)
            continue
        small = min(_text_sizes(drawn, 360 / panel.width), default=LEGIBLE)
        if small < LEGIBLE:
            text = f"text in panel {panel.name!r} is {small:.3g} units high if the panel is 360 wide: a phone needs {SMALLEST}"
            found.notes.setdefault(f"ui/picture.py: {text}", where)


def _faults_of_scene(game: Game, view: View, words: Words) -> Iterator[str]:
    """What keeps a page from showing a picture as it is described."""
    shared = ui(game).picture.shared(view.public(), words.unaddressed())
    layers = {"shared": shared} if view.seat is None else {"shared": shared, "own": ui(game).picture.own(view, words)}
    for name, layer in layers.items():
        for key, times in Counter(item.key for item in layer.items).items():
            if times > 1:
                yield f"`{name}` gives {times} items with the key {key!r}"
    scene = ui(game).scene(view, words)
    shown = {name for column in ui(game).picture.COLUMNS for name in column}
    for name in scene.panels:
        if name not in shown:
            yield f"panel {name!r} is in no column, so that a page does not show it: see COLUMNS"
    known = set(scene.panels)
    for item in scene.items.values():
        if item.parent not in known:
            yield f"item {item.key!r} is inside {item.parent!r}, which is neither a panel nor an item before it"
        known.add(item.key)
    if ui(game).picture.board(view, words.nameless()) != ui(game).board(view, words):
        yield "`board` changes during a match: what changes must be an item"


def _text_sizes(element: ElementTree.Element, scale: float) -> Iterator[float]:
    """How high the text of a drawing is, with what its groups are scaled by."""
    if scaled := re.search(r"scale\((-?[\d.]+)", element.get("transform", "")):
        scale *= abs(float(scaled[1]))
    if re.fullmatch(r"[\d.]+", size := element.get("font-size", "")):
        yield float(size) * scale
    for part in element:
        yield from _text_sizes(part, scale)


def languages(game: Game) -> Iterator[Line]:
    """How much of what is said in a match is translated."""
    if not (folder(game.package) / "locale").exists():
        return
    for name in LANGUAGES:
        if name == "en":
            continue
        listener = Listener(name, locales=ui(game).locales)
        words = ui(game).words(listener)
        for view in _views(game, game.seats[-1:]):
            for about, sentence in _sentences_of(view, words):
                try:
                    sentence()
                except Exception as error:  # The code of a game may fail in any way.
                    yield Line("fault", f"locale/{name}", f"{about}: {_describe(error, game)}")
                    return
        files = [path for folder in ui(game).locales for path in folder.glob(f"{name}/LC_MESSAGES/*.po")]
        same = "\n".join(path.read_text("utf-8") for path in files)
        # A word may be the same in two languages: then the catalogue says so.
        lost = sorted(one for one in listener.untranslated if f'msgid "{one}"\nmsgstr "{one}"' not in same)
        if lost:
            some = ", ".join(map(repr, lost[:3]))
            yield Line("note", f"locale/{name}", f"{len(lost)} of {len(listener.said)} sentences stay English, such as {some}")
        else:
            yield Line("ok", f"locale/{name}", f"{len(listener.said)} sentences are translated")


def lessons(game: Game) -> Iterator[Line]:
    """Every step of the lesson can be played as it says."""
    found = lesson(game)
    if found is None:
        return
    for number in range(1, len(found) + 1):
        match, seat = found.before(number), found.seat(number)
        listed = [action for action in match.legal(seat) if found.accepts(number, action)] if seat in match.to_act else []
        for do in listed or found.steps[number - 1].do:  # several decisions in one line are not listed
            try:
                found.after(number, do)
            except RidottoError as error:
                yield Line("fault", "ui/lesson.py", f"step {number} wants {do!r}, which cannot be done there: {error}")
                return
    yield Line("ok", "ui/lesson.py", f"{len(found)} steps")


# Secrets.


def choices(game: Game) -> Iterator[Line]:
    """What seats choose at the same time stays secret until all have chosen, and the bot goes by what its seat may know."""
    found, bot, decisions = Findings("rules.py"), Findings("ai/bot.py"), 0
    has_bot = (folder(game.package) / "ai/bot.py").exists()
    for seats, options, seed in ((*setup, seed) for setup in setups(game) for seed in range(MATCHES)):
        match, chance = Match(game, seats, options, seed=seed, clock=lambda: 0.0), random.Random(seed)
        waiting_for_others = 0
        while match.to_act and match.ply < ENDLESS:
            where = f"{_where(seats, options, seed)}, ply {match.ply - 1}"
            if has_bot:
                for seat in (*match.to_act, -1):
                    _check_recall(match, seat, waiting_for_others, bot, where)
                for seat in match.to_act:
                    _check_policy(match, seat, bot, where)
            before, seat = match.row, chance.choice(match.to_act)
            action = chance.choice(match.legal(seat).ids)
            match.play(action, seat)
            others, after = match.rules.to_act(before) & ~(1 << seat), match.rules.to_act(match.row)
            if not others or others & ~after:  # Nobody else has to choose, or all have chosen now.
                waiting_for_others = 0
                continue
            decisions += 1
            _check_secrecy(match, before, seat, action, found, where)
            if match.rules.ACTIONS.family(action).audience not in OPEN and not after >> seat & 1:
                waiting_for_others |= 1 << seat
    yield from (*found.lines(), *bot.lines())
    if decisions and not found.faults and not bot.faults:
        yield Line("ok", "choices", f"{decisions} choices were made while others had to make theirs, and told nothing")


def _check_secrecy(match: Match, before: Row, seat: Seat, action: int, found: Findings, where: str) -> None:
    """A choice that was made while others have to make theirs tells them nothing."""
    rules, family, after = match.rules, match.rules.ACTIONS.family(action), match.row
    if family.audience not in OPEN:
        for one in match.events_of(match.ply - 1):
            shown = [arg.name for arg in one.event.args if arg.audience in OPEN and arg.name != "seat"]
            if one.event.audience in OPEN and shown:
                told = f"the event {one.event.name!r} tells everybody {', '.join(shown)}"
                found.add(f"{family.verb!r} is a secret choice, but while others have to make theirs, {told}", where)
    elif not match.entries[-1].draws:  # What chance has hidden was not chosen.
        others = [other for other in range(match.seats) if other != seat]
        hidden = sorted({at for other in others for at in rules.FIELDS.hidden(other) if before[at] != after[at]})
        for name in dict.fromkeys(rules.FIELDS.field_at(at).name for at in hidden):
            why = f'writes {name!r}, which others may not know, while they have to choose: it needs audience="owner"'
            found.add(f"the action {family.verb!r} is public, but {why}", where)


def _check_recall(match: Match, seat: Seat, pending: int, found: Findings, where: str) -> None:
    """Taking back what others have chosen at the same time leads to a possible position, in which they choose again."""
    world = match.masked(None if seat < 0 else seat)
    match.build.bot.recall(world, seat)
    mine = 0 if seat < 0 else 1 << seat
    is_possible = _is_filled(match, world, seat, "recall, and redeal after it,", found, where)
    if is_possible and pending & ~mine & ~match.rules.to_act(world):
        found.add("recall leaves in place what another seat has chosen at the same time: it must be in `to_act` again", where)


def _check_policy(match: Match, seat: Seat, found: Findings, where: str) -> None:
    """With equal dice, the bot chooses the same on the masked row, on the true one, and on any other that fits."""
    rules, build, masked = match.rules, match.build, match.masked(seat)
    world = list(masked)
    rules.redeal(world, seat, build.generator(match.ply))
    chosen = set()
    for row in (masked, match.row, world):
        mask = build.mask()
        rules.legal(row, seat, mask)
        dice, muted = build.generator(match.ply), build.events(muted=True)
        chosen.add(build.bot.policy(row, seat, mask, dice, muted, build.scratch()))
    if len(chosen) > 1:
        found.add("policy: the bot looks at what its seat may not know", where)


def secrets(game: Game) -> Iterator[Line]:
    """Worlds that a seat cannot tell apart look the same to it."""
    total = Report()
    for number in range(AUDITED_MATCHES):
        total.add(audit(game, game.seats[number % len(game.seats)], 1, number))
    every = list(setups(game))
    for number in range(AUDITED_MATCHES, AUDITED_MATCHES + AUDITED_MORE):
        if total.unproven:
            seats, options = every[number % len(every)]
            total.add(audit(game, seats, 1, number, options))
    for where, times in total.leaks.most_common():
        yield Line("fault", "secrets", f"{where} leaks, in {times} of {total.pairs} pairs of worlds: {total.examples[where]}")
    for name in total.unproven:
        yield Line("fault", "secrets", f"{total.unproven_text(name)} ({total.matches} random matches)")
    if not total.leaks and not total.unproven:
        hidden = ", ".join(sorted(total.hidden)) or "nothing is hidden"
        yield Line("ok", "secrets", f"no leak in {total.pairs} pairs of worlds: {hidden}")


def summary(game: Game, lines: Sequence[Line]) -> str:
    """The last line of a report."""
    faults, notes = (sum(line.kind == kind for line in lines) for kind in ("fault", "note"))
    noted = f", notes: {notes}" if notes else ""
    return f"{game.name}: faults: {faults}{noted}" if faults else f"{game.name} can be played{noted}"
