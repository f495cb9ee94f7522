"""The referee: every request, every error, whole matches through a real pipe, and rubbish of every kind.

Run as a program, this file writes the answers of the session in docs/referee.md anew.
"""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ridotto.core.record import DEEPEST, link
from ridotto.core.record import KEYS as RECORD_KEYS
from ridotto.engine.digest import digest
from ridotto.engine.fields import Field
from ridotto.games import GAMES
from ridotto.present.referee import ALWAYS, CODES, INTERNAL, KEYS, LONGEST, REQUESTS, Referee, serve
from ridotto.present.ui import ui

FANTOME = GAMES["fantome"]
DOCUMENT = Path(__file__).parents[2] / "docs" / "referee.md"
Json = dict[str, Any]

# Dealt by hand: nine outcomes for eight rooms and the identity (Buquet), then the cards of Raoul, Meg, Madame Giry, Buquet.
DRAWS = [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]


def send(referee: Referee, line: str | bytes) -> Json:
    """The answer to a line, which must itself be one line of ASCII that holds a JSON object."""
    text = referee.answer(line)
    assert text.isascii()
    assert "\n" not in text
    answer = json.loads(text, parse_constant=pytest.fail)
    assert isinstance(answer, dict)
    assert answer["ok"] is ("error" not in answer)
    return answer


def ask(referee: Referee, do: str, **keys: Any) -> Json:
    """The answer to a request."""
    return send(referee, json.dumps({"do": do, **keys}))


def code(answer: Json) -> str:
    """The code of an error, or "" of an answer that is none."""
    return str(answer["error"]["code"]) if "error" in answer else ""


def standing(referee: Referee) -> list[Json]:
    """Everything there is to know about where a match stands."""
    return [ask(referee, "position"), ask(referee, "record")]


def table(**fields: Any) -> Referee:
    """A match from the hand-dealt position with some fields changed."""
    referee = Referee(FANTOME)
    ask(referee, "deal", draws=DRAWS)
    position = ask(referee, "position")["position"] | fields
    assert {"ok": True, "ply": 1, "to_act": [0], "over": False} == ask(referee, "position", position=position)
    return referee


@pytest.fixture
def referee() -> Referee:
    """A match dealt by hand."""
    referee = Referee(FANTOME)
    ask(referee, "deal", draws=DRAWS)
    return referee


# Every request.


def test_hello() -> None:
    """The first answer says what is played and how."""
    answer = ask(Referee(FANTOME), "hello")
    assert ["ridotto referee", 1, "fantome", [2]] == [answer[key] for key in ("format", "version", "game", "seats")]
    assert [("handicap", "2.6", -3, 3, 0)] == [
        (one["name"], one["section"], one["low"], one["high"], one["default"]) for one in answer["options"]
    ]
    assert ["en", "fr", "nl"] == answer["languages"]


def test_deal_by_draws(referee: Referee) -> None:
    """Draws lay out the table: the first free outer room for each character, then the identity and four cards."""
    position = ask(referee, "position")["position"]
    rooms = {"raoul": "0", "meg": "1", "giry": "2", "buquet": "3", "christine": "4", "moncharmin": "7", "richard": "8"}
    assert rooms | {"persan": "9"} == position["place"]
    assert ["buquet", "3", "2-3", 3] == [position[key] for key in ("identity", "dark", "padlock", "carlotta")]
    assert ["raoul", "meg", "giry", "buquet"] == position["offered"]


def test_deal_answers_where_the_match_stands() -> None:
    """The inspector begins; everything about a deal may be left out."""
    for keys in (
        {},
        {"players": 2},
        {"seed": 0},
        {"seed": 2**64 - 1},
        {"options": {"handicap": -2}, "seed": 7, "draws": DRAWS},
    ):
        assert {"ok": True, "ply": 1, "to_act": [0], "over": False} == ask(Referee(FANTOME), "deal", **keys)


def test_deal_options() -> None:
    """The handicap moves La Carlotta's start from space 3."""
    referee = Referee(FANTOME)
    ask(referee, "deal", options={"handicap": 2})
    assert 5 == ask(referee, "position")["position"]["carlotta"]


@pytest.mark.parametrize("keys", [{"seed": 11}, {"seed": 11, "draws": DRAWS}])
def test_the_same_seed_gives_the_same_match(keys: Json) -> None:
    """With a seed all later chance is fixed as well, and the draws of the deal are those given."""

    def playing() -> list[Json]:
        referee = Referee(FANTOME)
        told = [ask(referee, "deal", **keys)]
        while not told[-1]["over"]:
            seat = told[-1]["to_act"][0]
            actions = ask(referee, "legal", seat=seat)["actions"]
            told.append(ask(referee, "play", seat=seat, action=actions[len(told) * 7 % len(actions)]["id"]))
        return [*told, ask(referee, "position"), ask(referee, "score")]

    assert playing() == playing()


def test_the_same_draws_give_the_same_deal() -> None:
    """The draws in a record deal the same table again, whatever the chance was."""
    first, second = Referee(FANTOME), Referee(FANTOME)
    ask(first, "deal")
    ask(second, "deal", draws=ask(first, "record")["record"]["entries"][0]["draws"])
    assert ask(first, "position") == ask(second, "position")


def test_a_new_deal_is_a_new_match(referee: Referee) -> None:
    """Nothing of the match before is left."""
    ask(referee, "play", seat=0, action="pick meg")
    ask(referee, "deal", draws=DRAWS)
    assert [None] == [entry["seat"] for entry in ask(referee, "record")["record"]["entries"]]


