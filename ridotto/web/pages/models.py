"""The view models of the pages: plain data, and no more of it than this reader may know.

The modules of this folder turn them into HTML and know neither the database nor the other readers; `live` and `server` make
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.present.html import Html
from ridotto.present.narrator import Narrator, clean_name, opening, stage_name
from ridotto.present.scene import Scene
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.clocks import Clock, Terms
from ridotto.web.storage.table_info import Standing

Membership = Literal["", "guest", "member"]
"""Somebody's standing in the club; "" where a server has none."""


@dataclass(frozen=True)
class Reader:
    """The reader of a page."""

    name: str
    """"" until they have said it."""
    language: str
    theme: Literal["auto", "dark", "light"] = "auto"
    motion: bool = True
    nonce: str = ""
    """The token that a form must bring back, so that no other site can send it for them."""
    membership: Membership = ""

    @property
    def narrator(self) -> Narrator:
        """The narrator of pages without a table."""
        return Narrator(self.language)


class SeatView(NamedTuple):
    """One seat of a table, as everybody sees it."""

    seat: Seat
    role: str
    """The game's name of the seat, in the reader's language: "inspector", "red"."""
    kind: Literal["person", "bot", "free"]
    name: str
    """The person's name, or the bot's; "" while it is free."""
    you: bool = False
    here: bool = False
    """Whether the person has the page open."""
    owing: bool = False
    """Whether a decision is owed now."""
    link: str = ""
    """The invitation to this seat, for readers who may give it away."""
    kept: bool = False
    """Whether it is free, and kept for whoever has this name: they are offered a rematch."""
    open: bool = False
    """Whether anybody who comes by may sit down here, while it is free."""
    clock: Clock | None = None
    stand_in: str = ""
    """The bot that plays for the person, while it does."""
    gone: bool = False
    """Whether the person has been away for so long that the table may let a bot play for them."""
    left: Literal["", "resigned", "time"] = ""
    """The way in which the person has left the match for good, if they have."""
    standing: Standing | None = None
    """A member's rating, at a rated table."""

    @property
    def display_name(self) -> str:
        """The name of the person or bot; without one, the role of the seat."""
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
    """The names at a table, in its log and on its boards; "" for whoever has no name."""
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
    offered: bool = False
    """Whether it is a rematch that the reader is offered, or a challenge."""
    is_challenge: bool = False
    rated: bool = False
    watching: int = 0
    age: int = 0
    """Seconds since something last happened there."""
    result: str = ""
    """The winners, as a sentence, when it is over."""
    terms: str = ""
    """The clock, in a few words."""
    language: str = "en"
    """The language of whoever set it up."""

    @property
    def free(self) -> int:
        """The number of free seats."""
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
    by_seats: Mapping[int, str] = field(default_factory=dict)
    """Its text at tables of each size, where it depends on that."""


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
    """A match with one click, at a seat of the reader's."""

    text: str
    seat: Seat


@dataclass(frozen=True)
class ClockTerms:
    """The terms of the clock, in words."""

    kind: Literal["match", "move"]
    seconds: int
    text: str
    consequence: str
    """The consequence of running out of time, as a sentence."""


@dataclass(frozen=True)
class GameCard:
    """A game as the lobby shows it, in one language."""

    name: str
    title: str
    pitch: str
    players: str
    """Their number: "2" or "2–4"."""
    minutes: int
    authors: str
    year: int
    vignette: Html
    quick_starts: tuple[QuickStart, ...]
    """Against bots: one, or where seats differ, one for each."""
    counts: tuple[Choice, ...]
    """The numbers of players; none where there is no choice."""
    levels: tuple[Choice, ...]
    """The strengths of the bots."""
    seats: tuple[SeatChoice, ...]
    options: tuple[OptionField, ...]
    has_lesson: bool
    has_puzzles: bool
    box_name: str
    """The name of its box; "" for the standard one."""


class Friend(NamedTuple):
    """A friend of the reader's."""

    name: str
    here: bool
    """Whether they are at a table now."""


@dataclass(frozen=True)
class LobbyPage:
    """The start page."""

    reader: Reader
    games: tuple[GameCard, ...]
    yours: tuple[TableLine, ...] = ()
    """The reader's tables, the one where something happened last first."""
    open: tuple[TableLine, ...] = ()
    finished: tuple[TableLine, ...] = ()
    fault: str = ""
    """The reason why the last form was refused."""
    now: tuple[TableLine, ...] = ()
    """Tables of people at which is played now, for whoever wants to watch."""
    friends: tuple[Friend, ...] = ()
    seek_seconds: float = 30.0
    """Seconds after which a bot sits down with whoever looks for an opponent."""

    @property
    def current(self) -> list[TableLine]:
        """The reader's tables that are not over: those that wait for the reader first, then those that wait for others."""
        rank = {"playing": 1, "open": 2}
        lines = [line for line in self.yours if line.state != "over"]
        return sorted(lines, key=lambda line: 0 if line.your_turn or line.offered else rank[line.state])

    @property
    def past(self) -> list[TableLine]:
        """The reader's tables that are over."""
        return [line for line in self.yours if line.state == "over"]

    @property
    def turns(self) -> int:
        """At how many tables it is the reader's turn."""
        return sum(line.your_turn for line in self.yours)


class LogLine(NamedTuple):
    """A line of the log in the reader's language."""

    ply: int
    section: str
    text: str
    seat: Seat | None = None
    round: int | None = None
    """The round that it belongs to; None before the first."""
    chapter: int = 0
    """The number of rounds begun, those included that were taken back."""


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
    """The information revealed since."""
    section: str = ""
    anew: bool = False
    """Whether somebody wants what was learned dealt anew."""
    may_anew: bool = False
    never: str = ""
    """The reason why it cannot be dealt anew."""
    missing: tuple[Seat, ...] = ()
    """The seats that have still to agree."""


