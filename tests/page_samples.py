"""Pages for tests: read strictly, and made from prepared tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html.parser import HTMLParser
from itertools import pairwise
from typing import Literal

from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.present.html import VOID
from ridotto.web.pages.models import GameCard, Reader, SeatView, TablePage
from ridotto.web.pages.site import game_card
from ridotto.web.pages.table_log import log_lines

HOSTILE = "<img src=x onerror=alert(1)>\"'&{who}"
FIELDS = ("input", "select", "textarea")


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    above: Node | None = None
    below: list[Node] = field(default_factory=list)
    own: str = ""

    @property
    def text(self) -> str:
        return self.own + "".join(one.text for one in self.below)

    def __iter__(self) -> Iterator[Node]:
        yield self
        for one in self.below:
            yield from one

    def all(self, *tags: str) -> list[Node]:
        return [one for one in self if one.tag in tags]

    def inside(self, tag: str) -> bool:
        return self.above is not None and (self.above.tag == tag or self.above.inside(tag))


class Parser(HTMLParser):
    """Reads a page strictly: what is opened must be closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.here = Node("", {})
        self.feed(text)
        self.close()
        assert self.here is self.root, f"<{self.here.tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.below.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert self.here.inside("svg") or self.here.tag == "svg", f"<{tag}/> outside a drawing"
        self.here.below.append(Node(tag, {name: value or "" for name, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        assert self.here.tag == tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.above is not None
        self.here = self.here.above

    def handle_data(self, data: str) -> None:
        self.here.own += data


@lru_cache(2000)
def read(text: str) -> Node:
    """A page as a tree, with everything that must hold of any page looked at. Many parts of pages are the same many times."""
    root = Parser(text).root
    nodes = list(root)
    ids = Counter(node.attributes["id"] for node in nodes if "id" in node.attributes)
    assert [] == [name for name, count in ids.items() if count > 1]
    assert [] == [node.tag for node in nodes if node.tag == "style" or "style" in node.attributes]
    assert [] == [name for node in nodes for name in node.attributes if name.startswith("on")]
    assert [] == [node.text for node in nodes if node.tag == "script" and (node.text or "src" not in node.attributes)]
    for node in nodes:
        for name in ("src", "href", "action"):
            assert node.attributes.get(name, "/").startswith(("/", "#")), node.attributes[name]
        if node.tag == "button":
            assert node.text.strip() or node.attributes.get("aria-label"), node.attributes
        if node.tag in FIELDS and node.attributes.get("type") != "hidden":
            assert node.inside("label") or node.attributes.get("aria-label"), node.attributes
        if node.tag == "img":
            assert node.attributes.get("alt")
        if node.attributes.get("aria-labelledby") and node.tag != "dialog":
            assert node.attributes["aria-labelledby"] in ids
    return root


def read_page(text: str) -> Node:
    """A whole page: one main part, one first heading, and no level of heading left out."""
    root = read(text.removeprefix("<!DOCTYPE html>\n"))
    assert 1 == len(root.all("main")) == len(root.all("h1")) == len(root.below[0].below[0].all("title"))
    levels = [int(node.tag[1]) for node in root.all("h1", "h2", "h3") if not node.inside("template")]
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    return root


def cards(spoken: str) -> tuple[GameCard, ...]:
    """Every game as the lobby shows it."""
    return tuple(game_card(game, spoken) for game in GAMES.values())


def seats(view: View, names: str = "Ada") -> tuple[SeatView, ...]:
    """People, and a bot on the second seat."""
    return tuple(
        SeatView(
            seat,
            "role",
            "bot" if seat == 1 else "person",
            "level:3" if seat == 1 else names,
            you=seat == view.seat,
            here=seat == 0,
            owing=seat in view.to_act,
        )
        for seat in range(view.seats)
    )


def scene(match: Match, seat: int | None, spoken: str = "en", **more: object) -> TablePage:
    """A table as the server would give it to a seat."""
    view = match.view(seat)
    state: Literal["playing", "over"] = "over" if view.outcome else "playing"
    found = TablePage(Reader("Ada", spoken, nonce="sesame"), "t1", match.game, view, seats(view), state)
    return replace(found, log=log_lines(view.seen, found.words), **more)  # type: ignore[arg-type]


def matches(name: str, seed: int, seats: int | None = None) -> Iterator[Match]:
    """A match of random play, at every decision and at its end."""
    game = GAMES[name]
    match = Match(game, seats or min(3, game.seats[-1]), seed=seed, clock=lambda: 0.0)
    chance = random.Random(seed)
    while match.to_act:
        yield match
        seat = chance.choice(match.to_act)
        match.play(chance.choice(match.view(seat).legal), seat)
    yield match


def moments(name: str, seed: int = 1, every: int = 9) -> Iterator[Match]:
    """Some decisions of a match, and its end."""
    for match in matches(name, seed):
        if not match.to_act or match.ply % every == 1 % every:
            yield match
