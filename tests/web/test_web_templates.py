"""The templates: how they are filled, and that every page that comes from them is sound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError
from page_samples import HOSTILE, moments, read, read_page, scene, seats

from ridotto.core.game import Game
from ridotto.games import GAMES
from ridotto.present.html import Html, el
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LANGUAGES, Narrator
from ridotto.web.clocks import Clock, Terms
from ridotto.web.pages import around, replay
from ridotto.web.pages import lesson as lesson_pages
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Agreement, ChatLine, OfferView, Reader, Rights, TablePage
from ridotto.web.pages.render import ENVIRONMENT, TEMPLATES, context
from ridotto.web.pages.replay import Replay, Reviewed
from ridotto.web.pages.rulebook import rulebook


def filled(source: str, narrator: Narrator | None = None, **values: object) -> str:
    """A template written here, filled in."""
    return ENVIRONMENT.from_string(source).render(context(narrator or Narrator(), **values))


# How they are filled.


def test_every_template_can_be_read() -> None:
    """Each compiles, and begins with what it is for."""
    names = ENVIRONMENT.list_templates()
    assert {path.name for path in TEMPLATES.iterdir()} == set(names)
    for name in names:
        ENVIRONMENT.get_template(name)
        assert re.match(r"\{# [A-Z].*[.] #\}\n", (TEMPLATES / name).read_text("utf-8")), name


def test_everything_is_escaped_but_markup() -> None:
    """Text and attributes cannot break out, whatever they come from; no template says otherwise."""
    source = '<p title="{{ text }}">{{ text }}{{ say("Welcome, {name}.", name=text) }}{{ html }}</p>'
    root = read(filled(source, text=HOSTILE, html=el("b", HOSTILE)))
    assert HOSTILE + "Welcome, " + HOSTILE + "." + HOSTILE == root.text and HOSTILE == root.below[0].attributes["title"]
    for path in TEMPLATES.iterdir():
        assert not re.search(r"\|\s*safe\b|autoescape", path.read_text("utf-8")), path.name


def test_a_name_that_is_not_there_is_an_error() -> None:
    """A slip of the pen is no empty place on a page."""
    for source in ("{{ tabel }}", "{% if tabel %}x{% endif %}", "{{ reader.nam }}", "{% for one in lines %}x{% endfor %}"):
        with pytest.raises(UndefinedError):
            filled(source, reader=Reader("Ada", "en"))


def test_line_breaks_put_no_space_between_elements() -> None:
    """What stands on lines of its own stands together on the page; inside a tag and inside a text a line break is a space."""
    source = "<ul>\n  {% for one in (1, 2) %}\n    <li>\n      {{ one }}\n    </li>\n  {% endfor %}\n</ul>"
    assert "<ul><li>1</li><li>2</li></ul>" == filled(source)
    assert "<b>a</b> <i>b</i>" == filled("<b>a</b> <i>b</i>")
    assert "<p\n class>one\n two</p>" == filled("<p\n class>one\n two</p>")
    with pytest.raises(TemplateSyntaxError) as caught:
        filled("<p>\n  <b>\n  </b>\n</p>\n{% endif %}\n")
    assert 5 == caught.value.lineno, "an error names the line of the file"


def test_a_template_speaks_by_its_narrator() -> None:
    """In the narrator's language, with plural forms, whatever others are told at the same time; by Jinja's own words, too."""
    source = '{{ say("Welcome.") }} {{ count("{number} seat free", "{number} seats free", n) }} {{ listed(["a", "b"]) }}'
    source += ' {% trans %}Welcome.{% endtrans %} {{ _("Welcome.") }}'
    source += "{% trans n %}{{ n }} seat{% pluralize %}{{ n }} seats{% endtrans %}"
    template = ENVIRONMENT.from_string(source)

    def spoken(name: str) -> str:
        return template.render(context(Narrator(name), n=2))

    welcome = {"en": "Welcome.", "fr": "Bienvenue.", "nl": "Welkom."}
    free = {"en": "2 seats free a and b", "fr": "2 places libres a et b", "nl": "2 plaatsen vrij a en b"}
    with ThreadPoolExecutor(4) as threads:
        names = list(LANGUAGES) * 50
        for name, text in zip(names, threads.map(spoken, names), strict=True):
            assert f"{welcome[name]} {free[name]} {welcome[name]} {welcome[name]}2 seats" == text


# The pages that come from them.


def tables(match_of: str, spoken: str) -> Iterator[tuple[str, TablePage]]:
    """A table with everything around the match that there can be."""
    match = next(moments(match_of))
    seat = match.to_act[0]
    base = replace(scene(match, seat, spoken), now=1, rights=Rights(may_chat=True, may_take_back=True))
    other = (seat + 1) % match.seats
    yield "bare", base
    yield (
        "hooked",
        replace(base, webhook="https://turn.example/<me>", rights=base.rights._replace(has_hints=True, is_host=True)),
    )
    yield "timed", replace(base, agreement=Agreement(Terms("match", 600, 5), plays_on=True))
    yield "by day", replace(base, agreement=Agreement(Terms("move", 86400)), rights=Rights(may_take_back=True))
    away = tuple(place._replace(kind="person", gone=True, owing=True, here=False, name=HOSTILE) for place in base.seats)
    yield "away", replace(base, seats=away)
    yield "replaced", replace(base, seats=tuple(place._replace(stand_in="level:3") for place in away))
    late = tuple(place._replace(stand_in="level:3", clock=Clock(0)) for place in away)
    yield "too late", replace(base, seats=late, agreement=Agreement(Terms("match", 600)))
    left = tuple(place._replace(stand_in="level:3", left="resigned") for place in away)
    yield "resigned", replace(base, seats=left)
    yield "handed on", replace(base, seats=away, handover=other)
    yield (
        "talking",
        replace(
            base,
            rights=base.rights._replace(is_host=True),
            chat=(
                ChatLine(1, 1_800_000_000, HOSTILE, HOSTILE, 0, reports=2),
                ChatLine(2, 1_800_000_000, HOSTILE, "Bo", yours=True),
                ChatLine(3, 1_800_000_000, "", "Bo", removed=True),
                ChatLine(4, 1_800_000_000, "", "Bo", muted=True),
                ChatLine(5, 1_800_000_000, HOSTILE, seat=1),
            ),
        ),
    )
    offers = {
        "mine": OfferView("takeback", seat, seat, is_mine=True, because=HOSTILE, section="3.2", may_anew=True),
        "asked": OfferView("takeback", seat, seat, is_mine=True, missing=(other,), never=HOSTILE),
        "waiting": OfferView("takeback", seat, seat, missing=(other,)),
        "owed": OfferView("takeback", other, other, is_owed=True, because="x.", may_anew=True, missing=(seat, other)),
        "anew": OfferView("takeback", other, other, is_owed=True, anew=True, missing=(seat,)),
        "stand-in": OfferView("standin", other, seat, missing=(other,)),
    }
    for name, offer in offers.items():
        yield name, replace(base, offer=offer)


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_what_is_around_a_match_is_sound(spoken: str) -> None:
    """Clocks, offers, stand-ins, chat and the hand-over, each as a page of its own; names and texts stay text."""
    seen = {}
    for name, table in tables("fantome", spoken):
        root = read_page(pages.table(table))
        assert [] == [node for node in root if "onerror" in node.attributes or node.attributes.get("src") == "x"], name
        seen[name] = {
            node.attributes["action"].rpartition("/")[2] for node in root.all("form") if "data-quiet" in node.attributes
        }
    always = {"talk", "standin", "takeback"}
    assert always == seen["bare"] == seen["timed"] and {"standin", "takeback"} == seen["by day"]
    assert {"talk", "return", "takeback"} == seen["replaced"] and "return" not in seen["too late"]
    assert {"mute", "report", "remove"} <= seen["talking"]
    assert {"agree", "refuse"} <= seen["mine"] & seen["asked"] & seen["owed"] & seen["anew"]
    assert "agree" not in seen["waiting"] | seen["stand-in"] and {"hand", "talk"} == seen["handed on"]


def test_an_offer_says_what_agreeing_would_mean() -> None:
    """What was learned with its §; to deal it anew is one answer more; those who are asked are named, without the reader."""
    found = dict(tables("opera", "en"))
    mine = read(around.banner(found["mine"]))
    assert ["Take back", "Take back and deal again", "Cancel"] == [node.text for node in mine.all("button")]
    assert "§3.2" in mine.text and f"Since then: {HOSTILE}." in mine.text
    owed = read(around.banner(found["owed"]))
    assert ["Agree", "Agree, but deal again", "Decline"] == [node.text for node in owed.all("button")]
    assert "Since then: x. " in owed.text and "x.." not in owed.text
    assert ["Still to agree: Rosina"] == [node.text for node in owed.all("p") if "Still" in node.text]
    assert ["Agree", "Decline"] == [node.text for node in read(around.banner(found["anew"])).all("button")]
    assert "" == around.banner(found["bare"])


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_every_other_page_is_sound(spoken: str) -> None:
    """About, faults, one's own data, records, replay and review, in the reader's language."""
    reader = Reader(HOSTILE, spoken, nonce="sesame")
    *_, match = moments("fantome")
    table = replace(scene(match, 0, spoken), reader=reader)
    everybody = ("0", "1", replay.WATCH, replay.OPEN)
    past = Replay(3, match.ply - 1, "1", everybody, (0, 2, 9), True, 0)
    playing = replace(scene(next(moments("fantome")), 0, spoken), reader=reader)
    texts: dict[str, Callable[[], str]] = {
        "about": lambda: pages.about(reader),
        "fault": lambda: pages.fault(reader, 418, HOSTILE),
        "account": lambda: pages.account(reader, 3),
        "farewell": lambda: pages.farewell(reader),
        "records": lambda: replay.records(reader, HOSTILE),
        "invitation": lambda: pages.join(playing, playing.seats[1]),
        "seat link": lambda: pages.private_link(reader, playing.game, 1),
        "link to watch": lambda: pages.private_link(reader, playing.game, None),
        "replay": lambda: replay.replay(playing, past, "http://house/t/t1/replay?ply=3&eyes=1", None, match),
        "end": lambda: replay.replay(table, replace(past, may_play_on=False), "http://house/t/t1", None, match),
        "offer": lambda: replay.review(table, Reviewed(None, failed=True), match),
        "progress": lambda: replay.review(table, Reviewed(None, 2, 5), match),
    }
    for name, draw in texts.items():
        root = read_page(draw().replace("http://house", ""))
        assert spoken == root.below[0].attributes["lang"]
        assert [] == [node for node in root if "onerror" in node.attributes or node.attributes.get("src") == "x"], name
        (field,) = [node for node in root.all("input") if node.attributes.get("name") == "name" and node.inside("details")]
        assert HOSTILE == field.attributes["value"]


def test_a_replay_leads_everywhere() -> None:
    """One entry and one round on and back, never past an end; everybody's eyes that are allowed; the seats to play on with."""
    match = next(moments("turandot"))
    table = scene(match, 0)
    past = Replay(0, 9, "0", ("0", "1", "2", replay.WATCH, replay.OPEN), (0, 4, 7), True, 0)

    def steps(past: Replay) -> dict[str, str]:
        nodes = read_page(replay.replay(table, past, "/here", None, match)).all("a")
        found = {node.attributes["data-step"]: node.attributes["href"] for node in nodes if "data-step" in node.attributes}
        return {name: re.findall(r"ply=(\d+)&eyes=0$", address)[0] for name, address in found.items()}

    assert {"round-before": "0", "before": "0", "after": "1", "round-after": "4"} == steps(past)
    assert {"round-before": "4", "before": "4", "after": "6", "round-after": "7"} == steps(replace(past, ply=5))
    assert {"round-before": "7", "before": "8", "after": "9", "round-after": "9"} == steps(replace(past, ply=9))
    root = read_page(replay.replay(table, past, "/here", None, match))
    eyes = [(node.attributes["data-eyes"], node.text) for node in root.all("a") if "data-eyes" in node.attributes]
    names = [place.display_name for place in table.seats]
    assert [*zip("012", names, strict=True), ("watch", "spectator"), ("open", "everything open")] == eyes
    chosen = [
        node.attributes["value"] for node in root.all("option") if "selected" in node.attributes and node.inside("select")
    ]
    assert ["me", "bot:level:3", "bot:level:3"] == chosen
    alone = read_page(replay.replay(table, replace(past, allowed=("0",), may_play_on=False), "/here", None, match))
    assert not [node for node in alone.all("a") if "data-eyes" in node.attributes] and not alone.all("select")