def test_legal(referee: Referee) -> None:
    """The seat to act chooses among the four cards; the other has nothing to do."""
    expected = [
        {"id": 0, "notation": "pick raoul", "label": "play Raoul", "section": "3.3"},
        {"id": 1, "notation": "pick meg", "label": "play Meg Giry", "section": "3.3"},
        {"id": 2, "notation": "pick giry", "label": "play Madame Giry", "section": "3.3"},
        {"id": 3, "notation": "pick buquet", "label": "play Buquet", "section": "3.3"},
    ]
    assert {"ok": True, "actions": expected} == ask(referee, "legal", seat=0)
    assert {"ok": True, "actions": []} == ask(referee, "legal", seat=1)


@pytest.mark.parametrize("action", ["pick meg", " PICK  Meg ", 1])
def test_play(referee: Referee, action: int | str) -> None:
    """An action is named by notation or by number; the answer tells what happened at this entry alone."""
    answer = ask(referee, "play", seat=0, action=action)
    (event,) = answer.pop("events")
    assert {"ok": True, "ply": 2, "to_act": [0], "over": False} == answer
    assert [1, "picks", "3.3", {"seat": "0", "who": "meg"}] == [event[key] for key in ("ply", "event", "section", "args")]
    assert "The inspector plays Meg Giry." == event["text"]


def test_events_are_those_that_the_playing_seat_sees() -> None:
    """The phantom is told whose alibi was drawn; the inspector, that one was."""
    referee = table(ghosts=0)
    for seat, action in ((0, "pick meg"), (0, "move 2"), (1, "pick raoul")):
        assert ask(referee, "play", seat=seat, action=action)["ok"]
    told = ask(referee, "play", seat=1, action="move 4")["events"]
    seen = ask(referee, "view", seat=0, since=4)["view"]["events"]
    assert ["moves", "keeps"] == [event["event"] for event in told]
    assert told[1]["args"]["who"] in {"meg", "giry", "christine", "moncharmin", "richard", "persan", "raoul"}
    assert {"seat": "1", "who": "?"} == seen[1]["args"]


def test_view(referee: Referee) -> None:
    """The phantom sees who they are, the inspector and a spectator do not; a spectator has nothing to do."""
    views = [ask(referee, "view", seat=seat)["view"] for seat in (0, 1, None)]
    assert ["?", "buquet", "?"] == [view["position"]["identity"] for view in views]
    assert [4, 0, 0] == [len(view["actions"]) for view in views]
    assert [0, 1, None] == [view["seat"] for view in views]


def test_view_since(referee: Referee) -> None:
    """Events come from the entries at that ply and after."""
    for action in ("pick meg", "move 2", "pick raoul"):
        ask(referee, "play", seat=0 if "raoul" not in action else 1, action=action)
    for since, plies in ((0, {0, 1, 2, 3}), (1, {1, 2, 3}), (3, {3}), (4, set()), (10**30, set())):
        events = ask(referee, "view", seat=None, since=since)["view"]["events"]
        assert plies == {event["ply"] for event in events}


def test_why(referee: Referee) -> None:
    """Allowed with the § it rests on, or refused with the § that forbids it."""
    answers = [ask(referee, "why", seat=seat, action=do) for seat, do in ((0, 1), (0, "pick persan"), (1, "pick meg"))]
    assert {"ok": True, "allowed": True, "reason": None, "section": "3.3", "message": ""} == answers[0]
    assert [False, "not_offered", "3.1"] == [answers[1][key] for key in ("allowed", "reason", "section")]
    cards = "Raoul, Meg Giry, Madame Giry and Buquet"
    assert f"the card of the Persian is not face up; face up: {cards}" == answers[1]["message"]
    assert [False, "wait", "3.2"] == [answers[2][key] for key in ("allowed", "reason", "section")]


def test_score(referee: Referee) -> None:
    """While the match goes on nobody has won; at the end one has, with the part that made it."""
    going = {"over": False, "ending": None, "section": None, "winners": [], "scores": [0, 0], "parts": [{"win": 0}, {"win": 0}]}
    assert {"ok": True, **going} == ask(referee, "score")
    # One step before the exit, with eight suspects: whatever the last card does, La Carlotta is away.
    position = ask(referee, "position")["position"]
    last = {"round": 1, "played": 3, "offered": ["meg"], "carlotta": 20}
    assert ask(referee, "position", position=position | last)["ok"]
    assert [0] == ask(referee, "play", seat=0, action="pick meg")["to_act"]
    end = ask(referee, "play", seat=0, action="move 0")
    assert [[], True, "fled"] == [end["to_act"], end["over"], end["events"][-1]["event"]]
    ended = {"over": True, "ending": "exit", "section": "7.2", "winners": [1], "scores": [0, 1]}
    assert {"ok": True, **ended, "parts": [{"win": 0}, {"win": 1}]} == ask(referee, "score")
    assert {"ok": True, "actions": []} == ask(referee, "legal", seat=1)
    assert "7" == ask(referee, "play", seat=0, action="pick meg")["error"]["section"]


def test_resign(referee: Referee) -> None:
    """Whoever resigns has lost, whoever's turn it was."""
    answer = ask(referee, "resign", seat=1)
    assert [2, [], True] == [answer[key] for key in ("ply", "to_act", "over")]
    assert [("resigned", "7.3")] == [(event["event"], event["section"]) for event in answer["events"]]
    score = ask(referee, "score")
    assert ["resigned", "7.3", [0]] == [score[key] for key in ("ending", "section", "winners")]
    assert "illegal_action" == code(ask(referee, "resign", seat=0))


