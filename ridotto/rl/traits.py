"""Traits of cards: arrays with what is printed on cards instead of their names.

An array of `Tensors` names the card in each place. A player reads what is printed on the
card, such as its points and its suit; a network that sees only names has to learn that for each card in each place. `Traits`
gives it:

- a number on a card: one element, divided by the largest there is on any card;
- a word: one element for each that there is on some card, 1 for the one that holds;
- a card with neither, "none" and "hidden": one element of their own, as before.

A piece with several places in a row is followed by one with their sum, so that a network need not learn to count. Everything is
derived from the game's box, whose cards are the tables with an id. Where there are none, the array stays as it was.

>>> from ridotto.rl import Tensors
>>> traits = Traits(Tensors("turandot", 2))
>>> traits.piece("troupe").shape, traits.piece("troupe_together").shape
((2, 6, 16), (2, 16))
>>> traits.piece("troupe").labels[5:11]
('category som', 'stars', 'sex M', 'sex F', 'sex U', 'favourite calaf')
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from ridotto.rl.tensors import Layout, Piece, Tensors


class Traits(Layout):
    """The conversion of arrays of `Tensors` to arrays of traits; the pieces named in `without` are left out.

    `pieces` and `size` are those of the array that `encode` gives.
    """

    def __init__(self, tensors: Tensors, without: Collection[str] = ()) -> None:
        import numpy

        self.tensors, self.without = tensors, tuple(without)
        for name in without:
            tensors.piece(name)
        cards = _cards(tensors.game.build().components.BOX)
        pieces: list[Piece] = []
        self._parts: list[tuple[Piece, Any, bool]] = []
        for piece in tensors.pieces:
            if piece.name in without:
                continue
            names = set(piece.labels) - {"none", "hidden"}
            start = pieces[-1].stop if pieces else 0
            if not names <= cards.keys() or not any(cards[name] for name in names):
                pieces.append(replace(piece, start=start))
                self._parts.append((piece, None, False))
                continue
            printed_traits = [cards.get(label) or {label: 1.0} for label in piece.labels]
            labels = _grouped(label for one in printed_traits for label in one)
            table = numpy.array([[one.get(label, 0.0) for label in labels] for one in printed_traits], "float32")
            shape, axes = (*piece.shape[:-1], len(labels)), (*piece.axes[:-1], "trait")
            pieces.append(Piece(piece.name, shape, start, axes, labels, piece.meaning))
            is_row = len(shape) > 1 and axes[-2] != "seat"
            if is_row:
                all_places = f"{piece.meaning}: all places together"
                less = (*shape[:-2], shape[-1]), pieces[-1].stop, (*axes[:-2], "trait")
                pieces.append(Piece(f"{piece.name}_together", *less, labels, all_places))
            self._parts.append((piece, table, is_row))
        self.pieces, self.size = tuple(pieces), pieces[-1].stop

    def __repr__(self) -> str:
        return f"Traits({self.tensors!r}, {self.without!r})"

    @cached_property
    def exchange(self) -> tuple[Any, Any, Any]:
        """For each element with names: where its targets begin, the elements with traits that it adds to, and how much."""
        import numpy

        targets: list[list[tuple[int, float]]] = [[] for _ in range(self.tensors.size)]
        at = 0
        for piece, table, is_row in self._parts:
            labels = piece.shape[-1] if table is None else table.shape[1]
            places, row = piece.size // piece.shape[-1], piece.shape[-2] if is_row else 1
            together = at + places * labels
            for element in range(piece.size):
                place, label = divmod(element, piece.shape[-1])
                weights = {label: 1.0} if table is None else dict(enumerate(table[label].tolist()))
                for trait, weight in weights.items():
                    if weight:
                        targets[piece.start + element].append((at + place * labels + trait, weight))
                        if is_row:
                            targets[piece.start + element].append((together + place // row * labels + trait, weight))
            at = together + (places // row * labels if is_row else 0)
        starts = numpy.cumsum([0, *map(len, targets)], dtype="int32")
        flat = [one for group in targets for one in group]
        return starts, numpy.array([one for one, _ in flat], "int32"), numpy.array([one for _, one in flat], "float32")

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the most that each element can be."""
        import numpy

        low, high = (numpy.zeros(self.size, "float32") for _ in range(2))
        starts, targets, weights = self.exchange
        least, most = self.tensors.bounds
        for at in range(self.tensors.size):
            for i in range(starts[at], starts[at + 1]):
                ends = least[at] * weights[i], most[at] * weights[i]
                low[targets[i]] += min(ends)
                high[targets[i]] += max(ends)
        return low, high

    def encode(self, array: Any) -> Any:
        """An array of `Tensors`, or many of them in a row, with traits instead of names."""
        import numpy

        lead, parts = array.shape[:-1], []
        for piece, table, is_row in self._parts:
            part = array[..., piece.start : piece.stop]
            if table is None:
                parts.append(part)
                continue
            places = part.reshape(*lead, *piece.shape) @ table
            parts.append(places.reshape(*lead, -1))
            if is_row:
                parts.append(places.sum(axis=-2).reshape(*lead, -1))
        return numpy.concatenate(parts, axis=-1)


def _grouped(labels: Iterable[str]) -> tuple[str, ...]:
    """Each label once, those of one trait side by side."""
    groups: dict[str, dict[str, None]] = {}
    for label in labels:
        groups.setdefault(label.split()[0], {})[label] = None
    return tuple(label for group in groups.values() for label in group)


def _cards(box: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The traits on each card of a box, by its id."""
    lists = (value for value in box.values() if isinstance(value, list))
    cards = [card for cards in lists for card in cards if isinstance(card, dict) and "id" in card]
    most: dict[str, int] = {}
    for card in cards:
        for trait, value in card.items():
            if isinstance(value, int):
                most[trait] = max(most.get(trait, 1), abs(value))
    printed: dict[str, dict[str, float]] = {card["id"]: {} for card in cards}
    for card in cards:
        for trait, value in card.items():
            if isinstance(value, int):
                printed[card["id"]][trait] = value / most[trait]
            elif isinstance(value, str) and trait not in ("id", "name"):
                printed[card["id"]][f"{trait} {value}"] = 1.0
    return printed
