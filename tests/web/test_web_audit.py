"""The audit of the bytes: what leaves the server for a seat is the same in worlds that this seat cannot tell apart."""

from __future__ import annotations

import asyncio
import json
import random
import re
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from paired_worlds import worlds
from visitors import Visitor, running, sat, settings

from ridotto.arena.texts import made_up_turn
from ridotto.core import drafts
from ridotto.core.errors import IllegalAction, Refusal
from ridotto.core.match import Match
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine.digest import digest
from ridotto.engine.fields import Row, Seat
from ridotto.games import GAMES
from ridotto.present.kit import foresight
from ridotto.present.protocols import Cut, Moment
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.ui import ui
from ridotto.web.identity import Keys
from ridotto.web.live import messages, view_models
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.links import Links
from ridotto.web.live.messages import message as live_message
from ridotto.web.live.messages import snapshot
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import Audience, audience_of
from ridotto.web.pages import site as pages
from ridotto.web.pages import why_not
from ridotto.web.server.routes import table as table_routes

FILM = 9
"""How many entries a page is behind that is shown them beat by beat."""
TEXTS = 3
"""Turns that a reader sends in each world."""


async def leaks(game: str, seats: int, seed: int, folder: Path, most: int = 1000) -> tuple[list[str], int, set[str]]:
    """What differed between such worlds in what was sent; how many pairs were compared; the fields that differed in them."""
    found: list[str] = []
    fields: set[str] = set()
    pairs = 0
    async with running(settings(folder, clock=lambda: 1_800_000_000.0)) as app:
        people = [await Visitor(app).__aenter__() for _ in range(seats)]
        async with Visitor(app) as spectator:
            for eyes, one, other, unlike, told in islice(worlds(game, seats, seed), most):
                reader = spectator if eyes is None else people[eyes]
                sent = []
                dice = random.Random(one.ply)
                turns = [] if eyes is None else [made_up_turn((one, other), eyes, dice) for _ in range(TEXTS)]
                for world in (one, other):
                    table = await sat(app, world, *people)
                    seen = await everything(reader, table.id, world, eyes) | await changes(reader, table, world, told)
                    sent.append(seen | await answered(reader, table.id, world, turns))
                found += [f"{what} at ply {one.ply} for seat {eyes}" for what in sent[0] if sent[0][what] != sent[1].get(what)]
                pairs, fields = pairs + 1, fields | unlike
        for visitor in people:
            await visitor.http.aclose()
    return found, pairs, fields


async def everything(reader: Visitor, table: str, world: Match, seat: Seat | None) -> dict[str, str]:
    """All that a reader gets of a table, with ids and tokens taken out."""
    sent = {"page": re.sub(r'data-state="\d+"', "", (await reader.get(f"/t/{table}")).text)}
    sent["ledger"] = (await reader.get(f"/t/{table}/ledger")).text
    async with reader.live(table) as stream:
        while "event: table" not in (text := await stream.text() or ""):
            pass
        sent["live"] = re.sub(r'"number":\d+|id: \d+', "NUMBER", text)
    if seat is not None:
        actions = world.rules.ACTIONS
        dice = random.Random(world.ply)
        for number in dice.sample(range(actions.size), 6):
            do = actions.notation(number)
            sent[f"why {do}"] = (await reader.get(f"/t/{table}/why", params={"do": do})).text
        legal = list(world.legal(seat))
        for do in dice.sample(legal, min(3, len(legal))):
            sent[f"preview {do}"] = (await reader.get(f"/t/{table}/preview", params={"do": do})).text
            sent[f"draft {do}"] = (await reader.draft(table, do)).text
    return {what: without_tokens(text.replace(table, "ID")) for what, text in sent.items()}


async def answered(reader: Visitor, table: str, world: Match, turns: list[str]) -> dict[str, str]:
    """The answers to turns: why not, as drafts, and done, up to the first that is done: what is drawn then differs."""
    sent = {}
    for turn in turns:
        sent[f"why {turn}"] = (await reader.get(f"/t/{table}/why", params={"do": turn})).text
        sent[f"draft {turn}"] = (await reader.draft(table, turn)).text
        sent[f"preview after {turn}"] = (await reader.get(f"/t/{table}/preview", params={"do": turn, "draft": turn})).text
        sent[f"compose {turn}"] = (await reader.post(f"/t/{table}/compose", {"text": turn, "draft": turn})).text
    for turn in turns:
        answer = await reader.act(table, turn, world.ply)
        sent[f"act {turn}"] = f"{answer.status_code} {answer.text}"
        if answer.status_code == 204:
            break
    return {what: without_tokens(text.replace(table, "ID")) for what, text in sent.items()}