def test_undo(referee: Referee) -> None:
    """An undo takes back one action, or all after an entry; it is an entry itself, and a resignation can be undone."""
    positions = [ask(referee, "position")]
    for action in ("pick meg", "move 2"):
        ask(referee, "play", seat=0, action=action)
        positions.append(ask(referee, "position"))
    assert {"ok": True, "ply": 4, "to_act": [0], "over": False} == ask(referee, "undo")
    assert positions[1] == ask(referee, "position")
    ask(referee, "play", seat=0, action="move 2")
    assert positions[2] == ask(referee, "position")
    ask(referee, "resign", seat=1)
    assert {"ok": True, "ply": 7, "to_act": [0], "over": False} == ask(referee, "undo", to=0)
    assert positions[0] == ask(referee, "position")


def test_position_round_trip(referee: Referee) -> None:
    """A position read, loaded and read again is the same."""
    ask(referee, "play", seat=0, action="pick giry")
    ask(referee, "play", seat=0, action="lock 8-9")
    position = ask(referee, "position")["position"]
    other = Referee(FANTOME)
    assert {"ok": True, "ply": 1, "to_act": [0], "over": False} == ask(other, "position", position=position)
    assert position == ask(other, "position")["position"]
    assert ask(referee, "legal", seat=0) == ask(other, "legal", seat=0)


def test_record_round_trip(referee: Referee) -> None:
    """A record read, loaded and read again is the same, its people's names included."""
    ask(referee, "play", seat=0, action="pick meg")
    ask(referee, "undo")
    ask(referee, "play", seat=0, action="pick giry")
    record = ask(referee, "record")["record"]
    assert ["deal", "pick meg", "undo 0", "pick giry"] == [entry["do"] for entry in record["entries"]]
    record["names"] = ["Zoé", "Ödön"]
    other = Referee(FANTOME)
    assert {"ok": True, "ply": 4, "to_act": [0], "over": False} == ask(other, "record", record=record)
    assert record == ask(other, "record")["record"]
    ask(other, "deal")
    assert ["seat 0", "seat 1"] == ask(other, "record")["record"]["names"]


