"""The second model of Turandot against the rulebook's examples, counts made by hand, and itself in random play."""

from __future__ import annotations

import doctest
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from models import turandot_model
from models.turandot_model import (
    DIRECTORS,
    ROLES,
    SINGERS,
    Model,
    Play,
    Player,
    Points,
    Singer,
    Verdict,
    best_casting,
    clockwise,
    resolve,
    sung,
    winners,
)

ORDER = list(SINGERS.values())
ROW = {1: "zia", 2: "opale", 3: "masque", 4: "malo", 5: "vega", 6: "lulu"}
BOTH = ["dressmaker", "carpenter"]


def singers(names: str) -> list[Singer]:
    """The singers named in a text."""
    return [SINGERS[name] for name in names.split()]


def audition(plays: str, holder: int = 0, helpers: Sequence[str] = BOTH) -> Verdict:
    """The verdict on plays written as '3+1, 4, money' from seat 0 on; one card more than players lies under the roles."""
    laid = {}
    for seat, text in enumerate(plays.split(",")):
        number, _, money = text.strip().partition("+")
        laid[seat] = Play(None, 1) if number == "money" else Play(int(number), int(money or 0))
    return resolve(laid, holder, {number: ROW[number] for number in range(1, len(laid) + 2)}, helpers)


def summary(verdict: Verdict) -> tuple[dict[int, int], dict[int, int], dict[int, int], dict[int, str], list[int]]:
    """What is won, paid, taken back and hired, and who lacks a card."""
    return verdict.wins, dict(+verdict.paid), dict(+verdict.back), verdict.hired, verdict.lacking


def drive(model: Model, script: str, cards: str = "") -> None:
    """Play 'seat action, seat action'; the cards are those that the last action lays out."""
    steps = [step.strip().partition(" ") for step in script.split(",")]
    for index, (seat, _, action) in enumerate(steps):
        model.play(int(seat), action, cards.split() if cards and index == len(steps) - 1 else None)


# The box.


def test_box() -> None:
    """Six singers in each of six categories, with the stars, sexes and favourites that the facts count; nine directors."""
    assert 36 == len(SINGERS)
    assert {"pro": 6, "ama": 6, "cla": 6, "alt": 6, "com": 6, "som": 6} == Counter(one.category for one in ORDER)
    assert {1: 12, 2: 12, 3: 12} == Counter(one.stars for one in ORDER)
    assert {"F": 12, "M": 18, "U": 6} == Counter(one.sex for one in ORDER)
    assert {None: 18} | dict.fromkeys(ROLES, 3) == Counter(one.favourite for one in ORDER)
    assert 9 == len(DIRECTORS)


# Laying cards.


@pytest.mark.parametrize(
    ("seats", "money", "expected"), [(2, 3, 26), (3, 3, 34), (4, 3, 42), (5, 3, 50), (5, 1, 26), (5, 0, 12)]
)
def test_plays_of_a_hand(seats: int, money: int, expected: int) -> None:
    """A number with any money, or one money card, each with or without bluff."""
    player = Player(0, range(1, seats + 2))
    player.purse = money
    assert expected == len({str(play) for play in player.plays()})


def test_plays_by_name() -> None:
    """With one money card and two numbers there are exactly these ten plays, with these numbers of cards."""
    player = Player(0, [1, 2])
    player.purse = 1
    plain = {"bid 1 0 plain": 1, "bid 1 1 plain": 2, "bid 2 0 plain": 1, "bid 2 1 plain": 2, "money plain": 1}
    expected = plain | {name.replace("plain", "bluff"): cards + 1 for name, cards in plain.items()}
    assert expected == {str(play): play.cards for play in player.plays()}
    assert player.plays() == [Play.named(str(play)) for play in player.plays()]


@pytest.mark.parametrize("bad", [Play(None, 0), Play(None, 0, True), Play(None, 2), Play(None, 3, True)])
def test_what_cannot_be_laid(bad: Play) -> None:
    """Nothing, bluff alone and several money cards alone are not allowed."""
    assert not bad.is_allowed


