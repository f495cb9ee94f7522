"""A trained network, evaluated by compiled code: a number for each action, and each seat's share of the win.

It sees what one seat may know, without the simultaneous choices of others: who chose first tells nothing. All
layers but the first are residual. Numbers are added up in a fixed order, so that every machine gets the same answers.
"""

from __future__ import annotations

from ridotto.engine.arrays import Network
from ridotto.engine.build import compiled
from ridotto.engine.contract import bot, features, rules
from ridotto.engine.dice import count_legal, nth_legal
from ridotto.engine.driver import mask_row
from ridotto.engine.encoding import encode
from ridotto.engine.exponential import exp
from ridotto.engine.fields import Mask, Row, Seat

ACTION_COUNT = rules.ACTIONS.size


@compiled
def unpack(stored: list[Row], scales: list[float], out: list[list[float]]) -> None:
    """Weights as numbers, from the whole numbers that a file has, with a scale for each column."""
    for line in range(len(stored)):
        for column in range(len(scales)):
            out[line][column] = stored[line][column] * scales[column]


@compiled
def fold(rows: Row, columns: Row, numbers: list[float], lines: list[list[float]], out: list[list[float]]) -> None:
    """Add to a line of weights for each element those of the inputs that it is a part of, in the order they are given in."""
    for i in range(len(rows)):
        number = numbers[i]
        line = lines[columns[i]]
        to = out[rows[i]]
        for at in range(len(to)):
            to[at] += number * line[at]


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
    """Evaluate a row as a seat may know it; the output goes into `network.answers`."""
    encoding = network.encoding
    hidden = network.hidden
    sums = network.sums
    answers = network.answers
    mask_row(s, seat, network.masked)
    bot.recall(network.masked, seat)
    encode(network.masked, encoding.steps[seat], encoding.places[seat], encoding.scales, network.seen)
    if len(network.seen) > len(encoding.scales):
        rules.legal(network.masked, seat, network.legal)
        features.compute(network.masked, seat, network.legal, network.scratch, network.seen, len(encoding.scales))
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
    """The legal action with the highest number in the last output; the first of equals."""
    best = nth_legal(mask, 0)
    for i in range(1, count_legal(mask)):
        action = nth_legal(mask, i)
        if network.answers[action] > network.answers[best]:
            best = action
    return best


@compiled
def likelihoods(mask: Mask, network: Network, temperature: float) -> None:
    """Write the probability of each legal action, by the last output, into `network.chances`, in ascending order.

    This is a softmax: the higher the temperature, the less the probabilities differ.
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
    """Write each seat's share of the win by the last output, which is that for `seat`; `most` is the whole win."""
    for place in range(network.seats):
        owner = (seat + place) % network.seats if network.is_symmetric else place
        share = network.answers[ACTION_COUNT + place] + 1.0 / network.seats
        values[owner] = int(most * min(1.0, max(0.0, share)))
