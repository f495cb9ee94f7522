"""The audit: worlds that a seat cannot tell apart must look the same to it, byte for byte, so that no secret leaks.

A *pair* is two matches that have shown a seat the same events up to some ply, while something that it may not know
differs. The second world is made from the first: the seat's own actions and everything it has seen stay, hidden draws and
hidden actions of others are drawn anew, and simultaneous choices arrive in another order. Then everything that the seat gets
is compared: its view, its legal actions, the refusal of every action, the answers to turns and drafts that it sends, and what a
bot chooses.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeAlias

from ridotto.arena.texts import answers, made_up_turn
from ridotto.bots import Bot, Budget
from ridotto.bots import find as find_bot
from ridotto.bots.setup import MatchSetup
from ridotto.bots.workers import WorkerPool
from ridotto.core.errors import Refusal
from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.core.view import MatchEvent, read_events
from ridotto.engine.digest import digest
from ridotto.engine.fields import EVENT_WIDTH, Row, Seat
from ridotto.present import views
from ridotto.present.scene import whole
from ridotto.present.ui import english, ui
from ridotto.present.words import Words

TRIES = 40
"""The most twins; then the longest one is taken."""
TURNS = 6
"""The number of twins that differ only from some later ply on; one more differs from the deal on."""
SAMPLE = 6
"""The number of other outcomes tried to find out whether a draw is hidden."""
MATCHES_A_TASK = 10
"""Matches that a worker takes at a time."""
BARREN = 10
"""Tasks without a pair after which an audit stops looking for one."""
TOLD = "an event or a public action tells it"
"""The meaning of a hidden field that never differs."""
SCENE_SHARE = 0.1
"""The share of pairs whose pictures are compared: items with their keys, looks and order, and what is seen to move."""
TEXTS = 2
"""Turns that a seat sends in both worlds of a pair."""
BOT_SHARE = 0.05
"""The share of decisions at which the choices of bots are compared."""


@dataclass
class AuditReport:
    """The result of an audit: comparisons, hidden differences, and leaks."""

    matches: int = 0
    pairs: int = 0
    bot_pairs: int = 0
    information_sets: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    """Fields that are hidden from some seat."""
    differed: Counter[str] = field(default_factory=Counter)
    """In how many pairs each of them differed."""
    leaks: Counter[str] = field(default_factory=Counter)
    """In how many pairs something differed that the seat is given, by the place."""
    examples: dict[str, str] = field(default_factory=dict)

    @property
    def unproven(self) -> list[str]:
        """Hidden fields that never differed, so that nothing was shown about them."""
        return sorted(self.hidden - set(self.differed))

    def unproven_text(self, name: str) -> str:
        """A sentence about a hidden field for which nothing was proven."""
        return f"{name!r} is hidden, but never differed between worlds that a seat cannot tell apart: {TOLD}"

    @property
    def clean(self) -> bool:
        """Whether nothing leaked, and every hidden field has differed."""
        return not self.leaks and not self.unproven and (self.pairs > 0 or not self.hidden)

    def compared(self, differences: Mapping[str, str]) -> None:
        """A pair was compared: the places where it differs, with an example each."""
        self.pairs += 1
        self.leaks.update(differences.keys())
        self.examples = {**differences, **self.examples}

    def add(self, other: AuditReport) -> None:
        """Add the report of another part of the same audit."""
        self.matches += other.matches
        self.pairs += other.pairs
        self.bot_pairs += other.bot_pairs
        self.information_sets |= other.information_sets
        self.hidden |= other.hidden
        self.differed += other.differed
        self.leaks += other.leaks
        self.examples = other.examples | self.examples

    def json(self) -> dict[str, Any]:
        return {
            "matches": self.matches,
            "pairs": self.pairs,
            "information_sets": len(self.information_sets),
            "bot_pairs": self.bot_pairs,
            "differed": {name: self.differed[name] for name in sorted(self.hidden)},
            "unproven": self.unproven,
            "leaks": dict(self.leaks.most_common()),
            "examples": self.examples,
            "clean": self.clean,
        }


def audit(
    game: Game,
    seats: int,
    seed: int,
    number: int,
    options: Mapping[str, int] | None = None,
    bots: Sequence[Bot] = (),
) -> AuditReport:
    """Play the random match of that number, and compare the pairs it gives for each seat and for a spectator."""
    dice = random.Random(f"{seed} {number}")
    match = Match(game, seats, options, seed=dice.getrandbits(62))
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    report = AuditReport(matches=1)
    fields = game.rules.FIELDS
    history = History(match, dice)
    for viewer in (*range(seats), None):
        report.hidden |= {fields.field_at(index).name for index in fields.hidden(viewer)}
        # A twin from the deal on changes secrets that are kept to the end; one from a later ply on, those that are soon shown.
        for turn in (0, *(history.turn(dice) for _ in range(TURNS))):
            _compare(match, Twin.of(history, turn, viewer, dice), viewer, bots, dice, report)
    return report


@dataclass(frozen=True)
class AuditTask:
    """Some of the matches of an audit."""

    setup: MatchSetup
    bots: tuple[str, ...]
    first: int
    matches: int

    def run(self, until: float | None) -> AuditReport:
        """The report on all of them."""
        setup, bots = self.setup, [find_bot(name) for name in self.bots]
        total = AuditReport()
        for number in range(self.first, self.first + self.matches):
            total.add(audit(setup.game, setup.players, setup.seed, number, setup.options, bots))
        return total


def run_audit(setup: MatchSetup, bots: Sequence[str], pairs: int, processes: int) -> Iterator[AuditReport]:
    """Audit matches number 0, 1, 2, … until there are enough pairs; the same ones whatever the number of processes.

    Where everything hidden is told at once there are no pairs at all: it stops after a number of tasks without one.
    """
    tasks = (AuditTask(setup, tuple(bots), first, MATCHES_A_TASK) for first in count(0, MATCHES_A_TASK))
    ready: dict[int, AuditReport] = {}
    pairs_so_far = first = barren = 0
    with WorkerPool(processes) as pool, closing(pool.run(tasks)) as results:
        for task, report in results:
            ready[task.first] = report
            while first in ready and pairs_so_far < pairs and barren < BARREN:
                pairs_so_far += ready[first].pairs
                barren = 0 if ready[first].pairs else barren + 1
                yield ready.pop(first)
                first += MATCHES_A_TASK
            if pairs_so_far >= pairs or barren >= BARREN:
                return


# The second world.


class History:
    """A match with the events of each ply, and which of its draws are hidden."""

    def __init__(self, match: Match, dice: random.Random) -> None:
        self.match = match
        self.events: defaultdict[int, list[MatchEvent]] = defaultdict(list)
        for one in match.events:
            self.events[one.ply].append(one)
        self.unseen: dict[int, list[int]] = {}
        """By ply, the indices of draws that could have led to another row without a spectator noticing it."""
        self.known: dict[tuple[Seat | None, ...], list[Any]] = {}
        """A cache of events as seats see them, by event and seat: the same few recur often."""
        for ply, entry in enumerate(match.entries):
            row, same = self.before(ply), match.row_after(ply)
            expected = self.seen([ply], None)
            self.unseen[ply] = []
            for place in range(len(entry.draws)):
                changed = self.changed_draws(row, entry, place, dice, SAMPLE)
                results = (self.try_draws(row, entry, draws, expected, None) for draws in changed)
                if any(result is not None and result[0] != same for result in results):
                    self.unseen[ply].append(place)

    def before(self, ply: int) -> Row:
        """The row before the entry at `ply`."""
        return self.match.row_after(ply - 1) if ply else self.match.build.row()

    def turn(self, dice: random.Random) -> int:
        """A random ply for a twin to begin at: one with a hidden choice or draw, if there is any."""
        actions = self.match.rules.ACTIONS
        hidden = [
            ply
            for ply, entry in enumerate(self.match.entries)
            if ply and (self.unseen[ply] or actions.family(self.match.game.action(entry.do)).audience != "all")
        ]
        return dice.choice(hidden) if hidden else dice.randrange(1, self.match.ply)

    def seen(self, plies: Sequence[int], seat: Seat | None) -> list[Any]:
        """A seat's view of the events in some plies."""
        return _seen([one for ply in plies for one in self.events[ply]], seat)

    def groups(self, ply: int) -> Iterator[range]:
        """The plies from `ply` on in groups: simultaneous choices, which have no events before the last one, are one group."""
        while ply < self.match.ply:
            last = ply
            while not self.events[last] and last + 1 < self.match.ply:
                last += 1
            yield range(ply, last + 1)
            ply = last + 1

    def results(
        self, row: Row, ply: int, entry: Entry, expected: list[Any], seat: Seat | None, dice: random.Random
    ) -> list[_Result]:
        """The rows that an entry can lead to while the seat sees the `expected` events, each with its draws.

        The draws are those of the entry with at most one changed; changes that lead to another row are preferred.
        """
        same = self.try_draws(row, entry, entry.draws, expected, seat)
        results = [same] if same else []
        for place in self.unseen[ply] if same else range(len(entry.draws)):
            for draws in self.changed_draws(row, entry, place, dice):
                result = self.try_draws(row, entry, draws, expected, seat)
                if result is not None:
                    results.append(result)
        return [result for result in results if same is None or result[0] != same[0]] or results

    def changed_draws(
        self, row: Row, entry: Entry, place: int, dice: random.Random, most: int | None = None
    ) -> Iterator[tuple[int, ...]]:
        """The draws of an entry with the one at `place` changed to another outcome (to `most` outcomes at most)."""
        outcomes = max(self.run(row, entry, entry.draws[:place])[1][3], 0)
        for outcome in dice.sample(range(outcomes), min(outcomes, most or outcomes)):
            if outcome != entry.draws[place]:
                yield (*entry.draws[:place], outcome, *entry.draws[place + 1 :])

    def try_draws(
        self, row: Row, entry: Entry, draws: tuple[int, ...], expected: list[Any], seat: Seat | None
    ) -> _Result | None:
        """The row that an entry leads to with these draws, if they fit and the seat sees the `expected` events."""
        after, tape, events = self.run(row, entry, draws)
        if tape[3] == 0 and tape[1] == len(draws) and expected == self.heard(events, seat):
            return after, draws
        return None

    def heard(self, events: Sequence[int], seat: Seat | None) -> list[Any]:
        """A seat's view of the events of a step of the rules."""
        seen: list[Any] = []
        for at in range(1, 1 + events[0] * EVENT_WIDTH, EVENT_WIDTH):
            one = events[at : at + EVENT_WIDTH]
            key = (seat, *one)
            if key not in self.known:
                self.known[key] = _seen(read_events(self.match.rules, [1, *one], 0), seat)
            seen += self.known[key]
        return seen

    def run(self, row: Row, entry: Entry, draws: Sequence[int]) -> tuple[Row, list[int], list[int]]:
        """Do an entry on a copy of a row; returns the row, the tape and the events."""
        match = self.match
        after, tape, events = list(row), match.build.tape(draws), match.build.events()
        if entry.seat is None:
            match.rules.deal(after, match.seats, list(match.options.values()), tape, events)
        else:
            match.rules.apply(after, entry.seat, match.game.action(entry.do), tape, events)
        return after, tape, events


