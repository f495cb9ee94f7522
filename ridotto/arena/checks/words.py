"""Checks of the words, drawings, translations and lessons of a game."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final
from xml.etree import ElementTree

from ridotto.arena.checks.random_play import ENDLESS
from ridotto.arena.checks.report import Findings, Line, describe
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.build import folder
from ridotto.engine.errors import RidottoError
from ridotto.present import plain
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LANGUAGES, Narrator
from ridotto.present.svg import SMALLEST
from ridotto.present.ui import ui
from ridotto.present.words import Words

SAMPLE: Final = 12
"""The labels and refusals read from each view."""
DRAWN_EVERY: Final = 5
"""One of this many positions is drawn, and the last one of a match."""
LEGIBLE: Final = 11.5
"""The least height of text in a panel of 360 units: SMALLEST, but for rounding in a wider panel."""


@dataclass(frozen=True)
class Listener(Narrator):
    """A narrator that records its messages, and those without a translation."""

    said: set[str] = field(default_factory=set, compare=False)
    untranslated: set[str] = field(default_factory=set, compare=False)

    def gettext(self, message: str) -> str:
        translation = super().gettext(message)
        self.said.add(message)
        if translation == message:
            self.untranslated.add(message)
        return translation


def sentences(game: Game) -> Iterator[Line]:
    """All events, actions and refusals have words, and the table can be drawn."""
    findings, said = Findings("ui/words.py"), 0
    failed: set[tuple[str, str]] = set()
    for view in _views(game, game.seats):
        words = ui(game).words(ui(game).narrator("en", reader=view.seat))
        for about, sentence in _sentences_of(view, words):
            said += 1
            try:
                text = sentence()
            except Exception as error:  # The code of a game may fail in any way.
                why = describe(error, game)
                if (sentence.func.__name__, why) not in failed:
                    failed.add((sentence.func.__name__, why))
                    findings.add(f"{about}: {why}", f"ply {view.ply - 1}")
                continue
            if not isinstance(text, str) or not text.strip():
                findings.add(f"{about}: no words", f"ply {view.ply - 1}")
            elif re.search(r"[{}]|-32768", text):
                findings.add(f"{about}: a gap is left open: {text!r}", f"ply {view.ply - 1}")
        if view.ply % DRAWN_EVERY == 0 or view.outcome is not None:
            _check_drawings(game, view, words, findings)
    yield from findings.lines()
    if not findings.faults:
        yield Line("ok", "ui/words.py", f"{said} sentences")


def _views(game: Game, numbers: Sequence[int]) -> Iterator[View]:
    """The views of the seat to act, another one and a spectator in random matches with these numbers of seats."""
    for seats in numbers:
        match, chance = Match(game, seats, seed=seats, clock=lambda: 0.0), random.Random(seats)
        while match.to_act and match.ply < ENDLESS:
            seat = chance.choice(match.to_act)
            yield from (match.view(viewer) for viewer in (seat, (seat + 1) % seats, None))
            match.play(chance.choice(match.legal(seat).ids), seat)
        yield from (match.view(viewer) for viewer in (0, None))


def _sentences_of(view: View, words: Words) -> Iterator[tuple[str, partial[Any]]]:
    """The sentences about a view: the subject of each, and a function that makes it."""
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


def _check_drawings(game: Game, view: View, words: Words, findings: Findings) -> None:
    """The drawings of a view, as text and as SVG, are well-formed."""
    where, sketch = f"ply {view.ply - 1}", ui(game).sketch
    if sketch is not plain:
        from rich.errors import MarkupError
        from rich.text import Text

        try:
            Text.from_markup(sketch.text(view, words), emoji=False)
        except MarkupError as error:
            findings.add(f"ui/sketch.py: no markup that Rich can read: {error}", where)
        except Exception as error:  # The code of a game may fail in any way.
            findings.add(f"ui/sketch.py: {describe(error, game)}", where)
    try:
        panels = ui(game).panels(view, words)
        for fault in _faults_of_scene(game, view, words):
            findings.add(f"ui/picture.py: {fault}", where)
    except Exception as error:  # The code of a game may fail in any way.
        findings.add(f"ui/picture.py: {describe(error, game)}", where)
        return
    for panel in panels:
        try:
            drawn = ElementTree.fromstring(panel.svg())
        except ElementTree.ParseError as error:
            findings.add(f"ui/picture.py: panel {panel.name!r} is no SVG: {error}", where)
            continue
        small = min(_text_sizes(drawn, 360 / panel.width), default=LEGIBLE)
        if small < LEGIBLE:
            text = f"text in panel {panel.name!r} is {small:.3g} units high if the panel is 360 wide: a phone needs {SMALLEST}"
            findings.notes.setdefault(f"ui/picture.py: {text}", where)


def _faults_of_scene(game: Game, view: View, words: Words) -> Iterator[str]:
    """The faults that keep a page from showing a picture."""
    shared = ui(game).picture.shared(view.public(), words.unaddressed())
    layers = {"shared": shared} if view.seat is None else {"shared": shared, "own": ui(game).picture.own(view, words)}
    for name, layer in layers.items():
        for key, times in Counter(item.key for item in layer.items).items():
            if times > 1:
                yield f"`{name}` gives {times} items with the key {key!r}"
    scene = ui(game).scene(view, words)
    placed = {name for column in ui(game).picture.COLUMNS for name in column}
    if compositions := ui(game).page.compositions(view):
        placed |= set(compositions.large.places)
    for name in scene.panels:
        if name not in placed:
            yield f"panel {name!r} has no place, so that a page does not show it: see COLUMNS and Page.compositions"
    known = set(scene.panels)
    for item in scene.items.values():
        if item.parent not in known:
            yield f"item {item.key!r} is inside {item.parent!r}, which is neither a panel nor an item before it"
        known.add(item.key)
    if ui(game).picture.board(view, words.nameless()) != ui(game).board(view, words):
        yield "`board` changes during a match: what changes must be an item"


def _text_sizes(element: ElementTree.Element, scale: float) -> Iterator[float]:
    """The heights of the texts in a drawing, with the scales of its groups."""
    if scaled := re.search(r"scale\((-?[\d.]+)", element.get("transform", "")):
        scale *= abs(float(scaled[1]))
    if re.fullmatch(r"[\d.]+", size := element.get("font-size", "")):
        yield float(size) * scale
    for part in element:
        yield from _text_sizes(part, scale)


def languages(game: Game) -> Iterator[Line]:
    """The translations of the sentences in a match."""
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
                    yield Line("fault", f"locale/{name}", f"{about}: {describe(error, game)}")
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
    steps = lesson(game)
    if steps is None:
        return
    for number in range(1, len(steps) + 1):
        match, seat = steps.before(number), steps.seat(number)
        listed = [action for action in match.legal(seat) if steps.accepts(number, action)] if seat in match.to_act else []
        for do in listed or steps.steps[number - 1].do:  # several decisions in one line are not listed
            try:
                steps.after(number, do)
            except RidottoError as error:
                yield Line("fault", "ui/lesson.py", f"step {number} wants {do!r}, which cannot be done there: {error}")
                return
    yield Line("ok", "ui/lesson.py", f"{len(steps)} steps")
