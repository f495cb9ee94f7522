"""Turandot: the rulebook § by §, its scores by hand, its secrets, its words and its bot."""

from __future__ import annotations

import copy
import itertools
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from ridotto.core.errors import IllegalAction
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine import fields
from ridotto.engine.build import Build
from ridotto.engine.errors import BadBox
from ridotto.engine.fields import EVENT_WIDTH, HIDDEN
from ridotto.games.turandot import components, game
from ridotto.games.turandot import rules as declared
from ridotto.games.turandot.components import Filter, Term
from ridotto.games.turandot.ui import sketch
from ridotto.games.turandot.ui.words import Words
from ridotto.present import views
from ridotto.present.narrator import LANGUAGES
from ridotto.present.ui import ui

WORDS = Words(ui(game).narrator())
BUILD = game.build()
RULES: Any = BUILD.rules
F = RULES.F
A = RULES.A
NAMES = RULES.SINGER.names
COMPONENTS = Path(components.__file__).with_name("components.toml")

# The singers by hand, as the facts number them from 1: category, stars, sex, favourite role.
CARDS = """
pro 1 M calaf, pro 1 M pong, pro 2 F -, pro 2 M ping, pro 3 F -, pro 3 M -,
ama 1 F -, ama 1 U pang, ama 2 F calaf, ama 2 M -, ama 3 M -, ama 3 M pong,
cla 1 F turandot, cla 1 M calaf, cla 2 M -, cla 2 M pong, cla 3 F -, cla 3 M -,
alt 1 F turandot, alt 1 U -, alt 2 M ping, alt 2 U -, alt 3 F liu, alt 3 M -,
com 1 F -, com 1 M -, com 2 F liu, com 2 U -, com 3 M pang, com 3 M turandot,
som 1 M pang, som 1 U ping, som 2 F liu, som 2 M -, som 3 F -, som 3 U -
"""
FACTS = [tuple(card.split()) for card in CARDS.replace("\n", " ").split(",")]

LAID_OUT = ("presents", "offers")
"""The events in which a card comes to lie under a role."""


# Tables to start from.


def opened(seats: int, puccini: int = 0, blind: int = 0, **changes: Any) -> Match:
    """A match at its first audition, singer number k under role k; `changes` are put into its position."""
    match = Match(game, seats, {"blind": blind}, draws=[puccini] + [0] * (seats + 1))
    return changed(match, **changes) if changes else match


def changed(match: Match, **changes: Any) -> Match:
    """A match that goes on from where this one stands, with some fields changed."""
    position = copy.deepcopy(match.position())
    for name, value in changes.items():
        if isinstance(position[name], dict) and isinstance(value, dict):
            position[name].update(value)
        else:
            position[name] = value
    return Match(game, position=position)


def laid(match: Match, *choices: str) -> Match:
    """The match after all seats have laid, given by seat; in turn they lay clockwise from Puccini's holder."""
    for i in range(match.seats):
        seat = (match.row[F.puccini] + i) % match.seats
        match.play(choices[seat], seat)
    return match


def on(match: Match, seed: int, done: Callable[[Match], bool]) -> Match:
    """The match after random play until something holds."""
    chance = random.Random(seed)
    while match.to_act and not done(match):
        seat = chance.choice(match.to_act)
        match.play(chance.choice(match.legal(seat)), seat)
    return match


def asks(question: str, round: int | None = None) -> Callable[[Match], bool]:
    """Whether a match asks something, in a certain round."""
    return lambda match: match.position()["asked"] == question and round in (None, match.row[F.round])


def told(match: Match, *events: str, since: int = 0) -> list[tuple[Any, ...]]:
    """The events of these names from a ply on, as names and shown arguments."""
    return [
        (one.event.name, *(arg.kind.to_json(value) for arg, value in zip(one.event.args, one.values, strict=True)))
        for one in match.events
        if one.event.name in events and one.ply >= since
    ]


def sections(match: Match, *events: str) -> list[str]:
    """The § that each of these events cites."""
    return [one.event.section for one in match.events if one.event.name in events]


def troupe(match: Match, seat: int) -> list[str]:
    """The singers of a seat."""
    return [name for name in match.position()["troupe"][str(seat)].values() if name]


def finished(
    troupes: Sequence[Sequence[int]],
    directors: Sequence[str],
    elements: Sequence[int] = (0,) * 5,
    fictitious: tuple[Sequence[int], str] | None = None,
    puccini: int = 0,
) -> tuple[list[int], list[tuple[int, ...]]]:
    """A row whose casting is in, and the events of its end; singers are numbered from 1, in the order of their roles."""
    row = Match(game, len(troupes), draws=[puccini] + [0] * (len(troupes) + 1)).row
    for seat, singers in enumerate(troupes):
        for role, singer in enumerate(singers):
            row[F.troupe + seat * 6 + role] = singer - 1
            row[F.cast + seat * 6 + role] = singer - 1
        row[F.director + seat] = RULES.DIRECTOR.parse(directors[seat])
        row[F.elements + seat] = elements[seat]
    if fictitious:
        for role, singer in enumerate(fictitious[0]):
            row[F.fictitious + role] = singer - 1
        row[F.fictitious_director] = RULES.DIRECTOR.parse(fictitious[1])
    events = BUILD.events()
    RULES.finish(row, events)
    return row, [tuple(events[at : at + EVENT_WIDTH]) for at in range(1, 1 + events[0] * EVENT_WIDTH, EVENT_WIDTH)]


def parts(row: list[int], seat: int) -> dict[str, int]:
    """The parts of a score by name."""
    values = [0] * len(RULES.PARTS)
    total = RULES.score(row, seat, values)
    assert sum(values) == total
    return dict(zip((line.name for line in RULES.PARTS), values, strict=True))


def directed(director: str, singers: Sequence[int]) -> int:
    """The points of a director for a troupe of singers numbered from 1."""
    row = [singer - 1 for singer in singers]
    return int(RULES.director_points(row, 0, RULES.DIRECTOR.parse(director)))


# §2 Setting up.


def test_box_holds_the_cards_of_the_facts() -> None:
    """§2.5: the singers in the box are those of the facts, one by one."""
    found = [
        (one["category"], str(one["stars"]), one["sex"], one.get("favourite", "-"))
        for one in tomllib.loads(COMPONENTS.read_text("utf-8"))["singers"]
    ]
    assert FACTS == found


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_set_up(seats: int) -> None:
    """§2.1, §2.2, §2.4, §2.5: three money cards for those who play, nothing for absent seats, nine directors, n + 1 singers."""
    shown = opened(seats).position()
    assert [3] * seats + [0] * (5 - seats) == list(shown["money"].values())
    assert [None] * 30 == [one for troupe in shown["troupe"].values() for one in troupe.values()]
    assert list(RULES.DIRECTOR.names) == shown["pool"]
    assert list(NAMES[: seats + 1]) + [None] * (5 - seats) == list(shown["offer"].values())
    assert 36 - seats - 1 == list(shown["pile"].values()).count("yes")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_numbers_in_use(seats: int) -> None:
    """§2.4: numbers 1 to one more than the players, each with 0 to 3 money, with or without bluff; and money alone."""
    legal = opened(seats).legal()
    expected = {f"bid {p} {m} {b}" for p in range(1, seats + 2) for m in range(4) for b in ("plain", "bluff")}
    assert expected | {"money plain", "money bluff"} == set(legal)


def test_first_puccini_is_drawn() -> None:
    """§2.6: each seat may be the first to have Puccini."""
    assert [0, 1, 2, 3] == [opened(4, seat).row[F.puccini] for seat in range(4)]
    assert [("starts", "2")] == told(opened(4, 2), "starts", "blind")


