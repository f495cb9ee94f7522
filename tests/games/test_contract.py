"""What every game must hold, in random play with every number of seats and its options.

Held on the interpreted rules; `test_builds` holds the compiled ones equal to them word by word, in the same set-ups, and
`make soak` runs everything here on the compiled rules, too.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from itertools import islice, permutations, product
from typing import TYPE_CHECKING, Any

import pytest
from conftest import setups

from ridotto.core import record
from ridotto.core.errors import BadDraws, BadNotation, BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN, Seat, Target
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui

if TYPE_CHECKING:
    from conftest import Setup, Walk

CITIES = ("venezia", "wien", "berlin", "london", "paris", "milano")
COMPOSERS = ("monteverdi", "handel", "beethoven", "mozart", "wagner", "verdi")
OPERA = GAMES["opera"].build().components
NO_PARTS = [f"{city} {name}" for (city, name), n in zip(product(CITIES, OPERA.PART_NAMES), OPERA.HALLS, strict=True) if not n]
"""Names of building parts that the box does not have."""
NEVER: Mapping[str, Mapping[str, str]] = {
    "fantome": {
        "action 'swap richard'": "nobody changes places with himself",
        "action 'take persan'": "nobody takes himself along",
    },
    "opera": {
        "action 'build venezia main'": "everybody has it from the start",
        **{f"action 'build {part}'": "the box has no such part" for part in NO_PARTS},
        **{f"action 'sell {composer} milano'": "the last city opens late: rare" for composer in COMPOSERS},
        "action 'sell handel paris'": "random play reached it by rules version 1, not by these seeds: rare",
        "reason 'dearer_first'": "only rules version 1 had an order of buying",
        "reason 'earlier_part'": "only rules version 1 had an order of building",
        "event 'forced'": "a role can be paid, but everybody sees that it is of no use: rare",
        "reason 'no_site'": "nothing left to build while something else can be hired: rare",
        "reason 'palazzo_full'": "a full Palazzo is emptied before the Signora can be hired again, and nobody is asked to join",
    },
}
"""What random play never reaches, by game, with the reason for each."""
AT_ONCE = ("opera", "turandot")
"""The games that ask several seats at once."""


@pytest.fixture(params=["python", pytest.param("cpu", marks=pytest.mark.soak)])
def target(request: pytest.FixtureRequest) -> Target:
    """The interpreted rules; the compiled ones in the long runs."""
    found: Target = request.param
    return found


# Legal actions and refusals.


@pytest.mark.parametrize("matches", [60, pytest.param(1200, marks=pytest.mark.soak)])
def test_legal_is_what_no_rule_refuses(setup: Setup, target: Target, matches: int) -> None:
    """For every seat and every id, at every ply and at the end: the mask allows exactly what is not refused."""
    for seed in setup.seeds(matches):
        walk = setup.walk(target, seed)
        for _ in walk:
            agree(walk)
        agree(walk)


def agree(walk: Walk) -> None:
    """Compare the mask with the refusals, seat by seat; only who owes a decision has any, and has one at least."""
    rules = walk.build.rules
    owing = walk.owing()
    for seat in range(walk.seats):
        refusals = [int(rules.refuses(walk.row, seat, action)) for action in range(rules.ACTIONS.size)]
        assert all(0 <= code <= len(rules.REASONS) for code in refusals), "a reason that is not in the table"
        legal = walk.legal(seat)
        assert [action for action, code in enumerate(refusals) if code == 0] == legal
        assert (seat in owing) == bool(legal), "a dead end, or an action out of turn"


def test_questions_change_nothing(setup: Setup, target: Target) -> None:
    """Asking who acts, what is legal, why not, for scores, winners, faults and endings leaves the row as it was."""
    for seed in setup.seeds(18):
        walk = setup.walk(target, seed)
        for _ in walk:
            ask_everything(walk)
        ask_everything(walk)


def ask_everything(walk: Walk) -> None:
    """Ask the rules everything, and compare the row after each question."""
    rules, before = walk.build.rules, walk.words()
    parts = walk.build.array(len(rules.PARTS), "int16")
    for seat in range(walk.seats):
        rules.legal(walk.row, seat, walk.mask)
        assert before == walk.words()
        for action in range(rules.ACTIONS.size):
            rules.refuses(walk.row, seat, action)
        assert before == walk.words()
        rules.score(walk.row, seat, parts)
        assert before == walk.words()
    for question in (rules.to_act, rules.winners, rules.check, rules.ending):
        question(walk.row)
        assert before == walk.words()


class Guarded(list[int]):
    """A row in which only its own indices may be used: none from the end, and no slices."""

    def __getitem__(self, index: Any) -> Any:
        assert 0 <= index < len(self)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        assert 0 <= index < len(self)
        super().__setitem__(index, value)


def test_rules_index_within_the_row(setup: Setup) -> None:
    """No rule counts from the end of a row or a mask, or takes a slice of one."""
    walk = setup.walk("python", 1)
    rules = walk.build.rules
    walk.row, walk.mask = Guarded(walk.row), Guarded(walk.mask)
    for _ in walk:
        for seat in range(walk.seats):
            for action in range(rules.ACTIONS.size):
                rules.refuses(walk.row, seat, action)
            rules.score(walk.row, seat, Guarded([0] * len(rules.PARTS)))
            rules.redeal(Guarded(walk.masked(seat)), seat, walk.build.generator(1))
        rules.check(walk.row)
        rules.winners(walk.row)


# Rows.


@pytest.mark.parametrize("matches", [120, pytest.param(2400, marks=pytest.mark.soak)])
def test_rows_stay_in_order(setup: Setup, target: Target, matches: int) -> None:
    """After every step no invariant is broken, every word is in its declared range, and the head of the row stands."""
    for seed in setup.seeds(matches):
        walk = setup.walk(target, seed)
        fields = walk.build.rules.FIELDS
        head = [setup.game.version, setup.seats, *setup.game.settle(dict(setup.options)).values()]
        for _ in walk:
            in_order(walk)
            assert head == walk.words()[: len(head)]
        in_order(walk)
        assert fields.width == len(walk.row)


def in_order(walk: Walk) -> None:
    """No fault, and no word out of range."""
    rules, row = walk.build.rules, walk.words()
    flags = int(rules.check(walk.row))
    assert [] == [line.name for code, line in enumerate(rules.FAULTS, 1) if flags >> code & 1]
    assert 0 == flags
    for field, at in rules.FIELDS.slices():
        words = row[at : at + field.size]
        assert field.low <= min(words) and max(words) <= field.top, field.name


def test_a_match_is_over_when_nobody_is_to_act(setup: Setup, target: Target) -> None:
    """There is an ending exactly when nobody owes a decision; only then are there winners, and they and the scores stay."""
    for seed in setup.seeds(120):
        walk = setup.walk(target, seed)
        rules = walk.build.rules
        for _ in walk:
            assert 0 == rules.ending(walk.row)
            assert 0 == rules.winners(walk.row)
        assert 0 < rules.ending(walk.row) <= len(rules.ENDINGS)
        assert 0 <= rules.winners(walk.row) < 1 << setup.seats
        first, again = results(walk), results(walk)
        assert first == again


def results(walk: Walk) -> list[Any]:
    """Ending, winners, and every score with its parts."""
    rules = walk.build.rules
    found: list[Any] = [int(rules.ending(walk.row)), int(rules.winners(walk.row))]
    for seat in range(walk.seats):
        parts = walk.build.array(len(rules.PARTS), "int16")
        found.append((int(rules.score(walk.row, seat, parts)), [int(part) for part in parts]))
    return found


def test_copies_go_the_same_way(setup: Setup, target: Target) -> None:
    """A copy of row and dice is left alone by the match, and the same actions lead it to the same rows and events."""
    for seed in setup.seeds(60):
        walk = setup.walk(target, seed)
        copied, then = copy_of(setup, walk), walk.words()
        played = []
        for seat, action in walk:
            played.append((seat, action, walk.words(), walk.told))
        assert then == copied.words(), "the copy is not a copy"
        for seat, action, row, told in played:
            assert (row, told) == (copied.words(), copied.told)
            copied.play(seat, action)
        assert (walk.words(), walk.told) == (copied.words(), copied.told)


def copy_of(setup: Setup, walk: Walk) -> Walk:
    """The same match once more, from a copy of its row and its dice."""
    other = setup.walk(walk.build.target, 0)
    other.row, other.dice, other.told = walk.build.copy(walk.row), walk.build.copy(walk.dice, "int64"), walk.told
    return other


def test_recorded_draws_lead_to_the_same_rows(setup: Setup, target: Target) -> None:
    """The draws of a match, played from a tape, give the same row after every entry, and none is missing or left."""
    build = setup.game.build(target)
    for seed in setup.seeds(24):
        match = setup.match(seed)
        rows = [match.row]
        while match.to_act:
            random_step(match, seed)
            rows.append(match.row)
        row = build.row()
        for entry, expected in zip(match.entries, rows, strict=True):
            tape, events = build.tape(entry.draws), build.events()
            if entry.seat is None:
                build.rules.deal(row, match.seats, build.copy(list(match.options.values())), tape, events)
            else:
                build.rules.apply(row, entry.seat, match.game.action(entry.do), tape, events)
            assert expected == [int(word) for word in row]
            assert [1, len(entry.draws), len(entry.draws), 0] == [int(word) for word in tape[:4]]


# What comes up.


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_everything_comes_up(tables: list[Setup], everywhere: bool) -> None:
    """Every action is legal somewhere, and every reason, event and ending occurs, save what NEVER names with a reason."""
    game, rules = tables[0].game, tables[0].game.rules
    wanted = [f"action {rules.ACTIONS.notation(action)!r}" for action in range(rules.ACTIONS.size)]
    for kind, table in (("reason", rules.REASONS), ("event", rules.EVENTS), ("ending", rules.ENDINGS)):
        wanted += [f"{kind} {line.name!r}" for line in table]
    never = NEVER.get(game.name, {})
    seen: set[str] = set()
    seeds = tables[0].seeds(1000)
    for seed in seeds:
        if not everywhere and seed > len(seeds) // 10 and set(wanted) <= seen | set(never):
            break
        for setup in tables:
            walk = setup.walk("python", seed)
            hear(walk, seen)
            for seat, _ in walk:
                hear(walk, seen)
                seen.update(f"action {rules.ACTIONS.notation(action)!r}" for action in walk.legal(seat))
                if seed % 8 == 0:
                    refused(walk, seen)
            hear(walk, seen)
            refused(walk, seen)
            seen.add(f"ending {rules.ENDINGS.line(rules.ending(walk.row)).name!r}")
    missing = [one for one in wanted if one not in seen and one not in never]
    print(f"{game.name}: {len(seen)} of {len(wanted)} came up; never: {missing or 'nothing unexpected'}")
    assert [] == missing
    impossible = {one for one, why in never.items() if not why.endswith("rare")}
    assert set() == seen & impossible, "came up although NEVER says it cannot"
    assert set(never) <= set(wanted), "NEVER names something the game has not"


def hear(walk: Walk, seen: set[str]) -> None:
    """Note the events of the last step."""
    seen.update(f"event {walk.build.rules.EVENTS[code].name!r}" for code, *_ in walk.told)


def refused(walk: Walk, seen: set[str]) -> None:
    """Note the reasons there are now."""
    rules = walk.build.rules
    codes = {rules.refuses(walk.row, seat, action) for seat in range(walk.seats) for action in range(rules.ACTIONS.size)}
    seen.update(f"reason {rules.REASONS.line(code).name!r}" for code in codes if code)


# Choices made at once.


at_once = pytest.mark.parametrize("setup", [one for one in setups() if one.game.name in AT_ONCE], ids=str)


@at_once
def test_order_of_choices_made_at_once_does_not_matter(setup: Setup, target: Target) -> None:
    """Where several seats owe a decision, their choices in any order give the same row and the same events at the end."""
    met = 0
    for seed in setup.seeds(60):
        walk = setup.walk(target, seed)
        for _ in walk:
            owing = walk.owing()
            if len(owing) < 2:
                continue
            met += 1
            choice = {seat: walk.chance.choice(walk.legal(seat)) for seat in owing}
            ends = [in_turn(setup, walk, order, choice) for order in islice(permutations(owing), 24)]
            assert all(ends[0] == end for end in ends[1:])
    assert met, "nobody was asked at the same time as somebody else"


def in_turn(setup: Setup, walk: Walk, order: tuple[Seat, ...], choice: Mapping[Seat, int]) -> Any:
    """Row, dice and events after the choices came in this order; until the last one nothing is told and the others owe."""
    other = copy_of(setup, walk)
    for place, seat in enumerate(order):
        waiting = set(order[place + 1 :])
        assert choice[seat] in other.legal(seat), "another seat's pending choice changed what is legal"
        other.play(seat, choice[seat])
        if waiting:
            assert [] == other.told
            assert waiting <= set(other.owing())
    return other.words(), [int(word) for word in other.dice], other.told


@at_once
def test_pending_choices_stay_secret(setup: Setup, target: Target) -> None:
    """Until the last choice is in, what the others see does not depend on what was chosen."""
    met = 0
    for seed in setup.seeds(24):
        walk = setup.walk(target, seed)
        for seat, _ in walk:
            owing = walk.owing()
            if len(owing) < 2:
                continue
            met += 1
            shown = set()
            for action in walk.legal(seat):
                other = copy_of(setup, walk)
                other.play(seat, action)
                readers = [None, *(reader for reader in range(walk.seats) if reader != seat)]
                shown.add(tuple(tuple(int(word) for word in other.masked(reader)) for reader in readers))
            assert 1 == len(shown)
    assert met, "nobody was asked at the same time as somebody else"


@pytest.mark.parametrize("setup", [one for one in setups() if one.game.name not in AT_ONCE], ids=str)
def test_the_others_ask_one_seat_at_a_time(setup: Setup) -> None:
    """A game that is not named above has nothing to hold there."""
    for seed in setup.seeds(60):
        walk = setup.walk("python", seed)
        for _ in walk:
            assert 1 == len(walk.owing())


# Masked rows.


@pytest.mark.parametrize("matches", [30, pytest.param(600, marks=pytest.mark.soak)])
def test_redeal_fills_what_a_seat_cannot_know(setup: Setup, target: Target, matches: int) -> None:
    """A redealt row is in order, looks the same to the seat, allows it the same, and differs in hidden words alone."""
    changed: set[int] = set()
    for seed in setup.seeds(matches):
        walk, other = setup.walk(target, seed), setup.walk(target, 0)
        rules = walk.build.rules
        for ply, _ in enumerate(walk):
            before = walk.words()
            for seat in (None, *range(walk.seats)):
                masked = walk.masked(seat)
                other.row = walk.build.copy(masked)
                rules.redeal(other.row, -1 if seat is None else seat, walk.build.generator(seed, ply))
                in_order(other)
                assert list(masked) == list(other.masked(seat))
                assert rules.to_act(walk.row) == rules.to_act(other.row)
                if seat is not None:
                    assert walk.legal(seat) == other.legal(seat)
                differs = {at for at, (one, two) in enumerate(zip(before, other.words(), strict=True)) if one != two}
                assert differs <= set(rules.FIELDS.hidden(seat))
                changed |= differs
    hidden = {at for seat in (None, *range(setup.seats)) for at in rules.FIELDS.hidden(seat)}
    print(f"{setup}: redeal changed {len(changed)} of {len(hidden)} hidden words")
    assert bool(hidden) == bool(changed)


def test_masked_rows_answer_for_the_seat(setup: Setup, target: Target) -> None:
    """What a seat may do, why not, and who is to act follow from the row that it may see."""
    for seed in setup.seeds(18):
        walk = setup.walk(target, seed)
        rules = walk.build.rules
        for _ in walk:
            for seat in range(walk.seats):
                masked = walk.masked(seat)
                before = [int(word) for word in masked]
                assert walk.legal(seat) == walk.legal(seat, masked)
                for action in range(rules.ACTIONS.size):
                    assert rules.refuses(walk.row, seat, action) == rules.refuses(masked, seat, action)
                assert rules.to_act(walk.row) == rules.to_act(masked)
                assert before == [int(word) for word in masked]


def test_policy_chooses_legal_actions(setup: Setup, target: Target) -> None:
    """What the bot's policy chooses is legal, follows from the masked row alone, and leaves the row as it was."""
    for seed in setup.seeds(18):
        walk = setup.walk(target, seed)
        build = walk.build
        for seat, _ in walk:
            legal = walk.legal(seat)
            choices = set()
            for row in (walk.row, walk.masked(seat)):
                before = [int(word) for word in row]
                walk.legal(seat, row)
                events, dice = build.events(muted=True), build.generator(seed)
                choices.add(int(build.bot.policy(row, seat, walk.mask, dice, events, build.row())))
                assert before == [int(word) for word in row]
            assert 1 == len(choices)
            assert choices <= set(legal)


