"""The knowledge of one seat, or of a spectator: events, legal actions, the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, Final

from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.inputs import Early
from ridotto.engine.fields import EVENT_WIDTH, HIDDEN, NUMBER, Arg, Event, Seat

RESIGNED: Final = Event("resigned", "", "a seat gives up", (Arg("seat", NUMBER),))
UNDONE: Final = Event("undone", "", "the match goes back to an earlier ply", (Arg("ply", NUMBER),))
REDEALT: Final = Event("redealt", "", "what was hidden is dealt anew", ())
"""The events that every match has, whatever its game."""


@dataclass(frozen=True)
class MatchEvent:
    """An event of a match as numbers: the ply it belongs to, its declaration, its arguments."""

    ply: int
    event: Event
    values: tuple[int, ...]

    def seen_by(self, seat: Seat | None) -> Seen | None:
        """The event as `seat` (None: a spectator) may know it; None if it may not know of it at all."""
        if self.event.is_open:
            return self._open
        owner = next((v for a, v in zip(self.event.args, self.values, strict=True) if a.name == "seat"), None)
        if not _may_know(self.event.audience, owner, seat):
            return None
        values = {
            arg.name: value if _may_know(arg.audience, owner, seat) else HIDDEN
            for arg, value in zip(self.event.args, self.values, strict=True)
        }
        return Seen(self.ply, self.event, values)

    @cached_property
    def _open(self) -> Seen:
        """The event as everybody sees it, if nothing of it is hidden."""
        names = (arg.name for arg in self.event.args)
        return Seen(self.ply, self.event, dict(zip(names, self.values, strict=True)))


def read_events(rules: Any, numbers: Sequence[int], ply: int) -> list[MatchEvent]:
    """The events that a step of the rules has written: their number, then EVENT_WIDTH numbers each."""
    events = []
    for at in range(1, 1 + numbers[0] * EVENT_WIDTH, EVENT_WIDTH):
        event = rules.EVENTS[numbers[at]]
        events.append(MatchEvent(ply, event, tuple(numbers[at + 1 : at + 1 + len(event.args)])))
    return events


def seen_by(seat: Seat | None, events: Iterable[MatchEvent]) -> Iterator[Seen]:
    """Events as `seat` (None: a spectator) may know them; those that it may not know of at all are left out."""
    return (seen for one in events if (seen := one.seen_by(seat)) is not None)


def _may_know(audience: str, owner: Seat | None, seat: Seat | None) -> bool:
    return audience in ("all", "remembered") or (audience == "owner" and seat is not None and seat == owner)


@dataclass(frozen=True)
class Seen:
    """An event as one seat may know it: what it may not know is HIDDEN."""

    ply: int
    event: Event
    values: Mapping[str, int]

    def public(self) -> Seen | None:
        """The event as a spectator may know it; None if it may not know of it at all."""
        if self.event.is_open:
            return self
        return MatchEvent(self.ply, self.event, tuple(self.values.values())).seen_by(None)


@dataclass(frozen=True)
class Outcome:
    """The ending of a match, its winners, and every part of every score."""

    ending: str
    section: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    parts: tuple[dict[str, int], ...]

    @property
    def is_resigned(self) -> bool:
        """Whether a seat has resigned: then nothing was counted, and the scores mean nothing."""
        return self.ending == RESIGNED.name

    def json(self) -> dict[str, Any]:
        return {
            "ending": self.ending,
            "section": self.section,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "parts": [dict(part) for part in self.parts],
        }


class Legal(Sequence[str]):
    """The legal actions of a seat as notation, in ascending order of their ids."""

    def __init__(self, game: Game, ids: Sequence[int]) -> None:
        self.ids = tuple(ids)
        self._notation = tuple(game.rules.ACTIONS.notation(i) for i in ids)

    def __getitem__(self, index: Any) -> Any:
        return self._notation[index]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._notation)

    def __contains__(self, action: object) -> bool:
        return action in self._notation or action in self.ids

    def __repr__(self) -> str:
        return f"<Legal: {', '.join(self._notation) or 'nothing'}>"


@dataclass(frozen=True)
class View:
    """The knowledge of one seat, or of a spectator (seat None), of a match: plain data from the masked row.

    `row` holds HIDDEN where the seat may not know a word; `seen` are the events since the ply that the view was requested for.
    """

    game: Game = field(repr=False)
    seats: int
    seat: Seat | None
    ply: int
    to_act: tuple[Seat, ...]
    row: tuple[int, ...] = field(repr=False)
    legal: tuple[int, ...]
    seen: tuple[Seen, ...] = field(repr=False)
    outcome: Outcome | None
    noted: tuple[str, ...] = ()
    """Waiting decisions of the seat's draft; see `ridotto.core.drafts`."""

    def in_effect(self) -> Iterator[Seen]:
        """The events that were not taken back, the latest first."""
        last = self.ply
        for one in reversed(self.seen):
            if one.ply <= last:
                if one.event.name == UNDONE.name:
                    last = one.values["ply"]
                else:
                    yield one

    def latest(self) -> list[Seen]:
        """The events of the last entry of the log, in order."""
        first = len(self.seen)
        while first and self.seen[first - 1].ply == self.ply - 1:
            first -= 1
        return list(self.seen[first:])

    def last_action(self) -> list[Seen]:
        """The events of the last action that was not taken back, in order; nothing after the deal."""
        seen = self.in_effect()
        last = next(seen, None)
        if last is None or last.ply == 0:
            return []
        return [last, *takewhile(lambda one: one.ply == last.ply, seen)][::-1]

    def public(self) -> View:
        """The view reduced to a spectator's knowledge."""
        if self.seat is None:
            return self
        hides = self.outcome is None
        row = self.game.rules.FIELDS.masked(list(self.row), None) if hides else self.row
        seen = tuple(public for one in self.seen if (public := one.public()) is not None)
        return replace(self, seat=None, row=tuple(row), legal=(), seen=seen)

    @property
    def is_played_out(self) -> bool:
        """Whether the match has ended by the rules, without a resignation."""
        return self.outcome is not None and not self.outcome.is_resigned

    @property
    def position(self) -> dict[str, Any]:
        """The masked row as named fields; "?" for what the seat may not know."""
        return position.write(self.game, self.row)

    @property
    def early(self) -> Sequence[Early]:
        """The decisions that this seat may make before the one that is due, as part of one turn."""
        if self.seat is None or not self.legal:
            return ()
        return self.game.inputs.early(self.row, self.seat, self.noted)
