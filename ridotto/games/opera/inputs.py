"""Turns at Opera as people may type them: a whole arrangement of their houses as one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core import inputs
from ridotto.core.errors import BadSeries
from ridotto.core.inputs import Series
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F


class Inputs(inputs.Inputs):
    def series(self) -> Mapping[str, Series]:
        """Texts that stand for a series of actions, done all or not at all."""
        return {"arrange": arrangement}

    def begins_turn(self, row: Sequence[int], seat: Seat) -> bool:
        """A turn begins with a bid, or where a role can be hired."""
        return row[F.asked] in (rules.BID, rules.HIRE)


def arrangement(row: Sequence[int], seat: Seat, text: str) -> list[int]:
    """The actions that lead to a whole arrangement, written as "venezia wagner; wien verdi house".

    A city is followed by the piece of its great hall ("-" for none) and then those of its other halls, in any order. A
    city that is not named keeps its pieces; what is left over goes behind the screen. Raises BadSeries with the § and
    the hall at fault, before anything is done.

    >>> from ridotto.core.match import Match
    >>> from ridotto.games.opera import game
    >>> arrangement(Match(game, seats=2, seed=1).row, 0, "venezia house")
    Traceback (most recent call last):
    ridotto.core.errors.BadSeries: not_asked (§5.7)
    """
    if row[F.asked] != rules.REARRANGE or row[F.turn] != seat:
        raise _fault("wait" if row[F.turn] not in (seat, rules.NONE) else "not_asked")
    left = [row[F.screen + seat * 7 + number] for number in range(7)]
    for where in range(6):
        great, side = row[F.great + seat * 6 + where], row[F.side + seat * 6 + where]
        for number in range(7):
            left[number] += side >> number & 1 or number == great
    programme = _programme(row, seat, text)
    for where in range(6):
        if where not in programme:
            great, side = row[F.great + seat * 6 + where], row[F.side + seat * 6 + where]
            programme[where] = [great, *(number for number in range(7) if side >> number & 1)]
    for where in sorted(programme):
        for at, number in enumerate(programme[where]):
            if number >= 0:
                left[number] -= 1
                if left[number] < 0:
                    raise _fault("not_in_hand", piece=number, city=where, hall=at)

    actions = []
    for where in range(6):
        room = row[F.halls + seat * 6 + where]
        if room == 0:
            continue
        great, *side_halls = programme[where]
        actions.append(A.empty if great < 0 else A.place + great)
        actions += [A.place + number for number in sorted(side_halls)]
        if len(side_halls) < room - 1:
            actions.append(A.empty)
    return [int(action) for action in actions]


def _programme(row: Sequence[int], seat: Seat, text: str) -> dict[int, list[int]]:
    """The pieces that a text names in each city: the one of the great hall first, -1 for none."""
    programme: dict[int, list[int]] = {}
    for clause in text.strip().lower().removeprefix("arrange ").split(";"):
        words = clause.split()
        if not words:
            continue
        where = rules.CITY.parse(words[0])
        if where is None:
            raise _fault("no_city", word=words[0])
        if where in programme:
            raise _fault("city_twice", city=where)
        room = row[F.halls + seat * 6 + where]
        if room == 0:
            raise _fault("no_house", city=where)
        wanted: list[int] = []
        for at, word in enumerate(words[1:]):
            number = -1 if word == "-" else rules.PIECE.parse(word)
            if number is None:
                raise _fault("no_piece", word=word, city=where, hall=at)
            if at >= room:
                raise _fault("no_hall", city=where, hall=at, halls=room)
            if number >= 0 and number in wanted:
                raise _fault("twice", piece=number, city=where, hall=at)
            wanted.append(number)
        great = wanted[0] if wanted else -1
        programme[where] = [great, *(number for number in wanted[1:] if number >= 0)]
    return programme


def _fault(reason: str, **values: int | str) -> BadSeries:
    return BadSeries(reason, "5.7", **values)