def test_auditions_go_round() -> None:
    """The holder lays first, then his left; the counts are seen, the choices lie apart."""
    model = Model(3, first=1, cards=["zia", "opale", "masque", "malo"])
    assert ([1], set()) == (model.to_act(), model.legal(2))
    drive(model, "1 bid 4 2 bluff")
    assert [2] == model.to_act()
    drive(model, "2 money plain")
    state = model.state()
    assert ["0"] == state["owing"]
    assert {"0": 0, "1": 4, "2": 1, "3": 0, "4": 0} == state["laid"]
    assert {"0": None, "1": "bid 4 2 bluff", "2": "money plain", "3": None, "4": None} == state["pending"]
    assert {"0": 3, "1": 3, "2": 3, "3": 0, "4": 0} == state["money"]
    with pytest.raises(ValueError, match="illegal action 'money plain' by seat 1"):
        drive(model, "1 money plain")


def test_blind_auditions_come_in_any_order() -> None:
    """With the option everybody owes at once, no counts are seen and nobody is told."""
    model = Model(3, first=1, cards=["zia", "opale", "masque", "malo"], blind=True)
    assert [0, 1, 2] == model.to_act()
    assert [] == model.play(2, "bid 4 2 bluff")
    assert [0, 1] == model.to_act()
    assert [0] * 5 == list(model.state()["laid"].values())
    drive(model, "0 bid 1 0 plain")
    told = model.play(1, "bid 2 0 plain")
    assert [("reveals", str(seat)) for seat in (1, 2, 0)] == [(name, what["seat"]) for name, what in told[:3]]
    assert ["1", "2", "4"] == [what["position"] for name, what in told if name == "recruits"]


def test_bluff_and_number_come_back() -> None:
    """At the end of the round the hand is whole again but for the money spent."""
    model = Model(2, first=0, cards=["zia", "opale", "masque"])
    drive(model, "0 bid 1 2 bluff, 1 bid 2 0 bluff, 0 name 1")
    drive(model, "1 strike temple", "vega malo lulu")
    assert ([1], 26, 3) == (model.to_act(), len(model.legal(1)), model.players[1].purse)
    drive(model, "1 bid 3 0 plain")
    # Three numbers with 0 or 1 money card, or money alone, with or without bluff.
    assert 14 == len(model.legal(0))


# The verdict on an audition.


def test_example_one() -> None:
    """Alone on 3 with a money card: he takes the singer and his money is gone."""
    assert ({0: 3, 1: 1, 2: 2}, {0: 1}, {}, {}, []) == summary(audition("3+1, 1, 2"))


def test_example_two() -> None:
    """Two cards against one on 4: the higher bid takes the singer and is spent, the lower comes back."""
    assert ({1: 4, 2: 1}, {1: 2}, {0: 1}, {}, [0]) == summary(audition("4+1, 4+2, 1", holder=2))


def test_example_three() -> None:
    """Three with one card each on 2: nobody takes it, all money comes back, all three need an understudy."""
    verdict = audition("2+1, 2+1, 2+1", holder=1)
    assert ({}, {}, {0: 1, 1: 1, 2: 1}, {}, [2, 0, 1]) == summary(verdict)
    assert [("tied", {"position": "2", "seats": ["0", "1", "2"], "money": 1})] == verdict.told


def test_example_four() -> None:
    """Two cards, two cards, one card on 2: the tie of the two keeps the third from it as well."""
    verdict = audition("2+2, 2+2, 2+1")
    assert ({}, {}, {0: 2, 1: 2, 2: 1}, {}, [1, 2, 0]) == summary(verdict)
    assert [("tied", {"position": "2", "seats": ["0", "1"], "money": 2})] == verdict.told


def test_a_tie_without_money() -> None:
    """Bidding nothing twice is a tie too; one money card more breaks it."""
    assert ({2: 1}, {}, {}, {}, [1, 0]) == summary(audition("2, 2, 1"))
    assert ({1: 2, 2: 1}, {1: 1}, {}, {}, [0]) == summary(audition("2, 2+1, 1"))


