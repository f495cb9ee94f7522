"""The chances that bots state are those by which they choose."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from ridotto import bots
from ridotto.bots import chances
from ridotto.bots.bot import Budget, chances_of
from ridotto.bots.networks import Net
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES


def by_hand(weights: list[float], lost: float, best: bool) -> list[float]:
    """Over every action that is surely seen, and everything that is overlooked besides."""
    count = len(weights)
    found = [0.0] * count
    for sure in range(count):
        for others in product((False, True), repeat=count):
            if not others[sure]:
                continue
            chance = 1 / count
            for at, is_seen in enumerate(others):
                chance *= 1 if at == sure else 1 - lost if is_seen else lost
            seen = [at for at in range(count) if others[at]]
            if best:
                found[seen[0]] += chance
            else:
                for at in seen:
                    found[at] += chance * weights[at] / sum(weights[one] for one in seen)
    return found


@pytest.mark.parametrize("overlook", [0.0, 0.25, 0.75, 1.0])
def test_chances_are_the_sum_over_everything_that_may_be_overlooked(overlook: float) -> None:
    weights = [1.0, 0.4, 3e-3, 0.2, 1e-9]
    assert chances.of_drawn(weights, overlook) == pytest.approx(by_hand(weights, overlook, False), abs=1e-12)
    assert chances.of_best(5, overlook) == pytest.approx(by_hand(weights, overlook, True), abs=1e-12)


def view_of(name: str, seats: int, is_hidden: bool) -> View:
    """The view of somebody with a few choices, which others see or not; of hidden ones the network is not sure."""
    game, chance = GAMES[name], random.Random(2)
    match = Match(game, seats, seed=3)
    while True:
        view = match.view(match.to_act[0])
        if 3 <= len(view.legal) <= 12 and bool(game.build("cpu").search.IS_HIDDEN[view.legal[0]]) == is_hidden:
            found = Net().chances(view)
            if found is not None and (not is_hidden or max(found.values()) < 0.7):
                return view
        match.play(chance.choice(view.legal), match.to_act[0])


KINDS: dict[str, tuple[bots.Bot, bool]] = {
    "overlooks, and draws": (Net(overlook=0.41), True),
    "overlooks, and plays the best": (Net(overlook=0.41), False),
    "draws": (Net(temperature=4.0), False),
    "overlooks, and draws what others see": (Net(temperature=2.0, overlook=0.3), False),
    "draws at random": (bots.find("random"), False),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("draws", [2_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_a_bot_chooses_by_the_chances_that_it_states(kind: str, draws: int) -> None:
    bot, is_hidden = KINDS[kind]
    view = view_of("turandot", 2, is_hidden)
    stated = chances_of(bot, view)
    assert stated is not None and set(stated) == set(view.legal) and sum(stated.values()) == pytest.approx(1, abs=1e-9)
    chosen = Counter(bot.choose(view, Budget(seed)) for seed in range(draws))
    for action, chance in stated.items():
        assert abs(chosen[action] / draws - chance) < 4.5 * (chance * (1 - chance) / draws) ** 0.5 + 1 / draws
    assert max(stated.values()) < 0.99


def test_what_is_sure_has_one_chance_and_who_searches_states_none() -> None:
    view = view_of("turandot", 2, False)
    found = chances_of(Net(), view)
    assert found is not None and found[Net().choose(view, Budget(1))] == 1.0 and sum(found.values()) == 1.0
    level = GAMES["turandot"].tuning.levels_for(2)[2].network
    assert level is not None and chances_of(bots.find("level:3"), view) == Net(overlook=level.overlook).chances(view)
    assert all(chances_of(bots.find(name), view) is None for name in ("greedy", "search:20", "level:6"))
