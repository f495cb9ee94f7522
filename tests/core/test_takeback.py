"""Takebacks: what may be taken back at once, what needs consent, what is dealt anew; and playing on from a moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ridotto.arena.audit import History, Twin
from ridotto.core import record
from ridotto.core.errors import BadSetup
from ridotto.core.match import Match
from ridotto.core.takeback import Takeback, dealt_anew_from, plan_takeback, take_back
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games import GAMES
from ridotto.present import takeback as takebacks
from ridotto.present import views
from ridotto.present.ui import ui

F = GAMES["fantome"].rules.FIELDS.F
SETUPS = [
    ("fantome", 2, {}),
    ("opera", 3, {}),
    ("turandot", 3, {}),
    ("turandot", 4, {"blind": 1}),
]


def playing(game: str, seats: int, options: dict[str, int], seed: int) -> Iterator[Match]:
    """A random match after each of its actions but the last."""
    dice = random.Random(f"{game} {seed}")
    match = Match(GAMES[game], seats, options, seed=seed)
    while True:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
        if not match.to_act:
            return
        yield match


def last_actor(match: Match) -> Seat:
    seat = match.entries[-1].seat
    assert seat is not None
    return seat


def because(match: Match, asked: Takeback, reader: Seat | None = None) -> str:
    """Why a takeback needs consent, in English, for whoever asks or another seat."""
    return takebacks.because(asked, match, ui(match.game).english, asked.seat if reader is None else reader)


# What may be taken back at once.


@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_nobody_can_tell_worlds_apart_after_a_takeback_at_once(game: str, seats: int, options: dict[str, int]) -> None:
    """Two worlds that a seat could not tell apart before an action look the same to it after the action was taken back."""
    assert tell_apart(game, seats, options, range(2)) >= 8


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_nobody_can_tell_many_worlds_apart(game: str, seats: int, options: dict[str, int]) -> None:
    """The same for many matches."""
    assert tell_apart(game, seats, options, range(100, 140)) > 80


def tell_apart(game: str, seats: int, options: dict[str, int], seeds: range) -> int:
    """Compare pairs of worlds before, during and after takebacks at once; how many pairs were compared."""
    pairs = 0
    for seed in seeds:
        *_, match = playing(game, seats, options, seed)
        dice = random.Random(seed)
        history = History(match, dice)
        for eyes in (*range(seats), None):
            for turn in (0, *(history.turn(dice) for _ in range(3))):
                twin = Twin.of(history, turn, eyes, dice)
                pairs += compare(match, twin, eyes)
        # A twin that lasts tells the same all along. Where a step told much, it is also met by twins that need not last.
        for ply in telling(match)[:TELLING]:
            history = History(match.after(ply), dice)
            for eyes in (*range(seats), None):
                pairs += compare(match, Twin.of(history, 0, eyes, dice), eyes)
    return pairs


TELLING = 2


def telling(match: Match) -> list[int]:
    """The steps that may be taken back at once, those that told most first."""
    told = Counter(one.ply for one in match.events)
    found = []
    for ply, _ in told.most_common():
        later, seat = match.after(ply + 1), match.entries[ply].seat
        if ply > 1 and seat is not None and later.to_act and plan_takeback(later, seat).at_once:
            found.append(ply)
            if len(found) == TELLING:
                break
    return found


def compare(match: Match, twin: Twin, eyes: Seat | None) -> int:
    pairs, rules = 0, match.rules
    one = other = match.after(twin.turn)
    for ply, changed in enumerate(twin.entries, twin.turn):
        if ply == 0:
            other = Match(match.game, match.seats, match.options, deal=changed)
        else:
            other = other.after(other.ply)
            other.repeat(changed)
        if ply not in twin.plies or ply + 1 >= match.ply:
            continue
        one, later = match.after(ply + 1), match.after(ply + 2)
        entry = match.entries[ply + 1]
        if one.row == other.row or entry.seat is None or not later.to_act or not plan_takeback(later, entry.seat).at_once:
            continue
        action = match.game.action(entry.do)
        if rules.refuses(other.row, entry.seat, action):
            # Only a choice that these eyes do not see may be impossible in their other world.
            assert eyes != entry.seat and rules.ACTIONS.family(action).audience == "owner"
            continue
        done = other.after(other.ply)
        done.play(action, entry.seat)
        assert sight(later, eyes, ply + 1) == sight(done, eyes, ply + 1)
        for world in (later, done):
            take_back(world, Takeback(entry.seat, world.ply, ply))
        assert sight(later, eyes, ply + 1) == sight(done, eyes, ply + 1)
        assert one.masked(eyes) == later.masked(eyes)
        pairs += 1
    return pairs


def sight(match: Match, eyes: Seat | None, since: int) -> Any:
    return views.as_json(match.view(eyes, since), ui(match.game).english)


def test_a_decision_that_tells_nothing_is_taken_back_at_once() -> None:
    """A picked card of Le Fantôme goes back without anybody's leave, and the match stands as before."""
    match = Match(GAMES["fantome"], seed=7)
    before = match.row
    match.play(match.legal()[0])
    asked = plan_takeback(match, 0)
    assert (0, True, "", None) == (asked.to, asked.at_once, because(match, asked), asked.anew)
    take_back(match, asked)
    assert (before, "undo 0") == (match.row, match.entries[-1].do)


