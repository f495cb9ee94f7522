"""The board of Le Fantôme as SVG: well formed, complete, inside its panels, and silent about secrets."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from ridotto.arena import audit
from ridotto.core import drawing
from ridotto.core.drawing import Panel
from ridotto.core.match import Match
from ridotto.core.narrator import LANGUAGES
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.games.fantome import rules as RULES

GAME = GAMES["fantome"]
PICTURE = GAME.build().picture
NAMES = RULES.CHARACTER.names
EVERYWHERE = ["house", "track", "cards", "deduction", "alibis", "notebook"]
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


def trees(view: View, words: Words = GAME.english) -> dict[str, ET.Element]:
    """The panels of a view, parsed, by name."""
    return {panel.name: ET.fromstring(panel.svg()) for panel in GAME.panels(view, words)}


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
        wide = drawing.measure(element.text or "", size)
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
        pieces = Counter(element.get("data-piece") for element in elements if element.get("data-piece"))
        assert {1} == set(pieces.values())
        assert {f"figure-{name}" for name in NAMES} | {"padlock", "blackout", "carlotta"} <= pieces.keys()
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
                    assert "halo" in {inner.get("class") for inner in element.iter()}
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
        panels: list[Panel] = GAME.panels(view, GAME.words(GAME.narrator(tongue)))
        for panel in panels:
            smallest = 12 if panel.width == 360 else 18
            for line in written(ET.fromstring(panel.svg())):
                assert line.left >= 2 and line.right <= panel.width - 2, f"{panel.name}: {line}"
                assert line.size < line.y < panel.height - 2, f"{panel.name}: {line}"
                assert line.size >= smallest or line.text.endswith("…"), f"{panel.name}: {line}"


def test_no_sentence_is_cut_short() -> None:
    """Every text of every language has room enough."""
    for tongue in LANGUAGES:
        words = GAME.words(GAME.narrator(tongue))
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
            for panel in GAME.panels(view, GAME.english):
                used |= {name for names in re.findall(r'class="([^"]*)"', panel.body) for name in names.split()}
    assert set() == used - described
    assert set() == own - used


@pytest.mark.parametrize("theme", drawing.THEMES)
def test_letters_are_seen_on_their_figures(theme: str) -> None:
    """The letters on every figure, and other writing on coloured ground, have a contrast of at least 4.5 to 1."""
    sheet = drawing.sheet(PICTURE.STYLE, theme)
    fills = dict(re.findall(r"(?:^|\s)\.([a-z]+) \{ (?:[^}]*; )?fill: (#[0-9a-f]{6})", sheet))
    room = drawing.THEMES[theme]
    pairs = [(fills[name], fills[body.letters]) for name, body in zip(NAMES, PICTURE.BODIES, strict=True)]
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


# What is told.


def test_what_cannot_be_done_can_be_asked_about() -> None:
    """Richard's own figure and room, and a card that is not face up: each can be pointed at to be told why not."""
    place = example().position()["place"]
    cards = {"offered": ["raoul", "meg", "giry", "richard"], "pile": ["buquet", "christine", "moncharmin", "persan"]}
    match = Match(GAME, position=example().position() | cards)
    match.play("pick richard")
    asked = {one.get("data-ask") for root in trees(match.view(0)).values() for one in root.iter()}
    assert {"swap richard", f"move {place['richard']}", "pick raoul"} <= asked
    assert [] == [one for root in trees(match.view(1)).values() for one in root.iter() if one.get("data-ask")]


def test_the_deduction_of_the_rulebook() -> None:
    """§6.2, §6.3: the example's two announcements, with four suspects left either way and La Carlotta on 13 or on 12."""
    drawn = trees(example().view(0))
    told = texts(drawn["deduction"])
    assert ["8 → 13", "8 → 12"] == [text for text in told if "→" in text]
    assert 2 == told.count("suspects: 4") == told.count("cleared: 4")
    can, cannot = told.index("can manifest"), told.index("cannot manifest")
    tokens = (
        [text for text in told[can:cannot] if text in PICTURE.TOKENS],
        [text for text in told[cannot:] if text in PICTURE.TOKENS],
    )
    assert ["Me", "Gi", "Mo", "Ri", "Ra", "Bu", "Ch", "Pe"] == tokens[0]
    assert ["Ra", "Bu", "Ch", "Pe", "Me", "Gi", "Mo", "Ri"] == tokens[1]
    # Rooms 8, 7 and 5 have a mask, 9 and 6 an eye.
    assert (3, 2) == (titles(drawn["house"]).count("can manifest"), titles(drawn["house"]).count("cannot manifest"))
    assert {"8", "12", "13"} <= set(texts(drawn["track"]))


