"""Tables as plain data: their chairs and settings, and what belongs to a match without being in its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from ridotto.bots.review import Review
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.web.clocks import Clock
from ridotto.web.storage.chat import ChatLine
from ridotto.web.storage.offers import Offer
from ridotto.web.storage.table_settings import TableSettings, Takebacks

State = Literal["open", "playing", "over"]


class Standing(NamedTuple):
    """A member's rating at a table, in whole points."""

    points: int
    error: int
    change: int | None = None
    """The change by the match that is over here, if it was counted."""


@dataclass(frozen=True)
class Chair:
    """A chair of a table: the person at a seat, and the bot that decides there."""

    seat: Seat
    kind: Literal["person", "bot", "free"]
    open: bool
    """Whether anybody may sit down here, while it is free."""
    person: str | None
    """The person who sits here; while it is free, the one for whom it is reserved."""
    name: str
    """The person's name, or the bot's."""
    bot: str | None
    """The bot that decides here; at a person's chair, a stand-in."""
    salt: str
    standing: Standing | None = None
    """The rating of the member who sits here, if they have one."""


@dataclass(frozen=True)
class TableInfo:
    """A table without its match, its clocks, offer and chat."""

    id: str
    game: str
    seats: int
    options: Mapping[str, int]
    private: bool
    host: str | None
    language: str
    salt: str
    created: int
    changed: int
    state: State
    to_act: int
    """The seats that owe a decision, one bit each."""
    version: int
    result: Mapping[str, Any] | None
    rematch: str | None
    settings: TableSettings
    origin: Mapping[str, Any] | None
    """The origin of the match: a record, or a position of another table; None: it was dealt here."""
    deal: Mapping[str, Any] | None
    """The commitments that its draws depend on, without the secret of a match that goes on; None if they cannot be verified."""
    chairs: tuple[Chair, ...]
    keys: Mapping[str, Seat | None]
    """The seat that each person may act for; None: may watch. Empty in lists."""
    rated: bool = False
    """Whether it is for ratings: members alone play, besides bots."""
    scored: bool = False
    """Whether its result is among the results."""

    @cached_property
    def is_full(self) -> bool:
        """Whether somebody sits on every chair."""
        return all(chair.kind != "free" for chair in self.chairs)

    @property
    def has_people(self) -> bool:
        """Whether any person plays here."""
        return any(chair.kind != "bot" for chair in self.chairs)

    @property
    def is_against_bots(self) -> bool:
        """Whether all players but one are bots."""
        return sum(chair.kind != "bot" for chair in self.chairs) == 1

    def is_player(self, person: str) -> bool:
        """Whether somebody has a seat here."""
        return self.keys.get(person) is not None

    def may_see(self, person: str) -> bool:
        """Whether somebody may know of this table: strangers may not, if it is private."""
        return not self.private or person in self.keys

    @cached_property
    def plays_on(self) -> bool:
        """Whether a bot plays on for whoever leaves the match; otherwise it is over, and the others have won.

        Unless the table was set up otherwise, a bot plays on where there are more than two seats and other people.
        """
        if self.settings.leaving is not None:
            return self.settings.leaving == "bot"
        people = [chair for chair in self.chairs if chair.kind != "bot" and chair.seat not in self.settings.left]
        return self.seats > 2 and len(people) > 1

    @property
    def has_hints(self) -> bool:
        """Whether those who play may ask for hints: against bots alone, unless the table was set up otherwise."""
        return self.settings.hints == "all" or (self.settings.hints == "bots" and self.is_against_bots)

    @property
    def takebacks(self) -> Takebacks:
        """Whether decisions may be taken back. Where all others are bots, there is nobody who could consent."""
        return "free" if self.settings.takebacks == "consent" and self.is_against_bots else self.settings.takebacks

    def holders(self, seat: Seat) -> list[str]:
        """The people who may act for a seat."""
        holders = [person for person, key in self.keys.items() if key == seat]
        if self.host and seat in self.settings.shared_seats and self.host not in holders:
            return [self.host, *holders]
        return holders

    def reserved_for(self, person: str) -> Seat | None:
        """The free seat that is reserved for somebody who was offered a rematch."""
        seats = (chair.seat for chair in self.chairs if chair.kind == "free" and chair.person == person)
        return next(seats, None)

    def asked_for_consent(self, offer: Offer) -> list[Seat]:
        """The seats that have to agree to an offer. Bots always do, and so do those who share the proposer's device."""
        beside = self.settings.shared_seats if offer.proposer in self.settings.shared_seats else ()
        players = (chair.seat for chair in self.chairs if chair.kind == "person" and chair.bot is None)
        return [seat for seat in players if seat not in (offer.proposer, offer.seat, *beside)]


@dataclass(frozen=True)
class Extras:
    """The clocks, the offer, the chat and the review of a table. Nothing of it enters a record."""

    clocks: Mapping[Seat, Clock] = field(default_factory=dict)
    offer: Offer | None = None
    chat: tuple[ChatLine, ...] = ()
    """The latest lines, oldest first."""
    review: Review | None = None
    """The review of a match that is over, with the judgement of its turning point alone."""
    is_reviewing: bool = False
    """Whether that review is still being made."""


@dataclass(frozen=True)
class NewTable:
    """A table about to be created."""

    id: str
    match: Match
    private: bool
    host: str | None
    language: str
    salt: str
    chairs: tuple[Chair, ...]
    keys: Mapping[str, Seat | None]
    settings: TableSettings = field(default_factory=TableSettings)
    origin: Mapping[str, Any] | None = None
    rated: bool = False

    @property
    def state(self) -> State:
        """Over, playing, or open while a chair is free or the match is not dealt."""
        if self.match.is_dealt and not self.match.to_act:
            return "over"
        return "open" if not self.match.is_dealt or any(chair.kind == "free" for chair in self.chairs) else "playing"
