"""Turandot drawn: every picture is sound, what can be done has its place in it, and nothing hidden is drawn."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from owners import box_of_an_owner

from ridotto.arena import audit
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.present import svg as drawing
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import Item, Layer, Move, Scene, difference, whole
from ridotto.present.scene import drawn as drawn_items
from ridotto.present.ui import ui
from ridotto.present.views import as_json as views_as_json
from ridotto.present.words import Words

GAME = GAMES["turandot"]
ENGLISH = ui(GAME).english
BUILD = GAME.build()
PICTURE: Any = ui(GAME).picture
REVEAL: Any = BUILD.module("ui.picture.reveal")
WORTH: Any = BUILD.module("ui.picture.worth")
BOX = BUILD.components
RULES: Any = BUILD.rules
F, ACTIONS = RULES.F, RULES.ACTIONS
SETUPS = ((2, 0), (3, 0), (4, 0), (5, 0), (3, 1), (5, 1))
"""Seats, and whether the auditions are blind."""


@cache
def played(seats: int, blind: int = 0, seed: int = 1) -> Match:
    """A whole match, the same each time: half of it sensible play, half of it chance."""
    chance = random.Random(f"{seats} {blind} {seed}")
    match = Match(GAME, seats, {"blind": blind}, seed=seed, clock=lambda: 0.0)
    while match.to_act:
        seat = chance.choice(match.to_act)
        action = chance.choice(match.legal(seat).ids)
        if chance.random() < 0.5:
            row, mask = BUILD.copy(match.view(seat).row), BUILD.mask()
            RULES.legal(row, seat, mask)
            dice = BUILD.generator(chance.getrandbits(32))
            action = BUILD.bot.policy(row, seat, mask, dice, BUILD.events(muted=True), BUILD.row())
        match.play(action, seat)
    return match


def views(match: Match, step: int = 1) -> Iterator[View]:
    """What somebody who must act, somebody else and now and then a spectator saw of a match, ply by ply."""
    for ply in (*range(1, match.ply, step), match.ply):
        then = match.after(ply)
        seats = {*then.to_act[:1], ply % match.seats}
        yield from (then.view(seat) for seat in sorted(seats))
        if ply % 4 == 0 or ply == match.ply:
            yield then.view(None)


def in_phase(match: Match, asked: str, round_: int = 0) -> View:
    """The first view of somebody who is asked that, in that round or any."""
    for ply in range(1, match.ply + 1):
        then = match.after(ply)
        position = then.position()
        if position["asked"] == asked and round_ in (0, position["round"]):
            return then.view(then.to_act[0])
    raise AssertionError(f"nobody is ever asked {asked}")


def scene_of(view: View, words: Words = ENGLISH) -> Scene:
    return ui(GAME).scene(view, words)


def markup(view: View, words: Words = ENGLISH) -> dict[str, str]:
    """What a page shows of each panel: the board, and the items with their keys and actions."""
    board, scene = ui(GAME).board(view, words), scene_of(view, words)
    return {name: board.get(name, "") + drawn_items(scene, name) for name in scene.panels}


def parsed(body: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{body}</svg>")


def drawn(view: View) -> str:
    return "".join(f"{panel} {markup(view)[name]}" for name, panel in scene_of(view).panels.items())


# What is wrong with a picture.

FORBIDDEN = {"style", "script", "foreignObject", "image", "use", "a"}
COLOURS = {"style", "fill", "stroke", "stop-color", "color", "href", "id"}
LIVE = {"data-key", "data-look", "data-do", "data-part", "data-ask", "role", "tabindex", "aria-label"}


def faults(view: View, words: Words = ENGLISH) -> list[str]:
    """Everything about a picture that should not be so."""
    scene = scene_of(view, words)
    found = [*misplaced(view, words)]
    done = Counter(item.do for item in scene.items.values() if item.do)
    for name, body in markup(view, words).items():
        root = parsed(body)
        for element in root.iter():
            if element.tag in FORBIDDEN or COLOURS & set(element.attrib):
                found.append(f"{name}: {element.tag} {element.attrib}")
            if meant := element.get("data-do") or element.get("data-part"):
                inside = [one.attrib for one in element.iter() if one is not element]
                if any({"data-do", "data-part", "data-ask"} & one.keys() for one in inside):
                    found.append(f"{name}: a target within {meant}")
                if not any("halo" in one.get("class", "").split() for one in inside):
                    found.append(f"{name}: no halo in {meant}")
        found += [f"{name}: {text}" for text in stray(root, scene.panels[name].width, scene.panels[name].height)]
    for name, body in ui(GAME).board(view, words).items():
        found += [f"{name}: {element.attrib} on the board" for element in parsed(body).iter() if LIVE & set(element.attrib)]
    legal = {ACTIONS.notation(action) for action in view.legal}
    parts = {item.part for item in scene.items.values() if item.part}
    for notation in sorted(legal):
        verb, *values = notation.split()
        if verb == "bid":  # it is put together from its parts
            number, money, bluff = values
            wanted = {f"number={number}", *(f"money={n}" for n in range(1, int(money) + 1))} | (
                {"bluff=bluff"} if bluff == "bluff" else set()
            )
            found += [f"{part}, of {notation}, has no place" for part in wanted - parts]
        elif verb in ("give", "cast") and not done[notation] and view.early:  # whom it is about, and the choice
            found += [] if f"choice={values[-1]}" in parts else [f"{notation} has no place"]
            found += [] if any(one.startswith("about=") for one in parts) else [f"nobody can be chosen for {notation}"]
        elif verb != "money" and done[notation] != 1:
            found.append(f"{notation} is legal and has {done[notation]} places")
    found += [f"{notation} is not legal" for notation in sorted(set(done) - legal)]
    return found


def misplaced(view: View, words: Words) -> Iterator[str]:
    """Keys that stand for two things, and items that come before what they lie on."""
    layers = [
        PICTURE.shared(view.public(), words.unaddressed()),
        *([PICTURE.own(view, words)] if view.seat is not None else []),
    ]
    for layer in layers:
        counts = Counter(item.key for item in layer.items)
        yield from (f"{key} is the key of {count} items" for key, count in counts.items() if count > 1)
    known = set(scene_of(view, words).panels)
    for key, item in scene_of(view, words).items.items():
        if key in known or item.parent not in known:
            yield f"{key} lies on {item.parent}, which does not come before it"
        known.add(key)


def stray(root: ElementTree.Element, width: float, height: float) -> Iterator[str]:
    """Texts that are too small, or reach out of a panel."""
    waiting = [(root, 0.0, 0.0, 1.0)]
    while waiting:
        element, x, y, scale = waiting.pop()
        for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", element.attrib.get("transform", "")):
            values = [float(number) for number in numbers.split()]
            if name == "translate":
                x, y = x + scale * values[0], y + scale * values[1]
            elif name == "scale":
                scale *= values[0]
        waiting += [(child, x, y, scale) for child in element]
        if element.tag == "text":
            size = float(element.attrib["font-size"]) * scale
            long = scale * float(element.attrib.get("textLength", 0)) or drawing.measure(element.text or "", size)
            left = x + scale * float(element.attrib["x"])
            left -= {"middle": long / 2, "end": long}.get(element.attrib.get("text-anchor", ""), 0.0)
            base = y + scale * float(element.attrib["y"])
            if size < 12 or (element.text or "").endswith("…"):
                yield f"{element.text!r} is only {size:g} high, or cut off"
            if not (0 <= left and left + long <= width and size * 0.7 <= base <= height - 2):
                yield f"{element.text!r} reaches from {left:.0f} to {left + long:.0f}, base {base:.0f} of {height}"


@pytest.mark.parametrize(("seats", "blind"), SETUPS)
def test_every_picture_of_a_match_is_sound(seats: int, blind: int) -> None:
    """Markup, colours, targets, pieces and texts are as they should be, for players and spectators, to the end."""
    assert [] == [fault for view in views(played(seats, blind), 2 if seats > 3 or blind else 1) for fault in faults(view)]


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_every_phase_is_sound_in_every_language(tongue: str) -> None:
    """Nothing is cut off, too small or untranslatable in any language, at the smallest and the largest table."""
    words = ui(GAME).words(ui(GAME).narrator(tongue))
    for seats in (2, 5):
        match = played(seats, seed=2)
        for asked, round_ in (("audition", 1), ("audition", 4), ("audition", 7), ("name", 0), ("strike", 0), ("cast", 0)):
            assert [] == faults(in_phase(match, asked, round_), words)
        assert [] == faults(in_phase(match, "understudy"), words)
        assert [] == faults(match.view(0), words)


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture with a colour of its own, a text that is too small or too far out, or a key twice would be noticed."""
    view = played(2).after(1).view(0)
    bad = [
        Item("white", "hand", drawing.tag("rect", fill="#fff")),
        Item("tiny", "hand", drawing.write("tiny", 0, 0, 18), 50, 50, 0.5),
        Item("far", "hand", drawing.write("far out", 0, 0, 14), 350, 50),
        Item("twice", "hand"),
        Item("twice", "hand"),
        Item("orphan", "nobody"),
        Item("wrong", "hand", do="strike amazone", label="no"),
    ]
    monkeypatch.setattr(PICTURE, "hand", lambda *_: Layer([drawing.Panel("hand", "", 360, 100)], bad))
    text = "\n".join(faults(view))
    for expected in ("#fff", "'tiny' is only 9", "'far out' reaches", "twice is the key of 2", "orphan lies on nobody"):
        assert expected in text
    assert "strike amazone is not legal" in text and "no halo in strike amazone" in text
    monkeypatch.setattr(PICTURE, "board", lambda *_: {"hand": drawing.tag("g", data_key="a")})
    ui(GAME)._boards.clear()
    assert "on the board" in "\n".join(faults(view))
    ui(GAME)._boards.clear()