@pytest.mark.parametrize(
    ("plays", "holder", "helpers", "hired", "back"),
    [
        ("money, 1", 1, 1, "0d", ""),
        ("money, 1", 0, 1, "", "0"),
        ("money, money", 0, 1, "1d", "0"),
        ("money, money, 1", 2, 1, "0d", "1"),
        ("money, money, money", 1, 1, "2d", "0 1"),
        ("money, money, 1, 2", 3, 2, "0d 1c", ""),
        ("money, money, money, 2", 3, 2, "0d 1c", "2"),
        ("money, money, money, 2", 1, 2, "2d 0c", "1"),
        ("money, 1, 2, money", 1, 2, "3d 0c", ""),
        ("money, money, money, money, money", 3, 2, "4d 0c", "1 2 3"),
        ("1, money, money, money, money", 0, 2, "1d 2c", "3 4"),
        ("money, money, 1, 2", 3, 0, "", "0 1"),
    ],
)
def test_helpers(plays: str, holder: int, helpers: int, hired: str, back: str) -> None:
    """Dressmaker and carpenter go clockwise from Puccini's left, never to the holder; who gets none has the money back."""
    verdict = audition(plays, holder, BOTH[:helpers])
    assert hired == " ".join(f"{seat}{helper[0]}" for seat, helper in verdict.hired.items())
    assert {int(seat): 1 for seat in back.split()} == +verdict.back
    assert not +verdict.paid


def test_who_can_be_hired() -> None:
    """The carpenter helps only among four and five; while directors are on offer nobody does."""
    for seats, expected in {2: BOTH[:1], 3: BOTH[:1], 4: BOTH, 5: BOTH}.items():
        model = Model(seats, first=0, cards=list(SINGERS)[: seats + 1])
        assert expected == model.helpers
        model.round = 4
        assert [] == model.helpers


def test_refusals_are_told_clockwise() -> None:
    """Hires and refusals are told in one round of the table, the holder last, each refusal with its reason."""
    told = audition("money, money, money, money", holder=1).told
    assert [("hires", "2"), ("hires", "3"), ("refused", "0"), ("refused", "1")] == [(name, what["seat"]) for name, what in told]
    assert ["taken", "puccini"] == [what["why"] for name, what in told if name == "refused"]
    told = audition("money, money, 1, 2", holder=1, helpers=[]).told
    assert [("retrieves", "0"), ("retrieves", "1")] == [(name, what["seat"]) for name, what in told[2:]]


def test_numbers_are_told_upwards() -> None:
    """Number by number: the winner, then the outbid by seat."""
    told = audition("5, 2, 2+2, 5+3, 2+1", holder=4).told
    expected = [("overbids", "2"), ("outbid", "1"), ("outbid", "4"), ("overbids", "3"), ("outbid", "0")]
    assert expected == [(name, what["seat"]) for name, what in told]
    assert {"seat": "2", "card": "opale", "position": "2", "paid": 2} == told[0][1]
    assert {"seat": "4", "position": "2", "back": 1} == told[2][1]


@pytest.mark.parametrize("seats", [2, 3])
def test_nothing_is_lost_in_an_audition(seats: int) -> None:
    """In every audition each money card is paid, taken back or built with, and whoever wins nothing lacks a card."""
    every = [play for play in Player(0, range(1, seats + 2)).plays() if not play.bluff]
    row = {number: ROW[number] for number in range(1, seats + 2)}
    for holder, laid in product(range(seats), product(every, repeat=seats)):
        plays = dict(enumerate(laid))
        verdict = resolve(plays, holder, row, BOTH[:1])
        for seat, play in plays.items():
            assert play.money == verdict.paid[seat] + verdict.back[seat] + (seat in verdict.hired)
        assert set(plays) == set(verdict.wins) | set(verdict.lacking)
        assert len(plays) == len(verdict.wins) + len(verdict.lacking)
        assert len(set(verdict.wins.values())) == len(verdict.wins)
        assert not (holder in verdict.hired or len(verdict.hired) > 1)


# A round.