# Matches.


def random_step(match: Match, seed: int) -> None:
    """One of the seats to act does one of its legal actions."""
    dice = match.build.generator(seed, match.ply)
    seat = match.to_act[match.build.dice.draw(dice, len(match.to_act))]
    legal = match.legal(seat)
    match.play(legal[match.build.dice.draw(dice, len(legal))], seat)


def everything(match: Match) -> bytes:
    """All there is to a match, down to the dice it will draw from, as bytes to compare."""
    apart = ("game", "rules", "build", "_clock")
    return pickle.dumps({name: value for name, value in vars(match).items() if name not in apart})


def everybodys(match: Match) -> str:
    """What everybody may know, as text to compare."""
    return json.dumps(
        [views.as_json(match.view(seat), ui(match.game).english) for seat in (None, *range(match.seats))], allow_nan=False
    )


def test_records_replay_to_the_same_match(setup: Setup) -> None:
    """Record and replay give the same row and events at every ply, and a record read back is the same match."""
    game = setup.game
    for seed in setup.seeds(24):
        match = setup.match(seed)
        rows = [match.row]
        while match.to_act:
            random_step(match, seed)
            rows.append(match.row)
        again = Match(game, match.seats, match.options, deal=match.entries[0])
        for entry, row in zip(match.entries[1:], rows[:-1], strict=True):
            assert row == again.row
            assert [one for one in match.events if one.ply < again.ply] == again.events
            again.repeat(entry)
        assert rows[-1] == again.row
        document = record.write(match)
        back, _ = record.read(record.parse(record.dump(document)), {game.name: game})
        assert (match.row, match.entries, match.events) == (back.row, back.entries, back.events)
        assert match.outcome == back.outcome
        assert document == record.write(back)