_Result: TypeAlias = tuple[Row, tuple[int, ...]]


@dataclass
class Twin:
    """Entries that show a seat the same as those of a match from the ply `turn` on, and the plies to compare them at."""

    turn: int
    entries: list[Entry]
    plies: set[int]

    @classmethod
    def of(cls, history: History, turn: int, seat: Seat | None, dice: random.Random) -> Twin:
        """A twin with as much changed as possible.

        It may run into a contradiction (the phantom's new face is cleared): then another one is tried, up to TRIES times,
        and the longest is taken.
        """
        match = history.match
        if turn == 0:
            deal = match.entries[0]
            starts = history.results(history.before(0), 0, deal, history.seen([0], seat), seat, dice)
        else:
            starts = [(history.before(turn), ())]
        best = cls(turn, [], set())
        for _ in range(TRIES if turn == 0 else 1):
            row, draws = dice.choice(starts)
            twin = cls(turn, [], set()) if turn else cls(0, [replace(match.entries[0], draws=draws)], {0})
            for plies in history.groups(max(turn, 1)):
                after = twin._follow(history, row, plies, seat, dice)
                if after is None:
                    break
                row = after
            if len(twin.entries) > len(best.entries):
                best = twin
            # The last entry ends the match, which shows everything: no other world can follow it.
            if turn + len(best.entries) >= match.ply - 1:
                break
        return best

    def _follow(self, history: History, row: Row, plies: range, seat: Seat | None, dice: random.Random) -> Row | None:
        """Add entries for a group of plies after which the seat has seen the same; returns the row, or None if impossible.

        Either the same choices arrive in another order, and can be compared when all have arrived; or other choices arrive
        in the same order, and can be compared one by one until they are shown.
        """
        match = history.match
        entries = [match.entries[ply] for ply in plies]
        reorder = self.turn != plies[0] and len({entry.seat for entry in entries}) > 1 and dice.random() < 0.7
        for ply, entry in zip(plies, _reordered(entries, dice) if reorder else entries, strict=True):
            expected = history.seen(plies, seat) if ply == plies[-1] else []
            for choice in [entry] if reorder else _choices(match, entry, seat, dice):
                assert choice.seat is not None
                legal = match.rules.refuses(row, choice.seat, match.game.action(choice.do)) == 0
                results = history.results(row, ply, choice, expected, seat, dice) if legal else []
                if results:
                    row, draws = dice.choice(results)
                    self.entries.append(replace(choice, draws=draws))
                    break
            else:
                return None
            if not reorder or ply == plies[-1]:
                self.plies.add(ply)
        return row


