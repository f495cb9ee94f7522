"""The fame ladder: each composer's fame, which is the price, and the pieces on offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import MUTED, Halls, asks, partial_row
from ridotto.games.opera.ui.picture.marks import coin, head, medallion, note
from ridotto.games.opera.ui.picture.rounds import century_title
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, INNER, Grid, drawing, frame, halo, path, rect
from ridotto.present.scene import Item
from ridotto.present.svg import shape, tag, write

TALL: Final = 48
"""The height of a step."""
STEPS: Final = Grid(1, INNER, TALL, row_gap=3, x=EDGE, y=42)
"""The steps, the highest first."""
HEIGHT: Final = 42 + STEPS.height(rules.TOP_FAME) + 9


def board(words: Words) -> str:
    """The ladder without composers."""
    steps = [rect(*_place(fame), INNER, TALL, "raised") for fame in range(1, rules.TOP_FAME + 1)]
    return "".join((frame(HEIGHT), head(words.say("Fame and offer")), *steps))


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
                key, look, x = f"{verb}-{composer}-{size}", verdict(steps, one.fame + steps), 276 - 46 * (4 - at)
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
    text = "" if is_over else note(words.say("fame is the price"), words.say("Fame and offer"))
    return Item("price", "ladder", text)


@drawing
def _step(fame: int, composer: int) -> Item:
    """A step of the ladder, for the composer who stands there; for none if it does not stand for buying."""
    action = -1 if composer == rules.NONE else A.buy + composer
    look = halo(0, 0, INNER, TALL, 6) + coin(str(fame), 16, 24, TALL / 2)
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
    room = 70 if is_judged else 110
    look = medallion(composer, 38) + write(name, 26, -2, 17, cls="name bold", anchor="start", within=room)
    items = [
        Item(key, f"step-{one.fame}", look, 64, TALL / 2, title=name),
        Item(f"facts-{composer}", key, facts(one.times, one.fame, one.later, bonus), 26, 17, title=title),
    ]
    piece, title = medallion(composer, 36), words.say("on offer: {composer}", composer=name)
    for copy in range(offer):
        place = Item(f"offer-{composer}-{copy}", key)
        items.append(place if is_judged else place._replace(look=piece, x=252 - 39 * copy, title=title))
    return items


@drawing
def facts(times: int, fame: int, later: int, bonus: tuple[int, ...]) -> str:
    """A composer's performances, the fame after this round, and the points of the centuries still to come."""
    parts = [path("M4-2a3.2 2.6 0 1 1-1-2V-12h1.8c0 3 3.5 3 3.5 6c-1-2-2.5-2-3.5-2Z", "quiet")]
    parts.append(write(str(times), 11, 0, 14.5, cls="quiet", anchor="start"))
    if later != fame:
        cls, arrow = ("good", "M32-1l5-8 5 8Z") if later > fame else ("bad", "M32-9l5 8 5-8Z")
        parts += [path(arrow, cls), write(str(later), 45, 0, 14.5, cls=f"{cls} bold", anchor="start")]
    for points in bonus:
        parts.append(shape(-4, 67, -5, 9, cls="gilt"))
        parts.append(write(f"+{points}", 74, 0, 14.5, cls="gilt bold", anchor="start"))
    return "".join(parts)


@drawing
def verdict(steps: int, fame: int) -> str:
    """A verdict of the Critico: arrows for the steps up or down, and the fame they lead to."""
    up, size = steps > 0, abs(steps)
    tips = [25 - 7 * size + 11 * i if up else 20 + 7 * size - 11 * i for i in range(size)]
    arrows = "".join(f"M7 {tip + 5}l6-8 6+8Z" if up else f"M7 {tip - 5}l6+8 6-8Z" for tip in tips)
    return "".join((halo(0, 0, 44, 44, 6), path(arrows, "good" if up else "bad"), write(str(fame), 31, 29, 18, cls="bold")))


def trace(composer: int) -> Item:
    """A line around a composer."""
    look = tag("rect", cls="trace", width=INNER - 4, height=TALL - 4, rx=5)
    return Item(f"trace-composer-{composer}", f"composer-{composer}", look, -62, 2 - TALL / 2)
