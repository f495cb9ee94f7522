"""A search with an evaluator of your own: here two linear layers, learnt from the bot `greedy` in half a minute, in NumPy.

Whatever you have trained takes their place: `BatchedSearch` wants a function from observations to numbers for actions and
shares of the win, and calls it once for the leaves of all matches that are searched at the same time.

    python examples/neural_search.py fantome --playouts 1,16,64 --matches 50
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy

from ridotto import Match, find
from ridotto.bots import Budget
from ridotto.bots import find as find_bot
from ridotto.rl import vector
from ridotto.rl.batched_search import BatchedSearch, Evaluator


def matches_of_greedy(game: str, tables: int, steps: int) -> tuple[Any, Any, Any, Any]:
    """Decisions of `greedy` against itself: observations, masks, what it chose, and the share of the win in the end."""
    many = vector(game, tables)
    seen, infos = many.reset(seed=1)
    chance = numpy.random.default_rng(1)
    shape = steps, tables
    observations = numpy.zeros((*shape, seen["observation"].shape[1]), "float32")
    masks = numpy.zeros((*shape, seen["action_mask"].shape[1]), "int8")
    advice, movers, shares = numpy.zeros(shape, "int64"), numpy.zeros(shape, "int64"), numpy.full(shape, numpy.nan)
    began = numpy.zeros(tables, "int64")
    for step in range(steps):
        observations[step], masks[step] = seen["observation"], seen["action_mask"]
        advice[step], movers[step] = many.advice(), infos["seat"]
        # One choice in ten is made at random, so that more is seen than what greedy would do.
        by_chance = (seen["action_mask"] * chance.random(masks[step].shape)).argmax(axis=1)
        seen, _, over, _, infos = many.step(numpy.where(chance.random(tables) < 0.1, by_chance, advice[step]))
        for table in over.nonzero()[0]:
            own = slice(began[table], step + 1)
            shares[own, table] = infos["rewards"][table, movers[own, table]] + 1 / many.players
            began[table] = step + 1
    known = ~numpy.isnan(shares)
    return observations[known], masks[known], advice[known], shares[known]


def learn(game: str, tables: int = 500, steps: int = 150, rounds: int = 300) -> Evaluator:
    """An evaluator of two linear layers: one for actions, learnt by softmax regression, one for the share of the win."""
    observations, masks, advice, shares = matches_of_greedy(game, tables, steps)
    inputs = numpy.concatenate([observations, numpy.ones((len(observations), 1), "float32")], axis=1)
    squares = inputs.T @ inputs + 10 * numpy.eye(inputs.shape[1])
    worth = numpy.linalg.solve(squares, inputs.T @ shares)
    weights, speed = numpy.zeros((inputs.shape[1], masks.shape[1])), numpy.zeros((inputs.shape[1], masks.shape[1]))
    chance = numpy.random.default_rng(2)
    for _ in range(rounds):
        some = chance.integers(len(inputs), size=1024)
        logits = numpy.where(masks[some], inputs[some] @ weights, -numpy.inf)
        likely = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        likely[numpy.arange(len(some)), advice[some]] -= 1
        speed = 0.9 * speed - 0.5 * inputs[some].T @ likely / len(some)
        weights += speed

    def evaluate(seen: dict[str, Any]) -> tuple[Any, Any]:
        lines = numpy.concatenate([seen["observation"], numpy.ones((len(seen["observation"]), 1), "float32")], axis=1)
        return lines @ weights, numpy.clip(lines @ worth, 0, 1)

    return evaluate


def share_won(game: str, search: BatchedSearch, matches: int, opponent: str = "greedy") -> float:
    """The share of the win of a search, in matches that are all played at once, every deal from both seats."""
    tables = [(Match(find(game), seed=1000 + number // 2), number % 2) for number in range(matches)]
    bot, round_number = find_bot(opponent), 0
    while any(match.to_act for match, _ in tables):
        round_number += 1
        mine = [(match, own) for match, own in tables if own in match.to_act]
        views = [match.view(own) for match, own in mine]
        for (match, own), action in zip(
            mine, search.choose_many(views, range(round_number, round_number + len(mine))), strict=True
        ):
            match.play(action, own)
        for match, own in tables:
            for seat in match.to_act:
                if seat != own:
                    match.play(bot.choose(match.view(seat), Budget(match.ply)), seat)
    outcomes = [(match.outcome, own) for match, own in tables]
    return float(numpy.mean([(own in one.winners) / max(1, len(one.winners)) for one, own in outcomes if one is not None]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Search with an evaluator of your own.")
    parser.add_argument("game", nargs="?", default="fantome")
    parser.add_argument("--playouts", default="1,16,64", help="of each decision; 1: what the evaluator likes best")
    parser.add_argument("--at-once", type=int, default=1, help="playouts of a search before the evaluator is asked")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--opponent", default="random")
    chosen = parser.parse_args()
    evaluate = learn(chosen.game)
    for playouts in map(int, chosen.playouts.split(",")):
        won = share_won(chosen.game, BatchedSearch(evaluate, playouts, chosen.at_once), chosen.matches, chosen.opponent)
        print(f"{playouts} playouts: {won:.1%} of {chosen.matches} matches against {chosen.opponent}", flush=True)


if __name__ == "__main__":
    main()
