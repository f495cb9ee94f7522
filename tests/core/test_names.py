"""Names at a table: people and bots are called by theirs in the log, on the boards and in refusals; nothing else changes."""

from __future__ import annotations

import asyncio
import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from markupsafe import escape
from visitors import Visitor, running, sat, services, settings

from ridotto.core import record
from ridotto.core.errors import BadSetup
from ridotto.core.match import Match
from ridotto.core.record import BadRecord
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.narrator import LANGUAGES, STAGE_NAMES, Narrator, stage_name
from ridotto.present.ui import english, ui

NASTY = '<b>&"Ada\u202e\n'
"""A name as nobody should have it."""
SHOWN = '<b>&"Ada'


def played(name: str, seats: int) -> Match:
    """A whole match, always by the first action."""
    match = Match(GAMES[name], seats, seed=3)
    while match.to_act:
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    return match


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize(("name", "seats"), [("opera", 4), ("turandot", 2), ("turandot", 5)])
def test_whole_matches_are_told_by_name(name: str, seats: int, spoken: str) -> None:
    """Every sentence of a match is the same with names as without, but for the names: no seat is left by colour or number."""
    match = played(name, seats)
    names = [f"Nn{seat}" for seat in range(seats)]
    words: Any = ui(match.game).words(ui(match.game).narrator(spoken))
    plain = [event["text"] for event in views.events(match.view(), words)]
    usual = [words.player(seat) for seat in range(seats)]
    named = ui(match.game).words(ui(match.game).narrator(spoken, names))
    told = [event["text"] for event in views.events(match.view(), named)]
    assert any(one in line for one in names for line in told)
    for before, after in zip(plain, told, strict=True):
        for seat, one in enumerate(usual):
            # At the beginning of a sentence with a capital letter; never as a part of another word.
            for form in (one, one[:1].upper() + one[1:]):
                before = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", names[seat], before)
        assert before == after


def test_without_names_nothing_changes() -> None:
    """An empty name is none, and a narrator who was told no names knows none, whatever another was told."""
    match = played("turandot", 3)
    plain = [event["text"] for event in views.events(match.view(), english(match.game))]
    nameless = ui(match.game).words(ui(match.game).narrator(names=["", "", ""]))
    assert plain == [event["text"] for event in views.events(match.view(), nameless)]
    narrator = ui(match.game).narrator(names=["Ada", "Ben", "Cy"])
    assert "Ben" == narrator.name(1, "seat 1") and "seat 7" == narrator.name(7, "seat 7")
    assert plain != [event["text"] for event in views.events(match.view(), ui(match.game).words(narrator))]
    assert plain == [event["text"] for event in views.events(match.view(), english(match.game))]
    assert "seat 1" == ui(match.game).narrator().name(1, "seat 1")


def test_every_seat_has_a_word() -> None:
    """A game whose seats would go by numbers is refused, when it is made or when its rules are first looked at."""
    game = GAMES["turandot"]
    for roles in ((), ("red", "red"), ("red", "")):
        with pytest.raises(BadSetup, match="the roles of turandot must be a different word for each seat"):
            replace(game, roles=roles)
    with pytest.raises(BadSetup, match="turandot has up to 5 seats and only 2 roles to call them by"):
        print(replace(game, roles=("red", "blue")).seats)


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_seat_goes_by_its_number(name: str, spoken: str) -> None:
    """Without names every seat is called by a word of its own, and the letters on their marks differ."""
    game = GAMES[name]
    words: Any = ui(game).words(ui(game).narrator(spoken))
    called = [words.player(seat) for seat in range(game.seats[-1])]
    assert len(called) == len(set(called)) and not re.search(r"\d", " ".join(called))
    if name == "turandot":
        letters = [words.letter(seat) for seat in range(game.seats[-1])]
        assert len(letters) == len(set(letters)) and all(one.isalpha() for one in letters)


