"""The table of Le Fantôme as panels and items: well formed, complete, inside its panels, and silent about secrets."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast
from xml.etree import ElementTree as ET

import pytest

from ridotto.arena import audit
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine import build as builds
from ridotto.games import GAMES
from ridotto.games.fantome import components
from ridotto.games.fantome import rules as RULES
from ridotto.games.fantome.ui.picture.people import BODIES
from ridotto.games.fantome.ui.picture.track import MIDDLES
from ridotto.games.fantome.ui.sketch import TOKENS
from ridotto.present import svg as drawing
from ridotto.present.narrator import LANGUAGES
from ridotto.present.scene import Item, Layer, Scene, difference, drawn, whole
from ridotto.present.svg import Panel
from ridotto.present.ui import ui
from ridotto.present.views import as_json as views_as_json
from ridotto.present.words import Words

GAME = GAMES["fantome"]
ENGLISH = ui(GAME).english
PICTURE: Any = ui(GAME).picture
NAMES = RULES.CHARACTER.names
EVERYWHERE = ["house", "track", "cards", "deduction", "alibis", "notebook", "masked"]
SVG_ONLY = {"svg", "title", "g", "rect", "circle", "ellipse", "path", "polygon", "text", "defs", "radialGradient", "stop"}


def example() -> Match:
    """A match that stands as the example in §6.2: Buquet and the Persian in 6, Richard and Madame Giry in the dark 8."""
    place = {"raoul": "9", "christine": "9", "richard": "8", "giry": "8", "meg": "7", "buquet": "6", "persan": "6"}
    told = {"place": place | {"moncharmin": "5"}, "dark": "8", "padlock": "0-1", "carlotta": 8}
    return Match(GAME, position=Match(GAME, seed=1).position() | told)


def views(seed: int) -> Iterator[View]:
    """What both players and a spectator see of a match of random play, from the deal to the end."""
    match, chance = Match(GAME, seed=seed), random.Random(seed)
    while True:
        yield from (match.view(eyes) for eyes in (0, 1, None))
        if not match.to_act:
            return
        match.play(chance.choice(match.legal().ids))


def live(view: View, words: Words = ENGLISH) -> list[Panel]:
    """The panels of a view as a page draws them, with all that its reader can do."""
    board, found = ui(GAME).board(view, words), ui(GAME).scene(view, words)
    return [replace(panel, body=board.get(name, "") + drawn(found, name)) for name, panel in found.panels.items()]


def trees(view: View, words: Words = ENGLISH) -> dict[str, ET.Element]:
    """The panels of a view, parsed, by name."""
    return {panel.name: ET.fromstring(panel.svg()) for panel in live(view, words)}


def texts(root: ET.Element) -> list[str]:
    """Everything written in a drawing."""
    return [element.text or "" for element in root.iter("text")]


def titles(root: ET.Element) -> list[str]:
    """Every name that pointing at something tells."""
    return [element.text or "" for element in root.iter("title")]


class Written(NamedTuple):
    """A line of text where it stands in its panel."""

    text: str
    size: float
    left: float
    right: float
    y: float


def written(element: ET.Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[Written]:
    """The lines of a drawing, with every shift and scale above them worked in."""
    for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", "")):
        values = [float(number) for number in numbers.split()]
        if kind == "translate":
            x, y = x + scale * values[0], y + scale * values[1]
        else:
            assert "scale" == kind
            scale *= values[0]
    if element.tag == "text":
        size = scale * float(element.get("font-size", ""))
        wide = scale * float(element.get("textLength", 0)) or drawing.measure(element.text or "", size)
        shift = {None: 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor")]
        left = x + scale * float(element.get("x", "")) - shift * wide
        yield Written(element.text or "", size, left, left + wide, y + scale * float(element.get("y", "")))
    for child in element:
        yield from written(child, x, y, scale)


def test_every_view_of_a_match_is_drawn() -> None:
    """Well-formed panels with plain shapes and classes; a target for each legal action, once; no piece twice."""
    verbs: set[str] = set()
    for view in chain(views(0), views(2), views(4)):
        drawn = trees(view)
        secret = view.seat == 1 and view.outcome is None
        assert EVERYWHERE + ["secret"] * secret == list(drawn)
        elements = [element for root in drawn.values() for element in root.iter()]
        assert {element.tag for element in elements} <= SVG_ONLY
        attributes = Counter(name for element in elements for name in element.attrib)
        assert not attributes.keys() & {"style", "stroke", "color", "stop-color", "href", "onclick"}
        assert {"url(#fantome-house-light)"} == {element.get("fill") for element in elements} - {None}
        assert ["fantome-house-light"] == [element.get("id") for element in elements if element.get("id")]
        done = [element.get("data-do", "") for element in elements if element.get("data-do")]
        assert sorted(RULES.ACTIONS.notation(action) for action in view.legal) == sorted(done)
        verbs |= {action.partition(" ")[0] for action in done}
        keys = Counter(element.get("data-key") for element in elements if element.get("data-key"))
        assert {1} == set(keys.values())
        assert {f"figure-{name}" for name in NAMES} | {"padlock", "blackout", "carlotta"} <= keys.keys()
        asked = [element.get("data-ask", "") for element in elements if element.get("data-ask")]
        assert not asked or view.seat in view.to_act
        assert all(GAME.action(action) not in view.legal for action in asked)
    assert {action.verb for action in RULES.ACTIONS} == verbs


def test_targets_glow_and_never_nest() -> None:
    """Whatever can be done has an element that glows, a name for screen readers, and no other target inside."""
    for view in views(8):
        for root in trees(view).values():
            for element in root.iter():
                if element.get("data-do"):
                    assert "halo" in {name for inner in element.iter() for name in inner.get("class", "").split()}
                    assert element.get("aria-label")
                if element.get("data-do") or element.get("data-ask"):
                    inner = [one for one in element.iter() if one is not element]
                    assert not [one for one in inner if one.get("data-do") or one.get("data-ask")]


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_texts_stay_inside_their_panels(tongue: str) -> None:
    """In every language, as far as a rough measure tells; and none is too small for a phone."""
    for number, view in enumerate(views(4)):
        if number % 2:
            continue
        panels: list[Panel] = ui(GAME).panels(view, ui(GAME).words(ui(GAME).narrator(tongue)))
        for panel in panels:
            smallest = 12 if panel.width <= 360 else 18
            for line in written(ET.fromstring(panel.svg())):
                assert line.left >= 2 and line.right <= panel.width - 2, f"{panel.name}: {line}"
                assert line.size < line.y < panel.height - 2, f"{panel.name}: {line}"
                assert line.size >= smallest or line.text.endswith("…"), f"{panel.name}: {line}"


def test_no_sentence_is_cut_short() -> None:
    """Every text of every language has room enough."""
    for tongue in LANGUAGES:
        words = ui(GAME).words(ui(GAME).narrator(tongue))
        for number, view in enumerate(views(4)):
            if number % 5 == 0:
                cut = [text for root in trees(view, words).values() for text in texts(root) if text.endswith("…")]
                assert [] == cut


def test_every_class_is_in_the_style() -> None:
    """No shape is left black by a class that nobody has described, and no description is left over."""
    described = set(re.findall(r"\.([a-z]+\d?)", re.sub(r"\{[^}]*\}", "", drawing.STYLE + PICTURE.STYLE)))
    own = set(re.findall(r"\.([a-z]+\d?)", re.sub(r"\{[^}]*\}", "", PICTURE.STYLE)))
    used: set[str] = set()
    for seed in (2, 4):
        for view in views(seed):
            for panel in live(view):
                used |= {name for names in re.findall(r'class="([^"]*)"', panel.body) for name in names.split()}
    assert set() == used - described
    assert set() == own - used


@pytest.mark.parametrize("theme", drawing.THEMES)
def test_letters_are_seen_on_their_figures(theme: str) -> None:
    """The letters on every figure, and other writing on coloured ground, have a contrast of at least 4.5 to 1."""
    sheet = drawing.sheet(PICTURE.STYLE, theme)
    fills = dict(re.findall(r"(?:^|\s)\.([a-z]+) \{ (?:[^}]*; )?fill: (#[0-9a-f]{6})", sheet))
    room = drawing.THEMES[theme]
    pairs = [(fills[name], fills[body.letters]) for name, body in zip(NAMES, BODIES, strict=True)]
    pairs += [(room["gilt"], fills["onnumber"]), (room["paper"], fills["onhere"]), (room["curtain"], fills["onpress"])]
    pairs += [(room["wood"], room["ash"]), (room["wood"], room["good"]), (room["shade"], fills["onexit"])]
    for ground, letters in pairs:
        light, dark = sorted((luminance(ground), luminance(letters)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ground, letters)


def luminance(colour: str) -> float:
    """How bright a colour is, as the guidelines on contrast count it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Panels, board and items.


