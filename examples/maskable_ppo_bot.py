"""A bot that plays what `maskable_ppo.py` has learnt, with a policy for each seat; it needs no PyTorch.

ridotto arena fantome --bots 'greedy,cmd:python examples/maskable_ppo_bot.py inspector.npz phantom.npz'
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy

from ridotto.rl import Tensors
from ridotto.rl.environment import features


def choose(weights: dict[str, Any], seen: list[Any], mask: Any) -> int:
    """The legal action that the network holds best: the layers of `Worth` in `maskable_ppo.py`, or a linear one alone."""
    told = numpy.concatenate([mask.astype("float32"), *seen])
    if "weight" in weights:
        worth = weights["weight"] @ told + weights["bias"]
    else:
        start, (_, kinds) = int(weights["start"]), weights["own.weight"].shape
        own = told[start : start + kinds * len(mask)].reshape(kinds, len(mask)).T
        rest = weights["rest.weight"] @ told + weights["rest.bias"]
        hidden = numpy.maximum(0, own @ weights["own.weight"].T + weights["own.bias"] + rest + weights["name"])
        worth = weights["line.weight"] @ told + weights["line.bias"] + hidden @ weights["out.weight"][0]
    return int(numpy.where(mask, worth, -numpy.inf).argmax())


def main(policies: list[str]) -> None:
    """Answer each line of JSON with another."""
    tensors: Tensors | None = None
    weights: dict[str, Any] = {}
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "hello":
            tensors = Tensors(told["game"], told["seats"])
            weights = dict(numpy.load(policies[told["seat"]]))
            answer: dict[str, Any] = {"ok": True, "name": "MaskablePPO"}
        elif told["do"] == "choose":
            assert tensors is not None
            view = told["view"]
            notation = {action["id"]: action["notation"] for action in view["actions"]}
            mask = numpy.isin(numpy.arange(tensors.game.rules.ACTIONS.size), list(notation))
            # Stable-Baselines3 sorts the parts of an observation by their names: action_mask, features, observation.
            more = [features(tensors.game, view["row"], view["seat"])] if tensors.game.build().features.COUNT else []
            seen = [*more, tensors.encode(view["row"], view["seat"])]
            answer = {"action": notation[choose(weights, seen, mask)]}
        elif told["do"] == "error":
            print(told["error"]["message"], file=sys.stderr)
            continue
        else:  # the result: the match is over
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
