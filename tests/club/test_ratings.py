"""Ratings: people of known strength are ranked right, anchors hold the scale, and every stated rule."""

from __future__ import annotations

from itertools import combinations
from math import hypot, inf
from random import Random

import pytest

from ridotto.club.ratings import RULES, BadMatch, Ladder, Match, Participant, Rating, credited, expected_shares, update

ANCHORS = {f"level:{number}": {"g": {"": 800.0 + 200 * number}} for number in range(4)}


def duel(winner: str, loser: str, day: float = 1.0, game: str = "g") -> Match:
    """A match of two that the first one wins."""
    return Match(game, day, (Participant(winner, 1.0), Participant(loser, 0.0)))


def season(seats: int, seed: int, people: int = 20, matches: int = 30) -> tuple[dict[str, float], Ladder]:
    """People of known strength at tables of this size, with a bot at every other one; each plays at least so many matches."""
    dice = Random(seed)
    strengths = {f"p{number}": dice.gauss(1000, 300) for number in range(people)}
    bots = {name: points["g"][""] for name, points in ANCHORS.items()}
    ladder, played = Ladder(ANCHORS), dict.fromkeys(strengths, 0)
    day = 0.0
    while min(played.values()) < matches:
        day += 0.01
        waiting = sorted(strengths, key=lambda name: (played[name], dice.random()))
        table = [waiting[0], *dice.sample(waiting[1:12], seats - 1)]
        if dice.random() < 0.5:
            table[-1] = dice.choice(list(bots))
        winner = dice.choices(table, [10 ** ({**strengths, **bots}[name] / 400) for name in table])[0]
        ladder.add(Match("g", day, tuple(Participant(name, float(name == winner)) for name in table)))
        for name in table:
            if name in played:
                played[name] += 1
    return strengths, ladder


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_people_of_known_strength_are_ranked_right(seats: int) -> None:
    """After 30 matches 90 % of the 95 % intervals at least contain the true strength. Of those ahead by more than the error of
    the difference 97 % at least are stronger."""
    inside = sure = right = people = 0
    for seed in range(6):
        strengths, ladder = season(seats, seed)
        ratings = {name: ladder.rating(name, "g") for name in strengths}
        inside += sum(ratings[name].low < strength < ratings[name].high for name, strength in strengths.items())
        people += len(strengths)
        for one, other in combinations(strengths, 2):
            difference = ratings[one].points - ratings[other].points
            if abs(difference) > 1.96 * hypot(ratings[one].error, ratings[other].error):
                sure += 1
                right += (difference > 0) == (strengths[one] > strengths[other])
        assert sum(rating.error for rating in ratings.values()) < 160 * len(ratings)
    assert inside >= 0.9 * people
    assert sure > 200 and right >= 0.97 * sure


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_who_plays_like_an_anchor_gets_its_rating(seats: int) -> None:
    """Somebody as strong as level:3, among bots: within two standard errors in nine of ten, and close on average."""
    ratings = []
    bots = {name: points["g"][""] for name, points in ANCHORS.items()}
    for seed in range(20):
        dice, ladder = Random(seed), Ladder(ANCHORS)
        for number in range(60):
            table = ["me", *dice.sample(sorted(bots), seats - 1 if seats < 5 else 3), *(["level:0"] if seats == 5 else [])]
            weights = [10 ** ({**bots, "me": bots["level:3"]}[name] / 400) for name in table]
            winner = dice.choices(range(seats), weights)[0]
            match = Match("g", number / 100, tuple(Participant(name, float(at == winner)) for at, name in enumerate(table)))
            ladder.add(match)
        ratings.append(ladder.rating("me", "g"))
    level = ladder.rating("level:3", "g")
    assert Rating(1400.0, 0.0) == level
    assert 18 <= sum(abs(one.points - level.points) < 2 * one.error for one in ratings)
    assert abs(sum(one.points for one in ratings) / len(ratings) - level.points) < 60


