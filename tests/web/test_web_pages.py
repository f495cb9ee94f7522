"""The pages as text: sound HTML, nothing inline, every action a button, three languages, hostile names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from page_samples import HOSTILE, cards, matches, moments, read, read_page, scene, seats

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.html import Html, el
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import Scene, replaced
from ridotto.present.ui import ui
from ridotto.web.pages import assets, table_log, table_question, table_result
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import LobbyPage, Reader, SeatView, TableLine
from ridotto.web.pages.rulebook import Rulebook
from ridotto.web.server.table_form import parse_sitters


@pytest.mark.parametrize("name", GAMES)
def test_every_table_is_a_sound_page_in_three_languages(name: str) -> None:
    """Any moment, any seat and a spectator: the page reads, and speaks the reader's language."""
    every = 60 if name == "opera" else 14
    for match in moments(name, every=every):
        for number, spoken in enumerate(LANGUAGES):
            seat = (None, *range(match.seats))[(match.ply + number) % (match.seats + 1)]
            root = read_page(pages.table(scene(match, seat, spoken)))
            assert spoken == root.below[0].attributes["lang"]


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_is_a_button(name: str) -> None:
    """The question has one button for each legal action of the seat that is asked, and nobody else has any."""
    seen = set()
    for match in moments(name, seed=2, every=3 if name == "opera" else 1):
        for seat in (None, *range(match.seats)):
            found = scene(match, seat)
            root = read(table_question.ask(found))
            offered = sorted(
                node.attributes["data-do"] for node in root if node.tag == "button" and "data-do" in node.attributes
            )
            assert sorted(match.game.rules.ACTIONS.notation(i) for i in found.view.legal) == offered
            seen |= {one.split()[0] for one in offered}
    assert len(seen) >= min(4, len({action.verb for action in GAMES[name].rules.ACTIONS}))


def test_a_series_of_buttons_tells_what_each_does() -> None:
    """A short label has the whole one for whoever cannot see what stands before it."""
    for match in moments("fantome", every=1):
        (seat,) = match.to_act or (None,)
        labels = {one["notation"]: one["label"] for one in views.actions(match.view(seat), scene(match, seat).words)}
        for node in read(table_question.ask(scene(match, seat))):
            if node.tag == "button" and "data-do" in node.attributes:
                told = node.attributes.get("aria-label") or node.text
                assert labels[node.attributes["data-do"]].lower() == told.lower()


def test_parts_are_what_stands_in_the_page() -> None:
    """The parts that are sent when something changes are the insides of the elements of their names."""
    match = next(moments("turandot"))
    found = scene(match, match.to_act[0])
    page, parts = pages.table(found), pages.parts(found)
    assert {"people", "ask", "jumps", "board", "turning", "since", "log", "result", "links", "extras"} == set(parts)
    for name, text in parts.items():
        assert re.search(rf'id="{name}"[^>]*>{re.escape(text)}</', page)
        assert "sesame" not in text


def test_two_readers_of_the_same_seat_get_the_same_parts() -> None:
    """Nothing of the reader but seat and language is in the parts, so that they can be kept."""
    match = next(moments("opera"))
    first = scene(match, None)
    other = replace(first, reader=Reader("Somebody else", "en", "light", False, "another"))
    assert pages.parts(first) == pages.parts(other)


def test_a_hostile_name_stays_text() -> None:
    """Markup in a name is shown, never obeyed."""
    match = next(moments("fantome"))
    view = match.view(0)
    found = replace(scene(match, 0), seats=seats(view, HOSTILE), reader=Reader(HOSTILE, "en", nonce=HOSTILE))
    line = TableLine("t1", match.game.title, seats(view, HOSTILE), "over", result=HOSTILE)
    lobby = LobbyPage(Reader(HOSTILE, "fr"), cards("fr"), (line,), (line,), (line,), HOSTILE)
    texts = [
        pages.table(found),
        pages.lobby(lobby),
        pages.join(found, found.seats[0]),
        pages.fault(Reader(HOSTILE, "en"), 404, HOSTILE),
        pages.about(Reader(HOSTILE, "en")),
    ]
    for text in texts:
        root = read_page(text)
        assert [] == [node for node in root if "onerror" in node.attributes or node.attributes.get("src") == "x"]
    assert HOSTILE in read(texts[1].removeprefix("<!DOCTYPE html>\n")).text