def _reordered(entries: list[Entry], dice: random.Random) -> list[Entry]:
    """Entries of several seats in another order of arrival; each seat's own stay in order."""
    seats = [entry.seat for entry in entries]
    dice.shuffle(seats)
    queues = {seat: iter([entry for entry in entries if entry.seat == seat]) for seat in set(seats)}
    return [next(queues[seat]) for seat in seats]


def _choices(match: Match, entry: Entry, seat: Seat | None, dice: random.Random) -> Iterator[Entry]:
    """The twin's choices at an entry: the same action, or any hidden action instead of another seat's hidden choice."""
    actions = match.rules.ACTIONS
    if entry.seat == seat or actions.family(match.game.action(entry.do)).audience == "all":
        yield entry
        return
    hidden = [i for i in range(actions.size) if actions.family(i).audience != "all"]
    dice.shuffle(hidden)
    for i in hidden:
        yield replace(entry, do=actions.notation(i))


def _seen(events: Sequence[MatchEvent], seat: Seat | None) -> list[Any]:
    seen = [one.seen_by(seat) for one in events]
    return [(one.event.name, tuple(one.values.items())) for one in seen if one is not None]


# The comparison.


def _compare(
    match: Match, twin: Twin, seat: Seat | None, bots: Sequence[Bot], dice: random.Random, report: AuditReport
) -> None:
    """Play both worlds side by side, and compare what the seat gets wherever it cannot tell them apart."""
    game, fields, words = match.game, match.rules.FIELDS, english(match.game)
    history = digest([game.name, match.seats, seat, twin.turn])
    chose_otherwise = False
    since = twin.turn
    one, other = match.after(twin.turn), match.after(twin.turn)
    for ply, changed in enumerate(twin.entries, twin.turn):
        entry = match.entries[ply]
        if ply == 0:
            one = Match(game, match.seats, match.options, deal=entry)
            other = Match(game, match.seats, match.options, deal=changed)
        else:
            one.repeat(entry)
            other.repeat(changed)
        a, b = one.row, other.row
        differing = {fields.field_at(index).name for index in fields.hidden(seat) if a[index] != b[index]}
        chose_otherwise = chose_otherwise or (entry.seat, entry.do) != (changed.seat, changed.do)
        if not (differing or chose_otherwise) or ply not in twin.plies:
            continue
        where = f"ply {ply}, seat {seat}"
        leaks: dict[str, str] = {}
        view, view_of_other = one.view(seat, since), other.view(seat, since)
        shown = views.as_json(view, words)
        for path, left, right in _differences("view", shown, views.as_json(view_of_other, words)):
            leaks.setdefault(_place(path, game), f"{where}: {left!r} in one world, {right!r} in the other")
        if dice.random() < SCENE_SHARE:
            pictures = (_pictured(world, seat, since, words) for world in (one, other))
            for path, left, right in _differences("scene", *pictures):
                leaks.setdefault(_place(path, game), f"{where}: {left!r} in one world, {right!r} in the other")
        for action in range(match.rules.ACTIONS.size) if seat is not None else ():
            refusal, of_other = one.why(action, seat), other.why(action, seat)
            text, text_of_other = _described(refusal, words), _described(of_other, words)
            about = f"{where}, {match.rules.ACTIONS.notation(action)!r}"
            if text != text_of_other:
                leaks.setdefault("refusal", f"{about}: {text} in one world, {text_of_other} in the other")
            elif refusal != of_other:
                leaks.setdefault("refusal", f"{about}: {text} in both worlds, but from different rows")
        if seat is not None:
            for place, difference in _answered(one, other, seat, dice):
                leaks.setdefault(place, f"{where}, {difference}")
        for bot in bots if seat in view.to_act and dice.random() < BOT_SHARE else ():
            budget = Budget(dice.getrandbits(32))
            choice, of_other_choice = bot.choose(one.view(seat), budget), bot.choose(other.view(seat), budget)
            report.bot_pairs += 1
            if choice != of_other_choice:
                leaks.setdefault(f"bot {bot.name}", f"{where}: {choice} in one world, {of_other_choice} in the other")
        report.compared(leaks)
        report.differed.update(differing)
        history = digest([history, shown["events"]])
        report.information_sets.add(digest([shown["row"], history]))
        since, chose_otherwise = ply + 1, False


