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


def choose(weights: list[Any], seen: list[Any], mask: Any) -> int:
    """The legal action that the network holds best."""
    hidden = numpy.concatenate([mask.astype("float32"), *seen])
    for at in range(0, len(weights) - 2, 2):
        hidden = numpy.tanh(weights[at] @ hidden + weights[at + 1])
    return int(numpy.where(mask, weights[-2] @ hidden + weights[-1], -numpy.inf).argmax())


def main(policies: list[str]) -> None:
    """Answer each line of JSON with another."""
    tensors, weights = None, []
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "hello":
            tensors = Tensors(told["game"], told["seats"])
            weights = list(numpy.load(policies[told["seat"]]).values())
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
