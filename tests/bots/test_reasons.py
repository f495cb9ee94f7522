"""Reasons: whatever is said of two tables is true of them, by the rules themselves, over random pairs of actions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from ridotto.bots import reasons
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import ui

TRIALS = {"fantome": 10, "opera": 12, "turandot": 12}


def random_choice(name: str, seed: int) -> tuple[Match, int, int, int]:
    """A match somewhere in its course, the seat to act, and two of its legal actions."""
    chance = random.Random(seed)
    game = GAMES[name]
    while True:
        match = Match(game, chance.choice(game.seats), seed=chance.getrandbits(40))
        for _ in range(chance.randrange(2, 90)):
            if not match.to_act:
                break
            seat = chance.choice(match.to_act)
            match.play(chance.choice(match.legal(seat).ids), seat)
        for seat in match.to_act:
            if len(match.legal(seat)) > 1:
                one, other = chance.sample(match.legal(seat).ids, 2)
                return match, seat, one, other


@pytest.mark.parametrize("name", TRIALS)
def test_every_reason_is_true_of_the_two_tables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are those of the tables, work out as the rules do, and a sentence has both numbers in it."""
    monkeypatch.setattr(reasons, "FOLLOW", "greedy")
    said = 0
    for seed in range(TRIALS[name]):
        match, seat, one, other = random_choice(name, seed)
        found = reasons.compare(match.view(seat), one, other, seed=seed, target="python")
        words = ui(match.game).words(ui(match.game).narrator(("en", "fr", "nl")[seed % 3], reader=seat))
        for figure, (better, played) in found.figures.items():
            assert better == dict(words.figures(found.better, seat))[figure] and better != played
            for row, numbers in ((found.better, better), (found.played, played)):
                CHECKS[name](match, row, seat, figure, numbers)
            for first, second in ((better, played), (played, better)):
                if sentence := words.reason(seat, figure, first, second):
                    said += 1
                    assert all(str(abs(number)) in sentence for number in (*first, *second) if figure != "won"), sentence
        assert found == reasons.Comparison.read(seat, found.json())
    assert said > 2


def of_fantome(match: Match, given: Sequence[int], seat: int, figure: str, numbers: Sequence[int]) -> None:
    """By counting people in rooms, and by holding the announcement."""
    fields, rules = match.rules.FIELDS.F, match.rules
    row = list(given)
    suspects = {who for who in range(8) if row[fields.suspects] >> who & 1}
    rooms = Counter(row[fields.place : fields.place + 8])
    seen = {who for who in suspects if rooms[row[fields.place + who]] > 1 and row[fields.place + who] != row[fields.dark]}
    if figure == "split":
        assert numbers == (len(seen), len(suspects - seen))
    elif figure == "suspects":
        assert numbers == (len(suspects),)
    elif figure == "carlotta":
        assert numbers[0] + row[fields.carlotta] == match.game.build().components.EXIT
    elif figure in ("left", "steps"):
        hidden_seen = row[fields.identity] in seen
        left = seen if hidden_seen else suspects - seen
        steps = 0 if len(left) == 1 else len(left) + (not hidden_seen)
        assert numbers == ((len(left),) if figure == "left" else (steps,))
    else:
        assert figure == "won" and numbers == (rules.winners(row) >> seat & 1,)


def of_opera(match: Match, given: Sequence[int], seat: int, figure: str, numbers: Sequence[int]) -> None:
    """By holding the count and collecting the income."""
    fields, rules, row = match.rules.FIELDS.F, match.rules, list(given)
    muted = match.build.events(muted=True)
    if figure == "count":
        row[fields.counts] = min(row[fields.counts], 2)
        rules.hold_count(row, muted)  # type: ignore[attr-defined]
        assert numbers == (row[fields.points + seat] - given[fields.points + seat],)
    elif figure == "income":
        rules.collect_income(row, muted)  # type: ignore[attr-defined]
        assert numbers == (row[fields.ducats + seat] - given[fields.ducats + seat],)
    elif figure == "empty":
        halls = sum(row[fields.halls + seat * 6 : fields.halls + seat * 6 + 6])
        great = sum(piece >= 0 for piece in row[fields.great + seat * 6 : fields.great + seat * 6 + 6])
        side = sum(pieces.bit_count() for pieces in row[fields.side + seat * 6 : fields.side + seat * 6 + 6])
        assert numbers == (halls - great - side,)
    elif figure in ("points", "ducats", "bid"):
        assert numbers == (row[getattr(fields, figure) + seat],)
    elif figure == "pieces":
        screen = sum(row[fields.screen + seat * 7 : fields.screen + seat * 7 + 6])
        great = sum(0 <= piece < 6 for piece in row[fields.great + seat * 6 : fields.great + seat * 6 + 6])
        side = sum((pieces & 63).bit_count() for pieces in row[fields.side + seat * 6 : fields.side + seat * 6 + 6])
        assert numbers == (screen + great + side,)
    else:
        assert figure == "won"