def test_a_replay_without_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game need not have rounds: then there is nothing to leaf through but its entries."""
    match = next(moments("fantome"))
    monkeypatch.setattr(match.rules, "ROUND", -1)
    past = Replay(1, 9, "0", ("0",), (), True, 0)
    root = read_page(replay.replay(scene(match, 0), past, "/here", None, match))
    assert ["before", "after"] == [node.attributes["data-step"] for node in root.all("a") if "data-step" in node.attributes]
    assert "Moment 1 of 9." in root.text and "Round" not in next(node for node in root.all("section")).text


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_is_a_sound_page(name: str) -> None:
    """Each step as it is asked; what a wrong answer and a right one put in."""
    found = lesson(GAMES[name])
    assert found is not None
    for number in range(1, len(found) + 1):
        spoken = tuple(LANGUAGES)[number % len(LANGUAGES)]
        table = lesson_pages.setting(Reader("Ada", spoken, nonce="sesame"), found, number, found.before(number), "asked")
        read_page(lesson_pages.page(table, found, number))
        for state in ("wrong", "done"):
            change = lesson_pages.change(table, found, number, state)
            root = read(change["parts"]["ask"])
            links = [node.attributes["href"] for node in root.all("a") if "lesson-next" in node.attributes.get("class", "")]
            on = lesson_pages.address(found, number + 1) if number < len(found) else "/"
            assert ([on] if state == "done" else []) == links
            forms = [node for node in root.all("form") if node.attributes.get("action") == "/tables"]
            ends = number == len(found) or bool(found.steps[number].part)
            assert bool(forms) == (state == "done" and ends)


# Rulebooks.


class Bookless(Game):
    """A game whose rulebooks are in a folder of the test."""

    folder = Path()

    def rulebook(self, language: str) -> Path:
        return self.folder / f"{language}.md"


def test_a_rulebook_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one in a language, the English one is shown, and it is said so; without any, the page says that."""
    monkeypatch.setattr(Bookless, "folder", tmp_path)
    facts = {name: getattr(GAMES["opera"], name) for name in ("title", "authors", "publisher", "year", "minutes", "pitch")}
    games = [Bookless(name, package="ridotto.games.opera", roles=("a", "b"), resigning="1", **facts) for name in ("one", "two")]
    reader = Reader("", "fr")
    root = read_page(pages.rules(reader, games[0], rulebook(games[0], "fr")))
    assert "Ce jeu n'a pas de livret de règles ici." in root.text
    (tmp_path / "en.md").write_text("# Whist\n\n## §1 The deal\n\nSee §1.\n", "utf-8")
    book = rulebook(games[1], "fr")
    assert book is not None and "en" == book.language
    root = read_page(pages.rules(reader, games[1], book))
    assert "les voici en English" in root.text
    assert ["en"] == [node.attributes["lang"] for node in root.all("div") if "lang" in node.attributes]
    assert "§1 The deal" == root.all("li")[0].text
    (tmp_path / "fr.md").write_text("# Whist\n\n## §1 La donne\n", "utf-8")
    game = replace(games[1], name="three")
    root = read_page(pages.rules(reader, game, rulebook(game, "fr")))
    contents = [node.text for node in root.all("li") if node.inside("ol")]
    assert "les voici" not in root.text and ["§1 La donne", "Les signes du plateau"] == contents


def test_an_element_of_python_is_markup_for_a_template() -> None:
    """What `el` makes is not escaped again; a plain text is."""
    assert isinstance(el("b", "x"), Html)
    assert "<b>x</b>&lt;b&gt;" == filled("{{ a }}{{ b }}", a=el("b", "x"), b="<b>")


def test_two_of_one_name_are_told_apart() -> None:
    """Where names are listed, each name that stands twice has the seat with it."""
    match = next(moments("opera"))
    table = scene(match, 0)
    assert "Rosina, Ada (Yellow) and you" == table.named((2, 0, 1))
    alone = replace(table, seats=seats(table.view, "")[:2])
    assert "Rosina and you" == alone.named((0, 1))
