"""The settings of a table: what was agreed on when it was set up, and what has been noted there since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ridotto.engine.fields import Seat
from ridotto.web.clocks import Terms

Leaving = Literal["resign", "bot"]
"""The end for a player who leaves for good: the match ends and the others win, or a bot plays on."""
Takebacks = Literal["free", "consent", "never"]
"""A decision may be taken back at once where nobody has learned anything, only by consent, or never."""
Hints = Literal["bots", "all", "none"]
"""Players may ask for hints against bots alone, always, or never."""
Left = Literal["resigned", "time"]
"""The reason why a player has left a match."""


@dataclass(frozen=True)
class TableSettings:
    """The settings of a table besides the options of its game."""

    clock: Terms | None = None
    """None if time does not matter."""
    leaving: Leaving | None = None
    """None: it depends on who plays; see `TableInfo.plays_on`."""
    takebacks: Takebacks = "free"
    hints: Hints = "bots"
    only_players_chat: bool = False
    guide: bool = False
    """Whether each question is explained to the host."""
    shared_seats: tuple[Seat, ...] = ()
    """The seats of those who play on the host's device; none where everybody has their own."""
    device_holder: Seat | None = None
    """The one of them who has the device now."""
    seeks_until: int | None = None
    """When a bot sits down, in seconds, if nobody has come to somebody who looks for an opponent."""
    left: Mapping[Seat, Left] = field(default_factory=dict)
    """The players who have left the match for good, and why."""

    def with_left(self, seat: Seat, reason: Left) -> TableSettings:
        """The settings after a player has left."""
        return replace(self, left={**self.left, seat: reason})

    def json(self) -> dict[str, Any]:
        """The settings as they are stored: those that are not the usual ones.

        >>> TableSettings(hints="all", shared_seats=(0, 2)).json()
        {'hints': 'all', 'shared_seats': [0, 2]}
        """
        stored = {
            "clock": self.clock and self.clock.json(),
            "leaving": self.leaving,
            "takebacks": self.takebacks if self.takebacks != "free" else None,
            "hints": self.hints if self.hints != "bots" else None,
            "only_players_chat": self.only_players_chat or None,
            "guide": self.guide or None,
            "shared_seats": list(self.shared_seats) or None,
            "device_holder": self.device_holder,
            "seeks_until": self.seeks_until,
            "left": {str(seat): reason for seat, reason in self.left.items()} or None,
        }
        return {name: value for name, value in stored.items() if value is not None}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> TableSettings:
        """Settings as they are stored.

        >>> settings = TableSettings(clock=Terms("match", 600, 5), left={1: "time"})
        >>> TableSettings.read(settings.json()) == settings
        True
        """
        clock = stored.get("clock")
        return cls(
            clock=Terms(clock["kind"], clock["seconds"], clock["added"]) if clock else None,
            leaving=stored.get("leaving"),
            takebacks=stored.get("takebacks", "free"),
            hints=stored.get("hints", "bots"),
            only_players_chat=bool(stored.get("only_players_chat")),
            guide=bool(stored.get("guide")),
            shared_seats=tuple(stored.get("shared_seats", ())),
            device_holder=stored.get("device_holder"),
            seeks_until=stored.get("seeks_until"),
            left={int(seat): reason for seat, reason in stored.get("left", {}).items()},
        )
