"""Turandot drawn: every picture is sound, what can be done has its place in it, and nothing hidden is drawn."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any
from xml.etree import ElementTree

import pytest

from ridotto.arena import audit
from ridotto.core import drawing
from ridotto.core.match import Match
from ridotto.core.narrator import LANGUAGES
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.games import GAMES

GAME = GAMES["turandot"]
BUILD = GAME.build()
PICTURE, BOX = BUILD.picture, BUILD.components
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


def parsed(panel: drawing.Panel) -> ElementTree.Element:
    return ElementTree.fromstring(panel.svg())


def drawn(view: View) -> str:
    return "".join(panel.svg() for panel in GAME.panels(view, GAME.english))


# What is wrong with a picture.

FORBIDDEN = {"style", "script", "foreignObject", "image", "use", "a"}
COLOURS = {"style", "fill", "stroke", "stop-color", "color", "href", "id"}


def faults(view: View, words: Words = GAME.english) -> list[str]:
    """Everything about a picture that should not be so."""
    found: list[str] = []
    done: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for panel in GAME.panels(view, words):
        root = parsed(panel)
        for element in root.iter():
            if element.tag in FORBIDDEN or COLOURS & set(element.attrib):
                found.append(f"{panel.name}: {element.tag} {element.attrib}")
            if "data-piece" in element.attrib:
                pieces[element.attrib["data-piece"]] += 1
            if "data-do" in element.attrib:
                done[element.attrib["data-do"]] += 1
                inside = [one.attrib for one in element.iter() if one is not element]
                if any("data-do" in one or "data-ask" in one for one in inside):
                    found.append(f"{panel.name}: a target within {element.attrib['data-do']}")
                if not any("halo" in one.get("class", "").split() for one in inside):
                    found.append(f"{panel.name}: no halo in {element.attrib['data-do']}")
        found += [f"{panel.name}: {text}" for text in stray(root, panel.width, panel.height)]
    legal = {ACTIONS.notation(action) for action in view.legal}
    found += [f"{notation} is legal and has {done[notation]} places" for notation in sorted(legal) if done[notation] != 1]
    found += [f"{notation} is not legal" for notation in sorted(set(done) - legal)]
    found += [f"piece {key} lies in {count} places" for key, count in pieces.items() if count > 1]
    return found


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
            long = drawing.measure(element.text or "", size)
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
    words = GAME.words(GAME.narrator(tongue))
    for seats in (2, 5):
        match = played(seats, seed=2)
        for asked, round_ in (("audition", 1), ("audition", 4), ("audition", 7), ("name", 0), ("strike", 0), ("cast", 0)):
            assert [] == faults(in_phase(match, asked, round_), words)
        assert [] == faults(in_phase(match, "understudy"), words)
        assert [] == faults(match.view(0), words)


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture with a colour of its own, a text that is too small or too far out, or a piece twice would be noticed."""
    view = played(2).after(1).view(0)
    bad = drawing.group(
        [
            drawing.tag("rect", fill="#fff"),
            drawing.write("tiny", 50, 50, 9),
            drawing.write("far out", 350, 50, 14),
            drawing.piece("puccini"),
            drawing.tag("g", data_do="strike amazone"),
        ]
    )
    monkeypatch.setattr(PICTURE, "_hand", lambda *_: drawing.Panel("hand", "", 360, 100, bad))
    text = "\n".join(faults(view))
    for expected in ("#fff", "'tiny' is only 9", "'far out' reaches", "piece puccini", "strike amazone is not legal"):
        assert expected in text


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