def test_a_first_match_is_two_clicks_away() -> None:
    """Every game has a form whose buttons each set a table: one for the reader and bots, in Le Fantôme one for each side; and
    one for a friend besides, with bots where more play."""
    root = read_page(pages.lobby(LobbyPage(Reader("", "en", nonce="sesame"), cards("en"))))
    sent = []
    for form in root.all("form"):
        if form.attributes["action"] == "/tables" and "setup" not in form.attributes.get("class", ""):
            given = {node.attributes["name"]: node.attributes["value"] for node in form.all("input")}
            assert "sesame" == given["nonce"]
            for node in form.all("select"):
                (chosen,) = (one for one in node.all("option") if "selected" in one.attributes)
                given[node.attributes["name"]] = chosen.attributes["value"]
            for button in form.all("button"):
                pressed = given | {button.attributes["name"]: button.attributes["value"]}
                sent.append((given["game"], parse_sitters(pressed, GAMES[given["game"]])))
    bot = "bot:level:2"
    assert [
        ("fantome", ["me", bot]),
        ("fantome", [bot, "me"]),
        ("fantome", ["me", "friend"]),
        ("opera", ["me", bot, bot]),
        ("opera", ["me", "friend", bot]),
        ("turandot", ["me", bot, bot]),
        ("turandot", ["me", "friend", bot]),
        ("liars_dice", ["me", bot, bot]),
        ("liars_dice", ["me", "friend", bot]),
    ] == sent


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_form_has_every_seat_and_every_option(spoken: str) -> None:
    """Each option of each game is named, explained and bounded; each seat can be anybody's."""
    root = read_page(pages.lobby(LobbyPage(Reader("", spoken), cards(spoken))))
    forms = {
        node.attributes["value"]: form
        for form in root.all("form")
        if form.attributes.get("class") == "setup"
        for node in form.all("input")
        if node.attributes["name"] == "game"
    }
    for name, game in GAMES.items():
        selects = {node.attributes["name"]: node for node in forms[name].all("select")}
        assert {f"seat{seat}" for seat in range(game.seats[-1])} | {"language", "hints"} <= set(selects)
        for seat in range(game.seats[-1]):
            kinds = [node.attributes["value"] for node in selects[f"seat{seat}"].all("option")]
            absent = [""] if seat >= game.seats[0] else []
            assert [*absent, "me", "here", "friend", "open", *(f"bot:level:{level}" for level in range(1, 7))] == kinds
        fields = {node.attributes["name"]: node for node in forms[name].all("input")}
        for option in game.rules.OPTIONS:
            assert ui(game).english.option(option.name) is not None
            node = fields[f"option.{option.name}"]
            if node.attributes["type"] == "number":
                assert (str(option.low), str(option.high)) == (node.attributes["min"], node.attributes["max"])
            assert f"§{option.section}" in (node.above.text if node.above else "")
        assert {"nonce", "game", "name", "private"} <= set(fields)


def test_the_title_says_whose_turn_it_is() -> None:
    """The tab tells the one who is asked, and nobody else."""
    match = next(moments("fantome"))
    assert ["It is your turn – Le Fantôme de l'Opéra", "Le Fantôme de l'Opéra – Ridotto"] == [
        pages.heading(scene(match, seat)) for seat in (0, 1)
    ]


def test_what_changed_is_told_once_in_words() -> None:
    """The announcement has the sentences since the reader was last told, and the question if it is their turn."""
    match = next(moments("fantome"))
    before = match.ply
    match.play(match.view(0).legal[0], 0)
    table = scene(match, 0)
    last = [table.words.event(one) for one in match.view(0, before).seen]
    assert " ".join([*last, "It is your turn.", views.question(table.view, table.words)]) == pages.announcement(table, before)
    assert "It is your turn." not in pages.announcement(scene(match, 1), before)