def test_an_update_is_the_largest_of_its_product() -> None:
    """Small steps away from the result make prior times likelihood smaller; errors shrink; a fixed seat stays."""
    from math import log

    before = [Rating(1000, 350), Rating(1300, 80), Rating(900, 0)]
    shares = [0.0, 0.5, 0.5]
    after = update(before, shares)

    def logarithm(points: list[float]) -> float:
        prior = -sum(((x - one.points) / one.error) ** 2 / 2 for x, one in zip(points, before, strict=True) if one.error)
        return prior + sum(share * log(p) for share, p in zip(shares, expected_shares(points), strict=True))

    best = [one.points for one in after]
    for at in (0, 1):
        for step in (-1.0, 1.0):
            assert logarithm(best) > logarithm([x + step * (at == number) for number, x in enumerate(best)])
        assert after[at].error < before[at].error
    assert before[2] == after[2]


def test_what_does_not_count() -> None:
    """Casual matches, tables of one owner, matches not begun, those that everybody left, and bots among themselves."""
    seats = (Participant("A", 1.0), Participant("B", 0.0))
    cases = {
        "casual": Match("g", 1.0, seats, is_rated=False),
        "not begun": Match("g", 1.0, seats, is_begun=False),
        "same owner": Match("g", 1.0, (Participant("A", 1.0), Participant("A2", 0.0, owner="A"), Participant("C", 0.0))),
        "nobody stayed": Match("g", 1.0, (Participant("A", 1.0, has_stayed=False), Participant("B", 0.0, has_stayed=False))),
        "nobody to rate": Match("g", 1.0, (Participant("level:1", 1.0), Participant("level:2", 0.0))),
    }
    for reason, match in cases.items():
        ladder = Ladder(ANCHORS)
        verdict = ladder.add(match)
        assert (0.0, reason) == (verdict.weight, verdict.reason)
        assert not ladder.ratings and not ladder.met


def test_who_leaves_has_lost() -> None:
    """What the others won is scaled to a whole win; if that is nothing, none of them gains on another."""
    ladder = Ladder(ANCHORS)
    ladder.add(Match("g", 1.0, (Participant("A", 0.0), Participant("B", 1.0, has_stayed=False))))
    assert ladder.rating("A", "g").points > 1000 > ladder.rating("B", "g").points
    fresh = [Rating(1000, 350)] * 3
    seats = (Participant("A", 0.5), Participant("B", 0.0), Participant("C", 0.5, has_stayed=False))
    assert [1.0, 0.0, 0.0] == credited(Match("g", 1.0, seats), fresh)
    seats = (Participant("A", 0.0), Participant("B", 0.0), Participant("C", 0.0, has_stayed=False))
    assert [0.5, 0.5, 0.0] == credited(Match("g", 1.0, seats), fresh)
    after = update(fresh, [0.5, 0.5, 0.0])
    assert after[0].points == pytest.approx(after[1].points) and after[0].points > 1000 > after[2].points


def test_games_and_roles_apart() -> None:
    """A result in one role of one game changes nothing else; the overall rating is the mean over roles."""
    ladder = Ladder()
    ladder.add(Match("fantome", 1.0, (Participant("A", 1.0, "inspector"), Participant("B", 0.0, "phantom"))))
    assert ladder.rating("A", "fantome", "inspector").points > 1000
    assert ladder.prior == ladder.rating("A", "fantome", "phantom") == ladder.rating("A", "opera")
    mean = ladder.overall("A", "fantome", ["inspector", "phantom"])
    assert (ladder.rating("A", "fantome", "inspector").points + 1000) / 2 == mean.points


@pytest.mark.parametrize("number", [5, 20, 60])
def test_a_second_account_gives_no_more_than_four_wins(number: int) -> None:
    """However often somebody beats the same fresh account, it counts as four wins at most, and the host is told."""
    ladder = Ladder()
    weight = sum(ladder.add(duel("cheat", "second", day=0.1 * at)).weight for at in range(number))
    assert 3 < weight <= 4
    assert [("cheat", "second")] == [flag.people for flag in ladder.flags]
    assert 1.0 == ladder.flags[0].part and number == ladder.flags[0].wins
    plain = [Rating(1000, 350), Rating(1000, 350)]
    for _ in range(4):
        plain = update(plain, [1.0, 0.0])
    assert ladder.rating("cheat", "g", day=ladder.day).points <= plain[0].points + 5