# §3 A round.


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("start", [0, 1])
def test_seven_rounds(seats: int, start: int) -> None:
    """§3.1, §3.2, §6.3: singers in all rounds but the fourth; Puccini goes left after each but the last."""
    match = on(opened(seats, start), 5, asks("cast"))
    expected = [("opens", r, str((start + r - 1) % seats)) for r in range(1, 8)]
    assert expected == told(match, "opens")
    assert (start + 6) % seats == match.row[F.puccini]
    brought = [(name, "director" if card in RULES.DIRECTOR.names else "singer") for name, _, card in told(match, *LAID_OUT)]
    singers, directors = [("presents", "singer")] * (seats + 1), [("offers", "director")] * (seats + 1)
    assert singers * 3 + directors + singers * 3 == brought
    assert all(len(troupe(match, seat)) == 6 for seat in range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_singers_used(seats: int) -> None:
    """§2.5: 18, 24, 30 or all 36 singers come on, each once."""
    match = on(opened(seats), 8, asks("cast"))
    cards = [card for _, _, card in told(match, "presents") if card in NAMES]
    assert 6 * (seats + 1) == len(cards) == len(set(cards))


def test_only_what_lies_face_down_is_hidden() -> None:
    """§3.3: an onlooker misses the cards laid and the castings begun, and nothing else."""
    fields = {RULES.FIELDS.field_at(index).name for index in RULES.FIELDS.hidden(None)}
    assert {"pending", "casting"} == fields


# §4 The audition.


def test_next_singers_come_from_the_pile() -> None:
    """§4.1: the k-th draw takes a singer among those still in the pile, in their order."""
    match = Match(game, 2, draws=[0, 35, 34, 0])
    assert ["masque", "morgane", "clairvent"] == [card for _, _, card in told(match, "presents")]


def test_what_may_not_be_laid() -> None:
    """§4.2: no number out of play, no more money than one has; without money one must lay a number."""
    match = opened(3, money={"0": 1}, spent={"0": 2})
    for choice, reason in (("bid 5 0 plain", "no_number"), ("bid 1 2 plain", "no_money")):
        refusal = match.why(choice)
        assert refusal is not None and reason == refusal.reason
    assert 4 * 2 * 2 + 2 == len(match.legal())
    poor = opened(3, money={"0": 0}, elements={"0": 3})
    assert {f"bid {p} 0 {b}" for p in range(1, 5) for b in ("plain", "bluff")} == set(poor.legal())
    refusal = poor.why("money bluff")
    assert refusal is not None and "no_money" == refusal.reason


def test_refusal_in_words() -> None:
    """§4.2: a refusal says what, who, why, where, and what would do."""
    match = opened(2)
    with pytest.raises(IllegalAction) as caught:
        match.play("bid 4 0 plain")
    text = str(caught.value)
    assert text.startswith(
        "illegal action 'bid 4 0 plain' by seat 0 at ply 1: with 2 players there is no number 4 (§2.4); legal: "
    )


@pytest.mark.parametrize(
    ("choice", "cards"),
    [
        ("bid 2 0 plain", 1),
        ("bid 2 0 bluff", 2),
        ("bid 2 3 plain", 4),
        ("bid 2 3 bluff", 5),
        ("money plain", 1),
        ("money bluff", 2),
    ],
)
def test_cards_are_counted_and_not_seen(choice: str, cards: int) -> None:
    """§4.3, §4.4: the others see how many cards lie there, bluff included, and only their owner sees which."""
    match = opened(3, 1)
    match.play(choice, 1)
    assert cards == match.row[F.laid + 1]
    for seat in (0, 2, None):
        view = match.view(seat)
        assert HIDDEN == view.row[F.pending + 1]
        assert {"seat": "1", "cards": cards, "choice": "?"} == views.events(view, ui(view.game).english)[-1]["args"]
        assert choice not in f"{view.position} {views.events(view, ui(view.game).english)}"
    assert choice == match.view(1).position["pending"]["1"]


def test_laying_goes_clockwise_from_puccini() -> None:
    """§4.4: Puccini's holder lays first, the others follow to the left, one at a time."""
    match = opened(4, 2)
    order = []
    for choice in ("bid 1 0 plain", "bid 2 0 plain", "bid 3 0 plain"):
        order.append(match.to_act)
        match.play(choice)
    assert [(2,), (3,), (0,)] == order
    assert (1,) == match.to_act
    refusal = match.why("bid 1 0 plain", 2)
    assert refusal is not None and "wait" == refusal.reason


def test_reveal_shows_everything() -> None:
    """§4.5: after the last all cards are turned up, clockwise from Puccini's holder."""
    match = laid(opened(3, 1), "bid 1 0 plain", "bid 1 1 bluff", "money plain")
    expected = [("reveals", "1", "bid 1 1 bluff"), ("reveals", "2", "money plain"), ("reveals", "0", "bid 1 0 plain")]
    assert expected == told(match, "reveals")
    assert [None] * 5 == list(match.position()["pending"].values())
    assert [0] * 5 == list(match.position()["laid"].values())
    assert "bid 1 1 bluff" == match.view(0).position["shown"]["1"]


def test_bluff_counts_for_nothing() -> None:
    """§4.3: with or without the bluff card the recruiting is the same, and the card comes back."""
    plain = laid(opened(3), "bid 1 1 plain", "bid 1 0 plain", "bid 2 0 plain")
    bluff = laid(opened(3), "bid 1 1 bluff", "bid 1 0 bluff", "bid 2 0 bluff")
    for name in ("troupe", "money", "spent", "lacking"):
        assert plain.position()[name] == bluff.position()[name]
    assert "bid 1 0 bluff" in on(bluff, 1, asks("audition", 2)).legal()


# §5 Recruiting: the four examples of the rulebook. Charles has seat 0, André 1, Brigitte 2; a fourth has Puccini.


def test_example_1_alone_on_a_number() -> None:
    """§5.1: Charles, alone on number 3 with one money card, takes the singer and discards the money."""
    match = laid(opened(4, 3), "bid 3 1 plain", "bid 1 0 plain", "bid 2 0 plain", "bid 4 0 plain")
    assert [NAMES[2]] == troupe(match, 0)
    assert (2, 1) == (match.row[F.money], match.row[F.spent])
    assert ("recruits", "0", NAMES[2], "3", 1) in told(match, "recruits")
    assert [] == told(match, "overbids")


def test_example_2_the_highest_bid() -> None:
    """§5.2: André bids two on number 4, Charles one: André pays, Charles takes his money back and gets an understudy."""
    match = laid(opened(4, 3), "bid 4 1 plain", "bid 4 2 plain", "bid 1 0 plain", "bid 2 0 plain")
    assert [NAMES[3]] == troupe(match, 1)
    assert [3, 1, 3, 3] == match.row[F.money : F.money + 4]
    assert [0, 2, 0, 0] == match.row[F.spent : F.spent + 4]
    assert ["0"] == match.position()["lacking"]
    assert [("overbids", "1", NAMES[3], "4", 2), ("outbid", "0", "4", 1)] == told(match, "overbids", "outbid")
    assert ["5.2", "5.2"] == sections(match, "overbids", "outbid")


def test_example_3_a_tie_of_all() -> None:
    """§5.3: three with one money card each on number 2: all take it back and get understudies."""
    match = laid(opened(4, 3), "bid 2 1 plain", "bid 2 1 plain", "bid 2 1 bluff", "bid 1 0 plain")
    assert [3, 3, 3, 3] == match.row[F.money : F.money + 4]
    assert ["0", "1", "2"] == match.position()["lacking"]
    assert [("tied", "2", ["0", "1", "2"], 1)] == told(match, "tied")
    assert NAMES[1] == match.position()["offer"]["2"]


def test_example_4_a_tie_of_the_highest() -> None:
    """§5.3: two bid two on number 2, a third bids one: nobody wins it, not even the third."""
    match = laid(opened(4, 3), "bid 2 2 plain", "bid 2 2 plain", "bid 2 1 plain", "bid 1 0 plain")
    assert [3, 3, 3, 3] == match.row[F.money : F.money + 4]
    assert ["0", "1", "2"] == match.position()["lacking"]
    assert NAMES[1] == match.position()["offer"]["2"]
    # The tied ones are named, not the third.
    assert [("tied", "2", ["0", "1"], 2)] == told(match, "tied")
    text = "Number 2: a tie between Red and Blue. Nobody wins it, and all money goes back."
    assert text == WORDS.sentence("tied", {"position": 1, "seats": 0b011, "money": 2})


def test_tie_without_money() -> None:
    """§5.3: two on a number without money tie as well, and a third with one card wins it from both."""
    tied = laid(opened(3), "bid 2 0 plain", "bid 2 0 plain", "bid 1 0 plain")
    assert ["0", "1"] == tied.position()["lacking"]
    assert [("tied", "2", ["0", "1"], 0)] == told(tied, "tied")
    text = "Number 2: a tie between Red and Blue. Nobody wins it."
    assert text == WORDS.sentence("tied", {"position": 1, "seats": 0b011, "money": 0})
    won = laid(opened(3), "bid 2 0 plain", "bid 2 0 plain", "bid 2 1 plain")
    assert [NAMES[1]] == troupe(won, 2)


@pytest.mark.parametrize(
    ("seats", "alone", "hired"),
    [
        (2, {1}, {1}),
        (3, {1, 2}, {1}),
        (3, {2}, {2}),
        (4, {1}, {1}),
        (4, {2, 3}, {2, 3}),
        (4, {1, 2, 3}, {1, 2}),
        (5, {2, 3, 4}, {2, 3}),
        (5, {1, 2, 3, 4}, {1, 2}),
    ],
)
def test_who_hires(seats: int, alone: set[int], hired: set[int]) -> None:
    """§2.3, §5.4: clockwise from Puccini's left, one hires with two or three players, two with four or five."""
    choices = ["money plain" if seat in alone else f"bid {seat + 1} 0 plain" for seat in range(seats)]
    match = laid(opened(seats), *choices)
    assert hired == {seat for seat in range(seats) if match.row[F.elements + seat] == 1}
    assert [2 if seat in hired else 3 for seat in range(seats)] == match.row[F.money : F.money + seats]
    assert {str(seat) for seat in alone} == set(match.position()["lacking"])
    helpers = [(str(seat), helper) for seat, helper in zip(sorted(hired), ("dressmaker", "carpenter"), strict=False)]
    assert [("hires", *pair) for pair in helpers] == told(match, "hires")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_puccini_may_not_hire(seats: int) -> None:
    """§5.4: Puccini's holder may lay money alone, hires nobody, and takes no place from those who can."""
    hirers = min(seats - 1, 1 if seats <= 3 else 2)
    choices = ["money plain"] * (hirers + 1) + [f"bid {seat} 0 plain" for seat in range(1, seats - hirers)]
    match = laid(opened(seats), *choices)
    assert [0] + [1] * hirers == match.row[F.elements : F.elements + hirers + 1]
    assert [("refused", "0", "puccini")] == told(match, "refused")
    text = "Red has Puccini and may not hire anybody: the money card goes back."
    assert text == WORDS.sentence("refused", {"seat": 0, "why": RULES.BY_PUCCINI})
    assert 3 == match.row[F.money]
    assert "0" in match.position()["lacking"]


def test_understudies_go_round_from_puccinis_left() -> None:
    """§5.5: the holder gives one card after another, the left neighbour first, the holder last, each card possible."""
    match = laid(opened(4, 1), *["bid 2 0 plain"] * 4)
    assert [f"give {p}" for p in range(1, 6)] == list(match.legal())
    for position in (5, 1, 2, 4):
        assert (1,) == match.to_act
        match.play(f"give {position}")
    expected = [("2", "5"), ("3", "1"), ("0", "2"), ("1", "4")]
    assert expected == [(seat, position) for _, seat, _, position in told(match, "gives")]
    assert [NAMES[1]] == troupe(match, 0)
    assert [NAMES[3]] == troupe(match, 1)
    refusal = match.why("give 3", 1)
    assert refusal is not None and "not_asked" == refusal.reason


def test_a_card_given_is_gone() -> None:
    """§5.5: a card that was recruited or given cannot be given again."""
    match = laid(opened(3), "bid 1 0 plain", "bid 2 0 plain", "bid 2 0 plain")
    assert ["give 2", "give 3", "give 4"] == list(match.legal())
    match.play("give 3")
    for position in (1, 3):
        refusal = match.why(f"give {position}")
        assert refusal is not None and "no_card" == refusal.reason


@pytest.mark.parametrize(("seats", "event"), [(3, "leaves"), (2, "joins")])
def test_card_left_over_waits_for_the_end_of_the_round(seats: int, event: str) -> None:
    """§5.6, §9.1: the card left over stays through naming and striking, then leaves the game or joins the fictitious troupe."""
    match = laid(opened(seats), *[f"bid {seat + 1} 0 plain" for seat in range(seats)])
    left = NAMES[seats]
    for action in ("name 1", "strike temple"):
        assert left == match.position()["offer"][str(seats + 1)]
        match.play(action)
    assert [(event, left)] == told(match, "leaves", "joins")
    assert left not in match.position()["offer"].values()
    assert (left if seats == 2 else None) == match.position()["fictitious"]["1"]


# §6 The directors.


def test_naming_and_striking() -> None:
    """§6.1, §6.2: Puccini's holder names an opponent, who strikes any director; it is gone for good."""
    match = laid(opened(3, 2), "bid 1 0 plain", "bid 2 0 plain", "bid 3 0 plain")
    assert ["name 0", "name 1"] == list(match.legal())
    for seat, reason in ((2, "yourself"), (4, "nobody_there")):
        refusal = match.why(f"name {seat}")
        assert refusal is not None and reason == refusal.reason
    match.play("name 1")
    assert (1,) == match.to_act
    assert [f"strike {name}" for name in RULES.DIRECTOR.names] == list(match.legal())
    match.play("strike monomane")
    assert "monomane" not in match.position()["pool"]
    assert asks("audition", 2)(match) and (0,) == match.to_act
    on(match, 3, asks("strike", 2))
    refusal = match.why("strike monomane")
    assert refusal is not None and "struck" == refusal.reason


def test_same_opponent_may_be_named_again() -> None:
    """§6.1: with three players, seat 0 may be named in rounds 2 and 3 alike."""
    match = on(opened(3), 1, asks("name", 2))
    assert "name 0" in match.legal()
    match.play("name 0")
    on(match, 1, asks("name", 3))
    assert "name 0" in match.legal()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_fourth_round(seats: int) -> None:
    """§6.3: of six directors n + 1 are laid out and the others leave; everybody gets one, no card is ever struck again."""
    match = on(opened(seats), 4, asks("audition", 4))
    shown = match.position()
    assert seats + 1 == sum(card in RULES.DIRECTOR.names for card in shown["offer"].values())
    assert 5 - seats == len(told(match, "removed"))
    assert ["6.3"] * (seats + 1) == sections(match, "offers")
    assert [] == shown["pool"]
    assert 3 == len(told(match, "strikes"))
    on(match, 4, asks("audition", 5))
    hired = [name for name in match.position()["director"].values() if name]
    assert seats == len(set(hired)) == len(hired)
    assert 3 == len(told(match, "strikes"))


def test_nobody_is_for_hire_in_the_fourth_round() -> None:
    """§5.4, §6.3: money alone may be laid for a director, goes back, and gives a director left over."""
    match = on(opened(3), 4, asks("audition", 4))
    match = changed(match, money=dict.fromkeys("012", 3), spent=dict.fromkeys("012", 0), elements=dict.fromkeys("012", 0))
    laid(match, "money plain", "money plain", "money bluff")
    assert [("retrieves", "1"), ("retrieves", "2"), ("retrieves", "0")] == told(match, "retrieves", "refused")
    assert ["6.3"] * 3 == sections(match, "retrieves")
    assert [3, 3, 3] == match.row[F.money : F.money + 3]
    assert ["0", "1", "2"] == match.position()["lacking"]
    for _ in range(3):
        match.play(match.legal()[0])
    assert all(match.row[F.director + seat] >= 0 for seat in range(3))


# §7 Casting.


def test_casting_role_by_role() -> None:
    """§7.1: each seat gives the roles in order to six different singers of its own."""
    match = on(opened(2), 6, asks("cast"))
    mine = troupe(match, 0)
    assert {f"cast {name}" for name in mine} == set(match.legal(0))
    refusal = match.why(f"cast {troupe(match, 1)[0]}", 0)
    assert refusal is not None and "not_yours" == refusal.reason
    match.play(f"cast {mine[4]}", 0)
    refusal = match.why(f"cast {mine[4]}", 0)
    assert refusal is not None and "cast_already" == refusal.reason
    assert mine[4] == match.position()["casting"]["0"]["turandot"]
    assert 1 == match.row[F.assigned]


def test_casting_is_secret_until_the_last_role() -> None:
    """§7.2: nothing is told and no singer shows before everybody's last role is cast."""
    match = on(opened(3), 6, asks("cast"))
    ply = match.ply
    for seat in (1, 0, 2):
        for _ in range(6 if seat != 2 else 5):
            match.play(match.legal(seat)[0], seat)
    assert [2] == list(match.to_act)
    assert [] == [one for one in match.events if one.ply >= ply]
    assert all(HIDDEN == match.view(2).row[F.casting + 6 + role] for role in range(6))
    match.play(match.legal(2)[0], 2)
    assert 2 * 3 == len(told(match, "leads", "trio", since=ply))
    shown = match.position()
    assert set(troupe(match, 1)) == set(shown["cast"]["1"].values())
    assert {None} == set(shown["casting"]["1"].values())


# §8 Scoring.

GOLDEN = [
    ((17, 13, 18, 16, 15, 6), "temple", 1, 14, 2, 7, 24),
    ((23, 33, 27, 5, 30, 36), "amazone", 0, 16, -1, 5, 20),
    ((4, 12, 29, 26, 28, 25), "vaudeville", 2, 12, 3, 6, 23),
    ((1, 2, 7, 8, 10, 14), "patronage", 3, 7, 2, 7, 19),
    ((30, 29, 6, 11, 24, 18), "perfection", 0, 18, 0, 2, 20),
]


@pytest.mark.parametrize(("singers", "director", "elements", "stars", "roles", "points", "total"), GOLDEN)
def test_golden_scores(
    singers: tuple[int, ...], director: str, elements: int, stars: int, roles: int, points: int, total: int
) -> None:
    """§8.1 to §8.5: the scores of the facts, cast in the best way (favourites less wrong sexes)."""
    best = max(itertools.permutations(singers), key=by_hand)
    row, _ = finished([best, (3, 9, 20, 21, 22, 34)], [director, "monomane"], (elements, 0), puccini=1)
    found = parts(row, 0)
    assert (stars, elements, points) == (found["stars"], found["elements"], found["director"])
    assert roles == found["favourites"] + found["wrong"]
    assert total == sum(found.values())


def by_hand(casting: Sequence[int]) -> int:
    """Favourite roles less wrong sexes of a casting, from the facts."""
    points = 0
    for singer, role, sex in zip(casting, ("turandot", "calaf", "liu", "ping", "pong", "pang"), "FMFMMM", strict=True):
        _, _, has, favourite = FACTS[singer - 1]
        points += (favourite == role) - (has not in (sex, "U"))
    return points


def test_favourite_of_the_other_sex_counts_both_ways() -> None:
    """§8.2, §8.3: Froufrou (30) as Turandot and Malgrange (9) as Calaf win a point and lose one each."""
    row, _ = finished([(30, 9, 3, 6, 10, 11), (13, 1, 23, 4, 2, 8)], ["monomane", "monomane"])
    assert {"favourites": 2, "wrong": -2} == {name: parts(row, 0)[name] for name in ("favourites", "wrong")}
    assert {"favourites": 6, "wrong": 0} == {name: parts(row, 1)[name] for name in ("favourites", "wrong")}


def test_undetermined_sex_is_never_wrong() -> None:
    """§8.3: six singers of undetermined sex sing anything; men as Turandot and Liù and women as the others lose a point."""
    row, _ = finished([(20, 22, 28, 36, 8, 32), (6, 3, 10, 5, 7, 17)], ["monomane", "monomane"])
    assert [0, -6] == [parts(row, seat)["wrong"] for seat in (0, 1)]


def test_right_sex_gives_nothing_and_money_left_gives_nothing() -> None:
    """§8.3, §8.4: a well-sexed cast gains nothing by it; stage elements give a point each, money in hand none."""
    troupes = [(5, 6, 17, 10, 11, 15), (3, 12, 35, 18, 24, 34)]
    row, _ = finished(troupes, ["monomane", "monomane"], (2, 0))
    assert 3 == row[F.money] == row[F.money + 1]
    expected = {"stars": 16, "favourites": 0, "wrong": 0, "elements": 2, "director": -1, "puccini": -1}
    assert expected == parts(row, 0)
    assert 0 == parts(row, 1)["elements"]


@pytest.mark.parametrize(
    ("director", "singers", "points"),
    [
        # One Classical, two, three; then two with two Alternative and two of undetermined sex.
        ("temple", (15, 10, 11, 34, 35, 26), 1),
        ("temple", (15, 16, 11, 34, 35, 26), 4),
        ("temple", (15, 16, 17, 34, 35, 26), 5),
        ("temple", (15, 16, 20, 24, 36, 26), 0),
        # None of undetermined sex, one, two, three, always two Alternative; then two Classical as well.
        ("terrible", (24, 21, 10, 11, 34, 35), -2),
        ("terrible", (22, 24, 10, 11, 34, 35), 2),
        ("terrible", (22, 20, 10, 11, 34, 35), 5),
        ("terrible", (22, 20, 28, 11, 34, 35), 5),
        ("terrible", (22, 20, 28, 15, 16, 35), 1),
        # Three of three stars, four, five; four and one of one star, two; three and three; then three Amateurs.
        ("perfection", (5, 6, 17, 16, 34, 33), 2),
        ("perfection", (5, 6, 17, 18, 34, 33), 4),
        ("perfection", (5, 6, 17, 18, 35, 33), 4),
        ("perfection", (5, 6, 17, 18, 13, 33), 4),
        ("perfection", (5, 6, 17, 18, 13, 14), 2),
        ("perfection", (5, 6, 17, 13, 14, 31), 0),
        ("perfection", (5, 6, 11, 12, 10, 33), 1),
        # Three Amateurs with one of one star, two, three; then two Professionals and two of three stars.
        ("patronage", (7, 9, 10, 15, 34, 33), 3),
        ("patronage", (7, 8, 10, 15, 34, 33), 9),
        ("patronage", (7, 8, 10, 13, 34, 33), 9),
        ("patronage", (7, 8, 13, 1, 5, 35), 4),
        # Two Comic with one who likes Ping, Pong or Pang, two, three; one who likes another role, two, three; two Dark.
        ("vaudeville", (26, 25, 4, 3, 10, 15), 2),
        ("vaudeville", (26, 25, 4, 2, 10, 15), 4),
        ("vaudeville", (26, 25, 4, 2, 16, 15), 4),
        ("vaudeville", (26, 25, 9, 3, 10, 15), 2),
        ("vaudeville", (26, 25, 9, 1, 10, 15), 0),
        ("vaudeville", (26, 25, 9, 1, 14, 15), 0),
        ("vaudeville", (26, 25, 4, 2, 34, 35), 2),
        # The same the other way round.
        ("tenebres", (34, 35, 9, 3, 10, 15), 2),
        ("tenebres", (34, 35, 9, 1, 10, 15), 5),
        ("tenebres", (34, 35, 9, 1, 14, 15), 5),
        ("tenebres", (34, 35, 4, 3, 10, 15), 2),
        ("tenebres", (34, 35, 4, 2, 10, 15), -3),
        ("tenebres", (34, 35, 4, 2, 16, 15), -3),
        ("tenebres", (34, 35, 9, 1, 25, 26), 3),
        # One to six categories.
        ("eclectique", (1, 2, 3, 4, 5, 6), -4),
        ("eclectique", (1, 2, 3, 7, 8, 9), -4),
        ("eclectique", (1, 2, 7, 8, 13, 14), -3),
        ("eclectique", (1, 2, 7, 8, 13, 19), -1),
        ("eclectique", (1, 2, 7, 13, 19, 25), 3),
        ("eclectique", (1, 7, 13, 19, 25, 31), 6),
        # One to six singers of one category.
        ("monomane", (1, 7, 13, 19, 25, 31), -3),
        ("monomane", (1, 2, 7, 8, 13, 14), -1),
        ("monomane", (1, 2, 3, 7, 8, 13), 3),
        ("monomane", (1, 2, 3, 4, 7, 13), 6),
        ("monomane", (1, 2, 3, 4, 5, 7), 7),
        ("monomane", (1, 2, 3, 4, 5, 6), 9),
        # No woman up to six.
        ("amazone", (1, 2, 4, 6, 10, 36), -3),
        ("amazone", (3, 2, 4, 6, 10, 36), -2),
        ("amazone", (3, 5, 4, 6, 10, 36), -1),
        ("amazone", (3, 5, 7, 6, 10, 36), 4),
        ("amazone", (3, 5, 7, 9, 10, 36), 5),
        ("amazone", (3, 5, 7, 9, 13, 36), 5),
        ("amazone", (3, 5, 7, 9, 13, 17), 5),
    ],
)
def test_directors(director: str, singers: tuple[int, ...], points: int) -> None:
    """§8.5: every term below its threshold, at it and above it, counted by hand."""
    assert points == directed(director, singers)
    assert points == directed(director, singers[::-1])


def test_director_does_not_look_at_the_casting() -> None:
    """§8.5: the same troupe cast otherwise has the same director's points."""
    casting = (4, 12, 29, 26, 28, 25)
    found = set()
    for order in (casting, casting[::-1], casting[3:] + casting[:3]):
        row, _ = finished([order, (13, 1, 23, 4, 2, 8)], ["vaudeville", "monomane"])
        found.add(parts(row, 0)["director"])
    assert {6} == found


EXTREMES = {
    "temple": (-8, 8),
    "terrible": (-16, 9),
    "perfection": (-8, 6),
    "patronage": (-8, 10),
    "vaudeville": (-7, 7),
    "tenebres": (-10, 8),
    "eclectique": (-4, 6),
    "monomane": (-3, 9),
    "amazone": (-3, 5),
}


@pytest.mark.soak
def test_extremes_of_the_directors() -> None:
    """§8.5: over all 1,947,792 troupes each director gives the least and the most that we found by hand."""
    build = game.build("cpu")
    rules: Any = build.rules
    points = rules.director_points
    row = build.row()
    found = {director: [99, -99] for director in range(9)}
    for singers in itertools.combinations(range(36), 6):
        row[:6] = singers
        for director, span in found.items():
            value = points(row, 0, director)
            span[0], span[1] = min(span[0], value), max(span[1], value)
    assert EXTREMES == {name: tuple(found[director]) for director, name in enumerate(RULES.DIRECTOR.names)}


# Who wins.

STRONG = (23, 6, 27, 4, 12, 29)
"""Stars 3 3 2 2 3 3 = 16; favourites Ping, Pong, Pang, Liù = 4; all sexes right."""
PLAIN = (5, 10, 17, 34, 15, 18)
"""Stars 3 2 3 2 2 3 = 15; no favourites; all sexes right."""


def test_most_points_win() -> None:
    """§8.6: the highest total wins, whoever has it."""
    row, events = finished([PLAIN, STRONG, PLAIN], ["amazone"] * 3)
    assert [14, 19, 14] == [RULES.total(row, seat) for seat in range(3)]
    assert 0b010 == RULES.winners(row)
    assert (RULES.E.wins, 1, 0, 0, 0, 0) == events[-1]
    assert "Blue has the highest total and wins." == WORDS.sentence("wins", {"seat": 1})
    assert RULES.END.finished == RULES.ending(row)


def test_tie_goes_to_the_stars() -> None:
    """§8.7: equal totals are settled by the stars of the singers alone, not by roles, elements or director."""
    # 15 stars and nothing else, against 12 stars and three stage elements; both directors give the same.
    fewer = (5, 10, 3, 34, 15, 26)
    assert 15 == sum(int(FACTS[one - 1][1]) for one in PLAIN)
    assert 12 == sum(int(FACTS[one - 1][1]) for one in fewer)
    row, events = finished([fewer, PLAIN, fewer], ["amazone"] * 3, (3, 0, 0))
    assert [14, 14, 11] == [RULES.total(row, seat) for seat in range(3)]
    assert 0b010 == RULES.winners(row)
    assert RULES.END.tied == RULES.ending(row)
    assert (RULES.E.settles, 1, 15, 0b011, 14, 0) == events[-1]
    text = "Equal totals (14): Red and Blue. Blue has the most stars (15) and wins."
    assert text == WORDS.sentence("settles", {"seat": 1, "stars": 15, "seats": 0b011, "total": 14})


def test_shared_victory() -> None:
    """§8.7: equal totals and equal stars share the victory."""
    twin = (35, 10, 17, 34, 15, 24)
    row, events = finished([PLAIN, twin, (25, 26, 19, 20, 31, 32)], ["amazone"] * 3)
    assert RULES.total(row, 0) == RULES.total(row, 1)
    assert 0b011 == RULES.winners(row)
    assert (RULES.E.shares, 0b011, 15, 0b011, 14, 0) == events[-1]
    text = "Equal totals (14) and equal stars (15). A shared victory: Red and Blue."
    assert text == WORDS.sentence("shares", {"winners": 0b011, "stars": 15, "seats": 0b011, "total": 14})


def test_shared_victory_without_a_third() -> None:
    """§8.7: of three with equal totals, the one with fewer stars has no share."""
    twin, fewer = (35, 10, 17, 34, 15, 24), (5, 10, 3, 34, 15, 26)
    row, events = finished([fewer, PLAIN, twin], ["amazone"] * 3, (3, 0, 0))
    assert 0b110 == RULES.winners(row)
    assert (RULES.E.shares, 0b110, 15, 0b111, 14, 0) == events[-1]
    text = "Equal totals (14): Red, Blue and Yellow. The most stars (15) and a shared victory: Blue and Yellow."
    assert text == WORDS.sentence("shares", {"winners": 0b110, "stars": 15, "seats": 0b111, "total": 14})


def test_resigning() -> None:
    """§8.8: whoever resigns loses; the scores are what lies on the table so far."""
    match = on(opened(3), 2, asks("audition", 3))
    match.resign(1)
    assert match.outcome is not None
    assert ("resigned", "8.8", (0, 2)) == (match.outcome.ending, match.outcome.section, match.outcome.winners)
    stars = sum(int(FACTS[NAMES.index(name)][1]) for name in troupe(match, 0))
    assert {"stars": stars, "favourites": 0, "wrong": 0, "director": 0, "puccini": 0} == {
        name: value for name, value in match.outcome.parts[0].items() if name != "elements"
    }


def test_negative_totals() -> None:
    """§8.6: a total may be below zero."""
    troupes = [(1, 7, 14, 13, 19, 25), PLAIN]
    row, _ = finished(troupes, ["terrible", "amazone"], fictitious=((3, 26, 33, 20, 31, 32), "amazone"))
    # Six stars, six of the wrong sex; one Alternative, two Classical, nobody of undetermined sex.
    assert {"stars": 6, "favourites": 0, "wrong": -6, "elements": 0, "director": -7, "puccini": -1} == parts(row, 0)
    assert -8 == RULES.total(row, 0)


# §9 Two players.


def test_fictitious_troupe_sings_in_order() -> None:
    """§9.1: what is left over in rounds 1, 2, 3, 5, 6 and 7 sings roles 1 to 6; the director left over in round 4 directs."""
    match = on(opened(2), 9, asks("cast"))
    joined = [card for _, card in told(match, "joins")]
    shown = match.position()
    assert joined[:3] + joined[4:] == list(shown["fictitious"].values())
    assert joined[3] == shown["fictitious_director"]
    assert [] == told(match, "leaves")
    assert {card for _, _, card in told(match, "presents")} == {*troupe(match, 0), *troupe(match, 1), *joined[:3], *joined[4:]}


@pytest.mark.parametrize("start", [0, 1])
def test_puccini_costs_the_starter_a_point(start: int) -> None:
    """§9.2: of two players the starter has Puccini in the last round and loses a point; it is no matter for three."""
    match = on(opened(2, start), 3, lambda _: False)
    assert match.outcome is not None
    assert [-1 if seat == start else 0 for seat in range(2)] == [one["puccini"] for one in match.outcome.parts]
    match = on(opened(3, start), 3, lambda _: False)
    assert match.outcome is not None
    assert [0, 0, 0] == [one["puccini"] for one in match.outcome.parts]


def test_lost_point_counts_before_ties_but_not_in_them() -> None:
    """§8.7, §9.2: the lost point can make a tie, and the stars that break it are counted without it."""
    # Both have 15 stars and two women; a stage element makes up for Puccini's lost point.
    twin = (35, 10, 17, 34, 15, 24)
    row, _ = finished([PLAIN, twin], ["amazone", "amazone"], (1, 0), ((25, 26, 19, 20, 31, 32), "amazone"))
    assert RULES.total(row, 0) == RULES.total(row, 1)
    assert 0b11 == RULES.winners(row)


def test_fictitious_score() -> None:
    """§9.3: the fictitious troupe counts stars, roles as they fall, and its director; no elements, no lost point."""
    row, events = finished([PLAIN, STRONG], ["monomane"] * 2, fictitious=((13, 1, 9, 31, 16, 22), "temple"))
    # Stars 1 1 2 1 2 2; Fontbrune, Clairvent and d'Aubrac sing what they like; nobody is wrong; two Classical 2 + 2,
    # one Alternative of undetermined sex - 2.
    assert (RULES.E.fictitious, 9, 3, 0, 2, 14) == events[-2]
    assert 14 == RULES.fictitious_total(row)


@pytest.mark.parametrize(
    ("elements", "ending", "winners"),
    [
        # The fictitious troupe has 14. Seat 0 has 12 without elements (Puccini's lost point included), seat 1 has 11.
        ((0, 0), "fictitious", 0b00),
        ((1, 2), "fictitious", 0b00),
        ((2, 0), "finished", 0b01),
        ((0, 3), "finished", 0b10),
        ((3, 0), "finished", 0b01),
    ],
)
def test_both_players_lose(elements: tuple[int, int], ending: str, winners: int) -> None:
    """§9.4: the fictitious troupe wins only with more than each player; as many as one, or more than one, is not enough."""
    first = (5, 10, 17, 34, 15, 21)
    second = (35, 6, 3, 26, 28, 2)
    row, events = finished([first, second], ["amazone", "amazone"], elements, ((13, 1, 9, 31, 16, 22), "temple"))
    assert [12 + elements[0], 11 + elements[1]] == [RULES.total(row, seat) for seat in (0, 1)]
    assert ending == RULES.ENDINGS.line(RULES.ending(row)).name
    assert winners == RULES.winners(row)
    assert events[-1][0] == (RULES.E.wins if winners else RULES.E.lost)


# §10 Options.


def test_blind_audition_tells_nothing_until_the_last() -> None:
    """§10.1: all owe at once; no event, no count, no content shows before the last, only who still owes."""
    match = opened(3, 1, blind=1)
    assert [("blind",), ("starts", "1")] == told(match, "starts", "blind")
    assert [0, 1, 2] == list(match.to_act)
    before = {seat: match.view(seat).row for seat in (1, None)}
    ply = match.ply
    match.play("bid 2 3 bluff", 0)
    assert (1, 2) == match.to_act
    for seat, row in before.items():
        after = match.view(seat)
        changed = [i for i, (old, new) in enumerate(zip(row, after.row, strict=True)) if old != new]
        assert [F.owing] == changed
        assert [] == [one for one in views.events(after, ui(after.game).english) if one["ply"] >= ply]
    match.play("money plain", 2)
    match.play("bid 1 0 plain", 1)
    expected = [("1", "bid 1 0 plain"), ("2", "money plain"), ("0", "bid 2 3 bluff")]
    assert expected == [(seat, choice) for _, seat, choice in told(match, "reveals")]
    assert [] == told(match, "lays")


def test_order_of_blind_choices_does_not_matter() -> None:
    """§10.1: whatever order the choices come in, the row and the events are the same."""
    choices = {0: "bid 2 1 bluff", 1: "money plain", 2: "bid 2 0 plain", 3: "bid 4 0 plain"}
    rows, events = set(), set()
    for order in itertools.permutations(range(4)):
        match = opened(4, 2, blind=1)
        for seat in order:
            match.play(choices[seat], seat)
        rows.add(tuple(match.row))
        events.add(str([(one.event.name, one.values) for one in match.events]))
    assert (1, 1) == (len(rows), len(events))


def test_order_of_castings_does_not_matter() -> None:
    """§7.2: however the seats' castings interleave, the row and the events are the same."""
    position = on(opened(3), 6, asks("cast")).position()
    rows, events = set(), set()
    chance = random.Random(2)
    for _ in range(20):
        match = Match(game, position=position)
        turns = [0, 1, 2] * 6
        chance.shuffle(turns)
        for seat in turns:
            mine = list(position["troupe"][str(seat)].values())
            match.play(f"cast {mine[match.row[F.assigned + seat]]}", seat)
        rows.add(tuple(match.row))
        events.add(str([(one.event.name, one.values) for one in match.events]))
    assert (1, 1) == (len(rows), len(events))


# The whole of it.


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("blind", [0, 1])
def test_random_matches(seats: int, blind: int) -> None:
    """All §: random matches end in time, hold every invariant after every action, and refuse exactly what is not legal."""
    mask = BUILD.mask()
    dice = BUILD.generator(seats * 10 + blind)
    events = BUILD.events()
    for _ in range(12):
        row = BUILD.row()
        RULES.deal(row, seats, [blind], dice, events)
        decisions = 0
        while waiting := RULES.to_act(row):
            for seat in range(seats):
                RULES.legal(row, seat, mask)
                for action in range(RULES.ACTIONS.size):
                    legal = mask[action >> 5] >> (action & 31) & 1 == 1
                    assert legal == (RULES.refuses(row, seat, action) == 0)
                    assert not legal or waiting >> seat & 1
            waiting_seats = [seat for seat in range(seats) if waiting >> seat & 1]
            seat = waiting_seats[BUILD.dice.draw(dice, len(waiting_seats))]
            RULES.legal(row, seat, mask)
            events[0] = 0
            RULES.apply(row, seat, BUILD.driver.random_action(mask, dice), dice, events)
            assert 0 == RULES.check(row)
            assert events[0] < fields.EVENT_ROOM
            decisions += 1
        assert RULES.ending(row) != 0
        # Seven auditions and six roles a seat, naming and striking; understudies for at most every seat in every round.
        assert 13 * seats + 6 <= decisions <= 20 * seats + 6


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("blind", [0, 1])
def test_builds_agree(seats: int, blind: int) -> None:
    """Interpreted and compiled rules, bot, redeal and scores are equal word by word."""
    both = (BUILD, game.build("cpu"))
    for number in range(6):
        outcomes = []
        for build in both:
            trace: list[Any] = []
            rules: Any = build.rules
            row, mask, dice, events = build.row(), build.mask(), build.generator(seats, number), build.events()
            spare, scratch, muted = build.row(), build.row(), build.events(muted=True)
            rules.deal(row, seats, build.copy([blind]), dice, events)
            while waiting := int(rules.to_act(row)):
                seat = waiting.bit_length() - 1
                rules.legal(row, seat, mask)
                if number % 2:
                    action = build.bot.policy(row, seat, mask, dice, muted, scratch)
                else:
                    action = build.driver.random_action(mask, dice)
                masked = build.copy(row)
                for index in rules.FIELDS.hidden(seat):
                    masked[index] = HIDDEN
                rules.redeal(masked, seat, dice)
                spare[: len(masked)] = masked
                events[0] = 0
                rules.apply(row, seat, action, dice, events)
                trace.append((list(mask), int(action), list(spare), list(row), list(events), int(rules.check(row))))
            points = build.array(6, "int16")
            trace.append([(int(rules.score(row, seat, points)), list(points)) for seat in range(seats)])
            trace.append((int(rules.winners(row)), int(rules.ending(row)), list(dice)))
            outcomes.append(trace)
        assert len(outcomes[0]) == len(outcomes[1])
        for ply, (one, other) in enumerate(zip(*outcomes, strict=True)):
            assert one == other, f"match {number}, ply {ply}"


# What a seat cannot know.


def possible(row: list[int], seat: int | None) -> Counter[tuple[int, ...]]:
    """All rows that `redeal` can make of what a seat sees, each with its share of 720720."""
    masked = row[:]
    for index in RULES.FIELDS.hidden(seat):
        masked[index] = HIDDEN
    found: Counter[tuple[int, ...]] = Counter()
    tapes: list[tuple[list[int], int]] = [([], 720720)]
    while tapes:
        tape, share = tapes.pop()
        dealt, dice = masked[:], BUILD.tape(tape)
        RULES.redeal(dealt, -1 if seat is None else seat, dice)
        if dice[3] > 0:
            tapes += [([*tape, outcome], share // dice[3]) for outcome in range(dice[3])]
        else:
            found[tuple(dealt)] += share
    return found


@pytest.mark.parametrize("choice", ["bid 2 0 plain", "bid 1 1 plain", "bid 3 1 bluff", "money bluff", "bid 3 2 bluff"])
@pytest.mark.parametrize("money", [2, 3])
def test_redeal_of_cards_in_turn(choice: str, money: int) -> None:
    """§4.4: others' cards are any choice with as many cards as were seen, each as likely."""
    match = opened(2, 1, money={"1": money}, spent={"1": 3 - money})
    match.play(choice, 1)

    def cards(text: str) -> int:
        _, *rest = text.split()
        return (1 + int(rest[1]) if len(rest) == 3 else 1) + (rest[-1] == "bluff")

    affordable = [
        text for text in RULES.CHOICE.names if text in opened(2, 1, money={"1": money}, spent={"1": 3 - money}).legal()
    ]
    like = [text for text in affordable if cards(text) == cards(choice)]
    found = possible(match.row, 0)
    assert {RULES.CHOICE.parse(text) for text in like} == {row[F.pending + 1] for row in found}
    assert 1 == len(set(found.values()))
    assert all(0 == RULES.check(list(row)) for row in found)


def test_redeal_of_blind_cards() -> None:
    """§10.1: the cards of those who have laid are any choice of theirs, each as likely; the others have laid none."""
    match = opened(3, 0, blind=1, money={"2": 1}, spent={"2": 2})
    everything = set(match.legal(2))
    match.play("bid 1 0 plain", 0)
    match.play("bid 4 1 plain", 2)
    found = possible(match.row, 0)
    assert 4 * 2 * 2 + 2 == len(everything)
    assert everything == {RULES.CHOICE.names[row[F.pending + 2]] for row in found}
    assert 1 == len(set(found.values()))
    assert {(A.bid, -1)} == {(row[F.pending], row[F.pending + 1]) for row in found}
    assert all(0 == RULES.check(list(row)) for row in found)


def test_redeal_of_castings() -> None:
    """§7.2: the roles others have cast go to any of their singers, each way as likely."""
    match = on(opened(2), 6, asks("cast"))
    for seat, times in ((0, 1), (1, 3)):
        for _ in range(times):
            match.play(match.legal(seat)[-1], seat)
    found = possible(match.row, 0)
    assert 6 * 5 * 4 == len(found)
    assert 1 == len(set(found.values()))
    mine = tuple(match.row[F.casting : F.casting + 6])
    assert {mine} == {row[F.casting : F.casting + 6] for row in found}
    assert all(0 == RULES.check(list(row)) for row in found)


def test_views_do_not_depend_on_what_is_hidden() -> None:
    """§3.3: whatever the others have laid or cast, a seat's view is the same to the byte."""
    for seats, blind in ((2, 0), (3, 1), (4, 0)):
        match = opened(seats, blind=blind)
        chance = random.Random(seats)
        while match.to_act:
            seat = chance.choice(match.to_act)
            view = match.view(seat)
            worlds = BUILD.copy(view.row)
            RULES.redeal(worlds, seat, BUILD.generator(match.ply))
            other = Match(game, position=RULES.FIELDS.to_json(worlds))
            assert view.row == other.view(seat).row
            assert views.actions(view, ui(view.game).english) == views.actions(other.view(seat), ui(other.game).english)
            assert views.question(view, ui(view.game).english) == views.question(other.view(seat), ui(other.game).english)
            match.play(chance.choice(match.legal(seat)), seat)


# What must hold is noticed when it does not.


def broken(faults: int) -> set[str]:
    return {line.name for code, line in enumerate(RULES.FAULTS, 1) if faults >> code & 1}


@pytest.mark.parametrize(
    ("question", "round", "change", "fault"),
    [
        ("audition", 1, {F.pile: 1}, "singers"),
        ("audition", 2, {F.pile + 35: 0, F.pile + 34: 0, F.pile + 33: 0}, "singers"),
        ("audition", 2, {F.pool: 0}, "directors"),
        ("audition", 5, {F.director: 0, F.director + 1: 0}, "directors"),
        ("audition", 1, {F.money + 4: 1}, "absent"),
        ("audition", 3, {F.troupe: -1}, "troupes"),
        ("audition", 6, {F.director + 1: -1}, "troupes"),
        ("audition", 1, {F.offer: -1}, "offer"),
        ("understudy", 1, {F.offer: -1, F.offer + 1: -1, F.offer + 2: -1, F.offer + 3: -1}, "offer"),
        ("audition", 1, {F.money: 2}, "money"),
        ("audition", 1, {F.laid + 2: 1}, "laid"),
        ("audition", 1, {F.pending + 2: 0}, "laid"),
        ("name", 1, {F.shown: -1}, "shown"),
        ("audition", 1, {F.shown: 3}, "shown"),
        ("audition", 1, {F.owing: 0}, "owing"),
        ("name", 1, {F.owing: 0b111}, "owing"),
        ("audition", 1, {F.lacking: 1}, "owing"),
        ("audition", 1, {F.named: 1}, "owing"),
        ("audition", 1, {F.ending: 1}, "question"),
        ("cast", 7, {F.round: 6}, "question"),
        ("cast", 7, {F.assigned: 1}, "casting"),
        ("cast", 7, {F.cast: 1}, "casting"),
        ("audition", 2, {F.fictitious: 30}, "fictitious"),
        ("nothing", 7, {F.ending: 2}, "ending"),
        ("nothing", 7, {F.ending: 3}, "ending"),
    ],
)
def test_faults_are_noticed(question: str, round: int, change: Mapping[int, int], fault: str) -> None:
    """Every invariant is broken by a change that breaks it."""
    for seed in range(20):
        match = on(opened(3, seed % 3), seed, asks(question, round))
        if asks(question, round)(match) and any(match.row[index] != value for index, value in change.items()):
            break
    row = match.row
    assert 0 == RULES.check(row)
    for index, value in change.items():
        row[index] = value
    assert fault in broken(RULES.check(row))


def test_every_fault_has_a_test() -> None:
    """The list above misses no fault."""
    tested = {mark.args[1][i][3] for mark in test_faults_are_noticed.pytestmark for i in range(len(mark.args[1]))}  # type: ignore[attr-defined]
    assert {line.name for line in RULES.FAULTS} == tested


# Words and pictures.


def test_choices_are_the_actions() -> None:
    """§4.2: what a player lays has the number and the notation of the action."""
    assert list(RULES.CHOICE.names) == [RULES.ACTIONS.notation(action) for action in range(A.give)]
    for action in range(RULES.ACTIONS.size):
        assert action == RULES.ACTIONS.parse(RULES.ACTIONS.notation(action))


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("blind", [0, 1])
def test_everything_can_be_said(seats: int, blind: int) -> None:
    """Every view of a match has its question, labels, events and picture in words, for every seat and an onlooker."""
    match = opened(seats, blind=blind)
    chance = random.Random(seats)
    said = set()
    while match.to_act:
        for seat in (*range(seats), None):
            view = match.view(seat, since=match.ply - 1)
            assert views.question(view, ui(view.game).english).endswith(".")
            labels = [one["label"] for one in views.actions(view, ui(view.game).english)]
            assert len(set(labels)) == len(labels)
            said |= {one["event"] for one in views.events(view, ui(view.game).english) if one["text"].endswith(".")}
            assert "None" not in drawn(view)
            assert max(len(line) for line in drawn(view).split("\n")) <= 80
        seat = chance.choice(match.to_act)
        match.play(chance.choice(match.legal(seat)), seat)
    view = match.view(None)
    assert all(one["text"].endswith((".", "!")) and "{" not in one["text"] for one in views.events(view, ui(view.game).english))
    assert {"opens", "presents", "reveals", "recruits", "names", "strikes"} <= said
    assert WORDS.singer(match.row[F.troupe]) in sketch.text(view, WORDS)


def drawn(view: View) -> str:
    """A board without colours."""
    return Text.from_markup(sketch.text(view, WORDS), emoji=False).plain


def test_board_says_that_auditions_are_blind() -> None:
    """§10.1: at a blind table the heading says so from the deal to the end, at another it does not."""
    for blind in (0, 1):
        match = opened(2, blind=blind)
        for stop in (asks("cast"), asks("nothing")):
            assert bool(blind) == ("blind auditions" in drawn(match.view()).split("\n")[0])
            on(match, 4, stop)
        assert bool(blind) == ("blind auditions" in drawn(match.view()).split("\n")[0])


def test_board_adds_up_the_fictitious_troupe() -> None:
    """§9.3: at the end its total stands beside its name, as for the players, and not before."""
    match = on(opened(2), 4, asks("cast"))
    assert "Fictitious troupe" in drawn(match.view()).split("\n")
    on(match, 4, asks("nothing"))
    (total,) = (points for *_, points in told(match, "fictitious"))
    assert f"Fictitious troupe · total {total}" in drawn(match.view()).split("\n")


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Term(components.PER, Filter("category", ("cla", "alt")), points=1), ["+1 for each Classical/Alternative"]),
        (Term(components.AT_LEAST, Filter("sex", ("U",)), 2, 3), ["+3 with at least 2 ⚥"]),
        (Term(components.FEWER_THAN, Filter("sex", ("U",)), 1, -3), ["−3 without any ⚥"]),
        (Term(components.FEWER_THAN, Filter("favourite", ("any",)), 2, -3), ["−3 with fewer than 2 ♥"]),
        (
            Term(components.BY_NUMBER, statistic=1, values=(0, -3, -1, 3, 3, 3, 3)),
            ["by the most of one category: −3 for 1", "−1 for 2", "+3 for 3–6"],
        ),
    ],
)
def test_terms_on_the_board(term: Term, expected: list[str]) -> None:
    """§8.5: on the board a director's card is said in few words and signs."""
    assert expected == WORDS.briefly(term)


