"""The pages of players: their matches, head to head, statistics and ratings over time; and one's own matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from ridotto.club.ratings import NORMAL
from ridotto.games import GAMES
from ridotto.present.html import Html, seat_badge
from ridotto.present.narrator import Narrator, mark, opening, stage_name
from ridotto.present.svg import Svg, tag
from ridotto.present.ui import ui
from ridotto.web.pages import art
from ridotto.web.pages.club import day
from ridotto.web.pages.models import Reader
from ridotto.web.pages.site import page
from ridotto.web.pages.table_parts import change_text, rating_text
from ridotto.web.storage.results import Opponent, Rated, ResultLine

PAGE_LINES: Final = 50
"""Matches on a page."""
MOST_RIVALS: Final = 20
LONGEST_SEARCH: Final = 40


@dataclass(frozen=True)
class Filter:
    """The matches that a reader wants to see."""

    game: str = ""
    outcome: str = ""
    """"won" or "lost"; "" is either."""
    kind: str = ""
    """"rated", "people" or "bots"; "" is any."""
    who: str = ""
    """A part of the name of somebody at the table."""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Filter:
        """A filter as an address has it; whatever is no filter is left out.

        >>> Filter.read({"game": "opera", "outcome": "perhaps", "who": " Ann "})
        Filter(game='opera', outcome='', kind='', who='Ann')
        """
        game, outcome, kind = (query.get(name, "") for name in ("game", "outcome", "kind"))
        return cls(
            game if game in GAMES else "",
            outcome if outcome in ("won", "lost") else "",
            kind if kind in ("rated", "people", "bots") else "",
            query.get("who", "")[:LONGEST_SEARCH].strip(),
        )

    def takes(self, line: ResultLine) -> bool:
        """Whether a match is wanted."""
        is_kind = {"rated": line.before is not None, "people": line.people > 1, "bots": line.people == 1, "": True}[self.kind]
        is_outcome = {"won": line.share > 0, "lost": line.share <= 0, "": True}[self.outcome]
        names = " ".join(f"{one.name} {one.member_name}" for one in line.others).casefold()
        return is_kind and is_outcome and self.game in ("", line.game) and self.who.casefold() in names

    @property
    def query(self) -> str:
        """The filter as a part of an address."""
        given = {"game": self.game, "outcome": self.outcome, "kind": self.kind, "who": self.who}
        return urlencode({name: value for name, value in given.items() if value})


class Name(NamedTuple):
    """Somebody at a table, with the address of their page if they have one."""

    text: str
    address: str


class MatchRow(NamedTuple):
    """A finished match as a row of a list."""

    table: str
    day: str
    title: str
    role: str
    badge: Html
    others: tuple[Name, ...]
    result: str
    is_won: bool
    rating: str
    change: str
    is_private: bool


class Rival(NamedTuple):
    """Somebody as an opponent, match by match."""

    name: Name
    matches: int
    won: str
    lost: str


class Share(NamedTuple):
    """A part of the matches of a game: at so many seats, or in a role."""

    text: str
    badge: Html
    matches: int
    won: str
    bar: Html


class GameStatistics(NamedTuple):
    """The matches of somebody in one game."""

    name: str
    title: str
    vignette: Html
    whole: Share
    by_seats: tuple[Share, ...]
    by_role: tuple[Share, ...]


class RatingRow(NamedTuple):
    """A rating, with how it went."""

    title: str
    role: str
    text: str
    interval: str
    matches: int
    curve: Html | None


@dataclass(frozen=True)
class PlayerPage:
    """Somebody's page, for one reader."""

    name: str
    is_own: bool
    is_hidden: bool
    is_friend: bool
    may_challenge: bool
    ratings: Sequence[Rated]
    lines: Sequence[ResultLine]
    filter: Filter
    number: int
    """Of the part of the list, from 1 on."""


def player(reader: Reader, shown: PlayerPage) -> str:
    """The page of a player."""
    narrator = reader.narrator
    return page(
        "player.html",
        reader,
        narrator,
        player=shown,
        address=f"/p/{quote(shown.name, safe='')}",
        ratings=[_rating_row(narrator, one, shown.lines) for one in shown.ratings if one.game in GAMES],
        games=_statistics(narrator, shown.lines),
        rivals=_rivals(narrator, shown.lines),
        list=match_list(narrator, shown.lines, shown.filter, shown.number),
        challenges=[(game.name, game.title) for game in GAMES.values()],
    )


def matches(reader: Reader, lines: Sequence[ResultLine], chosen: Filter, number: int) -> str:
    """One's own finished matches."""
    return page("matches.html", reader, reader.narrator, list=match_list(reader.narrator, lines, chosen, number))


