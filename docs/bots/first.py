"""A whole bot: anything it may do, but rather something than nothing. Any of the games can be played with it."""

import json
import random
import sys

DULL = ("decline", "stop", "end", "keep", "withhold", "alone")


def choose(view, seed):
    """The notation of one of the actions on offer; the same view and seed give the same one."""
    offered = [action["notation"] for action in view["actions"]]
    liked = [text for text in offered if text.split()[0] not in DULL]
    return random.Random(seed).choice(liked or offered)


for line in sys.stdin:
    told = json.loads(line)
    if told["do"] == "hello":
        answer = {"ok": True, "name": "first"}
    elif told["do"] == "choose":
        answer = {"action": choose(told["view"], told["seed"])}
    elif told["do"] == "error":
        print(told["error"]["message"], file=sys.stderr)
        continue
    else:  # the result: the match is over
        break
    print(json.dumps(answer), flush=True)
