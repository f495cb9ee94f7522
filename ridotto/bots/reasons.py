"""Reasons why a move is better than another, in the game's own terms: the differences between the resulting tables.

From one view, each of the two actions is done in the same worlds, with the same dice, and its seat goes on until its turn is
over. The figures of the two tables (`Words.figures`, worked out from what the seat would see) are compared, and a reason is
given where they differ to its advantage. Only what is the same in all these worlds is said: so nothing hangs on what was
hidden or on a draw.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> view = Match(GAMES["fantome"], seed=1).view(0)
>>> compare(view, view.legal[0], view.legal[0], target="python").figures
{}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ridotto.bots.bot import Budget
from ridotto.bots.registry import find
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Seat, Target
from ridotto.present.svg import Panel
from ridotto.present.ui import english, ui
from ridotto.present.words import Words

WORLDS: Final = 8
"""Worlds in which a reason must hold."""
MOST_STEPS: Final = 6
"""The most decisions in a turn."""
FOLLOW: Final = "search:100"
"""The bot that finishes a turn."""
MOST_REASONS: Final = 3


@dataclass(frozen=True)
class Comparison:
    """The tables that two actions lead to, as their seat would see them, and the figures that differ in every world."""

    seat: Seat
    better: tuple[int, ...]
    """A row after the better action and the rest of its turn, as the seat would see it in one of the worlds."""
    played: tuple[int, ...]
    figures: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
    """By name: the figure after the better action, and after the other."""
    is_sure: bool
    """Whether the tables are the same in all worlds."""

    def json(self) -> dict[str, Any]:
        return {
            "better": list(self.better),
            "played": list(self.played),
            "figures": {name: [list(one) for one in pair] for name, pair in self.figures.items()},
            "sure": self.is_sure,
        }

    @classmethod
    def read(cls, seat: Seat, document: Mapping[str, Any]) -> Comparison:
        figures = {name: (tuple(better), tuple(played)) for name, (better, played) in document["figures"].items()}
        return cls(seat, tuple(document["better"]), tuple(document["played"]), figures, document["sure"])

    def reasons(self, words: Words, most: int = MOST_REASONS) -> list[str]:
        """The reasons, the most telling first. Numbers below zero have a true minus sign, as on the boards beside them."""
        said = (words.reason(self.seat, name, *pair) for name, pair in self.figures.items())
        return [re.sub(r"(?<= )-(?=\d)", "−", reason) for reason in said if reason][:most]


def compare(view: View, better: int, played: int, *, seed: int = 0, target: Target = "cpu") -> Comparison:
    """The tables after two actions that a view's seat may choose between."""
    assert view.seat is not None
    build, seat = view.game.build(target), view.seat
    masked = build.copy(view.row)
    build.bot.recall(masked, seat)
    belief = build.copy(build.bot.believe(build, view), "int64")
    words = english(view.game)
    turns: list[list[int]] = [[better], [played]]
    rows: list[list[tuple[int, ...]]] = [[], []]
    for number in range(WORLDS):
        world = build.row()
        build.search.draw_world(world, masked, seat, belief, build.generator(seed, 2 * number))
        for at, turn in enumerate(turns):
            rows[at].append(_after(build, view, build.copy(world), turn, number == 0, build.generator(seed, 2 * number + 1)))
    common = None
    for one, other in zip(*rows, strict=True):
        first, second = words.figures(one, seat), words.figures(other, seat)
        pairs = {name: (first[name], second[name]) for name in first if name in second and first[name] != second[name]}
        common = pairs if common is None else {name: pair for name, pair in common.items() if pairs.get(name) == pair}
    is_sure = all(len(set(one)) == 1 for one in rows)
    return Comparison(seat, rows[0][0], rows[1][0], common or {}, is_sure)


def _after(build: Build, view: View, row: Row, turn: list[int], is_first: bool, dice: list[int]) -> tuple[int, ...]:
    """The row after a turn, as its seat would see it. In the first world a bot finishes the turn, which is done in the others.

    A turn is over when another seat has to decide, or when the seat is asked the same question again.
    """
    rules, seat = build.rules, view.seat
    assert seat is not None
    muted, question = build.events(muted=True), rules.QUESTION
    asked = view.row[question] if question >= 0 else None
    for number in range(MOST_STEPS):
        if number >= len(turn):
            if not is_first or asked is None or rules.to_act(row) != 1 << seat or row[question] == asked:
                break
            known = State(view.game, build, view.seats, row).view(seat, view.ply + number, ())
            turn.append(find(FOLLOW).choose(known, Budget(number, target=build.target)))
        state = State(view.game, build, view.seats, row)
        if seat not in state.to_act or turn[number] not in state.legal(seat):
            break
        rules.apply(row, seat, turn[number], dice, muted)
    return tuple(int(word) for word in State(view.game, build, view.seats, row).masked(seat))


# Small boards.

MOST_PANELS: Final = 2
"""The most panels of a small board."""


def _difference(one: Panel, other: Panel) -> int:
    """The number of elements that two drawings of a panel do not share."""
    drawn, drawn_too = Counter(one.body.split("<")), Counter(other.body.split("<"))
    return ((drawn - drawn_too) + (drawn_too - drawn)).total()


def boards(view: View, words: Words, compared: Comparison | None) -> list[list[Panel]]:
    """The table before a decision, after the action that was played and after the better one: the panels that tell them apart.

    Without a comparison, or where the tables look the same, there is the first panel before the decision alone.
    """
    calm = replace(view, legal=())

    def drawn(row: tuple[int, ...]) -> list[Panel]:
        return ui(view.game).panels(replace(calm, row=row), words)

    before = drawn(view.row)
    alone = [panel.with_own_ids(f"{view.ply}") for panel in before[:1]]
    if compared is None:
        return [alone]
    played, better = ({panel.name: panel for panel in drawn(row)} for row in (compared.played, compared.better))
    names = [panel.name for panel in before if panel.name in played and panel.name in better]
    apart = {name: elements for name in names if (elements := _difference(played[name], better[name]))}
    if not apart:
        return [alone]
    # The first is the main one; of the others those that differ most.
    main, *others = apart
    telling = [main, *sorted(others, key=lambda name: -apart[name])[: MOST_PANELS - 1]]
    differing = [name for name in apart if name in telling]
    first = {panel.name: panel for panel in before}
    return [
        [table[name].with_own_ids(f"{view.ply}-{at}") for name in differing] for at, table in enumerate((first, played, better))
    ]
