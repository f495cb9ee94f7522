"""The fame ladder: each composer's fame, which is the price, and the pieces on offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.faces import composer_face
from ridotto.games.opera.ui.picture.facts import MUTED, Halls, asks, partial_row
from ridotto.games.opera.ui.picture.marks import BOLD, EDGE, FACT, coin, head, medallion, note
from ridotto.games.opera.ui.picture.rounds import century_title
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Grid, drawing, frame, halo, path, rect
from ridotto.present.scene import Item
from ridotto.present.svg import shape, tag, write

WIDTH: Final = 260
INNER: Final = WIDTH - 2 * EDGE
TALL: Final = 42
"""The height of a step."""
STEPS: Final = Grid(1, INNER, TALL, row_gap=3, x=EDGE, y=39)
"""The steps, the highest first."""
HEIGHT: Final = 39 + STEPS.height(rules.TOP_FAME) + 4
PIECE: Final = 34
"""The size of a piece on offer."""
OFFER: Final = 56
"""The room for the pieces on offer, but for the last one: where there are more, they lie closer."""


def board(words: Words) -> str:
    """The ladder without composers."""
    steps = [rect(*_place(fame), INNER, TALL, "raised") for fame in range(1, rules.TOP_FAME + 1)]
    return "".join((frame(HEIGHT, WIDTH), head(words.say("Fame and offer"), WIDTH), *steps))


def _place(fame: int) -> tuple[float, float]:
    return STEPS.place(rules.TOP_FAME - fame)


def items(view: View, words: Words, halls: Halls) -> list[Item]:
    """The composers from the top, with their price, how often they are performed, where they are going, what is on offer."""
    standings = standings_of(view, halls)
    ladder = [_price(words, view.is_played_out)]
    ladder += sorted(_step(one.fame, composer) for composer, one in enumerate(standings))
    for composer, one in enumerate(standings):
        ladder += _composer(words, composer, one, view.row[F.offer + composer], False)
    return ladder


def verdicts(view: View, words: Words, halls: Halls) -> Iterator[Item]:
    """The four verdicts of the Critico beside each composer: two steps up, one up, one down, two down."""
    if not asks(view, rules.REVIEW):
        return
    row = list(view.row)
    judged = rules.performed_in(row, row[F.figure + rules.CRITICO - rules.MAESTRO])
    for composer, one in enumerate(standings_of(view, halls)):
        if not judged >> composer & 1:
            continue
        yield _step(one.fame, rules.NONE)
        yield from _composer(words, composer, one, row[F.offer + composer], True)
        for at, steps in enumerate((2, 1, -1, -2)):
            if not rules.may_judge(row, composer, steps):
                verb, size = "praise" if steps > 0 else "scorn", abs(steps)
                action = (A.praise if steps > 0 else A.scorn) + composer * 2 + size - 1
                key, look, x = f"{verb}-{composer}-{size}", verdict(steps, one.fame + steps), 186 - 40 * (4 - at)
                yield Item(key, f"composer-{composer}", look, x, 2 - TALL / 2, action=action)


# Composers.


class Standing(NamedTuple):
    """A composer on the ladder: performed how often, with which fame now and after this round, and the points to come."""

    times: int
    fame: int
    later: int
    bonus: tuple[int, ...]


def standings_of(view: View, halls: Halls) -> tuple[Standing, ...]:
    """All composers on the ladder."""
    row = view.row
    fame = row[F.fame : F.fame + 6]
    later = fame if view.is_played_out else _fame_after(fame, row[F.great : F.great + 24], row[F.side : F.side + 24])
    return _standings(fame, later, halls.times, row[F.century + row[F.counts] : F.century + 3], row[F.counts])


@drawing
def _standings(
    fame: tuple[int, ...], later: tuple[int, ...], times: tuple[int, ...], century: tuple[int, ...], counts: int
) -> tuple[Standing, ...]:
    return tuple(
        Standing(times[one], fame[one], later[one], tuple(counts + at + 1 for at, other in enumerate(century) if other == one))
        for one in range(6)
    )


@drawing
def _fame_after(fame: tuple[int, ...], great: tuple[int, ...], side: tuple[int, ...]) -> tuple[int, ...]:
    """The fame of all composers at the end of a round, by the rules."""
    row = partial_row(seats=rules.MOST_SEATS, fame=fame, great=great, side=side)
    rules.update_fame(row, MUTED)
    return tuple(row[F.fame : F.fame + 6])


@drawing
def _price(words: Words, is_over: bool) -> Item:
    text = "" if is_over else note(words.say("fame is the price"), words.say("Fame and offer"), WIDTH)
    return Item("price", "ladder", text)


@drawing
def _step(fame: int, composer: int) -> Item:
    """A step of the ladder, for the composer who stands there; for none if it does not stand for buying."""
    action = -1 if composer == rules.NONE else A.buy + composer
    look = halo(0, 0, INNER, TALL, 6) + coin(str(fame), 15, 20, TALL / 2)
    return Item(f"step-{fame}", "ladder", look, *_place(fame), action=action, ask=action >= 0)


@drawing
def _composer(words: Words, composer: int, one: Standing, offer: int, is_judged: bool) -> Sequence[Item]:
    """A composer on a step, the facts below the name, and what is on offer: instead of that, verdicts if they are judged."""
    name, key = words.composer(composer), f"composer-{composer}"
    bonus = () if is_judged else one.bonus
    title = words.say("performed: {times}", times=one.times)
    if one.later != one.fame:
        title += " · " + words.say("fame after this round, as it stands: {fame}", fame=one.later)
    for points in bonus:
        title += " · " + century_title(words, composer, points)
    pitch = min(PIECE + 3, OFFER / max(1, offer - 1))
    room = INNER - 84 - PIECE - pitch * (offer - 1) if offer else INNER - 84
    text = "" if is_judged else write(name, 22, -3, BOLD, cls="name bold", anchor="start", within=room)
    items = [
        Item(key, f"step-{one.fame}", composer_face(composer, 38) + text, 57, TALL / 2, title=name),
        Item(f"facts-{composer}", key, "" if is_judged else facts(one.times, one.fame, one.later, bonus), 22, 16, title=title),
    ]
    piece, title = medallion(composer, PIECE), words.say("on offer: {composer}", composer=name)
    for copy in range(offer):
        place = Item(f"offer-{composer}-{copy}", key)
        items.append(place if is_judged else place._replace(look=piece, x=INNER - 60 - PIECE / 2 - pitch * copy, title=title))
    return items


@drawing
def facts(times: int, fame: int, later: int, bonus: tuple[int, ...]) -> str:
    """A composer's performances, the fame after this round, and the points of the centuries still to come."""
    parts = [path("M4-2a3.2 2.6 0 1 1-1-2V-12h1.8c0 3 3.5 3 3.5 6c-1-2-2.5-2-3.5-2Z", "quiet")]
    parts.append(write(str(times), 10, 0, FACT, cls="quiet", anchor="start"))
    x = 30
    if later != fame:
        cls, arrow = ("good", f"M{x}-1l5-8 5 8Z") if later > fame else ("bad", f"M{x}-9l5 8 5-8Z")
        parts += [path(arrow, cls), write(str(later), x + 12, 0, FACT, cls=f"{cls} bold", anchor="start")]
        x += 32
    for points in bonus:
        parts.append(shape(-4, x + 5, -5, 9, cls="gilt"))
        parts.append(write(f"+{points}", x + 12, 0, FACT, cls="gilt bold", anchor="start"))
    return "".join(parts)


@drawing
def verdict(steps: int, fame: int) -> str:
    """A verdict of the Critico: arrows for the steps up or down, and the fame they lead to."""
    up, size = steps > 0, abs(steps)
    tips = [22 - 7 * size + 11 * i if up else 17 + 7 * size - 11 * i for i in range(size)]
    arrows = "".join(f"M5 {tip + 5}l6-8 6+8Z" if up else f"M5 {tip - 5}l6+8 6-8Z" for tip in tips)
    return "".join((halo(0, 0, 38, 38, 6), path(arrows, "good" if up else "bad"), write(str(fame), 27, 26, BOLD, cls="bold")))


def trace(composer: int) -> Item:
    """A line around a composer."""
    look = tag("rect", cls="trace", width=INNER - 4, height=TALL - 4, rx=5)
    return Item(f"trace-composer-{composer}", f"composer-{composer}", look, -55, 2 - TALL / 2)