def test_a_refusal_changes_nothing(setup: Setup) -> None:
    """Whatever is refused leaves the whole match as it was: illegal actions, nonsense, wrong seats, wrong draws."""
    match = setup.match(1)
    size = match.rules.ACTIONS.size
    stride = 1 + size * match.seats // 40
    while True:
        # A long match of many actions is looked into now and then, and at its end.
        if match.to_act and match.ply % stride:
            random_step(match, 1)
            continue
        seen, before = everybodys(match), everything(match)  # in this order: what is looked at, is worked out once and kept
        for seat in range(match.seats):
            legal = match.legal(seat) if seat in match.to_act else ()
            for action in range(size):
                if action in legal:
                    continue
                with pytest.raises(IllegalAction, match=r"§\d"):
                    match.play(action, seat)
        for nonsense in ("", "no such action", -1, size, True, 1.5, None):
            with pytest.raises(BadNotation):
                match.play(nonsense, 0)  # type: ignore[arg-type]
        strangers: list[Any] = [-1, match.seats, True, "0"]
        for stranger in strangers:
            for deed in (match.resign, match.view, match.legal):
                with pytest.raises(BadSetup):
                    deed(stranger)
        for ply in (-1, match.ply, "0"):
            with pytest.raises(BadSetup):
                match.undo(ply)  # type: ignore[arg-type]
        if match.to_act:
            seat = match.to_act[0]
            with pytest.raises(BadDraws):
                match.play(match.legal(seat)[0], seat, entry=Entry(seat, match.legal(seat)[0], (0,) * 99))
        else:
            with pytest.raises(IllegalAction):
                match.resign(0)
        assert before == everything(match)
        assert seen == everybodys(match)
        if not match.to_act:
            return
        random_step(match, 1)