def test_a_pending_bid_is_taken_back_and_the_others_stand() -> None:
    """A hidden bid can be taken back while a bid is still owed; what another has bid meanwhile need not be bid again."""
    match = Match(GAMES["opera"], 3, seed=1)
    match.play("bid 2", 0)
    match.play("bid 3", 1)
    asked = plan_takeback(match, 0)
    assert (True, (2,)) == (asked.at_once, asked.secret_choices)
    take_back(match, asked)
    assert (0, 2) == match.to_act
    bid = match.rules.FIELDS.F.bid
    assert [-1, 3, -1] == match.row[bid : bid + 3]
    match.play("bid 1", 0)
    match.play("bid 0", 2)
    assert match.position()["asked"] != "bid"


def test_the_last_bid_shows_all() -> None:
    """When the last bid is in, all are shown: taking one back needs consent, and then all bid again."""
    match = Match(GAMES["opera"], 3, seed=1)
    for seat, bid in enumerate(("bid 2", "bid 3", "bid 1")):
        match.play(bid, seat)
    asked = plan_takeback(match, 2)
    assert (False, 2, 0, "3.1") == (asked.at_once, asked.to, asked.anew, asked.section(2))
    assert "saw “Red has bid 2 ducats" in because(match, asked)
    take_back(match, asked, anew=True)
    assert (0, 1, 2) == match.to_act
    assert "undo 0" == match.entries[-1].do


def test_nothing_to_take_back() -> None:
    """Who has not acted cannot take anything back, nor can anybody when the match is over."""
    match = Match(GAMES["fantome"], seed=7)
    with pytest.raises(BadSetup, match=r"^no move to take back$"):
        plan_takeback(match, 1)
    match.play(match.legal()[0])
    asked = plan_takeback(match, 0)
    match.resign(1)
    with pytest.raises(BadSetup, match=r"^match is over and nothing is taken back$"):
        plan_takeback(match, 0)
    with pytest.raises(BadSetup, match=r"^match has gone on$"):
        take_back(match, asked)


# What may not.

UNSAFE = [
    *(("fantome", 2, {}, event) for event in ("announces", "clears", "steps", "offers", "shows", "ghost", "keeps")),
    *(("opera", 3, {}, event) for event in ("bids", "offers", "unsold", "opens", "counting")),
    *(("opera", seats, {"screens": 1}, "bids") for seats in (2, 4)),
    *(("turandot", 3, {}, event) for event in ("reveals", "presents", "offers", "removed", "recruits", "overbids", "tied")),
    *(("turandot", 4, {"blind": 1}, event) for event in ("reveals", "presents", "outbid")),
]
"""Events that a draw or a secret has come out with, in the step that told them."""


@pytest.mark.parametrize(("game", "seats", "options", "event"), UNSAFE)
def test_what_was_learned_is_not_taken_back_at_once(game: str, seats: int, options: dict[str, int], event: str) -> None:
    """A step that told of a draw or of somebody's secret is not taken back without consent; the answer says what it was."""
    for seed in range(40):
        for match in playing(game, seats, options, seed):
            told = [one for one in match.events if one.ply == match.ply - 1 and one.event.name == event]
            if told:
                asked = plan_takeback(match, last_actor(match))
                assert not asked.at_once
                assert "saw “" in because(match, asked)
                return
    pytest.fail(f"no match told {event}")


