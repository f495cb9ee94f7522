"""Late positions of the games for two with their exact values: small enough for any solver, and from the games themselves.

A game keeps them in its folder, in `endgames.json`, made and confirmed by `python -m bench.endgames`. A position may be a
spectator's view: what it hides is then dealt by chance first, given what everybody has seen, and the endgame is one of hidden
information. The value is the share of the win of seat 0 in an equilibrium.

>>> endgame = load("turandot")[0]
>>> endgame.game, 0 <= endgame.value <= 1
('turandot', True)
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from ridotto.bots import Budget
from ridotto.bots import find as find_bot
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.games import find
from ridotto.rl.solving import TooLarge, Tree, solve_exactly

NUMBER: Final = 50
"""Endgames of each game."""
MOST_NODES: Final = 1500
LEAST_AT_STAKE: Final = 0.02
"""The least gain of best replies against random play: with less, decisions hardly matter."""
EACH: Final = 4
"""Endgames of one match at most."""
LATEST: Final = 40
"""The number of decisions before the end of a match to search through."""
OWN_WAY: Final = 0.25
"""The share of decisions at random instead of by the game's own bot."""


@dataclass(frozen=True)
class Endgame:
    """A late position, the size of its tree, and the share of the win of seat 0 if both play an equilibrium."""

    game: str
    position: Mapping[str, Any]
    is_hidden: bool
    """Whether the position hides something, which is dealt by chance."""
    nodes: int
    information_sets: tuple[int, int]
    value: float

    def tree(self) -> Tree:
        return Tree(find(self.game), position=self.position)


def load(name: str) -> tuple[Endgame, ...]:
    """The endgames of a game."""
    path = find(name).folder / "endgames.json"
    if not path.exists():
        raise BadSetup(f"{name} has no endgames")
    document = json.loads(path.read_text("utf-8"))
    return tuple(
        Endgame(name, **{**one, "information_sets": tuple(one["information_sets"])})  # the rest is as it is
        for one in document["endgames"]
    )


def search(game: Game, seed: int = 1) -> Iterator[Endgame]:
    """Endgames out of one match after another: of each match the earliest positions whose trees are small enough.

    As a spectator knows them, or whole, if what is hidden makes every tree too large.
    """
    number = 0
    while True:
        played = _played(game, Random(f"{game.name} {seed} {number}"))
        number += 1
        trees = _earliest(game, [seen for seen, _ in played]) or _earliest(game, [whole for _, whole in played])
        for tree in trees:
            value, *_ = solve_exactly(tree)
            is_hidden = "?" in json.dumps(tree.position)
            yield Endgame(game.name, tree.position or {}, is_hidden, tree.nodes, tree.information_sets, round(value, 9))


def _earliest(game: Game, positions: list[Mapping[str, Any]]) -> list[Tree]:
    """The trees of the earliest positions that are small enough, and in which it matters what one does."""
    trees: list[Tree] = []
    for position in reversed(positions):
        try:
            tree = Tree(game, position=position, most_nodes=MOST_NODES)
        except TooLarge:
            break
        if tree.exploitability(*(side.uniform for side in tree.sides)) >= LEAST_AT_STAKE:
            trees.append(tree)
    return trees[-EACH:]


def _played(game: Game, chance: Random) -> deque[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The last positions of a match, each as a spectator knows it, and whole."""
    match = Match(game, 2, seed=chance.randrange(1 << 31))
    bot = find_bot("greedy")
    last: deque[tuple[Mapping[str, Any], Mapping[str, Any]]] = deque(maxlen=LATEST)
    while match.to_act:
        seat = chance.choice(match.to_act)
        last.append((match.view(None).position, match.position()))
        if chance.random() < OWN_WAY:
            action = chance.choice(match.legal(seat).ids)
        else:
            action = bot.choose(match.view(seat), Budget(chance.randrange(1 << 31), target="python"))
        match.play(action, seat)
    return last