def test_a_sole_suspect_and_the_exit_are_told() -> None:
    """An announcement that would end the match says so, and one that nobody could make is called impossible."""
    alone = example().position() | {"carlotta": 17}
    told = texts(trees(Match(GAME, position=alone).view(0))["deduction"])
    assert 2 == told.count("La Carlotta leaves, the phantom wins")
    few = example().position() | {"suspects": ["raoul", "meg"], "identity": "raoul"}
    assert 2 == texts(trees(Match(GAME, position=few).view(0))["deduction"]).count("The inspector wins")
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
            drawn = match.position()["active"] == "raoul"
            for action in match.legal():
                foreseen, track = PICTURE.preview(view, GAME.english, action)
                assert ["deduction", "track"] == [foreseen.name, track.name]
                assert drawn == ("?" in texts(ET.fromstring(foreseen.svg())))
                played = match.after(match.ply)
                played.play(action)
                after = played.view(seat)
                if not drawn and after.row[RULES.F.round] == view.row[RULES.F.round] and after.outcome is None:
                    assert foreseen == next(panel for panel in GAME.panels(after, GAME.english) if panel.name == "deduction")
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
        found = re.findall(r"translate\(([0-9.]+) 169[.]0\)", ET.tostring(track, "unicode"))
        taken = [(float(x) - 13, float(x) + 13) for x in found]
        taken += [(line.left, line.right) for line in written(track) if line.y == 177 and line.text]
        taken.sort()
        assert all(one[1] <= other[0] for one, other in pairwise([(0, 2), *taken, (718, 720)])), taken
        landings = {int(line.text) for line in written(track) if line.y == 177 and line.text}
        near.add(max(landings) - min(landings) if len(landings) == 2 else 0)
    assert {1, 2, 3} <= near


def test_open_eyes_are_told_of_the_phantom() -> None:
    """They are not the phantom's own, and not spoken to as if they were."""
    match = Match(GAME, seed=3)
    for view, title, told in (
        (match.view(1), "For your eyes only", "You are "),
        (replace(match.view(None), row=tuple(match.row)), "Behind the mask", "The phantom is "),
    ):
        (secret,) = [panel for panel in GAME.panels(view, GAME.english) if panel.name == "secret"]
        assert title == secret.title
        first = texts(ET.fromstring(secret.svg()))
        assert [True] == [line.startswith(told) for line in first if line.startswith(("You", "The phantom is"))]
        for tongue in LANGUAGES:
            words = GAME.words(GAME.narrator(tongue))
            assert not any(text.endswith("…") for text in texts(trees(view, words)["secret"]))