@pytest.mark.parametrize("name", GAMES)
def test_no_name_breaks_out_of_a_picture(name: str) -> None:
    """Markup in a name is text in every panel, and what is invisible is left out."""
    match = Match(GAMES[name], seed=3)
    words = ui(match.game).words(ui(match.game).narrator(names=[NASTY] * match.seats))
    drawn = ui(match.game).file(match.view(0), words)
    texts = " ".join(fromstring(drawn).itertext())
    assert "<b>" not in drawn and "\u202e" not in drawn
    assert (name == "fantome") or SHOWN in texts


def test_bots_have_names_and_ranks() -> None:
    """A name for each seat, told apart from the others; a level is a rank with its number, another bot is what it is."""
    assert 5 == len({stage_name(seat) for seat in range(5)} & set(STAGE_NAMES))
    assert "Diva, niveau 5" == Narrator("fr").rank("level:5")
    assert "Maestro, niveau 6" == Narrator("nl").rank("level:6")
    assert "search:100" == Narrator().rank("search:100") and "level:9" == Narrator().rank("level:9")


def test_a_record_with_an_endless_name_is_refused() -> None:
    """200 characters are fine, one more is not, and the message says so."""
    document = record.write(Match(GAMES["fantome"], seed=1), ["a" * 200, "b"])
    assert ["a" * 200, "b"] == record.read(document, GAMES)[1]
    document["names"] = ["a" * 201, "b"]
    with pytest.raises(BadRecord, match="a name has 200 characters at most, not 201"):
        record.read(document, GAMES)


# At a web table.


def test_the_log_follows_a_new_name(tmp_path: Path) -> None:
    """Names are in log, boards, questions, refusals and previews, escaped; a new one is everywhere at once; the record has the
    bot as it was asked for.
    """

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app, language="nl") as two:
            await one.post("/me", {"name": "Ada"})
            matches = (Match(GAMES["turandot"], 3, seed=seed) for seed in range(100))
            table = await sat(app, next(match for match in matches if match.to_act == (0,)), one, two, "random")
            page = (await one.get(f"/t/{table.id}")).text
            assert "Ada" in page and "Papageno" in page
            assert not re.search(r"[Ss]eat [02]\b", page)
            why = (await one.get(f"/t/{table.id}/why?do=name 0")).json()["message"]
            assert why and "Seat" not in why and "seat 0" not in why
            await one.post("/me", {"name": NASTY})
            page = (await one.get(f"/t/{table.id}")).text
            assert escape(SHOWN) in page and SHOWN not in page
            log = page[page.index('id="log"') :]
            assert "Round 1: you have Puccini." in log and ": Ada" not in log
            other = (await two.get(f"/t/{table.id}")).text
            log = other[other.index('id="log"') :]
            assert f"Ronde 1: {html.escape(SHOWN, quote=False)} heeft Puccini." in log and ": Ada" not in log
            assert escape(SHOWN) in other and SHOWN not in other and "Blauw" in other
            names = (await one.get(f"/t/{table.id}/record")).json()["names"]
            assert "random" == names[2]

    asyncio.run(visit())


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """Forty characters are kept, one more is refused with a reason, and the old name stays."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app, language="fr") as one:
            assert 303 == (await one.post("/me", {"name": "x" * 40})).status_code
            answer = await one.post("/me", {"name": "y" * 41})
            assert 400 == answer.status_code and "Un nom a 40 caractères au plus" in answer.text
            person = await services(app).storage.people.load(one.id)
            assert person is not None and "x" * 40 == person.name

    asyncio.run(visit())


def test_a_glance_counts_as_being_here(tmp_path: Path) -> None:
    """It tells a number that changes with the table; whoever glances is not shown as away; strangers see no private table."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two, private=True)
            first = (await two.get(f"/t/{table.id}/glance")).json()
            assert table.state.here == {two.id}
            assert first == (await two.get(f"/t/{table.id}/glance")).json()
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            assert first != (await two.get(f"/t/{table.id}/glance")).json()
            assert 1 == len(table.subscribers)
            async with Visitor(app) as stranger:
                assert 404 == (await stranger.get(f"/t/{table.id}/glance")).status_code

    asyncio.run(visit())
