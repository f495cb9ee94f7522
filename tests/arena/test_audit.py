"""The audit: nothing leaks, every planted leak is caught, and what was not tried is not called proved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from click.testing import CliRunner

from ridotto import bots
from ridotto.arena import audit as auditing
from ridotto.arena import texts
from ridotto.arena.audit import AuditReport, audit
from ridotto.bots.networks import network_of
from ridotto.bots.programs import Fault, parse_action
from ridotto.cli import cli
from ridotto.core.drafts import Draft
from ridotto.core.errors import LATER, IllegalAction, Refusal
from ridotto.core.match import Match
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine.digest import digest
from ridotto.engine.fields import Event
from ridotto.games import GAMES
from ridotto.present.referee import REQUESTS, Referee
from ridotto.present.scene import Item, Move, Scene
from ridotto.present.ui import Ui, ui
from ridotto.present.views import as_json as views_as_json
from ridotto.present.words import Words

FANTOME = GAMES["fantome"]
MATCHES = 12

TRUTH: dict[int, Match] = {}
"""The match behind each planted view, for leaks that look where they may not."""


def audited(*with_bots: bots.Bot, game: Any = FANTOME, seats: int = 2, matches: int = MATCHES, until: str = "") -> AuditReport:
    """What so many matches show, or the first of them if a leak at the place `until` is found in those."""
    total = AuditReport()
    for number in range(matches):
        total.add(audit(game, seats, 3, number, bots=with_bots))
        if until and any(place.startswith(until) for place in total.leaks):
            break
    return total


@pytest.mark.parametrize("pairs", [200, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
def test_no_game_leaks(name: str, pairs: int) -> None:
    """Views, refusals and bots are the same in worlds that a seat cannot tell apart; in soak at every number of seats."""
    game = GAMES[name]
    asked = [bots.find(name) for name in ("random", "greedy", "search:20", "level:1", "level:3")]
    if network_of(game) is not None:
        asked += [bots.find("net"), bots.find("net:20")]
    numbers = game.seats if pairs > 200 else sorted({game.seats[0], game.seats[-1]})
    least = max(200, pairs // len(numbers))
    for seats in numbers:
        report, number = AuditReport(), 0
        while report.pairs < least or report.bot_pairs < 2 * len(asked):
            report.add(audit(game, seats, 3, number, bots=asked))
            number += 1
        assert {} == dict(report.leaks), report.examples
        assert [] == report.unproven


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_no_text_is_answered_with_a_secret(name: str) -> None:
    """Turns, drafts, refusals, the referee and programs: 100,000 pairs of worlds, shared by the numbers of seats."""
    game = GAMES[name]
    for seats in game.seats:
        report, number = AuditReport(), 0
        while report.pairs < 100_000 / len(game.seats):
            report.add(audit(game, seats, 5, number))
            number += 1
        assert {} == dict(report.leaks), report.examples


# Planted leaks in what a view shows: each gets the view's JSON and the match it may not look at.


def _in_row(shown: dict[str, Any], match: Match) -> None:
    shown["row"][match.rules.FIELDS.F.identity] = match.row[match.rules.FIELDS.F.identity]


def _in_position(shown: dict[str, Any], match: Match) -> None:
    shown["position"]["held"] = match.position()["held"]


def _in_label(shown: dict[str, Any], match: Match) -> None:
    for action in shown["actions"]:
        if action["notation"] == f"pick {match.position()['identity']}":
            action["label"] += "!"


def _in_order_of_actions(shown: dict[str, Any], match: Match) -> None:
    if match.row[match.rules.FIELDS.F.identity] % 2:
        shown["actions"].reverse()


def _in_question(shown: dict[str, Any], match: Match) -> None:
    shown["question"] += " " * match.row[match.rules.FIELDS.F.identity]


def _in_event_text(shown: dict[str, Any], match: Match) -> None:
    for event in shown["events"]:
        event["text"] = event["text"].replace("an alibi", f"the alibi of {match.position()['held']}")


def _in_event_arguments(shown: dict[str, Any], match: Match) -> None:
    for event in shown["events"]:
        if event["event"] == "masked":
            event["args"]["who"] = match.position()["identity"]


def _in_number_of_events(shown: dict[str, Any], match: Match) -> None:
    del shown["events"][match.row[match.rules.FIELDS.F.identity] :]


def _in_hash(shown: dict[str, Any], match: Match) -> None:
    shown["head"] = digest(match.row)


def _in_key_order(shown: dict[str, Any], match: Match) -> None:
    if match.row[match.rules.FIELDS.F.identity] % 2:
        shown["ply"] = shown.pop("ply")


def _in_number_type(shown: dict[str, Any], match: Match) -> None:
    if match.row[match.rules.FIELDS.F.identity] % 2:
        shown["ply"] = float(shown["ply"])


def _in_outcome(shown: dict[str, Any], match: Match) -> None:
    shown["outcome"] = match.row[match.rules.FIELDS.F.identity] == 0


@pytest.mark.parametrize(
    ("where", "leak"),
    [
        ("view.row.identity", _in_row),
        ("view.position.held", _in_position),
        ("view.actions[].label", _in_label),
        ("view.actions[]", _in_order_of_actions),
        ("view.question", _in_question),
        ("view.events[].text", _in_event_text),
        ("view.events[].args.who", _in_event_arguments),
        ("view.events", _in_number_of_events),
        ("view", _in_hash),
        ("view", _in_key_order),
        ("view.ply", _in_number_type),
        ("view.outcome", _in_outcome),
    ],
)
def test_leaks_planted_in_a_view_are_caught(
    where: str, leak: Callable[[dict[str, Any], Match], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever part of a view depends on a secret is named."""
    original_json = views_as_json

    def as_json(self: View, words: Words) -> dict[str, Any]:
        shown = original_json(self, words)
        if self.outcome is None and id(self) in TRUTH:  # a draft's view is made of another one
            leak(shown, TRUTH[id(self)])
        return shown

    _remember_views(monkeypatch)
    monkeypatch.setattr("ridotto.present.views.as_json", as_json)
    report = audited(until=where)
    TRUTH.clear()
    assert any(place.startswith(where) for place in report.leaks), report.leaks
    assert not report.clean