def test_people_stand_in_their_rooms() -> None:
    """Every figure is drawn between the walls of its room, however many share it."""
    for view in views(6):
        if view.seat is None:
            house = trees(view)["house"]
            for who, name in enumerate(NAMES):
                (figure,) = (one for one in house.iter("g") if one.get("data-piece") == f"figure-{name}")
                x, y = map(float, re.findall(r"translate\(([\d.]+) ([\d.]+)\)", figure.get("transform", ""))[0])
                room = view.row[RULES.F.place + who]
                # From the lower right corner to the upper left one; two rooms above, over the inner two below.
                column, floor = (3 - room % 4, 2 - room // 4) if room < 8 else (10 - room, 0)
                assert column == int((x - 8) // 175)
                assert floor == int((y - 72) // 177)


def test_the_cards_of_a_round_stay_on_the_table() -> None:
    """§3.1: four cards in every round, whichever of them are played, and the slots above tell who played whom."""
    for view in views(7):
        cards = trees(view)["cards"]
        pieces = [one.get("data-piece", "") for one in cards.iter("g") if one.get("data-piece")]
        assert 4 == len(pieces)
        roles = [text for text in texts(cards) if text in ("inspector", "phantom")]
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
            one.get("data-piece") for one in drawn.iter("g")
        }


def test_what_is_taken_back_is_not_drawn() -> None:
    """After an undo the table looks as it did before."""
    match, chance = Match(GAME, seed=9), random.Random(9)
    for _ in range(40):
        if not match.to_act:
            break
        before = GAME.panels(match.view(0), GAME.english)
        match.play(chance.choice(match.legal().ids))
        match.undo()
        assert before == GAME.panels(match.view(0), GAME.english)
        match.play(chance.choice(match.legal().ids))


def test_at_the_end_everything_is_shown() -> None:
    """§7: to everybody, with the name of the winner; also when somebody resigns (§7.3)."""
    match, chance = Match(GAME, seed=3), random.Random(3)
    while match.to_act:
        match.play(chance.choice(match.legal().ids))
    given_up = Match(GAME, seed=3)
    given_up.resign(1)
    for ended in (match, given_up):
        assert ended.outcome is not None
        name = GAME.build().words.Words(GAME.narrator()).who(ended.row[RULES.F.identity])
        for eyes in (0, 1, None):
            told = texts(trees(ended.view(eyes))["deduction"])
            assert f"The phantom was {name}." in told
            assert ("The inspector wins", "The phantom wins")[ended.outcome.winners[0]] in told
    position = example().position() | {"identity": "meg", "held": ["richard"], "kept": 1}
    kept = Match(GAME, position=position)
    assert "Ri" not in texts(trees(kept.view(1))["alibis"])
    kept.resign(0)
    assert "Ri" in texts(trees(kept.view(0))["alibis"])
    assert any(text.startswith("The phantom gives up") for text in texts(trees(given_up.view(0))["deduction"]))


# Secrets.


def test_worlds_that_look_the_same_are_drawn_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, for both players and a spectator, wherever they cannot tell two worlds apart."""
    as_json = View.json
    monkeypatch.setattr(
        View,
        "json",
        lambda view, words: {**as_json(view, words), "picture": [panel.svg() for panel in GAME.panels(view, words)]},
    )
    report = audit.audit(GAME, 2, 7, 0)
    assert {} == dict(report.leaks), report.examples
    assert report.differed["identity"] > 0
    assert report.pairs >= 50


def test_a_leak_in_the_picture_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison fails if the picture is drawn from the true row."""
    as_json, look, truth = View.json, Match.view, dict[int, Match]()

    def view(self: Match, seat: int | None = None, since: int = 0) -> View:
        made = look(self, seat, since)
        truth[id(made)] = self
        return made

    def peeking(self: View, words: Words) -> dict[str, Any]:
        bare = replace(self, row=tuple(truth[id(self)].row))
        return {**as_json(self, words), "picture": [panel.svg() for panel in GAME.panels(bare, words)]}

    monkeypatch.setattr(Match, "view", view)
    monkeypatch.setattr(View, "json", peeking)
    assert any(place.startswith("view.picture") for place in audit.audit(GAME, 2, 7, 0).leaks)


def test_the_phantom_alone_sees_the_phantom() -> None:
    """The quiet panel is on the phantom's table only, and names the character and the alibis kept."""
    position = example().position() | {"identity": "meg", "held": ["richard"], "kept": 1}
    match = Match(GAME, position=position)
    assert "secret" not in trees(match.view(0)) and "secret" not in trees(match.view(None))
    told = texts(trees(match.view(1))["secret"])
    assert "You are Meg Giry." in told
    assert "now you would say: can manifest" in told
    assert {"Me", "Ri"} <= set(told)


# As one picture, and with other boxes.


@pytest.mark.parametrize("theme", drawing.THEMES)
@pytest.mark.parametrize("tongue", LANGUAGES)
def test_a_standing_picture(theme: str, tongue: str) -> None:
    """All panels of the phantom's view in three columns, well formed, in the language of the words."""
    words = GAME.words(GAME.narrator(tongue))
    panels = GAME.panels(example().view(1), words)
    svg = drawing.compose(panels, PICTURE.COLUMNS, PICTURE.STYLE, theme)
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    assert 7 == len(root.findall("svg"))
    assert words.say("Round {round}", round=1) in texts(root)
    assert {panel.name for panel in panels} == {name for column in PICTURE.COLUMNS for name in column}


def test_another_house_is_drawn_with_lines(tmp_path: Path) -> None:
    """Corridors and passages that the printed board does not have are drawn, and can be locked."""
    box = Path(PICTURE.__file__).with_name("components.toml").read_text("utf-8")
    path = tmp_path / "house.toml"
    path.write_text(box.replace('"8-9"]', '"8-9", "2-9"]').replace('"6-9"]', '"6-9", "0-9"]'), "utf-8")
    match = Match(GAME.with_box(path), seed=1)
    start = match.position() | {
        "offered": ["giry", "meg", "raoul", "buquet"],
        "pile": ["christine", "moncharmin", "richard", "persan"],
    }
    match = Match(match.game, position=start)
    match.play("pick giry")
    house = next(panel for panel in match.game.panels(match.view(0), match.game.english) if panel.name == "house")
    done = {one.get("data-do") for one in ET.fromstring(house.svg()).iter() if one.get("data-do")}
    assert "lock 2-9" in done
    assert 11 == len(done)