def _answered(one: Match, other: Match, seat: Seat, dice: random.Random) -> Iterator[tuple[str, str]]:
    """The differences in the answers to turns that a seat makes up, by who answers."""
    for _ in range(TEXTS):
        turn = made_up_turn((one, other), seat, dice)
        answer, of_other = answers(one, seat, turn), answers(other, seat, turn)
        for who in answer:
            if answer[who] != of_other[who]:
                yield who, f"{turn!r}: {answer[who]} in one world, {of_other[who]} in the other"


def _pictured(match: Match, seat: Seat | None, since: int, words: Words) -> dict[str, Any]:
    """A page's part of the picture: everything on it, in order, and the changes since a ply."""
    view, game = match.view(seat), match.game
    seen = [one for one in view.seen if one.ply >= since]
    return {**whole(ui(game).scene(view, words)), "moves": [list(move) for move in ui(game).picture.moves(view, seen)]}


def _described(refusal: Refusal | None, words: Words) -> str:
    """The answer to a seat that tries an action: the reason and its words."""
    return f"{refusal.reason!r}, {words.refusal(refusal)!r} (§{refusal.section})" if refusal else "allowed"


def _differences(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """The places where two JSON values differ, the order of keys included."""
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            yield path, list(one), list(other)
        for key in one.keys() & other.keys():
            yield from _differences(f"{path}.{key}", one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(f"{path}[{i}]", left, right)
    elif type(one) is not type(other) or one != other:
        yield path, one, other


def _place(path: str, game: Game) -> str:
    """A path without indices; for a word of the row, with the name of its field."""
    word = re.fullmatch(r"view\.row\[(\d+)\]", path)
    if word:
        return f"view.row.{game.rules.FIELDS.field_at(int(word[1])).name}"
    return re.sub(r"\[\d+\]", "[]", path)
