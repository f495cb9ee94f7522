"""Names, members and their passkeys: what they can do, and every attack that we know of, refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from authenticator import Authenticator
from members import LOCAL, Browser, clubbing
from visitors import Visitor, sat, services, settings, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE
from ridotto.web.settings import Rate
from ridotto.web.storage.people import CLAIM

# Names.


def test_a_name_is_one_persons(tmp_path: Path) -> None:
    """What is somebody's, or nearly so, or a bot's, is refused with a name that is free, which can be taken by a click."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        assert 303 == (await one.post("/me", {"name": "Anna"})).status_code
        for wanted in ("Anna", "ANNA", "Аnnа", "A n n a"):
            refused = await two.post("/me", {"name": wanted})
            assert 409 == refused.status_code and f"Somebody here is called {wanted}" in refused.text
        assert 'name="name" value="A n n a II"' in refused.text
        refused = await two.post("/me", {"name": "Rosina (Maestro, level 6)"})
        assert 409 == refused.status_code and 'value="Rosina del Ridotto"' in refused.text
        assert 400 == (await two.post("/me", {"name": "\u3164"})).status_code
        assert "" == await two.name()
        assert 303 == (await two.post("/me", {"name": "Anna II"})).status_code
        assert 409 == (await one.post("/me", {"name": "Anna ll"})).status_code
        assert 303 == (await one.post("/me", {"name": "Bruna"})).status_code
        assert 303 == (await two.post("/me", {"name": "Anna"})).status_code, "nobody is called that any more"

    clubbing(tmp_path, 2, visit)


def test_a_name_is_refused_wherever_it_is_given(tmp_path: Path) -> None:
    """At a new table, in a seat that is free, by an invitation, for those at the same device."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        table = await one.create("fantome", "me", "open", name="Anna")
        for path, form in (
            (f"/t/{table}/sit", {"seat": "1", "name": "Anna"}),
            ("/tables", {"game": "fantome", "seat0": "me", "seat1": "open", "name": "Anna"}),
        ):
            assert 409 == (await two.post(path, form)).status_code, path
        await one.codes()  # whoever plays beside somebody may be called as a guest, not as a member
        shared = {"game": "fantome", "seat0": "me", "seat1": "here"}
        assert 400 == (await two.post("/tables", {**shared, "names": "Anna"})).status_code
        assert 400 == (await two.post("/tables", {**shared, "names": "Figaro"})).status_code
        assert 303 == (await two.post("/tables", {**shared, "names": "Bruno"})).status_code
        assert 303 == (await one.post("/me", {"name": "Bruno"})).status_code

    clubbing(tmp_path, 2, visit)


def test_a_guest_who_is_gone_leaves_the_name(tmp_path: Path) -> None:
    """After thirty days without a table; a member never does."""
    now = [1_800_000_000.0]

    async def visit(app: Any, guest: Browser, member: Browser, late: Browser) -> None:
        await guest.post("/me", {"name": "Anna"})
        await member.codes(name="Berta")
        now[0] += CLAIM - 60
        assert 409 == (await late.post("/me", {"name": "Anna"})).status_code
        now[0] += 120
        assert 303 == (await late.post("/me", {"name": "Anna"})).status_code
        assert ("Anna", "") == (await late.name(), await guest.name())
        assert 409 == (await late.post("/me", {"name": "Berta"})).status_code

    clubbing(tmp_path, 3, visit, clock=lambda: now[0])


def test_a_finished_match_keeps_its_names(tmp_path: Path) -> None:
    """Whoever is called otherwise later does not rename last week's record; whoever is forgotten has no name there."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.post("/me", {"name": "Anna"})
        await two.post("/me", {"name": "Bruno"})
        over = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        playing = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        await one.post(f"/t/{over.id}/resign")
        await one.post("/me", {"name": "Carla"})
        assert ["Anna", "Bruno"] == json.loads((await two.get(f"/t/{over.id}/record")).text)["names"]
        assert ["Carla", "Bruno"] == json.loads((await two.get(f"/t/{playing.id}/record")).text)["names"]
        await one.post("/me/delete", {"sure": "1"})
        assert "Anna" not in (await two.get(f"/t/{over.id}/record")).text

    clubbing(tmp_path, 2, visit)


# Passkeys.


