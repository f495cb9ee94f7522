"""The picture of Opera: sound, clickable where something can be done, silent about what a seat may not see, and right."""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from shown_scene import ShownScene

from ridotto.core.match import Match
from ridotto.core.view import Seen, View
from ridotto.games import GAMES, find
from ridotto.games.opera import rules
from ridotto.games.opera.ai.programme import forecast, programme_of
from ridotto.games.opera.components import HALLS, OPENS_AFTER
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui import page, picture, sketch
from ridotto.games.opera.ui.picture.budget import places
from ridotto.games.opera.ui.picture.cities import PANELS
from ridotto.games.opera.ui.picture.facts import halls_of, opens_after
from ridotto.games.opera.ui.picture.ladder import standings_of
from ridotto.games.opera.ui.picture.players import forecast_of
from ridotto.games.opera.ui.picture.roles import STRUCK
from ridotto.games.opera.ui.words import Words
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import Item, Layer, Move, Scene, difference, whole
from ridotto.present.scene import drawn as drawn_inside
from ridotto.present.svg import THEMES, Panel, measure, sheet
from ridotto.present.ui import ui

OPERA = GAMES["opera"]
WORDS = Words(ui(OPERA).narrator())
ACTIONS = rules.ACTIONS


def opera(seats: int, seed: int = 1, **options: int) -> Match:
    return Match(OPERA, seats, options, seed=seed, clock=lambda: 0.0)


def played(match: Match, bot: bool) -> Iterator[Match]:
    """The match before each decision, and at its end; played by the bot, or by chance."""
    chance, build = random.Random(7), match.build
    while match.to_act:
        yield match
        seat = match.to_act[0]
        action = chance.choice(match.legal(seat).ids)
        if bot:
            row, mask = match.masked(seat), build.mask()
            build.rules.legal(row, seat, mask)
            dice, events = build.generator(match.ply), build.events(muted=True)
            action = int(build.bot.policy(row, seat, mask, dice, events, build.row()))
        match.play(action, seat)
    yield match


@pytest.fixture(scope="module")
def views() -> list[View]:
    """Views of whole matches of two, three and four: of those to act often, of everybody now and then, and at the end."""
    found = []
    setups: list[tuple[int, bool, dict[str, int]]] = [
        (2, True, {"screens": 1}),
        (3, False, {"seven_rounds": 1}),
        (4, True, {}),
    ]
    for seats, bot, options in setups:
        asked: dict[int, int] = {}
        for match in played(opera(seats, 5, **options), bot):
            question = match.row[F.asked]
            asked[question] = asked.get(question, 0) + 1
            if asked[question] < 7 or asked[question] % 8 == 0:
                found.append(match.view(match.to_act[-1] if match.to_act else None))
            if match.ply % 60 == 0 or not match.to_act:
                found += [match.view(seat) for seat in (*range(seats), None)]
    # Every question there is, save that nothing is asked.
    assert {*range(rules.NOTHING)} <= {view.row[F.asked] for view in found}
    return found


@pytest.fixture(scope="module")
def drawn(views: list[View]) -> list[tuple[View, list[tuple[Panel, Element]]]]:
    """Those views with their panels as a page has them, parsed."""
    return [(view, parsed(live(view))) for view in views]


def live(view: View, words: Words = WORDS) -> list[Panel]:
    """The panels as a page shows them: with keys, actions and light."""
    scene, board = ui(OPERA).scene(view, words), ui(OPERA).board(view, words)
    return [replace(panel, body=board.get(name, "") + drawn_inside(scene, name)) for name, panel in scene.panels.items()]


def parsed(panels: Sequence[Panel]) -> list[tuple[Panel, Element]]:
    return [(panel, fromstring(panel.svg())) for panel in panels]


def elements(panels: Sequence[tuple[Panel, Element]]) -> list[Element]:
    return [one for _, root in panels for one in root.iter()]


