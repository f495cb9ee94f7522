"""Checks of the rules in random play, interpreted and compiled."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ridotto.arena.checks.report import Findings, Line
from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.contract import Rules
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN, Named, Row, Seat

ENDLESS: Final = 5000
"""After this many decisions a match is assumed to have no end."""
MATCHES: Final = 3
"""The number of random matches with every set-up."""


def setups(game: Game) -> Iterator[tuple[int, dict[str, int]]]:
    """Every number of seats, and each option at either end of its range."""
    yield from ((seats, {}) for seats in game.seats)
    for option in game.rules.OPTIONS:
        for value in {option.low, option.high} - {option.default}:
            yield game.seats[0], {option.name: value}


@dataclass
class Met:
    """The declarations met in random play, by name."""

    actions: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    endings: set[str] = field(default_factory=set)

    def lines(self, rules: Rules, matches: int) -> Iterator[Line]:
        """The declarations that were never met."""
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
    findings, met, matches, decisions = Findings("play"), Met(), 0, 0
    try:
        for seats, options in setups(game):
            for seed in range(MATCHES):
                decisions += _play(game, seats, options, seed, findings, met)
                matches += 1
    finally:
        yield from findings.lines()
    if not findings.faults:
        yield from met.lines(game.rules, matches)
        yield Line("ok", "play", f"{matches} random matches, {decisions} decisions, in every set-up")


def where_text(seats: int, options: Mapping[str, int], seed: int) -> str:
    """The match of a finding, in words."""
    return ", ".join([f"{seats} seats", *(f"{name}={value}" for name, value in options.items()), f"seed {seed}"])


def _play(game: Game, seats: int, options: Mapping[str, int], seed: int, findings: Findings, met: Met) -> int:
    """Play a random match; returns the number of decisions."""
    match = Match(game, seats, options, seed=seed, clock=lambda: 0.0)
    chance = random.Random(seed)
    where = where_text(seats, options, seed)
    for _ in range(ENDLESS):
        _check_position(match, findings, f"{where}, ply {match.ply - 1}", met)
        # Only what both `legal` and `refuses` allow is played: a difference was reported already.
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
        _check_replay(match, findings, where)
    return match.ply - 1


def _check_position(match: Match, findings: Findings, where: str, met: Met) -> None:
    """Check one position against the contract of `ridotto.engine.contract`."""
    rules, row, seats = match.rules, list(match.row), match.seats
    waiting = rules.to_act(row)
    if not 0 <= waiting < 1 << seats:
        findings.add(f"to_act gives {waiting}, which names seats that nobody sits at", where)
    if (rules.ending(row) != 0) != (waiting == 0):
        findings.add("a match must be over (`ending`) exactly when nobody is to act (`to_act`)", where)
    if not 0 <= rules.ending(row) <= len(rules.ENDINGS):
        findings.add(f"ending gives {rules.ending(row)}, which is not in ENDINGS", where)
    if waiting and rules.winners(row):
        findings.add("there are winners before the match is over", where)
    for fault in _broken(rules, row):
        findings.add(f"check finds {fault.name!r} broken (§{fault.section}): {fault.meaning}", where)
    for one, at in rules.FIELDS.slices():
        if any(not one.low <= word <= one.top for word in row[at : at + one.size]):
            findings.add(f"field {one.name!r} leaves its range {one.low} to {one.top}", where)
    for seat in range(seats):
        legal = _legal(match, row, seat)
        met.actions |= {rules.ACTIONS.family(action).verb for action in legal}
        for action in range(rules.ACTIONS.size):
            code = rules.refuses(row, seat, action)
            if not 0 <= code <= len(rules.REASONS):
                findings.add(f"refuses gives {code}, which is not in REASONS", where)
                continue
            if code:
                met.reasons.add(rules.REASONS.line(code).name)
            if (code == 0) != (action in legal):
                verb = rules.ACTIONS.family(action).verb
                why = f"refuses says {rules.REASONS.line(code).name!r}" if code else "refuses says nothing"
                is_legal = "legal" if action in legal else "not legal"
                findings.add(f"`legal` and `refuses` disagree about {verb!r}: {is_legal}, but {why}", where)
        if bool(legal) != bool(waiting >> seat & 1):
            findings.add("a seat that is to act has nothing to do" if not legal else "a seat may act out of turn", where)
        if waiting:
            _check_masked(match, seat, legal, findings, where)
    if row != list(match.row):
        findings.add("asking a question changes the row", where)


def _check_masked(match: Match, seat: Seat, legal: set[int], findings: Findings, where: str) -> None:
    """A seat's knowledge determines its legal actions, and `redeal` makes a possible position of it."""
    masked = match.masked(seat)
    if legal != _legal(match, masked, seat):
        findings.add("what is legal for a seat depends on something that it may not know", where)
    world = list(masked)
    if is_filled(match, world, seat, "redeal", findings, where) and match.rules.FIELDS.masked(world, seat) != masked:
        findings.add("redeal changes what the seat can see", where)


def _legal(match: Match, row: Row, seat: Seat) -> set[int]:
    """The actions that `legal` allows a seat on a row."""
    mask = match.build.mask()
    match.rules.legal(row, seat, mask)
    return {action for action in range(match.rules.ACTIONS.size) if mask[action // 32] >> action % 32 & 1}


def is_filled(match: Match, world: Row, seat: Seat, by: str, findings: Findings, where: str) -> bool:
    """Fill a masked row by `redeal`; returns whether the position is possible."""
    rules = match.rules
    rules.redeal(world, seat, match.build.generator(match.ply))
    if HIDDEN in world:
        findings.add(f"{by} leaves {rules.FIELDS.field_at(world.index(HIDDEN)).name!r} hidden", where)
    elif broken := _broken(rules, world):
        findings.add(f"{by} makes an impossible position: {', '.join(fault.name for fault in broken)}", where)
    else:
        return True
    return False


def _broken(rules: Rules, row: Row) -> list[Named]:
    """The invariants that `check` finds broken."""
    flags = rules.check(row)
    return [fault for code, fault in enumerate(rules.FAULTS, 1) if flags >> code & 1]


def _check_replay(match: Match, findings: Findings, where: str) -> None:
    """A record read back is the same match."""
    try:
        back, _ = record.read(record.parse(record.dump(record.write(match))), {match.game.name: match.game})
    except RidottoError as error:
        findings.add(f"a record cannot be read back: {error}", where)
        return
    if back.row != match.row or back.events != match.events:
        findings.add("a record replays to another position", where)


def compiled(game: Game) -> Iterator[Line]:
    """The rules and the bot can be compiled, and give the same results then."""
    python, cpu, findings = game.build(), game.build("cpu"), Findings("compiled")
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
                findings.add(text, f"{seats} seats, decision {ply}")
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
                findings.add("the bot chooses otherwise when it is compiled", f"{seats} seats, decision {ply}")
            elif python.rules.refuses(rows[0], seat, picked[0]):
                action = python.rules.ACTIONS.notation(picked[0])
                findings.add("the bot chooses what is not legal", f"{seats} seats, decision {ply}, {action!r}")
                break
            for build, row, one in zip((python, cpu), rows, dice, strict=True):
                build.rules.apply(row, seat, picked[0], one, build.events(muted=True))
    yield from findings.lines()
    if not findings.faults:
        yield Line("ok", "compiled", "the compiled rules give the same rows, and the bot's choices are legal")
