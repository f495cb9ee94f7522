"""The form of a new table: which game, who sits where, and what was agreed on."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, get_args

from ridotto import bots
from ridotto.club.names import is_reserved
from ridotto.core.fair import HEX
from ridotto.core.game import Game
from ridotto.engine.fields import Seat
from ridotto.present.narrator import LEVELS, clean_name, mark
from ridotto.present.ui import ui
from ridotto.web.clocks import parse_terms
from ridotto.web.errors import RequestError
from ridotto.web.identity import Person, new_id
from ridotto.web.pages import home
from ridotto.web.pages.aids import HINTS
from ridotto.web.pages.site import EASY
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.table_info import Chair
from ridotto.web.storage.table_settings import Hints, Leaving, TableSettings, Takebacks

BOTS: Final = frozenset(f"bot:level:{level}" for level in range(1, len(LEVELS) + 1))
"""The bots that a table may have, as a form names them."""
LEAVING: Final = get_args(Leaving)
TAKEBACKS: Final = get_args(Takebacks)
PEOPLE: Final = ("me", "here", "friend", "open")
"""The people that a table may have, as a form names them."""


def is_on(form: Mapping[str, Any], name: str) -> bool:
    """Whether a box of a form is ticked.

    >>> is_on({"private": "1"}, "private"), is_on({"private": "0"}, "private"), is_on({}, "private")
    (True, False, False)
    """
    return str(form.get(name, "")) not in ("", "0")


def parse_sitters(form: Mapping[str, Any], game: Game) -> list[str]:
    """The sitters by seat, as the form names them: "me", "here", "friend", "open" or a bot; raises RidottoError."""
    if "bots" in form or "friend" in form:
        return _quick_sitters(form, game)
    given = [str(form.get(f"seat{seat}", "")) for seat in range(10)]
    sitters = [who for who in given if who not in ("", "none")]
    game.seat_count(len(sitters))
    for who in sitters:
        if who not in PEOPLE and f"bot:{who.removeprefix('bot:')}" not in BOTS:
            raise RequestError(mark("nobody is called {name}"), name=repr(who[:40]))
    return sitters


def _quick_sitters(form: Mapping[str, Any], game: Game) -> list[str]:
    """The sitters by seat of a table of one click: the reader at the seat that the button names, a friend perhaps, and bots."""
    usual = ui(game).page.usual_seats or game.seats[0]
    count, level, own = (str(form.get(name, "")) for name in ("players", "level", "friend" if "friend" in form else "bots"))
    seats = game.seat_count(int(count) if count.isdecimal() and len(count) < 3 else usual)
    bot = f"bot:level:{level or EASY}"
    if bot not in BOTS:
        raise RequestError(mark("nobody is called {name}"), name=repr(bot[:40]))
    if own not in map(str, range(seats)):
        raise RequestError(mark("there is no such seat"))
    sitters = [bot] * seats
    if "friend" in form:
        sitters[(int(own) + 1) % seats] = "here" if home.in_tab() else "friend"
    sitters[int(own)] = "me"
    return sitters


def parse_options(form: Mapping[str, Any], game: Game) -> dict[str, int]:
    """The options of the game; raises RidottoError."""
    options = {}
    for name, value in form.items():
        if name.startswith("option."):
            text = str(value).strip()
            if not text.removeprefix("-").isdecimal() or len(text) > 6:
                raise RequestError(mark("an option takes a number, not {value}"), value=repr(text[:20]))
            options[name.removeprefix("option.")] = int(text)
    return game.settle(options)


def parse_commitment(form: Mapping[str, Any]) -> str | None:
    """The commitment of a browser to its share of the deal; None without one. See docs/fair-deal.md."""
    given = str(form.get("commitment", ""))
    if given and not HEX.fullmatch(given):
        raise RequestError(mark("a commitment has 64 hexadecimal digits"))
    return given or None


def parse_settings(form: Mapping[str, Any]) -> TableSettings:
    """The settings of a table besides the options of its game: the clock, leaving, takebacks, hints, chat."""
    clock = parse_terms(*(str(form.get(name, "")).strip() for name in ("clock", "added")))
    leaving, takebacks, hints = (str(form.get(name, "")) for name in ("leaving", "takebacks", "hints"))
    if leaving and leaving not in LEAVING:
        message = mark("when a player leaves, the match ends or a bot plays on, not {value}")
        raise RequestError(message, value=repr(leaving[:20]))
    if takebacks and takebacks not in TAKEBACKS:
        raise RequestError(mark("takebacks are free, by consent, or never, not {value}"), value=repr(takebacks[:20]))
    return TableSettings(
        clock=clock,
        leaving=cast(Leaving, leaving) if leaving else None,
        takebacks=cast(Takebacks, takebacks or "free"),
        hints=cast(Hints, hints) if hints in HINTS else "bots",
        only_players_chat=is_on(form, "hushed"),
        guide=is_on(form, "guide"),
    )


def check_rated(game: Game, sitters: Sequence[str], is_member: bool) -> None:
    """Refuse a rated table that could not be rated; raises RequestError."""
    if not is_member:
        raise RequestError(mark("rated tables are for members: sign in, or become one"))
    if "here" in sitters:
        raise RequestError(mark("at a rated table everybody plays on a device of their own"))
    if "me" not in sitters:
        raise RequestError(mark("at a rated table somebody plays"))
    if not game.tuning.ratings.get(len(sitters)) and any(who not in PEOPLE for who in sitters):
        raise RequestError(
            mark("nobody has measured these bots at a table of {seats}: play a casual match"), seats=len(sitters)
        )


def shared_seats(sitters: Sequence[str]) -> tuple[Seat, ...]:
    """The seats of those who play on the device of whoever sets up the table, if they are several."""
    seats = tuple(seat for seat, who in enumerate(sitters) if who in ("me", "here"))
    return seats if len(seats) > 1 else ()


async def create_guests(people: PeopleStorage, names: str, seats: Sequence[Seat], language: str) -> dict[Seat, str]:
    """Create the people who play on somebody else's device: a name each, and no cookie of their own."""
    given = [clean_name(name) for name in names.split(",")][: len(seats)]
    members = await people.taken(given, "", members_only=True)
    for name in given:
        if is_reserved(name) or name in members:
            raise RequestError(mark("{name} is the name of a member, or like that of a bot: choose another one"), name=name)
    guests = {}
    for at, seat in enumerate(seats):
        person = Person(new_id(), given[at] if at < len(given) else "", language)
        await people.save(person)
        guests[seat] = person.id
    return guests


def new_chair(seat: Seat, who: str, person: str) -> Chair:
    """The chair of a sitter, as the form names them; `person` sits there if it is a person of this device."""
    salt = secrets.token_hex(16)
    if who in ("me", "here"):
        return Chair(seat, "person", False, person, "", None, salt)
    if who in ("friend", "open"):
        return Chair(seat, "free", who == "open", None, "", None, salt)
    bot = bots.find(who.removeprefix("bot:")).name
    return Chair(seat, "bot", False, None, bot, bot, salt)