def test_undo_goes_back_and_the_log_keeps_both(setup: Setup) -> None:
    """After an undo the row, the views' rows and the legal actions are those of then; the log only grows, and replays."""
    for seed in setup.seeds(24):
        match = setup.match(seed)
        with pytest.raises(BadSetup):
            match.undo()
        rows = {0: match.row}
        while match.to_act:
            random_step(match, seed)
            rows[match.ply - 1] = match.row
        chance = setup.walk("python", seed).chance
        to = chance.randrange(match.ply - 1)
        log = list(match.entries)
        match.undo(to)
        assert rows[to] == match.row
        assert [*log, match.entries[-1]] == match.entries
        assert f"undo {to}" == match.entries[-1].do
        assert match.outcome is None
        assert {"event": "undone", "ply": match.ply - 1} == {
            k: views.events(match.view(), ui(match.game).english)[-1][k] for k in ("event", "ply")
        }
        then = setup.match(seed)
        for _ in range(to):
            random_step(then, seed)
        assert then.to_act == match.to_act
        assert [then.legal(seat).ids for seat in then.to_act] == [match.legal(seat).ids for seat in match.to_act]
        assert [then.masked(seat) for seat in (None, *range(match.seats))] == [
            match.masked(seat) for seat in (None, *range(match.seats))
        ]
        random_step(match, seed + 1)
        match.undo()
        assert rows[to] == match.row
        back, _ = record.read(record.write(match), {setup.game.name: setup.game})
        assert (match.row, match.entries, match.events) == (back.row, back.entries, back.events)


