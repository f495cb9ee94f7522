"""Checks of the secrets of a game: simultaneous choices, beliefs of the bot, and views."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from ridotto.arena.audit import AuditReport, audit
from ridotto.arena.checks import random_play
from ridotto.arena.checks.random_play import ENDLESS, is_filled, setups, where_text
from ridotto.arena.checks.report import Findings, Line
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.build import folder
from ridotto.engine.fields import Row, Seat

AUDITED_MATCHES: Final = 4
"""The number of random matches audited for leaks."""
AUDITED_MORE: Final = 12
"""The number of further matches, in every set-up, while a hidden field has never differed."""
OPEN: Final = ("all", "remembered")
"""The audiences of public events and actions."""


def choices(game: Game) -> Iterator[Line]:
    """Simultaneous choices stay secret until all have chosen, and the bot depends on its seat's knowledge alone."""
    findings, bot, decisions = Findings("rules.py"), Findings("ai/bot.py"), 0
    has_bot = (folder(game.package) / "ai/bot.py").exists()
    for seats, options, seed in ((*setup, seed) for setup in setups(game) for seed in range(random_play.MATCHES)):
        match, chance = Match(game, seats, options, seed=seed, clock=lambda: 0.0), random.Random(seed)
        waiting_for_others = 0
        while match.to_act and match.ply < ENDLESS:
            where = f"{where_text(seats, options, seed)}, ply {match.ply - 1}"
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
            _check_secrecy(match, before, seat, action, findings, where)
            if match.rules.ACTIONS.family(action).audience not in OPEN and not after >> seat & 1:
                waiting_for_others |= 1 << seat
    yield from (*findings.lines(), *bot.lines())
    if decisions and not findings.faults and not bot.faults:
        yield Line("ok", "choices", f"{decisions} choices were made while others had to make theirs, and told nothing")


def _check_secrecy(match: Match, before: Row, seat: Seat, action: int, findings: Findings, where: str) -> None:
    """A choice that was made while others have to make theirs tells them nothing."""
    rules, family, after = match.rules, match.rules.ACTIONS.family(action), match.row
    if family.audience not in OPEN:
        for one in match.events_of(match.ply - 1):
            shown = [arg.name for arg in one.event.args if arg.audience in OPEN and arg.name != "seat"]
            if one.event.audience in OPEN and shown:
                told = f"the event {one.event.name!r} tells everybody {', '.join(shown)}"
                findings.add(f"{family.verb!r} is a secret choice, but while others have to make theirs, {told}", where)
    elif not match.entries[-1].draws:  # What chance has hidden was not chosen.
        others = [other for other in range(match.seats) if other != seat]
        hidden = sorted({at for other in others for at in rules.FIELDS.hidden(other) if before[at] != after[at]})
        for name in dict.fromkeys(rules.FIELDS.field_at(at).name for at in hidden):
            why = f'writes {name!r}, which others may not know, while they have to choose: it needs audience="owner"'
            findings.add(f"the action {family.verb!r} is public, but {why}", where)


def _check_recall(match: Match, seat: Seat, pending: int, findings: Findings, where: str) -> None:
    """Taking back what others have chosen at the same time leads to a possible position, in which they choose again."""
    world = match.masked(None if seat < 0 else seat)
    match.build.bot.recall(world, seat)
    mine = 0 if seat < 0 else 1 << seat
    is_possible = is_filled(match, world, seat, "recall, and redeal after it,", findings, where)
    if is_possible and pending & ~mine & ~match.rules.to_act(world):
        findings.add(
            "recall leaves in place what another seat has chosen at the same time: it must be in `to_act` again", where
        )


def _check_policy(match: Match, seat: Seat, findings: Findings, where: str) -> None:
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
        findings.add("policy: the bot looks at what its seat may not know", where)


def secrets(game: Game) -> Iterator[Line]:
    """Worlds that a seat cannot tell apart look the same to it."""
    total = AuditReport()
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