def items_in(found: Scene, panel: str) -> list[Item]:
    """The items of a panel, those inside others included, in order."""
    inside = {panel}
    for item in found.items.values():
        if item.parent in inside:
            inside.add(item.key)
    return [item for item in found.items.values() if item.parent in inside]


def faults_of(*layers: Layer) -> list[str]:
    """What is wrong with the keys and the parents in layers that lie on one another."""
    known, faults = {panel.name for layer in layers for panel in layer.panels}, []
    for layer in layers:
        keys = [item.key for item in layer.items]
        faults += [f"{key} is there twice" for key, number in Counter(keys).items() if number > 1]
        for item in layer.items:
            if item.parent not in known:
                faults.append(f"{item.key} lies in {item.parent}, which is not there yet")
            known.add(item.key)
    return faults


def test_items_have_their_own_keys_and_lie_in_what_is_there() -> None:
    """In every layer of every view, and in the test of the test."""
    for view in chain(views(3), views(5)):
        layers = [PICTURE.shared(view.public(), ui(GAME).english)]
        if view.seat is not None:
            layers.append(PICTURE.own(view, ui(GAME).english))
        assert [] == faults_of(*layers)
    item = Item("meg", "house")
    assert ["meg is there twice", "meg lies in house, which is not there yet"] == faults_of(Layer((), [item, item]))[:2]