RULE_SENTENCES: Final = (
    mark("Only rated matches count. A match that ends before everybody has decided something does not."),
    mark(
        "A table with two seats of the same owner never counts. Two accounts that have signed in by the same "
        "browser within ninety days are taken for one person's; two of the same network address are shown to the "
        "host."
    ),
    mark(
        "Who leaves, or runs out of time, has lost, also if a bot has won in their place. What the others won is "
        "scaled to a whole win."
    ),
    mark(
        "Bots of the house are anchors: their strength was measured, and never changes. So a level and a person "
        "can be compared."
    ),
    mark("Each game has ratings of its own, and each role of a game that has roles."),
    mark(
        "If one of two people has 90 % or more of what both have won against each other in 90 days, and one of "
        "them is new, the fourth such win and each later one counts half as much as the one before. The pair is "
        "shown to the host."
    ),
    mark("Every day without a match makes a rating less certain, until it is as that of a new player."),
    mark(
        "At a rated table nobody takes back, nobody asks for hints, everybody plays on a device of their own, and "
        "who plays is a member or a bot."
    ),
)
"""The rules of `ridotto.club.ratings`, and what tables add to them."""


def rules_of_ratings(reader: Reader) -> str:
    """How ratings work."""
    return page("ratings.html", reader, reader.narrator, rules=[reader.narrator.say(one) for one in RULE_SENTENCES])


class MatchList(NamedTuple):
    """A list of matches with its filter, part by part."""

    rows: tuple[MatchRow, ...]
    matches: int
    chosen: Filter
    number: int
    last: int
    games: tuple[tuple[str, str], ...]

    def query(self, number: int) -> str:
        """The query of a part of it."""
        return "&".join(filter(None, (self.chosen.query, f"page={number}")))


def match_list(narrator: Narrator, lines: Sequence[ResultLine], chosen: Filter, number: int) -> MatchList:
    """The matches that a filter takes, of which one part is shown."""
    taken = [line for line in lines if line.game in GAMES and chosen.takes(line)]
    last = max(1, ceil(len(taken) / PAGE_LINES))
    number = min(max(1, number), last)
    some = taken[PAGE_LINES * (number - 1) : PAGE_LINES * number]
    games = tuple((game.name, game.title) for game in GAMES.values())
    return MatchList(tuple(_match_row(narrator, line) for line in some), len(taken), chosen, number, last, games)


def _match_row(narrator: Narrator, line: ResultLine) -> MatchRow:
    game = GAMES[line.game]
    words = ui(game).words(ui(game).narrator(narrator.language))
    say = narrator.say
    if line.share > 0:
        result = say("won") if line.share >= 1 else say("win shared")
    else:
        result = say("lost") if line.stayed else say("left")
    return MatchRow(
        line.table,
        day(line.ended),
        game.title,
        opening(ui(game).role(line.seat, words)),
        seat_badge(line.seat),
        tuple(_name(narrator, one, opening(ui(game).role(one.seat, words))) for one in line.others),
        result,
        line.share > 0,
        "" if line.after is None else rating_text(line.after, line.error or 0.0),
        "" if line.after is None or line.before is None else change_text(round(line.after) - round(line.before)),
        line.is_private,
    )


def _name(narrator: Narrator, one: Opponent, role: str) -> Name:
    if one.bot is not None:
        return Name(f"{stage_name(one.seat)} ({narrator.rank(one.bot)})", "")
    return Name(one.name or one.member_name or role, f"/p/{quote(one.member_name, safe='')}" if one.is_member else "")


def _rivals(narrator: Narrator, lines: Iterable[ResultLine]) -> list[Rival]:
    """Head to head with those whom somebody has met most often, bots by level."""
    met: dict[str, list[tuple[ResultLine, Opponent]]] = {}
    for line in lines:
        for one in line.others:
            key = one.bot or (one.person if one.is_member else None)
            if key:
                met.setdefault(key, []).append((line, one))
    found = []
    for pairs in sorted(met.values(), key=len, reverse=True)[:MOST_RIVALS]:
        last = pairs[0][1]
        won = sum(line.share for line, _ in pairs)
        name = Name(narrator.rank(last.bot), "") if last.bot is not None else _name(narrator, last, "")
        if last.bot is None:
            name = Name(last.member_name, name.address)
        found.append(Rival(name, len(pairs), _wins(won), _wins(len(pairs) - won)))
    return found


def _wins(number: float) -> str:
    """A number of wins, of which some may be shared.

    >>> _wins(3.0), _wins(2.5), _wins(1 / 3)
    ('3', '2.5', '0.3')
    """
    return f"{number:.1f}".removesuffix(".0")


