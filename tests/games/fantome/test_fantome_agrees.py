"""The engine of Le Fantôme against the second, independent model of its rules, decision by decision."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from models.fantome_model import Model

from ridotto.core.match import Entry, Match
from ridotto.games import GAMES

GAME = GAMES["fantome"]
SIDES = ("inspector", "phantom")
HANDICAPS = range(-3, 4)


class Disagreement(AssertionError):
    """The engine and the model do not say the same."""


def told(match: Match, ply: int) -> dict[str, Any]:
    """What chance did in an entry, in the model's words: the alibi that Raoul drew, the cards of a new odd round."""
    chance: dict[str, Any] = {}
    for one in match.events:
        if one.ply != ply:
            continue
        shown = {arg.name: arg.kind.to_json(value) for arg, value in zip(one.event.args, one.values, strict=True)}
        if one.event.name in ("shows", "keeps"):
            chance["alibi"] = shown["who"]
        elif one.event.name == "ghost":
            chance["alibi"] = "phantom"
        elif one.event.name == "offers" and shown["round"] % 2:
            chance["cards"] = set(shown["cards"])
        elif one.event.name == "masked":
            chance["identity"] = shown["who"]
        elif one.event.name == "placed":
            chance.setdefault("place", {})[shown["who"]] = int(shown["room"])
    return chance


def laid_out(match: Match) -> Model:
    """The model's table after the deal of a match."""
    dealt = told(match, 0)
    return Model(dealt["place"], dealt["identity"], dealt["cards"], 3 + match.options["handicap"])


def engine_state(match: Match) -> dict[str, Any]:
    """The engine's position in the words of `Model.state`."""
    now = match.position()
    ending = [None, *(line.name for line in GAME.rules.ENDINGS)][now["ending"]]
    return {
        "round": now["round"],
        "played": now["played"],
        "active": now["active"],
        "place": {name: int(room) for name, room in now["place"].items()},
        "offered": sorted(now["offered"]),
        "pile": sorted(now["pile"]),
        "suspects": sorted(now["suspects"]),
        "padlock": now["padlock"],
        "dark": int(now["dark"]),
        "carlotta": now["carlotta"],
        "identity": now["identity"],
        "held": sorted(now["held"]),
        "shown": sorted(now["shown"]),
        "ghosts": now["ghosts"],
        "result": SIDES[match.outcome.winners[0]] if ending and match.outcome else None,
        "reason": ending,
    }


def compare(match: Match, model: Model, where: str) -> None:
    """Hold the whole table, who is to act and what is legal against each other."""
    expected = model.state() | {"to_act": model.to_act(), "legal": sorted(model.legal()), "kept": len(model.held)}
    now = engine_state(match) | {"kept": match.position()["kept"]}
    if match.outcome is not None and match.outcome.ending == "resigned":
        expected |= {"to_act": None, "legal": []}
    now |= {"to_act": SIDES[match.to_act[0]] if match.to_act else None, "legal": sorted(match.legal())}
    differing = {key: (expected[key], now[key]) for key in expected if expected[key] != now[key]}
    if differing or expected.keys() != now.keys():
        lines = [f"{key}: the model says {one}, the engine {other}" for key, (one, other) in differing.items()]
        raise Disagreement("\n  ".join([f"{where}: {', '.join(differing)}", *lines]))


def decide(match: Match, model: Model, action: str, where: str, entry: Entry | None = None) -> None:
    """Play one action on both tables, which must agree afterwards."""
    ply = match.ply
    match.play(action, entry=entry)
    model.play(action, **told(match, ply))
    compare(match, model, f"{where}, ply {ply}, after {action!r}")


def confirm(match: Match, name: str) -> int:
    """Play a recorded match once more beside the model, undone and resigned entries too; how many decisions agreed."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0])
    tables = [laid_out(again)]
    compare(again, tables[0], f"{name}, ply 0, after the deal")
    decisions = 0
    for ply, entry in enumerate(match.entries[1:], 1):
        model = copy.deepcopy(tables[-1])
        verb, _, argument = entry.do.partition(" ")
        if verb == "undo":
            model = copy.deepcopy(tables[int(argument)])
            again.repeat(entry)
            compare(again, model, f"{name}, ply {ply}, after {entry.do!r}")
        elif verb == "resign":
            again.repeat(entry)
            compare(again, model, f"{name}, ply {ply}, after {entry.do!r}")
        else:
            decide(again, model, entry.do, name, entry)
            decisions += 1
        tables.append(model)
    return decisions


def agree(decisions: int, first_seed: int) -> Counter[str]:
    """Random matches of all handicaps until so many decisions agreed; how often each verb and each ending came up."""
    seen: Counter[str] = Counter()
    seed = first_seed
    while seen["decisions"] < decisions:
        handicap = HANDICAPS[seed % len(HANDICAPS)]
        match = Match(GAME, options={"handicap": handicap}, seed=seed)
        chooser = random.Random(seed)
        model = laid_out(match)
        where = f"seed {seed}, handicap {handicap}"
        compare(match, model, f"{where}, ply 0, after the deal")
        while match.to_act:
            action = chooser.choice(match.legal())
            decide(match, model, action, where)
            seen[action.split()[0]] += 1
            seen["decisions"] += 1
        assert match.outcome is not None
        seen[match.outcome.ending] += 1
        seed += 1
    return seen


def everything(seen: Counter[str]) -> bool:
    """Whether every verb and every ending of the game came up."""
    return all(seen[one.verb] for one in GAME.rules.ACTIONS) and all(seen[line.name] for line in GAME.rules.ENDINGS)


def test_nine_thousand_decisions() -> None:
    """Legal actions and whole tables agree over 9,000 random decisions with all verbs, endings and handicaps."""
    seen = agree(9_000, first_seed=1)
    assert everything(seen), seen


@pytest.mark.soak
def test_a_million_decisions() -> None:
    """The same over a million decisions of other matches."""
    seen = agree(1_000_000, first_seed=1_000_000)
    assert everything(seen), seen


def test_undone_and_resigned_entries_agree() -> None:
    """A match with entries taken back and given up agrees entry by entry."""
    match = Match(GAME, seed=11)
    chooser = random.Random(11)
    for _ in range(12):
        match.play(chooser.choice(match.legal()))
    match.undo()
    match.undo(3)
    for _ in range(6):
        match.play(chooser.choice(match.legal()))
    match.resign(1)
    match.undo()
    match.resign(0)
    assert 18 == confirm(match, "undone")


def test_a_difference_is_reported() -> None:
    """The message names seed, ply, action and what differs, on both sides."""
    match = Match(GAME, seed=3)
    model = laid_out(match)
    action = match.legal()[0]
    model.carlotta += 1
    model.house.dark = (model.house.dark + 1) % 10
    with pytest.raises(Disagreement) as caught:
        decide(match, model, action, "seed 3")
    assert f"seed 3, ply 1, after {action!r}: dark, carlotta" == str(caught.value).splitlines()[0]
    assert "  carlotta: the model says 4, the engine 3" in str(caught.value).splitlines()