def of_turandot(match: Match, given: Sequence[int], seat: int, figure: str, numbers: Sequence[int]) -> None:
    """By the score that the rules would give."""
    fields, rules, row = match.rules.FIELDS.F, match.rules, list(given)
    if figure in ("elements", "money"):
        assert numbers == (row[getattr(fields, figure) + seat],)
    elif figure in ("points", "score"):
        assert numbers == (rules.score(row, seat, [0] * len(rules.PARTS)),)
        assert (figure == "score") == (rules.winners(row) != 0)  # whoever says "roles not counted" must not have counted them
        assert figure == "score" or all(one < 0 for one in row[fields.cast : fields.cast + 6 * match.seats])
    elif figure == "director":
        row[fields.director + seat] = row[fields.offer + row[fields.pending + seat] // 8] - 36
        parts = [0] * len(rules.PARTS)
        rules.score(row, seat, parts)
        assert numbers == (parts[4],)
    elif figure == "stars":
        box = match.game.build().components.BOX["singers"]
        assert numbers == (box[row[fields.offer + row[fields.pending + seat] // 8]]["stars"],)
    elif figure == "laid":
        assert 0 <= numbers[0] <= row[fields.money + seat]
    elif figure == "roles":
        row[fields.cast + seat * 6 : fields.cast + seat * 6 + 6] = row[
            fields.casting + seat * 6 : fields.casting + seat * 6 + 6
        ]
        parts = [0] * len(rules.PARTS)
        rules.score(row, seat, parts)
        assert numbers == (parts[1] + parts[2],)
    elif figure == "rival":
        others = [other for other in range(match.seats) if other != seat]
        assert numbers == (max(rules.score(row, other, [0] * len(rules.PARTS)) for other in others),)
    elif figure == "left":
        box = match.game.build().components.BOX["singers"]
        assert numbers == (max([0, *(box[card]["stars"] for card in row[fields.offer : fields.offer + 6] if 0 <= card < 36)]),)
    elif figure == "rival_fit":
        best = -99
        for other in range(match.seats):
            if other != seat and row[fields.director + other] < 0:
                for director in range(row[fields.pool].bit_length()):
                    if row[fields.pool] >> director & 1:
                        directed, parts = list(row), [0] * len(rules.PARTS)
                        directed[fields.director + other] = director
                        rules.score(directed, other, parts)
                        best = max(best, parts[4])
        assert numbers == (best,)
    else:
        assert figure in ("fit", "won")


CHECKS = {"fantome": of_fantome, "opera": of_opera, "turandot": of_turandot}


def test_nothing_is_said_that_hangs_on_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure that differs between the worlds that a seat thinks possible is left out."""
    monkeypatch.setattr(reasons, "FOLLOW", "greedy")
    match, seat, one, other = random_choice("fantome", 3)
    words = type(ui(match.game).english)
    worlds = iter(range(1000))
    monkeypatch.setattr(
        words, "figures", lambda self, row, seat: {"sure": (row[match.rules.FIELDS.F.round],), "odd": (next(worlds),)}
    )
    assert "odd" not in reasons.compare(match.view(seat), one, other, target="python").figures


def test_numbers_below_zero_have_a_minus_sign() -> None:
    """As on the boards beside the reason."""
    found = reasons.Comparison(0, (), (), {"count": ((7,), (-1,))}, True)
    (said,) = found.reasons(ui(GAMES["opera"]).english)
    assert said.endswith(": 7 instead of −1.")


def test_points_without_the_roles_are_not_compared_with_points_at_the_end() -> None:
    """Turandot counts roles when the match is over and not before, so these are two figures."""
    match, chance = Match(GAMES["turandot"], 2, seed=4), random.Random(4)
    names = set()
    while match.to_act:
        names |= set(ui(match.game).english.figures(match.row, 0))
        seat = match.to_act[0]
        match.play(chance.choice(match.legal(seat).ids), seat)
    assert "points" in names and "score" not in names
    assert set(ui(match.game).english.figures(match.row, 0)) == {"won", "score"}
