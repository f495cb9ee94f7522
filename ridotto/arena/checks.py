"""Checks of a game for its author: its files, declarations, rulebooks, random play, words and secrets.

Every line of the result says in plain words what is wrong and where. A *fault* keeps a game from being played as it should; a
*note* is about an optional part that is missing, and says what happens without it.
"""

from __future__ import annotations

import inspect
import random
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal
from xml.etree import ElementTree

from ridotto.arena.audit import Report, audit
from ridotto.core import protocols, record
from ridotto.core.game import Game
from ridotto.core.lesson import lesson
from ridotto.core.match import Match
from ridotto.core.narrator import LANGUAGES, Narrator
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.engine.build import folder
from ridotto.engine.contract import BotRules, Rules
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN, Seat

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

OPTIONAL_FILES: Final[Mapping[str, str]] = {
    "bot.py": "bots choose at random inside their playouts, and play every match to its end",
    "sketch.py": "a terminal lists the named fields",
    "picture.py": "a page shows the named fields as one panel",
    "page.py": "every answer is a plain button",
    "lesson.py": "no lesson is offered",
    "tuning.toml": "the standard levels, without ratings",
    "page.css": "no styles of its own",
    "rulebook/en.md": "the page says that there is no rulebook",
    "rulebook/fr.md": "the English one is shown",
    "rulebook/nl.md": "the English one is shown",
    "locale": "sentences stay English",
}
"""The files that a game may lack, and what happens without each."""

Kind = Literal["ok", "note", "fault"]


@dataclass(frozen=True)
class Line:
    """One line of the result."""

    kind: Kind
    part: str
    text: str


Part = Callable[[Game], Iterator[Line]]


def check(game: Game, *, quick: bool = False) -> Iterator[Line]:
    """All checks of a game; with `quick`, without compiling its rules."""
    parts: list[Part] = [files, declarations, rulebooks]
    if not quick:
        parts.append(compiled)
    faulty: set[str] = set()
    for name, part in ((part.__name__, part) for part in (*parts, play, sentences, languages, lessons, secrets)):
        try:
            for line in part(game):
                if line.kind == "fault":
                    faulty.add(name)
                yield line
        except Exception as error:  # The code of a game may fail in any way.
            yield Line("fault", name, str(error) if isinstance(error, RidottoError) else located(error))
            faulty.add(name)
        if "files" in faulty or "play" in faulty:
            yield Line("note", name, "mend this first: what comes after it was not looked at")
            return