def test_what_is_shared_is_worked_out_without_a_reader() -> None:
    """It is the same from either seat's view, the question and its targets included, and the view stays as it is."""
    for view in views(2):
        before = repr(view), view.row, view.seen
        found = ui(GAME).scene(view, ui(GAME).english, ui(GAME).shared(view.public(), ui(GAME).english))
        assert whole(found) == whole(ui(GAME).scene(view, ui(GAME).english))
        assert before == (repr(view), view.row, view.seen)


def test_the_board_stays_as_it_is() -> None:
    """Nothing on it depends on the match or can be done; it needs nothing from outside, and items nothing from it."""
    for tongue in LANGUAGES:
        words = ui(GAME).words(ui(GAME).narrator(tongue))
        for view in views(4):
            board = PICTURE.board(view, words)
            assert board == PICTURE.board(example().view(1), words)
            assert board.keys() <= {name for column in PICTURE.COLUMNS for name in column}
        for body in board.values():
            assert not re.search(r"data-|url\(|href|\bid=", ET.tostring(ET.fromstring(f"<svg>{body}</svg>"), "unicode"))
    items = ui(GAME).scene(example().view(1), ui(GAME).english).items.values()
    assert 1 == sum('id="fantome-house-light"' in item.look for item in items)


class Shown:
    """A page that has a scene as plain data."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.panels: list[Any] = []
        self.items: dict[str, dict[str, Any]] = {}
        self.inside: dict[str, list[str]] = {}
        self.looks: dict[str, str] = {}
        self.apply(message)

    def apply(self, message: dict[str, Any]) -> None:
        """Do what a message says."""
        self.panels = message.get("panels", self.panels)
        self.looks |= message.get("looks", {})
        for change in message.get("items", []):
            item = self.items.setdefault(change["key"], {})
            if "after" in change:
                if item:
                    self.inside[item["in"]].remove(change["key"])
                beside = self.inside.setdefault(change.get("in", item.get("in")), [])
                beside.insert(beside.index(change["after"]) + 1 if change["after"] else 0, change["key"])
            item |= {name: value for name, value in change.items() if name != "after"}
        for key in message.get("gone", []):
            self.inside[self.items.pop(key)["in"]].remove(key)

    def plain(self) -> Any:
        """What is seen."""
        items = {key: {name: value for name, value in item.items() if value} for key, item in self.items.items()}
        looks = {key: self.looks[item["look"]] for key, item in items.items() if "look" in item}
        return self.panels, items, looks, {parent: keys for parent, keys in self.inside.items() if keys}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_patched_page_equals_a_fresh_one(seat: int | None) -> None:
    """Through whole matches, moves taken back included."""
    for seed in (1, 6):
        match, chance = Match(GAME, seed=seed), random.Random(seed)
        old = ui(GAME).scene(match.view(seat), ui(GAME).english)
        shown = Shown(whole(old))
        while match.to_act:
            match.play(chance.choice(match.legal().ids))
            if match.ply % 7 == 0 and match.to_act:
                match.undo()
            new = ui(GAME).scene(match.view(seat), ui(GAME).english)
            shown.apply(difference(old, new))
            assert Shown(whole(new)).plain() == shown.plain()
            old = new


def test_little_changes_at_a_time() -> None:
    """Figures keep their looks whatever becomes of them, so that a move sends places and states alone."""
    looks: dict[str, set[str]] = {}
    for view in chain.from_iterable(views(seed) for seed in range(4)):
        if view.outcome is None:
            for key, item in ui(GAME).scene(view, ui(GAME).english).items.items():
                if key.startswith(("figure-", "card-", "portrait-", "turn-", "room-", "corridor-")):
                    looks.setdefault(key, set()).add(item.look)
    assert {1} == {len(found) for key, found in looks.items() if not key.startswith("turn-")}
    assert {2} == {len(found) for key, found in looks.items() if key.startswith("turn-")}


def test_alibis_are_seen_to_leave_the_pile() -> None:
    """§5.1: from the card that is gone from the pile to the one that is new; who is kept is not told."""
    ends: Counter[str] = Counter()
    for seed in range(12):
        match, chance = Match(GAME, seed=seed), random.Random(seed)
        while match.to_act:
            before = ui(GAME).scene(match.view(None), ui(GAME).english).items
            match.play(chance.choice(match.legal().ids))
            after = ui(GAME).scene(match.view(None), ui(GAME).english).items
            for eyes in (0, 1, None):
                moves = PICTURE.moves(match.view(eyes), match.view(eyes, match.ply - 1).seen)
                gone = [key for key in before if key.startswith("alibi-") and key not in after]
                new = [key for key in after if key.startswith("alibi-") and key not in before]
                assert list(zip(gone, new, strict=True)) == [tuple(move) for move in moves]
            ends.update(re.sub(r"^alibi-(phantom|kept)?.*", r"\1", end) for end in new)
    assert {"phantom", "kept", ""} == ends.keys()


def test_several_alibis_at_once() -> None:
    """A page that was behind is shown every card on its way, in the order in which they were drawn."""
    for seed in range(40):
        match, chance = Match(GAME, seed=seed), random.Random(seed)
        while match.to_act:
            match.play(chance.choice(match.legal().ids))
        found = PICTURE.moves(match.view(None), match.view(None).seen)
        if len(found) >= 3:
            assert [f"alibi-down-{9 - i}" for i in range(len(found))] == [move.start for move in found]
            assert {move.end for move in found} < ui(GAME).scene(match.view(None), ui(GAME).english).items.keys()
            return
    pytest.fail("no match with so many alibis")


# What is told.


def test_what_cannot_be_done_can_be_asked_about() -> None:
    """Richard's own room, and a card that is not face up: each can be pointed at to be told why not."""
    place = example().position()["place"]
    cards = {"offered": ["raoul", "meg", "giry", "richard"], "pile": ["buquet", "christine", "moncharmin", "persan"]}
    match = Match(GAME, position=example().position() | cards)
    match.play("pick richard")
    asked = {one.get("data-ask") for root in trees(match.view(0)).values() for one in root.iter()}
    assert {f"move {place['richard']}", "pick raoul"} <= asked
    assert [] == [one for root in trees(match.view(1)).values() for one in root.iter() if one.get("data-ask")]