def test_understudies_go_round_from_the_left() -> None:
    """The holder gives everybody without a card one of those left, himself last; the last card stays till the round ends."""
    model = Model(4, first=2, cards=["zia", "opale", "masque", "malo", "vega"])
    drive(model, "2 bid 1 0 plain, 3 bid 1 0 bluff, 0 bid 5 1 plain, 1 money plain")
    assert (["1", "2", "3"], {"give 1", "give 2", "give 3", "give 4"}) == (model.state()["lacking"], model.legal(2))
    assert {"0": 2, "1": 2, "2": 3, "3": 3, "4": 0} == model.state()["money"]
    assert [("gives", {"seat": "3", "card": "malo", "position": "4"})] == model.play(2, "give 4")
    assert [("gives", {"seat": "1", "card": "zia", "position": "1"})] == model.play(2, "give 1")
    assert [("gives", {"seat": "2", "card": "opale", "position": "2"})] == model.play(2, "give 2")
    state = model.state()
    assert ("name", [], "masque") == (state["asked"], state["lacking"], state["offer"]["3"])
    assert "bid 1 0 bluff" == state["shown"]["3"]
    assert {"name 0", "name 1", "name 3"} == model.legal(2)
    drive(model, "2 name 0")
    assert ([0], 9) == (model.to_act(), len(model.legal(0)))
    told = model.play(0, "strike amazone", ["lulu", "pirouette", "corvin", "ombre", "isaure"])
    assert ["strikes", "leaves", "opens", *["presents"] * 5] == [name for name, _ in told]
    assert {"card": "masque"} == told[1][1]
    state = model.state()
    assert (2, "3", "no", [None] * 5) == (
        state["round"],
        state["puccini"],
        state["pile"]["masque"],
        list(state["shown"].values()),
    )
    assert ["vega", "zia", "opale", "malo"] == [state["troupe"][seat]["1"] for seat in "0123"]
    assert "amazone" not in state["pool"] and 8 == len(state["pool"])


def test_wrongly_told_chance() -> None:
    """Cards must be told exactly when a round opens, the right number of them, and none that is gone."""
    with pytest.raises(ValueError, match="lays out 3 of"):
        Model(2, first=0, cards=["zia", "opale"])
    with pytest.raises(ValueError, match="lays out no cards"):
        Model(2, first=0, cards=["zia", "opale", "masque"]).play(0, "money plain", ["vega"])
    for cards in (None, ["zia", "vega", "malo"], ["vega", "vega", "malo"]):
        model = Model(2, first=0, cards=["zia", "opale", "masque"])
        drive(model, "0 bid 1 0 plain, 1 bid 2 0 plain, 0 name 1")
        with pytest.raises(ValueError, match="round 2"):
            model.play(1, "strike temple", cards)


def opens(model: Model, seat: int, action: str) -> bool:
    """Whether an action ends a round that is not the last: a strike, later the last understudy, or a peaceful audition."""
    if model.asked == "strike":
        return True
    if model.round not in (4, 5, 6):
        return False
    if model.asked == "understudy":
        return len(model.lacking) == 1
    plays = [player.play for player in model.players if player.play] + [Play.named(action)]
    numbers = {play.number for play in plays} - {None}
    return len(numbers) == model.seats


def random_match(seats: int, seed: int, blind: bool) -> Model:
    """A match of random play with its own chance, checked at every decision."""
    chance = random.Random(seed)
    first = chance.randrange(seats)
    model = Model(seats, first=first, cards=chance.sample(list(SINGERS), seats + 1), blind=blind)
    holders = [first]
    while model.to_act():
        seat = chance.choice(model.to_act())
        action = chance.choice(sorted(model.legal(seat)))
        cards = None
        if opens(model, seat, action):
            source = set(model.directors) - {action.split()[1]} if model.round == 3 else set(model.pile)
            cards = chance.sample(sorted(source), seats + 1)
        model.play(seat, action, cards)
        if cards:
            holders.append(model.puccini)
            assert (len(holders), seats + 1) == (model.round, len(model.row))
        # One card more is always left than there are players without one.
        assert len(model.lacking) + 1 == len(model.row) or model.asked not in ("understudy", "name", "strike")
        for player in model.players:
            assert 3 == player.purse + player.on_table + player.discarded + player.elements
    assert [(first + turn) % seats for turn in range(7)] == holders
    return model


@pytest.mark.parametrize(("seats", "blind"), [*product(range(2, 6), [False, True])])
def test_random_matches(seats: int, blind: bool) -> None:
    """Puccini goes round, everybody ends with six singers and a director, and no card is lost or doubled."""
    for seed in range(30):
        model = random_match(seats, seed, blind)
        hired = [singer for player in model.players for singer in player.troupe]
        assert 6 * seats == len(set(hired)) == len(hired)
        assert seats == len({player.director for player in model.players if player.director})
        # 6 rounds of seats + 1 singers: 18, 24, 30 or all 36.
        assert 36 - 6 * (seats + 1) == len(model.pile)
        assert (6 if seats == 2 else 0) == len(model.fictitious)
        assert not model.directors and not model.row
        assert all(set(player.troupe) == set(player.casting) for player in model.players)


# Counting.


