"""Beats: every entry of a match belongs to exactly one, for every reader, and however much of the match is asked for."""

from __future__ import annotations

import random

import pytest

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.beats import beats, last_turn, latest_beat


def played(name: str, seats: int, seed: int = 4) -> Match:
    """A match of random play with a takeback, to its end."""
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
        if match.ply == 20:
            match.undo()
    return match


@pytest.mark.parametrize("name", GAMES)
def test_every_entry_belongs_to_one_beat(name: str) -> None:
    """The beats of a match follow each other without a gap, and hold what the reader saw of their entries."""
    match = played(name, GAMES[name].seats[-1])
    for seat in (None, *range(match.seats)):
        seen = match.view(seat).seen
        found = beats(match.game, seen, 0, match.ply)
        assert list(range(match.ply)) == [ply for beat in found for ply in range(beat.first, beat.last + 1)]
        assert list(seen) == [one for beat in found for one in beat.seen]
        assert not any(beat.goes_on for beat in found)
        told = [beat for beat in found if beat.seen]
        assert told[-1].seen[0].ply == latest_beat(match.game, seen)


@pytest.mark.parametrize("name", GAMES)
def test_beats_do_not_depend_on_where_one_begins(name: str) -> None:
    """Whoever asks from some entry on gets the same beats; the first may be the rest of one."""
    match = played(name, GAMES[name].seats[0])
    seen = match.view(0).seen
    whole = beats(match.game, seen, 0, match.ply)
    for first in range(1, match.ply):
        found = beats(match.game, seen, first, match.ply)
        begun = next(beat for beat in whole if beat.first <= first <= beat.last)
        assert found[0].goes_on == any(one.ply < first for one in begun.seen)
        assert [beat for beat in whole if beat.first > found[0].last] == found[1:]


def test_the_last_turn_of_a_seat() -> None:
    """What is news begins with the end of a seat's last turn, also while it is in the middle of the next one."""
    match = Match(GAMES["fantome"], seed=7)
    while match.ply < 8:
        match.play(match.legal()[0])
    seats = [entry.seat for entry in match.entries]
    assert [0, 0, 1, 1, 1, 1, 1] == seats[1:], "the phantom plays the second and the third character"
    assert 2 == last_turn(match.view(0).seen, 0), "where the inspector's character had moved"
    assert 1 == last_turn(match.view(1).seen, 1), "their first turn: everything is news"
    first = [one for one in match.view(0).seen if one.ply == 1]
    assert first and 1 == last_turn(first, 0), "a match that goes on from a moment: nothing was seen before"


def test_a_takeback_is_a_beat_of_its_own() -> None:
    """Nothing is joined to it, before or after."""
    match = played("fantome", 2)
    found = beats(match.game, match.view().seen, 0, match.ply)
    assert [(20, 20)] == [(beat.first, beat.last) for beat in found if match.entries[beat.first].do.startswith("undo")]


def test_a_character_is_one_beat() -> None:
    """Le Fantôme: whoever is played, with the power and the way, is seen as one thing."""
    match = Match(GAMES["fantome"], seed=7)
    while match.ply < 10:
        match.play(match.legal()[0])
    found = beats(match.game, match.view().seen, 1, match.ply)
    assert all(match.entries[beat.first].do.startswith("pick") for beat in found)
    assert all(not match.entries[ply].do.startswith("pick") for beat in found for ply in range(beat.first + 1, beat.last + 1))