def without_tokens(text: str) -> str:
    """A text without what is drawn by chance: tokens, and the hash of the log, in which each entry has a salt of 128 bits."""
    return re.sub(r'\b[0-9a-f]{32}\b|(?<="head":")[0-9a-f]{64}\b', "TOKEN", text)


async def changes(reader: Visitor, table: Table, world: Match, told: set[int]) -> dict[str, str]:
    """The messages with which pages go on that show the match one entry earlier, or some; the last, beat by beat.

    A message depends on what the page shows: where that was something else in the other world (`told`), the page is taken
    that is the last before it to show the same in both.
    """
    state, sent = table.state, {}
    audience = audience_of(state, reader.id, "en", LINKS)
    for what, back in (("change", 1), ("film", FILM), ("whole film", FILM)):
        ply = max(1, world.ply - back)
        while ply in told:
            ply -= 1
        fresh: dict[str, Any] = {"logs": {}, "cache": AsyncCache(), "messages": AsyncCache()}
        before = None
        if what != "whole film":
            before = await snapshot(replace(state, match=world.after(ply), serial=state.serial - 1, **fresh), audience, 0)
        fresh = {"logs": {}, "cache": AsyncCache(), "messages": AsyncCache()}
        _, message = await live_message(replace(state, **fresh), audience, before, 0, ply)
        text = message.plain.decode().replace(str(state.serial), "NUMBER").replace(str(state.serial - 1), "BEFORE")
        sent[what] = without_tokens(text.replace(table.id, "ID"))
    return sent


LINKS = Links(Keys(b"key"), "http://table.test", "world")


@pytest.mark.parametrize(("game", "seats"), [("fantome", 2), ("opera", 3), ("turandot", 3)])
def test_the_bytes_tell_no_secret(game: str, seats: int, tmp_path: Path) -> None:
    """Pages, live messages, refusals, previews and drafts are identical, for every seat and for a spectator."""
    found, pairs, fields = asyncio.run(leaks(game, seats, 1, tmp_path))
    assert [] == found
    assert pairs >= 2 * seats
    assert fields, "no world differed in anything"


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing were masked, the pages of two worlds would differ: the test above can fail."""

    def unmasked(self: State, seat: Seat | None) -> Row:
        return [int(word) for word in self.row]

    monkeypatch.setattr(State, "masked", unmasked)
    found, _, _ = asyncio.run(leaks("fantome", 2, 1, tmp_path, 6))
    assert any(line.startswith("page") for line in found)
    assert any(line.startswith("live") for line in found)
    assert any(line.startswith("change") for line in found)
    assert any(line.startswith("film") for line in found)
    assert any(line.startswith("whole film") for line in found)


@pytest.mark.parametrize("channel", ["act", "draft", "why", "preview", "compose"])
def test_an_answer_that_knows_too_much_is_found(channel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a refusal, a draft, a preview or a reason told something of the row, it would differ between two worlds."""
    play, drafted, composed = Match.play, drafts.drafted, type(ui(GAMES["opera"]).page).compose
    modelled, truth = view_models.table_model, [""]

    def telling(error: IllegalAction, match: Match) -> IllegalAction:
        assert error.refusal is not None
        return IllegalAction(str(error), replace(error.refusal, section=digest(match.row)[:8]))

    def playing(self: Match, action: int | str, seat: Seat | None = None, **given: Any) -> None:
        try:
            play(self, action, seat, **given)
        except IllegalAction as error:
            raise telling(error, self) from error

    def drafting(match: Match, seat: Seat, wanted: Any) -> Any:
        truth[0] = digest(match.row)[:8]
        try:
            return drafted(match, seat, wanted)
        except IllegalAction as error:
            raise telling(error, match) from error

    def remember(state: TableState, *given: Any) -> Any:
        truth[0] = digest(state.match.row)[:8]
        return modelled(state, *given)

    def composing(self: Any, view: View, words: Any, text: str) -> Any:
        return {**(composed(self, view, words, text) or {}), "worth": truth[0]}

    if channel == "act":
        monkeypatch.setattr(Match, "play", playing)
    elif channel == "draft":
        monkeypatch.setattr(drafts, "drafted", drafting)
    elif channel == "why":
        monkeypatch.setattr(why_not, "why", lambda match, seat, do: Refusal("over", digest(match.row), seat, do, ()))
    elif channel == "preview":
        monkeypatch.setattr(table_routes, "table_model", remember)
        monkeypatch.setattr(foresight, "lines", lambda view, action, words: truth)
    else:
        monkeypatch.setattr(drafts, "drafted", drafting)
        monkeypatch.setattr(type(ui(GAMES["opera"]).page), "compose", composing)
    game, seats = ("opera", 2) if channel == "compose" else ("fantome", 2)
    found, _, _ = asyncio.run(leaks(game, seats, 1, tmp_path, 12))
    assert any(line.startswith(channel) for line in found), found