def test_a_guest_becomes_a_member_and_comes_back(tmp_path: Path) -> None:
    """By a passkey on one device, by a recovery code on another; the tables are there, and a code is good once."""

    async def visit(app: Any, one: Browser, two: Browser, three: Browser) -> None:
        await one.post("/me", {"name": "Anna"})
        table = await sat(app, Match(GAMES["opera"], 2), one, "level:1")
        device = Authenticator(b"device one")
        assert {"to": "/me"} == (await one.register(device)).json()
        codes = await one.codes()
        assert 10 == len(set(codes))
        assert 200 == (await two.sign_in(device)).status_code
        assert f'href="/t/{table.id}"' in (await two.get("/")).text and one.id == two.id
        assert 303 == (await three.post("/signin/code", {"code": codes[3].upper().replace("-", " ")})).status_code
        assert one.id == three.id
        await three.get("/me")
        assert "You have 9 recovery codes left." in (await three.get("/me")).text
        stranger = Browser(app)
        await stranger.get("/")
        assert 403 == (await stranger.post("/signin/code", {"code": codes[3]})).status_code
        await three.codes()
        assert 403 == (await stranger.post("/signin/code", {"code": codes[4]})).status_code, "new ones make the old void"
        await stranger.http.aclose()

    clubbing(tmp_path, 3, visit)


def test_a_guest_brings_tables_along_or_does_not(tmp_path: Path) -> None:
    """Whoever signs in where a guest has played decides; at a table at which both sit, each keeps their seat."""

    async def visit(app: Any, member: Browser, guest: Browser, friend: Browser) -> None:
        codes = await member.codes(name="Anna")
        both = await sat(app, Match(GAMES["fantome"], 2, seed=7), member, guest)
        alone = await sat(app, Match(GAMES["fantome"], 2, seed=7), guest, "level:1")
        theirs = await sat(app, Match(GAMES["fantome"], 2, seed=7), friend, "level:1")
        old = guest.id
        assert "2 tables" in (await guest.get("/signin")).text
        await guest.post("/signin/code", {"code": codes[0], "bring": "1"})
        assert {member.id: 0} == dict((await services(app).tables.load(alone.id)).info.keys)
        assert {member.id: 0, old: 1} == dict((await services(app).tables.load(both.id)).info.keys)
        await guest.get("/")
        do = str(alone.match.legal(0)[0])
        assert 204 == (await guest.act(alone.id, do, alone.match.ply)).status_code
        await friend.post("/signin/code", {"code": codes[1]})
        assert member.id not in (await services(app).tables.load(theirs.id)).info.keys

    clubbing(tmp_path, 3, visit)


def test_nobody_signs_in_by_what_is_not_theirs(tmp_path: Path) -> None:
    """Somebody else's passkey, a challenge that was answered, one of another visitor, another site, a copied device."""

    async def visit(app: Any, one: Browser, two: Browser, thief: Browser) -> None:
        mine, theirs = Authenticator(b"mine"), Authenticator(b"theirs")
        await one.register(mine, "Anna")
        await two.register(theirs, "Bruno")

        async def refused(answer: str, who: Browser = thief) -> None:
            response = await who.answer("/signin/passkey", answer)
            assert 403 == response.status_code and "not accepted" in response.text
            assert who.id not in (one.id, two.id)

        # A key that only claims to be hers.
        forged = Authenticator(b"mine")
        forged.uses = 5
        await refused(forged.sign_in(await thief.options("/signin/challenge")))
        # What she has answered, heard on the way: to her own challenge, and once more.
        options = await one.options("/signin/challenge")
        answer = mine.sign_in(options)
        await refused(answer)
        assert 200 == (await one.answer("/signin/passkey", answer)).status_code
        again = await one.answer("/signin/passkey", answer)
        assert 403 == again.status_code
        await thief.options("/signin/challenge")
        await refused(answer)
        # Another site, and another address of ours.
        options = await thief.options("/signin/challenge")
        await refused(mine.sign_in(options, site="evil.example"))
        mine.origin = "http://evil.localhost:8765"
        await refused(mine.sign_in(await thief.options("/signin/challenge")))
        mine.origin = LOCAL
        # A copy of the device, which has not counted along.
        mine.uses = 0
        await refused(mine.sign_in(await thief.options("/signin/challenge")))
        # Nobody registers what is another's, and no answer of one kind is taken for the other.
        stolen = Authenticator(b"theirs")
        assert 403 == (await one.register(stolen)).status_code
        options = await one.options("/me/passkeys/challenge")
        assert 403 == (await one.answer("/me/passkeys", mine.sign_in(options))).status_code
        for odd in ("", "{}", "[]", "null", '{"id": 1}', '{"id": "mine"}', "[" * 9000, "x" * 20_000):
            await thief.options("/signin/challenge")
            await refused(odd)

    clubbing(tmp_path, 3, visit)