def located(error: BaseException) -> str:
    """An error as one line, with the last source file and line of its traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


# The files, and what must be in them.


def files(game: Game) -> Iterator[Line]:
    """Every module of a game has what its protocol says."""
    here = folder(game.package)
    build = game.build()
    yield from _members("rules.py", build.rules, Rules)
    yield from _members("bot.py", build.bot, BotRules)
    if len(game.roles) < build.rules.SEATS[1]:
        yield Line("fault", "__init__.py", f"{len(game.roles)} roles for up to {build.rules.SEATS[1]} seats")
    words = getattr(build.words, "Words", None)
    if not isinstance(words, type) or not issubclass(words, Words):
        yield Line("fault", "words.py", "there is no class Words(ridotto.core.protocols.Words)")
    else:
        for name in ("label", "player", "sentence", "because", "question"):
            if getattr(words, name) is getattr(Words, name):
                yield Line("fault", "words.py", f"Words has no {name}()")
    yield from _members("sketch.py", build.sketch, protocols.Sketch)
    yield from _members("picture.py", build.picture, protocols.Picture)
    yield from _members("lesson.py", build.lesson, protocols.Lesson)
    if build.page is not None and not issubclass(getattr(build.page, "Page", object), protocols.Page):
        yield Line("fault", "page.py", "there is no class Page(ridotto.core.protocols.Page)")
    _ = game.tuning
    for name, without in OPTIONAL_FILES.items():
        if not (here / name).exists():
            yield Line("note", name, f"missing: {without}")
    yield Line("ok", "files", f"read from {here}")


def _members(part: str, module: Any, protocol: type) -> Iterator[Line]:
    """The members of a protocol that a module lacks, or has with other arguments."""
    if module is None:
        return
    wanted = [*vars(protocol).get("__annotations__", {}), *(name for name in vars(protocol) if not name.startswith("_"))]
    for name in wanted:
        if not hasattr(module, name):
            yield Line("fault", part, f"{name} is missing")
            continue
        expected, actual = vars(protocol).get(name), getattr(module, name)
        if inspect.isfunction(expected):
            if not callable(actual):
                yield Line("fault", part, f"{name} must be a function")
            elif len(inspect.signature(actual).parameters) != len(inspect.signature(expected).parameters) - 1:
                arguments = ", ".join(list(inspect.signature(expected).parameters)[1:])
                yield Line("fault", part, f"{name} must take ({arguments})")


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
    size = f"{rules.FIELDS.width} words, {rules.ACTIONS.size} actions, {len(rules.EVENTS)} events"
    yield Line("ok", "rules.py", f"declared: {size}")


def rulebooks(game: Game) -> Iterator[Line]:
    """The rulebooks have the same paragraphs, the rules have a banner for each, and every § that the rules name exists."""
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
    """Every number of seats, and each option at both ends of its range."""
    yield from ((seats, {}) for seats in game.seats)
    for option in game.rules.OPTIONS:
        for value in {option.low, option.high} - {option.default}:
            yield game.seats[0], {option.name: value}


@dataclass
class Findings:
    """The faults that were found in random play: each once, with the place where it was found first."""

    part: str
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, text: str, where: str) -> None:
        self.faults.setdefault(text, where)

    def lines(self) -> Iterator[Line]:
        yield from (Line("fault", self.part, f"{text} ({where})") for text, where in self.faults.items())


def play(game: Game) -> Iterator[Line]:
    """Random matches of every set-up keep the contract, end, and replay to the same row."""
    found, matches, decisions = Findings("play"), 0, 0
    try:
        for seats, options in setups(game):
            for seed in range(MATCHES):
                decisions += _play(game, seats, options, seed, found)
                matches += 1
    finally:
        yield from found.lines()
    if not found.faults:
        yield Line("ok", "play", f"{matches} random matches, {decisions} decisions, in every set-up")


def _play(game: Game, seats: int, options: Mapping[str, int], seed: int, found: Findings) -> int:
    """Play a random match; how many decisions it took."""
    match = Match(game, seats, options, seed=seed, clock=lambda: 0.0)
    chance = random.Random(seed)
    where = ", ".join([f"{seats} seats", *(f"{name}={value}" for name, value in options.items()), f"seed {seed}"])
    for _ in range(ENDLESS):
        _check_position(match, found, f"{where}, ply {match.ply - 1}")
        # Only what both `legal` and `refuses` allow is played: where they differ, that was found already.
        offered = [(seat, action) for seat in match.to_act for action in match.legal(seat).ids]
        playable = [one for one in offered if not match.rules.refuses(list(match.row), *one)]
        if not playable:
            break
        seat, action = chance.choice(playable)
        match.play(action, seat)
    else:
        raise RidottoError(f"a match does not end within {ENDLESS} decisions ({where})")
    if match.outcome is not None:
        _check_replay(match, found, where)
    return match.ply - 1


def _check_position(match: Match, found: Findings, where: str) -> None:
    """Check one position against the contract of `ridotto.engine.contract`."""
    rules, row, seats = match.rules, list(match.row), match.seats
    waiting, build = rules.to_act(row), match.build
    if not 0 <= waiting < 1 << seats:
        found.add(f"to_act gives {waiting}, which names seats that nobody sits at", where)
    if (rules.ending(row) != 0) != (waiting == 0):
        found.add("a match must be over (`ending`) exactly when nobody is to act (`to_act`)", where)
    if not 0 <= rules.ending(row) <= len(rules.ENDINGS):
        found.add(f"ending gives {rules.ending(row)}, which is not in ENDINGS", where)
    if waiting and rules.winners(row):
        found.add("there are winners before the match is over", where)
    flags = rules.check(row)
    for code, fault in enumerate(rules.FAULTS, 1):
        if flags >> code & 1:
            found.add(f"check finds {fault.name!r} broken (§{fault.section}): {fault.meaning}", where)
    for one, at in rules.FIELDS.slices():
        if any(not one.low <= word <= one.top for word in row[at : at + one.size]):
            found.add(f"field {one.name!r} leaves its range {one.low} to {one.top}", where)
    for seat in range(seats):
        mask = build.mask()
        rules.legal(row, seat, mask)
        legal = {action for action in range(rules.ACTIONS.size) if mask[action // 32] >> action % 32 & 1}
        for action in range(rules.ACTIONS.size):
            code = rules.refuses(row, seat, action)
            if not 0 <= code <= len(rules.REASONS):
                found.add(f"refuses gives {code}, which is not in REASONS", where)
            elif (code == 0) != (action in legal):
                verb = rules.ACTIONS.family(action).verb
                why = f"refuses says {rules.REASONS.line(code).name!r}" if code else "refuses says nothing"
                is_legal = "legal" if action in legal else "not legal"
                found.add(f"`legal` and `refuses` disagree about {verb!r}: {is_legal}, but {why}", where)
        if bool(legal) != bool(waiting >> seat & 1):
            found.add("a seat that is to act has nothing to do" if not legal else "a seat may act out of turn", where)
        if waiting:
            _check_redeal(match, seat, legal, found, where)
    if row != list(match.row):
        found.add("asking a question changes the row", where)


def _check_redeal(match: Match, seat: Seat, legal: set[int], found: Findings, where: str) -> None:
    """A masked row gives the same legal actions, and `redeal` fills it to a possible position."""
    rules, build, masked = match.rules, match.build, match.masked(seat)
    mask = build.mask()
    rules.legal(masked, seat, mask)
    if legal != {action for action in range(rules.ACTIONS.size) if mask[action // 32] >> action % 32 & 1}:
        found.add("what is legal for a seat depends on something that it may not know", where)
    world = list(masked)
    rules.redeal(world, seat, build.generator(match.ply))
    if HIDDEN in world:
        hidden = rules.FIELDS.field_at(world.index(HIDDEN)).name
        found.add(f"redeal leaves {hidden!r} hidden", where)
    elif rules.FIELDS.masked(world, seat) != masked:
        found.add("redeal changes what the seat can see", where)
    elif flags := rules.check(world):
        broken = [fault.name for code, fault in enumerate(rules.FAULTS, 1) if flags >> code & 1]
        found.add(f"redeal makes an impossible position: {', '.join(broken)}", where)


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
    """The rules and the bot can be compiled, and then give the same results."""
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
                picked.append(int(build.bot.policy(masked, seat, mask, build.generator(ply), muted, build.row())))
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
    """A narrator that records its messages, and those without a translation."""

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
    found, said = Findings("words.py"), 0
    for view in _views(game, game.seats):
        words = game.words(game.narrator("en", reader=view.seat))
        for about, text in _sentences_of(view, words):
            said += 1
            if not isinstance(text, str) or not text.strip():
                found.add(f"no words for {about}", f"ply {view.ply - 1}")
            elif re.search(r"[{}]|-32768", text):
                found.add(f"a gap is left open in the words for {about}: {text!r}", f"ply {view.ply - 1}")
        if view.ply % DRAWN_EVERY == 0 or view.outcome is not None:
            _check_drawings(game, view, words, found)
    yield from found.lines()
    if not found.faults:
        yield Line("ok", "words.py", f"{said} sentences")


def _views(game: Game, numbers: Sequence[int]) -> Iterator[View]:
    """The views of the seat to act, of another seat and of a spectator in a random match, for several numbers of seats."""
    for seats in numbers:
        match, chance = Match(game, seats, seed=seats, clock=lambda: 0.0), random.Random(seats)
        while match.to_act and match.ply < ENDLESS:
            seat = chance.choice(match.to_act)
            yield from (match.view(viewer) for viewer in (seat, (seat + 1) % seats, None))
            match.play(chance.choice(match.legal(seat).ids), seat)
        yield from (match.view(viewer) for viewer in (0, None))


def _sentences_of(view: View, words: Words) -> Iterator[tuple[str, Any]]:
    """All sentences about a view, each with what it is about."""
    rules, seat = view.game.rules, view.seat
    yield "a player", words.player(seat or 0)
    for one in view.seen:
        if one.ply == view.ply - 1:
            yield f"the event {one.event.name!r}", words.sentence(one.event.name, one.values)
    for acting in view.to_act:
        yield "the question", words.question(view.row, acting)
    if seat is None:
        return
    for action in view.legal[:: max(1, len(view.legal) // SAMPLE)]:
        yield f"the action {rules.ACTIONS.notation(action)!r}", words.label(view.row, seat, action)
    for action in range(0, rules.ACTIONS.size, max(1, rules.ACTIONS.size // SAMPLE)):
        code = rules.refuses(list(view.row), seat, action)
        if code:
            reason = rules.REASONS.line(code).name
            yield f"the reason {reason!r}", words.because(reason, view.row, seat, action)


def _check_drawings(game: Game, view: View, words: Words, found: Findings) -> None:
    """The drawings of a view as text and as SVG are well-formed."""
    where, build = f"ply {view.ply - 1}", game.build()
    if build.sketch is not None:
        from rich.errors import MarkupError
        from rich.text import Text

        try:
            Text.from_markup(build.sketch.text(view, words), emoji=False)
        except MarkupError as error:
            found.add(f"sketch.py: no markup that Rich can read: {error}", where)
    for panel in game.panels(view, words):
        try:
            ElementTree.fromstring(panel.svg())
        except ElementTree.ParseError as error:
            found.add(f"picture.py: panel {panel.name!r} is no SVG: {error}", where)


def languages(game: Game) -> Iterator[Line]:
    """How much of what is said in a match is translated."""
    if not (folder(game.package) / "locale").exists():
        return
    for name in LANGUAGES:
        if name == "en":
            continue
        listener = Listener(name, locales=game.locales)
        words = game.words(listener)
        for view in _views(game, game.seats[-1:]):
            for _ in _sentences_of(view, words):
                pass
        files = [path for folder in game.locales for path in folder.glob(f"{name}/LC_MESSAGES/*.po")]
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
                yield Line("fault", "lesson.py", f"step {number} wants {do!r}, which cannot be done there: {error}")
                return
    yield Line("ok", "lesson.py", f"{len(found)} steps")


# Secrets.


def secrets(game: Game) -> Iterator[Line]:
    """Worlds that a seat cannot tell apart look the same to it."""
    total = Report()
    for number in range(AUDITED_MATCHES):
        total.add(audit(game, game.seats[number % len(game.seats)], 1, number))
    for where, times in total.leaks.most_common():
        yield Line("fault", "secrets", f"{where} leaks, in {times} of {total.pairs} pairs of worlds: {total.examples[where]}")
    if total.hidden and total.unproven:
        yield Line("note", "secrets", f"nothing was shown about {', '.join(total.unproven)}: try `ridotto audit {game.name}`")
    if not total.leaks:
        hidden = ", ".join(sorted(total.hidden)) or "nothing is hidden"
        yield Line("ok", "secrets", f"no leak in {total.pairs} pairs of worlds: {hidden}")


def summary(game: Game, lines: Sequence[Line]) -> str:
    """The last line of a report."""
    faults, notes = (sum(line.kind == kind for line in lines) for kind in ("fault", "note"))
    noted = f", notes: {notes}" if notes else ""
    return f"{game.name}: faults: {faults}{noted}" if faults else f"{game.name} can be played{noted}"