def test_every_refusal_can_be_said() -> None:
    """Every reason is met in play and has a sentence of its own."""
    met: dict[str, str] = {}
    for seed, seats in ((1, 2), (2, 4)):
        match = opened(seats)
        chance = random.Random(seed)
        while True:
            for seat in range(seats):
                for action in range(RULES.ACTIONS.size):
                    refusal = match.why(action, seat)
                    if refusal is not None:
                        met[refusal.reason] = ui(match.game).english.refusal(refusal)
            if not match.to_act:
                break
            seat = chance.choice(match.to_act)
            match.play(chance.choice(match.legal(seat)), seat)
    assert {line.name for line in RULES.REASONS} == set(met)
    assert len(set(met.values())) == len(met)


@pytest.mark.parametrize(
    ("director", "expected"),
    [
        (
            "temple",
            [
                "+1 for each singer of category Classical",
                "+2 with at least 2 singers of category Classical",
                "−1 for each singer of category Alternative",
                "−1 for each singer of undetermined sex",
            ],
        ),
        (
            "terrible",
            [
                "+1 for each singer of category Alternative",
                "+3 with at least 2 singers of undetermined sex",
                "−2 for each singer of category Classical",
                "−4 without any singer of undetermined sex",
            ],
        ),
        (
            "tenebres",
            [
                "+1 for each singer of category Dark",
                "+3 with at least 2 singers whose favourite role is Turandot, Calaf or Liù",
                "−1 for each singer of category Comic",
                "−5 with at least 2 singers whose favourite role is Ping, Pong or Pang",
            ],
        ),
        ("eclectique", ["by the number of different categories: −4 for 1–2, −3 for 3, −1 for 4, +3 for 5, +6 for 6"]),
        (
            "monomane",
            ["by the largest number of singers of one category: −3 for 1, −1 for 2, +3 for 3, +6 for 4, +7 for 5, +9 for 6"],
        ),
        ("amazone", ["by the number of women: −3 for 0, −2 for 1, −1 for 2, +4 for 3, +5 for 4–6"]),
    ],
)
def test_terms_in_words(director: str, expected: list[str]) -> None:
    """§8.5: a director's card is said from its terms."""
    assert expected == WORDS.terms(RULES.DIRECTOR.parse(director))