def test_what_everybody_sees_of_the_board_is_the_same_all_match_long() -> None:
    """The board does not depend on the row, nor on names: a browser keeps it."""
    for seats in (2, 5):
        match = played(seats)
        named = ui(GAME).words(ui(GAME).narrator("en", ["Ada", "Bo"]))
        boards = [PICTURE.board(match.after(ply).view(seat), named) for ply in (1, 20, match.ply) for seat in (0, None)]
        assert [PICTURE.board(match.after(1).view(None), ui(GAME).english)] * 6 == boards


@pytest.mark.parametrize(("seats", "blind"), [(2, 0), (5, 0), (3, 1)])
def test_a_seat_sees_what_everybody_sees_and_its_own(seats: int, blind: int) -> None:
    """Besides light, a seat's scene is that of a spectator but for its hand, its casting and what concerns itself."""
    match = played(seats, blind)
    for ply in range(1, match.ply + 1, 3):
        then = match.after(ply)
        everybody = scene_of(then.view(None))
        for seat in range(seats):
            found = scene_of(then.view(seat))
            dark = {key: item._replace(do="", why="", label="") for key, item in found.items.items()}
            other = {key for key in dark.keys() | everybody.items.keys() if dark.get(key) != everybody.items.get(key)}
            pattern = r"(own-)?pill-|(own-)?legend$|blind$|here-|troupe-\d|puccini$|role-"
            pattern += r"|offer-|dressmaker$|carpenter$"
            mine = rf"(place|laid|status|owner)-{seat}$"
            on_hand = {key for key in other if found.items[key].parent == "hand"}
            on_stage = {key for key in other if re.match(r"actor-|sung-|bench|worth-|hint$", key)}
            allowed = {key for key in other if re.match(f"{pattern}|{mine}", key)}
            touched = {key for key in other if re.match(r"place-", key) and found.items[key].part}  # whoever is given a card
            assert set() == other - on_hand - on_stage - allowed - touched
            assert not on_stage or then.position()["asked"] == "cast"


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_everything_lies_where_the_row_says(seats: int) -> None:
    """Cards lie under their roles or with their troupes, what is laid before its seat, and Puccini with his holder."""
    for view in views(played(seats, seed=5), 2):
        s, items = view.row, scene_of(view).items
        parents = {key: item.parent for key, item in items.items()}
        expected: dict[str, str] = {}
        cards = [f"singer-{one}" for one in BOX.SINGER_IDS] + [f"director-{one}" for one in BOX.DIRECTOR_IDS]
        for troupe, at, director in [
            *((f"troupe-{seat}", F.troupe + seat * 6, F.director + seat) for seat in range(seats)),
            ("troupe-fictitious", F.fictitious, F.fictitious_director),
        ]:
            expected |= {cards[one]: troupe for one in s[at : at + 6] if one >= 0}
            expected |= {cards[RULES.SINGERS + one]: troupe for one in [s[director]] if one >= 0}
        expected |= {cards[s[F.offer + place]]: f"offer-{place}" for place in range(6) if s[F.offer + place] >= 0}
        assert expected == {key: parents[key] for key in expected}
        drawn_singers = {key for key in items if key.startswith("singer-")}
        assert drawn_singers == {key for key in expected if key.startswith("singer-")}
        laid = {key: parent for key, parent in parents.items() if key.startswith(("laid-", "status-", "edge-"))}
        assert all(parent == f"place-{key[-1]}" for key, parent in laid.items())
        assert f"troupe-{s[F.puccini]}" == parents["puccini"]
        assert parents.get("quill") in (None, f"place-{s[F.puccini]}")