def test_a_click_in_a_room_is_a_move_and_a_sign_above_a_head_is_a_swap() -> None:
    """§5.7: whoever stands in a room takes no click from it; each swap with somebody elsewhere has a sign of its own."""
    cards = {"offered": ["raoul", "meg", "giry", "richard"], "pile": ["buquet", "christine", "moncharmin", "persan"]}
    match = Match(GAME, position=example().position() | cards)
    match.play("pick richard")
    items = ui(GAME).scene(match.view(0), ui(GAME).english).items
    assert all(item.do == "" for key, item in items.items() if key.startswith("figure-"))
    place = match.position()["place"]
    apart = {f"swap-{name}" for name in NAMES if place[name] != place["richard"]}
    signs = {key: item.do for key, item in items.items() if key.startswith("swap-")}
    assert signs.keys() == apart | {"swap-stay"}
    assert {f"swap {key.removeprefix('swap-')}" for key in apart} == {signs[key] for key in apart}


def test_the_phantom_alone_sees_a_mask() -> None:
    """§2.7: the phantom's own figure wears it, during the match and on the phantom's page."""
    for seed in range(6):
        match = Match(GAME, seed=seed)
        shown = {eyes: ui(GAME).scene(match.view(eyes), ui(GAME).english).items for eyes in (0, 1, None)}
        assert f"figure-{match.position()['identity']}" == shown[1]["mask"].parent
        assert "mask" not in shown[0] and "mask" not in shown[None]


def test_the_deduction_of_the_rulebook() -> None:
    """§6.2, §6.3: the example's two announcements, with four suspects left either way and La Carlotta on 13 or on 12."""
    drawn = trees(example().view(0))
    told = texts(drawn["deduction"])
    assert ["8 → 13", "8 → 12"] == [text for text in told if "→" in text]
    assert 2 == told.count("suspects: 4") == told.count("cleared: 4")
    can, cannot = told.index("can manifest"), told.index("cannot manifest")
    assert can < cannot
    lines = [line for line in written(drawn["deduction"]) if line.text in TOKENS]
    tokens = [
        [line.text for line in sorted(lines, key=lambda line: line.left) if line.y == y] for y in (lines[0].y, lines[-1].y)
    ]
    assert ["Me", "Gi", "Mo", "Ri", "Ra", "Bu", "Ch", "Pe"] == tokens[0]
    assert ["Ra", "Bu", "Ch", "Pe", "Me", "Gi", "Mo", "Ri"] == tokens[1]
    # Rooms 8, 7 and 5 have a mask, 9 and 6 an eye.
    assert (3, 2) == (titles(drawn["house"]).count("can manifest"), titles(drawn["house"]).count("cannot manifest"))
    assert {"8", "12", "13"} <= set(texts(drawn["track"]))


