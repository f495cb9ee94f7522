"""A match checks everything it is asked to do, and shows each seat what it may know."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from ridotto.core.errors import BadDraws, BadNotation, BadPosition, BadSetup, IllegalAction, UnknownGame
from ridotto.core.match import Entry, Match
from ridotto.core.view import Legal, View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES, find
from ridotto.games.fantome.ui.messages import CHARACTERS
from ridotto.present import views
from ridotto.present.ui import english

GAME = GAMES["fantome"]
INSPECTOR, PHANTOM = 0, 1
NAMES = ("raoul", "meg", "giry", "buquet", "christine", "moncharmin", "richard", "persan")
DEAL = (0,) * 13
"""Draws that put the characters in rooms 0, 1, 2, 3, 4, 7, 8, 9 in the fixed order, Raoul being the phantom."""


def dealt(identity: int = 0) -> Match:
    """That deal, with another phantom if told so."""
    return Match(GAME, draws=[*DEAL[:8], identity, *DEAL[9:]], clock=lambda: 1_000_000_000.0)


def played(match: Match, *actions: str) -> Match:
    """Play these actions."""
    for action in actions:
        match.play(action)
    return match


def at_random(seed: int, plies: int = 1000) -> Match:
    """Random play from a seed, to the end or to a ply."""
    match = Match(GAME, seed=seed, clock=lambda: 0.0)
    chooser = random.Random(seed)
    while match.to_act and match.ply < plies:
        match.play(chooser.choice(match.legal()))
    return match


# Dealing.


def test_a_new_match() -> None:
    """A match begins with its deal as entry 0 and says what it is."""
    match = dealt()
    assert "<Match of fantome, 2 seats, ply 1>" == repr(match)
    assert (1, 2, {"handicap": 0}, (INSPECTOR,), None) == (match.ply, match.seats, match.options, match.to_act, match.outcome)
    (entry,) = match.entries
    assert (None, "deal", DEAL, "2001-09-09T01:46:40Z", None) == (entry.seat, entry.do, entry.draws, entry.time, entry.position)
    match.resign(PHANTOM)
    assert "<Match of fantome, 2 seats, ply 2, over>" == repr(match)


def test_seeds_reproduce() -> None:
    """The same seed gives the same match, draws, salts and all; another seed another one."""
    one, other = at_random(5), at_random(5)
    assert (one.entries, one.row, one.outcome) == (other.entries, other.row, other.outcome)
    assert len({tuple(Match(GAME, seed=seed).row) for seed in range(50)}) > 45
    assert Match(GAME, seed=2**63).row != Match(GAME, seed=2**62).row


def test_unseeded_matches_differ() -> None:
    """Without a seed each match is dealt by chance of its own."""
    matches = [Match(GAME) for _ in range(30)]
    assert 30 == len({tuple(match.row) for match in matches})
    assert 8 >= len({match.position()["identity"] for match in matches}) > 3


def test_a_seed_is_nowhere_to_be_seen() -> None:
    """The seed of a match is in no row, entry or view."""
    match = at_random(987654321987, 30)
    told = repr((match.entries, match.row, [views.as_json(match.view(seat), english(match.game)) for seat in (0, 1, None)]))
    assert "987654321987" not in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 3}, "fantome has 2 seats, not 3"),
        ({"seats": 0}, "fantome has 2 seats, not 0"),
        ({"seats": True}, "fantome has 2 seats, not True"),
        ({"seats": "2"}, "fantome has 2 seats, not '2'"),
        ({"options": {"handicap": 4}}, "option 'handicap' takes -3 to 3 (§2.6), not 4"),
        ({"options": {"handicap": "1"}}, "option 'handicap' takes -3 to 3 (§2.6), not '1'"),
        ({"options": {"handicap": True}}, "option 'handicap' takes -3 to 3 (§2.6), not True"),
        ({"options": {"wind": 1}}, "fantome has no option 'wind'; it has: handicap"),
    ],
)
def test_a_setup_that_the_game_does_not_have(arguments: dict[str, Any], message: str) -> None:
    """Seats and options are checked, and the refusal says what there is."""
    with pytest.raises(BadSetup) as caught:
        Match(GAME, **arguments)
    assert message == str(caught.value)


def test_draws_that_do_not_fit() -> None:
    """Told draws must be as many as are made, each within its range."""
    with pytest.raises(BadDraws, match=r"^draw 1 is missing: one of 0 to 7$"):
        Match(GAME, draws=[])
    with pytest.raises(BadDraws, match=r"^14 draws are given but 13 are made$"):
        Match(GAME, draws=[*DEAL, 0])
    match = dealt()
    with pytest.raises(BadDraws, match=r"^1 draws are given but 0 are made$"):
        match.play("pick meg", entry=Entry(0, "pick meg", (0,)))
    assert (1, "pick") == (match.ply, match.position()["asked"])


@pytest.mark.parametrize(("at", "outcomes"), [(0, 8), (3, 5), (8, 8), (12, 5)])
def test_an_impossible_draw_is_named(at: int, outcomes: int) -> None:
    """The refusal names the draw that is out of range, with its value and what it may be."""
    with pytest.raises(BadDraws, match=f"^draw {at + 1} is 77, not one of 0 to {outcomes - 1}$"):
        Match(GAME, draws=[*DEAL[:at], 77, *DEAL[at + 1 :]])


def test_unknown_games() -> None:
    """A game that is not there is refused with the nearest name, or with all there are."""
    assert GAME is find("fantome")
    with pytest.raises(UnknownGame, match=r"^unknown game 'fantom'; did you mean 'fantome'\?$"):
        find("fantom")
    with pytest.raises(UnknownGame, match=r"^unknown game 'chess'; there are: fantome"):
        find("chess")


# Legal actions, and playing them.


def test_legal_is_a_sequence() -> None:
    """Legal actions iterate, count, answer `in` for notation and ids, and are in ascending order of ids."""
    legal = dealt().legal()
    assert ["pick raoul", "pick meg", "pick giry", "pick buquet"] == list(legal)
    assert (4, "pick raoul", "pick buquet", (0, 1, 2, 3)) == (len(legal), legal[0], legal[-1], legal.ids)
    answers: dict[object, bool] = {"pick meg": True, 1: True, "pick persan": False, 7: False, "nonsense": False}
    assert answers == {action: action in legal for action in answers}
    assert "<Legal: pick raoul, pick meg, pick giry, pick buquet>" == repr(legal)
    assert "<Legal: nothing>" == repr(Legal(GAME, ()))


def test_legal_of_a_seat() -> None:
    """Only who is to act has legal actions."""
    match = dealt()
    assert list(match.legal()) == list(match.legal(INSPECTOR))
    assert [] == list(match.legal(PHANTOM))


def test_play_by_notation_or_id() -> None:
    """An action is played by its notation, however it is spaced and cased, or by its id."""
    rows = []
    for action in ("pick meg", " PICK   Meg ", 1):
        match = dealt()
        match.play(action)
        rows.append(match.row)
        assert ("pick meg", INSPECTOR) == (match.entries[-1].do, match.entries[-1].seat)
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            "xyzzy",
            "'xyzzy' names no action of fantome; verbs: pick, move, lock, use, decline, alone, dark, send, leave, swap, take",
        ),
        (-1, "fantome has actions 0 to 77, not -1"),
        (78, "fantome has actions 0 to 77, not 78"),
        (True, "fantome has actions 0 to 77, not True"),
        (1.0, "fantome has actions 0 to 77, not 1.0"),
        (None, "fantome has actions 0 to 77, not None"),
    ],
)
def test_what_names_no_action(action: Any, message: str) -> None:
    """Text and numbers that name nothing are refused with near matches, verbs or the range."""
    match = dealt()
    for ask in (match.play, match.why):
        with pytest.raises(BadNotation) as caught:
            ask(action)
        assert message == str(caught.value)
    assert 1 == match.ply


def test_near_matches() -> None:
    """The nearest notation comes first in a hint."""
    for wrong, right in (("pick megg", "pick meg"), ("lok 0-1", "lock 0-1"), ("Swap Raul", "swap raoul"), ("usee", "use")):
        with pytest.raises(BadNotation, match=rf"did you mean '{right}'"):
            dealt().play(wrong)


def test_an_illegal_action_says_everything() -> None:
    """What was tried, by whom, at which ply, why with its §, and what would do."""
    match = dealt()
    with pytest.raises(IllegalAction) as caught:
        match.play("pick persan")
    assert caught.value.refusal is not None
    assert (
        f"illegal action 'pick persan' by seat 0 at ply 1: {english(GAME).refusal(caught.value.refusal)} (§3.1); "
        "legal: 'pick raoul', 'pick meg', 'pick giry', 'pick buquet'"
    ) == str(caught.value)
    assert caught.value.refusal == match.why("pick persan")
    with pytest.raises(IllegalAction) as caught:
        match.play(1, PHANTOM)
    assert caught.value.refusal is not None
    why = english(GAME).refusal(caught.value.refusal)
    assert f"illegal action 'pick meg' by seat 1 at ply 1: {why} (§3.2); legal: nothing" == str(caught.value)


def test_a_long_list_of_legal_actions_is_cut() -> None:
    """Of more than twelve legal actions the first twelve are told, and how many more there are."""
    position = dealt().position()
    position |= {"offered": ["richard", *NAMES[:3]], "pile": ["buquet", "christine", "moncharmin", "persan"]}
    position["place"] = dict.fromkeys(NAMES, "0")
    match = played(Match(GAME, position=position), "pick richard")
    assert 9 + 1 == len(match.legal())
    position["place"] |= {"raoul": "5", "meg": "5", "giry": "5"}
    match = played(Match(GAME, position=position), "pick richard")
    assert 9 + 4 == len(match.legal())
    with pytest.raises(IllegalAction, match=r"legal: 'move 1', .*'swap giry' and 1 more$"):
        match.play("move 0")


def test_a_refusal_changes_nothing() -> None:
    """Whatever is refused leaves row, log, events and views as they were, and the dice too."""
    match = at_random(9, 20)
    before = match.row, list(match.entries), list(match.events), views.as_json(match.view(0), english(match.game))
    for action in range(GAME.rules.ACTIONS.size):
        for seat in (INSPECTOR, PHANTOM):
            if action not in match.legal(seat).ids:
                with pytest.raises(IllegalAction):
                    match.play(action, seat)
    for wrong in ("nonsense", 999):
        with pytest.raises(BadNotation):
            match.play(wrong)
    assert before == (match.row, match.entries, match.events, views.as_json(match.view(0), english(match.game)))
    chooser = random.Random(1)
    other = at_random(9, 20)
    action = chooser.choice(match.legal())
    match.play(action)
    other.play(action)
    assert match.row == other.row


def test_why() -> None:
    """What is legal has no refusal; what is not has a reason, a § and a sentence."""
    match = dealt()
    assert None is match.why("pick meg") is match.why(1, INSPECTOR)
    refusal = match.why("move 3")
    assert refusal is not None
    assert ("not_asked", "3.3") == (refusal.reason, refusal.section)
    text = english(GAME).refusal(refusal)
    assert text and text == text.strip()
    assert ["pick meg"] == [text for text in ("pick meg", "pick persan", "move 3") if match.why(text) is None]


@pytest.mark.parametrize("seat", [2, -1, True, "0", 1.0])
def test_there_is_no_such_seat(seat: Any) -> None:
    """A seat that is not at the table is refused, wherever it is named."""
    match = dealt()
    for ask in (
        lambda: match.play("pick meg", seat),
        lambda: match.why("pick meg", seat),
        lambda: match.legal(seat),
        lambda: match.view(seat),
        lambda: match.resign(seat),
    ):
        with pytest.raises(BadSetup, match=f"^there are seats 0 to 1, not {seat!r}$"):
            ask()


def test_every_error_is_ours() -> None:
    """All refusals are RidottoErrors, and also what Python programmers expect."""
    for error in (IllegalAction, BadNotation, BadPosition, BadDraws, BadSetup):
        assert issubclass(error, RidottoError) and issubclass(error, ValueError)
    assert issubclass(UnknownGame, RidottoError) and issubclass(UnknownGame, LookupError)


# When it is over.


def test_nothing_is_played_after_the_end() -> None:
    """A finished match has nobody to act and nothing legal, and refuses actions and resigning."""
    match = at_random(3)
    assert match.outcome is not None
    assert ((), []) == (match.to_act, list(match.legal()))
    with pytest.raises(IllegalAction, match=r"the match is over \(§7\); legal: nothing$"):
        match.play("pick meg", INSPECTOR)
    with pytest.raises(BadSetup, match=r"^say which seat: the match is over$"):
        match.play("pick meg")
    with pytest.raises(IllegalAction, match=f"^illegal action 'resign' by seat 0 at ply {match.ply}: the match is over"):
        match.resign(INSPECTOR)


def test_resigning() -> None:
    """To resign is an entry of the log and an event with its §; the match is over and the other has won."""
    match = played(dealt(), "pick meg")
    before = match.row
    match.resign(PHANTOM)
    assert match.outcome is not None
    assert ("resigned", "7.3", (INSPECTOR,)) == (match.outcome.ending, match.outcome.section, match.outcome.winners)
    assert (before, 3, ()) == (match.row, match.ply, match.to_act)
    assert ("resign", PHANTOM, ()) == (match.entries[-1].do, match.entries[-1].seat, match.entries[-1].draws)
    expected = {"ply": 2, "event": "resigned", "section": "7.3", "args": {"seat": 1}, "text": "The phantom resigns."}
    assert expected == views.events(match.view(None), english(match.game))[-1]
    refusal = match.why("move 2", INSPECTOR)
    assert refusal is not None
    assert ("over", "7.3", "the match is over") == (refusal.reason, refusal.section, english(GAME).refusal(refusal))
    with pytest.raises(IllegalAction, match=r"the match is over \(§7\.3\); legal: nothing$"):
        match.play("move 2", INSPECTOR)


def test_a_late_resignation_is_refused_in_the_house_form() -> None:
    """Resigning after the end is refused with its § and with what would do, like any other action."""
    match = dealt()
    match.resign(INSPECTOR)
    with pytest.raises(IllegalAction) as caught:
        match.resign(PHANTOM)
    assert "illegal action 'resign' by seat 1 at ply 2: the match is over (§7.3); legal: nothing" == str(caught.value)


def test_an_outcome_is_plain_data() -> None:
    """An outcome says how it ended, who won, and every part of every score."""
    match = at_random(3)
    assert match.outcome is not None
    winner = match.outcome.winners[0]
    assert {
        "ending": match.outcome.ending,
        "section": "7.1" if winner == INSPECTOR else "7.2",
        "winners": [winner],
        "scores": [1 - winner, winner],
        "parts": [{"win": 1 - winner}, {"win": winner}],
    } == json.loads(json.dumps(match.outcome.json()))


# Taking back.


def test_undo_is_an_entry() -> None:
    """To take back adds to the log, and the match stands as it did before the last action."""
    match = played(dealt(), "pick meg")
    before = match.row
    played(match, "move 5")
    match.undo()
    assert (before, 4, "undo 1", None) == (match.row, match.ply, match.entries[-1].do, match.entries[-1].seat)
    expected = {
        "ply": 3,
        "event": "undone",
        "section": "",
        "args": {"ply": 1},
        "text": "Move taken back.",
    }
    assert expected == views.events(match.view(0), english(match.game))[-1]
    assert "move 5" in match.legal()


def test_undo_to_an_entry() -> None:
    """To any entry in effect, and then further back; what was taken back is no longer in effect."""
    match = played(dealt(), "pick meg", "move 5", "pick giry", "lock 0-1")
    match.undo(2)
    assert ["pick raoul", "pick giry", "pick buquet"] == list(match.legal())
    with pytest.raises(BadSetup, match=r"^cannot undo to entry 3; in effect are: 0, 1$"):
        match.undo(3)
    with pytest.raises(BadSetup, match=r"^cannot undo to entry 2; in effect are: 0, 1$"):
        match.undo(2)
    played(match, "pick buquet")
    match.undo()
    match.undo()
    match.undo()
    assert (dealt().row, 10) == (match.row, match.ply)
    with pytest.raises(BadSetup, match=r"^there is nothing to undo$"):
        match.undo()
    with pytest.raises(BadSetup, match=r"^there is nothing to undo$"):
        dealt().undo(0)


@pytest.mark.parametrize("to", [-1, 5, "0", None])
def test_undo_to_nowhere(to: Any) -> None:
    """An entry that is not in effect is refused; none named is the one before."""
    match = played(dealt(), "pick meg", "move 5")
    if to is None:
        match.undo(to)
        assert "undo 1" == match.entries[-1].do
    else:
        with pytest.raises(BadSetup, match=f"^cannot undo to entry {to!r}; in effect are: 0, 1$"):
            match.undo(to)


def test_undo_takes_back_an_end() -> None:
    """A resignation and an ending by the rules can be taken back, and the secrets are closed again."""
    match = at_random(3)
    last = match.entries[-1]
    for _ in range(2):
        assert match.view().outcome is not None
        match.undo()
        assert [last.seat] == list(match.to_act)
        assert ("?", None) == (match.view(INSPECTOR).position["identity"], match.view(INSPECTOR).outcome)
        match.resign(PHANTOM)
    match.undo()
    match.play(last.do)


# Positions.


def test_positions_there_and_back() -> None:
    """At every ply the position is plain JSON that lays out the same table, with the same question and answers."""
    for seed in range(12):
        match = at_random(seed, 1)
        chooser = random.Random(seed)
        while True:
            position = json.loads(json.dumps(match.position()))
            placed = Match(GAME, position=position)
            assert (match.row, position) == (placed.row, placed.position())
            assert (match.to_act, match.legal().ids, match.outcome) == (placed.to_act, placed.legal().ids, placed.outcome)
            assert (1, "position", position) == (placed.ply, placed.entries[0].do, placed.entries[0].position)
            assert match.options == placed.options
            if not match.to_act:
                break
            match.play(chooser.choice(match.legal()))


def test_a_position_with_secrets_out_is_no_position() -> None:
    """What a seat sees cannot be laid out: the hidden fields are named."""
    with pytest.raises(BadPosition) as caught:
        Match(GAME, position=dealt().view(INSPECTOR).position)
    assert ["'identity'", "'held'"] == [fault.split()[1] for fault in caught.value.faults]


# Views.


def test_a_view_is_plain_data() -> None:
    """A view is JSON with the same keys for everybody, and goes through text unharmed."""
    keys = "game rules seats seat ply to_act question row position actions events outcome"
    match = at_random(2, 17)
    for seat in (INSPECTOR, PHANTOM, None):
        view = views.as_json(match.view(seat), english(match.game))
        assert keys.split() == list(view)
        assert view == json.loads(json.dumps(view))
        assert ("fantome", 1, 2, seat, 17) == tuple(view[key] for key in ("game", "rules", "seats", "seat", "ply"))
        assert list(match.to_act) == view["to_act"]


def test_actions_of_a_view() -> None:
    """Who is to act gets each legal action with id, notation, label and §; the other and a spectator get none."""
    match = dealt()
    view = match.view(INSPECTOR)
    expected = [(0, "pick raoul"), (1, "pick meg"), (2, "pick giry"), (3, "pick buquet")]
    assert [
        {"id": i, "notation": notation, "label": english(GAME).label(view.row, INSPECTOR, i), "section": "3.3"}
        for i, notation in expected
    ] == views.actions(view, english(view.game))
    assert [] == views.actions(match.view(PHANTOM), english(match.game)) == views.actions(match.view(None), english(match.game))
    assert ((), ()) == (match.view(PHANTOM).legal, match.view(None).legal)


def test_every_action_has_a_label_and_every_question_a_sentence() -> None:
    """Labels differ from one another at each decision, and questions name who is asked."""
    questions = Counter[str]()
    for seed in range(40):
        match = at_random(seed, 1)
        chooser = random.Random(seed)
        while match.to_act:
            view = match.view(match.to_act[0])
            labels = [action["label"] for action in views.actions(view, english(view.game))]
            assert len(labels) == len(set(labels)) == len(match.legal())
            assert all(label.strip() and "{" not in label for label in labels)
            assert views.question(view, english(view.game)).startswith(("The inspector ", "The phantom ")[match.to_act[0]])
            assert (
                views.question(view, english(view.game))
                == views.question(match.view(1 - match.to_act[0]), english(match.game))
                == views.question(match.view(None), english(match.game))
            )
            questions[views.question(view, english(view.game)).removeprefix("The inspector ").removeprefix("The phantom ")] += 1
            match.play(chooser.choice(match.legal()))
        assert "The match is over." == views.question(match.view(None), english(match.game))
    # Everybody can be asked to move, and there are eight questions besides.
    assert len(questions) > 8 + 8


def test_events_since_a_ply() -> None:
    """A view tells the events of the entries from the ply asked for on, and all of them by default."""
    match = at_random(4, 25)
    whole = views.events(match.view(PHANTOM), english(match.game))
    assert whole == views.events(match.view(PHANTOM, since=0), english(match.game))
    for since in range(26):
        assert [event for event in whole if event["ply"] >= since] == views.events(
            match.view(PHANTOM, since=since), english(match.game)
        )
    assert [] == views.events(match.view(PHANTOM, since=25), english(match.game))
    assert {0, 1, 24} <= {event["ply"] for event in whole}


def test_the_events_of_a_deal() -> None:
    """Each has its ply, its §, its arguments by name and a sentence."""
    events = views.events(dealt().view(PHANTOM), english(dealt().game))
    assert ["placed"] * 8 + ["darkened", "locked", "masked", "offers"] == [event["event"] for event in events]
    last = {"ply": 0, "event": "placed", "section": "2.3", "args": {"who": "persan", "room": "9"}}
    assert last == {key: value for key, value in events[7].items() if key != "text"}
    cards = {"ply": 0, "event": "offers", "section": "3.1", "args": {"round": 1, "cards": ["raoul", "meg", "giry", "buquet"]}}
    assert cards == {key: value for key, value in events[11].items() if key != "text"}
    assert all(event["text"].strip() and "{" not in event["text"] for event in events)


def secrets_in(view: View) -> list[str]:
    """What a view tells of the identity and the alibis kept, in its row, position or events."""
    F = GAME.rules.FIELDS.F
    told = [name for name in ("identity", "held") if view.row[getattr(F, name)] != HIDDEN or view.position[name] != "?"]
    for event in views.events(view, english(view.game)):
        if event["event"] in ("masked", "keeps"):
            told += [event["text"] for name in CHARACTERS if name.lower() in event["text"].lower()]
            told += [event["args"]["who"]] if event["args"]["who"] != "?" else []
        elif event["event"] in ("caught", "fled"):
            told.append(event["text"])
    return told


def test_secrets_stay_secret_until_the_end() -> None:
    """At every ply the inspector and a spectator know neither who the phantom is nor which alibis are kept."""
    kept = 0
    for seed in range(40):
        match = at_random(seed, 1)
        chooser = random.Random(seed)
        while match.to_act:
            assert [] == secrets_in(match.view(INSPECTOR)) + secrets_in(match.view(None))
            own = match.view(PHANTOM).position
            truth = match.position()
            assert (truth["identity"], truth["held"]) == (own["identity"], own["held"])
            kept += bool(truth["held"])
            match.play(chooser.choice(match.legal()))
        for seat in (INSPECTOR, PHANTOM, None):
            view = match.view(seat)
            assert (match.position(), tuple(match.row), match.outcome) == (view.position, view.row, view.outcome)
            assert views.events(view, english(view.game))[-1]["event"] in ("caught", "fled")
            assert match.position()["identity"] == views.events(view, english(view.game))[-1]["args"]["who"]
    assert kept > 50


def test_everything_is_open_after_resigning() -> None:
    """A match given up hides nothing any more, for nobody."""
    match = at_random(6, 12)
    match.resign(PHANTOM)
    for seat in (INSPECTOR, PHANTOM, None):
        assert (match.position(), tuple(match.row)) == (match.view(seat).position, match.view(seat).row)


def test_worlds_that_a_seat_cannot_tell_apart() -> None:
    """Eight deals that differ in the phantom alone show the inspector and a spectator the same, word for word."""
    for actions in ((), ("pick meg",), ("pick meg", "move 5", "pick giry", "lock 0-1")):
        for seat in (INSPECTOR, None):
            seen = {
                json.dumps(
                    views.as_json(played(dealt(identity), *actions).view(seat), english(played(dealt(identity), *actions).game))
                )
                for identity in range(8)
            }
            assert 1 == len(seen)
        assert 8 == len(
            {
                json.dumps(
                    views.as_json(
                        played(dealt(identity), *actions).view(PHANTOM), english(played(dealt(identity), *actions).game)
                    )
                )
                for identity in range(8)
            }
        )


def test_looking_changes_nothing() -> None:
    """Views, questions, refusals and positions may be asked for at any time, and a row handed out is a copy."""
    match = at_random(8, 20)
    before = match.row
    for seat in (INSPECTOR, PHANTOM, None):
        views.as_json(match.view(seat), english(match.game))
    match.position()["place"]["meg"] = "0"
    match.row[0] = 99
    match.masked(INSPECTOR)[0] = 99
    assert before == match.row