def test_honest_opponents_count_in_full() -> None:
    """Results that go both ways, and one-sided ones between people who have played others, are neither damped nor flagged."""
    ladder = Ladder()
    for at in range(20):
        pair = ("A", "B") if at % 3 else ("B", "A")
        assert 1.0 == ladder.add(duel(*pair, day=0.1 * at)).weight
    for at in range(24):
        name, other = "CD"[at % 2], f"guest {at % 6}"
        pair = (name, other) if at < 12 else (other, name)
        assert 1.0 == ladder.add(duel(*pair, day=3.0 + 0.1 * at)).weight
    assert all(1.0 == ladder.add(duel("C", "D", day=10.0 + at)).weight for at in range(8))
    assert not ladder.flags


def test_one_sided_results_are_forgotten_after_90_days() -> None:
    """Only recent results count for the rule."""
    ladder = Ladder()
    for at in range(5):
        ladder.add(duel("A", "B", day=float(at)))
    assert 0.125 == ladder.add(duel("A", "B", day=5.0)).weight
    assert 1.0 == ladder.add(duel("A", "B", day=100.0)).weight


def test_being_away_widens_the_error() -> None:
    """By 5 points times the root of the days, up to that of a new player; the rating itself stays."""
    ladder = Ladder(ANCHORS)
    for at in range(60):
        ladder.add(Match("g", at / 100, (Participant("A", float(at % 2)), Participant("level:1", float(1 - at % 2)))))
    now = ladder.rating("A", "g")
    later = ladder.rating("A", "g", day=ladder.day + 100)
    assert later.error == pytest.approx(hypot(now.error, 50)) and later.points == now.points
    assert ladder.prior.error == ladder.rating("A", "g", day=1e9).error


def test_resumed_it_goes_on_the_same() -> None:
    """Written as JSON after each match and read again: equal in everything, to the last digit."""
    dice, whole, resumed = Random(4), Ladder(ANCHORS), Ladder(ANCHORS)
    names = ["A", "B", "C", "D", "level:1"]
    for at in range(120):
        table = dice.sample(names, dice.randint(2, 4))
        winner = min(table)
        match = Match("g", at / 10, tuple(Participant(name, float(name == winner)) for name in table))
        assert whole.add(match) == resumed.add(match)
        resumed = Ladder.from_json(resumed.to_json(), ANCHORS)
        assert whole == resumed
    assert whole.flags


def test_extremes_stay_finite() -> None:
    """A thousand wins in a row, against somebody far stronger or weaker: ratings stay finite and sensible."""
    for points in (-3000.0, 1000.0, 5000.0):
        rating = Rating(1000, 350)
        for _ in range(1000):
            rating = update([rating, Rating(points, 0.0)], [1.0, 0.0])[0]
        assert -inf < rating.points < inf and 0 < rating.error <= 350
        assert rating.points > points - 1


def test_bad_matches_are_refused() -> None:
    """One seat, somebody twice, shares over one, a day before the last one, a bot without a rating."""
    ladder = Ladder(ANCHORS)
    ladder.add(duel("A", "B", day=5.0))
    for seats in (
        (Participant("A", 1.0),),
        (Participant("A", 1.0), Participant("A", 0.0)),
        (Participant("A", 1.0), Participant("B", 0.5)),
    ):
        with pytest.raises(BadMatch):
            ladder.add(Match("g", 6.0, seats))
    with pytest.raises(BadMatch, match="after"):
        ladder.add(duel("A", "B", day=4.0))
    with pytest.raises(BadMatch, match="no rating"):
        ladder.add(duel("A", "level:1", day=6.0, game="other"))
    assert 7 == sum(row[:1].isdigit() for row in RULES.splitlines())