@pytest.mark.parametrize("name", LANGUAGES)
def test_rulebooks_have_the_cards(name: str) -> None:
    """§8.5: the directors' table of each rulebook is what the box says in that language, line by line."""
    text = COMPONENTS.with_name("rulebook").joinpath(f"{name}.md").read_text("utf-8").replace("\u202f", "\xa0")
    words = Words(ui(game).narrator(name))
    joint = "\xa0; " if name == "fr" else "; "
    for number, notation in enumerate(RULES.DIRECTOR.names):
        assert f"| {words.director(number)} | `{notation}` | {joint.join(words.terms(number))} |" in text


def test_sections_named_have_banners() -> None:
    """Every § that a declaration names is a banner of the rules, and every banner is named by a test."""
    source = Path(declared.__file__).read_text("utf-8")
    banners = set(re.findall(r"^\s*# §([\d.]+\d|\d+) ", source, re.M))
    tables = (RULES.ACTIONS, RULES.EVENTS, RULES.REASONS, RULES.ENDINGS, RULES.PARTS, RULES.FAULTS, RULES.OPTIONS)
    assert {line.section for one in tables for line in one} <= banners
    tested = set(re.findall(r"§(\d+\.\d+)", Path(__file__).read_text("utf-8")))
    assert tested == {section for section in banners if "." in section}