@pytest.mark.parametrize(
    ("ids", "director", "elements", "stars", "points", "total"),
    [
        ("17 13 18 16 15 6", "temple", 1, 14, 7, 24),
        ("23 33 27 5 30 36", "amazone", 0, 16, 5, 20),
        ("4 12 29 26 28 25", "vaudeville", 2, 12, 6, 23),
        ("1 2 7 8 10 14", "patronage", 3, 7, 7, 19),
        ("30 29 6 11 24 18", "perfection", 0, 18, 2, 20),
    ],
)
def test_golden_scores(ids: str, director: str, elements: int, stars: int, points: int, total: int) -> None:
    """The table of the facts, in the best casting of each troupe."""
    troupe = [ORDER[int(number) - 1] for number in ids.split()]
    best = best_casting(troupe)
    score = replace(best, elements=elements, director=DIRECTORS[director].points(troupe))
    assert (stars, points, total) == (score.stars, score.director, score.total)


@pytest.mark.parametrize(
    ("names", "stars", "favourites", "wrong"),
    [
        # Everybody in place: the favourites of all six roles, of the right sex.
        ("fontbrune clairvent vega regnaud tourneboule bouboule", 13, 6, 0),
        # A man as Turandot and a woman as Calaf, both as they wish: +1 and -1 each.
        ("froufrou malgrange lulu larsen aubrac corvin", 12, 6, -2),
        # Undetermined sex is never wrong, and may be a favourite.
        ("silence opale pirouette ombre masque poussin", 10, 2, 0),
        # The same six the other way round: the child no longer sings Pang, the shadow no longer Ping.
        ("poussin masque ombre pirouette opale silence", 10, 0, 0),
        # Men as Turandot and Liù, women as the four men.
        ("thoraval sermaize rasko bellegarde morgane vauquelin", 17, 0, -6),
    ],
)
def test_singing(names: str, stars: int, favourites: int, wrong: int) -> None:
    """Stars, favourite roles and wrong sexes of a given casting, counted by hand."""
    assert Points(stars, favourites, wrong) == sung(singers(names))


THRESHOLDS = {
    # Classical singers among professionals: 1 each, and 2 once from the second on.
    "temple": [
        ("fontbrune", "clairvent montferrand vauquelin regnaud sermaize", 1),
        ("fontbrune courtadon", "clairvent montferrand vauquelin regnaud", 4),
        ("fontbrune courtadon thoraval", "clairvent montferrand vauquelin", 5),
    ],
    # Undetermined singers, none of them classical or alternative.
    "terrible": [
        ("", "clairvent montferrand vauquelin regnaud sermaize brandebourg", -4),
        ("poussin", "clairvent montferrand vauquelin regnaud sermaize", 0),
        ("poussin pirouette", "clairvent montferrand vauquelin regnaud", 3),
        ("poussin pirouette ombre", "clairvent montferrand vauquelin", 3),
    ],
    # Three stars, then one star, the rest two.
    "perfection": [
        ("bellegarde thoraval vega", "vaucresson aubrac larsen", 0),
        ("bellegarde thoraval vega rasko", "vaucresson aubrac", 2),
        ("bellegarde thoraval vega rasko morgane", "vaucresson", 2),
        ("fontbrune", "vaucresson aubrac larsen opale lulu", 0),
        ("fontbrune courtadon", "vaucresson aubrac larsen opale", -2),
        ("fontbrune courtadon zia", "vaucresson aubrac larsen", -2),
    ],
    # One star, the rest two.
    "patronage": [
        ("fontbrune", "vaucresson aubrac larsen opale lulu", 0),
        ("fontbrune courtadon", "vaucresson aubrac larsen opale", 6),
        ("fontbrune courtadon zia", "vaucresson aubrac larsen", 6),
    ],
    # Favourites among the three ministers, then among the other three roles; the rest have none.
    "vaudeville": [
        ("aubrac", "vaucresson opale vauquelin lavoie bellegarde", 0),
        ("aubrac larsen", "vaucresson opale vauquelin lavoie", 2),
        ("aubrac larsen poussin", "vaucresson opale vauquelin", 2),
        ("clairvent", "vaucresson opale vauquelin lavoie bellegarde", 0),
        ("clairvent vega", "vaucresson opale vauquelin lavoie", -2),
        ("clairvent vega fontbrune", "vaucresson opale vauquelin", -2),
    ],
    "tenebres": [
        ("aubrac", "vaucresson opale vauquelin lavoie bellegarde", 0),
        ("aubrac larsen", "vaucresson opale vauquelin lavoie", -5),
        ("aubrac larsen poussin", "vaucresson opale vauquelin", -5),
        ("clairvent", "vaucresson opale vauquelin lavoie bellegarde", 0),
        ("clairvent vega", "vaucresson opale vauquelin lavoie", 3),
        ("clairvent vega fontbrune", "vaucresson opale vauquelin", 3),
    ],
}


