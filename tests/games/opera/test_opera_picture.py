"""The drawing of Opera: sound, clickable where something can be done, silent about what a seat may not see, and right."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from ridotto.core.drawing import THEMES, Panel, compose, measure, sheet
from ridotto.core.match import Match
from ridotto.core.narrator import LANGUAGES
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.games.opera import page, picture, rules, sketch
from ridotto.games.opera.rules import F
from ridotto.games.opera.words import Words

OPERA = GAMES["opera"]
WORDS = Words(OPERA.narrator())
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
    """Those views with their panels, parsed."""
    return [(view, parsed(OPERA.panels(view, WORDS))) for view in views]


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


def test_every_legal_action_is_one_target(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """What can be done is clickable exactly once, with a halo of at least 44 units; nothing else is."""
    for view, panels in drawn:
        found = [one for one in elements(panels) if "data-do" in one.attrib]
        assert sorted(ACTIONS.notation(i) for i in view.legal) == sorted(one.attrib["data-do"] for one in found)
        for one in found:
            halos = [inside for inside in one.iter() if inside.get("class") == "halo"]
            assert halos
            assert 44 <= max(float(halo.attrib["width"]) for halo in halos), one.attrib
            assert 44 <= min(float(halo.attrib["height"]) for halo in halos), one.attrib
            assert [one] == [inside for inside in one.iter() if {"data-do", "data-ask"} & set(inside.attrib)]


def test_what_cannot_be_done_can_be_asked_about(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """Only a reader whose turn it is may ask, about an action that is not legal."""
    asked = 0
    for view, panels in drawn:
        notations = [one.attrib["data-ask"] for one in elements(panels) if "data-ask" in one.attrib]
        assert not notations or view.seat in view.to_act
        assert not {ACTIONS.parse(text) for text in notations} & {*view.legal, None}
        asked += len(notations)
    assert asked > 1000


def test_pieces_are_told_apart(drawn: list[tuple[View, list[tuple[Panel, Element]]]]) -> None:
    """Keys are unique in a picture; figures, markers and composers are there once each."""
    for view, panels in drawn:
        keys = [one.attrib["data-piece"] for one in elements(panels) if "data-piece" in one.attrib]
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
    words = Words(OPERA.narrator(name))
    for view in views[:: 2 if name == "fr" else 6]:
        assert [] == faults_of_texts(parsed(OPERA.panels(view, words)))


def test_a_standing_picture_is_whole_in_both_themes(views: list[View]) -> None:
    """The panels make one picture that fits a wide screen, with every colour of the theme filled in."""
    for theme in THEMES:
        picture_of = compose(OPERA.panels(views[-1], WORDS), picture.COLUMNS, picture.STYLE, theme)
        root = fromstring(picture_of)
        assert "$" not in picture_of
        assert float(root.attrib["width"]) / float(root.attrib["height"]) > 1440 / 900


# What a seat may not see.


def bytes_of(view: View) -> str:
    return "".join(panel.svg() for panel in OPERA.panels(view, WORDS))


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
            row[F.screen + seat * 7 + 2] += 1
    return replace(view, row=tuple(row))


def test_closed_screens_stay_closed(views: list[View]) -> None:
    """§11.1: what others have behind a closed screen changes nothing in the picture; behind an open one it does."""
    for view in views[::6]:
        other = bytes_of(with_other_screens(view))
        opened = view.row[F.screens] or view.outcome is not None
        assert bool(opened) == (other != bytes_of(view))


def test_closed_cities_are_drawn_closed() -> None:
    """§2.2: before the first count three cities say when they open."""
    texts = [one.text or "" for one in elements(parsed(OPERA.panels(opera(3).view(0), WORDS))) if one.tag == "text"]
    assert ["opens after round III"] * 2 + ["opens after round VI"] == [text for text in texts if text.startswith("opens")]


# What is worked out for the reader.


@pytest.mark.parametrize("screens", [0, 1])
def test_places_after_a_bid_are_those_that_the_others_can_make(screens: int) -> None:
    """§3.2: the best and the worst place are found by trying every bid of the others."""
    match = opera(3, screens=screens)
    for seat, (level, ducats) in enumerate([(4, 9), (4, 3), (6, 1)]):
        match._rows[-1][F.level + seat] = level
        match._rows[-1][F.ducats + seat] = ducats
    match._rows[-1][F.order : F.order + 3] = [2, 0, 1]
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
            assert (min(seen), max(seen)) == picture._places(view, seat, view.row[F.level + seat] + stake)


def test_forecasts_are_what_the_rules_pay(views: list[View]) -> None:
    """§6, §8: the income and the points foretold are those of an income phase and a count held now."""
    for view in views:
        if view.outcome is not None:
            continue
        for seat in range(view.seats):
            row, events = list(view.row), OPERA.build().events(muted=True)
            told = sketch.forecast(row, seat)
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
            told = sketch.forecast(later.row, seat)
            assert (told.income, told.points) == (trial["income"], trial["points"])
            assert [f"{told.income:+}", f"{told.points:+}".replace("-", "−"), str(told.empty)] == [n for n, _ in trial["worth"]]
            assert page._text(later.row, seat) == trial["text"]
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
        now = sketch.forecast(view.row, seat)
        assert suggested["income"]["income"] >= now.income
        assert suggested["points"]["points"] >= now.points
        if sum(view.row[F.halls + seat * 6 : F.halls + seat * 6 + 6]) > 6:
            continue
        found = {sketch.forecast(row, seat) for row in programmes(list(view.row), seat)}
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


def keys_of(view: View, panel: str) -> set[str]:
    found = [root for one, root in parsed(OPERA.panels(view, WORDS)) if one.name == panel]
    return {one.attrib["data-piece"] for one in found[0].iter() if "data-piece" in one.attrib}


def test_a_piece_bought_comes_from_the_offer() -> None:
    """§5.1: behind the buyer's screen it has the key that it had beside its composer."""
    match = opera(2)
    match.play("bid 10", 0)
    match.play("bid 0", 1)
    match.play("hire impresario")
    before = match.view(0)
    match.play(next(action for action in match.legal() if action.startswith("buy")))
    moved = keys_of(before, "ladder") & keys_of(match.view(0), "player-0")
    assert 1 == len(moved)
    assert keys_of(before, "ladder") - keys_of(match.view(0), "ladder") == moved


def test_a_piece_sold_goes_to_the_palazzo() -> None:
    """§5.3: at the Palazzo it has a key that it had in its owner's halls or behind the screen."""
    sold = 0
    for match in played(opera(3, 2), True):
        if match.row[F.asked] != rules.SELL or not match.legal():
            continue
        seat = match.to_act[0]
        before = match.view(seat)
        sales = [action for action in match.legal() if action.startswith("sell")]
        for action in sales:
            later = match.after(match.ply)
            later.play(action)
            was = {key for name in picture.CITY_PANELS + picture.PLAYER_PANELS[:3] for key in keys_of(before, name)}
            assert 1 == len(was & keys_of(later.view(seat), "palazzo"))
            sold += 1
        if sold > 3:
            return
    pytest.fail("nothing was sold")
