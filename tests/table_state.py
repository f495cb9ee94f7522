"""What tests of a table see of it from inside, and a clock that goes when it is told to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import visitors
from visitors import Visitor, sat, services

from ridotto.core.match import Match
from ridotto.core.view import Outcome
from ridotto.web.clocks import Terms
from ridotto.web.live.table import Table
from ridotto.web.storage.offers import Offer
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings


class Time:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def visiting(folder: Path, count: int, visit: Callable[..., Awaitable[None]], **given: Any) -> None:
    """Run a visit of so many people to a fresh server, whose clocks nobody looks at but the test."""
    visitors.visiting(folder, count, visit, **{"tick": 3600.0, **given})


async def agreed(app: Any, match: Match, *who: Visitor | str, **chosen: Any) -> Table:
    """A table with something agreed on."""
    table = await sat(app, match, *who)
    await services(app).writer.change(table, [set_settings(table.id, TableSettings(**chosen))])
    return table


def left(app: Any, table: Table) -> dict[int, int]:
    """Seconds on each clock now."""
    now = services(app).storage.milliseconds
    return {seat: clock.at(now) // 1000 for seat, clock in table.state.extras.clocks.items()}


def going(table: Table) -> set[int]:
    return {seat for seat, clock in table.state.extras.clocks.items() if clock.until is not None}


def turn(table: Table) -> tuple[int, ...]:
    return table.match.to_act


def outcome(table: Table) -> Outcome | None:
    return table.match.outcome


def bot(table: Table, seat: int) -> str | None:
    return table.info.chairs[seat].bot


def offer(table: Table) -> Offer | None:
    return table.state.extras.offer


def notes(table: Table) -> list[str]:
    return [line.kind for line in table.state.extras.chat]


TEN = Terms("match", 600, 5)
