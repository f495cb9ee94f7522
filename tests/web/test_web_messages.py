"""What a page is sent: differences shared by all who see the same, kept pages with an ETag, and boards as files."""

from __future__ import annotations

import gc
import gzip
import json
import random
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from shown_scene import ShownScene
from visitors import Visitor, sat, services, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.beats import beats
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import whole
from ridotto.present.ui import ui
from ridotto.web.identity import Keys
from ridotto.web.live import messages
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.links import Links
from ridotto.web.live.view_models import audience_of
from ridotto.web.pages.boards import board, board_of, find_board
from ridotto.web.pages.table_log import since
from ridotto.web.server import requests


def shown(page: str) -> str:
    """The number of the state that a page shows."""
    found = re.search(r'data-state="(\d+)"', page)
    assert found
    return found[1]


def test_a_page_is_sent_what_changes_and_nothing_else(tmp_path: Path) -> None:
    """A page that shows the table as it is gets nothing whole; an action brings the parts that changed."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        page = (await three.get(f"/t/{table.id}")).text
        async with three.live(table.id, query=f"state={shown(page)}") as stream:
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            message = await stream.next()
            assert int(shown(page)) == message["since"] != message["number"] == table.state.serial
            assert 2 == message["ply"]
            assert not {"head", "heading"} & set(message), "a spectator has no receipt, and the title is as it was"
            assert {"ask", "people"} >= set(message["parts"]) and {"0", "1"} >= set(message.get("people", {}))
            assert "whole" not in message["scene"] and 0 < len(message["scene"]["items"]) < 12
            assert [True] == ["lines" in one or "chapter" in one for one in message["log"]]

    visiting(tmp_path, 3, visit)


def test_all_who_see_the_same_get_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is worked out and compressed once for all spectators, and can be read in the middle of any stream."""
    packed = []

    def pack(piece: bytes) -> bytes:
        packed.append(piece)
        return original(piece)

    original = messages.pack
    monkeypatch.setattr(messages, "pack", pack)

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor, four: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        number = shown((await three.get(f"/t/{table.id}")).text)
        given = {"query": f"state={number}", "accept_encoding": "gzip"}
        async with three.live(table.id, **given) as first, four.live(table.id, **given) as second:
            before = [[await stream.piece(), await stream.piece()] for stream in (first, second)]
            packed.clear()
            await one.act(table.id, "pick meg", 1)
            pieces = [await first.piece(), await second.piece()]
            assert pieces[0] == pieces[1]
            assert 1 == sum(b"event: table" in piece for piece in packed)
            unpacker = zlib.decompressobj(wbits=31)
            text = b"".join(map(unpacker.decompress, (*before[0], pieces[0])))
            assert 1 == text.count(b"event: table")

    visiting(tmp_path, 4, visit)


def test_seats_are_the_same_for_all_but_for_what_is_ones_own(tmp_path: Path) -> None:
    """Who asks first makes no difference: nobody else is "you", and a stranger gets no link to a free seat."""

    async def visit(app: Any, one: Visitor, stranger: Visitor) -> None:
        table = await sat(app, Match(GAMES["turandot"], 3, seed=7), one, "", "")
        links = Links(services(app).keys, "http://test", "world")
        for order in ((one, stranger), (stranger, one)):
            services(app).publisher.publish(table)  # a state of which nobody has seen anything
            for who in order:
                audience = audience_of(table.state, who.id, "en", links)
                places = (await messages.snapshot(table.state, audience, 0)).table.seats
                assert [who is one, False, False] == [place.you for place in places]
                sent = [links.invitation(table.info, chair) if who is one else "" for chair in table.info.chairs[1:]]
                assert ["", *sent] == [place.link for place in places]

    visiting(tmp_path, 2, visit)


def test_a_kept_page_is_not_sent_twice(tmp_path: Path) -> None:
    """A browser that has the page is told so; after an action it gets a new one. Replays and records likewise."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        for path in ("", "/replay", "/replay/moment?ply=0", "/replay/scene?ply=0", "/record"):
            address = f"/t/{table.id}{path}"
            first = await one.get(address)
            tag = first.headers["etag"]
            assert "private, no-cache" == first.headers["cache-control"]
            again = await one.get(address, headers={"if-none-match": tag})
            assert (304, "") == (again.status_code, again.text)
            assert 200 == (await two.get(address, headers={"if-none-match": tag})).status_code, (
                "another reader has another page"
            )
            seat, action = table.match.to_act[0], table.match.legal()[0]
            assert 204 == (await (one, two)[seat].act(table.id, action, table.match.ply)).status_code
            assert 200 == (await one.get(address, headers={"if-none-match": tag})).status_code

    visiting(tmp_path, 2, visit)


def test_a_kept_page_has_the_readers_own_nonce(tmp_path: Path) -> None:
    """Two spectators share a page that was drawn once, and each can send its forms."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "")
        pages = [(await visitor.get(f"/t/{table.id}")).text for visitor in (two, three)]
        assert two.nonce != three.nonce
        assert pages[0].replace(two.nonce, "") == pages[1].replace(three.nonce, "")
        assert two.nonce in pages[0] and three.nonce in pages[1]
        assert 303 == (await three.post(f"/t/{table.id}/sit", {"seat": "1"})).status_code

    visiting(tmp_path, 3, visit)


