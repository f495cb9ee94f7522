"""The view models of the pages: plain data, and no more of it than this reader may know.

The modules of this folder turn them into HTML and know neither the database nor the other readers; `live` and `server` make
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal, Protocol

from ridotto.core.drawing import Panel
from ridotto.core.game import Game
from ridotto.core.markup import Html
from ridotto.core.narrator import Narrator, clean_name, opening, stage_name
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.web.clocks import Clock, Terms


@dataclass(frozen=True)
class Reader:
    """Whoever reads the page."""

    name: str
    """"" until they have said it."""
    language: str
    theme: Literal["auto", "dark", "light"] = "auto"
    motion: bool = True
    nonce: str = ""
    """What a form must bring back, so that no other site can send it for them."""

    @property
    def narrator(self) -> Narrator:
        """Who speaks to them where no table is concerned."""
        return Narrator(self.language)


@dataclass(frozen=True)
class SeatView:
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
    clock: Clock | None = None
    stand_in: str = ""
    """The bot that plays for the person, while it does."""
    gone: bool = False
    """Whether the person has been away for so long that the table may let a bot play for them."""

    @property
    def display_name(self) -> str:
        """Whoever sits there, by name; where there is none, by what the seat is called."""
        return stage_name(self.seat) if self.kind == "bot" else clean_name(self.name) or opening(self.role)


class Occupant(Protocol):
    """Somebody on a seat, as a table keeps them or as a page shows them."""

    @property
    def seat(self) -> Seat: ...
    @property
    def kind(self) -> Literal["person", "bot", "free"]: ...
    @property
    def name(self) -> str: ...


def display_names(occupants: Iterable[Occupant]) -> tuple[str, ...]:
    """What everybody at a table is called in its log and on its boards; "" for whoever has no name."""
    return tuple(stage_name(one.seat) if one.kind == "bot" else clean_name(one.name) for one in occupants)


@dataclass(frozen=True)
class TableLine:
    """A table as a line of the lobby."""

    id: str
    title: str
    """Of the game."""
    seats: tuple[SeatView, ...]
    state: Literal["open", "playing", "over"]
    yours: bool = False
    your_turn: bool = False
    private: bool = False
    age: int = 0
    """Seconds since something last happened there."""
    result: str = ""
    """Who won, as a sentence, when it is over."""

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(place.kind == "free" for place in self.seats)

    @property
    def owing(self) -> list[SeatView]:
        """The seats that owe a decision."""
        return [place for place in self.seats if place.owing]


@dataclass(frozen=True)
class Choice:
    """One of several things that a field of a form offers."""

    value: str
    text: str
    is_chosen: bool = False


@dataclass(frozen=True)
class SeatChoice:
    """A seat of a new table: who may sit there."""

    seat: Seat
    role: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class OptionField:
    """An option of a game as a form asks for it."""

    name: str
    title: str
    explanation: str
    section: str
    low: int
    high: int
    default: int

    @property
    def is_switch(self) -> bool:
        """Whether it is off unless somebody wants it."""
        return (self.low, self.high, self.default) == (0, 1, 0)


@dataclass(frozen=True)
class QuickStart:
    """A match against bots with one click."""

    text: str
    seats: tuple[str, ...]
    """Who sits where, as the form of a new table says it."""


@dataclass(frozen=True)
class ClockTerms:
    """What is agreed on about time, in words."""

    kind: Literal["match", "move"]
    seconds: int
    text: str
    consequence: str
    """What happens when the time is up, as a sentence."""


@dataclass(frozen=True)
class GameCard:
    """A game as the lobby shows it, in one language."""

    name: str
    title: str
    pitch: str
    players: str
    """How many: "2" or "2–4"."""
    minutes: int
    authors: str
    year: int
    vignette: Html
    quick_starts: tuple[QuickStart, ...]
    opponents: str
    """Whom one plays against then, as a sentence."""
    seats: tuple[SeatChoice, ...]
    options: tuple[OptionField, ...]
    has_lesson: bool


@dataclass(frozen=True)
class LobbyPage:
    """The start page."""

    reader: Reader
    games: tuple[GameCard, ...]
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
class ChatLine:
    """Something said at a table, or a note on what happened around it, as one reader may know it."""

    number: int
    at: int
    """Seconds, as the server counts them."""
    text: str
    """"" if it was removed, or the reader has muted whoever said it."""
    who: str = ""
    """"" for a note."""
    seat: Seat | None = None
    yours: bool = False
    reports: int = 0
    removed: bool = False
    muted: bool = False

    @property
    def time(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


@dataclass(frozen=True)
class OfferView:
    """Something that needs consent, as one reader sees it."""

    kind: Literal["takeback", "standin"]
    seat: Seat
    by: Seat
    is_mine: bool = False
    """Whether the reader asks, and has still to say so after having read what the others will be told."""
    is_owed: bool = False
    """Whether the reader has still to agree or refuse."""
    because: str = ""
    """What was learned since."""
    section: str = ""
    anew: bool = False
    """Whether somebody wants what was learned dealt anew."""
    may_anew: bool = False
    never: str = ""
    """Why it cannot be dealt anew."""
    missing: tuple[Seat, ...] = ()
    """Who has still to agree."""


@dataclass(frozen=True)
class TablePage:
    """A table as one reader sees it."""

    reader: Reader
    id: str
    game: Game
    view: View
    seats: tuple[SeatView, ...]
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
    rematch: str = ""
    """The table of the rematch, once there is one."""
    panels: tuple[Panel, ...] = ()
    """The panels of the view, if they were drawn already, in the reader's language."""
    since: int = 0
    """The ply up to which the reader has been told what happened: an announcement begins there."""
    is_seated: bool = False
    """Whether the reader has a seat: others may watch, and sit down where a seat is open."""
    hints: bool = False
    """Whether those who play may ask for hints here."""
    now: int = 0
    """Milliseconds, as the server counts them, when this was drawn."""
    terms: Terms | None = None
    """What was agreed on about time."""
    late: str = ""
    """Whose time was up when the match ended, as a sentence."""
    offer: OfferView | None = None
    handover: Seat | None = None
    """Where several share the reader's device: to whom it has to be handed before anything is shown."""
    chat: tuple[ChatLine, ...] = ()
    may_chat: bool = False
    is_host: bool = False
    may_take_back: bool = False
    """Whether the reader has decided anything that could be taken back, at once or by consent."""
    webhook: str | None = None
    """Where the reader is told of their turn; None if this server tells nobody."""

    @cached_property
    def narrator(self) -> Narrator:
        """Who tells this reader about the table: in their language, with the names of those who sit there."""
        return self.game.narrator(self.reader.language, display_names(self.seats), self.view.seat)

    @cached_property
    def words(self) -> Words:
        """The words of the game for this reader."""
        return self.game.words(self.narrator)

    def named(self, seats: Collection[Seat]) -> str:
        """Some of those at the table as a phrase; where two have the same name, with what they are."""
        names = [place.display_name for place in self.seats]
        return self.narrator.listed(
            [
                f"{names[seat]} ({opening(self.game.role(seat, self.words))})" if names.count(names[seat]) > 1 else names[seat]
                for seat in sorted(seats)
            ]
        )
