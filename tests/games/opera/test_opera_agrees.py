"""The engine of Opera against the second, independent model of its rules, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from models.opera_model import BOX, COMPOSERS, PIECES_EACH, ROLES, STANDING_PLACES, Drawn, Event, Model, unpacked
from owners import box_of_an_owner

from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.core.view import MatchEvent
from ridotto.games.opera import game as GAME
from ridotto.games.opera import rules

OPTIONS = ("screens", "seven_rounds", "dutch_esperto", "literal_rearranging")
SETUPS = [(seats, dict(zip(OPTIONS, chosen, strict=True))) for *chosen, seats in product(*[(0, 1)] * len(OPTIONS), (2, 3, 4))]
"""Every number of seats with every combination of options."""

FORMER = 0.25
"""The share of matches that are played by version 1 of the rules."""

Style: TypeAlias = dict[str, float]
STYLES: tuple[Style, ...] = (
    {},
    {"bid": 5, "hire": 6, "hire impresario": 40, "buy": 9, "build": 6, "place": 30, "keep": 2, "decline": 0.2, "stop": 0.3},
    {"bid": 6, "hire": 4, "hire esperto": 20, "buy": 9, "build": 3, "place": 30, "keep": 9, "move": 30, "score": 3, "end": 4},
    {"bid": 7, "hire": 9, "buy": 5, "build": 9, "place": 30, "sell": 4, "move": 6, "stop": 0.3, "end": 0.1},
)
"""How much likelier an action is than others, by its verb; `bid` is the favourite bid, `move` for cities where one performs."""

Step: TypeAlias = tuple[str, int, list[Drawn]]


class Disagreement(AssertionError):
    """The engine and the model do not say the same."""


def heard(events: Sequence[MatchEvent]) -> list[Event]:
    """Events in the model's words."""
    return [
        (one.event.name, {arg.name: arg.kind.to_json(value) for arg, value in zip(one.event.args, one.values, strict=True)})
        for one in events
    ]


def drawn(events: Sequence[Event]) -> list[Drawn]:
    """What chance did in an entry: the new offer, before and after the pile was reshuffled; empty if there was none."""
    offers: list[dict[str, tuple[int, int]]] = [{}]
    for name, args in events:
        if name in ("lays_out", "offers", "adds"):
            offers[-1][args["composer"]] = (args["pieces"], args["aside"])
        elif name == "reshuffles":
            offers.append({})
    return [] if offers == [{}] else [*offers]


def laid_out(match: Match) -> Model:
    """The model's table after the deal of a match."""
    events = heard([one for one in match.events if one.ply == 0])
    file = match.game.box_file
    box, places = unpacked(file.read_text("utf-8")) if file else (BOX, STANDING_PLACES)
    model = Model(match.seats, box, places, version=match.version, **match.options)
    model.deal(
        ladder=[args["composer"] for name, args in events if name == "stands"],
        offers=drawn(events)[0],
        century=[args["composer"] for name, args in events if name in ("century", "repeats")],
        start=next(int(args["seat"]) for name, args in events if name == "starts"),
    )
    return model


def compare(match: Match, model: Model, where: str, events: Sequence[Event] | None = None) -> None:
    """Hold the whole table, who is to act, what is legal, the result and what was told against each other."""
    outcome = match.outcome
    expected: dict[str, Any] = model.state()
    now: dict[str, Any] = match.position()
    if outcome is None or outcome.ending != "resigned":
        expected["legal"] = {seat: sorted(model.legal(seat)) for seat in model.to_act()}
        expected["winners"] = () if model.winner is None else (model.winner,)
        now["winners"] = outcome.winners if outcome else ()
    else:
        expected["legal"] = {}
    now["legal"] = {seat: sorted(match.legal(seat)) for seat in match.to_act}
    if outcome is not None:
        expected["scores"] = [(player.points, {k: v for k, v in player.earned.items() if v}) for player in model.players]
        parts = [{k: v for k, v in part.items() if v} for part in outcome.parts]
        now["scores"] = list(zip(outcome.scores, parts, strict=True))
    if events is not None:
        expected["events"], now["events"] = model.story, list(events)
    if expected != now:
        differing = [key for key in {**expected, **now} if expected.get(key) != now.get(key)]
        lines = [f"{key}: the model says {expected.get(key)}, the engine {now.get(key)}" for key in differing]
        raise Disagreement("\n  ".join([f"{where}: {', '.join(differing)}", *lines]))