class DraftView(NamedTuple):
    """A turn that the reader is putting together."""

    decisions: tuple[str, ...]
    told: tuple[str, ...]
    """The drafted decisions, as lines of the log."""
    noted: tuple[str, ...]
    """The decisions that wait, as labels."""
    turn: str
    """The text that is sent when it is confirmed."""
    is_whole: bool
    """Whether nothing is left but to confirm it."""


class CameFrom(NamedTuple):
    """The table that this one came from."""

    kind: Literal["rematch", "onward"]
    """It was a match before this one, or this one goes on from a moment of it."""
    address: str


class Turning(NamedTuple):
    """The turning point of a match."""

    text: str
    """"" while that is being looked for."""
    address: str = ""
    """The moment; "" if no single move decided the match."""


class Deal(NamedTuple):
    """A deal that can be verified, as everybody may know it."""

    text: str
    """The inputs of the deal, as JSON, without the secret."""
    is_wanted: bool
    """Whether everybody sits, and the shares of their browsers are wanted now."""
    is_done: bool
    """Whether the match has begun."""


class TableLinks(NamedTuple):
    """The links to a table, as one reader gets them."""

    own_seat: str = ""
    """The private link to the reader's seat, for another device."""
    table: str = ""
    """For anybody who wants to watch, or to sit down where a seat is open."""
    reach: str = ""
    """A sentence: this machine, this network, or everywhere."""
    is_private: bool = False
    """Whether the table is found by its links alone."""
    card: str = ""
    """The address of the picture that messengers show with a link; "" without one."""


class Agreement(NamedTuple):
    """The terms that a table is played on, besides the options of its game."""

    clock: Terms | None = None
    plays_on: bool = False
    """Whether a bot plays on for whoever resigns or runs out of time."""
    takebacks: Literal["free", "consent", "never"] = "free"
    rated: bool = False
    seeks: bool = False
    """Whether somebody looks for an opponent here, and a bot sits down if nobody comes."""


class Rights(NamedTuple):
    """The reader's part at a table: what they are there, and what they may do."""

    is_seated: bool = False
    """Whether they have a seat: others may watch, and sit down where a seat is open."""
    is_host: bool = False
    may_chat: bool = False
    may_take_back: bool = False
    """Whether they have decided anything that could be taken back, at once or by consent."""
    has_hints: bool = False
    has_guide: bool = False
    """Whether each question is explained to them."""


class Rematch(NamedTuple):
    """The table of a rematch, and the offer of it."""

    address: str = ""
    """The table of the rematch, once there is one."""
    offered_by: Seat | None = None
    """The seat that offers it, if the reader has not answered yet."""
    reserved_seat: Seat | None = None
    """At the table of a rematch or a challenge, the seat that is reserved for the reader, who has not accepted yet."""
    is_challenge: bool = False


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
    thinking: tuple[Seat, ...] = ()
    """Bots that are thinking."""
    degraded: Mapping[Seat, str] = field(default_factory=dict)
    """The reason why bots think less than they would: their game is "warming" up, or the server is "busy"."""
    spoken: Words | None = None
    """The words of the game for this reader, if they were made already."""
    pictured: Scene | None = None
    """The picture of the view, if it was worked out already."""
    since: int = 0
    """The ply up to which the reader has been told what happened: an announcement begins there."""
    recent: int = 0
    """The entry from which on everything is news: the end of the reader's last turn, or for a spectator the latest beat."""
    number: int = 0
    """The number of the state that is shown, for the live messages that follow it."""
    now: int = 0
    """Milliseconds, as the server counts them, when this was drawn."""
    links: TableLinks = field(default_factory=TableLinks)
    agreement: Agreement = field(default_factory=Agreement)
    rights: Rights = field(default_factory=Rights)
    rematch: Rematch = field(default_factory=Rematch)
    offer: OfferView | None = None
    handover: Seat | None = None
    """The seat that a shared device has to be handed to before anything is drawn."""
    chat: tuple[ChatLine, ...] = ()
    came_from: CameFrom | None = None
    draft: DraftView | None = None
    """The turn that the reader is putting together, if the table is shown with it."""
    deal: Deal | None = None
    turning: Turning | None = None
    """The turning point; None while the match goes on, or without a review."""
    webhook: str | None = None
    """The reader's webhook; None if this server has none."""

    @cached_property
    def narrator(self) -> Narrator:
        """The narrator of the table for this reader: in their language, with the names at the table."""
        if self.spoken is not None:
            return self.spoken.narrator
        late = frozenset(place.seat for place in self.seats if place.left == "time")
        return ui(self.game).narrator(self.reader.language, display_names(self.seats), self.view.seat, late)

    @cached_property
    def words(self) -> Words:
        """The words of the game for this reader."""
        return self.spoken or ui(self.game).words(self.narrator)

    @cached_property
    def scene(self) -> Scene:
        """The picture of the view as data."""
        return self.pictured or ui(self.game).scene(self.view, self.words)

    def named(self, seats: Collection[Seat]) -> str:
        """Some of those at the table as a phrase, the reader last; where two have the same name, with what they are."""

        def name(seat: Seat) -> str:
            if self.seats[seat].you:
                return self.narrator.say("you")
            return self.narrator.name(seat, opening(ui(self.game).role(seat, self.words)))

        return self.narrator.listed([name(seat) for seat in sorted(seats, key=lambda seat: (self.seats[seat].you, seat))])
