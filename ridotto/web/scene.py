"""What a page is drawn from: plain data, one reader's share of it and nothing else.

`pages.py` makes HTML out of a scene and knows neither the store nor the other guests; `app.py` makes the scenes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ridotto.core import Game, Refusal, View
from ridotto.kernel import Seat


@dataclass(frozen=True)
class Guest:
    """Whoever reads the page."""

    name: str
    """"" until they have said it."""
    language: str
    theme: Literal["auto", "dark", "light"] = "auto"
    motion: bool = True
    nonce: str = ""
    """What a form must bring back, so that no other site can send it for them."""


@dataclass(frozen=True)
class Chair:
    """One seat of a table, as everybody sees it."""

    seat: Seat
    role: str
    """What the game calls the seat, in the reader's language: "inspector", "red"."""
    kind: Literal["person", "bot", "free"]
    name: str
    """The person's name, or the bot's; "" while it is free."""
    you: bool = False
    here: bool = False
    """Whether the person has the page open."""
    owing: bool = False
    """Whether a decision is owed now."""
    link: str = ""
    """Where a friend can sit down here; only for whoever may give it away."""
    open: bool = False
    """Whether anybody who comes by may sit down here, while it is free."""


@dataclass(frozen=True)
class TableLine:
    """A table as a line of the lobby."""

    id: str
    game: Game
    chairs: tuple[Chair, ...]
    state: Literal["open", "playing", "over"]
    yours: bool = False
    your_turn: bool = False
    private: bool = False
    age: int = 0
    """Seconds since something last happened there."""
    result: str = ""
    """Who won, as a sentence, when it is over."""


@dataclass(frozen=True)
class Lobby:
    """The start page."""

    guest: Guest
    games: tuple[Game, ...]
    yours: tuple[TableLine, ...] = ()
    open: tuple[TableLine, ...] = ()
    finished: tuple[TableLine, ...] = ()
    fault: str = ""
    """Why the last form was refused."""


@dataclass(frozen=True)
class LogLine:
    """A line of the log in the reader's language."""

    ply: int
    section: str
    text: str
    seat: Seat | None = None


@dataclass(frozen=True)
class Table:
    """A table as one reader sees it."""

    guest: Guest
    id: str
    game: Game
    view: View
    chairs: tuple[Chair, ...]
    state: Literal["open", "playing", "over"]
    log: tuple[LogLine, ...] = ()
    """Oldest first."""
    options: dict[str, int] = field(default_factory=dict)
    private: bool = False
    seat_link: str = ""
    """The reader's own private link to their seat, for another device."""
    table_link: str = ""
    """For anybody who wants to watch (or to sit down, where it is open)."""
    reach: str = ""
    """How far the links reach, as a sentence: this machine, this network, everywhere."""
    thinking: tuple[Seat, ...] = ()
    """Bots that are thinking."""
    fault: Refusal | None = None
    rematch: str = ""
    """The table of the rematch, once there is one."""
    pictures: dict[str, Any] = field(default_factory=dict)
    """What was drawn already: under "panels" the list that `game.panels(view)` gives, in the reader's language."""
    since: int = 0
    """The ply up to which the reader has been told what happened: an announcement begins there."""
    seated: bool = False
    """Whether the reader has a seat: others may watch, and sit down where a chair is open."""