# The box.


def spoilt(**changes: Any) -> list[str]:
    """The faults of a box in which some things were changed, given as path__to__thing."""
    data = tomllib.loads(COMPONENTS.read_text("utf-8"))
    for path, value in changes.items():
        *way, last = [int(step) if step.isdecimal() else step for step in path.split("__")]
        place: Any = data
        for step in way:
            place = place[step]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return [*components.faults_of(data)]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"singers__0__stars": 4}, "singer 'clairvent': stars must be 1, 2 or 3, not 4"),
        ({"singers__0__stars": True}, "singer 'clairvent': stars must be 1, 2 or 3, not True"),
        ({"singers__1__sex": "W"}, "singer 'montferrand': sex must be one of F, M, U, not 'W'"),
        ({"singers__2__favourite": "mimi"}, "singer 'vauquelin': favourite must be one of"),
        ({"singers__3__category": "pop"}, "singer 'regnaud': category must be one of"),
        ({"singers__4__name": ""}, "singer 'sermaize': a name is a text"),
        ({"singers__4__name": {"en": "Diana"}}, "singer 'sermaize': a name is a text"),
        ({"singers__5__id": "Big One"}, "an id is a word of small letters and digits"),
        ({"singers__6__favorite": "liu"}, "singer 'pommier' has no key 'favorite'"),
        ({"singers__7__id": "temple"}, "the id 'temple' is given to 2 cards"),
        ({"singers__35": None}, "singers must be 36, not 35"),
        ({"singers": 3}, "singers must be a list of 36 tables"),
        ({"categories__pro": None}, "categories must be a table of 6 ids"),
        ({"singers__0__category": "ama"}, "category 'pro' has 5 singers, not 6"),
        ({"directors__8": None}, "directors must be 9, not 8"),
        ({"directors__0__terms": []}, "director 'temple': terms must be a list of 1 to 8 tables"),
        ({"directors__0__terms__0__per": None}, "director 'temple', term 1 must have exactly one of"),
        ({"directors__0__terms__0__per": "age:3"}, "director 'temple', term 1: per must be a text like"),
        ({"directors__0__terms__1__at_least": "category:cla|cla"}, "director 'temple', term 2: category takes different ones"),
        ({"directors__4__terms__1__at_least": "favourite:any|ping"}, "term 2: favourite takes different ones"),
        ({"directors__0__terms__1__n": 7}, "director 'temple', term 2: n must be 1 to 6, not 7"),
        ({"directors__0__terms__0__points": 0}, "term 1: points must be a whole number from -20 to 20 other than 0, not 0"),
        ({"directors__0__terms__0__n": 2}, "director 'temple', term 1 has no key 'n'"),
        ({"directors__6__terms__0__table": "height"}, "director 'eclectique', term 1: table must be one of"),
        ({"directors__6__terms__0__values": [1, 2]}, "director 'eclectique', term 1: values must be 7 whole numbers"),
    ],
)
def test_faults_of_a_box(change: dict[str, Any], fault: str) -> None:
    """§2.5: each mistake in a file of cards is named."""
    assert any(one.startswith(fault) or fault in one for one in spoilt(**change))