def test_a_challenge_is_answered_in_time(tmp_path: Path) -> None:
    now = [1_800_000_000.0]

    async def visit(app: Any, one: Browser) -> None:
        device = Authenticator(b"device")
        options = await one.options("/me/passkeys/challenge", {"name": "Anna"})
        now[0] += 301
        assert 400 == (await one.answer("/me/passkeys", device.register(options))).status_code
        assert 200 == (await one.register(device)).status_code

    clubbing(tmp_path, 1, visit, clock=lambda: now[0])


def test_nothing_says_who_is_a_member(tmp_path: Path) -> None:
    """A wrong code, a spent one, an unknown passkey and a wrong answer of a known one are refused word by word alike."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        device = Authenticator(b"device")
        await one.register(device, "Anna")
        codes = await one.codes()
        await two.post("/signin/code", {"code": codes[0]})
        other = Browser(app)
        await other.get("/")

        def plain(answer: httpx.Response) -> tuple[int, str]:
            return answer.status_code, re.sub(r"[0-9a-f]{32}", "", answer.text)

        tried = [plain(await other.post("/signin/code", {"code": code})) for code in (codes[0], "nothing", "")]
        assert 1 == len(set(tried)) and 403 == tried[0][0]
        wrong = [plain(await other.sign_in(Authenticator(one))) for one in (b"device", b"unknown")]
        assert 1 == len(set(wrong)) and 403 == wrong[0][0]
        await other.http.aclose()

    clubbing(tmp_path, 2, visit)


def test_signing_out_everywhere_and_here(tmp_path: Path) -> None:
    """Everywhere: no other browser is somebody any more; here: the next visitor is a guest. A passkey opens the door again."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        device = Authenticator(b"device")
        await one.register(device, "Anna")
        await two.sign_in(device)
        await one.get("/me/delete")
        assert 200 == (await one.post("/me/signout")).status_code
        assert "Anna" not in (await two.get("/me")).text
        assert "Anna" in (await one.get("/me")).text
        assert 200 == (await two.sign_in(device)).status_code
        await two.get("/me")
        assert 303 == (await two.post("/me/leave")).status_code
        assert COOKIE not in two.http.cookies and "Anna" not in (await two.get("/me")).text
        assert 409 == (await two.post("/me/leave")).status_code, "a guest would have no way back"

    clubbing(tmp_path, 2, visit)


def test_a_lost_device_is_shut_out_and_the_last_way_back_stays(tmp_path: Path) -> None:
    async def visit(app: Any, one: Browser, thief: Browser) -> None:
        lost, kept = Authenticator(b"lost"), Authenticator(b"kept")
        await one.register(lost, "Anna")
        (first,) = re.findall(r'name="id" value="([\w-]+)"', (await one.get("/me")).text)
        assert 409 == (await one.post("/me/passkeys/remove", {"id": first})).status_code
        await one.register(kept)
        assert 409 == (await thief.post("/me/passkeys/remove", {"id": first})).status_code, "it is not theirs"
        assert 303 == (await one.post("/me/passkeys/remove", {"id": first})).status_code
        assert 403 == (await thief.sign_in(lost)).status_code
        assert 200 == (await thief.sign_in(kept)).status_code

    clubbing(tmp_path, 2, visit)


