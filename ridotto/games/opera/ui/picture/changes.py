"""The latest changes: the moves of pieces, and lines around the things that the last entry of the log touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ridotto.games.opera.ui.picture.cities as cities
import ridotto.games.opera.ui.picture.houses as houses
import ridotto.games.opera.ui.picture.ladder as ladder
import ridotto.games.opera.ui.picture.palazzo as palazzo
from ridotto.core.view import UNDONE, Seen, View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.picture.facts import halls_of, is_open, piece_key, pieces_in
from ridotto.present.scene import Item, Move


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """The moves of pieces that were bought, sold, given away, drawn or discarded.

    A seat's pieces are counted: when one leaves a hall, those after it get the key of the one before, and stay where they are.
    Pieces that are rearranged keep their keys.
    """
    if any(one.event.name == UNDONE.name for one in seen):
        return []
    row, moves = view.row, list[Move]()
    offer = list(row[F.offer : F.offer + 6])
    halls = halls_of(view)
    city_scored = {one.values["seat"]: one.values["city"] for one in seen if one.event.name == "scores"}

    def arrival(seat: Seat, piece: int) -> str:
        """The key of a piece that a seat got."""
        copies = (halls.copies[seat] >> 4 * piece & 15) + row[F.screen + seat * 7 + piece]
        return piece_key(seat, piece, copies - 1) if is_open(view, seat) and copies else f"purse-{seat}"

    def departure(seat: Seat, piece: int, city: int) -> str:
        """The key that a piece had which left a hall, or with no city a screen; the others of its kind are counted again."""
        copies = halls.copies[seat] >> 4 * piece & 15
        if is_open(view, seat):
            copies += row[F.screen + seat * 7 + piece]
        if city == rules.NONE:
            return piece_key(seat, piece, copies) if is_open(view, seat) else f"purse-{seat}"
        before = (pieces_in(row[F.great + at], row[F.side + at]) for at in range(seat * 6, seat * 6 + city))
        first = sum(pieces >> piece & 1 for pieces in before)
        moves.extend(Move(piece_key(seat, piece, copy + 1), piece_key(seat, piece, copy)) for copy in range(first, copies))
        return piece_key(seat, piece, first)

    # The last event first: so it is known how many pieces were on offer at each moment.
    for one in reversed(seen):
        name, values = one.event.name, one.values
        piece, seat = values.get("composer", 0), values.get("seat", 0)
        if name in ("lays_out", "offers", "adds"):
            offer[piece] -= values["pieces"]
            moves += [Move("deck", f"offer-{piece}-{offer[piece] + copy}") for copy in range(values["pieces"])]
        elif name == "unsold":
            moves += [Move(f"offer-{piece}-{copy}", "discard") for copy in range(values["pieces"])]
            offer[piece] += values["pieces"]
        elif name == "buys":
            moves.append(Move(f"offer-{piece}-{offer[piece]}", arrival(seat, piece)))
            offer[piece] += 1
        elif name == "sells":
            moves.append(Move(departure(seat, piece, values["source"] - 1), f"palazzo-{piece}"))
        elif name == "gives":
            moves.append(Move(departure(seat, piece, city_scored[seat]), arrival(values["receiver"], piece)))
        elif name == "discards":
            moves.append(Move(departure(seat, piece, city_scored[seat]), "discard"))
        elif name == "loses":
            departure(seat, piece, city_scored[seat])
        elif name in ("empties", "clears"):
            moves += [Move(f"palazzo-{piece}", "discard") for piece in range(6) if values["composers"] >> piece & 1]
    return moves


def traces(view: View) -> Iterator[Item]:
    """Lines around the houses, composers and pieces that the last entry of the log touched."""
    touched: dict[tuple[str, int, int], None] = {}
    for one in reversed(view.latest()):
        name, values = one.event.name, one.values
        if name in ("builds", "stages", "scores"):
            touched["house", values["seat"], values["city"]] = None
        elif name in ("judges", "shifts", "climbs", "buys"):
            touched["composer", values["composer"], 0] = None
        elif name == "sells":
            touched["palazzo", values["composer"], 0] = None
    for kind, number, city in touched:
        if kind == "house" and view.row[F.built + number * 6 + city]:
            yield houses.trace(view, number, city, cities.grounds(view)[city].tall)
        elif kind == "composer":
            yield ladder.trace(number)
        elif kind == "palazzo" and view.row[F.palazzo] >> number & 1:
            yield palazzo.trace(view, number)