def test_what_people_write_never_becomes_a_nonce(tmp_path: Path) -> None:
    """A name that earlier versions took for the place of the nonce stays a name, in whatever is sent, and no nonce is sent
    but in the forms of a page."""
    name = "nonce-of-the-reader"

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        await one.post("/me", {"name": name})
        match = Match(GAMES["fantome"], 2, seed=7)
        while match.ply < 5:
            match.play(match.legal(match.to_act[0])[0], match.to_act[0])
        table = await sat(app, match, one, two)
        here = f"/t/{table.id}"
        assert 303 == (await one.post(f"{here}/talk", {"text": f"I am {name}"})).status_code
        for _ in range(2):  # drawn, then kept
            pages = [(await two.get(path)).text for path in (here, f"{here}/replay?ply=3", "/")]
            texts = [(await two.get(f"{here}/{what}")).text for what in ("record", "replay/moment?ply=3", "replay/scene?ply=3")]
            texts.append((await two.get(f"{here}/picture.svg")).text)
            texts.append((await one.get("/me/export")).text)
            for page in pages:
                assert name in page
                forms = re.findall(r'name="nonce" value="([^"]*)"|data-nonce="([^"]*)"', page)
                assert {two.nonce} == {a or b for a, b in forms} and len(forms) == page.count(two.nonce)
            assert name in texts[0] and name in texts[1] and name in texts[-1]
            assert not [text for text in texts if two.nonce in text or one.nonce in text]
            assert not [text for text in (*pages, *texts) if requests.PLACEHOLDER in text]
        async with two.live(table.id) as stream:
            sent = await stream.next()
            assert name in str(sent) and two.nonce not in str(sent)
            assert f"I am {name}" in str(await stream.text())

    visiting(tmp_path, 2, visit)