def test_all_faults_of_a_box_at_once(tmp_path: Path) -> None:
    """§2.5: a file with three mistakes is refused once, with all three."""
    text = COMPONENTS.read_text("utf-8")
    text = text.replace("stars = 1", "stars = 9", 1).replace('sex = "F"', 'sex = "X"', 1).replace("n = 2", "n = 0", 1)
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadBox) as caught:
        game.with_box(path)
    assert all(part in str(caught.value) for part in ("not 9", "not 'X'", "not 0"))


def test_another_box_is_played(tmp_path: Path) -> None:
    """§2.5: an owner's cards change the scores: other stars, another director's terms, plain names."""
    text = COMPONENTS.read_text("utf-8").replace(
        '{ per = "category:cla", points = 1 }', '{ per = "favourite:any", points = 3 }', 1
    )
    text = text.replace('name = "Armand Clairvent"', 'name = "Armando [Rossi]"')
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    other = game.with_box(path)
    assert other.build().box != game.build().box
    # Two who like a role, 3 each; one Classical.
    rules: Any = other.rules
    assert 6 == rules.director_points([0, 1, 14, 2, 9, 10], 0, 0)
    assert 1 == RULES.director_points([0, 1, 14, 2, 9, 10], 0, 0)
    match = Match(other, 3, draws=[0, 0, 0, 0, 0])
    assert "Armando [Rossi]: number 1" == views.actions(match.view(0), ui(match.game).english)[0]["label"]
    assert "Armando [Rossi]" in Text.from_markup(ui(other).drawing(match.view(0), ui(other).english)).plain
    assert "Armand Clairvent: number 1" == views.actions(opened(3).view(0), ui(opened(3).game).english)[0]["label"]
    assert on(match, 1, lambda _: False).outcome is not None


