"""While somebody tries to stop the server, a player who has nothing to do with it plays on.

How long clicks and answers take is reported by `python -m bench.attacks`; here it is only asked whether they come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from visitors import serving

from bench.attackers import ATTACKS
from bench.attacks import play
from ridotto.web.settings import LIMITS, Settings

REFUSED = ("429", "413", "cut off")
"""What an attacker gets who asks for too much."""


@pytest.mark.parametrize(
    ("attacks", "clicks"),
    [
        (("streams", "senders", "records"), 6),
        *(pytest.param((attack,), 50, marks=pytest.mark.soak) for attack in ATTACKS),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else str(value),
)
def test_a_neutral_player_plays_on(attacks: Sequence[str], clicks: int, tmp_path: Path) -> None:
    """With the usual limits none of their clicks is refused, and the bot answers; the attackers get less than they ask for."""
    usual = {name: Settings.__dataclass_fields__[name].default for name in LIMITS}
    with serving(tmp_path, **usual) as server:
        played = asyncio.run(asyncio.wait_for(play(server.base, tmp_path, attacks, 600, clicks), 500))
    print(f"p95 {1000 * played.p95:.0f} ms, longest answer {played.longest:.2f} s; {played.told}")
    assert [] == played.refused and clicks <= len(played.clicks) and clicks / 5 <= len(played.answers)
    assert "Error" not in played.told
    if clicks == 6:
        assert any(one in played.told for one in REFUSED)