def test_a_sole_suspect_and_the_exit_are_told() -> None:
    """An announcement that would end the match says so, to whoever would win by it too; an impossible one is called that."""
    alone = Match(GAME, position=example().position() | {"carlotta": 17})
    for eyes, text in ((0, "the phantom wins"), (1, "you win"), (None, "the phantom wins")):
        assert 2 == texts(trees(alone.view(eyes))["deduction"]).count(f"La Carlotta leaves, {text}")
    few = Match(GAME, position=example().position() | {"suspects": ["raoul", "meg"], "identity": "raoul"})
    for eyes, text in ((0, "You win"), (1, "The inspector wins"), (None, "The inspector wins")):
        assert 2 == texts(trees(few.view(eyes))["deduction"]).count(text)
    none = example().position() | {"suspects": ["raoul", "buquet"], "identity": "raoul"}
    assert "impossible: no suspect would be left" in texts(trees(Match(GAME, position=none).view(0))["deduction"])


def test_a_preview_is_what_then_happens() -> None:
    """For every action at every ply of a match: the deduction afterwards is the one foreseen, unless the round ends there."""
    compared: Counter[str] = Counter()
    for seed in (2, 4):
        match, chance = Match(GAME, seed=seed), random.Random(seed)
        while match.to_act:
            (seat,) = match.to_act
            view = match.view(seat)
            draws = match.position()["active"] == "raoul"
            for action in match.legal():
                foreseen = PICTURE.preview(view, ui(GAME).english, GAME.action(action))
                assert ["deduction", "track"] == list(foreseen)
                assert draws == any(">?</text>" in item.look for item in foreseen["deduction"])
                assert "carlotta" in [item.key for item in foreseen["track"]]
                played = match.after(match.ply)
                played.play(action)
                after = played.view(seat)
                if not draws and after.row[RULES.F.round] == view.row[RULES.F.round] and after.outcome is None:
                    assert foreseen["deduction"] == items_in(ui(GAME).scene(after, ui(GAME).english), "deduction")
                    compared[action.partition(" ")[0]] += 1
            match.play(chance.choice(match.legal().ids))
    assert {action.verb for action in RULES.ACTIONS} == compared.keys()


def test_the_two_marks_under_the_track_stay_apart() -> None:
    """Where either announcement would take La Carlotta is told beside the other, however near it is."""
    near = set()
    for view in chain.from_iterable(views(seed) for seed in range(8)):
        if view.seat is not None or view.outcome is not None:
            continue
        track = trees(view)["track"]
        # A sign stands thirteen to either side of its middle.
        found = re.findall(r"translate\(([0-9.]+) 135\)", ET.tostring(track, "unicode"))
        taken = [(float(x) - 13, float(x) + 13) for x in found]
        taken += [(line.left, line.right) for line in written(track) if line.y == 143 and line.text]
        taken.sort()
        assert all(one[1] <= other[0] for one, other in pairwise([(0, 2), *taken, (718, 720)])), taken
        landings = {int(line.text) for line in written(track) if line.y == 143 and line.text}
        near.add(max(landings) - min(landings) if len(landings) == 2 else 0)
    assert {1, 2, 3} <= near


def test_the_trace_of_la_carlotta() -> None:
    """It leads from where she stood before an action to where she stands after it, by way of each space that was told."""
    seen: Counter[str] = Counter()
    seed = 0
    while not (seen["ghost steps"] and seen["exit"] and seen["stays"] and seen["handicap"]):
        seed += 1
        chooser = random.Random(seed)
        handicap = chooser.choice((-3, 0, 3))
        match = Match(GAME, options={"handicap": handicap}, seed=seed)
        while match.to_act:
            before = match.position()["carlotta"]
            match.play(chooser.choice(match.legal()))
            walks = [one for one in match.events_of(match.ply - 1) if one.event.name in ("ghost", "steps")]
            if not walks:
                continue
            scene = ui(GAME).scene(match.view(), ui(GAME).english)
            (found,) = [item.look for item in items_in(scene, "track") if item.key == "walk"] or [""]
            hops = [(int(a), int(b)) for a, b in re.findall(r"M(\d+) \d+Q\d+ \d+ (\d+) ", found)]
            spaces = [before, *(one.values[-1] for one in walks)]
            expected = [(a, b) for a, b in pairwise(spaces) if a != b]
            assert [(round(MIDDLES[a]), round(MIDDLES[b])) for a, b in expected] == hops
            assert match.position()["carlotta"] == spaces[-1]
            seen[" ".join(one.event.name for one in walks)] += 1
            seen["exit"] += spaces[-1] == components.EXIT
            seen["stays"] += len(expected) < len(walks)
            seen["handicap"] += before != components.CENTRE and handicap != 0