def leak_by_event(rules: Any, s: Any, events: Any) -> None:
    rules.emit(events, rules.E.announces, s[F.identity] & 1)


def leak_by_row(rules: Any, s: Any, events: Any) -> None:
    s[F.dark] = s[F.identity]


def leak_of_alibis(rules: Any, s: Any, events: Any) -> None:
    s[F.padlock] = s[F.held] % 3


def leak_to_the_end(rules: Any, s: Any, events: Any) -> None:
    if s[F.identity] == 2:
        rules.emit(events, rules.E.ghost, 1, 3)


@pytest.mark.parametrize("leak", [leak_by_event, leak_by_row, leak_of_alibis, leak_to_the_end])
def test_a_leak_planted_in_the_rules_is_noticed(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a card picked told of the phantom, whether by an event or by the table alone, it could not be taken back at once."""
    match = Match(GAMES["fantome"], seed=3)
    rules = match.rules
    position = match.position() | {"identity": "meg", "kept": 1, "held": ["raoul"]}
    match = Match(GAMES["fantome"], position=position)
    honest = rules.apply

    def apply(s: Any, seat: Seat, action: int, dice: Any, events: Any) -> None:
        honest(s, seat, action, dice, events)
        leak(rules, s, events)

    match.play(match.legal()[0])
    assert plan_takeback(match, 0).at_once
    take_back(match, plan_takeback(match, 0))
    monkeypatch.setattr(rules, "apply", apply)
    match.play(match.legal()[0])
    asked = plan_takeback(match, 0)
    assert not asked.at_once
    assert because(match, asked)


@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_what_others_have_done_since_is_not_swept_away(game: str, seats: int, options: dict[str, int]) -> None:
    """When somebody else has acted in the open since, it needs their consent."""
    found = 0
    for match in playing(game, seats, options, 5):
        actor = last_actor(match)
        told = any(one.ply == match.ply - 1 for one in match.events)
        for seat in range(seats):
            if seat != actor and told and any(entry.seat == seat for entry in match.entries):
                asked = plan_takeback(match, seat)
                assert not asked.at_once
                assert because(match, asked).startswith(f"{ui(match.game).english.names(asked.acted)} ha")
                found += 1
        if found >= 6:
            break
    assert found >= 6


def test_the_words_keep_secrets() -> None:
    """What a phantom learned of their own alibis is told to the inspector as far as the inspector may know it."""
    for seed in range(200):
        for match in playing("fantome", 2, {}, seed):
            kept = [one for one in match.events if one.ply == match.ply - 1 and one.event.name == "keeps"]
            if kept:
                own, others = because(match, plan_takeback(match, 1)), because(match, plan_takeback(match, 1), 0)
                (name,) = views.events(match.view(1, match.ply - 1), ui(match.game).english)[-1]["text"].split(" of ")[1:]
                assert name in own
                assert name not in others
                return
    pytest.fail("no alibi was kept")


# Dealt anew.


def told_by_the_phantom(seed: int = 0) -> Match:
    """A match in which the inspector has just learned whether the phantom can manifest."""
    for match in playing("fantome", 2, {}, seed):
        if any(one.ply == match.ply - 1 and one.event.name == "announces" for one in match.events):
            return match
    raise AssertionError


def test_what_was_told_is_dealt_anew() -> None:
    """By consent the phantom gets a face by chance among all that were suspected then: what was learned is of no use."""
    match = told_by_the_phantom()
    asked = plan_takeback(match, last_actor(match))
    assert asked.anew == asked.to
    faces: Counter[int] = Counter()
    for seed in range(160):
        again = replay(match, seed)
        take_back(again, asked, anew=True)
        assert ["undo", "redeal"] == [entry.do.split()[0] for entry in again.entries[-2:]]
        assert 0 == again.rules.check(again.row)
        assert match.after(asked.to + 1).masked(None) == again.masked(None)
        assert HIDDEN == again.view(0).row[F.identity]
        faces[again.row[F.identity]] += 1
    suspects = match.row_after(asked.to)[F.suspects]
    assert {who for who in range(8) if suspects >> who & 1} == set(faces)
    assert "Everything hidden is dealt again." == views.events(again.view(0), ui(again.game).english)[-1]["text"]


def replay(match: Match, seed: int) -> Match:
    """The same match with other draws to come."""
    again = Match(match.game, match.seats, match.options, seed=seed, deal=match.entries[0])
    for entry in match.entries[1:]:
        again.repeat(entry)
    return again


def test_a_match_dealt_anew_replays_and_verifies() -> None:
    """The re-deal is an entry with its draws: the record reads back to the same row, and a changed draw is noticed."""
    match = told_by_the_phantom()
    take_back(match, plan_takeback(match, last_actor(match)), anew=True)
    match.play(match.legal()[0])
    document = record.write(match)
    again, _ = record.read(record.parse(record.dump(document)), GAMES)
    assert match.row == again.row
    assert [entry.do for entry in match.entries] == [entry.do for entry in again.entries]
    assert again.after(again.ply).row == match.row
    dealt = next(i for i, entry in enumerate(document["entries"]) if entry["do"] == "redeal")
    assert document["entries"][dealt]["draws"]
    document["entries"][dealt]["draws"][0] ^= 1
    with pytest.raises(record.BadRecord, match=rf"^entry at ply {dealt} was changed"):
        record.read(document, GAMES)
    cut = record.redact(record.write(match), 0, GAMES)
    assert {"ply", "seat", "do", "content", "hash"} == set(cut["entries"][dealt])
    assert record.is_chain_intact(cut)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"seat": 0}, "'redeal' is nobody's action, not seat 0's"), ({"draws": (0,) * 30}, "30 draws are given but 1 are made")],
)
def test_a_forged_redeal_is_refused(change: dict[str, Any], complaint: str) -> None:
    """A re-deal by somebody, or with draws that are not made, is no entry."""
    match = Match(GAMES["fantome"], seed=3)
    again = Match(match.game, deal=match.entries[0])
    match.redeal()
    with pytest.raises(ValueError, match=complaint):
        again.repeat(replace(match.entries[-1], **change))
    assert 1 == again.ply


def test_only_secrets_are_dealt_anew() -> None:
    """What was drawn in the open is drawn anew in any case: there is nothing more to agree upon."""
    for match in playing("opera", 3, {}, 3):
        if any(one.ply == match.ply - 1 and one.event.name == "offers" for one in match.events):
            asked = plan_takeback(match, last_actor(match))
            assert (False, None, False) == (asked.at_once, asked.anew, asked.is_fixed)
            with pytest.raises(BadSetup, match=r"^nothing to deal anew$"):
                take_back(match, asked, anew=True)
            take_back(match, asked)
            assert match.row_after(asked.to) == match.row
            return
    pytest.fail("nothing was offered")


def test_what_can_be_nothing_else_is_not_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where common knowledge leaves one face alone, dealing it anew would change nothing: refused, with the reason."""
    match = told_by_the_phantom()
    asked = plan_takeback(match, last_actor(match))
    only = match.row_after(asked.to)[F.identity]
    monkeypatch.setattr(match.rules, "redeal", lambda s, seat, dice: fill(match, s, only, dice))
    assert None is dealt_anew_from(match, asked.to)
    again = replace(asked, anew=None, is_fixed=True)
    assert "what was shown could not have been anything else, so it cannot be dealt again" == takebacks.why_not_anew(
        again, ui(match.game).english
    )
    with pytest.raises(BadSetup, match=r"^cannot be dealt anew$"):
        take_back(match, again, anew=True)


def fill(match: Match, s: Any, only: int, dice: Any) -> None:
    match.build.dice.draw(dice, 1)
    s[F.identity], s[F.held] = only, 0


# Playing on.


@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_playing_on_shows_what_was_seen(game: str, seats: int, options: dict[str, int]) -> None:
    """From any moment, for any seat: a possible position, and to that seat everything looks as it did then."""
    *_, match = playing(game, seats, options, 11)
    differed = 0
    for ply in range(0, match.ply - 1, 7):
        then = match.after(ply + 1)
        for seat in (*range(seats), None):
            onward = match.onward(ply, seat, seed=ply)
            assert 0 == onward.rules.check(onward.row)
            assert bare(then, seat) == bare(onward, seat)
            differed += then.row != onward.row
            assert {"ply": ply, "seat": seat} == onward.origin
    assert differed > 3


def bare(match: Match, seat: Seat | None) -> Any:
    """A view without its log."""
    return views.as_json(replace(match.view(seat), ply=0, seen=()), ui(match.game).english)


def test_playing_on_has_a_record_of_its_own() -> None:
    """The new match keeps where it comes from in its record, outside the chain, and can be played to its end."""
    *_, match = playing("turandot", 3, {}, 2)
    onward = match.onward(9, 1, seed=4)
    dice = random.Random(1)
    while onward.to_act:
        seat = dice.choice(onward.to_act)
        onward.play(dice.choice(onward.legal(seat).ids), seat)
    document = record.write(onward)
    assert {"ply": 9, "seat": 1} == document["origin"]
    again, _ = record.read(document, GAMES)
    assert (onward.row, onward.origin) == (again.row, again.origin)
    assert record.write(match).keys() == document.keys() - {"origin"}
    with pytest.raises(record.BadRecord, match="origin must be an object"):
        record.read(document | {"origin": "elsewhere"}, GAMES)


def test_no_playing_on_from_the_end() -> None:
    """There is nothing to play on from when the match is over, nor before it began or after its last entry."""
    match = Match(GAMES["fantome"], seed=3)
    match.resign(0)
    with pytest.raises(BadSetup, match="match is over at this moment"):
        match.onward(1, None)
    for ply in (-1, 2):
        with pytest.raises(BadSetup, match=f"the match has plies 0 to 1, not {ply}"):
            match.onward(ply, None)


# A turn that was confirmed as one.


def test_a_turn_confirmed_as_one_goes_back_as_one() -> None:
    """Three decisions of one turn are taken back together, also after the record was read again; the same, confirmed one by
    one, go back one by one."""
    whole, parted = (Match(GAMES["fantome"], seed=4) for _ in range(2))
    whole.play("pick giry, move 1, lock 4-8")
    for decision in ("pick giry", "lock 4-8", "move 1"):
        parted.play(decision)
    assert [False, True, True] == [entry.joined for entry in whole.entries[1:]]
    again, _ = record.read(record.parse(record.dump(record.write(whole))), GAMES)
    for match, to in ((whole, 0), (again, 0), (parted, 2)):
        asked = plan_takeback(match, 0)
        assert to == asked.to
        take_back(match, asked)
        assert match.entries[-1].do == f"undo {to}"
    assert plan_takeback(parted, 0).to == 1


def test_only_what_was_confirmed_last_goes_back() -> None:
    """One decision, then two together: those two go back first, then the one; what follows a takeback is a turn of its own."""
    match = Match(GAMES["fantome"], seed=4)
    match.play("pick giry")
    match.play("move 1, lock 4-8")
    take_back(match, plan_takeback(match, 0))
    assert (0, 1) == match.line
    match.play("lock 4-8")
    assert plan_takeback(match, 0).to == 1
    take_back(match, plan_takeback(match, 0))
    assert plan_takeback(match, 0).to == 0


def test_what_was_learned_in_the_middle_of_a_turn_counts() -> None:
    """Where the turn ends with a draw, none of its decisions goes back at once."""
    for seed in range(60):
        match, dice = Match(GAMES["fantome"], seed=seed), random.Random(seed)
        while match.to_act:
            before, seat = match.after(match.ply), match.to_act[0]
            match.play(dice.choice(match.legal(seat)), seat)
            if (
                match.entries[-1].draws
                and match.to_act
                and before.entries[-1].seat == seat
                and plan_takeback(before, seat).at_once
            ):
                earlier = before.after(before.ply - 1)
                earlier.play(f"{before.entries[-1].do}, {match.entries[-1].do}", seat)
                asked = plan_takeback(earlier, seat)
                assert not asked.at_once and asked.to == earlier.line[-3]
                return
    raise AssertionError("no such moment")


@pytest.mark.parametrize(
    ("ply", "joined"), [(1, True), (2, False), (2, 1), (0, True)], ids=["another seat's", "false", "a number", "the deal"]
)
def test_a_record_with_a_false_mark_is_refused(ply: int, joined: Any) -> None:
    """Only a decision of the seat that made the one before can have been confirmed with it."""
    match = Match(GAMES["fantome"], seed=4)
    match.play("pick giry")
    match.play("lock 4-8")
    document = record.write(match)
    document["entries"][ply]["joined"] = joined
    with pytest.raises(record.BadRecord, match=f"entry at ply {ply}.*joined"):
        record.read(document, GAMES)