def test_being_forgotten_leaves_nothing(tmp_path: Path) -> None:
    """Passkeys, codes and marks are exported, without a secret, and gone afterwards; the name is free."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        device = Authenticator(b"device")
        await one.register(device, "Anna")
        codes = await one.codes()
        text = (await one.get("/me/export")).text
        known = json.loads(text)
        assert (1, 10, 2) == tuple(len(known[name]) for name in ("passkeys", "recovery_codes", "marks"))
        assert "hash" not in known["recovery_codes"][0] and "mark" not in known["marks"][0]
        await one.post("/me/delete", {"sure": "1"})
        assert 403 == (await two.sign_in(device)).status_code
        assert 403 == (await two.post("/signin/code", {"code": codes[0]})).status_code
        assert 303 == (await two.post("/me", {"name": "Anna"})).status_code

    clubbing(tmp_path, 2, visit)


def test_a_flood_of_members_is_held(tmp_path: Path) -> None:
    """From one address so many guests become members, and so many attempts are made; whoever guesses codes waits."""

    async def visit(app: Any, *browsers: Browser) -> None:
        found = [(await one.post("/me/codes", {"name": f"Anna {number}x"})).status_code for number, one in enumerate(browsers)]
        assert [200, 200, 429, 429] == found
        assert 200 == (await browsers[0].post("/me/codes")).status_code, "who is a member may go on"

    clubbing(tmp_path / "members", 4, visit, new_members=Rate(2, 0.001))

    async def guess(app: Any, one: Browser) -> None:
        found = [(await one.post("/signin/code", {"code": f"{number}"})).status_code for number in range(5)]
        assert [403, 403, 403, 429, 429] == found

    clubbing(tmp_path / "guesses", 1, guess, guesses=Rate(3, 0.001))

    async def ask(app: Any, one: Browser) -> None:
        found = [(await one.post("/signin/challenge")).status_code for _ in range(4)]
        assert [200, 200, 429, 429] == found

    clubbing(tmp_path / "asks", 1, ask, sign_ins=Rate(2, 0.001))


@pytest.mark.parametrize("base", ["http://127.0.0.1:8765", "http://192.0.2.7:8765"])
def test_without_https_the_page_says_why_there_are_no_passkeys(base: str, tmp_path: Path) -> None:
    async def visit(app: Any) -> None:
        async with Visitor(app, base) as one:
            for path in ("/me", "/signin"):
                page = (await one.get(path)).text
                assert "Browsers have passkeys by https alone" in page and "data-passkey" not in page
                assert ("http://localhost:8765" in page) == ("127.0.0.1" in base)
            assert 409 == (await one.post("/me/passkeys/challenge", {"name": "Anna"})).status_code
            codes = await one.post("/me/codes", {"name": "Anna"})
            assert 200 == codes.status_code
            led_to = re.findall('href="(http://localhost:8765[^"]*)"', codes.text)
            assert led_to == (["http://localhost:8765/me"] if "127.0.0.1" in base else [])

    visiting(tmp_path, 0, visit, club=True)


def test_without_the_extra_everybody_is_a_guest(tmp_path: Path) -> None:
    """No page offers what is missing, and names are still one person's."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        for path in ("/me", "/signin"):
            assert (await one.get(path)).status_code in (404, 405), path
        page = (await one.get("/")).text
        assert "become a member" not in page and "/signin" not in page
        await one.post("/me", {"name": "Anna"})
        assert 409 == (await two.post("/me", {"name": "Anna"})).status_code

    visiting(tmp_path, 2, visit, club=False)


def test_members_need_a_name(tmp_path: Path) -> None:
    async def visit(app: Any, one: Browser) -> None:
        assert 400 == (await one.post("/me/codes")).status_code
        await one.codes(name="Anna")
        assert 400 == (await one.post("/me", {"name": ""})).status_code

    clubbing(tmp_path, 1, visit)


def test_names_and_ids_that_nobody_has(database: str, tmp_path: Path) -> None:
    """Whatever an address or a form says in their place is refused, by each database: a byte of zero is no text for one."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        odd = ("%00", "a%00", "%ff", "bot:level:1", "%F0%9F%98%80", "A" * 5000, "%E2%80%AE", "%ED%A0%80")
        for name in odd:
            assert 404 == (await two.get(f"/p/{name}")).status_code, name
            for what in ("friend", "challenge"):
                assert 404 == (await two.post(f"/p/{name}/{what}", {"on": "1", "game": "opera"})).status_code, name
        for odd_id in ("", "\x00", "A" * 5000, "\u202e"):
            credential = json.dumps({"id": odd_id or "\ud800"})
            sent = json.dumps({"nonce": one.nonce, "id": odd_id, "credential": credential, "code": odd_id})
            for path, status in (("/me/passkeys/remove", 409), ("/signin/passkey", 403), ("/signin/code", 403)):
                answer = await one.http.post(path, content=sent, headers={"content-type": "application/json"})
                assert status == answer.status_code, (path, odd_id)

    clubbing(tmp_path, 2, visit, database=database)


def test_tests_have_a_club(tmp_path: Path) -> None:
    """The extra is among what `make` installs: what is tested elsewhere is tested with a club."""
    assert settings(tmp_path).club