def _statistics(narrator: Narrator, lines: Sequence[ResultLine]) -> list[GameStatistics]:
    """The matches of somebody game by game, by the number of seats and by role."""
    found = []
    for game in GAMES.values():
        own = [line for line in lines if line.game == game.name]
        if not own:
            continue
        words = ui(game).words(ui(game).narrator(narrator.language))
        seats, roles = sorted({line.seats for line in own}), sorted({line.seat for line in own if line.role})
        by_seats = [
            _share(
                words.count("{number} player", "{number} players", count), Html(""), [one for one in own if one.seats == count]
            )
            for count in seats
        ]
        by_role = [
            _share(opening(ui(game).role(seat, words)), seat_badge(seat), [one for one in own if one.seat == seat])
            for seat in roles
        ]
        found.append(
            GameStatistics(
                game.name,
                game.title,
                Html(art.vignette(game, narrator.language)),
                _share(narrator.say("all matches"), Html(""), own),
                tuple(by_seats) if len(seats) > 1 else (),
                tuple(by_role),
            )
        )
    return found


def _share(text: str, badge: Html, lines: Sequence[ResultLine]) -> Share:
    won = sum(line.share for line in lines)
    return Share(text, badge, len(lines), _wins(won), Html(bar(won / len(lines))))


# Pictures.

BAR: Final = 120
CURVE_WIDTH: Final = 560
CURVE_HEIGHT: Final = 180
MARGIN: Final = 44
"""Left of a curve, for the points."""
MOST_POINTS: Final = 200
"""Points of a curve: the latest."""


def bar(part: float) -> Svg:
    """A part of a whole as a bar."""
    inside = [tag("rect", cls="bar-whole", width=BAR, height=10, rx=5)]
    inside.append(tag("rect", cls="bar-part", width=round(BAR * part, 1), height=10, rx=5))
    return Svg(tag("svg", *inside, viewBox=f"0 0 {BAR} 10", cls="bar-picture", aria_hidden="true"))


def _rating_row(narrator: Narrator, rated: Rated, lines: Sequence[ResultLine]) -> RatingRow:
    game = GAMES[rated.game]
    words = ui(game).words(ui(game).narrator(narrator.language))
    own = [line for line in reversed(lines) if line.game == rated.game and line.role == rated.role and line.after is not None]
    low, high = rated.points - NORMAL * rated.error, rated.points + NORMAL * rated.error
    points = [(line.ended, line.after or 0.0, line.error or 0.0) for line in own]
    label = narrator.say("The rating over time, from {low} to {high} now", low=round(low), high=round(high))
    return RatingRow(
        game.title,
        opening(words.say(rated.role)) if rated.role else "",
        rating_text(rated.points, rated.error),
        narrator.say("between {low} and {high}, 19 times in 20", low=round(low), high=round(high)),
        round(rated.matches),
        Html(rating_curve(points[-MOST_POINTS:], label)) if len(points) > 1 else None,
    )


def rating_curve(points: Sequence[tuple[float, float, float]], label: str) -> Svg:
    """A rating match by match: the line is the rating, the band two standard errors wide on either side of it."""
    low = floor(min(rating - 2 * error for _, rating, error in points) / 100) * 100
    high = max(ceil(max(rating + 2 * error for _, rating, error in points) / 100) * 100, low + 100)

    def x(at: int) -> float:
        return round(MARGIN + (CURVE_WIDTH - MARGIN - 8) * at / (len(points) - 1), 1)

    def y(rating: float) -> float:
        return round(8 + (CURVE_HEIGHT - 30) * (high - rating) / (high - low), 1)

    step = 100 * ceil((high - low) / 500)
    inside = []
    for rating in range(low, high + 1, step):
        inside.append(tag("path", cls="curve-grid", d=f"M{MARGIN} {y(rating)}H{CURVE_WIDTH - 8}"))
        inside.append(tag("text", str(rating), cls="curve-text", x=MARGIN - 6, y=y(rating) + 4, text_anchor="end"))
    above = [f"{x(at)} {y(rating + 2 * error)}" for at, (_, rating, error) in enumerate(points)]
    below = [f"{x(at)} {y(rating - 2 * error)}" for at, (_, rating, error) in enumerate(points)]
    inside.append(tag("path", cls="curve-band", d=f"M{'L'.join([*above, *reversed(below)])}Z"))
    inside.append(
        tag("path", cls="curve-line", d=f"M{'L'.join(f'{x(at)} {y(rating)}' for at, (_, rating, _) in enumerate(points))}")
    )
    for at, anchor in ((0, "start"), (len(points) - 1, "end")):
        text = tag("text", day(points[at][0]), cls="curve-text", x=x(at), y=CURVE_HEIGHT - 6, text_anchor=anchor)
        inside.append(text)
    inside.append(tag("circle", cls="curve-now", cx=x(len(points) - 1), cy=y(points[-1][1]), r=4))
    whole = f"0 0 {CURVE_WIDTH} {CURVE_HEIGHT}"
    return Svg(tag("svg", tag("title", label), *inside, viewBox=whole, cls="curve", role="img"))
