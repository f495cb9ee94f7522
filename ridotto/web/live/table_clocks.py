"""The clocks of a table after something has happened to its match: an action, or a takeback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ridotto.core.match import Match
from ridotto.core.takeback import Takeback
from ridotto.engine.fields import Seat
from ridotto.web.clocks import Clock, restore_clocks, update_clocks
from ridotto.web.storage.table_info import TableInfo

Clocks = Mapping[Seat, Clock]


def clocks_for(info: TableInfo, match: Match, clocks: Clocks, now: int, acted: Seat | None = None) -> Clocks:
    """The clocks as they should be: running for everybody who owes a decision and decides it themselves."""
    terms = info.settings.clock
    if terms is None:
        return clocks
    people = [chair.seat for chair in info.chairs if chair.kind == "person"]
    running = [seat for seat in match.to_act if info.state == "playing" and info.chairs[seat].bot is None]
    return update_clocks(terms, clocks, people, running, now, acted)


class Return(NamedTuple):
    """A takeback, as the clocks see it: which entries lose their effect, and which choices stay."""

    seat: Seat
    """The seat that takes back."""
    first: int
    """The ply of the first entry that loses its effect."""
    kept: tuple[int, ...]
    """The plies of hidden choices that stay, and are written again."""
    is_own: bool
    """Whether nobody else has decided anything since that is lost: then all the time since was theirs."""

    @classmethod
    def of(cls, match: Match, takeback: Takeback, anew: bool) -> Return:
        to = takeback.anew if anew and takeback.anew is not None else takeback.to
        first = match.line[match.line.index(to) + 1]
        return cls(takeback.seat, first, () if anew else takeback.secret_choices, takeback.at_once and not anew)

    @property
    def plies(self) -> list[int]:
        return [self.first, *self.kept]


def clocks_after_takeback(
    info: TableInfo, match: Match, clocks: Clocks, back: Return, added: Mapping[int, Mapping[Seat, int]], now: int
) -> Clocks:
    """The clocks when `back` happens to a match; `added` is what had been added to them before each of its entries.

    The clock of a choice that stays made, and that of somebody for whom a bot plays, stay as they are.
    """
    if info.settings.clock is None:
        return clocks
    stay = {match.entries[ply].seat for ply in back.kept} | {chair.seat for chair in info.chairs if chair.bot is not None}
    affected = {seat: clock for seat, clock in clocks.items() if seat == back.seat or seat not in stay}
    owing = match.after(back.first).to_act
    withdrawn = [seat for seat in affected if seat not in owing and seat != back.seat]
    restored = restore_clocks(info.settings.clock, affected, added.get(back.first, {}), back.seat, withdrawn, back.is_own, now)
    return {**clocks, **restored}


def added_before_entries(
    match: Match, later: Match, clocks: Clocks, back: Return | None, stored: Mapping[int, Mapping[Seat, int]]
) -> Iterator[Mapping[Seat, int]]:
    """For each entry that `later` has besides those of `match`, what had been added to the clocks when it was made.

    `clocks` are those before the first of them; `stored` has what is known of the entries of a takeback. A choice that is
    written again was made when it was first written.
    """
    now = {seat: clock.added for seat, clock in clocks.items() if clock.added}
    again = [(ply, match.entries[ply].seat) for ply in (back.kept if back else ())]
    before = now | {seat: stored.get(ply, {}).get(seat, 0) for ply, seat in again if seat is not None}
    yield from (before for _ in range(later.ply - match.ply - len(again)))
    for _, seat in again:
        yield before
        before = before | {seat: now.get(seat, 0) for seat in (seat,) if seat is not None}
