"""The audit of the bytes: what leaves the server for a seat is the same in worlds that this seat cannot tell apart."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from visitors import Visitor, running, sat, settings

from ridotto.arena.audit import History, Twin
from ridotto.core.match import Match
from ridotto.core.state import State
from ridotto.engine.fields import Row, Seat
from ridotto.games import GAMES

PLIES = 2
"""How many positions of a pair of worlds are looked at."""
TURNS = 2
"""Pairs that differ from some later ply on, besides the one that differs from the deal on."""


def worlds(game: str, seats: int, seed: int) -> Iterator[tuple[Seat | None, Match, Match, set[str]]]:
    """For each seat and a spectator: two matches that showed it the same, and the fields in which they differ."""
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
                    pairs.append((eyes, one, other.after(ply + 1), unlike))
            yield from dice.sample(pairs, min(PLIES, len(pairs)))


async def leaks(game: str, seats: int, seed: int, folder: Path, most: int = 1000) -> tuple[list[str], int, set[str]]:
    """What differed between such worlds in what was sent; how many pairs were compared; the fields that differed in them."""
    found: list[str] = []
    fields: set[str] = set()
    pairs = 0
    async with running(settings(folder, clock=lambda: 1_800_000_000.0)) as app:
        people = [await Visitor(app).__aenter__() for _ in range(seats)]
        async with Visitor(app) as spectator:
            for eyes, one, other, unlike in islice(worlds(game, seats, seed), most):
                reader = spectator if eyes is None else people[eyes]
                sent = [await everything(reader, (await sat(app, world, *people)).id, world, eyes) for world in (one, other)]
                found += [f"{what} at ply {one.ply} for seat {eyes}" for what in sent[0] if sent[0][what] != sent[1].get(what)]
                pairs, fields = pairs + 1, fields | unlike
        for visitor in people:
            await visitor.http.aclose()
    return found, pairs, fields


async def everything(reader: Visitor, table: str, world: Match, seat: Seat | None) -> dict[str, str]:
    """All that a reader gets of a table, with ids and tokens taken out."""
    sent = {"page": (await reader.get(f"/t/{table}")).text}
    async with reader.live(table) as stream:
        while "event: table" not in (text := await stream.text() or ""):
            pass
        sent["live"] = text
    if seat is not None:
        actions = world.rules.ACTIONS
        dice = random.Random(world.ply)
        for number in dice.sample(range(actions.size), 6):
            do = actions.notation(number)
            sent[f"why {do}"] = (await reader.get(f"/t/{table}/why", params={"do": do})).text
        legal = list(world.legal(seat))
        for do in dice.sample(legal, min(3, len(legal))):
            sent[f"preview {do}"] = (await reader.get(f"/t/{table}/preview", params={"do": do})).text
    return {what: re.sub(r"\b[0-9a-f]{32}\b", "TOKEN", text.replace(table, "ID")) for what, text in sent.items()}


@pytest.mark.parametrize(("game", "seats"), [("fantome", 2), ("opera", 3), ("turandot", 3)])
def test_the_bytes_tell_no_secret(game: str, seats: int, tmp_path: Path) -> None:
    """Pages, live messages, refusals and previews are identical, for every seat and for a spectator."""
    found, pairs, fields = asyncio.run(leaks(game, seats, 1, tmp_path))
    assert [] == found
    assert pairs >= 2 * seats
    assert fields, "no world differed in anything"


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing were masked, the pages of two worlds would differ: the test above can fail."""

    def unmasked(self: State, seat: Seat | None) -> Row:
        return [int(word) for word in self.row]

    monkeypatch.setattr(State, "masked", unmasked)
    found, _, _ = asyncio.run(leaks("fantome", 2, 1, tmp_path, 1))
    assert any(line.startswith("page") for line in found)
    assert any(line.startswith("live") for line in found)


def test_a_record_in_the_middle_tells_no_secret(tmp_path: Path) -> None:
    """Of a match that goes on, the record has no draws, no salts, and no hidden action of another seat."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app) as two, Visitor(app) as spectator:
            match = Match(GAMES["opera"], 2)
            match.play("bid 7", 0)
            table = await sat(app, match, one, two)
            shown = {}
            for name, visitor in (("one", one), ("two", two), ("spectator", spectator)):
                shown[name] = json.loads((await visitor.get(f"/t/{table.id}/record")).text)
            assert "bid 7" == shown["one"]["entries"][1]["do"]
            for name in ("two", "spectator"):
                assert {"ply", "content", "hash"} == set(shown[name]["entries"][1])
            assert not any("draws" in entry or "salt" in entry for one in shown.values() for entry in one["entries"])

    asyncio.run(visit())
