"""Two bots at one table, compiled: the quick one at some seats, a network that draws or overlooks actions at the others."""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.arrays import Network, Step, Workspace
from ridotto.engine.build import compiled
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import count_legal, draw, lowest, nth_legal, ones, start
from ridotto.engine.driver import WIDTH
from ridotto.engine.fields import Row, Seat
from ridotto.engine.luck import run_step
from ridotto.engine.network import evaluate, likelihoods
from ridotto.engine.search import IS_HIDDEN

PARTS = 1 << 24
MOST_DECISIONS = 5_000


class Level(NamedTuple):
    """How a network errs."""

    temperature: float
    hidden_temperature: float
    """Of what others do not see, if it draws nothing else."""
    overlook: float


@compiled
def choose(s: Row, seat: Seat, seats_of_network: int, level: Level, network: Network, work: Workspace) -> int:
    """What the bot at a seat does, by the dice of the workspace; the network as `Net` in `ridotto.bots.networks`."""
    mask = work.mask
    rules.legal(s, seat, mask)
    if not seats_of_network >> seat & 1:
        return bot.policy(s, seat, mask, work.dice, work.events, work.scratch)
    count = count_legal(mask)
    if count == 1:
        return nth_legal(mask, 0)
    evaluate(s, seat, network)
    is_drawn = level.temperature > 0.0 or IS_HIDDEN[nth_legal(mask, 0)] == 1
    likelihoods(mask, network, level.temperature if level.temperature > 0.0 else level.hidden_temperature)
    sure = draw(work.dice, count)
    best = -1
    total = 0.0
    for i in range(count):
        if i != sure and draw(work.dice, PARTS) < level.overlook * PARTS:
            network.chances[i] = 0.0
        else:
            total += network.chances[i]
            action = nth_legal(mask, i)
            if best < 0 or network.answers[action] > network.answers[best]:
                best = action
    if is_drawn:
        point = total * (draw(work.dice, PARTS) / PARTS)
        for i in range(count):
            point -= network.chances[i]
            if point < 0:
                return nth_legal(mask, i)
    return best


@compiled
def play_on(s: Row, seats_of_network: int, level: Level, network: Network, work: Workspace) -> None:
    """Play a match to its end."""
    for _ in range(MOST_DECISIONS):
        waiting = rules.to_act(s)
        if waiting == 0:
            return
        seat = lowest(waiting)
        rules.apply(s, seat, choose(s, seat, seats_of_network, level, network, work), work.dice, work.events)


@compiled
def share(s: Row, seat: Seat) -> float:
    """A seat's share of the win."""
    won = rules.winners(s)
    return (1.0 / ones(won)) if won >> seat & 1 else 0.0


@compiled
def results(
    step: Step,
    is_choice: bool,
    seats_of_network: int,
    level: Level,
    seat: Seat,
    seed: int,
    row: Row,
    found: list[list[float]],
    network: Network,
    work: Workspace,
) -> None:
    """Do one thing again, and play on from each outcome: the draws of a step, or the choice of the seat whose step it is.

    Each line of `found` has the results of one outcome, for a seat.
    """
    for outcome in range(len(found)):
        start(work.dice, seed, 3, outcome, 3)
        action = step.action
        if is_choice:
            action = choose(step.before, step.seat, seats_of_network, level, network, work)
        else:
            run_step(row, step, work.dice, work.events)
        for number in range(len(found[outcome])):
            start(work.dice, seed, 4, outcome, 4 + number)
            if is_choice:
                for word in range(WIDTH):
                    work.row[word] = step.before[word]
                rules.apply(work.row, step.seat, action, work.dice, work.events)
            else:
                for word in range(WIDTH):
                    work.row[word] = row[word]
            play_on(work.row, seats_of_network, level, network, work)
            found[outcome][number] = share(work.row, seat)