def test_drawing_does_not_change_a_view() -> None:
    """A scene is worked out from a view and leaves it as it is."""
    for view in views(played(3, 1), 9):
        before = view.row, view.legal, [(one.ply, one.event, dict(one.values)) for one in view.seen]
        scene_of(view)
        PICTURE.moves(view, view.seen)
        assert before == (view.row, view.legal, [(one.ply, one.event, dict(one.values)) for one in view.seen])


# What a page is sent.


def shown(message: dict[str, Any], old: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a page shows after a message: each item with what it has, and the keys inside each parent in order."""
    old = old or {"panels": [], "items": {}, "inside": {}, "looks": {}}
    items, inside = dict(old["items"]), {parent: list(keys) for parent, keys in old["inside"].items()}
    for change in message.get("items", ()):
        key, was = change["key"], items.get(change["key"], {})
        items[key] = {name: value for name, value in {**was, **change}.items() if value != "" and name != "after"}
        if "after" in change:
            if was:
                inside[was["in"]].remove(key)
            keys = inside.setdefault(items[key]["in"], [])
            keys.insert(keys.index(change["after"]) + 1 if change["after"] else 0, key)
    for key in message.get("gone", ()):
        inside[items.pop(key)["in"]].remove(key)
    looks = {**old["looks"], **message.get("looks", {})}
    assert {item["look"] for item in items.values() if "look" in item} <= looks.keys()
    return {
        "panels": message.get("panels", old["panels"]),
        "items": items,
        "inside": {parent: keys for parent, keys in inside.items() if keys},
        "looks": looks,
    }


@pytest.mark.parametrize(("seats", "blind"), [(2, 0), (3, 1), (5, 0)])
def test_a_page_that_is_sent_differences_shows_what_a_fresh_one_shows(seats: int, blind: int) -> None:
    """Through a whole match, for a seat and a spectator, action by action."""
    match = played(seats, blind, 3)
    for seat in (seats - 1, None):
        scenes = [scene_of(match.after(ply).view(seat)) for ply in range(1, match.ply + 1)]
        page = shown(whole(scenes[0]))
        for old, new in pairwise(scenes):
            page, fresh = shown(difference(old, new), page), shown(whole(new))
            assert all(fresh[name] == page[name] for name in ("panels", "items", "inside"))


def test_what_moves_goes_from_a_place_to_a_place() -> None:
    """Singers come from the pile, the reader's cards from the hand, money becomes a stage element: at keys that are drawn."""
    starts: Counter[str] = Counter()
    for seats in (2, 3, 5):
        match = played(seats, seed=4)
        for ply in range(2, match.ply + 1):
            for seat in (0, None):
                before, then = match.after(ply - 1).view(seat), match.after(ply).view(seat)
                moves = PICTURE.moves(then, [one for one in then.seen if one.ply == ply - 1])
                now = scene_of(then).items
                assert all(move.end in now for move in moves)
                assert all(move.start in now or move.start in scene_of(before).items for move in moves)
                starts.update(f"{move.start.split('-')[0]} {seat}" for move in moves)
    assert {"pile 0", "pile None", "number 0", "money 0", "money None"} == set(starts)


def test_what_is_taken_back_does_not_move() -> None:
    """Events that were taken back in the same breath move nothing."""
    match = played(3).after(1)
    match.play("bid 1 0 plain")
    seat = match.entries[-1].seat
    assert seat is not None
    seen = match.view(seat).seen
    assert [Move("number-0", f"laid-{seat}")] == PICTURE.moves(match.view(seat), [one for one in seen if one.ply == 1])
    match.undo()
    assert [] == PICTURE.moves(match.view(seat), match.view(seat).seen)


# What the reader may not know is not drawn.


def twins(first: str, second: str, blind: int, asked: str) -> tuple[Match, Match]:
    """Two matches of three that differ in what one seat does in secret when it is first asked."""
    match = played(3, blind)
    ply = next(ply for ply in range(1, match.ply) if match.after(ply).position()["asked"] == asked)
    one, other = match.after(ply), match.after(ply)
    seat = one.to_act[0]
    one.play(first or one.legal(seat).ids[0], seat)
    other.play(second or other.legal(seat).ids[-1], seat)
    return one, other


@pytest.mark.parametrize(
    ("first", "second", "blind", "asked"),
    [
        ("bid 1 1 plain", "bid 2 0 bluff", 0, "audition"),
        ("money plain", "bid 4 0 plain", 0, "audition"),
        ("bid 1 3 bluff", "money plain", 1, "audition"),
        ("", "", 0, "cast"),
    ],
)
def test_what_others_hide_is_not_drawn(first: str, second: str, blind: int, asked: str) -> None:
    """Whatever a seat lays or casts in secret, the others see the same picture to the last byte, and the seat its own."""
    one, other = twins(first, second, blind, asked)
    acted = one.entries[-1].seat
    for seat in (0, 1, 2, None):
        assert (seat != acted) == (drawn(one.view(seat)) == drawn(other.view(seat)))


def test_the_number_of_cards_is_drawn_unless_auditions_are_blind() -> None:
    """Cards face down can be counted by everybody; in blind auditions not."""
    for blind in (0, 1):
        one, other = twins("bid 1 3 bluff", "bid 1 0 plain", blind, "audition")
        assert bool(blind) == (drawn(one.view(None)) == drawn(other.view(None)))


def sent(view: View) -> dict[str, Any]:
    """Everything about a picture that reaches a page: items in their order, looks, and what has just moved."""
    moves = PICTURE.moves(view, [one for one in view.seen if one.ply == view.ply - 1])
    return {**whole(scene_of(view)), "moves": [list(move) for move in moves]}


@pytest.mark.parametrize("blind", [0, 1])
def test_the_audit_finds_no_leak_in_pictures(blind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds that a seat cannot tell apart are drawn the same, in a random match of two."""
    original = views_as_json
    monkeypatch.setattr("ridotto.present.views.as_json", lambda self, words: {**original(self, words), "picture": sent(self)})
    report = audit.audit(GAME, 2, 5, 1, {"blind": blind})
    assert {} == dict(report.leaks), report.examples
    assert report.pairs >= 20
    assert {"pending", "casting"} <= set(report.differed)


def leaky_look(layer: Layer, hidden: int) -> Layer:
    return Layer(layer.panels, [*layer.items, Item("leak", "troupes", drawing.tag("circle", r=hidden))])


def leaky_key(layer: Layer, hidden: int) -> Layer:
    return Layer(layer.panels, [*layer.items, Item(f"leak-{hidden}", "troupes")])


def leaky_order(layer: Layer, hidden: int) -> Layer:
    ends = [Item("one", "troupes"), Item("other", "troupes")]
    return Layer(layer.panels, [*layer.items, *(ends if hidden % 2 else reversed(ends))])


@pytest.mark.parametrize("leak", [leaky_look, leaky_key, leaky_order, "row", "move"])
def test_a_leak_planted_in_a_picture_is_caught(
    leak: Callable[[Layer, int], Layer] | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that looked at the true row, or told of it by a look, a key, an order or a move, would fail the audit."""
    truth: dict[int, list[int]] = {}
    view_of, json_of, public_of, shared, moves = Match.view, views_as_json, View.public, PICTURE.shared, PICTURE.moves

    def view(self: Match, seat: int | None = None, since: int = 0) -> View:
        made = view_of(self, seat, since)
        truth[id(made)] = self.row
        return made

    def public(self: View) -> View:
        made = public_of(self)
        truth[id(made)] = truth[id(self)]
        return replace(made, row=tuple(truth[id(self)])) if leak == "row" else made

    def hidden(self: View) -> int:
        return 2 + max(truth[id(self)][F.pending : F.pending + self.seats])

    monkeypatch.setattr(Match, "view", view)
    monkeypatch.setattr(View, "public", public)
    monkeypatch.setattr("ridotto.present.views.as_json", lambda self, words: {**json_of(self, words), "picture": sent(self)})
    if callable(leak):
        monkeypatch.setattr(PICTURE, "shared", lambda self, words: leak(shared(self, words), hidden(self)))
    elif leak == "move":
        monkeypatch.setattr(PICTURE, "moves", lambda self, seen: [*moves(self, seen), Move("pile", f"laid-{hidden(self)}")])
    reports = (audit.audit(GAME, 2, 5, number) for number in range(4))
    assert any(name.startswith("view.picture") for report in reports for name in report.leaks)


# Sums and results that a picture tells.


def worth(troupe: list[int], director: int) -> int:
    """A troupe's stars, its best casting found by trying all, and its director's points."""
    sung = []
    for order in permutations([*troupe, *[-1] * (6 - len(troupe))]):
        points = 0
        for singer, role_sex, role in zip(order, BOX.ROLE_SEXES, range(6), strict=True):
            if singer >= 0:
                points += BOX.FAVOURITE[singer] == role
                points -= BOX.SEXES[BOX.SEX[singer]] not in (role_sex, "U")
        sung.append(points)
    row = [*troupe, *[-1] * (6 - len(troupe))]
    return int(sum(BOX.STARS[one] for one in troupe) + max(sung) + RULES.director_points(row, 0, director))


def test_what_a_card_would_add() -> None:
    """The pill on a card is the difference it makes to a troupe whose roles are cast in the best of all ways."""
    match = played(4)
    for round_ in (2, 6):
        view = in_phase(match, "audition", round_)
        seat, s = view.seat, view.row
        assert seat is not None
        troupe = [one for one in s[F.troupe + seat * 6 : F.troupe + seat * 6 + 6] if one >= 0]
        director = s[F.director + seat]
        cards = WORTH.offer_of(s)
        added = WORTH.gains(WORTH.troupe_of(s, seat), director, cards)
        assert [worth([*troupe, card], director) - worth(troupe, director) for card in cards] == [*added]


def test_the_hint_is_a_best_casting() -> None:
    """The casting offered as a hint keeps the roles that are cast and is worth as much as the best of all the others."""
    match = played(4)
    for ply in range(1, match.ply):
        then = match.after(ply)
        if then.position()["asked"] != "cast":
            continue
        seat = then.to_act[0]
        s = then.view(seat).row
        done = list(s[F.casting + seat * 6 : F.casting + seat * 6 + s[F.assigned + seat]])
        troupe = s[F.troupe + seat * 6 : F.troupe + seat * 6 + 6]
        hint = [*done]
        while len(hint) < 6:
            hint.append(WORTH.best_for_next_role(troupe, tuple(hint)))
        assert sorted(troupe) == sorted(hint)
        assert done == [*hint[: len(done)]]
        row = [*hint]
        others = ([*order] for order in permutations(troupe) if [*order[: len(done)]] == done)
        best = max(RULES.favourites(order, 0) + RULES.wrong_sexes(order, 0) for order in others)
        assert best == RULES.favourites(row, 0) + RULES.wrong_sexes(row, 0)
        if len(done) < 6:
            items, one = scene_of(then.view(seat)).items, BOX.SINGER_IDS[hint[len(done)]]
            bench = items[items["hint"].parent]
            # The last singer has one role left; any other may be given a role of the reader's choice.
            assert (bench.do, bench.part) == ((f"cast {one}", "") if len(done) == 5 else ("", f"choice={one}"))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_becomes_of_the_cards_is_what_the_rules_tell(seats: int) -> None:
    """Who wins, is outbid, ties, hires or lays in vain is drawn as the events of the reveal tell it."""
    checked = 0
    for seed in range(1, 4):
        match = played(seats, seed=seed)
        for ply in {one.ply for one in match.events if one.event.name == "reveals"}:
            told = [one.seen_by(None) for one in match.events if one.ply == ply]
            events = [(one.event.name, one.values) for one in told if one is not None]
            choices = {v["seat"]: v["choice"] for name, v in events if name == "reveals"}
            expected, hired = {}, {}
            for name, v in events:
                if name == "tied":
                    on = (seat for seat, choice in choices.items() if choice < 48 and choice // 8 == v["position"])
                    expected.update(dict.fromkeys(on, name))
                elif name in ("recruits", "overbids", "outbid", "hires", "refused", "retrieves"):
                    expected[v["seat"]] = name
                if name == "hires":
                    hired[v["seat"]] = v["helper"]
            before = match.row_after(ply - 1)
            laid = tuple(choices[seat] for seat in range(seats))
            reveal = REVEAL.Reveal(laid, before[F.puccini], before[F.round])
            assert (expected, hired) == REVEAL.settled(reveal)
            checked += 1
    assert 3 * 7 == checked


# The course of a match.


def test_whose_hand_it_is() -> None:
    """The reader's own, or in a review somebody else's, who is named."""
    view = played(2).after(12).view(0)
    for reader, heading in ((0, "Your hand"), (1, "Ada"), (None, "Your hand")):
        words = ui(GAME).words(ui(GAME).narrator("en", ("Ada", "Boris"), reader))
        assert heading == ui(GAME).scene(view, words).panels["hand"].title


def test_the_last_audition_stays_to_be_seen() -> None:
    """Where the reveal ends a round at once, what was laid stands pale before the seats until they lay again."""
    match = played(5)
    view = in_phase(match, "audition", 5)
    assert 5 == drawn(view).count("last round: ")
    assert 0 == drawn(in_phase(match, "audition", 1)).count("last round: ")


def test_an_audition_that_was_taken_back_is_not_the_last_one() -> None:
    """After the reveal of the first audition is taken back, nothing stands before the seats as laid in a round before."""
    match = played(5)
    ply = next(one.ply for one in match.events if one.event.name == "reveals")
    match = match.after(ply + 1)
    match.undo()
    assert match.position()["asked"] == "audition"
    assert 0 == drawn(match.view(None)).count("last round: ")


def test_a_resigned_match_shows_everything() -> None:
    """When somebody gives up in the middle of an audition, the cards on the table are turned up; nothing was counted."""
    match = played(3).after(2)
    laid = match.entries[1].seat
    match.resign(match.to_act[0])
    view = match.view(None)
    singers, troupes = ["singers-1", "singers-2"], [f"troupes-{place}" for place in (1, 2, 3)]
    expected = ["audition", *singers, "places", "hand", *troupes, "directors"]
    assert expected == [panel.name for panel in ui(GAME).panels(view, ui(GAME).english)]
    assert [] == faults(view)
    assert laid is not None
    words: Any = ui(GAME).english
    assert words.laid(match.row[F.pending + laid]) in drawn(view)


def test_the_end_tells_every_part() -> None:
    """The score has a column for each seat, one for the fictitious troupe of two, and Puccini's lost point only there."""
    for seats in (2, 4):
        match = played(seats)
        outcome = match.outcome
        assert outcome is not None
        score = next(panel for panel in ui(GAME).panels(match.view(None), ui(GAME).english) if panel.name == "score")
        texts = [element.text for element in parsed(score.body).iter("text")]
        totals = [*outcome.scores, *([RULES.fictitious_total(match.row)] if seats == 2 else [])]
        columns = [*map(str, range(seats)), *(["fictitious"] if seats == 2 else [])]
        found = [[*parsed(scene_of(match.view(None)).items[f"score-{column}"].look).iter("text")] for column in columns]
        assert list(map(str, totals)) == [column[-1].text for column in found]
        assert (seats == 2) == ("Puccini" in texts)


def test_a_wide_picture_holds_every_panel() -> None:
    """In each phase every panel has a place, and the picture is well-formed in both themes."""
    match = played(5)
    for view in (in_phase(match, "audition"), in_phase(match, "cast"), match.view(None)):
        panels = ui(GAME).panels(view, ui(GAME).english)
        compositions = ui(GAME).page.compositions(view)
        assert compositions is not None and {panel.name for panel in panels} <= compositions.large.places.keys()
        for theme in drawing.THEMES:
            picture = ui(GAME).file(view, ui(GAME).english, theme)
            assert len(panels) == len(ElementTree.fromstring(picture).findall("{http://www.w3.org/2000/svg}svg"))


def test_a_picture_is_always_the_same() -> None:
    """The same view drawn twice gives the same bytes, and a class for every colour it needs."""
    view = in_phase(played(4), "strike")
    assert drawn(view) == drawn(view)
    known = set(re.findall(r"\.([a-z]+\d?)", drawing.STYLE + PICTURE.STYLE))
    bare = {"drawing", *(panel.name for panel in ui(GAME).panels(view, ui(GAME).english))}
    used = {name for classes in re.findall(r'class="([^"]*)"', drawn(view)) for name in classes.split()}
    assert set() == used - known - bare


def capsules(element: ElementTree.Element, x: float = 0, scale: float = 1) -> Iterator[tuple[float, float]]:
    """Where each frame of a director's terms begins and ends."""
    moved = re.fullmatch(r"translate\((\S+) \S+\)(?: scale\((\S+)\))?", element.get("transform", ""))
    if moved:
        x, scale = x + scale * float(moved[1]), scale * float(moved[2] or 1)
    if element.tag == "rect" and "capsule" in element.get("class", ""):
        left = x + scale * float(element.get("x", 0))
        yield left, left + scale * float(element.get("width", 0))
    for child in element:
        yield from capsules(child, x, scale)


def test_the_terms_of_an_owner_fit_their_line(tmp_path: Path) -> None:
    """Tables beside other terms, several signs and large numbers: no frame lies on another one, or outside its row."""
    game = GAME.with_box(box_of_an_owner("turandot", tmp_path))
    build = game.build()
    terms: Any = build.module("ui.picture.terms")
    for number in range(9):
        found = sorted(capsules(ElementTree.fromstring(terms.drawn_terms(number))))
        assert len(found) >= len(build.components.TERMS[number])
        assert found[0][0] >= 0 and found[-1][1] <= terms.ROOM + 0.01
        assert all(one[1] < other[0] for one, other in pairwise(found)), number


def test_pages_of_an_owner_draw_what_is_in_their_box(tmp_path: Path) -> None:
    """No module of the pages has anything of another module that belongs to the standard box."""
    build = GAME.with_box(box_of_an_owner("turandot", tmp_path)).build()
    for name in ("words", "messages", "reasons", "picture", "page", "legend", "stage", "sketch", "picture.cards"):
        module = build.module(f"ui.{name}")
        for thing in vars(module).values():
            where = str(getattr(thing, "__module__", "") or getattr(thing, "__name__", ""))
            assert not where.startswith("ridotto.games.turandot") or where.endswith(f"@{build.copies.tag}"), (name, where)