def test_resigning_ends_the_match(setup: Setup) -> None:
    """Any seat may give up at any time: the row stands, the others have won, and nothing more can be done but undo."""
    for seed in setup.seeds(24):
        match = setup.match(seed)
        while match.to_act and match.ply <= 5 * seed:
            random_step(match, seed)
        if not match.to_act:
            match.undo()
        seat, row, owing = seed % match.seats, match.row, match.to_act
        match.resign(seat)
        assert (row, ()) == (match.row, match.to_act)
        outcome = match.outcome
        assert outcome is not None
        assert "resigned" == outcome.ending
        assert tuple(other for other in range(match.seats) if other != seat) == outcome.winners
        for other in range(match.seats):
            assert () == match.legal(other).ids
            for action in range(match.rules.ACTIONS.size):
                refusal = match.why(action, other)
                assert refusal is not None
                assert "over" == refusal.reason
        assert list(row) == list(match.view().row), "a finished match hides nothing"
        back, _ = record.read(record.write(match), {setup.game.name: setup.game})
        assert (match.row, match.entries, match.outcome) == (back.row, back.entries, back.outcome)
        match.undo()
        assert (row, owing, None) == (match.row, match.to_act, match.outcome)


def test_views_are_plain_and_masked(setup: Setup) -> None:
    """A view survives JSON, hides exactly the words the fields say, and lists legal ids in ascending order."""
    for seed in setup.seeds(6):
        match = setup.match(seed)
        while True:
            for seat in (None, *range(match.seats)):
                view = match.view(seat, since=match.ply - 1 if match.to_act else 0)
                plain = views.as_json(view, ui(view.game).english)
                assert plain == json.loads(json.dumps(plain, allow_nan=False))
                hidden = set(match.rules.FIELDS.hidden(seat)) if match.to_act else set()
                assert [HIDDEN if at in hidden else word for at, word in enumerate(match.row)] == list(view.row)
                assert sorted(view.legal) == list(view.legal)
                assert list(view.legal) == [action["id"] for action in plain["actions"]]
                assert (seat in match.to_act) == bool(view.legal)
            if not match.to_act:
                break
            random_step(match, seed)


