"""Turns of several decisions out of random matches, and the orders in which the rulebook lets people make them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from ridotto.core.errors import BadNotation
from ridotto.core.match import Match
from ridotto.engine.fields import Row, Seat
from ridotto.games import GAMES

COMPOUND = {
    "fantome": {"giry", "buquet", "persan", "moncharmin", "richard", "christine"},
    "opera": {"impresario", "architetto", "signora", "critico"},
    "turandot": {"give", "cast"},
}
"""The turns with several decisions, and Richard's, which has one that can be said in several ways."""
STARTS = ("pick", "hire", "audition", "understudy", "cast")
"""The questions with which a turn begins."""
MOST_ORDERS = 8


class Turn(NamedTuple):
    """A turn: the match before it, whose it is, its decisions as people say them, and the table it leads to."""

    kind: str
    match: Match
    seat: Seat
    decisions: list[str]
    row: Row


def said(match: Match, seat: Seat, action: str, chooser: random.Random) -> str:
    """An action as it can be said at any moment of the turn: with who is sent, who gets the card, which role is cast."""
    at, (verb, *what) = match.position(), action.split()
    if verb == "send":
        return f"send {at['expelled'][0]} {what[0]}"
    if verb == "swap":
        here = [who for who, room in at["place"].items() if room == at["place"]["richard"] != "richard" and who != "richard"]
        return f"swap {chooser.choice(here)}" if what[0] in here else action
    if verb == "give":
        holder = int(at["puccini"])
        order = [str((holder + step) % match.seats) for step in range(1, match.seats + 1)]
        return f"give {next(one for one in order if one in at['lacking'])} {what[0]}"
    if verb == "cast":
        return f"cast {list(at['casting'][str(seat)])[at['assigned'][str(seat)]]} {what[0]}"
    return action


def arrangement(match: Match, seat: Seat, chooser: random.Random) -> str:
    """All houses of a seat of Opera as they stand, cities and side halls in any order."""
    at, clauses = match.position(), []
    for city, halls in at["halls"][str(seat)].items():
        if halls:
            side = list(at["side"][str(seat)][city])
            chooser.shuffle(side)
            clauses.append(" ".join((city, at["great"][str(seat)][city] or "-", *side)))
    chooser.shuffle(clauses)
    return f"arrange {'; '.join(clauses)}"


def played(match: Match, chooser: random.Random) -> Turn | None:
    """A random turn from here, up to the next draw; None where none begins here, or chance has its part in it."""
    seat, later, decisions = match.to_act[0], match.after(match.ply), list[str]()
    if later.position()["asked"] not in STARTS:
        return None
    kind, arranges = "", False
    while True:
        action = chooser.choice([one for one in later.legal(seat) if one not in ("end", "decline")] or list(later.legal(seat)))
        verb, *what = action.split()
        kind = kind or (what[0] if verb in ("pick", "hire") else verb)
        if verb in ("place", "empty"):
            arranges = True
        else:
            decisions.append(said(later, seat, action, chooser))
        (step,) = later.try_out(action, seat)
        later.do(seat, [step])
        if later.entries[-1].draws:
            return None
        at = later.position()["asked"]
        over = seat not in later.to_act or step.reveals(frozenset(later.rules.FIELDS.hidden(seat)))
        begins = at in STARTS and at not in ("understudy", "cast")
        if over or begins or (verb == "give" and at == "cast"):
            break
    if arranges:
        decisions.append(arrangement(later, seat, chooser))
    return Turn(kind, match, seat, decisions, later.row)


def random_turns(game: str, seed: int) -> Iterator[Turn]:
    """Compound turns out of random matches, without end."""
    while True:
        chooser = random.Random(f"{game} {seed}")
        match = Match(GAMES[game], chooser.choice(GAMES[game].seats), seed=seed)
        while match.to_act:
            turn = played(match, chooser)
            if turn is not None and turn.kind in COMPOUND[game]:
                yield turn
            seat = chooser.choice(match.to_act)
            match = match.after(match.ply)
            match.play(chooser.choice(match.legal(seat)), seat)
        seed += 1


def some_turns(game: str, each: int, seed: int) -> list[Turn]:
    """So many turns of each kind."""
    found: list[Turn] = []
    seen: Counter[str] = Counter()
    for turn in random_turns(game, seed):
        if seen[turn.kind] < each:
            seen[turn.kind] += 1
            found.append(turn)
        if all(seen[kind] >= each for kind in COMPOUND[game]):
            return found
    raise AssertionError("unreachable")


def orders(turn: Turn, chooser: random.Random) -> list[tuple[str, ...]]:
    """Every order of its decisions, or some of them where there are many."""
    if len(turn.decisions) <= 3:
        return list(permutations(turn.decisions))
    return [tuple(chooser.sample(turn.decisions, len(turn.decisions))) for _ in range(MOST_ORDERS)]


def entered(turn: Turn, chooser: random.Random) -> list[str]:
    """The decisions in an order in which the rulebook lets people make them: each is asked for, or may be made ahead."""
    now, left, noted, order = turn.match.after(turn.match.ply), list(turn.decisions), list[str](), list[str]()

    def is_legal(text: str) -> bool:
        try:
            return turn.seat in now.to_act and now.why(text, turn.seat) is None
        except BadNotation:
            return False

    while left:
        ahead = {one.text for one in now.view(turn.seat).early}
        wanted = [one for one in left if one.split()[0] in ("buy", "build")] or left
        one = chooser.choice([one for one in left if one in ahead or (is_legal(one) and (one != "stop" or wanted is left))])
        left.remove(one)
        order.append(one)
        if not is_legal(one):
            noted.append(one)
            continue
        now.play(one, turn.seat)
        while ready := [one for one in noted if is_legal(one)]:
            now.play(ready[0], turn.seat)
            noted.remove(ready[0])
    return order


def giry() -> Match:
    """Madame Giry is being played, alone by the lake: she can go under the stage; the padlock bars the catacombs."""
    match = Match(GAMES["fantome"], seed=4)
    match.play("pick giry")
    assert ("2", "2-3") == (match.position()["place"]["giry"], match.position()["padlock"])
    return match
