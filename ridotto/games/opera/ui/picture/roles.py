"""The role cards beside the budget table, and the three figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import FEE
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.cities import STAND, heading
from ridotto.games.opera.ui.picture.faces import role_face
from ridotto.games.opera.ui.picture.facts import letters
from ridotto.games.opera.ui.picture.marks import BOLD, EDGE, FACT, TEXT
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Grid, drawing, halo, path, token
from ridotto.present.narrator import mark
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, group, shape, tag, write

CARDS: Final = Grid(1, 254, 32.5, row_gap=2, x=EDGE, y=318)
"""The cards, below one another."""
PURPOSES: Final = (
    mark("buy 2, rearrange"),
    mark("build 1 or 2 parts"),
    mark("sell 1 to the Palazzo"),
    mark("double a city's income"),
    mark("raise or lower fame"),
    mark("score in a city"),
)
"""The use of each role, in a few words."""


def items(view: View, words: Words) -> Sequence[Item]:
    """The role cards: taken, being played or to be hired; with who has hired them, if that is known."""
    return _cards(words, view.row[F.taken], view.row[F.role], _hirers(view))


@drawing
def _cards(words: Words, taken: int, playing: int, hirers: tuple[Seat, ...]) -> Sequence[Item]:
    cards = []
    for role, name in enumerate(rules.ROLE.names):
        cls = "playing" if role == playing else "taken" if taken >> role & 1 else ""
        look = card(role, words.say(PURPOSES[role]))
        key, title, hirer = f"role-{name}", words.role(role), hirers[role]
        cards.append(Item(key, "budget", look, *CARDS.place(role), 1, cls, title, A.hire + role, ask=True))
        if hirer != rules.NONE:
            cards.append(Item(f"hirer-{name}", key, token(hirer, 24, letters(words, hirer)), 14, 20))
        elif taken >> role & 1:
            cards.append(Item(f"hirer-{name}", key, STRUCK))
    return cards


def _hirers(view: View) -> tuple[Seat, ...]:
    """The seat that has hired each role in this round, as far as the view tells; NONE for a role that is not taken."""
    s = view.row
    hirers = [rules.NONE] * 6
    unknown = s[F.taken]
    if s[F.role] != rules.NONE:
        hirers[s[F.role]] = s[F.hirer]
        unknown &= ~(1 << s[F.role])
    if unknown:
        for one in view.in_effect():
            if one.event.name == "opens":
                break
            if one.event.name == "hires" and unknown >> one.values["role"] & 1:
                hirers[one.values["role"]] = one.values["seat"]
                unknown &= ~(1 << one.values["role"])
                if not unknown:
                    break
    return tuple(hirers)


def figures(view: View) -> Sequence[Item]:
    """The three figures: each in a city, or on its card before its first move."""
    return _figures(view.row[F.figure : F.figure + 3], view.is_played_out)


@drawing
def _figures(cities: tuple[int, ...], is_over: bool) -> Sequence[Item]:
    items = []
    for number, city in enumerate(cities):
        name = rules.FIGURE.names[number]
        if city != rules.NONE:
            x = heading(city).places + STAND * (cities[:number].count(city) + 0.5)
            items.append(
                Item(f"figure-{name}", f"visit-{rules.CITY.names[city]}", figure(number), x, 26, 0.92, title=name.title())
            )
        elif not is_over:
            items.append(Item(f"figure-{name}", f"role-{name}", figure(number), 33, 17, 0.78, title=name.title()))
    return items


# Looks.


@drawing
def card(role: int, purpose: str) -> str:
    """A role card: its portrait, its fee, what it is for; around it the frame of the role being played."""
    wide, tall = CARDS.wide, CARDS.tall
    parts = [tag("rect", cls="raised", width=wide, height=tall, rx=7)]
    parts.append(tag("g", Svg(_portrait(role)), transform="translate(20 16.2) scale(0.62)"))
    parts.append(write(rules.ROLE.names[role].title(), 42, 15, FACT, cls="name bold", anchor="start", within=104))
    parts += [shape(-4, wide - 27 - 12 * i, 10, 9, cls="gilt") for i in range(FEE[role])]
    parts.append(write(str(FEE[role]), wide - 8, 16, BOLD, cls="gilt bold", anchor="end"))
    parts.append(write(purpose, 42, 28.5, TEXT, cls="quiet", anchor="start", within=wide - 50))
    spotlight = tag("rect", cls="spotlight", width=wide, height=tall, rx=7)
    return "".join((group(parts, cls="face"), halo(0, 0, wide, tall), spotlight))


STRUCK: Final = path(f"M8 8L{CARDS.wide - 8} {CARDS.tall - 8}", "rule")
"""A line through a role that is taken, nobody knows by whom."""
PROPS: Final = (
    "M-12-11H12M-7.5-11V-22H7.5V-11Z",  # a top hat
    "M9-13L15 9M9-13L3 9M5.5 0H12.5",  # a pair of compasses
    "M5 15L17 5M5 15L14-1M5 15L8-3M5 15L1-2M17 5C17 0 12-5 1-2",  # a fan
    "M4 13L16-12",  # a baton
    "M4 15C5 5 9-4 16-11C17-3 13 6 4 15",  # a quill
    "M-4-6A3.6 3.6 0 1 0 3.2-6A3.6 3.6 0 1 0-4-6M3-4C6 0 6 6 4 12",  # an eyeglass on a ribbon
)
"""The attribute of each role, as a path around its portrait."""


def _portrait(role: int) -> str:
    """Somebody in an oval frame, with the attribute of the role."""
    oval = tag("ellipse", cls="portrait", rx=20, ry=24)
    prop = [path(PROPS[role], cls) for cls in ("shadow", "prop filled" if role in (0, 4) else "prop")]
    return group([oval, role_face(role), *prop, tag("ellipse", cls="rim", rx=20, ry=24)])


@drawing
def figure(number: int) -> str:
    """One of the three figures, a pawn with its letter, each with a head of its own."""
    name = rules.FIGURE.names[number].title()
    body = path("M-12 16C-12 6-6 2-5-6H5C6 2 12 6 12 16Z", f"figure{number}")
    sides, size = ((0, 13), (4, 11), (3, 13))[number]
    return "".join((body, shape(sides, 0, -11, size, f"figure{number}"), write(name[0], 0, 14, 16, cls="onfigure name")))