def test_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any request may say in which language its answer speaks, and the next one does not inherit it."""
    monkeypatch.setattr(type(ui(FANTOME).english), "label", lambda words, row, seat, action: words.narrator.language)
    referee = Referee(FANTOME)
    ask(referee, "deal", lang="fr")
    spoke = [ask(referee, "legal", seat=0, **lang)["actions"][0]["label"] for lang in ({"lang": "nl"}, {}, {"lang": "fr"})]
    assert ["nl", "en", "fr"] == spoke


@pytest.mark.parametrize("mark", [None, 0, -1.5, "x\u00e9\U0001f3ad", [[], {}], {"id": {"id": 1}}, True, 10**4000])
def test_id_is_given_back(referee: Referee, mark: Any) -> None:
    """Whatever stands under "id" comes back, with an error too; without one nothing does."""
    for do, keys in (("score", {}), ("legal", {"seat": 9}), ("score", {"oops": 1}), ("nonsense", {})):
        assert mark == ask(referee, do, **keys, id=mark)["id"]
        assert "id" not in ask(referee, do, **keys)


# Every error, none of which changes anything.

GOOD: dict[str, Json] = {
    "hello": {},
    "deal": {"players": 2, "seed": 7, "draws": DRAWS, "options": {"handicap": 1}},
    "legal": {"seat": 0},
    "play": {"seat": 0, "action": "pick meg"},
    "resign": {"seat": 1},
    "view": {"seat": 0, "since": 1},
    "why": {"seat": 0, "action": 1},
    "score": {},
    "undo": {"to": 0},
    "position": {},
    "record": {},
}
"""A request of each kind that is answered after one action."""

ERRORS: list[tuple[str, str | bytes | Json, str]] = [
    ("bad_json", "", "Expecting value"),
    ("bad_json", "\n", "Expecting value"),
    ("bad_json", "pick meg", "Expecting value"),
    ("bad_json", '{"do":"score"', "delimiter"),
    ("bad_json", '{"do":"score"} {"do":"score"}', "Extra data"),
    ("bad_json", '\ufeff{"do":"score"}', "BOM"),
    ("bad_json", '{"do":"score","do":"undo"}', "key 'do' is given twice"),
    ("bad_json", '{"do":"score","id":{"a":1,"b":2,"a":1}}', "key 'a' is given twice"),
    ("bad_json", '{"do":"score","id":NaN}', "NaN is not a number"),
    ("bad_json", '{"do":"score","id":-Infinity}', "-Infinity is not a number"),
    ("bad_json", '{"do":"score","id":1e999}', "too large"),
    ("bad_json", '{"do":"score","id":' + "9" * 5000 + "}", "too large"),
    ("bad_json", '{"do":"score","id":"\\ud800"}', "not Unicode"),
    ("bad_json", '{"do":"score","\\udfff":1}', "not Unicode"),
    ("bad_json", '{"do":"score","id":"\ud800"}', "not Unicode"),
    ("bad_json", b'{"do":"score","id":"\xe9"}', "not Unicode"),
    ("bad_json", '{"do":"score"}'.encode("utf-16"), "not Unicode"),
    ("bad_json", "[" * 100_000, "more than 32"),
    ("bad_json", '{"a":' * 100_000, "more than 32"),
    ("bad_json", "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "more than 32"),
    ("bad_json", "{" + ",".join(f'"{i}":0' for i in range(90_000)) + ',"89999":0}', "twice"),
    ("bad_request", "[" * DEEPEST + "]" * DEEPEST, "a request is an object"),
    ("bad_request", "null", "a request is an object"),
    ("bad_request", '"score"', "a request is an object"),
    ("bad_request", "9" * 4300, "a request is an object"),
    ("bad_request", {}, '"do" is missing; there are: hello, deal'),
    ("bad_request", {"do": None}, "null is nothing to do"),
    ("bad_request", {"do": ["play"]}, "is nothing to do"),
    ("bad_request", {"do": "plya"}, "did you mean 'play'?"),
    ("bad_request", {"do": "_do"}, "is nothing to do"),
    ("bad_request", {"do": "legal", "seet": 0}, "'legal' has no key \"seet\"; it has: do, seat, id, lang"),
    ("bad_request", {"do": "legal"}, "'legal' needs 'seat'"),
    ("bad_request", {"do": "legal", "seat": None}, "'seat' must be the number of a seat"),
    ("bad_request", {"do": "view"}, "'view' needs 'seat'"),
    ("bad_request", {"do": "play", "seat": 0}, "'play' needs 'action'"),
    ("bad_request", {"do": "view", "seat": 0, "since": -1}, "'since' must be a ply"),
    ("bad_request", {"do": "undo", "to": -1}, "'to' must be a ply"),
    ("bad_request", {"do": "deal", "draws": [0, True]}, "'draws' must be a list of whole numbers"),
    ("bad_setup", {"do": "deal", "players": 3}, "fantome has 2 seats, not 3"),
    ("bad_setup", {"do": "deal", "options": {"handicap": 4}}, "takes -3 to 3 (§2.6), not 4"),
    ("bad_setup", {"do": "deal", "options": {"handicap": True}}, "takes -3 to 3 (§2.6), not True"),
    ("bad_setup", {"do": "deal", "options": {"handicup": 0}}, "no option 'handicup'"),
    ("bad_setup", {"do": "deal", "seed": -1}, "a seed is a whole number from 0"),
    ("bad_setup", {"do": "deal", "seed": 2**64}, "a seed is a whole number from 0"),
    ("bad_setup", {"do": "legal", "seat": 2}, "there are seats 0 to 1, not 2"),
    ("bad_setup", {"do": "view", "seat": -1}, "there are seats 0 to 1, not -1"),
    ("bad_setup", {"do": "why", "seat": 10**30, "action": 1}, "there are seats 0 to 1"),
    ("bad_setup", {"do": "play", "seat": 2, "action": "move 2"}, "there are seats 0 to 1, not 2"),
    ("bad_setup", {"do": "resign", "seat": 2}, "there are seats 0 to 1, not 2"),
    ("bad_setup", {"do": "undo", "to": 1}, "cannot undo to entry 1; in effect are: 0"),
    ("bad_draws", {"do": "deal", "draws": []}, "draw 1 is missing: one of 0 to 7"),
    ("bad_draws", {"do": "deal", "draws": DRAWS[:-1]}, "draw 13 is missing: one of 0 to 4"),
    ("bad_draws", {"do": "deal", "draws": [*DRAWS, 0]}, "14 draws are given but 13 are made"),
    ("bad_draws", {"do": "deal", "draws": [8, *DRAWS[1:]]}, "draw 1 is 8, not one of 0 to 7"),
    ("bad_draws", {"do": "deal", "draws": [-(10**30)]}, "not one of 0 to 7"),
    ("bad_notation", {"do": "play", "seat": 0, "action": "moove 2"}, "did you mean 'move 2'"),
    ("bad_notation", {"do": "play", "seat": 0, "action": ""}, "names no action"),
    ("bad_notation", {"do": "play", "seat": 0, "action": -1}, "has actions 0 to"),
    ("bad_notation", {"do": "why", "seat": 0, "action": 10**30}, "has actions 0 to"),
    ("bad_notation", {"do": "why", "seat": 0, "action": "resign"}, "names no action"),
    ("bad_notation", {"do": "why", "seat": 0, "action": "m" * 900_000}, "names no action"),
    (
        "illegal_action",
        {"do": "play", "seat": 0, "action": "move 1"},
        "at ply 2: Meg Giry is under the stage (1) already, and must leave (§4.1); legal: ",
    ),
    (
        "illegal_action",
        {"do": "play", "seat": 1, "action": "move 2"},
        "it is not your turn: The inspector moves Meg Giry (§3.2); legal: nothing",
    ),
    ("bad_position", {"do": "position", "position": {}}, "field 'version' is missing"),
    ("bad_record", {"do": "record", "record": {}}, "not a record"),
    ("unknown_language", {"do": "score", "lang": "de"}, "unknown language 'de'; there are: en, fr, nl"),
]


def started() -> Referee:
    """A match dealt by hand where the inspector has picked Meg."""
    referee = Referee(FANTOME)
    ask(referee, "deal", draws=DRAWS)
    ask(referee, "play", seat=0, action="pick meg")
    return referee


@pytest.mark.parametrize(("expected", "line", "message"), ERRORS, ids=[f"{i}-{one[0]}" for i, one in enumerate(ERRORS)])
def test_errors(expected: str, line: str | bytes | Json, message: str) -> None:
    """Each is an answer that says what is wrong, and leaves everything as it was."""
    referee = started()
    before = standing(referee)
    answer = send(referee, json.dumps(line) if isinstance(line, dict) else line)
    assert expected == code(answer)
    assert message in answer["error"]["message"]
    assert ("section" in answer["error"]) is (expected == "illegal_action")
    assert before == standing(referee)


def test_every_code_has_an_error_above() -> None:
    """The list of errors shows every code; three have tests of their own."""
    assert set(CODES.values()) == {expected for expected, _, _ in ERRORS} | {"no_match", "too_long"}
    assert INTERNAL not in CODES.values()


def test_no_match() -> None:
    """Before a match there is nothing to ask about, and only what begins one does."""
    for do in set(GOOD) - {"hello", "deal"}:
        referee = Referee(FANTOME)
        assert "no_match" == code(ask(referee, do, **GOOD[do])), do
        assert "no_match" == code(ask(referee, "score"))


def test_every_request_is_known_here() -> None:
    """The good requests of these tests are all there are."""
    assert set(REQUESTS) == set(GOOD)
    for do, keys in GOOD.items():
        assert "" == code(ask(started(), do, **keys) if do != "play" else ask(table(), do, **keys)), do


WRONG: list[Any] = [True, False, 1.0, 1e300, "1", "", None, [], {}, [1.0], [True], ["1"], [None], [[]]]
FITTING = {
    "action": ('"1"', '""'),
    "lang": ('"1"', '""'),
    "draws": ("[]",),
    "options": ("{}",),
    "position": ("{}",),
    "record": ("{}",),
    "view seat": ("null",),
}
"""What in that list is right for a key after all; it has no whole number, which most keys want."""


@pytest.mark.parametrize("do", REQUESTS)
def test_keys_of_requests(do: str) -> None:
    """A key that is not of this request, and a value of the wrong kind, are refused by name and change nothing."""
    referee = started()
    before = standing(referee)
    known = {*REQUESTS[do].needs, *REQUESTS[do].takes, *ALWAYS}
    for key in {*KEYS, "Seat", "ID", "do ", ""} - known:
        answer = ask(referee, do, **GOOD[do] | {key: 0})
        assert "bad_request" == code(answer)
        assert json.dumps(key) in answer["error"]["message"]
    for key in known - {"id"}:
        for value in WRONG:
            if json.dumps(value) not in FITTING.get(f"{do} {key}", FITTING.get(key, ())):
                answer = ask(referee, do, **GOOD[do] | {key: value})
                assert "bad_request" == code(answer)
                assert f"{key!r} must be" in answer["error"]["message"]
    assert before == standing(referee)


def test_position_faults_are_told_at_once(referee: Referee) -> None:
    """A position is refused with everything that is wrong with it, each with its §."""
    before = standing(referee)
    position = before[0]["position"]
    fields = ask(referee, "position", position=position | {"carlotta": 22, "dark": 5, "opera": 1})["error"]
    assert 3 == len(fields["faults"])
    for name, fault in zip(("opera", "dark", "carlotta"), fields["faults"], strict=True):
        assert repr(name) in fault
    rules = ask(referee, "position", position=position | {"carlotta": 21, "kept": 1, "suspects": ["meg", "raoul"]})["error"]
    assert ["§2.7", "§5.1", "§7.2"] == [re.findall(r"§[\d.]+", fault)[-1] for fault in rules["faults"]]
    assert "bad_position" == fields["code"] == rules["code"]
    assert before == standing(referee)


def test_a_view_is_no_position(referee: Referee) -> None:
    """What one seat sees has gaps, so no match can begin from it."""
    masked = ask(referee, "view", seat=0)["view"]["position"]
    assert ["identity", "held"] == [
        fault.split("'")[1] for fault in ask(referee, "position", position=masked)["error"]["faults"]
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: one["entries"][1].update(do="pick giry"), "ply 1"),
        (lambda one: one["entries"].pop(), "ends at ply 1"),
        (lambda one: one["entries"].pop(1), "ply 1"),
        (lambda one: one["entries"][0]["draws"].__setitem__(8, 4), "ply 0"),
        (lambda one: one.update(game="opera"), "unknown game 'opera'"),
        (lambda one: one.update(version=2), "format version 2 is unknown"),
        (lambda one: one.update(entries=[]), "no entries"),
        (lambda one: one.update(result={"winners": [0]}), "result"),
    ],
)
def test_changed_records(change: Callable[[Json], Any], message: str) -> None:
    """A record that was changed is refused with the place, and the match goes on as it was."""
    referee = started()
    ask(referee, "play", seat=0, action="move 2")
    before = standing(referee)
    record = deepcopy(before[1]["record"])
    change(record)
    answer = ask(referee, "record", record=record)
    assert "bad_record" == code(answer)
    assert message in answer["error"]["message"]
    assert before == standing(referee)


def test_our_own_mistakes_are_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception nobody foresaw is told as one, and the referee goes on."""

    def broken(*_: Any) -> str:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(type(ui(FANTOME).english), "label", broken)
    referee = Referee(FANTOME)
    ask(referee, "deal")
    error = ask(referee, "legal", seat=0, id=5)
    assert (5, INTERNAL, "ZeroDivisionError") == (error["id"], code(error), error["error"]["type"])
    assert "secret" not in json.dumps(error)
    assert ask(referee, "score")["ok"]