@pytest.mark.parametrize("name", GAMES)
def test_the_result_has_every_part_of_every_score(name: str) -> None:
    """Who won, why with its §, and a table whose columns add up to the scores."""
    *_, match = moments(name)
    outcome = match.outcome
    assert outcome is not None
    root = read(table_result.result(scene(match, None)))
    rows = [[node.text for node in row.all("td")] for row in root.all("tr")]
    numbers = [[int(text.replace("−", "-")) for text in row] for row in rows[1:]]
    told = [part.name for part in match.game.rules.PARTS if part.seats in (0, match.seats)]
    assert [[parts[name] for parts in outcome.parts] for name in told] == numbers[:-1]
    assert list(outcome.scores) == numbers[-1]
    anchors = [node.attributes["href"] for node in root.all("a")]
    assert f"/rules/en/{name}#s-{outcome.section.replace('.', '-')}" in anchors


def test_the_log_is_in_rounds_newest_first() -> None:
    """The last line stands on top, under the last round; older rounds are folded."""
    match = next(match for match in matches("fantome", 3) if match.view(0).row[match.game.rules.ROUND] == 3)
    found = scene(match, 0)
    root = read(table_log.log(found))
    folds = root.all("details")
    assert ["Round 3", "Round 2", "Round 1", "Before the first round"] == [fold.all("summary")[0].text for fold in folds]
    assert [True, False, False, False] == ["open" in fold.attributes for fold in folds]
    lines = [node.text.rpartition(" §")[0] for node in root.all("li")]
    assert [line.text for line in reversed(found.log)] == lines


def test_an_open_table_shows_the_links_that_the_reader_may_give_away() -> None:
    """Whoever set the table sees links; a stranger sees a button where the seat is open to anyone."""
    match = Match(GAMES["fantome"], seed=1)
    free = SeatView(1, "phantom", "free", "", link="http://house/t/t1/sit/abc")
    host = scene(match, 0, state="open", seats=(seats(match.view(0))[0], free))
    assert free.link in [node.attributes.get("value") for node in read(table_question.ask(host)).all("input")]
    stranger = scene(match, None, state="open", seats=(seats(match.view(None))[0], free._replace(link="", open=True)))
    (form,) = read(table_question.ask(stranger)).all("form")
    assert "/t/t1/sit" == form.attributes["action"]
    asked = scene(match, None, state="open", seats=(seats(match.view(None))[0], free._replace(link="")))
    assert [] == read(table_question.ask(asked)).all("form", "input")


def test_the_workshop_has_every_hall_and_every_piece() -> None:
    """The sheet shows all halls and all pieces of the seat; its first programme is the one that stands."""
    seen = 0
    for match in matches("opera", 5, 2):
        rules: Any = match.game.rules
        if match.to_act and match.row[rules.F.asked] == rules.REARRANGE:
            seat = match.to_act[0]
            view = match.view(seat)
            data = ui(match.game).page.compose(view, ui(match.game).english, "")
            assert data is not None
            root = read(table_question.ask(scene(match, seat)))
            assert sum(len(house["halls"]) for house in data["houses"]) == len(
                [node for node in root if "data-slot" in node.attributes]
            )
            pieces = [hall["piece"] for house in data["houses"] for hall in house["halls"] if hall["piece"]]
            chips = [node.attributes["data-chip"] for node in root if "data-chip" in node.attributes]
            assert sorted(pieces + data["screen"]) == sorted(chips)
            texts = [node.attributes["data-composed"] for node in root if "data-composed" in node.attributes]
            assert [data["now"]["text"]] == texts
            wishes = [node.attributes["data-wish"] for node in root if "data-wish" in node.attributes]
            best = [ui(match.game).page.compose(view, ui(match.game).english, wish) for wish in wishes]
            assert [data["suggestions"][wish] for wish in ("income", "points")] == best
            seen += 1
        elif match.to_act:
            assert "data-sheet" not in table_question.ask(scene(match, match.to_act[0]))
    assert seen > 3


def inside(scene: Scene, key: str) -> str:
    """The panel in which an item lies."""
    parent = scene.items[key].parent
    return parent if parent in scene.panels else inside(scene, parent)


