"""Pairs of worlds that a seat cannot tell apart: whatever it is sent must be the same in both."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ridotto.arena.audit import History, Twin
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.games import GAMES

PLIES = 2
"""How many positions of a pair of worlds are looked at, if nothing else is asked for."""
TURNS = 2
"""Pairs that differ from some later ply on, besides the one that differs from the deal on."""


def worlds(
    game: str, seats: int, seed: int, plies: int = PLIES
) -> Iterator[tuple[Seat | None, Match, Match, set[str], set[int]]]:
    """For each seat and a spectator: two matches that showed it the same, and the fields in which they differ.

    And the plies at which they showed it something else on the way: while choices arrive in another order, everybody is
    told who is still to choose.
    """
    dice = random.Random(f"{game} {seed}")
    match = Match(GAMES[game], seats, seed=dice.getrandbits(62))
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    history, fields = History(match, dice), match.rules.FIELDS
    for eyes in (*range(seats), None):
        for turn in (0, *(history.turn(dice) for _ in range(TURNS))):
            twin, pairs, apart = Twin.of(history, turn, eyes, dice), [], False
            other = match.after(turn)
            told = {ply + 1 for ply in range(turn, turn + len(twin.entries)) if ply not in twin.plies}
            for ply, entry in enumerate(twin.entries, turn):
                if ply == 0:
                    other = Match(match.game, seats, match.options, deal=entry)
                else:
                    other.repeat(entry)
                one = match.after(ply + 1)
                a, b = one.row, other.row
                unlike = {fields.field_at(index).name for index in fields.hidden(eyes) if a[index] != b[index]}
                apart = apart or (entry.seat, entry.do) != (match.entries[ply].seat, match.entries[ply].do)
                if (unlike or apart) and ply in twin.plies and one.to_act:
                    pairs.append((eyes, one, other.after(ply + 1), unlike, told))
            yield from dice.sample(pairs, min(plies, len(pairs)))