def test_the_inspector_cannot_tell_the_identity() -> None:
    """Deals that differ in the identity alone give the inspector and a spectator the same bytes, errors included."""

    def everything(identity: int, seat: int | None) -> list[str]:
        referee = Referee(FANTOME)
        ask(referee, "deal", draws=[*DRAWS[:8], identity, *DRAWS[9:]])
        told = []
        for step in (None, "pick meg", "move 2"):
            if step:
                told.append(referee.answer(json.dumps({"do": "play", "seat": 0, "action": step})))
            told.append(referee.answer(json.dumps({"do": "view", "seat": seat})))
            told.append(referee.answer('{"do":"score"}'))
            if seat is not None:
                told.append(referee.answer(json.dumps({"do": "legal", "seat": seat})))
                for action in range(FANTOME.rules.ACTIONS.size):
                    told.append(referee.answer(json.dumps({"do": "why", "seat": seat, "action": action})))
                told.append(referee.answer(json.dumps({"do": "play", "seat": seat, "action": "dark 3"})))
        return told

    for identity in range(1, 8):
        assert everything(0, 0) == everything(identity, 0)
        assert everything(0, None) == everything(identity, None)
        assert everything(0, 1) != everything(identity, 1)


# The loop.


def served(data: bytes) -> list[Json]:
    """The answers to some input, by the loop itself."""
    out = io.BytesIO()
    serve(FANTOME, io.BytesIO(data), out)
    assert out.getvalue() == b"" or out.getvalue().endswith(b"\n")
    return [json.loads(line) for line in out.getvalue().split(b"\n")[:-1]]


