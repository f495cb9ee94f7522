"""A match as a page is sent it, several entries at a time, with the page as it would be loaded after each entry."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import Keys
from ridotto.web.live.links import Links
from ridotto.web.live.messages import message, snapshot
from ridotto.web.live.state import TableState
from ridotto.web.live.view_models import audience_of
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader
from ridotto.web.storage.table_info import Chair, Extras, TableInfo
from ridotto.web.storage.table_settings import TableSettings

READER = "ada"
LINKS = Links(Keys(b"reel"), "http://table.test", "world")


def state(match: Match, serial: int) -> TableState:
    """A table with a reader on the first seat, and bots."""
    chairs = [Chair(0, "person", False, READER, "Ada", None, "")]
    chairs += [Chair(seat, "bot", False, None, "level:2", "level:2", "") for seat in range(1, match.seats)]
    stage: Literal["playing", "over"] = "playing" if match.to_act else "over"
    info = TableInfo(
        id="x",
        game=match.game.name,
        seats=match.seats,
        options=match.options,
        private=False,
        host=READER,
        language="en",
        salt="",
        created=0,
        changed=0,
        state=stage,
        to_act=sum(1 << seat for seat in match.to_act),
        version=serial,
        result=None,
        rematch=None,
        settings=TableSettings(),
        origin=None,
        deal=None,
        chairs=tuple(chairs),
        keys={READER: 0},
    )
    return TableState(info, match.game, match, frozenset((READER,)), {}, extras=Extras(), serial=serial)


class Reel(NamedTuple):
    """The page after the first entries, the messages that follow, and by ply the page as it would be loaded then."""

    first: str
    messages: list[dict[str, Any]]
    pages: dict[int, str]


def reel(match: Match, start: int, dice: random.Random, most: int = 6) -> Reel:
    """A match that was played, from its entry `start` on, in bunches of up to `most` entries, until the reader is asked."""

    async def made() -> Reel:
        loaded, sent = {}, []
        for ply in range(start, match.ply + 1):
            then = state(match.after(ply), ply)
            shown = await snapshot(then, audience_of(then, READER, "en", LINKS), 0)
            loaded[ply] = pages.table(replace(shown.table, reader=Reader("Ada", "en"), number=ply, now=0))
        before = state(match.after(start), start)
        audience, ply = audience_of(before, READER, "en", LINKS), start
        last = await snapshot(before, audience, 0)
        while ply < match.ply:
            bunch = range(ply + 1, min(match.ply, ply + dice.randint(1, most)) + 1)
            ply = next((one for one in bunch if 0 in match.after(one).to_act), bunch[-1])
            last, one = await message(state(match.after(ply), ply), audience, last, 0, last.view.ply)
            sent.append(json.loads(one.plain.decode().partition("data: ")[2]))
        return Reel(loaded[start], sent, loaded)

    return asyncio.run(made())


def played(name: str, seats: int, seed: int) -> Match:
    """A match of random play."""
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    return match