def test_the_panels_are_those_of_the_wide_picture(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """Every panel has its place in the columns, each seat its own; at the end the result takes the place of the budget."""
    columns = {name for column in picture.COLUMNS for name in column}
    for view, panels in drawn:
        names = [panel.name for panel, _ in panels]
        wanted = columns - {f"player-{seat}" for seat in range(view.seats, 4)} - {"budget" if view.outcome else "score"}
        assert sorted(wanted) == sorted(names)


def test_colours_are_classes_and_nothing_is_fetched(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """No style, script, foreign object, image or link; no colour in an attribute; every class has a rule."""
    allowed = {"svg", "g", "title", "rect", "path", "circle", "ellipse", "polygon", "text"}
    forbidden = {"fill", "stroke", "style", "href", "id"}
    styled = set(re.findall(r"\.([a-z][a-z0-9]*)", picture.STYLE + sheet("", "dark")))
    shared = {"drawing", "title", "name", "quiet", "panel", "raised", "edge", "card", "oncard", "good", "bad", "onseat", "can"}
    shared |= {"halo", "trace", *(f"seat{seat}" for seat in range(5))}
    for _, panels in drawn:
        for panel, root in panels:
            for one in root.iter():
                assert one.tag in allowed
                assert not forbidden & set(one.attrib)
                if one is not root:
                    assert set(one.get("class", "").split()) <= styled | shared, (panel.name, one.attrib)


QUIET = (A.end, A.decline, A.stop, A.keep, A.withhold)
"""The answers without a thing on the table."""


def test_every_legal_action_is_one_target(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """What can be done with a thing on the table is clickable exactly once, with a halo; nothing else is. The other answers, to
    stop or to decline, stand beside the question.
    """
    for view, panels in drawn:
        found = [one for one in elements(panels) if "data-do" in one.attrib]
        # A part can be taken from the supply, or built where it will stand.
        legal = [ACTIONS.notation(i) for i in view.legal if i not in QUIET and (i != A.empty or A.keep not in view.legal)]
        targets = sorted(legal + [one for one in legal if one.startswith("build")])
        assert targets == sorted(one.attrib["data-do"] for one in found)
        for one in found:
            halos = [inside for inside in one.iter() if inside.get("class") == "halo"]
            assert halos
            assert 24 <= max(float(halo.attrib["width"]) for halo in halos), one.attrib
            assert 24 <= min(float(halo.attrib["height"]) for halo in halos), one.attrib
            assert [one] == [inside for inside in one.iter() if {"data-do", "data-ask"} & set(inside.attrib)]


def test_what_cannot_be_done_can_be_asked_about(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """Only a reader whose turn it is may ask, about an action that is not legal."""
    asked = 0
    for view, panels in drawn:
        notations = [one.attrib["data-ask"] for one in elements(panels) if "data-ask" in one.attrib]
        assert not notations or view.seat in view.to_act
        assert not {ACTIONS.parse(text) for text in notations} & {*view.legal, None}
        asked += len(notations)
        assert sorted(pointed_at(view) - {ACTIONS.notation(i) for i in view.legal}) == sorted(notations)
    assert asked > 1000


def pointed_at(view: View) -> set[str]:
    """What the things on the table stand for, when the reader is asked: by the question alone, legal or not."""
    row, seat = list(view.row), view.seat
    if seat is None or seat not in view.to_act:
        return set()
    asked, composers, cities = row[F.asked], rules.COMPOSER.names, rules.CITY.names
    judged = rules.performed_in(row, row[F.figure + 1]) if asked == rules.REVIEW else 0
    found = {f"hire {role}" for role in rules.ROLE.names} | {f"move {city}" for city in cities}
    found |= {f"buy {name}" for number, name in enumerate(composers) if not judged >> number & 1}
    open_sites = (site for site in range(24) if HALLS[site] and opens_after(view, site >> 2) < 0)
    found |= {f"build {cities[site >> 2]} {rules.PART.names[site & 3]}" for site in open_sites}
    if asked == rules.BID:
        found |= {f"bid {ducats}" for ducats in range(rules.TOP_LEVEL - row[F.level + seat] + 1)}
    if asked in (rules.REARRANGE, rules.STAGE):
        found |= {f"place {name}" for number, name in enumerate(rules.PIECE.names) if rules.copies_of(row, seat, number)}
    if asked == rules.SELL:
        found |= {f"sell {composers[number]} screen" for number in range(6) if row[F.screen + seat * 7 + number]}
        for city, number in product(range(6), range(6)):
            if rules.house(row, seat, city) >> number & 1:
                found.add(f"sell {composers[number]} {cities[city]}")
    return found


def test_pieces_are_told_apart(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """Keys are unique in a picture; figures, markers and composers are there once each."""
    for view, panels in drawn:
        keys = [one.attrib["data-key"] for one in elements(panels) if "data-key" in one.attrib]
        assert len(set(keys)) == len(keys)
        everywhere = {f"figure-{name}" for name in rules.FIGURE.names} if view.outcome is None else set()
        everywhere |= {f"marker-{seat}" for seat in range(view.seats)} if view.outcome is None else set()
        everywhere |= {f"composer-{one}" for one in range(6)}
        assert everywhere <= set(keys)


def placed(one: Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[tuple[Element, float, float, float]]:
    """Each element below, with how far it is moved and scaled."""
    transform = one.get("transform", "")
    if move := re.search(r"translate\(([-.\d]+) ([-.\d]+)\)", transform):
        x, y = x + scale * float(move[1]), y + scale * float(move[2])
    if size := re.search(r"scale\(([.\d]+)\)", transform):
        scale *= float(size[1])
    yield one, x, y, scale
    for inside in one:
        yield from placed(inside, x, y, scale)


def faults_of_texts(panels: Sequence[tuple[Panel, Element]]) -> list[str]:
    """Texts that stick out of their panel, or are too small to read on a phone."""
    found = []
    for panel, root in panels:
        for one, x, y, scale in placed(root):
            if one.tag != "text":
                continue
            text, size = one.text or "", float(one.attrib["font-size"])
            wide = measure(text, size) * scale * 0.95
            left = x + scale * float(one.attrib["x"]) - {"middle": wide / 2, "end": wide}.get(one.get("text-anchor", ""), 0)
            base = y + scale * float(one.attrib["y"])
            if left < 1 or left + wide > panel.width - 1 or base < 8 or base > panel.height - 2:
                found.append(f"{panel.name}: {text!r} is at {left:.0f} to {left + wide:.0f}, {base:.0f} of {panel.height}")
            if size * scale < 12:
                found.append(f"{panel.name}: {text!r} is {size * scale} high")
            if text.endswith("…"):
                found.append(f"{panel.name}: {text!r} is cut short")
    return found


@pytest.mark.parametrize("name", LANGUAGES)
def test_texts_are_whole_and_inside_their_panels(name: str, views: list[View]) -> None:
    """In every language no text is cut short, too small, or sticks out."""
    words = Words(ui(OPERA).narrator(name))
    for view in views[:: 2 if name == "fr" else 6]:
        assert [] == faults_of_texts(parsed(live(view, words)))


def test_a_standing_picture_is_whole_in_both_themes(views: list[View]) -> None:
    """The panels make one picture that fits a wide screen, with every colour of the theme filled in."""
    for theme in THEMES:
        picture_of = ui(OPERA).file(views[-1], WORDS, theme)
        root = fromstring(picture_of)
        assert "$" not in picture_of
        assert float(root.attrib["width"]) / float(root.attrib["height"]) > 1.4


# What a seat may not see.


def bytes_of(view: View) -> str:
    """All that a page is sent of a view: panels and items in their order, and what moved in the last entry."""
    latest = [one for one in view.seen if one.ply == view.ply - 1]
    return json.dumps([whole(ui(OPERA).scene(view, WORDS)), ui(OPERA).picture.moves(view, latest)])


def test_a_bid_that_is_not_shown_yet_is_not_drawn() -> None:
    """§3.1: two worlds that differ in another's bid look the same, to the others and to a spectator; not to the bidder."""
    worlds = []
    for ducats in (3, 8):
        match = opera(3)
        match.play(f"bid {ducats}", 0)
        worlds.append(match)
    for eyes in (1, 2, None):
        assert bytes_of(worlds[0].view(eyes)) == bytes_of(worlds[1].view(eyes))
    assert bytes_of(worlds[0].view(0)) != bytes_of(worlds[1].view(0))


def with_other_screens(view: View) -> View:
    """The same view with other ducats and pieces behind everybody else's screen."""
    row = list(view.row)
    for seat in range(view.seats):
        if seat != view.seat:
            row[F.ducats + seat] += 3
            for piece in range(7):
                row[F.screen + seat * 7 + piece] += 1
    return replace(view, row=tuple(row))


def hides_screens(view: View) -> bool:
    """Whether the page is sent the same, whatever others have behind their screens."""
    return bytes_of(with_other_screens(view)) == bytes_of(view)


def test_closed_screens_stay_closed(views: list[View]) -> None:
    """§11.1: what others have behind a closed screen changes nothing in the picture; behind an open one it does."""
    for view in views[::6]:
        assert bool(view.row[F.screens] or view.outcome is not None) != hides_screens(view)


def telling(where: str) -> Callable[[View, Words], Layer]:
    """What everybody sees, with an item that tells of a purse: by its key, by its place among the others or by being there."""
    honest = picture.shared

    def leaky(view: View, words: Words) -> Layer:
        panels, items = honest(view, words)
        purse = view.row[F.ducats + view.seats - 1]
        leak = Item(f"leak-{purse}" if where == "key" else "leak", "rounds")
        if where == "order":
            return Layer(panels, [*items[: purse % 2], leak, *items[purse % 2 :]])
        return Layer(panels, [*items, *[leak] * (where != "number" or purse % 2)])

    return leaky


@pytest.mark.parametrize("where", ["key", "order", "number"])
def test_a_picture_that_tells_of_a_closed_screen_is_caught(
    where: str, views: list[View], monkeypatch: pytest.MonkeyPatch
) -> None:
    """§11.1: by a key, by the order of items or by their number."""
    hidden = [view for view in views if not view.row[F.screens] and view.outcome is None and view.seat != view.seats - 1]
    assert hides_screens(hidden[0])
    monkeypatch.setattr(picture, "shared", telling(where))
    assert not hides_screens(hidden[0])


def test_moves_that_tell_of_a_closed_screen_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """§11.1: what a rival bought goes behind a screen; the others are not told to which place."""
    match = after_buying(0, 0)
    assert hides_screens(match.view(1))
    monkeypatch.setattr("ridotto.games.opera.ui.picture.changes.is_open", lambda view, seat: True)
    monkeypatch.setattr(picture, "shared", lambda view, words: Layer([], []))
    monkeypatch.setattr(picture, "own", lambda view, words: Layer([], []))
    assert not hides_screens(match.view(1))


def test_a_seat_sees_its_own_and_what_it_is_asked(views: list[View]) -> None:
    """Beyond that, nothing in its scene is other than in that of a spectator."""
    for view in views:
        if view.seat is None:
            continue
        me = view.seat
        mine = rf"(frame|notes|purse|turn|shelf|hall|income|heap|copies)-{me}\b|{me}-|house-|own-|bid$"
        if me in view.to_act:
            mine += "|bid-|phase|step-|composer-|facts-|offer-|praise-|scorn-|take-|deck|discard|plot-"
        public, scene = ui(OPERA).scene(view.public(), WORDS).items, ui(OPERA).scene(view, WORDS).items
        dark = {key: item._replace(do="", why="", label="") for key, item in scene.items()}
        other = {key for key in {*public, *dark} if public.get(key) != dark.get(key)}
        assert [] == [key for key in other if not re.match(mine, key)]
        assert not {*public} - {*scene}


def test_closed_cities_are_drawn_closed() -> None:
    """§2.2: before the first count three cities say when they open."""
    texts = [one.text or "" for one in elements(parsed(ui(OPERA).panels(opera(3).view(0), WORDS))) if one.tag == "text"]
    assert ["opens after round III"] * 2 + ["opens after round VI"] == [text for text in texts if text.startswith("opens")]


# What is worked out for the reader.


@pytest.mark.parametrize("screens", [0, 1])
def test_places_after_a_bid_are_those_that_the_others_can_make(screens: int) -> None:
    """§3.2: the best and the worst place are found by trying every bid of the others."""
    match = opera(3, screens=screens)
    row = match.row
    for seat, (level, ducats) in enumerate([(4, 9), (4, 3), (6, 1)]):
        row[F.level + seat], row[F.ducats + seat] = level, ducats
    row[F.order : F.order + 3] = [2, 0, 1]
    match._append(match._entry(None, "position"), row, [])  # a bank that has lost some ducats does no harm here
    for seat in range(3):
        view = match.view(seat)
        others = [one for one in range(3) if one != seat]
        # Behind closed screens there may be any number of ducats.
        most = [min(view.row[F.ducats + one], 10 - view.row[F.level + one]) for one in others]
        if not screens:
            most = [10 - view.row[F.level + one] for one in others]
        for stake in range(min(view.row[F.ducats + seat], 10 - view.row[F.level + seat]) + 1):
            seen = set()
            for bids in product(*(range(top + 1) for top in most)):
                row = match.row
                for one, ducats in zip((seat, *others), (stake, *bids), strict=True):
                    row[F.bid + one] = ducats
                rules.raise_markers(row, match.build.events(muted=True))
                seen.add(row[F.order : F.order + 3].index(seat) + 1)
            assert (min(seen), max(seen)) == places(view, seat, view.row[F.level + seat] + stake)


def test_forecasts_are_what_the_rules_pay(views: list[View]) -> None:
    """§6, §8: the income and the points foretold are those of an income phase and a count held now."""
    for view in views:
        if view.outcome is not None:
            continue
        for seat in range(view.seats):
            row, events = list(view.row), OPERA.build().events(muted=True)
            told = forecast(row, seat)
            rules.collect_income(row, events)
            assert row[F.ducats + seat] - view.row[F.ducats + seat] == told.income
            rules.hold_count(row, events)
            assert row[F.points + seat] - view.row[F.points + seat] == told.points


# The workshop.


@pytest.fixture(scope="module")
def rearranging(views: list[View]) -> list[View]:
    """Views of seats that may rearrange."""
    found = [view for view in views if view.row[F.asked] == rules.REARRANGE and view.seat in view.to_act]
    assert len(found) > 15
    return found


def test_a_trial_is_what_an_arrangement_brings() -> None:
    """§5.7: what the workshop tells of a text is what the seat has after handing it in."""
    tried = 0
    for match in played(opera(3, 3), True):
        if match.row[F.asked] != rules.REARRANGE:
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        sheet_of = page.programmes(view, WORDS)
        assert sheet_of["asked"]
        for trial in (sheet_of["now"], *sheet_of["suggestions"].values()):
            later = match.after(match.ply)
            later.play(f"arrange {trial['text']}", seat)
            if later.row[F.asked] == rules.BID or later.outcome is not None:
                continue
            told = forecast(later.row, seat)
            assert (told.income, told.points) == (trial["income"], trial["points"])
            assert [f"{told.income:+}", f"{told.points:+}".replace("-", "−"), str(told.empty)] == [n for n, _ in trial["worth"]]
            assert page.text_of(programme_of(later.row, seat)) == trial["text"]
            tried += 1
    assert tried > 20


def test_what_cannot_be_arranged_is_a_fault(rearranging: list[View]) -> None:
    """§5.7: a piece that is not there, in words; and the view is as it was."""
    view = rearranging[0]
    assert "§5.7" in page.trial(view, WORDS, "roma verdi")["fault"]
    assert ["fault"] == list(page.trial(view, WORDS, "venezia verdi; venezia verdi"))


def programmes(row: list[int], seat: int) -> Iterator[list[int]]:
    """Every way to fill the halls from a row on, hall by hall, by the rules themselves."""
    mask = OPERA.build().mask()
    rules.legal(row, seat, mask)
    for action in range(ACTIONS.size):
        if mask[action >> 5] >> (action & 31) & 1 and action != rules.A.keep:
            then, events = row[:], OPERA.build().events(muted=True)
            if action == rules.A.empty:
                done = rules.leave_empty(then, seat, events)
            else:
                done = rules.place(then, seat, action - rules.A.place, events)
            if done:
                yield then
            else:
                yield from programmes(then, seat)


def test_suggestions_are_the_best_there_are(rearranging: list[View]) -> None:
    """§5.7: no other programme of a small company brings more, found by trying them all."""
    compared = 0
    for view in rearranging:
        seat = view.seat
        assert seat is not None
        suggested = page.programmes(view, WORDS)["suggestions"]
        now = forecast(view.row, seat)
        assert suggested["income"]["income"] >= now.income
        assert suggested["points"]["points"] >= now.points
        if sum(view.row[F.halls + seat * 6 : F.halls + seat * 6 + 6]) > 6:
            continue
        found = {forecast(row, seat) for row in programmes(list(view.row), seat)}
        values = {(one.income, one.points) for one in found}
        assert max(values) == (suggested["income"]["income"], suggested["income"]["points"])
        by_points = max((points, income) for income, points in values)
        assert by_points == (suggested["points"]["points"], suggested["points"]["income"])
        compared += len(found) > 1
    assert compared > 5


def test_the_sheet_shows_all_halls_and_pieces(views: list[View]) -> None:
    """§5.7: as many halls as the seat has, as many pieces as it owns; a spectator has no sheet."""
    for view in views[::8]:
        told: Any = page.Page().compose(view, WORDS, "")
        if view.seat is None:
            assert told is None
            continue
        halls = [hall for house in told["houses"] for hall in house["halls"]]
        assert sum(view.row[F.halls + view.seat * 6 : F.halls + view.seat * 6 + 6]) == len(halls)
        names = [hall["piece"] for hall in halls if hall["piece"]] + told["screen"]
        owned = [rules.copies_of(list(view.row), view.seat, number) for number in range(7)]
        assert owned == [names.count(name) for name in rules.PIECE.names]
        assert len(told["houses"]) == sum(hall["great"] for hall in halls)


# What moves.


def after_buying(buyer: int, first: int) -> Match:
    """A match of two after the buyer, who has bid more, has bought a piece."""
    match = opera(2)
    match.play("bid 10", buyer)
    match.play("bid 0", 1 - buyer)
    match.play("hire impresario")
    match.play([action for action in match.legal() if action.startswith("buy")][first])
    return match


def latest(view: View) -> list[Seen]:
    return [one for one in view.seen if one.ply == view.ply - 1]


def test_a_piece_bought_comes_from_the_offer() -> None:
    """§5.1: it leaves the last place beside its composer; its owner sees it going behind the screen, a rival to the screen."""
    match = after_buying(0, 0)
    before, after = match.after(match.ply - 1).view(0), match.view(0)
    composer = latest(after)[0].values["composer"]
    start = f"offer-{composer}-{before.row[F.offer + composer] - 1}"
    assert [Move(start, f"0-{rules.COMPOSER.names[composer]}-0")] == picture.moves(after, latest(after))
    assert [Move(start, "purse-0")] == picture.moves(match.view(1), latest(match.view(1)))
    old, new = ui(OPERA).scene(before, WORDS).items, ui(OPERA).scene(after, WORDS).items
    assert {start} == {key for key in {*old} - {*new} if key.startswith("offer-")}
    assert f"heap-0-{composer}" == new[f"0-{rules.COMPOSER.names[composer]}-0"].parent


def zone(scene: Scene, key: str) -> str:
    """What a piece lies in: a house, a heap behind a screen, a composer's step, a pile, the Palazzo, a purse."""
    return scene.items[key].parent if key not in ("deck", "discard") and not key.startswith("purse") else key


def kind(key: str) -> str:
    """The composer of a piece by its key; "" for a pile or a purse."""
    words = key.split("-")
    if words[0] in ("offer", "palazzo"):
        return rules.COMPOSER.names[int(words[1])]
    return words[1] if words[0].isdigit() else ""


@pytest.mark.parametrize(("seats", "screens", "bot"), [(2, 1, True), (4, 0, True), (3, 1, False)])
def test_pieces_come_from_where_they_were(seats: int, screens: int, bot: bool) -> None:
    """No piece that stays in a house is seen to move; one that came, came from where one of its kind has left."""
    moved: Counter[str] = Counter()
    before: list[Scene] = []
    is_piece = re.compile(r"\d-\w+-\d|offer-|palazzo-").match
    for match in played(opera(seats, 8, screens=screens, dutch_esperto=1), bot):
        eyes = [match.view(seat) for seat in (0, 1, None)]
        after = [ui(OPERA).scene(view, WORDS) for view in eyes]
        seen = latest(eyes[-1])
        rearranged = match.row[F.asked] == rules.STAGE or any(one.event.name == "stages" for one in seen)
        for view, old, new in zip(eyes, before, after, strict=False):
            moves = picture.moves(view, latest(view))
            assert len({move.end for move in moves if is_piece(move.end)}) == sum(bool(is_piece(move.end)) for move in moves)
            came = {move.end: move.start for move in moves if is_piece(move.end)}
            for move in moves:
                assert move.start in old.items, move
                assert move.end in new.items, move
                assert not kind(move.start) or not kind(move.end) or kind(move.start) == kind(move.end)
            if rearranged:
                continue
            # Where each piece was, by its key or its move; and how many of a kind each place had and has.
            held = Counter((zone(old, key), kind(key)) for key in old.items if is_piece(key))
            for key in filter(is_piece, new.items):
                start = came.get(key, key)
                if match.outcome is not None and start not in old.items and new.items[key].parent.startswith("player-"):
                    continue  # it lay behind a screen, and screens open at the end
                assert start in old.items, key
                if held[zone(new, key), kind(key)] > 0 and zone(new, key).startswith("house-"):
                    assert zone(old, start) == zone(new, key), (key, start)
                moved[zone(new, key).split("-")[0]] += zone(old, start) != zone(new, key)
        before = after
    assert moved["composer"] > 20
    assert moved["palazzo"] > 3
    assert moved["heap"] > 5


def test_moves_of_several_entries_are_those_of_each() -> None:
    """A piece that was bought left the place it had then, also when it is told after the offer was laid out anew."""
    match = after_buying(0, 0)
    bought, (move,) = match.ply - 1, picture.moves(match.view(1), latest(match.view(1)))
    while match.row[F.round] == 1:
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    told = picture.moves(match.view(1), match.view(1, bought).seen)
    assert move in told
    assert {one.end for one in told if one.start == "deck"} == {
        f"offer-{composer}-{copy}" for composer in range(6) for copy in range(match.row[F.offer + composer])
    }


def test_what_is_taken_back_is_not_seen_to_move() -> None:
    """A bought piece that is given back is there again; nothing flies."""
    match = after_buying(0, 0)
    match.undo()
    assert [] == picture.moves(match.view(0), latest(match.view(0)))


def test_pieces_that_are_rearranged_keep_their_keys() -> None:
    """§5.7: a page sees the same piece behind the screen and in the hall."""
    match = after_buying(0, 0)
    match.play("stop")
    name = next(name for name in rules.COMPOSER.names if f"place {name}" in match.legal())
    assert f"heap-0-{rules.COMPOSER.names.index(name)}" == ui(OPERA).scene(match.view(0), WORDS).items[f"0-{name}-0"].parent
    match.play(f"place {name}")
    assert "house-0-venezia" == ui(OPERA).scene(match.view(0), WORDS).items[f"0-{name}-0"].parent


# The picture as data.


def test_keys_are_unique_and_parents_stand_before_their_children(views: list[View]) -> None:
    """In what everybody sees, in what a seat sees besides, and in both together."""
    for view in views:
        shared = picture.shared(view.public(), WORDS.unaddressed())
        layers = [shared] if view.seat is None else [shared, picture.own(view, WORDS)]
        for layer in layers:
            assert len(layer.items) == len({item.key for item in layer.items})
        scene = ui(OPERA).scene(view, WORDS)
        known = set(scene.panels)
        for item in scene.items.values():
            assert item.parent in known, item.key
            known.add(item.key)
        assert len(known) == len(scene.panels) + len(scene.items)


@pytest.mark.parametrize(
    ("seats", "options", "bot"),
    [(2, {"screens": 1}, True), (4, {}, False), pytest.param(3, {"seven_rounds": 1}, True, marks=pytest.mark.soak)],
)
def test_a_page_that_follows_a_match_equals_a_fresh_one(seats: int, options: dict[str, int], bot: bool) -> None:
    """For each seat and a spectator, through a whole match: after every difference the page shows what a whole scene shows."""
    shown: dict[int | None, tuple[Scene, ShownScene]] = {}
    for match in played(opera(seats, 6, **options), bot):
        for seat in (match.ply % (seats + 1) % seats, None) if match.to_act else (*range(seats), None):
            words = Words(ui(OPERA).narrator("fr", [f"Ada {one}" for one in range(seats)], seat))
            scene = ui(OPERA).scene(match.view(seat), words)
            fresh = ShownScene().apply(json.loads(json.dumps(whole(scene))))
            if seat in shown:
                old, patched = shown[seat]
                patched.apply(json.loads(json.dumps(difference(old, scene))))
                assert (fresh.panels, fresh.trees()) == (patched.panels, patched.trees())
            else:
                patched = fresh
            shown[seat] = scene, patched
    assert seats + 1 == len(shown)


def test_a_scene_leaves_the_view_as_it_is(views: list[View]) -> None:
    """Neither drawing nor moving changes anything in what it is made from; made again, it is the same."""
    for view in views[::5]:
        before = repr(view), view.row, view.seen, view.legal
        first = bytes_of(view)
        assert before == (repr(view), view.row, view.seen, view.legal)
        assert first == bytes_of(view)


def test_the_board_is_the_same_for_all_matches_of_its_kind() -> None:
    """It does not know who plays, nor how far the match is; it has no keys and no actions, and fetches nothing."""
    for seats, options in ((2, {}), (3, {"seven_rounds": 1}), (4, {"screens": 1})):
        boards = []
        for seed in (1, 2):
            words = Words(ui(OPERA).narrator("nl", [f"Ada {seed}"] * seats))
            match = opera(seats, seed, **options)
            boards.append(picture.board(match.view(), words.nameless()))
            *_, last = played(match, False)
            boards.append(picture.board(last.view(0), words.nameless()))
        assert boards[0] == boards[1] == boards[2] == boards[3]
        text = "".join(boards[0].values())
        assert not re.search(r"data-|href|url\(|\bid=|<style|Ada", text)
        assert {"rounds", "budget", "score", "ladder", "palazzo"} == {*boards[0]}
        assert all(fromstring(f"<svg>{body}</svg>")[0].get("class") == "panel" for body in boards[0].values())


def test_another_box_is_drawn_by_its_own_components(tmp_path: Path) -> None:
    """Words, picture and page of another box are copies that know its components: none is loaded past its build."""
    own = OPERA.folder.joinpath("components.toml").read_text("utf-8")
    box = tmp_path / "other.toml"
    box.write_text(own.replace("standing = 1", "standing = 2"), "utf-8")
    other = find("opera", box)
    view, words = Match(other, 3, seed=1).view(0), ui(other).english
    visits = [ui(game).scene(view, words).items["visit-venezia"].look.count("<ellipse") for game in (OPERA, other)]
    assert [1, 2] == visits
    ui(other).page.legend(words), ui(other).page.compose(view, words, "")
    assert [] == [name for name in sys.modules if "@" in name and "." in name.rpartition("@")[2] and "opera" in name]


def test_an_action_changes_few_things(views: list[View]) -> None:
    """A bid that is made changes who is waited for: nothing else that everybody sees."""
    match = opera(4)
    before = ui(OPERA).scene(match.view(None), WORDS)
    match.play("bid 2", 1)
    sent = difference(before, ui(OPERA).scene(match.view(None), WORDS))
    assert {"marker-1"} == {item["key"] for item in sent["items"]}
    assert ["turn-1"] == sent["gone"]
    assert "panels" not in sent


def test_panels_open_in_their_order() -> None:
    """§2.2: closed cities come last, and the reader's own panel before the cities; two seats have it, spectators do not."""
    match = opera(3)
    closed = [PANELS[city] for city in range(6) if OPENS_AFTER[city]]
    names = list(ui(OPERA).scene(match.view(1), WORDS).panels)
    assert names.index("player-1") < names.index("city-venezia") < names.index(closed[0]) < names.index("player-0")
    assert ["player-0", "player-1", "player-2"] == list(ui(OPERA).scene(match.view(None), WORDS).panels)[-3:]


def test_what_is_kept_is_what_the_rules_say(views: list[View]) -> None:
    """§6, §7.1, §8: forecasts, fame and performances that are worked out once are those of the view's own row."""
    for view in views:
        row = view.row
        halls = halls_of(view)
        assert [sketch.performed(view, piece) for piece in range(7)] == list(halls.times)
        later = list(row)
        rules.update_fame(later, OPERA.build().events(muted=True))
        if view.outcome is None:
            assert later[F.fame : F.fame + 6] == [one.later for one in standings_of(view, halls)]
        coins: Counter[int] = Counter()
        for key, item in ui(OPERA).scene(view, WORDS).items.items():
            if found := re.fullmatch(r"income-(\d)-\w+", key):
                coins[int(found[1])] += int(re.findall(r">(\d+)<", item.look)[0])
        for seat in range(view.seats):
            assert forecast(row, seat) == forecast_of(row, seat)
            assert rules.copies_of(list(row), seat, 3) == (halls.copies[seat] >> 12 & 15) + row[F.screen + seat * 7 + 3]
            if view.outcome is None:
                assert forecast(row, seat).income == coins[seat]


def test_roles_that_were_taken_back_are_free() -> None:
    """§4.2: a card shows who hired it in this round, and nobody once that is taken back, also from a later round."""
    match = opera(2)
    match.play("bid 10", 0)
    match.play("bid 4", 1)

    def hirers() -> set[str]:
        return {key for key in ui(OPERA).scene(match.view(1), WORDS).items if key.startswith("hirer-")}

    hiring = match.ply - 1
    match.play("hire maestro")
    assert {"hirer-maestro"} == hirers()
    match.undo(hiring)
    assert set() == hirers()
    match.play("hire signora" if "hire signora" in match.legal() else "hire architetto")
    assert 1 == len(hirers())
    # On until nobody plays a role, then into the next round, and back.
    chance = random.Random(1)
    while match.row[F.role] != rules.NONE:
        match.play(chance.choice(match.legal()))
    first, shown = match.ply - 1, ui(OPERA).scene(match.view(1), WORDS).items
    assert 1 == len(hirers())
    while match.row[F.round] == 1:
        match.play(chance.choice(match.legal(match.to_act[0])), match.to_act[0])
    assert set() == hirers()
    match.undo(first)
    (key,) = hirers()
    assert shown[key].look == ui(OPERA).scene(match.view(1), WORDS).items[key].look != STRUCK


def test_a_match_that_was_given_up_stays_as_it_stood() -> None:
    """Nothing was counted: there are no zeros for a result; who has won is said once, with the crown."""
    match = opera(2)
    match.play("bid 3", 0)
    match.resign(1)
    scene = ui(OPERA).scene(match.view(0), WORDS)
    assert "score" not in scene.panels and "budget" in scene.panels
    assert not [key for key in scene.items if key.startswith(("score-", "total-"))]
    crown = 'd="M164 26l'
    assert [True, False] == [crown in scene.items[f"notes-{seat}"].look for seat in (0, 1)]


def test_a_bid_is_told_once_it_was_made() -> None:
    """Whoever is not asked, and has not bid, is not told of a bid of theirs."""
    match = opera(2)
    view = match.view(0)
    resting = replace(view, legal=(), to_act=(1,))
    for one, is_told in ((resting, False), (_after(match, "bid 3", 0).view(0), True)):
        items = ui(OPERA).scene(one, WORDS).items
        assert is_told == ("bid" in items) and (not is_told or "+3" in items["bid"].look)


def _after(match: Match, action: str, seat: int) -> Match:
    match.play(action, seat)
    return match