def test_serve_answers_line_by_line() -> None:
    """Every line has an answer, in order, an empty one too; the last line need not be ended, and no input is no answer."""
    answers = served(b'{"do":"deal","seed":7}\n\n\xff\xfe\n{"do":"score"}\r\n{"do":"hello"}')
    assert ["", "bad_json", "bad_json", "", ""] == [code(answer) for answer in answers]
    assert "fantome" == answers[-1]["game"]
    assert [] == served(b"")


def test_serve_skips_what_is_too_long() -> None:
    """A line may have 1 MiB and not a byte more; what is skipped is the line alone."""
    fits = b'{"do":"hello","id":"' + b"x" * (LONGEST - 22) + b'"}'
    assert 1 << 20 == LONGEST == len(fits)
    answers = served(fits + b"\n" + fits + b" \n" + fits * 3 + b'\n{"do":"hello"}\n' + fits + b" ")
    assert ["", "too_long", "too_long", "", "too_long"] == [code(answer) for answer in answers]
    assert [""] == [code(answer) for answer in served(fits)]


class Flood(io.RawIOBase):
    """64 MiB without an end of line, then a request."""

    def __init__(self) -> None:
        self.left = 64 << 20
        self.tail = b'\n{"do":"hello"}\n'

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.left:
            count = min(len(buffer), self.left)
            buffer[:count] = b"x" * count
            self.left -= count
            return count
        count = min(len(buffer), len(self.tail))
        buffer[:count], self.tail = self.tail[:count], self.tail[count:]
        return count


def test_serve_does_not_hold_what_is_too_long() -> None:
    """Skipping 64 MiB takes the memory of a few lines."""
    out = io.BytesIO()
    tracemalloc.start()
    try:
        serve(FANTOME, io.BufferedReader(Flood()), out)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ["too_long", ""] == [code(json.loads(line)) for line in out.getvalue().splitlines()]
    assert peak < 8 << 20