# Planted leaks in the picture: each gets the items of a scene and somebody's secret identity.


def _in_a_key(items: list[Item], secret: int) -> list[Item]:
    return [items[0]._replace(key=f"{items[0].key}-{secret}"), *items[1:]]


def _in_order_of_items(items: list[Item], secret: int) -> list[Item]:
    return items[secret:] + items[:secret]


def _in_a_look(items: list[Item], secret: int) -> list[Item]:
    return [items[0]._replace(look=f"{items[0].look}{' ' * secret}"), *items[1:]]


def _in_a_place(items: list[Item], secret: int) -> list[Item]:
    return [items[0]._replace(x=items[0].x + secret / 100), *items[1:]]


def _in_a_title(items: list[Item], secret: int) -> list[Item]:
    return [items[0]._replace(title=str(secret)), *items[1:]]


def _in_number_of_items(items: list[Item], secret: int) -> list[Item]:
    return items[: len(items) - secret]


@pytest.mark.parametrize(
    ("where", "leak"),
    [
        ("scene.items[].key", _in_a_key),
        ("scene.items[].key", _in_order_of_items),
        ("scene.items[].look", _in_a_look),
        ("scene.items[].at", _in_a_place),
        ("scene.items[].title", _in_a_title),
        ("scene.items", _in_number_of_items),
    ],
)
def test_leaks_planted_in_a_picture_are_caught(
    where: str, leak: Callable[[list[Item], int], list[Item]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys, order and number of items, their looks, places and titles: whatever depends on a secret is named."""
    original = Ui.scene

    def scene(self: Ui, view: View, words: Words, shared: Scene | None = None) -> Scene:
        made = original(self, view, words, shared)
        items = leak(list(made.items.values()), TRUTH[id(view)].row[self.game.rules.FIELDS.F.identity])
        return Scene(made.panels, {item.key: item for item in items})

    _remember_views(monkeypatch)
    monkeypatch.setattr(Ui, "scene", scene)
    report = audited(until=where)
    TRUTH.clear()
    assert any(place.startswith(where) for place in report.leaks), report.leaks


def test_a_leak_planted_in_what_moves_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that is seen to move tells who the phantom is."""

    def moves(view: View, seen: object) -> list[Move]:
        return [Move("here", f"there-{TRUTH[id(view)].row[FANTOME.rules.FIELDS.F.identity]}")]

    _remember_views(monkeypatch)
    monkeypatch.setattr(ui(FANTOME).picture, "moves", moves)
    report = audited(until="scene.moves")
    TRUTH.clear()
    assert any(place.startswith("scene.moves") for place in report.leaks), report.leaks


def _remember_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note the match behind each view."""
    original = Match.view

    def view(self: Match, seat: int | None = None, since: int = 0) -> View:
        made = original(self, seat, since)
        TRUTH[id(made)] = self
        return made

    monkeypatch.setattr(Match, "view", view)


# Planted leaks in the answers to texts: to a turn, a draft, a request to the referee, an action of a program.


def _in_the_error_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The actions that are listed are those after everybody's secret bids are shown."""
    original = Match.play

    def play(self: Match, action: int | str, seat: int | None = None, **given: Any) -> None:
        try:
            original(self, action, seat, **given)
        except IllegalAction as error:
            first = str(action).partition(",")[0]
            if error.refusal is not None and error.refusal.reason == LATER and self.why(first, seat) is None:
                later = self.after(self.ply)
                original(later, first, seat)
                raise IllegalAction(f"{error}; {list(later.legal(seat))}", error.refusal) from error
            raise

    monkeypatch.setattr(Match, "play", play)


def _in_the_end_of_a_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Draft, "is_whole", lambda self, seat: bool(sum(self.match.row) % 2))


def _in_an_answer_of_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    def why(self: Referee, request: Any) -> Any:
        return Referee.why(self, request) | {"head": digest(self.match.row)}

    monkeypatch.setitem(REQUESTS, "why", REQUESTS["why"]._replace(answer=why))


def _in_the_fault_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    original = parse_action

    def parse(view: View, line: bytes) -> int:
        try:
            return original(view, line)
        except Fault as fault:
            raise Fault(fault.code, f"{fault} {TRUTH[id(view)].row}") from fault

    _remember_views(monkeypatch)
    monkeypatch.setattr(texts, "parse_action", parse)


@pytest.mark.parametrize(
    ("who", "plant"),
    [
        ("turn", _in_the_error_of_a_turn),
        ("draft", _in_the_end_of_a_draft),
        ("referee", _in_an_answer_of_the_referee),
        ("program", _in_the_fault_of_a_program),
    ],
)
def test_leaks_planted_in_answers_are_caught(
    who: str, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers a text with something of a secret is named."""
    plant(monkeypatch)
    report = audited(game=GAMES["opera" if who == "turn" else "fantome"], until=who)
    TRUTH.clear()
    assert who in report.leaks, report.leaks


# Planted leaks in the rules.


def test_a_leak_planted_in_a_reason_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that depends on who the phantom is."""
    rules: Any = FANTOME.rules
    original = rules.refuses

    def refuses(s: list[int], seat: int, action: int) -> int:
        reason: int = original(s, seat, action)
        return rules.R.too_far if reason == rules.R.not_asked and action == s[rules.F.identity] else reason

    monkeypatch.setattr(rules, "refuses", refuses)
    report = audited(until="refusal")
    assert 1 <= report.leaks["refusal"] <= report.pairs
    told = re.fullmatch(r"ply \d+, seat 0, 'pick \w+': (.+) in one world, (.+) in the other", report.examples["refusal"])
    assert told and told[1] != told[2], report.examples


def test_a_leak_planted_in_the_words_of_a_refusal_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same reason, in words made from the true row."""
    original = Match.why

    def why(self: Match, action: int | str, seat: int | None = None) -> Refusal | None:
        refusal = original(self, action, seat)
        return refusal and replace(refusal, row=tuple(self.row))

    monkeypatch.setattr(Match, "why", why)
    assert "refusal" in audited(until="refusal").leaks


def test_a_leak_planted_in_the_legal_actions_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A legal list that leaves the phantom's own card out."""
    rules: Any = FANTOME.rules
    original = rules.legal

    def legal(s: list[int], seat: int, mask: list[int]) -> None:
        original(s, seat, mask)
        if mask[0] & 0xFF and mask[0] & 0xFF != 1 << s[rules.F.identity]:
            mask[0] &= ~(1 << s[rules.F.identity])

    monkeypatch.setattr(rules, "legal", legal)
    assert any(place.startswith("view.actions") for place in audited(until="view.actions").leaks)


def test_a_field_that_is_not_masked_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field whose audience is wrong shows in the masked row."""
    held = FANTOME.rules.FIELDS.F.held
    original = State.masked

    def masked(self: State, seat: int | None) -> list[int]:
        row = original(self, seat)
        row[held] = self.row[held]
        return row

    monkeypatch.setattr(State, "masked", masked)
    assert "view.row.held" in audited(matches=40, until="view.row.held").leaks


@dataclass(frozen=True)
class Cheat:
    """A bot that looks at the true row."""

    name: str = "cheat"
    is_repeatable: bool = True

    def choose(self, view: View, budget: bots.Budget) -> int:
        truth: int = TRUTH[id(view)].row[view.game.rules.FIELDS.F.identity]
        return view.legal[truth % len(view.legal)]

    def opinion(self, view: View, budget: bots.Budget) -> None:
        return None

    def sit(self) -> bots.Bot:
        return self


def test_a_cheating_bot_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that knows what its seat cannot know chooses differently in worlds its seat cannot tell apart."""
    _remember_views(monkeypatch)
    report = audited(Cheat(), matches=40, until="bot cheat")
    TRUTH.clear()
    assert ["bot cheat"] == list(report.leaks)


def test_a_hidden_field_that_never_differed_is_not_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an event shows the kept alibis to everybody, no two worlds differ in them, and the audit says so."""
    rules: Any = FANTOME.rules

    def open_to_all(event: Event) -> Event:
        return replace(event, args=tuple(replace(arg, audience="all") for arg in event.args))

    events = tuple(open_to_all(event) if event.name == "keeps" else event for event in rules.EVENTS)
    monkeypatch.setattr(rules, "EVENTS", events)
    report = audited(matches=10)
    assert ["held"] == report.unproven
    assert not report.clean


def test_command_is_the_same_for_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ridotto audit` finds the same pairs however many processes share the work, and exits with 0."""
    monkeypatch.setattr(auditing, "MATCHES_A_TASK", 1)
    found = []
    for processes in ("1", "2"):
        line = f"audit fantome --pairs 600 --bots random --json --processes {processes}"
        run = CliRunner().invoke(cli, line.split(), catch_exceptions=False)
        assert (0, "") == (run.exit_code, run.stderr)
        found.append(json.loads(run.stdout))
    assert found[0] == found[1]
    assert found[0]["pairs"] >= 600 and found[0]["matches"] > 2
    assert found[0]["clean"]