def test_open_eyes_are_told_of_the_phantom() -> None:
    """They are not the phantom's own, and not spoken to as if they were."""
    match = Match(GAME, seed=3)
    for view, title, told in (
        (match.view(1), "For your eyes only", "You are "),
        (replace(match.view(None), row=tuple(match.row)), "Behind the mask", "The phantom is "),
    ):
        (secret,) = [panel for panel in ui(GAME).panels(view, ui(GAME).english) if panel.name == "secret"]
        assert title == secret.title
        assert told in " ".join(texts(ET.fromstring(secret.svg())))
        for tongue in LANGUAGES:
            words = ui(GAME).words(ui(GAME).narrator(tongue))
            assert not any(text.endswith("…") for text in texts(trees(view, words)["secret"]))


def test_people_stand_in_their_rooms() -> None:
    """Every figure is drawn between the walls of its room, however many share it; it is part of the room, or may be chosen."""
    chosen = set()
    for view in views(6):
        if view.seat is None:
            items = ui(GAME).scene(view, ui(GAME).english).items
            for who, name in enumerate(NAMES):
                figure, room = items[f"figure-{name}"], view.row[RULES.F.place + who]
                x, y = figure.x, figure.y
                if figure.parent != "house":
                    assert f"room-{room}" == figure.parent and -1 == figure.action
                    x, y = x + items[figure.parent].x, y + items[figure.parent].y
                chosen.add(figure.parent == "house")
                # From the lower right corner to the upper left one; two rooms above, over the inner two below.
                column, floor = (3 - room % 4, 2 - room // 4) if room < 8 else (10 - room, 0)
                assert column == int((x - 8) // 175)
                assert floor == int((y - 58) // 150)
    assert {False, True} == chosen


def test_the_cards_of_a_round_stay_on_the_table() -> None:
    """§3.1: four cards in every round, whichever of them are played, and the slots above tell who played whom."""
    for view in views(7):
        cards = trees(view)["cards"]
        assert 4 == len([one for one in cards.iter("g") if one.get("data-key", "").startswith("card-")])
        roles = [text for text in titles(cards) if text in ("inspector", "phantom")]
        first, second = ("inspector", "phantom") if view.row[RULES.F.round] % 2 else ("phantom", "inspector")
        assert [first, second, second, first] == roles


def test_a_view_without_its_history_is_drawn_too() -> None:
    """A position has no events before it, and a page may ask for the latest alone."""
    match = example()
    match.play("pick raoul")
    for view in (match.view(0), match.view(0, match.ply)):
        assert EVERYWHERE == list(trees(view))
        drawn = trees(view)["cards"]
        assert {f"card-{name}" for name in match.position()["offered"]} | {"card-raoul"} <= {
            one.get("data-key") for one in drawn.iter("g")
        }


def test_you_are_whoever_reads() -> None:
    """In a review one looks at the other's table, and is spoken to all the same."""
    match = Match(GAME, position=example().position() | {"carlotta": 17})
    by_inspector, by_phantom = (ui(GAME).words(ui(GAME).narrator(reader=reader)) for reader in (0, 1))
    told = trees(match.view(1), by_inspector)
    assert 2 == texts(told["deduction"]).count("La Carlotta leaves, the phantom wins")
    assert "The phantom is " in " ".join(texts(told["secret"]))
    assert not [text for root in told.values() for text in texts(root) if "you" in text.lower()]
    assert 2 == texts(trees(match.view(0), by_phantom)["deduction"]).count("La Carlotta leaves, you win")


def test_what_is_taken_back_is_not_drawn() -> None:
    """After an undo the table looks as it did before."""
    match, chance = Match(GAME, seed=9), random.Random(9)
    for _ in range(40):
        if not match.to_act:
            break
        before = whole(ui(GAME).scene(match.view(0), ui(GAME).english))
        match.play(chance.choice(match.legal().ids))
        match.undo()
        assert before == whole(ui(GAME).scene(match.view(0), ui(GAME).english))
        assert [] == PICTURE.moves(match.view(0), match.view(0, match.ply - 2).seen)
        match.play(chance.choice(match.legal().ids))


def test_at_the_end_everything_is_shown() -> None:
    """§7: to everybody, with the winner, said to each of them; also when somebody resigns (§7.3)."""
    match, chance = Match(GAME, seed=3), random.Random(3)
    while match.to_act:
        match.play(chance.choice(match.legal().ids))
    given_up = Match(GAME, seed=3)
    given_up.resign(1)
    for ended in (match, given_up):
        assert ended.outcome is not None
        name = cast(Any, ui(GAME).english).who(ended.row[RULES.F.identity])
        roles = {0: "The inspector wins", 1: "The phantom wins"}
        for eyes, who in ((0, "The phantom was"), (1, "You were"), (None, "The phantom was")):
            told, (winner,) = texts(trees(ended.view(eyes))["deduction"]), ended.outcome.winners
            wins = roles | {eyes: "You win"}
            assert f"{who} {name}." in told
            assert wins[winner] in told
            assert wins[winner] == ui(GAME).scene(ended.view(eyes), ui(GAME).english).panels["deduction"].title
    position = example().position() | {"identity": "meg", "held": ["richard"], "kept": 1}
    kept = Match(GAME, position=position)
    assert "Ri" not in texts(trees(kept.view(1))["alibis"])
    kept.resign(0)
    assert "Ri" in texts(trees(kept.view(0))["alibis"])
    for eyes, text in ((0, "The phantom resigned."), (1, "You resigned."), (None, "The phantom resigned.")):
        assert text in texts(trees(given_up.view(eyes))["deduction"])


# Secrets.


def everything(view: View, words: Words) -> dict[str, Any]:
    """All that a page is sent of a view: panels, items in their order, looks, moves, previews and drawings."""
    previews = {
        action: {panel: [item._asdict() for item in items] for panel, items in PICTURE.preview(view, words, action).items()}
        for action in view.legal
    }
    return {
        "scene": whole(ui(GAME).scene(view, words)),
        "moves": [list(move) for move in PICTURE.moves(view, view.seen)],
        "previews": previews,
        "board": dict(ui(GAME).board(view, words)),
        "panels": [panel.svg() for panel in ui(GAME).panels(view, words)],
    }


def test_worlds_that_look_the_same_are_drawn_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, for both players and a spectator, wherever they cannot tell two worlds apart."""
    as_json = views_as_json
    monkeypatch.setattr(
        "ridotto.present.views.as_json", lambda view, words: {**as_json(view, words), "picture": everything(view, words)}
    )
    report = audit.audit(GAME, 2, 7, 2)
    assert {} == dict(report.leaks), report.examples
    assert report.differed["identity"] > 0
    assert report.differed["held"] > 0
    assert report.pairs >= 50


def leaking_row(shown: dict[str, Any], view: View, row: tuple[int, ...]) -> None:
    shown.update(everything(replace(view, row=row), ui(GAME).english))


def leaking_key(shown: dict[str, Any], view: View, row: tuple[int, ...]) -> None:
    for item in shown["scene"]["items"]:
        if item["key"] == "padlock":
            item["key"] += NAMES[row[RULES.F.identity]]


def leaking_order(shown: dict[str, Any], view: View, row: tuple[int, ...]) -> None:
    items = shown["scene"]["items"]
    items.sort(key=lambda item: item["key"] == f"figure-{NAMES[row[RULES.F.identity]]}")


def leaking_move(shown: dict[str, Any], view: View, row: tuple[int, ...]) -> None:
    shown["moves"] = [[start, f"{end}-{row[RULES.F.held]}"] for start, end in shown["moves"]]


@pytest.mark.parametrize("leak", [leaking_row, leaking_key, leaking_order, leaking_move])
def test_a_leak_in_the_picture_would_be_caught(monkeypatch: pytest.MonkeyPatch, leak: Callable[..., None]) -> None:
    """The same comparison fails if the picture is drawn from the true row, or a key, an order or a move tells a secret."""
    as_json, look, truth = views_as_json, Match.view, dict[int, tuple[int, ...]]()

    def view(self: Match, seat: int | None = None, since: int = 0) -> View:
        made = look(self, seat, since)
        truth[id(made)] = tuple(self.row)
        return made

    def peeking(self: View, words: Words) -> dict[str, Any]:
        shown = everything(self, words)
        leak(shown, self, truth[id(self)])
        return {**as_json(self, words), "picture": shown}

    monkeypatch.setattr(audit, "TURNS", 2)
    monkeypatch.setattr(Match, "view", view)
    monkeypatch.setattr("ridotto.present.views.as_json", peeking)
    assert any(place.startswith("view.picture") for place in audit.audit(GAME, 2, 7, 2).leaks)


def test_a_seat_sees_what_a_spectator_sees_and_its_own_secrets() -> None:
    """The inspector sees their answers besides; the phantom sees one panel more. Only what they may do is lit.

    What speaks of the reader is in the same place in other words: never more than the phantom's two lines and a verdict or two.
    """
    for view in chain(views(1), views(2)):
        if view.seat is None:
            continue
        public, words = view.public(), ui(GAME).words(ui(GAME).narrator(names=("Ada", "Bo"), reader=view.seat))
        seen, besides, answers = ui(GAME).scene(view, words), dict[str, Item](), dict[str, Item]()
        for key, item in seen.items.items():
            if item.parent == "secret" or key == "mask":
                besides[key] = item
            if key in ("use", "decline", "alone"):
                answers[key] = item
        for theirs, spectators in zip(
            (item for key, item in seen.items.items() if key not in besides.keys() | answers.keys()),
            ui(GAME).scene(public, words.unaddressed()).items.values(),
            strict=True,
        ):
            unlit = theirs._replace(do="", ahead="", why="", label="")
            if theirs.key in ADDRESSED:
                unlit = unlit._replace(look=spectators.look, title=spectators.title)
            if theirs.key in {item.parent for item in answers.values()}:  # the card that has the answers on it
                assert theirs.cls.startswith(spectators.cls)
                unlit = unlit._replace(cls=spectators.cls, title=spectators.title)
            assert spectators == unlit
        assert (view.seat == 1 and view.outcome is None) == bool(besides) == ("secret" in seen.panels)
        assert all(item.do for item in answers.values()), "whoever cannot give an answer is not shown it"
        assert bool([item for item in seen.items.values() if item.do or item.why]) == (view.seat in view.to_act)
        early = {one.text for one in view.early} if view.seat in view.to_act else set()
        assert {item.ahead for item in seen.items.values() if item.ahead} <= early


ADDRESSED = {"unmasking", "deduction-frame", "verdict-0", "verdict-1", "alibis-kept", "masked-who"}
"""What may be said to the reader."""


def test_nobody_is_named() -> None:
    """What is drawn is the same whoever plays, so that it can be kept for all tables of a language."""
    match = Match(GAME, seed=3)
    for eyes in (1, None):
        named = ui(GAME).words(ui(GAME).narrator(names=("Ada", "Bo"), reader=eyes))
        assert everything(match.view(eyes), ui(GAME).english) == everything(match.view(eyes), named)


def test_the_phantom_alone_sees_the_phantom() -> None:
    """The quiet panel is on the phantom's table only, and names the character and the alibis kept."""
    position = example().position() | {"identity": "meg", "held": ["richard"], "kept": 1}
    match = Match(GAME, position=position)
    assert "secret" not in trees(match.view(0)) and "secret" not in trees(match.view(None))
    told = texts(trees(match.view(1))["secret"])
    assert "You are Meg Giry." in " ".join(told)
    assert "can manifest" in told
    for eyes, text in ((0, "kept by the phantom: 1"), (1, "kept by you: 1"), (None, "kept by the phantom: 1")):
        assert text in titles(trees(match.view(eyes))["alibis"])
    assert "Me" in told and "alibis kept: Ri" in told


# As one picture, and with other boxes.


@pytest.mark.parametrize("theme", drawing.THEMES)
@pytest.mark.parametrize("tongue", LANGUAGES)
def test_a_standing_picture(theme: str, tongue: str) -> None:
    """All panels of the phantom's view but the mask, well formed, in the language of the words."""
    words = ui(GAME).words(ui(GAME).narrator(tongue))
    panels = ui(GAME).panels(example().view(1), words)
    svg = ui(GAME).file(example().view(1), words, theme)
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    assert 7 == len(root.findall("svg"))
    assert words.say("Round {round}", round=1) in texts(root)
    compositions = ui(GAME).page.compositions(example().view(1))
    assert compositions is not None
    assert {panel.name for panel in panels} - {"masked"} == set(compositions.large.places)


def test_another_house_is_drawn_with_lines(tmp_path: Path) -> None:
    """Corridors and passages that the printed board does not have are drawn, and can be locked."""
    box = (builds.folder(GAME.package) / "components.toml").read_text("utf-8")
    path = tmp_path / "house.toml"
    path.write_text(box.replace('"8-9"]', '"8-9", "2-9"]').replace('"6-9"]', '"6-9", "0-9"]'), "utf-8")
    match = Match(GAME.with_box(path), seed=1)
    start = match.position() | {
        "offered": ["giry", "meg", "raoul", "buquet"],
        "pile": ["christine", "moncharmin", "richard", "persan"],
    }
    match = Match(match.game, position=start)
    match.play("pick giry")
    items = ui(match.game).scene(match.view(0), ui(match.game).english).items
    done = {item.do for item in items.values() if item.do}
    assert "lock 2-9" in done
    assert 11 == len(done)
    assert "L" in items["corridor-2-9"].look.partition(' d="')[2]