def test_positions_are_whole(setup: Setup) -> None:
    """A match laid out from a position stands where that one stood, and the position survives JSON."""
    for seed in setup.seeds(6):
        match = setup.match(seed)
        while True:
            position = json.loads(json.dumps(match.position()))
            laid = Match(setup.game, position=position, seed=seed)
            assert (match.row, match.seats, match.options) == (laid.row, laid.seats, laid.options)
            assert match.to_act == laid.to_act
            assert [match.legal(seat).ids for seat in match.to_act] == [laid.legal(seat).ids for seat in match.to_act]
            assert match.outcome == laid.outcome
            if not match.to_act:
                break
            random_step(match, seed)


def test_seeds_make_matches(setup: Setup) -> None:
    """The same seed gives the same match to the last salt; another seed gives another."""
    one, same, other = setup.match(5), setup.match(5), setup.match(6)
    for match in (one, same, other):
        while match.to_act:
            random_step(match, 5)
    assert everything(one) == everything(same)
    assert one.entries != other.entries


def test_impossible_set_ups_are_refused(game: Game) -> None:
    """Seats and options that the game does not have are refused with what it has."""
    for seats in (game.seats[0] - 1, game.seats[-1] + 1, "2", True):
        with pytest.raises(BadSetup, match=r"seats, not"):
            Match(game, seats)  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="has no option 'nonsense'; it has"):
        Match(game, options={"nonsense": 1})
    for option in game.rules.OPTIONS:
        values: list[Any] = [option.low - 1, option.high + 1, True, "1"]
        for value in values:
            with pytest.raises(RidottoError, match=f"option '{option.name}' takes {option.low} to {option.high}"):
                Match(game, options={option.name: value})