@pytest.mark.parametrize("blind", [0, 1])
def test_the_audit_finds_no_leak_in_pictures(blind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds that a seat cannot tell apart are drawn the same, in a random match of two."""
    original = View.json
    monkeypatch.setattr(View, "json", lambda self, words: {**original(self, words), "picture": drawn(self)})
    report = audit.audit(GAME, 2, 5, 1, {"blind": blind})
    assert {} == dict(report.leaks), report.examples
    assert report.pairs >= 20
    assert {"pending", "casting"} <= set(report.differed)


def test_a_leak_planted_in_a_picture_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that looked at the true row would fail the audit."""
    truth: dict[int, list[int]] = {}
    view_of, json_of = Match.view, View.json

    def view(self: Match, seat: int | None = None, since: int = 0) -> View:
        made = view_of(self, seat, since)
        truth[id(made)] = self.row
        return made

    def json(self: View, words: Words) -> dict[str, Any]:
        seen = View(**{**vars(self), "row": tuple(truth[id(self)])})
        return {**json_of(self, words), "picture": drawn(seen)}

    monkeypatch.setattr(Match, "view", view)
    monkeypatch.setattr(View, "json", json)
    assert "view.picture" in audit.audit(GAME, 2, 5, 0).leaks


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
        for position in range(5):
            card = s[F.offer + position]
            assert worth([*troupe, card], director) - worth(troupe, director) == PICTURE._adds(s, seat, card)


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
        hint = PICTURE.best_cast(s, seat)
        troupe = s[F.troupe + seat * 6 : F.troupe + seat * 6 + 6]
        assert sorted(troupe) == sorted(hint)
        assert done == hint[: len(done)]
        row = [*hint]
        others = ([*order] for order in permutations(troupe) if [*order[: len(done)]] == done)
        best = max(RULES.favourites(order, 0) + RULES.wrong_sexes(order, 0) for order in others)
        assert best == RULES.favourites(row, 0) + RULES.wrong_sexes(row, 0)
        if len(done) < 6:
            assert 1 == drawn(then.view(seat)).count('data-hint="best"')


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
            expected = {}
            for name, v in events:
                if name in ("recruits", "overbids"):
                    expected[v["seat"]] = PICTURE.WINS
                elif name == "outbid":
                    expected[v["seat"]] = PICTURE.OUTBID
                elif name == "tied":
                    on = (seat for seat, choice in choices.items() if choice < 48 and choice // 8 == v["position"])
                    expected.update(dict.fromkeys(on, PICTURE.TIED))
                elif name == "hires":
                    expected[v["seat"]] = PICTURE.HIRES + v["helper"]
                elif name in ("refused", "retrieves"):
                    expected[v["seat"]] = PICTURE.IN_VAIN
            before = match.row_after(ply - 1)
            directing = before[F.round] == RULES.DIRECTOR_ROUND
            assert expected == PICTURE.audition_results(before, choices, before[F.puccini], directing)
            checked += 1
    assert 3 * 7 == checked


# The course of a match.


def test_the_last_audition_stays_to_be_seen() -> None:
    """Where the reveal ends a round at once, what was laid stands pale before the seats until they lay again."""
    match = played(5)
    view = in_phase(match, "audition", 5)
    assert 5 == drawn(view).count("last round: ")
    assert 0 == drawn(in_phase(match, "audition", 1)).count("last round: ")


def test_a_resigned_match_shows_everything() -> None:
    """When somebody gives up in the middle of an audition, the score is drawn and the cards on the table are turned up."""
    match = played(3).after(2)
    laid = match.entries[1].seat
    match.resign(match.to_act[0])
    view = match.view(None)
    assert ["score", "audition", "troupes", "directors"] == [panel.name for panel in GAME.panels(view, GAME.english)]
    assert [] == faults(view)
    assert laid is not None
    assert BUILD.words.Words(GAME.narrator()).laid(match.row[F.pending + laid]) in drawn(view)


def test_the_end_tells_every_part() -> None:
    """The score has a column for each seat, one for the fictitious troupe of two, and Puccini's lost point only there."""
    for seats in (2, 4):
        match = played(seats)
        outcome = match.outcome
        assert outcome is not None
        score = next(panel for panel in GAME.panels(match.view(None), GAME.english) if panel.name == "score")
        texts = [element.text for element in parsed(score).iter("text")]
        totals = [*outcome.scores, *([RULES.fictitious_total(match.row)] if seats == 2 else [])]
        assert list(map(str, totals)) == texts[-len(totals) :]
        assert (seats == 2) == ("Puccini" in texts)


def test_a_wide_picture_holds_every_panel() -> None:
    """In each phase the columns name every panel, and the picture is well-formed in both themes."""
    match = played(5)
    for view in (in_phase(match, "audition"), in_phase(match, "cast"), match.view(None)):
        panels = GAME.panels(view, GAME.english)
        assert {panel.name for panel in panels} <= {name for column in PICTURE.COLUMNS for name in column}
        for theme in drawing.THEMES:
            picture = drawing.compose(panels, PICTURE.COLUMNS, PICTURE.STYLE, theme)
            assert len(panels) == len(ElementTree.fromstring(picture).findall("{http://www.w3.org/2000/svg}svg"))


def test_a_picture_is_always_the_same() -> None:
    """The same view drawn twice gives the same bytes, and a class for every colour it needs."""
    view = in_phase(played(4), "strike")
    assert drawn(view) == drawn(view)
    known = set(re.findall(r"\.([a-z]+\d?)", drawing.STYLE + PICTURE.STYLE))
    bare = {"drawing", *(panel.name for panel in GAME.panels(view, GAME.english))}
    used = {name for classes in re.findall(r'class="([^"]*)"', drawn(view)) for name in classes.split()}
    assert set() == used - known - bare