# The bot.


def test_best_casting_by_trying_all() -> None:
    """§7.1: for 1,000 troupes the casting found at once is as good as the best of all 720."""
    try_all(1000, BUILD)


@pytest.mark.soak
def test_best_casting_by_trying_all_for_longer() -> None:
    """§7.1: the same for 20,000 troupes, compiled."""
    try_all(20_000, game.build("cpu"))


def try_all(troupes: int, build: Build) -> None:
    chance = random.Random(troupes)
    points = [[by_role(singer, role) for role in range(6)] for singer in range(36)]
    orders = list(itertools.permutations(range(6)))
    bot: Any = build.bot
    scratch = build.row()
    for _ in range(troupes):
        singers = chance.sample(range(36), 6)
        rows = [points[singer] for singer in singers]
        best = max(sum(rows[slot][role] for role, slot in enumerate(order)) for order in orders)
        assert best == bot.best_casting(build.copy(singers), 0, scratch)


def by_role(singer: int, role: int) -> int:
    """What a singer adds in a role, from the facts."""
    _, _, sex, favourite = FACTS[singer]
    return int(favourite == RULES.ROLE.names[role]) - (sex not in ("FMFMMM"[role], "U"))


def test_bot_casts_best_from_any_beginning() -> None:
    """§7.1: whatever roles were given first, the bot makes the best of the rest."""
    match = on(opened(3), 6, asks("cast"))
    chance = random.Random(4)
    for given in range(6):
        position = Match(game, position=match.position())
        for _ in range(given):
            position.play(chance.choice(position.legal(1)), 1)
        row, mask, scratch = position.row, BUILD.mask(), BUILD.row()
        begun = [row[F.casting + 6 + role] for role in range(given)]
        free = [one for one in row[F.troupe + 6 : F.troupe + 12] if one not in begun]
        best = max(sum(by_role(one, given + i) for i, one in enumerate(rest)) for rest in itertools.permutations(free))
        muted = BUILD.events(muted=True)
        for _ in range(6 - given):
            RULES.legal(row, 1, mask)
            action = BUILD.bot.policy(row, 1, mask, BUILD.generator(1), muted, scratch)
            RULES.apply(row, 1, action, BUILD.generator(1), muted)
        assert best == sum(by_role(row[F.casting + 6 + role], role) for role in range(given, 6))