def test_previews_of_the_deduction_are_drawn_for_legal_actions() -> None:
    """Le Fantôme shows what the deduction and the track would be; nothing for what cannot be done, nor to who watches."""
    match = next(moments("fantome"))
    found = scene(match, 0)
    do = match.game.rules.ACTIONS.notation(match.view(0).legal[0])
    told = pages.preview(found, do)
    keys = [{one["key"] for one in way.get("items", ())} | set(way.get("gone", ())) for way in told.values()]
    changed = set().union(*keys)
    after = replaced(found.scene, ui(match.game).picture.preview(found.view, found.words, match.view(0).legal[0]))
    parents = {inside(one, key) for one in (found.scene, after) for key in changed if key in one.items}
    assert {"there", "back"} == set(told) and parents <= {"deduction", "track"}
    assert {} == pages.preview(found, "move 3") == pages.preview(found, "nonsense") == pages.preview(scene(match, None), do)
    assert {} == pages.preview(scene(next(moments("turandot")), 0), "bid 1 0 plain")


def test_a_rulebook_has_its_contents_beside_it() -> None:
    """Headings with anchors become links."""
    text = '<h1>Opera</h1><h2 id="s-1">§1 The <em>game</em></h2><p>…</p>'
    for spoken in LANGUAGES:
        root = read_page(pages.rules(Reader("", spoken), GAMES["opera"], Rulebook(spoken, Html(text))))
        contents = [(node.attributes["href"], node.text) for node in root.all("a") if node.attributes["href"].startswith("#s")]
        assert [("#s-1", "§1 The game"), ("#s-marks", Reader("", spoken).narrator.say("Marks on the board"))] == contents


def test_colours_follow_the_theme_and_games_do_not_mix() -> None:
    """Every rule of a game's drawing stands inside that game; no colour is left unnamed; both themes name the same."""
    text = assets.css()
    assert "$" not in text
    named = set(re.findall(r"var\(--([a-z0-9-]+)\)", text))
    for theme in ("dark", "light"):
        assert re.search(rf"color-scheme: {theme}", text)
    assert named <= set(re.findall(r"--([a-z0-9-]+):", text))
    assert ":where(.opera .drawing) .hall {" in text
    assert not re.search(r"^\s*\.hall *[,{]", text, re.M)


def test_elements_escape_what_they_are_given() -> None:
    """Text and attributes cannot break out, and markup is left alone."""
    assert '<a href="&quot;&gt;">&lt;b&gt;<b>x</b></a>' == el("a", "<b>", el("b", "x"), href='">')


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_name_of_a_bot_is_friendly(game: Game) -> None:
    """Nobody reads level:3."""
    match = Match(game, seed=1)
    for spoken, name in (("en", "Soloist"), ("fr", "Soliste"), ("nl", "Solist")):
        page = pages.table(scene(match, 0, spoken))
        assert name in page and "level:3" not in page


@pytest.mark.parametrize(
    ("spoken", "name"), [("en", "Fictitious troupe"), ("fr", "Troupe fictive"), ("nl", "Fictief gezelschap")]
)
def test_the_result_counts_the_fictitious_troupe(spoken: str, name: str) -> None:
    """Turandot for two (§9.3): a column of its own, with what its four parts and its total were told to be."""
    match = Match(GAMES["turandot"], 2, seed=4)
    while match.to_act:
        match.play(match.legal(match.to_act[0])[-1], match.to_act[0])
    told = next(one.values for one in match.view().seen if one.event.name == "fictitious")
    page = read_page(pages.table(scene(match, 0, spoken)))
    table = next(node for node in page.all("table"))
    heads = [node.text for node in table.all("th") if node.attributes.get("scope") == "col"]
    assert name == heads[-1].strip() and 3 == len(heads)
    last = [row.all("td")[-1].text.replace("−", "-") for row in table.all("tr")[1:]]
    assert [str(told[key]) for key in ("stars", "favourites", "wrong")] == last[:3]
    assert ["", str(told["director"]), "", str(told["total"])] == last[3:]