@pytest.mark.parametrize(
    ("director", "some", "rest", "points"),
    [(director, *line) for director, lines in THRESHOLDS.items() for line in lines],
)
def test_thresholds(director: str, some: str, rest: str, points: int) -> None:
    """Each threshold just missed, just met and passed."""
    assert points == DIRECTORS[director].points(singers(f"{some} {rest}"))


@pytest.mark.parametrize(
    ("director", "names", "points"),
    [
        ("temple", "fontbrune courtadon vaucresson aubrac bellegarde thoraval", 8),
        ("temple", "zia silence larsen opale vega rasko", -8),
        ("terrible", "zia silence larsen opale vega rasko", 9),
        ("terrible", "fontbrune courtadon vaucresson aubrac bellegarde thoraval", -16),
        ("perfection", "vauquelin regnaud sermaize brandebourg bellegarde thoraval", 6),
        ("perfection", "pommier poussin malgrange lavoie grosjean tourneboule", -8),
        ("patronage", "pommier poussin malgrange lavoie grosjean zia", 10),
        ("patronage", "vauquelin regnaud sermaize brandebourg bellegarde thoraval", -8),
        ("vaudeville", "ginette cabriole lulu pirouette bouboule poussin", 7),
        ("vaudeville", "ombre isaure malo morgane masque zia", -7),
        ("tenebres", "ombre isaure malo morgane masque zia", 8),
        ("tenebres", "ginette cabriole pirouette bouboule froufrou poussin", -10),
    ],
)
def test_extremes(director: str, names: str, points: int) -> None:
    """The best and the worst troupe for a director, counted by hand."""
    assert points == DIRECTORS[director].points(singers(names))


PAIRS = singers("clairvent pommier fontbrune zia ginette corvin brandebourg grosjean thoraval rasko froufrou malo")
"""One singer of each category, then another of each."""


def test_tables() -> None:
    """Variety, repetition and women, at every number of them."""
    expected = {1: -4, 2: -4, 3: -3, 4: -1, 5: 3, 6: 6}
    troupes = {1: ORDER[:6], 2: ORDER[:5] + PAIRS[1:2], 3: PAIRS[:3] + PAIRS[6:9], 4: PAIRS[:4] + PAIRS[6:8]}
    troupes |= {5: PAIRS[:5] + PAIRS[6:7], 6: PAIRS[:6]}
    assert expected == {number: DIRECTORS["eclectique"].points(troupe) for number, troupe in troupes.items()}
    expected = {1: -3, 2: -1, 3: 3, 4: 6, 5: 7, 6: 9}
    found = {number: DIRECTORS["monomane"].points(ORDER[:number] + PAIRS[1 : 7 - number]) for number in range(1, 7)}
    assert expected == found
    women, men = (
        singers("vauquelin sermaize pommier malgrange fontbrune zia"),
        singers("malo rasko corvin lavoie silence ombre"),
    )
    expected = {0: -3, 1: -2, 2: -1, 3: 4, 4: 5, 5: 5, 6: 5}
    found = {number: DIRECTORS["amazone"].points(women[:number] + men[: 6 - number]) for number in range(7)}
    assert expected == found


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([Points(stars=10), Points(stars=11), Points(stars=9)], [1]),
        # Equal totals: the stars on singers decide, not elements, favourites, director or Puccini.
        ([Points(stars=10, elements=2), Points(stars=12), Points(stars=9, director=2)], [1]),
        ([Points(stars=12, favourites=1, puccini=-1), Points(stars=11, favourites=1)], [0]),
        ([Points(stars=12, wrong=-2), Points(stars=9, favourites=1)], [0]),
        # Equal stars too: the victory is shared, by these only.
        ([Points(stars=10, elements=2), Points(stars=10, director=2), Points(stars=9, favourites=3)], [0, 1]),
        ([Points(stars=7, director=-8), Points(stars=6, wrong=-6)], [1]),
    ],
)
def test_winners(scores: list[Points], expected: list[int]) -> None:
    """The highest total, then the most stars on singers, then all of them."""
    assert expected == winners(scores)


