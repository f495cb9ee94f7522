"""The cards of the round: the four turns, the cards face up with their powers, and those to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import EVERYBODY, A, F
from ridotto.games.fantome.ui.facts import members, turns
from ridotto.games.fantome.ui.messages import POWERS, SIDES
from ridotto.games.fantome.ui.picture.people import NAMES, figure, person, titles
from ridotto.games.fantome.ui.picture.signs import GLASS, MASK
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import Grid, blank, drawing, line, lines, path
from ridotto.present.narrator import mark
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, group, tag, wrap, write

TURNS: Final = Grid(4, 80, 50, gap=8, x=8, y=50)
CARDS: Final = Grid(2, 168, 140, gap=8, row_gap=8, x=8, y=108)
CARDS_TALL: Final = CARDS.y + CARDS.height(rules.CARDS) + 8

FOOT: Final = "M-7 2H5M1-3L6 2L1 7"
PICTOGRAMS: Final = (
    "M-5-7H5V7H-5ZM-2-2A2.4 2.4 0 1 1 2.4-2M-3 4Q0 0 3 4",
    "M-8-3H-1V3H8M-8-6V0M8 0V6",
    "M-6-1H6V8H-6ZM-4-1V-4A4 4 0 0 1 4-4V-1",
    "M-5-2A5 5 0 1 1 5-2Q4 1 2 3H-2Q-4 1-5-2ZM-2 7H2M-8 7L8-9",
    "M-9 0H-3M-5-2L-3 0L-5 2M9 0H3M5-2L3 0L5 2M0-9V-3M-2-5L0-3L2-5M0 9V3M-2 5L0 3L2 5",
    "M-3 0H-9M-7-2L-9 0L-7 2M3 0H9M7-2L9 0L7 2M0-3V-9M-2-7L0-9L2-7M0 3V9M-2 7L0 9L2 7",
    "M-8-3H7M3-7L7-3L3 1M8 4H-7M-3 0L-7 4L-3 8",
    "M-7 8L-5-1H-1L1 8ZM-5-4A2 2 0 1 1-1-4A2 2 0 1 1-5-4M1 8L3-1H7L9 8ZM3-4A2 2 0 1 1 7-4A2 2 0 1 1 3-4",
)
"""A sign for each power: an alibi card, a pipe, a padlock, a lamp, in, out, to and fro, two together."""
TIMES: Final = ("→", "+", "⇄", "⇄", "→", "→", "/", "+")
"""The time of each power, between the move and the power: after it, during it, before or after it, instead of it."""
BETWEEN: Final = {
    "→": "M-6 0H5M1-4L5 0L1 4",
    "⇄": "M-6-3H5M2-6L5-3L2 0M6 4H-5M-2 1L-5 4L-2 7",
    "+": "M-5 0H5M0-5V5",
    "/": "M-4 7L4-7",
}
FORCED: Final = (True, False, True, True, False, False, False, False)
ANSWERS: Final = {
    rules.POWER: (("use", A.use, mark("use it")), ("decline", A.decline, mark("leave it"))),
    rules.COMPANION: (("alone", A.alone, mark("go alone")),),
}
"""The small decisions that are taken on the card itself, by what is asked."""
FIRST: Final = (rules.INSPECTOR, rules.PHANTOM, rules.PHANTOM, rules.INSPECTOR)
"""The order of play in the first round."""
BACK: Final = "M84 18L124 70L84 122L44 70ZM10 10H158V130H10Z"
STATES: Final = ("onpaper picked", "onpaper picked asked", "onpaper picked asked covered")
"""The classes of the card being played, by the number of answers on it."""


def card_items(view: View, words: Words, history: Sequence[Seen]) -> Iterator[Item]:
    """The turns, the cards face up with their powers, and those to come."""
    row, of_round = view.row, _round(view, history)
    yield Item("round", "cards", line(words.say("Round {round}", round=row[F.round]), 20, "title", "start"), 14, 31)
    if view.outcome is None:
        yield from _coming(view, words)
    for turn, seat in enumerate(turns(row)):
        yield from _turn(view, words, turn, seat, of_round.played)
    for number, who in enumerate(members(of_round.cards)[: rules.CARDS]):
        yield from _card(view, words, who, *CARDS.place(number))


@drawing
def cards_undealt(words: Words) -> list[Item]:
    """The turns of the first round, and four cards face down."""
    items = [Item("round", "cards", line(words.say("Round {round}", round=1), 20, "title", "start"), 14, 31)]
    items += [_slot(words, turn, seat) for turn, seat in enumerate(FIRST)]
    back = blank(CARDS.wide, CARDS.tall, "back", 9) + path(BACK, "onback")
    items += [Item(f"back-{number}", "cards", back, *CARDS.place(number), cls="sealed") for number in range(rules.CARDS)]
    return items


def _coming(view: View, words: Words) -> Iterator[Item]:
    """The cards of the next round."""
    pile, coming = view.row[F.pile], words.say("next round:")
    if not pile:
        yield Item("coming", "cards", line(f"{coming} {words.say('four of all eight')}", 15, "quiet", "end", 240), 348, 30)
        return
    yield Item("coming", "cards", line(coming, 15.5, "quiet", "end", 110), 218, 30)
    for number, who in enumerate(members(pile)):
        yield person(words, who, "cards", "coming", 240 + number * 32, 46, 0.64, not view.row[F.suspects] >> who & 1)


# Turns.


class Round(NamedTuple):
    """The cards of a round, and the characters that were played in it, in order."""

    cards: int
    played: list[int]


def _round(view: View, history: Sequence[Seen]) -> Round:
    """From the row, and from the events where the row has it no more."""
    row = view.row
    cards = row[F.offered] | (0 if row[F.active] < 0 else 1 << row[F.active])
    if row[F.pile]:
        cards = EVERYBODY & ~row[F.pile]
    played: list[int] = []
    for one in history:
        if one.event.name == "offers":
            cards = one.values["cards"]
            break
        if one.event.name == "picks":
            played.insert(0, one.values["who"])
    for who in played:
        cards |= 1 << who
    return Round(cards, played)


def _turn(view: View, words: Words, turn: int, seat: Seat, played: Sequence[int]) -> Iterator[Item]:
    """One of the turns of a round: whose it is, and the character that was played."""
    is_now, is_played = turn == view.row[F.played] and view.outcome is None, turn < len(played)
    cls = ("now" if is_played else "now active") if is_now else ""
    yield _slot(words, turn, seat)._replace(cls=cls)
    if is_played:
        who = played[turn]
        yield person(words, who, f"turn-{turn}", "played", 56, 47, 0.64, not view.row[F.suspects] >> who & 1)


def _slot(words: Words, turn: int, seat: Seat) -> Item:
    return Item(f"turn-{turn}", "cards", slot(seat), *TURNS.place(turn), title=words.say(SIDES[seat]))


@drawing
def slot(seat: Seat) -> str:
    """A turn of a seat, with an arrow for when it is active."""
    return "".join(
        [
            '<rect class="turn" width="80" height="50" rx="8"/>',
            group([MASK if seat else GLASS], at=(22, 25)),
            '<path class="point cue" d="M51 17L65 25L51 33Z"/>',
        ]
    )


# Cards.


def _card(view: View, words: Words, who: int, x: float, y: float) -> Iterator[Item]:
    """A character's card: to be picked, being played, or laid aside."""
    row, key = view.row, f"card-{NAMES[who]}"
    is_active = row[F.active] == who
    cls = STATES[0] if is_active else "onpaper" if row[F.offered] >> who & 1 else ""
    yield _sheet(words, who, cls, x, y)._replace(action=-1 if is_active else A.pick + who, ask=True)
    cls = "" if row[F.suspects] >> who & 1 else "cleared"
    yield Item(f"portrait-{NAMES[who]}", key, figure(who), 31, 86, 1.06, cls)


