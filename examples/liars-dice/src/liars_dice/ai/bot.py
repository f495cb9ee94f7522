"""The bot of Liar's Dice: it estimates how likely a bid is to be true, by its own dice and what the others may have."""

# mypy: no-warn-return-any

from __future__ import annotations

from math import comb
from typing import Any

from liars_dice.components import DICE, SIDES
from liars_dice.rules import MOST, NONE, A, F, on_table, winners
from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import draw, ones
from ridotto.engine.fields import Dice, Events, Mask, Row, Seat

SURE = 10_000
"""A certain win, or a bid that cannot be wrong."""
ALL = MOST * DICE + 1


def _chances() -> list[int]:
    """The probability that at least k of n dice match, by the number of sides and how many of them match."""
    found = []
    for sides in range(1, SIDES + 1):
        for matching in (1, 2):
            p = min(1.0, matching / sides)
            for n in range(ALL):
                exactly = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
                found += [round(SURE * sum(exactly[k:])) for k in range(ALL)]
    return found


CHANCE = constants(_chances())


@compiled
def chance(s: Row, seat: Seat, quantity: int, face: int) -> int:
    """The probability that a bid is true, as that seat sees it."""
    wild = s[F.sides] - 1
    matching = 1 if face == wild else 2
    mine = s[F.cup + seat * SIDES + face]
    if face != wild:
        mine += s[F.cup + seat * SIDES + wild]
    if mine >= quantity:
        return SURE
    others = on_table(s) - s[F.left + seat]
    return CHANCE[(((s[F.sides] - 1) * 2 + matching - 1) * ALL + others) * ALL + quantity - mine]


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """Call a liar if that is likelier to be right than the best raise; otherwise raise, as little as possible."""
    best = A.liar
    most = SURE - chance(s, seat, s[F.quantity], s[F.face]) if s[F.quantity] > 0 else -1
    alike = 1
    for face in range(s[F.sides]):
        quantity = s[F.quantity] if face > s[F.face] and s[F.quantity] > 0 else s[F.quantity] + 1
        if quantity <= on_table(s):
            likely = chance(s, seat, quantity, face)
            alike = alike + 1 if likely == most else 1
            if likely > most or (likely == most and draw(dice, alike) == 0):
                most = likely
                best = A.bid + (quantity - 1) * SIDES + face
    return best


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Judge a match between two rounds by the dice that are left: a seat with twice the dice has four times the value."""
    over = s[F.ending] != 0
    won = winners(s)
    total = 0
    for seat in range(s[F.seats]):
        total += s[F.left + seat] * s[F.left + seat]
    for seat in range(s[F.seats]):
        if over:
            values[seat] = SURE // ones(won) if won >> seat & 1 else 0
        else:
            values[seat] = SURE * s[F.left + seat] * s[F.left + seat] // total
    return over or s[F.quantity] == 0


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Nobody chooses at the same time as somebody else."""


@compiled
def plausible(s: Row, belief: Row) -> int:
    """Players bid on what they have: a cup is the more plausible, the more dice it has of the face that its seat named."""
    likely = 256
    wild = s[F.sides] - 1
    for seat in range(s[F.seats]):
        face = belief[seat]
        if face != NONE and s[F.left + seat] > 0:
            matching = s[F.cup + seat * SIDES + face]
            if face != wild:
                matching += s[F.cup + seat * SIDES + wild]
            likely = likely * (s[F.left + seat] + matching) // (2 * s[F.left + seat])
    return likely


def believe(build: Build, view: Any) -> list[int]:
    """The face that each of the others named last in this round."""
    faces = [NONE] * MOST
    for seen in view.seen if view is not None else ():
        if seen.event.name == "opens":
            faces = [NONE] * MOST
        elif seen.event.name == "bids" and seen.values["seat"] != view.seat:
            faces[seen.values["seat"]] = seen.values["face"]
    return faces