# The end.


def curtain(troupes: Sequence[str], directors: str, fictitious: str = "", rival: str = "", puccini: int = 0) -> Model:
    """A table where the castings are to be made; the troupes are written in the order in which they will sing."""
    model = Model(len(troupes), first=puccini, cards=list(SINGERS)[: len(troupes) + 1])
    for player, names, director in zip(model.players, troupes, directors.split(), strict=True):
        player.troupe = singers(names)
        player.director = DIRECTORS[director]
    model.row.clear()
    model.directors.clear()
    model.round, model.asked = 7, "cast"
    model.fictitious = singers(fictitious)
    model.fictitious_director = DIRECTORS.get(rival)
    return model


def sing(model: Model) -> dict[str, dict[str, object]]:
    """Everybody casts the troupe in its order; what is told at the end, by name, of equal names the last."""
    for player in model.players[::-1]:
        for singer in player.troupe:
            told = model.play(player.seat, f"cast {singer.name}")
    return dict(told)


STARS = "sermaize brandebourg bellegarde thoraval grosjean tourneboule"
"""18 stars; Turandot and Liù are women, four men; nobody but Tourneboule has a favourite, and sings Pang."""
PLAIN = "vauquelin lavoie vaucresson malo morgane rasko"
"""14 stars, no favourites; a man as Liù and a woman as Pong."""
FEW = "pommier clairvent ginette cabriole corvin courtadon"
"""6 stars; Calaf is sung by its favourite."""


def test_casting() -> None:
    """Each seat casts its roles in order at its own pace; what is cast lies hidden until all have."""
    model = curtain([STARS, PLAIN, FEW], "eclectique amazone temple")
    assert [0, 1, 2] == model.to_act()
    assert {f"cast {name}" for name in STARS.split()} == model.legal(0)
    assert [] == model.play(0, "cast tourneboule")
    assert {f"cast {name}" for name in STARS.split()[:-1]} == model.legal(0)
    state = model.state()
    assert ("tourneboule", None, 1) == (
        state["casting"]["0"]["turandot"],
        state["casting"]["0"]["calaf"],
        state["assigned"]["0"],
    )
    assert {None} == set(state["cast"]["0"].values())
    drive(model, "0 cast sermaize, 0 cast bellegarde, 0 cast thoraval, 0 cast brandebourg, 0 cast grosjean")
    assert ([1, 2], set()) == (model.to_act(), model.legal(0))
    assert [18, 14, 6] == [one.stars for one in model.points()]
    assert {0} == {one.favourites for one in model.points()}


def test_end_among_three() -> None:
    """Stars, favourites, wrong sexes, elements and director of each seat; nobody pays for Puccini."""
    model = curtain([STARS, PLAIN, FEW], "eclectique amazone temple", puccini=1)
    model.players[2].elements = 2
    told = sing(model)
    # Eclectic: pro, cla and ama are three, -3. Amazon: Vauquelin and Morgane are two women, -1.
    # Keeper of the Temple: one classical singer, +1.
    expected = [Points(18, 0, 0, 0, -3, 0), Points(14, 0, -2, 0, -1, 0), Points(6, 1, 0, 2, 1, 0)]
    assert expected == model.points()
    assert ({"seat": "0"}, "finished", [0]) == (told["wins"], model.ending, model.winners)
    assert "fictitious" not in told
    assert {"turandot": "pommier", "calaf": "clairvent", "liu": "ginette"} == {role: told["leads"][role] for role in ROLES[:3]}
    assert {"ping": "cabriole", "pong": "corvin", "pang": "courtadon"} == {role: told["trio"][role] for role in ROLES[3:]}
    assert "courtadon" == model.state()["cast"]["2"]["pang"]