def own_answers(view: View, words: Words, history: Sequence[Seen]) -> Iterator[Item]:
    """The answers on the card being played, for whoever gives them."""
    who, answers = view.row[F.active], ANSWERS.get(view.row[F.asked], ())
    if not any(action in view.legal for _, action, _ in answers):
        return
    place = members(_round(view, history).cards).index(who)
    card = _sheet(words, who, STATES[len(answers)], *CARDS.place(place))
    yield card._replace(title="" if len(answers) == 2 else card.title, ask=True)
    for number, (name, action, text) in enumerate(answers):
        yield Item(name, card.key, _button(words.say(text)), 62, 38 + number * 50, action=action)


def _sheet(words: Words, who: int, cls: str, x: float, y: float) -> Item:
    """A card without the portrait, in its place."""
    title = f"{titles(words)[who]}: {words.say(POWERS[who])}"
    return Item(f"card-{NAMES[who]}", "cards", _face(words, who), x, y, cls=cls, title=title)


@drawing
def _face(words: Words, who: int) -> str:
    """A card without the portrait."""
    parts = [blank(CARDS.wide, CARDS.tall, cls, 9) for cls in ("sheet", "halo")]
    parts.append(write(titles(words)[who], 60, 25, 18, cls="name print", anchor="start", within=102))
    parts.append(when(who, 76, 51))
    power = wrap(words.say(POWERS[who]), 152, 15)
    if len(power) < 3:
        parts.append(write(f"§5.{who + 1}", 160, 84, 15, cls="section print", anchor="end"))
    parts += lines(power, 10, 104 if len(power) < 3 else 100, 15, 16, cls="power print", anchor="start")
    return "".join(parts)


def when(who: int, x: float, y: float) -> str:
    """The move and the power of a character: a full ring for what must be, a broken one for what may be."""
    ring = tag("circle", cls="must" if FORCED[who] else "may", r=13)
    return group(
        [
            Svg('<circle class="must" r="12"/>'),
            path(FOOT, "pictogram"),
            group([path(BETWEEN[TIMES[who]], "pictogram")], at=(24, 0)),
            group([ring, path(PICTOGRAMS[who], "pictogram")], at=(49, 0)),
        ],
        at=(x, y),
        cls="when",
    )


@drawing
def _button(text: str) -> str:
    face = [blank(98, 46, cls, 8) for cls in ("press", "halo")]
    return "".join([*face, write(text, 49, 29, 16, cls="onpress", within=88)])