@pytest.mark.parametrize("part", ["moments", "goes_on", "cuts"])
def test_a_stage_that_knows_too_much_is_found(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If beats or moments were made of what really happened, those who may not know it would be sent something else."""
    stage, truth = type(ui(GAMES["fantome"]).stage), list[Match]()
    original = messages.snapshot

    async def remember(state: TableState, audience: Audience, now: int) -> messages.Snapshot:
        truth[:] = [state.match]
        return await original(state, audience, now)

    def moments(self: Any, view: View, words: Any, seen: Any) -> list[Moment]:
        return [Moment(str(truth[0].row), ())]

    def goes_on(self: Any, before: Any, seen: Any) -> bool:
        return bool(hash(tuple(truth[0].row)) & 1)

    def cuts(self: Any, seen: Any) -> list[Cut]:
        return [Cut(1, 0)] if hash(tuple(truth[0].row)) & 1 else []

    monkeypatch.setattr(messages, "snapshot", remember)
    monkeypatch.setattr(stage, part, {"moments": moments, "goes_on": goes_on, "cuts": cuts}[part])
    found, _, _ = asyncio.run(leaks("fantome", 2, 1, tmp_path, 8))
    assert any("film" in line for line in found)


@pytest.mark.parametrize("where", ["key", "order", "look", "title", "move", "size"])
def test_a_picture_that_knows_too_much_is_found(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the truth told in which order things are drawn, or were in a key, a look's digest, a move or a length, it is seen."""
    picture, truth, view = ui(GAMES["fantome"]).picture, [""], Match.view
    own, moves, announcement = picture.own, picture.moves, pages.announcement

    def remember(self: Match, seat: Seat | None = None, since: int = 0) -> View:
        truth[0] = sha256(repr(self.row).encode()).hexdigest()
        return view(self, seat, since)

    def leaking(view: View, words: Any) -> Layer:
        layer = own(view, words)
        items, panel = list(layer.items), next(iter(ui(view.game).scene(view.public(), words).panels))
        if where == "order":
            free = [Item(f"leak-{number}", panel) for number in range(8)]
            items += sorted(free, key=lambda item: sha256((item.key + truth[0]).encode()).digest())
        elif where in ("key", "look", "title"):
            key, look, title = (truth[0] if part == where else "" for part in ("key", "look", "title"))
            items.append(Item(f"leak-{key}", panel, f"<g>{look}</g>", title=title))
        return Layer(layer.panels, items)

    def moving(view: View, seen: Any) -> list[Move]:
        return [*moves(view, seen), Move("pile", truth[0])]

    def padded(table: Any, since: int) -> str:
        return announcement(table, since) + " " * int(truth[0][:3], 16)

    monkeypatch.setattr(Match, "view", remember)
    if where == "move":
        monkeypatch.setattr(picture, "moves", moving)
    elif where == "size":
        monkeypatch.setattr(pages, "announcement", padded)
    else:
        monkeypatch.setattr(picture, "own", leaking)
    found, _, _ = asyncio.run(leaks("fantome", 2, 1, tmp_path, 2))
    assert any("change" in line or "film" in line for line in found), "live messages tell it"
    if where in ("key", "order", "look", "title"):
        assert any(line.startswith("page") for line in found), "so does a page"


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