def test_a_device_that_several_share_keeps_no_page(tmp_path: Path) -> None:
    """Whoever has it next cannot go back to what another one saw."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno")
        answer = await one.get(f"/t/{here}")
        assert "no-store" == answer.headers["cache-control"] and "etag" not in answer.headers

    visiting(tmp_path, 1, visit)


@pytest.mark.parametrize("name", GAMES)
def test_boards_are_files_that_browsers_keep(name: str, tmp_path: Path) -> None:
    """The address of a board names its content; every table of the same kind has the same, in each language."""
    game = GAMES[name]
    addresses = {}
    for language in LANGUAGES:
        words = ui(game).words(ui(game).narrator(language, ("Nellie",) * game.seats[-1]))
        for seats in game.seats:
            views = [Match(game, seats, seed=seed).view(0) for seed in (1, 2)]
            first, second = (board_of(game, view, words).address for view in views)
            assert first == second
            addresses[language, seats] = first
    assert len(set(addresses.values())) == len(addresses)

    async def visit(app: Any, one: Visitor) -> None:
        for address in addresses.values():
            answer = await one.get(address)
            assert 200 == answer.status_code and "immutable" in answer.headers["cache-control"]
            assert "image/svg+xml" == answer.headers["content-type"].partition(";")[0]
            assert "Nellie" not in answer.text and "data-do" not in answer.text
            ElementTree.fromstring(answer.text)
            assert "no-cache" == (await one.get(address.partition("?")[0])).headers["cache-control"]
        for nonsense in ("en/99", "en/x", "en/2-1-1-1-1-1", "xx/2", "en/--", "en/2.5"):
            assert 404 == (await one.get(f"/boards/{name}/{nonsense}.svg")).status_code
        assert 404 == (await one.get("/boards/chess/en/2.svg")).status_code

    visiting(tmp_path, 1, visit)


def test_every_value_of_an_option_has_its_board() -> None:
    """The address of a board leads back to it, also where an option is below zero, as a handicap may be."""
    for game in GAMES.values():
        for option in game.rules.OPTIONS:
            for value in (option.low, option.high):
                options = tuple((game.settle() | {option.name: value}).values())
                seats = game.seats[-1]
                address = board(game, "en", seats, options).address
                setup = address.rpartition("/")[2].partition(".svg")[0]
                again = find_board(game, "en", setup)
                assert again is not None and address == again.address, (game.name, option.name, value)


def test_a_board_is_compressed_once(tmp_path: Path) -> None:
    """A file that is sent to many is kept compressed, and is the same for those who want it plain."""

    async def visit(app: Any, one: Visitor) -> None:
        game = GAMES["fantome"]
        board = find_board(game, "en", "-".join(map(str, (2, *game.settle().values()))))
        assert board is not None
        async with one.http.stream("GET", board.address, headers={"accept-encoding": "gzip"}) as packed:
            raw = b"".join([piece async for piece in packed.aiter_raw()])
        assert board.text == gzip.decompress(raw).decode()
        plain = await one.get(board.address, headers={"accept-encoding": "identity"})
        assert board.text == plain.text and "content-encoding" not in plain.headers
        assert services(app).games["fantome"] is game

    visiting(tmp_path, 1, visit)


def test_an_action_leaves_no_cycles(tmp_path: Path) -> None:
    """Everybody waits while garbage is looked for: what an action and its messages leave behind goes at once."""
    left: list[str] = []

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        for name in ("fantome", "opera", "turandot"):
            table = await sat(app, Match(GAMES[name], 2, seed=7), one, two)
            links = Links(services(app).keys, "http://test", "world")
            shown: messages.Snapshot | None = None
            gc.collect()
            gc.freeze()  # what was there before need not be gone through each time
            for times in range(4):
                gc.collect()
                gc.set_debug(gc.DEBUG_SAVEALL)
                try:
                    seat, ply = table.match.to_act[0], table.match.ply
                    answer = await (one, two)[seat].act(table.id, next(iter(table.match.legal(seat))), ply)
                    assert 204 == answer.status_code
                    audience = audience_of(table.state, one.id, "en", links)
                    shown, _ = await messages.message(table.state, audience, shown, 0, 0)
                    gc.collect()
                    if times > 1:  # what is drawn once and kept may leave something
                        left.extend(type(thing).__qualname__ for thing in gc.garbage if "ridotto" in type(thing).__module__)
                finally:
                    gc.set_debug(0)
                    gc.garbage.clear()

    try:
        visiting(tmp_path, 2, visit)
    finally:
        gc.unfreeze()
    assert [] == left


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_steps_lead_to_the_same_picture(name: str, is_known: bool, tmp_path: Path) -> None:
    """A page that is behind is shown one beat after another, and then shows what a fresh one does: picture and news."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match, dice = Match(GAMES[name], 2, seed=7), random.Random(7)
        table = await sat(app, match, one, two)
        state, audience = table.state, audience_of(table.state, two.id, "en", Links(Keys(b"key"), "http://table.test", "world"))
        earlier = await messages.snapshot(state, audience, 0)
        board = board_of(match.game, earlier.view, earlier.table.words)
        kept = dict(re.findall(r'<g data-look="(\w+)">(.*?)</g>(?=<g data-look=|</defs>)', board.text))
        assert board.looks == set(kept)
        shown = ShownScene(kept).apply(whole(earlier.scene))
        while match.ply < 14:
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat).ids), seat)
        later = replace(state, match=match, logs={}, cache=AsyncCache(), messages=AsyncCache(), serial=state.serial + 1)
        new, sent = await messages.message(later, audience, earlier if is_known else None, 0, 1)
        told = json.loads(sent.plain.decode().partition("data: ")[2])
        frames = [*told["steps"], told]
        plies = [frame["ply"] for frame in frames]
        ends = [beat.last + 1 for beat in beats(match.game, new.view.seen, 1, match.ply)]
        assert set(ends) <= set(plies) and plies == sorted(plies)
        assert len(ends) == sum("on" not in frame["beat"] for frame in frames), "a part of a beat goes on with it"
        assert "whole" not in told["scene"] and ("whole" in frames[0]["scene"]) != is_known
        news: list[tuple[int, str]] = []
        for frame in frames:
            scene = frame.get("scene", {})
            shown = (ShownScene(kept) if "whole" in scene else shown).apply(scene)
            assert "whole" in scene or not board.looks & set(scene.get("looks", ())), "sent although the page has it"
            lines = re.findall(r'data-ply="(\d+)"(.*?)</li>', frame["beat"]["lines"])
            news = [line for line in news if line[0] >= frame["beat"]["recent"]] + [(int(ply), text) for ply, text in lines]
        assert ShownScene().apply(whole(new.scene)).trees() == shown.trees()
        assert [(int(ply), text) for ply, text in re.findall(r'data-ply="(\d+)"(.*?)</li>', since(new.table))] == news
        assert all(frame["beat"]["lines"] or frame["beat"].get("on") for frame in frames)

    visiting(tmp_path, 2, visit)
