"""Clocks: how much time each player has. What happens when it is up, the table has agreed on: `TableInfo.plays_on`.

Time is the server's, in milliseconds. A clock that stands keeps what is left; one that runs keeps the moment at which it will
have run down, so that nothing has to be written while it runs. Whoever owes a decision has a running clock, all at once
where choices are simultaneous; bots have none, and somebody for whom a bot plays has one that stands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from ridotto.engine.fields import Seat
from ridotto.present.narrator import Narrator, mark
from ridotto.web.errors import NotNow, RequestError

MINUTES: Final = (5, 10, 20, 40, 60)
DAYS: Final = (1, 3, 7)
"""The clocks that a form offers."""
LEAST: Final = {"match": 60, "move": 3600}
MOST: Final = {"match": 4 * 3600, "move": 30 * 86400}
"""Seconds."""
MOST_ADDED: Final = 120


class BadTerms(RequestError, ValueError):
    """A clock that there is not."""


@dataclass(frozen=True)
class Terms:
    """The agreement about time when the table was set up."""

    kind: Literal["match", "move"]
    """So much for the whole match, or for each decision."""
    seconds: int
    added: int = 0
    """Seconds that a turn gives back at its end."""

    def json(self) -> dict[str, Any]:
        return {"kind": self.kind, "seconds": self.seconds, "added": self.added}

    @property
    def full(self) -> int:
        """Milliseconds on a fresh clock."""
        return 1000 * self.seconds


def parse_terms(clock: str, added: str = "") -> Terms | None:
    """The terms that a form asks for: `match:1200`, `move:86400`, or nothing.

    >>> parse_terms("match:1200", "5")
    Terms(kind='match', seconds=1200, added=5)
    >>> parse_terms("move:86400", "5").added, parse_terms("")
    (0, None)
    >>> parse_terms("match:7")
    Traceback (most recent call last):
    ridotto.web.clocks.BadTerms: a clock takes 60 to 14400 seconds for a match, not '7'
    """
    if not clock:
        return None
    kind, _, seconds = clock[:40].partition(":")
    if kind not in ("match", "move"):
        raise BadTerms(mark("there is no clock {name}"), name=repr(clock[:40]))
    low, high = LEAST[kind], MOST[kind]
    if not _is_between(seconds, low, high):
        message = mark("a clock takes {low} to {high} seconds for a match, not {value}")
        if kind == "move":
            message = mark("a clock takes {low} to {high} seconds for a move, not {value}")
        raise BadTerms(message, low=low, high=high, value=repr(seconds))
    if not _is_between(added or "0", 0, MOST_ADDED):
        raise BadTerms(mark("a turn adds 0 to {high} seconds, not {value}"), high=MOST_ADDED, value=repr(added[:20]))
    more = int(added or "0") if kind == "match" else 0
    return Terms("match" if kind == "match" else "move", int(seconds), more)


def _is_between(text: str, low: int, high: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high


@dataclass(frozen=True)
class Clock:
    """One player's clock."""

    left: int
    """Milliseconds, while it stands."""
    until: int | None = None
    """While it runs: when it will have run down."""
    added: int = 0
    """Milliseconds that decisions have added to it so far."""

    def at(self, now: int) -> int:
        """Milliseconds left."""
        return self.left if self.until is None else max(0, self.until - now)

    def is_down(self, now: int) -> bool:
        return self.until is not None and self.until <= now

    def standing(self, now: int) -> Clock:
        """This clock if it were stopped now."""
        return self if self.until is None else Clock(self.at(now), None, self.added)

    def with_added(self, milliseconds: int) -> Clock:
        """This clock after a decision has added something to it, or (less than 0) what was added is taken away."""
        until = None if self.until is None else self.until + milliseconds
        return Clock(self.left + milliseconds, until, self.added + milliseconds)


def update_clocks(
    terms: Terms,
    clocks: Mapping[Seat, Clock],
    timed: Collection[Seat],
    running: Collection[Seat],
    now: int,
    acted: Seat | None = None,
) -> dict[Seat, Clock]:
    """The clocks of the seats that are `timed`, with those in `running` going and all others standing.

    Whoever has just decided (`acted`) is given what that adds: seconds at the end of a turn, or the whole time of a move.
    Nothing else adds time.

    >>> terms = Terms("match", 60, 5)
    >>> before = {0: Clock(60_000, 70_000), 1: Clock(40_000)}
    >>> update_clocks(terms, before, (0, 1), (1,), 30_000, acted=0)
    {0: Clock(left=45000, until=None, added=5000), 1: Clock(left=40000, until=70000, added=0)}
    """
    updated = {}
    for seat in timed:
        clock = clocks.get(seat, Clock(terms.full))
        if seat == acted and terms.kind == "move":
            clock = clock.with_added(terms.full - clock.at(now))
        elif seat == acted and seat not in running and clock.until is not None:
            clock = clock.with_added(1000 * terms.added)
        if seat not in running:
            clock = clock.standing(now)
        elif clock.until is None:
            clock = replace(clock, until=now + clock.left)
        updated[seat] = clock
    return updated


def restore_clocks(
    terms: Terms,
    clocks: Mapping[Seat, Clock],
    added: Mapping[Seat, int],
    seat: Seat,
    withdrawn: Collection[Seat],
    is_own: bool,
    now: int,
) -> dict[Seat, Clock]:
    """The clocks when `seat` takes back a decision; what had been `added` to each clock when it was made.

    Everybody loses what was added since: a clock has what it had, less the time that ran on it. Of those whose question is
    `withdrawn`, each has the whole time of a move again; and if nobody has answered meanwhile (`is_own`), the time for which
    they thought about it was that of whoever takes back. Raises NotNow if no time would be left to somebody.

    >>> now = {0: Clock(65_000, None, 5_000), 1: Clock(90_000, 190_000)}
    >>> restore_clocks(Terms("match", 90, 5), now, {}, 0, [1], True, 120_000)
    {0: Clock(left=40000, until=None, added=0), 1: Clock(left=90000, until=None, added=0)}
    """
    restored = {one: clock.with_added(added.get(one, 0) - clock.added) for one, clock in clocks.items()}
    waited = 0
    for one in withdrawn:
        clock = restored[one]
        if terms.kind == "move":
            restored[one] = replace(clock, left=terms.full, until=None)
        elif is_own:
            restored[one] = replace(clock, until=None)
        if is_own:
            waited = max(waited, clock.left - clock.at(now))
    own = restored[seat]
    owed = max(0, waited - (own.left - own.at(now)))  # what did not run on their own clock as well
    restored[seat] = replace(own, left=own.left - owed, until=None if own.until is None else own.until - owed)
    for one, clock in restored.items():
        if clock.at(now) <= 0 and (one == seat or clocks[one].at(now) > 0):
            raise NotNow(mark("the clocks would go back as well, and no time would be left"))
    return restored


def short(milliseconds: int, narrator: Narrator) -> str:
    """The time left, as a clock shows it; the script writes it every second in the same way.

    >>> [short(left, Narrator()) for left in (83_000, 3_599_400, 7_260_000, 200_000_000)]
    ['1:23', '1:00:00', '2:01:00', '2 d 7 h']
    """
    seconds = -(-milliseconds // 1000)
    if seconds >= 86400:
        return narrator.say("{days} d {hours} h", days=seconds // 86400, hours=seconds % 86400 // 3600)
    hours, minutes, rest = seconds // 3600, seconds % 3600 // 60, seconds % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
