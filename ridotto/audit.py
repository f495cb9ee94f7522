"""Proof that nothing leaks: worlds that a seat cannot tell apart must look the same to it, byte for byte.

A *pair* is two matches that have shown a seat the same events up to some ply, while something it may not know
differs. The second world is made from the first: the seat's own actions and everything it saw stay, hidden draws and
hidden actions of others are drawn anew, and simultaneous choices arrive in another order. Then everything the seat is
given is compared: view, legal actions, the refusal of every action, and what a bot does with it.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import Any

from ridotto.bots import Bot
from ridotto.bots import find as find_bot
from ridotto.core import Entry, Game, Happening, Match
from ridotto.games import find
from ridotto.kernel import Row, Seat, digest

TRIES = 40
"""How often a twin is begun anew before the longest so far will do."""
STRETCH = 10
"""Matches that a process takes at a time."""
BOT_SHARE = 0.05
"""The share of decisions at which bots are asked."""


@dataclass
class Report:
    """What was compared, what differed underneath, and what leaked."""

    pairs: int = 0
    bot_pairs: int = 0
    information_sets: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    """Fields hidden from somebody."""
    differed: Counter[str] = field(default_factory=Counter)
    """In how many pairs each of them differed."""
    leaks: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    @property
    def unproven(self) -> list[str]:
        """Hidden fields that never differed, so that nothing was shown about them."""
        return sorted(self.hidden - set(self.differed))

    @property
    def clean(self) -> bool:
        return not self.leaks and not self.unproven and self.pairs > 0

    def leak(self, where: str, example: str) -> None:
        self.leaks[where] += 1
        self.examples.setdefault(where, example)

    def add(self, other: Report) -> None:
        """Take in what another part of the same audit found."""
        self.pairs += other.pairs
        self.bot_pairs += other.bot_pairs
        self.information_sets |= other.information_sets
        self.hidden |= other.hidden
        self.differed += other.differed
        self.leaks += other.leaks
        self.examples = other.examples | self.examples

    def json(self) -> dict[str, Any]:
        return {
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
) -> Report:
    """Play the random match of that number, and compare the pairs it gives for each seat and for a spectator."""
    dice = random.Random(f"{seed} {number}")
    match = Match(game, seats, options, seed=dice.getrandbits(62))
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    report = Report()
    fields = game.rules.FIELDS
    for eyes in (*range(seats), None):
        report.hidden |= {fields.field_at(index).name for index in fields.hidden(eyes)}
        _compare(match, _Twin.of(match, eyes, dice), eyes, bots, dice, report)
    return report


def reports(given: Mapping[str, Any], seed: int, bots: Sequence[str], pairs: int, processes: int) -> Iterator[Report]:
    """Audit matches number 0, 1, 2, … until there are enough pairs; the same ones whatever the number of processes."""
    found = number = 0
    if processes == 1:
        while found < pairs:
            report = _examine(given, seed, bots, number)
            found, number = found + report.pairs, number + STRETCH
            yield report
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: deque[Future[Report]] = deque()
        while found < pairs:
            while len(waiting) < 2 * processes:
                waiting.append(pool.submit(_examine, given, seed, bots, number))
                number += STRETCH
            report = waiting.popleft().result()
            found += report.pairs
            yield report
        pool.shutdown(cancel_futures=True)


def _examine(given: Mapping[str, Any], seed: int, bots: Sequence[str], number: int) -> Report:
    game = find(given["name"], given["box"])
    total = Report()
    for i in range(number, number + STRETCH):
        total.add(audit(game, given["players"], seed, i, given["options"], [find_bot(name) for name in bots]))
    return total


# The second world.


@dataclass
class _Twin:
    """Entries that show a seat what those of a match did, and the plies at which the two can be compared."""

    entries: list[Entry]
    plies: set[int]

    @classmethod
    def of(cls, match: Match, seat: Seat | None, dice: random.Random) -> _Twin:
        """A twin with as much changed as can be.

        It may run into a contradiction (the phantom's new face is cleared): then it is begun anew, up to a number of
        tries, and the longest is taken.
        """
        told: defaultdict[int, list[Happening]] = defaultdict(list)
        for one in match.happenings:
            told[one.ply].append(one)
        deals = _ways(match, match.build.row(), match.entries[0], None, _seen(told[0], seat), seat)
        best = cls([], set())
        for _ in range(TRIES):
            row, draws = dice.choice(deals)
            twin = cls([replace(match.entries[0], draws=draws)], {0})
            for plies, entries in _reordered(match, told, dice):
                aim = _seen([one for ply in plies for one in told[ply]], seat)
                after = twin._follow(match, row, entries, aim, seat, dice)
                if after is None:
                    break
                row = after
                twin.plies.update([plies[-1]] if len({entry.seat for entry in entries}) > 1 else plies)
            if len(twin.entries) > len(best.entries):
                best = twin
            # The last entry ends the match, which shows everything: no other world can follow it.
            if len(best.entries) >= match.ply - 1:
                break
        return best

    def _follow(
        self, match: Match, row: Row, entries: Sequence[Entry], aim: list[Any], seat: Seat | None, dice: random.Random
    ) -> Row | None:
        """Go through entries that together show the seat `aim`, all of it with the last; None if it cannot be done."""
        done = []
        for entry in entries:
            wanted = aim if entry is entries[-1] else []
            for action in _candidates(match, row, entry, seat, dice):
                ways = _ways(match, row, entry, action, wanted, seat)
                if ways:
                    row, draws = dice.choice(ways)
                    done.append(replace(entry, do=match.rules.ACTIONS.notation(action), draws=draws))
                    break
            else:
                return None
        self.entries += done
        return row


def _reordered(
    match: Match, told: Mapping[int, Sequence[Happening]], dice: random.Random
) -> Iterator[tuple[range, list[Entry]]]:
    """The entries in groups: choices that tell nothing until the last one form one, in another order of arrival."""
    ply = 1
    while ply < match.ply:
        last = ply
        while not told[last] and last + 1 < match.ply:
            last += 1
        entries = match.entries[ply : last + 1]
        seats = [entry.seat for entry in entries]
        if len(set(seats)) > 1:
            dice.shuffle(seats)
            queues = {seat: iter([entry for entry in entries if entry.seat == seat]) for seat in set(seats)}
            entries = [next(queues[seat]) for seat in seats]
        yield range(ply, last + 1), entries
        ply = last + 1


def _candidates(match: Match, row: Row, entry: Entry, seat: Seat | None, dice: random.Random) -> list[int]:
    """What the twin may do at an entry: the same, or for another seat's hidden choice any legal hidden one."""
    actions = match.rules.ACTIONS
    same: int = actions.parse(entry.do)
    if actions.family(same).audience == "all" or entry.seat == seat:
        choices = [same]
    else:
        choices = [i for i in range(actions.size) if actions.family(i).audience != "all"]
        dice.shuffle(choices)
    return [i for i in choices if match.rules.refuses(row, entry.seat, i) == 0]


def _ways(
    match: Match, row: Row, entry: Entry, action: int | None, aim: list[Any], seat: Seat | None
) -> list[tuple[Row, tuple[int, ...]]]:
    """The rows that an entry (None: the deal) can lead to while it shows the seat `aim`, each with its draws.

    The draws are those of the entry with at most one changed; a change that leads to another row is preferred.
    """

    def run(draws: Sequence[int]) -> tuple[Row, list[int], list[int]]:
        after, tape, events = list(row), match.build.tape(draws), match.build.events()
        if action is None:
            match.rules.deal(after, match.seats, list(match.options.values()), tape, events)
        else:
            match.rules.apply(after, entry.seat, action, tape, events)
        return after, tape, events

    original = list(entry.draws)
    tries = [original]
    for place in range(len(original)):
        outcomes = run(original[:place])[1][3]
        tries += [[*original[:place], outcome, *original[place + 1 :]] for outcome in range(outcomes)]
    ways = []
    for draws in tries:
        after, tape, events = run(draws)
        if tape[3] == 0 and tape[1] == len(draws) and aim == _seen(match.told(events, 0), seat):
            ways.append((after, tuple(draws)))
    same = run(original)[0]
    return [way for way in ways if way[0] != same] or ways


def _seen(happenings: Sequence[Happening], seat: Seat | None) -> list[Any]:
    seen = [one.seen_by(seat) for one in happenings]
    return [(one.event.name, tuple(one.values.items())) for one in seen if one is not None]


# The comparison.


def _compare(match: Match, twin: _Twin, seat: Seat | None, bots: Sequence[Bot], dice: random.Random, report: Report) -> None:
    """Play both worlds side by side and compare what the seat is given wherever it cannot tell them apart."""
    game, fields = match.game, match.rules.FIELDS
    history = digest([game.name, match.seats, seat])
    apart = False
    since = 0
    for ply, (entry, changed) in enumerate(zip(match.entries, twin.entries, strict=False)):
        if ply == 0:
            one = Match(game, match.seats, match.options, deal=entry)
            other = Match(game, match.seats, match.options, deal=changed)
        else:
            one.repeat(entry)
            other.repeat(changed)
        a, b = one.row, other.row
        unlike = {fields.field_at(index).name for index in fields.hidden(seat) if a[index] != b[index]}
        apart = apart or (entry.seat, entry.do) != (changed.seat, changed.do)
        if not (unlike or apart) or ply not in twin.plies:
            continue
        where = f"ply {ply}, seat {seat}"
        view, view_of_other = one.view(seat, since), other.view(seat, since)
        shown = view.json()
        for path, left, right in _differences("view", shown, view_of_other.json()):
            report.leak(_place(path, game), f"{where}: {left!r} in one world, {right!r} in the other")
        for action in range(match.rules.ACTIONS.size) if seat is not None else ():
            refusal, of_other = one.why(action, seat), other.why(action, seat)
            if refusal != of_other:
                report.leak("refusal", f"{where}, action {action}: {refusal} in one world, {of_other} in the other")
        for bot in bots if seat in view.to_act and dice.random() < BOT_SHARE else ():
            given = dice.getrandbits(32)
            choice, of_other_choice = bot.choose(view, given), bot.choose(view_of_other, given)
            report.bot_pairs += 1
            if choice != of_other_choice:
                report.leak(f"bot {bot.name}", f"{where}: {choice} in one world, {of_other_choice} in the other")
        report.pairs += 1
        report.differed.update(unlike)
        history = digest([history, shown["events"]])
        report.information_sets.add(digest([shown["row"], history]))
        since = ply + 1


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
    """A path with the name of the field where it is a word of the row, and without running numbers."""
    word = re.fullmatch(r"view\.row\[(\d+)\]", path)
    if word:
        return f"view.row.{game.rules.FIELDS.field_at(int(word[1])).name}"
    return re.sub(r"\[\d+\]", "[]", path)