def test_puccini_costs_a_point_among_two() -> None:
    """The last holder pays one point, which may cost the victory but does not count between equals."""
    # 14 - 2 - 1 against 6 + 1 + 1 and elements.
    model = curtain([PLAIN, FEW], "amazone temple", FEW, "temple", puccini=0)
    model.players[1].elements = 3
    told = sing(model)
    assert [Points(14, 0, -2, 0, -1, -1), Points(6, 1, 0, 3, 1, 0)] == model.points()
    assert [10, 11] == [one.total for one in model.points()]
    assert ("finished", [1]) == (model.ending, model.winners)
    # The fictitious troupe: 6 + 1 + 1.
    assert {"stars": 6, "favourites": 1, "wrong": 0, "director": 1, "total": 8} == told["fictitious"]
    model = curtain([PLAIN, FEW], "amazone temple", FEW, "temple", puccini=0)
    model.players[1].elements = 2
    told = sing(model)
    assert ([10, 10], "tied", [0]) == ([one.total for one in model.points()], model.ending, model.winners)
    assert {"seat": "0", "stars": 14, "seats": ["0", "1"], "total": 10} == told["settles"]


def test_a_shared_victory_is_told() -> None:
    """Two with the same troupe share it; a third with as many points and fewer stars does not."""
    model = curtain([PLAIN, PLAIN, FEW], "amazone amazone temple")
    model.players[2].elements = 3
    told = sing(model)
    assert ([11, 11, 11], "tied", [0, 1]) == ([one.total for one in model.points()], model.ending, model.winners)
    assert {"winners": ["0", "1"], "stars": 14, "seats": ["0", "1", "2"], "total": 11} == told["shares"]


@pytest.mark.parametrize(
    ("elements", "ending", "seats"),
    [
        # The fictitious troupe has 15; the elements, more than there could be, make the difference.
        ((2, 9), "finished", [1]),
        ((2, 8), "finished", [1]),
        ((2, 7), "fictitious", []),
        ((4, 0), "finished", [0]),
        ((3, 7), "fictitious", []),
    ],
)
def test_fictitious_troupe(elements: tuple[int, int], ending: str, seats: list[int]) -> None:
    """It wins only if it is better than both, after the point for Puccini."""
    model = curtain([PLAIN, FEW], "amazone temple", STARS, "eclectique", puccini=1)
    for player, number in zip(model.players, elements, strict=True):
        player.elements = number
    told = sing(model)
    # 14 - 2 - 1 and 6 + 1 + 1 - 1 without elements, against 18 - 3.
    assert (15, [11 + elements[0], 7 + elements[1]]) == (model.rival().total, [one.total for one in model.points()])
    assert (ending, seats) == (model.ending, model.winners)
    assert ("lost" in told, "wins" in told) == (ending == "fictitious", ending == "finished")


def test_fictitious_troupe_keeps_its_order() -> None:
    """What nobody took joins it in the order of the rounds, and sings in that order."""
    model = Model(2, first=0, cards=["zia", "opale", "masque"])
    drive(model, "0 bid 1 0 plain, 1 bid 2 0 plain, 0 name 1")
    drive(model, "1 strike temple", "vega malo lulu")
    drive(model, "1 bid 1 0 plain, 0 bid 1 0 plain, 1 give 1, 1 give 3, 1 name 0")
    drive(model, "0 strike monomane", "corvin ombre isaure")
    assert {"1": "masque", "2": "malo"} | dict.fromkeys("3456") == model.state()["fictitious"]
    drive(model, "0 bid 1 0 plain, 1 bid 2 0 plain, 0 name 1")
    told = model.play(1, "strike amazone", ["terrible", "tenebres", "eclectique"])
    removed = [what["director"] for name, what in told if name == "removed"]
    assert (["perfection", "patronage", "vaudeville"], []) == (removed, model.state()["pool"])
    # Money alone hires nobody while directors are on offer.
    drive(model, "1 bid 3 1 plain")
    assert ["lays", "reveals", "reveals", "recruits", "retrieves"] == [name for name, _ in model.play(0, "money plain")]
    assert ({"give 1", "give 2"}, 3) == (model.legal(1), model.players[0].purse)
    drive(model, "1 give 2", "clairvent lavoie thoraval")
    state = model.state()
    assert ("terrible", "tenebres", "eclectique") == (
        state["fictitious_director"],
        state["director"]["0"],
        state["director"]["1"],
    )
    assert (5, "0", "isaure") == (state["round"], state["puccini"], state["fictitious"]["3"])


def test_clockwise() -> None:
    """From the holder's left round to the holder."""
    assert [3, 4, 0, 1, 2] == clockwise(2, 5)
    assert [1, 0] == clockwise(0, 2)


def test_docstring() -> None:
    """The example in the model's docstring holds."""
    assert 0 == doctest.testmod(turandot_model).failed
