"""A trained network, evaluated by compiled code: what it thinks of each action, and of each seat's share of the win.

It is shown what one seat may know, and of choices at the same time none of the others': who chose first tells nothing. All
layers but the first add to what is there. Numbers are added up in a fixed order, so that every machine gets the same answers.
"""

from __future__ import annotations

from math import exp

from ridotto.engine.arrays import Network
from ridotto.engine.build import compiled
from ridotto.engine.contract import bot, features, rules
from ridotto.engine.dice import count_legal, nth_legal
from ridotto.engine.driver import mask_row
from ridotto.engine.encoding import encode
from ridotto.engine.fields import Mask, Row, Seat

ACTION_COUNT = rules.ACTIONS.size


@compiled
def add_lines(inputs: list[float], lines: list[list[float]], sums: list[float], used: Row) -> None:
    """Add to `sums` each line of weights, times its input. Most inputs are 0; the others are taken four at a time."""
    count = 0
    for i in range(len(inputs)):
        if inputs[i] != 0.0:
            used[count] = i
            count += 1
    at = 0
    while at + 4 <= count:
        i = used[at]
        j = used[at + 1]
        k = used[at + 2]
        m = used[at + 3]
        a = inputs[i]
        b = inputs[j]
        c = inputs[k]
        d = inputs[m]
        line_a = lines[i]
        line_b = lines[j]
        line_c = lines[k]
        line_d = lines[m]
        for to in range(len(sums)):
            sums[to] += a * line_a[to] + b * line_b[to] + c * line_c[to] + d * line_d[to]
        at += 4
    while at < count:
        a = inputs[used[at]]
        line_a = lines[used[at]]
        for to in range(len(sums)):
            sums[to] += a * line_a[to]
        at += 1


@compiled
def evaluate(s: Row, seat: Seat, network: Network) -> None:
    """Let a network look at a row as a seat may know it; its answers go into `network.answers`."""
    encoding = network.encoding
    hidden = network.hidden
    sums = network.sums
    answers = network.answers
    mask_row(s, seat, network.masked)
    bot.recall(network.masked, seat)
    encode(network.masked, encoding.steps[seat], encoding.places[seat], encoding.scales, network.seen)
    if len(network.seen) > len(encoding.scales):
        rules.legal(network.masked, seat, network.legal)
        features.look(network.masked, seat, network.legal, network.scratch, network.seen, len(encoding.scales))
    for to in range(len(hidden)):
        hidden[to] = network.biases[0][to]
    add_lines(network.seen, network.first, hidden, network.used)
    for to in range(len(hidden)):
        hidden[to] = max(hidden[to], 0.0)
    for layer in range(len(network.layers)):
        for to in range(len(hidden)):
            sums[to] = network.biases[layer + 1][to]
        add_lines(hidden, network.layers[layer], sums, network.used)
        for to in range(len(hidden)):
            hidden[to] += max(sums[to], 0.0)
    for to in range(len(answers)):
        answers[to] = network.last_bias[to]
    add_lines(hidden, network.last, answers, network.used)


@compiled
def best_action(mask: Mask, network: Network) -> int:
    """The legal action that the last answers like best; the first of equals."""
    best = nth_legal(mask, 0)
    for i in range(1, count_legal(mask)):
        action = nth_legal(mask, i)
        if network.answers[action] > network.answers[best]:
            best = action
    return best


@compiled
def likelihoods(mask: Mask, network: Network, temperature: float) -> None:
    """How likely the last answers make each legal action: into `network.chances`, in ascending order of actions.

    At a temperature of 1 as they say; the higher it is, the less they differ.
    """
    out = network.chances
    count = count_legal(mask)
    highest = network.answers[best_action(mask, network)]
    total = 0.0
    for i in range(count):
        out[i] = exp((network.answers[nth_legal(mask, i)] - highest) / temperature)
        total += out[i]
    for i in range(count):
        out[i] /= total


@compiled
def shares(seat: Seat, network: Network, most: int, values: Row) -> None:
    """What the last answers, which are those for `seat`, say of each seat's share of the win; `most` is all of it."""
    for place in range(network.seats):
        owner = (seat + place) % network.seats if network.is_symmetric else place
        share = network.answers[ACTION_COUNT + place] + 1.0 / network.seats
        values[owner] = int(most * min(1.0, max(0.0, share)))