def decide(match: Match, model: Model, action: str, seat: int, where: str, entry: Entry | None = None) -> list[Event]:
    """Play one action on both tables, which must agree afterwards; what was told."""
    ply, known = match.ply, len(match.events)
    match.play(action, seat, entry=entry)
    events = heard(match.events[known:])
    place = f"{where}, ply {ply}, after {action!r} by seat {seat}"
    try:
        model.play(action, seat, drawn(events))
    except ValueError as refused:
        raise Disagreement(f"{place}: the model refuses\n  {refused}") from refused
    compare(match, model, place, events)
    return events


def confirm(match: Match, name: str) -> int:
    """Play a recorded match once more beside the model, undone and resigned entries too; how many decisions agreed."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0], version=match.version)
    model = laid_out(again)
    compare(again, model, f"{name}, ply 0, after the deal")
    played: list[list[Step]] = [[]]
    """For every ply, the decisions then in effect."""
    decisions = 0
    for ply, entry in enumerate(match.entries[1:], 1):
        verb, _, argument = entry.do.partition(" ")
        if verb in ("undo", "resign"):
            played.append(played[int(argument) if verb == "undo" else ply - 1])
            again.repeat(entry)
            model = laid_out(again)
            for step in played[-1]:
                model.play(*step)
            compare(again, model, f"{name}, ply {ply}, after {entry.do!r}")
        else:
            assert entry.seat is not None
            events = decide(again, model, entry.do, entry.seat, name, entry)
            played.append([*played[-1], (entry.do, entry.seat, drawn(events))])
            decisions += 1
    return decisions


def choose(chooser: random.Random, style: Style, legal: Sequence[str], home: Collection[str]) -> str:
    """An action by chance, some likelier than others."""
    weights = []
    for action in legal:
        verb, *what = action.split()
        weight = style.get(action, style.get(verb, 1))
        if verb == "bid" and style:
            weight = 1 / (1 + abs(style["bid"] - int(what[0])))
        elif verb == "move" and what[0] not in home:
            weight = 1
        weights.append(weight)
    return chooser.choices(legal, weights)[0]


@dataclass(frozen=True)
class Scene:
    """What `note` wants to know of the table before a decision."""

    hirer: str | None
    points: list[int]
    asked: str
    lone: bool
    """Whether there was but one answer."""
    passed: bool
    """Whether the seat asked had a disc."""

    @classmethod
    def of(cls, model: Model, seat: int) -> Scene:
        hirer = None if model.hirer is None else str(model.hirer.seat)
        points = [player.points for player in model.players]
        return cls(hirer, points, model.asked(), len(model.legal(seat)) == 1, model.players[seat].passed)


def note(seen: Counter[str], action: str, scene: Scene, events: Sequence[Event]) -> None:
    """Count what came up in a decision."""
    verb = action.split()[0]
    seen[verb] += 1
    seen[f"lone {verb}"] += scene.lone
    seen[f"{scene.asked} with a disc"] += scene.passed
    for name, args in events:
        seen[f"event {name}"] += 1
        match name:
            case "hires":
                seen[f"hires {args['role']}"] += 1
            case "buys" | "rearranges" | "builds" | "sells":
                seen[f"{name} along"] += args["seat"] != scene.hirer
            case "discards":
                seen[f"discards after {verb}"] += 1
            case "gives":
                seen["gives on a tie"] += scene.points.count(min(scene.points)) > 1
            case "most":
                seen["ties"] += len(args["composers"]) > 1
            case "counting":
                seen[f"count {args['count']}"] += 1
            case "closes":
                seen[f"closes {args['why']}"] += 1
            case "joins":
                seen[f"joins for {args['fee']}"] += 1
            case "stages":
                seen["four pieces in a house"] += len(args["side"]) >= 3 and args["great"] is not None


def agree(decisions: int, first_seed: int, game: Game = GAME) -> Counter[str]:
    """Random matches of all seats and options until so many decisions agreed; how often everything came up."""
    seen: Counter[str] = Counter()
    seed = first_seed
    while seen["decisions"] < decisions:
        seats, options = SETUPS[seed % len(SETUPS)]
        chooser = random.Random(seed)
        style = chooser.choice(STYLES)
        version = 1 if chooser.random() < FORMER else 2
        match = Match(game, seats, options, seed=seed, version=version)
        model = laid_out(match)
        where = f"seed {seed}, version {version}, {seats} seats, options {options}"
        compare(match, model, f"{where}, ply 0, after the deal", heard(match.events))
        while waiting := match.to_act:
            seat = chooser.choice(waiting)
            home = [house.city for house in model.players[seat].houses.values() if house.operas()]
            action = choose(chooser, style, match.legal(seat), home)
            scene = Scene.of(model, seat)
            note(seen, action, scene, decide(match, model, action, seat, where))
            seen["decisions"] += 1
        assert match.outcome is not None
        seen[f"ending {match.outcome.ending}"] += 1
        assert pieces_of(match.position()) == Counter({**dict.fromkeys(COMPOSERS, PIECES_EACH), "house": seats}), where
        seed += 1
    return seen


def pieces_of(position: dict[str, Any]) -> Counter[str]:
    """Every piece of the box, wherever it lies."""
    found: Counter[str] = Counter(position["palazzo"])
    found.update(position["century"].values())
    for pile in ("deck", "discard", "offer", "lost"):
        found.update(position[pile])
    for seat, screen in position["screen"].items():
        found.update(screen)
        found.update(piece for piece in position["great"][seat].values() if piece is not None)
        for side in position["side"][seat].values():
            found.update(side)
    return found


WANTED = (
    *(action.verb for action in GAME.rules.ACTIONS),
    *(
        f"event {event.name}"
        for event in GAME.rules.EVENTS
        if event.name not in ("stands", "lays_out", "century", "repeats", "starts", "funded")
    ),
    *(f"ending {line.name}" for line in GAME.rules.ENDINGS),
    *(f"hires {role}" for role in ROLES),
    *(f"{what} along" for what in ("buys", "rearranges", "builds", "sells")),
    "discards after move",
    "discards after score",
    "gives on a tie",
    "ties",
    *(f"count {count}" for count in (1, 2, 3)),
    *(f"closes {why}" for why in rules.CLOSING.names),
    "joins for 0",
    "joins for 1",
    "four pieces in a house",
    "lone stop",
    "lone decline",
    "lone end",
    "lone empty",
    "score with a disc",
)
"""What random play has to reach: every verb, event, ending and role, and what is rare among them."""


def missed(seen: Counter[str]) -> list[str]:
    """What did not come up."""
    return [what for what in WANTED if not seen[what]]


def test_thirty_thousand_decisions() -> None:
    """Legal actions, whole tables and all events agree over 30,000 random decisions with all seats and options."""
    seen = agree(30_000, first_seed=1)
    assert [] == missed(seen), seen


@pytest.mark.soak
def test_a_million_decisions() -> None:
    """The same over a million decisions of other matches."""
    seen = agree(1_000_000, first_seed=1_000_000)
    assert [] == missed(seen), seen


def test_with_the_box_of_an_owner(tmp_path: Path) -> None:
    """So they do with other parts and places, which the model reads by itself from the file that an owner made."""
    seen = agree(6000, 1, GAME.with_box(box_of_an_owner("opera", tmp_path)))
    assert seen["builds along"] and seen["hires maestro"] and seen["count 3"], seen


def test_undone_and_resigned_entries_agree() -> None:
    """A match with entries taken back and given up agrees entry by entry."""
    match = Match(GAME, 3, seed=11)
    chooser = random.Random(11)

    def go_on(decisions: int) -> None:
        for _ in range(decisions):
            seat = chooser.choice(match.to_act)
            match.play(chooser.choice(match.legal(seat)), seat)

    go_on(60)
    match.undo()
    match.undo(30)
    go_on(20)
    match.resign(1)
    match.undo()
    match.resign(0)
    assert 80 == confirm(match, "undone")


def test_a_difference_is_reported() -> None:
    """The message names the match, the ply, the action and what differs, on both sides."""
    match = Match(GAME, 2, seed=3)
    model = laid_out(match)
    model.players[1].ducats += 1
    model.palazzo.append("verdi")
    with pytest.raises(Disagreement) as caught:
        decide(match, model, "bid 2", 0, "seed 3")
    first, *others = str(caught.value).splitlines()
    assert "seed 3, ply 1, after 'bid 2' by seat 0: ducats, bank, palazzo" == first
    assert "  palazzo: the model says ['verdi'], the engine []" in others


def test_a_different_event_is_reported() -> None:
    """What was told is compared as well."""
    match = Match(GAME, 2, seed=3)
    model = laid_out(match)
    with pytest.raises(Disagreement, match=r"^here: events\n"):
        compare(match, model, "here", heard(match.events)[1:])