@pytest.mark.parametrize("blind", [0, 1])
def test_bot_goes_by_what_it_sees(blind: int) -> None:
    """§3.3: the bot chooses the same, and legally, from the masked row as from the true one."""
    for seats in (2, 4):
        match = opened(seats, blind=blind)
        chance = random.Random(seats)
        while match.to_act:
            seat = chance.choice(match.to_act)
            mask, muted = BUILD.mask(), BUILD.events(muted=True)
            RULES.legal(match.row, seat, mask)
            rows = (match.row, list(match.view(seat).row))
            found = {BUILD.bot.policy(row, seat, mask, BUILD.generator(9, match.ply), muted, BUILD.row()) for row in rows}
            assert 1 == len(found)
            match.play(found.pop(), seat)


def test_bot_mixes() -> None:
    """§4.2: in one and the same audition the bot does not always lay the same."""
    row, mask, scratch, muted = opened(4).row, BUILD.mask(), BUILD.row(), BUILD.events(muted=True)
    RULES.legal(row, 0, mask)
    found = Counter(BUILD.bot.policy(row, 0, mask, BUILD.generator(1, i), muted, scratch) >> 1 for i in range(100))
    assert 2 <= len(found)
    assert max(found.values()) < 100


def share_of_wins(seats: int, matches: int) -> float:
    """The share of matches that one bot wins against random players, from every seat in turn."""
    build = game.build("cpu")
    rules: Any = build.rules
    mask, muted, scratch = build.mask(), build.events(muted=True), build.row()
    won = 0.0
    for number in range(matches):
        row, dice = build.row(), build.generator(1, number)
        rules.deal(row, seats, build.copy([0]), dice, muted)
        bot = number % seats
        while waiting := int(rules.to_act(row)):
            seat = waiting.bit_length() - 1
            rules.legal(row, seat, mask)
            if seat == bot:
                action = build.bot.policy(row, seat, mask, dice, muted, scratch)
            else:
                action = build.driver.random_action(mask, dice)
            rules.apply(row, seat, action, dice, muted)
        winners = int(rules.winners(row))
        if winners >> bot & 1:
            won += 1 / winners.bit_count()
    return won / matches


@pytest.mark.parametrize(("seats", "least"), [(2, 0.85), (4, 0.65)])
def test_bot_beats_random_play(seats: int, least: float) -> None:
    """One bot wins far more than its part against players who do anything."""
    assert share_of_wins(seats, 300) >= least


def choices_of_bots(seats: int, blind: int, matches: int) -> list[tuple[list[int], int, str]]:
    """The auditions of whole matches between bots: the row before each, who lays, and what."""
    build = game.build("cpu")
    rules: Any = build.rules
    mask, muted, scratch = build.mask(), build.events(muted=True), build.row()
    found = []
    for number in range(matches):
        row, dice = build.row(), build.generator(2, number)
        rules.deal(row, seats, build.copy([blind]), dice, muted)
        while waiting := int(rules.to_act(row)):
            seat = waiting.bit_length() - 1
            rules.legal(row, seat, mask)
            action = int(build.bot.policy(row, seat, mask, dice, muted, scratch))
            if row[F.asked] == RULES.AUDITION:
                found.append(([int(word) for word in row], seat, RULES.ACTIONS.notation(action)))
            rules.apply(row, seat, action, dice, muted)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("blind", [0, 1])
def test_bot_wastes_nothing(seats: int, blind: int) -> None:
    """§4.3, §5.4, §6.3, §8.4, §10.1: the bot keeps no money for after the last audition, and does nothing to no purpose."""
    seen: Counter[str] = Counter()
    for row, seat, choice in choices_of_bots(seats, blind, 60):
        verb, *rest = choice.split()
        last_to_lay = (seat + 1) % seats == row[F.puccini]
        if verb == "money":
            # Money alone only where it may hire somebody: not by Puccini's holder, not for directors.
            assert seat != row[F.puccini] and row[F.round] != 4
        elif row[F.round] == 7:
            assert row[F.money + seat] == int(rest[1])
        if rest[-1] == "bluff":
            # Hot air only where somebody counts the cards and may take it for money.
            assert not blind and not last_to_lay and row[F.money + seat] > 0
        seen[f"{verb} {rest[-1]}"] += 1
    assert seen["money plain"] and seen["bid plain"]
    assert (not blind) == bool(seen["bid bluff"])
