"""How long one watches others at a table of Opera, worked out from the steps that are sent, not by a clock."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict

import pytest
from reels import LINKS, READER, state

from ridotto.bots.bot import Budget
from ridotto.bots.registry import find
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live.messages import message, snapshot
from ridotto.web.live.view_models import audience_of
from ridotto.web.pages.assets import script

MOST = 15.0
"""Seconds of a round that one watches at the normal pace."""


def evening(rounds: int) -> Match:
    """Four bots of level 2, one of them in the place of the reader, for so many rounds."""
    game = GAMES["opera"]
    match, bots = Match(game, 4, seed=11), [find("level:2").sit() for _ in range(4)]
    while match.to_act and match.row[game.rules.ROUND] <= rounds:
        seat = match.to_act[0]
        legal = match.legal(seat).ids
        match.play(legal[0] if len(legal) == 1 else bots[seat].choose(match.view(seat), Budget(target="cpu")), seat)
    return match


async def watched(match: Match) -> dict[int, float]:
    """The seconds for which beats of the others are held, by round: as `beats.js` waits for them."""
    constants = script("beats.js")
    beat = int(re.findall(r"normal: (\d+)", constants)[0]) / 1000
    part = float(re.findall(r"^const PART = ([\d.]+);", constants, re.MULTILINE)[0])
    found: dict[int, float] = defaultdict(float)
    before, held = state(match.after(1), 1), 0.0
    audience = audience_of(before, READER, "en", LINKS)
    last = await snapshot(before, audience, 0)
    for ply in range(2, match.ply + 1):
        last, sent = await message(state(match.after(ply), ply), audience, last, 0, ply - 1)
        told = json.loads(sent.plain.decode().partition("data: ")[2])
        for frame in (*told.get("steps", ()), told):
            shown = frame.get("beat", {})
            if "hold" not in shown:
                continue
            if match.entries[ply - 1].seat != 0:
                found[match.row_after(ply - 2)[match.rules.ROUND]] += beat * held * (part if "on" in shown else 1)
            held = 0 if "moments" in shown else shown["hold"]  # once a stage is left, nothing more is held
    return found


@pytest.mark.compiles
@pytest.mark.parametrize("rounds", [3, pytest.param(9, marks=pytest.mark.soak)])
def test_a_round_is_not_watched_for_long(rounds: int) -> None:
    """With three bots a round of Opera is watched for a quarter of a minute at most, and yet it is shown."""
    seconds = asyncio.run(watched(evening(rounds)))
    print({number: round(one, 1) for number, one in seconds.items()})
    assert list(range(1, rounds + 1)) == sorted(seconds)
    assert all(2 < one <= MOST for one in seconds.values()), seconds
