"""A network's inputs besides the row of Turandot: the worth of cards to seats, and the choices of a sensible player.

All of it follows from what everybody sees, by the same sums as in `ai/bot.py`. Seats are counted from the one that is looking.
"""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.fields import Mask, Row, Seat
from ridotto.games.turandot.ai.bot import (
    CALM,
    LAST,
    PLAIN_CHOICES,
    SURE,
    best_strike,
    chance_to_hire,
    chance_to_win,
    fallback,
    likes,
    standing,
    understudy,
    weigh_choices,
)
from ridotto.games.turandot.ai.casting import next_to_cast
from ridotto.games.turandot.ai.scratch import CHANCES, WANT, WORTH
from ridotto.games.turandot.ai.worth import POINT, weigh_cards
from ridotto.games.turandot.components import DIRECTORS, SINGERS
from ridotto.games.turandot.rules import AUDITION, MOST, NAME, STRIKE, UNDERSTUDY, F

BIDS = PLAIN_CHOICES - 1
"""A number with a sum, without the bluff card."""

# Where each kind of number begins.
STANDING = 0
"""For each seat, what it may expect to have in the end, less the mean."""
CARDS = STANDING + MOST
"""For each seat and position, what the card is worth there, less the mean of the cards."""
WANTED = CARDS + MOST * 6
"""For each seat and position, how likely that seat is to bid for it."""
GAINS = WANTED + MOST * 6
"""For each choice in an audition, how much less it is worth than the best."""
LIKELY = GAINS + PLAIN_CHOICES
"""For each choice in an audition, how likely a sensible player is to make it."""
ALONE = LIKELY + PLAIN_CHOICES
"""For each bid, how likely nobody else is to bid as much."""
SECOND = ALONE + BIDS
"""The worth of an understudy, and the chance that money alone hires somebody."""
GIVEN = SECOND + 2
"""For each position, whether a sensible player would give this understudy."""
LIKED = GIVEN + 6
"""For each seat and director, what the director is expected to bring."""
STRUCK = LIKED + MOST * DIRECTORS
"""For each seat and director, whether that seat would strike the director."""
SUNG = STRUCK + MOST * DIRECTORS
"""For each singer, whether a sensible player would give them the next role."""
COUNT = SUNG + SINGERS

POINTS = 1 / (2 * POINT)
"""The scale of a card's worth: 1 is two points."""
CERTAIN = 1 / SURE
"""The scale of chances: a certain event is 1."""
WORST = 4 * POINT
"""A choice that is worth less by more than this is as bad as one that is not allowed."""


@compiled
def compute(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Work out all of these as far as they matter for the question."""
    look_at_troupes(s, seat, scratch, out, at)
    asked = s[F.asked]
    if asked == AUDITION:
        look_at_cards(s, seat, scratch, out, at)
        look_at_audition(s, seat, mask, scratch, out, at)
    elif asked == UNDERSTUDY:
        look_at_cards(s, seat, scratch, out, at)
        out[at + GIVEN + understudy(s, seat, scratch)] = 1.0
    elif NAME <= asked <= STRIKE:
        look_at_directors(s, seat, out, at)
    else:
        out[at + SUNG + next_to_cast(s, seat, scratch)] = 1.0


@compiled
def look_at_troupes(s: Row, seat: Seat, x: Row, out: list[float], at: int) -> None:
    """The points that each seat may expect in the end, beside the others."""
    seats = s[F.seats]
    total = 0
    for place in range(seats):
        worth = standing(s, (seat + place) % seats, x)
        out[at + STANDING + place] = worth * POINTS
        total += worth
    for place in range(seats):
        out[at + STANDING + place] -= total * POINTS / seats


@compiled
def look_at_cards(s: Row, seat: Seat, x: Row, out: list[float], at: int) -> None:
    """The worth of each card to each seat, beside the other cards."""
    seats = s[F.seats]
    weigh_cards(s, x)
    for place in range(seats):
        first = WORTH + (seat + place) % seats * 6
        total = 0
        for position in range(seats + 1):
            total += x[first + position]
        for position in range(seats + 1):
            out[at + CARDS + place * 6 + position] = (x[first + position] - total / (seats + 1)) * POINTS


@compiled
def look_at_audition(s: Row, seat: Seat, mask: Mask, x: Row, out: list[float], at: int) -> None:
    """The worth of each choice, what it rests on, and how likely a sensible player is to make it."""
    seats = s[F.seats]
    best = weigh_choices(s, seat, mask, x)
    total = 0
    for i in range(PLAIN_CHOICES):
        total += CALM[min(best - x[CHANCES + i], LAST)]
    for i in range(PLAIN_CHOICES):
        out[at + GAINS + i] = -min(best - x[CHANCES + i], WORST) * POINTS
        out[at + LIKELY + i] = CALM[min(best - x[CHANCES + i], LAST)] / total
    mean = 0
    for position in range(seats + 1):
        mean += x[WORTH + seat * 6 + position]
        for money in range(4):
            out[at + ALONE + position * 4 + money] = chance_to_win(s, seat, position, money, x) * CERTAIN
    out[at + SECOND] = (fallback(s, seat, x) - mean / (seats + 1)) * POINTS
    out[at + SECOND + 1] = chance_to_hire(s, seat) * CERTAIN
    for place in range(seats):
        for position in range(seats + 1):
            wanted = x[WANT + (seat + place) % seats * 6 + position]
            out[at + WANTED + place * 6 + position] = wanted * CERTAIN


@compiled
def look_at_directors(s: Row, seat: Seat, out: list[float], at: int) -> None:
    """The points that each director would bring to each seat, and whom each seat would strike."""
    seats = s[F.seats]
    for place in range(seats):
        other = (seat + place) % seats
        for director in range(DIRECTORS):
            if s[F.pool] >> director & 1:
                out[at + LIKED + place * DIRECTORS + director] = likes(s, other, director) * POINTS
        out[at + STRUCK + place * DIRECTORS + best_strike(s, other)] = 1.0