def test_serve_sends_each_answer_at_once() -> None:
    """After every answer the output is flushed, before the next line is read."""
    told: list[str] = []

    class Input(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            told.append("read")
            return super().readline(size)

    class Output(io.BytesIO):
        def flush(self) -> None:
            told.append(f"sent {len(self.getvalue().splitlines())}")

    serve(FANTOME, Input(b'{"do":"hello"}\nnonsense\n'), Output())
    assert ["read", "sent 1", "read", "sent 2", "read"] == told


# A real process.

PROGRAM = """
import sys
from ridotto.games import GAMES
from ridotto.present.referee import serve
serve(GAMES[sys.argv[1]], sys.stdin.buffer, sys.stdout.buffer)
"""


@contextmanager
def process(name: str) -> Iterator[Callable[..., Json]]:
    """A referee in a process of its own: a function that asks it. At the end it must have ended well, and in silence."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        given, told = child.stdin, child.stdout

        def put(do: str, **keys: Any) -> Json:
            given.write(json.dumps({"do": do, **keys}).encode() + b"\n")
            given.flush()
            answer = json.loads(told.readline())
            assert isinstance(answer, dict)
            return answer

        watchdog = threading.Timer(120, child.kill)
        watchdog.start()
        try:
            yield put
            given.close()
            assert b"" == told.read()
            assert b"" == child.stderr.read()
            assert 0 == child.wait()
        finally:
            watchdog.cancel()
            child.kill()


@pytest.mark.parametrize("matches", [5, pytest.param(60, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
def test_whole_matches_through_a_pipe(name: str, matches: int) -> None:
    """Random matches go from deal to end by requests alone, with steps back, positions and records on the way."""
    chance = random.Random(name)
    with process(name) as put:
        for match in range(matches):
            answer = put("deal", players=chance.choice(put("hello")["seats"]), **({"seed": match} if match % 2 else {}))
            while not answer["over"]:
                seat = chance.choice(answer["to_act"])
                action = chance.choice(put("legal", seat=seat)["actions"])
                assert put("why", seat=seat, action=action["notation"])["allowed"]
                before = put("position")["position"]
                answer = put("play", seat=seat, action=action[chance.choice(["id", "notation"])])
                assert answer["ok"]
                assert answer["ply"] == put("view", seat=None, since=answer["ply"])["view"]["ply"]
                if chance.random() < 0.1:
                    answer = put("undo")
                    assert before == put("position")["position"]
                elif chance.random() < 0.1:
                    record, position = put("record")["record"], put("position")["position"]
                    assert put("position", position=position)["ok"]
                    assert position == put("position")["position"]
                    answer = put("record", record=record)
                    assert (record, position) == (put("record")["record"], put("position")["position"])
            score = put("score")
            assert score["over"]
            assert score["winners"] == put("record")["record"]["result"]["winners"]
            position = put("position")["position"]
            assert put("position", position=position)["over"]
            assert score == put("score")


def rubbish(chance: random.Random, good: list[bytes]) -> bytes:
    """A line that is most likely no request: noise, JSON of no use, or a request with a byte changed or cut."""
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(40)).replace(b"\n", b"")
    if kind == 1:
        return chance.choice([b"", b"null", b"[]", b"{}", b'"', b"[" * 2000, b"NaN", b"1e400", b'{"do":{}}', b"\xff\xfe\x00"])
    if kind == 2:
        do, key = chance.choice([*REQUESTS, "x"]), chance.choice([*KEYS, "id", "x"])
        value = chance.choice([None, True, -1, 0, 1, 2, 1.5, 10**40, "", "pick meg", "fr", [], [0], {}, {"a": [1]}])
        return json.dumps({"do": do, key: value}).encode()
    line = bytearray(chance.choice(good))
    at = chance.randrange(len(line))
    if kind == 3:
        line[at] = chance.choice(b' {}[],:"0123456789aeiou\xc3\x00\\')
    else:
        del line[at : at + chance.randrange(1, 9)]
    return bytes(line)


@pytest.mark.parametrize("count", [25_000, pytest.param(300_000, marks=pytest.mark.soak)])
def test_lines_of_rubbish(count: int) -> None:
    """Rubbish among requests, through a real pipe: an answer to each line, none of them our mistake, and it plays on."""
    chance = random.Random(2)
    referee = started()
    good = [json.dumps({"do": do, **keys}).encode() for do, keys in GOOD.items()]
    good += [json.dumps({"do": key, key: ask(referee, key)[key]}).encode() for key in ("position", "record")]
    lines = [chance.choice(good) if chance.random() < 0.1 else rubbish(chance, good) for _ in range(count)]
    last = [b'{"do":"deal","seed":7,"id":"last"}', b'{"do":"legal","seat":0}']
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "fantome"], input=b"\n".join([*lines, *last, b""]), capture_output=True, timeout=300
    )
    assert (0, b"") == (done.returncode, done.stderr)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert count + 2 == len(answers)
    codes = {code(answer) for answer in answers}
    assert INTERNAL not in codes
    assert codes >= {"", "bad_json", "bad_request", "bad_setup", "bad_notation", "illegal_action", "bad_record"}
    assert {"ok": True, "id": "last", "ply": 1, "to_act": [0], "over": False} == answers[-2]
    fresh = Referee(FANTOME)
    ask(fresh, "deal", seed=7)
    assert ask(fresh, "legal", seat=0) == answers[-1]


# Whatever Hypothesis thinks of.

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from([*REQUESTS, *KEYS, "id", "fr", "pick meg", "move 2", "undo 0", "undo 99", "resign", "?", "yes", "9"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)
FUZZ = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def survives(referee: Referee, line: str | bytes) -> Json:
    """An answer to anything: never our mistake; after an error everything stands as it did."""
    before = standing(referee)
    answer = send(referee, line)
    assert INTERNAL != code(answer), answer
    if not answer["ok"]:
        assert before == standing(referee)
    return answer


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


def changed(draw: Callable[[st.SearchStrategy[Any]], Any], document: Json, values: st.SearchStrategy[Any]) -> Json:
    """A document with something in it replaced, taken out or put in."""
    document = deepcopy(document)
    *path, key = draw(st.sampled_from(list(places(document))))
    at: Any = document
    for step in path:
        at = at[step]
    how = draw(st.sampled_from(["replace", "replace", "take out", "put in"]))
    if how == "replace":
        at[key] = draw(values)
    elif how == "take out":
        del at[key]
    elif isinstance(at, dict):
        at[draw(st.text(max_size=4) | st.sampled_from([*KEYS, "position"]))] = draw(values)
    else:
        at.insert(key, draw(values))
    return document


@FUZZ
@given(st.binary(max_size=60) | st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_bytes(line: str | bytes) -> None:
    """No bytes and no text are more than an error."""
    assert not survives(started(), line)["ok"]


@FUZZ
@given(VALUES | st.dictionaries(st.sampled_from(["do", "id", *KEYS]), VALUES, max_size=5))
def test_any_json(value: Any) -> None:
    """Any JSON is answered."""
    survives(started(), json.dumps(value))


@FUZZ
@given(st.data())
def test_any_changed_request(data: st.DataObject) -> None:
    """Requests with something changed, one after another in one match, are answered, each on its own merits."""
    referee = started()
    for _ in range(data.draw(st.integers(1, 6))):
        do = data.draw(st.sampled_from(list(GOOD)))
        survives(referee, json.dumps(changed(data.draw, {"do": do, **GOOD[do]}, VALUES)))
        survives(referee, json.dumps({"do": do, **GOOD[do]}))


def somewhere(chance: random.Random) -> Referee:
    """A match in the middle, or at its end."""
    referee = Referee(FANTOME)
    answer = ask(referee, "deal", seed=chance.getrandbits(40), options={"handicap": chance.randint(-3, 3)})
    for _ in range(chance.randrange(90)):
        if answer["over"]:
            break
        seat = answer["to_act"][0]
        answer = ask(referee, "play", seat=seat, action=chance.choice(ask(referee, "legal", seat=seat)["actions"])["id"])
    return referee


def is_unicode(value: Any) -> bool:
    """Whether all its text can be sent."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def leaf(field: Field) -> st.SearchStrategy[Any]:
    """Values that a field may nearly hold."""
    if field.kind.is_set:
        return st.lists(st.sampled_from(field.kind.names), max_size=8)
    if field.kind.names:
        return st.sampled_from([*field.kind.names, None])
    return st.integers(field.low - 1, field.top + 1)


@FUZZ
@given(st.randoms(use_true_random=False), st.data())
def test_any_changed_position(chance: random.Random, data: st.DataObject) -> None:
    """A position with fields changed is refused, or it is one: then it reads back the same and can be played to its end."""
    referee = somewhere(chance)
    position = ask(referee, "position")["position"]
    for field in data.draw(st.lists(st.sampled_from(FANTOME.rules.FIELDS), min_size=1, max_size=3)):
        if field.of:
            position[field.name][data.draw(st.sampled_from(field.of[0].names))] = data.draw(leaf(field))
        else:
            position[field.name] = data.draw(leaf(field))
    if data.draw(st.integers(0, 4)) == 0:
        position = changed(data.draw, position, VALUES)
    answer = survives(referee, json.dumps({"do": "position", "position": position}))
    if not answer["ok"]:
        assert ("bad_position" if is_unicode(position) else "bad_json") == code(answer)
        return
    read = ask(referee, "position")["position"]
    for name, value in position.items():
        assert (sorted(value) if isinstance(value, list) else value) == (
            sorted(read[name]) if isinstance(read[name], list) else read[name]
        )
    for seat in (0, 1, None):
        assert ask(referee, "view", seat=seat)["ok"]
    dice = random.Random(chance.getrandbits(32))  # from here on the draws are new every time, and not hypothesis's to repeat
    while not answer["over"]:
        seat = answer["to_act"][0]
        answer = ask(referee, "play", seat=seat, action=dice.choice(ask(referee, "legal", seat=seat)["actions"])["id"])
    assert ask(referee, "score")["winners"]


@FUZZ
@given(st.randoms(use_true_random=False), st.data(), st.booleans())
def test_any_changed_record(chance: random.Random, data: st.DataObject, chained: bool) -> None:
    """A record with something changed is refused; with its hashes made anew as well, it is refused or reads back the same."""
    referee = somewhere(chance)
    if chance.random() < 0.3:
        ask(referee, "position", position=ask(referee, "position")["position"])
    if chance.random() < 0.3:
        ask(referee, "undo")
    before = ask(referee, "record")["record"]
    record = changed(data.draw, before, VALUES)
    if chained:
        try:
            head = digest({key: record[key] for key in RECORD_KEYS[:7]})
            for entry in record["entries"]:
                head = entry["hash"] = link(head, digest({key: value for key, value in entry.items() if key != "hash"}))
            record["head"] = head
        except (LookupError, TypeError, AttributeError, UnicodeError):
            pass  # something in it cannot be hashed any more
    answer = survives(referee, json.dumps({"do": "record", "record": record}))
    if answer["ok"]:
        assert record == ask(referee, "record")["record"]
        assert chained or record | {"names": []} == before | {"names": []}


# The document.


def session() -> list[tuple[str, str]]:
    """The lines sent and answered in the document."""
    block = DOCUMENT.read_text("utf-8").split("```text\n")[1].split("```")[0]
    lines = block.splitlines()
    return [
        (line[2:], lines[i + 1][2:] if lines[i + 1 : i + 2] and lines[i + 1][0] == "<" else "")
        for i, line in enumerate(lines)
        if line[0] == ">"
    ]


def without_chance(value: Any) -> Any:
    """An answer with what differs from run to run blanked: times, salts, hashes."""
    if isinstance(value, dict):
        return {k: "…" if k in ("time", "salt", "hash", "head") else without_chance(one) for k, one in value.items()}
    return [without_chance(one) for one in value] if isinstance(value, list) else value


def test_the_session_in_the_document() -> None:
    """The document's requests give the document's answers, and show every request. (To write them anew, run this file.)"""
    referee = Referee(FANTOME)
    asked = set()
    for request, answer in session():
        assert without_chance(json.loads(answer)) == without_chance(send(referee, request)), request
        assert answer.isascii()
        asked |= {json.loads(request)["do"]} if request.startswith("{") else set()
    assert set(REQUESTS) == asked


def test_the_tables_in_the_document() -> None:
    """The document lists every request with its keys, and every code, in the order of the program."""
    text = DOCUMENT.read_text("utf-8")
    rows = [row for row in re.findall(r"^\| `(\w+)` \| (.*?) ?\|", text, re.MULTILINE) if row[0] not in ("do", "code")]
    keys = {
        do: " ".join([*(f"`{key}`" for key in one.needs), *(f"[`{key}`]" for key in one.takes)]) for do, one in REQUESTS.items()
    }
    assert list(keys.items()) == rows[: len(keys)]
    assert [*CODES.values(), INTERNAL] == [name for name, _ in rows[len(keys) :]]
    assert f"{LONGEST:,} bytes" in text
    assert f"more than {DEEPEST} values" in text


def write_session() -> None:
    """Put what the referee answers now under each request of the document."""
    referee = Referee(FANTOME)
    lines: list[str] = []
    last: Json = {}
    for request, _ in session():
        for key in ("position", "record"):
            if request.startswith(f'{{"do":"{key}","{key}"'):
                request = json.dumps({"do": key, key: last[key]}, separators=(",", ":"))
        answer = referee.answer(request)
        last |= json.loads(answer)
        lines += [f"> {request}\n", f"< {answer}\n"]
    before, _, rest = DOCUMENT.read_text("utf-8").partition("```text\n")
    DOCUMENT.write_text(f"{before}```text\n{''.join(lines)}```{rest.partition('```')[2]}", "utf-8")


if __name__ == "__main__":
    write_session()
