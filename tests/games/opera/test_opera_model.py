"""The second model of Opera against hand counts and the worked example, without the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from models.opera_model import BOX, CATALOGUE, COMPOSERS, FEES, BudgetTable, Drawn, FameLadder, Model, Offer

RED, BLUE, YELLOW, GREEN = range(4)
LADDER = ("verdi", "wagner", "mozart", "handel", "beethoven", "monteverdi")
NEW_OFFER: dict[int, Drawn] = {
    2: {"monteverdi": (2, 0), "handel": (2, 0), "beethoven": (1, 0)},
    3: {"monteverdi": (3, 0), "handel": (3, 0), "beethoven": (1, 0)},
    4: {"monteverdi": (3, 0), "handel": (3, 0), "beethoven": (3, 0)},
}


def table(
    *levels: tuple[int, int],
    houses: Mapping[int, str] | None = None,
    ducats: Mapping[int, int] | None = None,
    points: Mapping[int, int] | None = None,
    screens: Mapping[int, str] | None = None,
    offer: str = "",
    palazzo: str = "",
    ladder: Sequence[str] = LADDER,
    century: str = "mozart monteverdi wagner",
    figures: Mapping[str, str] | None = None,
    round: int = 1,
    counts: int = 0,
    **options: int,
) -> Model:
    """A table before the bids: markers in table order as (seat, level), houses like 'venezia: verdi | wien: mozart -'."""
    model = Model(len(levels), **options)
    model.round, model.counts = round, counts
    model.ladder = FameLadder(ladder)
    model.century = century.split()
    model.palazzo = palazzo.split()
    model.figures.update(figures or {})
    model.offer.pieces.update(offer.split())
    for seat, level in levels:
        model.budget.place(seat, level)
    for player in model.players:
        player.ducats = (ducats or {}).get(player.seat, 20)
        player.earned["building"] = (points or {}).get(player.seat, 0)
        player.screen = (screens or {}).get(player.seat, "").split()
        for drawn in (houses or {}).get(player.seat, "venezia: house").split("|"):
            where, pieces = drawn.split(":")
            city, *wings = where.split()
            if city != "venezia":
                model.erect(player, CATALOGUE[f"{city} main"])
            for wing in wings:
                model.erect(player, CATALOGUE[f"{city} {wing}"])
            halls = [None if piece == "-" else piece for piece in pieces.split()]
            assert len(player.houses[city].halls) == len(halls), drawn
            player.houses[city].halls = halls
    model.begin()
    return model


def acting(*levels: tuple[int, int], **things: Any) -> Model:
    """The same table after everybody bid nothing."""
    model = table(*levels, **things)
    for seat in list(model.to_act()):
        model.play("bid 0", seat)
    return model


def play(model: Model, *actions: str) -> None:
    """One action after the other, each by whoever is asked."""
    for action in actions:
        model.play(action)


def close(model: Model, *actions: str) -> None:
    """The same, and the last one ends the round with a new offer."""
    play(model, *actions[:-1])
    model.play(actions[-1], drawn=[NEW_OFFER[len(model.players)]])


def asked(model: Model) -> tuple[str, str | None]:
    """The question and whose it is."""
    state = model.state()
    return state["asked"], state["turn"]


def told(model: Model, name: str) -> list[dict[str, Any]]:
    """The events of one name that the last step told."""
    return [args for event, args in model.story if event == name]


def actions(text: str) -> set[str]:
    """'buy verdi wagner, stop' as the set of its actions."""
    found = set()
    for group in text.split(","):
        verb, *whats = group.split()
        found |= {f"{verb} {what}" for what in whats} or {verb}
    return found


# The fame ladder.


@pytest.mark.parametrize(
    ("before", "risers", "after"),
    [
        ("wagner mozart verdi handel beethoven monteverdi", "mozart verdi", "mozart verdi wagner handel beethoven monteverdi"),
        (
            "verdi wagner mozart monteverdi handel beethoven",
            "wagner monteverdi beethoven",
            "wagner verdi monteverdi mozart beethoven handel",
        ),
        ("verdi wagner mozart handel beethoven monteverdi", "verdi", "verdi wagner mozart handel beethoven monteverdi"),
        ("verdi wagner mozart handel beethoven monteverdi", "verdi wagner", "verdi wagner mozart handel beethoven monteverdi"),
        ("verdi wagner mozart handel beethoven monteverdi", "verdi mozart", "verdi mozart wagner handel beethoven monteverdi"),
        ("verdi wagner mozart handel beethoven monteverdi", "monteverdi", "verdi wagner mozart handel monteverdi beethoven"),
        (
            "verdi wagner mozart handel beethoven monteverdi",
            " ".join(COMPOSERS),
            "verdi wagner mozart handel beethoven monteverdi",
        ),
    ],
)
def test_rises(before: str, risers: str, after: str) -> None:
    """The printed cases, the top, a stack under the top, a gap, the foot, and all at once (ruling 1, 2)."""
    ladder = FameLadder(before.split())
    ladder.rise(set(risers.split()))
    assert after.split() == ladder.cards


def test_rises_like_swaps() -> None:
    """Every set of risers goes where swapping neighbours from the top down takes it."""
    for risers in range(64):
        rising = {composer for bit, composer in enumerate(COMPOSERS) if risers >> bit & 1}
        ladder = FameLadder(LADDER)
        ladder.rise(rising)
        swapped = list(LADDER)
        for at in range(1, 6):
            if swapped[at] in rising and swapped[at - 1] not in rising:
                swapped[at - 1], swapped[at] = swapped[at], swapped[at - 1]
        assert swapped == ladder.cards, rising


def test_shifts() -> None:
    """Whom the Critico lifts over two others pushes each down a step, and the other way round."""
    ladder = FameLadder(LADDER)
    ladder.shift("monteverdi", 2)
    assert ["verdi", "wagner", "mozart", "monteverdi", "handel", "beethoven"] == ladder.cards
    assert [3, 2, 1] == [ladder.fame(one) for one in ("monteverdi", "handel", "beethoven")]
    ladder.shift("verdi", -2)
    assert ["wagner", "mozart", "verdi"] == ladder.cards[:3]
    assert 0 == ladder.fame("house")


def test_a_ladder_has_every_composer_once() -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match="each of the six"):
        FameLadder(("verdi", "verdi", "mozart", "handel", "beethoven", "monteverdi"))


# The budget table.


def test_bids_move_in_table_order() -> None:
    """The bidding example: Blue arrives beside Green, who moved first."""
    model = table((GREEN, 5), (BLUE, 4), (RED, 3), (YELLOW, 0))
    for seat, bid in ((YELLOW, 6), (RED, 7), (GREEN, 4), (BLUE, 5)):
        model.play(f"bid {bid}", seat)
    assert [RED, GREEN, BLUE, YELLOW] == model.budget.order()
    assert {"0": 10, "1": 9, "2": 6, "3": 9} == model.state()["level"]
    assert {"0": 13, "1": 15, "2": 14, "3": 16} == model.state()["ducats"]
    assert [GREEN, BLUE, RED, YELLOW] == [int(args["seat"]) for args in told(model, "bids")]


@pytest.mark.parametrize("sequence", list(permutations((RED, BLUE, YELLOW))))
def test_bids_give_the_same_in_any_sequence(sequence: tuple[int, ...]) -> None:
    """Who makes up his mind first does not matter."""
    model = table((BLUE, 2), (RED, 2), (YELLOW, 2))
    for seat in sequence:
        model.play(f"bid {(3, 0, 3)[seat]}", seat)
    assert [RED, YELLOW, BLUE] == model.budget.order()


def test_bids_are_limited() -> None:
    """By the purse and by the tenth level, and a bid once made stands."""
    model = table((RED, 7), (BLUE, 0), ducats={BLUE: 2})
    assert actions("bid 0 1 2 3") == model.legal(RED)
    assert actions("bid 0 1 2") == model.legal(BLUE)
    model.play("bid 1", RED)
    assert (BLUE,) == model.to_act() and set() == model.legal(RED)
    assert ({"0": 1, "1": -1, "2": -1, "3": -1}, ["0"]) == (model.state()["bid"], model.state()["has_bid"])


def test_markers_arrive_on_the_right_and_close_up() -> None:
    """Down or up, a marker comes after those already there; without a step it keeps its place."""
    budget = BudgetTable()
    for seat, level in ((RED, 4), (BLUE, 2), (GREEN, 2), (YELLOW, 0)):
        budget.place(seat, level)
    budget.move(RED, -2)
    assert [BLUE, GREEN, RED, YELLOW] == budget.order()
    budget.move(BLUE, 0)
    budget.move(YELLOW, 2)
    assert [BLUE, GREEN, RED, YELLOW] == budget.order()
    budget.move(BLUE, -1)
    assert [GREEN, RED, YELLOW, BLUE] == budget.order()
    assert 1 == budget.level(BLUE)


# Setting up.


@pytest.mark.parametrize(("seats", "parts", "halls"), [(2, 19, 37), (3, 27, 51), (4, 38, 70)])
def test_the_box(seats: int, parts: int, halls: int) -> None:
    """Parts and halls in play, by the table of the facts, with its two mains of each city for two."""
    assert parts == sum(part.copies[seats - 2] for part in BOX)
    assert halls == sum(part.copies[seats - 2] * part.halls for part in BOX)


def test_the_fees() -> None:
    """The six roles cost sixteen levels together."""
    assert 16 == sum(FEES.values())


def test_the_deal() -> None:
    """Ducats from the start player on, house pieces staged, repeats and excess pieces discarded."""
    model = Model(4)
    model.deal(
        ladder=LADDER,
        offers={"verdi": (3, 2), "mozart": (3, 0), "handel": (3, 0)},
        century=("verdi", "verdi", "handel", "verdi", "mozart"),
        start=YELLOW,
    )
    state = model.state()
    assert {"0": 22, "1": 23, "2": 20, "3": 21} == state["ducats"]
    assert {"1": "2", "2": "3", "3": "0", "4": "1"} == state["order"]
    assert 174 - 86 == state["bank"]
    assert {"1": "verdi", "2": "handel", "3": "mozart"} == state["century"]
    assert {"monteverdi": 14, "handel": 10, "beethoven": 14, "mozart": 10, "wagner": 14, "verdi": 6} == state["deck"]
    assert {"monteverdi": 0, "handel": 0, "beethoven": 0, "mozart": 0, "wagner": 0, "verdi": 4} == state["discard"]
    assert {"house"} == {state["great"][str(seat)]["venezia"] for seat in range(4)}
    assert {"main": 0, "wing": 3, "wing2": 3, "wing3": 0} == state["supply"]["venezia"]
    assert {"0": 0, "1": 0, "2": 0, "3": 0} == state["points"]
    assert (0, 1, 2, 3) == model.to_act()


@pytest.mark.parametrize(
    ("offers", "century", "why"),
    [
        ({"verdi": (3, 0), "mozart": (3, 0)}, "verdi handel mozart", "the pile has pieces"),
        ({"verdi": (4, 0), "mozart": (3, 0)}, "verdi handel mozart", "cannot be drawn"),
        ({"verdi": (3, 0), "mozart": (2, 1), "handel": (2, 0)}, "verdi handel mozart", "set aside below 3"),
        ({"verdi": (3, 0), "mozart": (3, 0), "handel": (2, 0)}, "verdi handel mozart", "more than 7"),
        ({"verdi": (3, 12), "mozart": (3, 0), "handel": (1, 0)}, "verdi handel mozart", "cannot be drawn"),
        (NEW_OFFER[3], "verdi handel", "three different"),
        (NEW_OFFER[3], "verdi handel mozart wagner", "are enough"),
    ],
)
def test_impossible_deals(offers: Drawn, century: str, why: str) -> None:
    """What no pile can give is refused."""
    with pytest.raises(ValueError, match=why):
        Model(3).deal(ladder=LADDER, offers=offers, century=century.split(), start=0)


# The initiative.


def test_hiring_costs_levels() -> None:
    """Red hires at 4, drops beside Blue, to his right, and Blue has the initiative."""
    model = acting((RED, 4), (BLUE, 2), (YELLOW, 0))
    play(model, "hire maestro", "move wien")
    assert [BLUE, RED, YELLOW] == model.budget.order()
    assert ("hire", "1") == asked(model)


def test_only_what_can_be_paid_and_used_is_hirable() -> None:
    """The Architetto needs ducats, the Signora a piece the Palazzo would take, every role its levels."""
    model = acting((RED, 3), (BLUE, 0), (YELLOW, 0), ducats={RED: 1})
    assert actions("hire impresario maestro critico, end") == model.legal()
    model = acting((RED, 4), (BLUE, 0), (YELLOW, 0), screens={RED: "verdi"}, palazzo="wagner")
    assert actions("hire impresario architetto signora maestro critico esperto, end") == model.legal()
    model = acting((RED, 4), (BLUE, 0), (YELLOW, 0), screens={RED: "wagner"}, palazzo="wagner")
    assert actions("hire impresario architetto maestro critico esperto, end") == model.legal()


def test_a_role_is_hired_once() -> None:
    """The card is gone for the round."""
    model = acting((RED, 4), (BLUE, 2), (YELLOW, 0))
    play(model, "hire maestro", "move wien")
    assert actions("hire architetto, end") == model.legal()


def test_the_phase_ends_when_nobody_can_pay() -> None:
    """Red ends his performance, Blue at 1 can hire nothing: income follows."""
    model = acting((RED, 3), (BLUE, 1), (YELLOW, 0))
    close(model, "end")
    assert ("bid", None) == asked(model)
    assert [{"why": "too_low"}] == told(model, "closes")
    assert ["ends", "closes", "earns", "earns", "earns"] == [name for name, _ in model.story][:5]
    assert ["2"] == [args["seat"] for args in told(model, "bonus")]
    assert {"0": 21, "1": 21, "2": 22, "3": 0} == model.state()["ducats"]


def test_the_role_limit_forces_a_pass() -> None:
    """After three roles Red at 3 could still pay the Signora, but gets a disc; nobody else can pay anything."""
    model = acting((RED, 10), (BLUE, 0), (YELLOW, 0), screens={RED: "verdi"})
    close(model, "hire maestro", "move wien", "hire critico", "move paris", "hire architetto", "build wien main", "stop")
    assert ([], [{"seat": "0", "roles": 3}]) == (told(model, "forced"), told(model, "spent"))
    assert [{"why": "too_low"}] == told(model, "closes")
    assert 2 == model.round and 3 == model.state()["level"]["0"]


def test_two_players_may_hire_a_fourth_role() -> None:
    """The limit is four; having played along does not count."""
    model = acting((RED, 10), (BLUE, 2), screens={RED: "verdi"})
    play(
        model,
        "hire maestro",
        "move wien",
        "hire critico",
        "move paris",
        "hire architetto",
        "build wien main",
        "stop",
        "decline",
    )
    assert actions("hire impresario signora, end") == model.legal()
    assert 3 == model.state()["hired"]["0"]


def test_a_pass_is_forced_when_no_payable_role_is_of_use() -> None:
    """Blue and Red at 2 are left with an Architetto who has no parts and a Signora whose Palazzo is full."""
    model = acting((RED, 4), (BLUE, 2), (YELLOW, 0), palazzo="wagner verdi mozart", screens={BLUE: "handel"})
    for part in BOX:
        model.supply[part] = 0
    close(model, "hire maestro", "move wien")
    assert [{"seat": "1"}, {"seat": "0"}] == told(model, "forced")
    assert [{"why": "too_low"}] == told(model, "closes")
    assert [] == model.state()["passed"] and 2 == model.round


def test_an_empty_purse_does_not_force_a_pass() -> None:
    """Blue cannot pay a part and has no piece, but nobody can see that: asked, with one answer (ruling 38)."""
    model = acting((RED, 4), (BLUE, 2), (YELLOW, 0), ducats={BLUE: 0})
    play(model, "hire maestro", "move wien")
    assert ("hire", "1") == asked(model) and {"end"} == model.legal()


def test_all_roles_taken_end_the_phase() -> None:
    """Red at 8 and Blue at 7 are neither asked nor made to pass once the last card is gone."""
    model = acting((RED, 10), (BLUE, 10), (YELLOW, 1), screens={RED: "verdi"})
    model.taken = set(FEES) - {"maestro", "critico"}
    play(model, "hire maestro", "move wien")
    assert ("hire", "1") == asked(model)
    close(model, "hire critico", "move paris")
    assert [] == told(model, "forced") == told(model, "spent") and 2 == model.round
    assert [{"why": "all_taken"}] == told(model, "closes")


def test_a_disc_ends_playing_along() -> None:
    """Whoever ended the performance neither hires nor joins, but is asked at the Esperto."""
    houses = {RED: "venezia: verdi", BLUE: "venezia: wagner", YELLOW: "venezia: mozart"}
    model = acting((RED, 9), (BLUE, 8), (YELLOW, 3), houses=houses, points={RED: 1})
    play(model, "end", "hire architetto", "build wien main", "stop")
    assert ("build", "2") == asked(model)
    play(model, "decline")
    assert ["0"] == model.state()["passed"]
    play(model, "hire esperto", "move venezia")
    assert ("score", "0") == asked(model)


# The employees.


def test_the_impresario() -> None:
    """Two pieces at their fame, in any order; the hirer pays no further level."""
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0), offer="verdi wagner wagner handel", ducats={RED: 11})
    play(model, "hire impresario")
    assert actions("buy verdi wagner handel, stop") == model.legal()
    play(model, "buy wagner")
    assert 5 == model.state()["first"]
    assert actions("buy verdi wagner handel, stop") == model.legal()
    play(model, "buy wagner")
    assert ("rearrange", "0") == asked(model)
    state = model.state()
    assert (1, 2, 2) == (state["ducats"]["0"], state["screen"]["0"]["wagner"], state["level"]["0"])
    assert {"verdi": 1, "handel": 1} == {one: count for one, count in state["offer"].items() if count}


def test_no_second_purchase_is_asked_when_everybody_sees_there_is_none() -> None:
    """Nothing is left; but an empty purse is asked all the same (ruling 44)."""
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0), offer="handel")
    play(model, "hire impresario", "buy handel")
    assert ("rearrange", "0") == asked(model)
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0), offer="verdi handel", ducats={RED: 6})
    play(model, "hire impresario", "buy verdi")
    assert {"stop"} == model.legal()
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0))
    play(model, "hire impresario")
    assert ("rearrange", "0") == asked(model)


def test_the_impresario_along() -> None:
    """A level a piece, a level for rearranging only, nothing for an intermezzo; at level 0 nobody is asked."""
    model = acting((RED, 6), (BLUE, 5), (YELLOW, 1), (GREEN, 0), offer="verdi verdi handel handel")
    play(model, "hire impresario", "stop", "keep")
    assert ("buy", "1") == asked(model)
    assert actions("buy verdi handel, stop, decline") == model.legal()
    play(model, "buy verdi", "buy verdi", "keep")
    assert {"0": 3, "1": 3, "2": 1, "3": 0} == model.state()["level"]
    assert [RED, BLUE, YELLOW, GREEN] == model.budget.order()
    play(model, "buy handel")
    assert ("rearrange", "2") == asked(model)
    play(model, "keep")
    assert ("hire", "0") == asked(model)
    model = acting((RED, 6), (BLUE, 5), (YELLOW, 1), offer="verdi")
    play(model, "hire impresario", "stop", "keep", "stop")
    assert [{"seat": "1"}] == told(model, "rearranges")
    assert [{"seat": "1", "role": "impresario", "fee": 1, "level": 4}] == told(model, "joins")
    play(model, "keep", "decline")
    assert {"0": 3, "1": 4, "2": 1, "3": 0} == model.state()["level"]
    assert ("hire", "1") == asked(model)


@pytest.mark.parametrize(
    ("literal", "offer", "options"),
    [
        (0, "verdi verdi", "buy verdi, stop, decline"),
        (1, "verdi verdi", "buy verdi, decline"),
        (0, "", "stop, decline"),
        (1, "", None),
    ],
)
def test_the_impresario_along_with_two(literal: int, offer: str, options: str | None) -> None:
    """The first piece and rearranging are free, the second piece is not; by the letter rearranging costs a level."""
    model = acting((RED, 6), (BLUE, 0), offer=offer, literal_rearranging=literal)
    play(model, "hire impresario", *(["stop"] if offer else []), "keep")
    if options is None:
        assert ("hire", "0") == asked(model)
        return
    assert ("buy", "1") == asked(model)
    assert actions(options) == model.legal()
    if offer:
        play(model, "buy verdi")
        assert ("rearrange", "1") == asked(model)
        assert 0 == model.state()["level"]["1"]


def test_rearranging() -> None:
    """Everything is taken up first; no composer stands twice in a house, and an empty side hall ends it."""
    model = acting(
        (RED, 3),
        (BLUE, 0),
        (YELLOW, 0),
        houses={RED: "venezia wing: house verdi | wien: - mozart"},
        screens={RED: "verdi mozart"},
    )
    play(model, "hire impresario")
    assert actions("place mozart verdi house, empty, keep") == model.legal()
    play(model, "place mozart")
    assert {"mozart": 1, "verdi": 2, "house": 1} == {k: v for k, v in model.state()["screen"]["0"].items() if v}
    assert actions("place verdi house, empty") == model.legal()
    assert ("venezia", 1) == (model.state()["city"], model.state()["hall"])
    play(model, "place verdi")
    assert [{"seat": "0", "city": "venezia", "great": "mozart", "side": ["verdi"]}] == told(model, "stages")
    play(model, "place verdi")
    assert actions("place mozart house, empty") == model.legal()
    close(model, "empty")
    assert {"venezia": ["mozart", "verdi"], "wien": ["verdi", None]} == {
        city: house.halls for city, house in model.players[RED].houses.items()
    }
    assert ["house", "mozart"] == sorted(model.players[RED].screen)


def test_side_halls_are_filled_in_order() -> None:
    """After verdi only the house piece can follow; the great hall is free of this."""
    model = acting(
        (RED, 3), (BLUE, 0), (YELLOW, 0), houses={RED: "venezia: house | wien wing: - - - -"}, screens={RED: "verdi mozart"}
    )
    play(model, "hire impresario", "empty", "empty", "place verdi")
    assert actions("place house, empty") == model.legal()
    play(model, "place house")
    assert {"empty"} == model.legal()
    close(model, "empty")
    assert [None, "verdi", "house", None] == model.players[RED].houses["wien"].halls


def test_keeping() -> None:
    """Nothing is touched."""
    model = acting((RED, 3), (BLUE, 0), (YELLOW, 0), houses={RED: "venezia wing: house -"}, screens={RED: "verdi"})
    close(model, "hire impresario", "keep")
    assert (["house", None], ["verdi"]) == (model.players[RED].houses["venezia"].halls, model.players[RED].screen)


def test_the_architetto() -> None:
    """Wien main and a wing in Venezia cost 6 ducats and give 6 points, built in the order of the cities."""
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), ducats={RED: 6})
    play(model, "hire architetto")
    assert {"build venezia wing", "build venezia wing2", "build wien main", "build berlin main"} == model.legal()
    play(model, "build venezia wing")
    assert {"build venezia wing2", "build wien main", "build berlin main", "stop"} == model.legal()
    close(model, "build wien main")
    state = model.state()
    assert (1, 6, 6) == (state["ducats"]["0"] - 1, state["points"]["0"], state["earned"]["0"]["building"])
    assert (["main", "wing"], 2) == (state["built"]["0"]["venezia"], state["halls"]["0"]["wien"])
    assert (1, 1) == (state["supply"]["venezia"]["wing"], state["supply"]["wien"]["main"])


def test_wings_need_their_main_and_cities_open_late() -> None:
    """A main and its own wing may be built together; London only after the first count, Milano after the second."""
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), counts=1, round=4)
    play(model, "hire architetto")
    assert {"build london main", "build paris main"} < model.legal()
    assert not {"build wien wing", "build paris wing", "build milano main"} & model.legal()
    play(model, "build paris main")
    assert {"build paris wing", "stop"} < model.legal()
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), counts=1, round=4, version=1)
    play(model, "hire architetto", "build paris main")
    assert {"build paris wing", "stop"} == model.legal(), "by version 1 the second part came later in the order of the cities"


def test_the_architetto_along() -> None:
    """A level a part; a purse too small is asked all the same, a last part gone is not."""
    model = acting((RED, 5), (BLUE, 2), (YELLOW, 1), ducats={BLUE: 6, YELLOW: 1})
    play(model, "hire architetto", "build wien main", "stop")
    assert ("build", "1") == asked(model)
    play(model, "build wien main")
    assert {"build venezia wing", "build venezia wing2", "build berlin main", "stop"} == model.legal()
    play(model, "build berlin main")
    assert ("build", "2") == asked(model) and {"decline"} == model.legal()
    assert {"0": 3, "1": 0, "2": 1, "3": 0} == model.state()["level"]
    assert 0 == model.state()["supply"]["wien"]["main"]


def test_the_architetto_along_with_two() -> None:
    """The first part is free, the second costs a level."""
    model = acting((RED, 5), (BLUE, 1))
    play(model, "hire architetto", "build wien main", "stop", "build venezia wing")
    assert 1 == model.state()["level"]["1"]
    assert {"build venezia wing2", "build wien main", "build berlin main", "stop"} == model.legal()
    play(model, "build berlin main")
    assert (0, 4) == (model.state()["level"]["1"], model.state()["points"]["1"])
    model = acting((RED, 5), (BLUE, 0))
    play(model, "hire architetto", "build wien main", "stop", "build venezia wing")
    assert ("hire", "0") == asked(model)


def test_the_signora() -> None:
    """Fame 5 gives 10 ducats or 5 points, whether from the screen or out of a hall; a composer already there is barred."""
    things: dict[str, Any] = {
        "houses": {RED: "venezia: wagner"},
        "screens": {RED: "wagner mozart house"},
        "palazzo": "mozart",
    }
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), **things)
    play(model, "hire signora")
    assert {"sell wagner screen", "sell wagner venezia"} == model.legal()
    play(model, "sell wagner venezia")
    assert {"take ducats", "take points"} == model.legal() and "wagner" == model.state()["sold"]
    assert ["mozart", "wagner"] == model.state()["palazzo"]
    close(model, "take ducats")
    assert [None] == model.players[RED].houses["venezia"].halls
    assert 20 + 10 + 1 == model.state()["ducats"]["0"]
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), **things)
    close(model, "hire signora", "sell wagner screen", "take points")
    assert (5, 5) == (model.state()["points"]["0"], model.state()["earned"]["0"]["signora"])
    assert (["mozart", "house"], ["wagner"]) == (model.players[RED].screen, model.players[RED].houses["venezia"].halls)


@pytest.mark.parametrize(("seats", "sold"), [(3, "verdi wagner"), (4, "verdi wagner mozart")])
def test_a_full_palazzo_ends_playing_along(seats: int, sold: str) -> None:
    """Three places with three players, four with four; it is emptied at the end of the round."""
    levels = [(RED, 3), (BLUE, 1), (YELLOW, 1), (GREEN, 1)][:seats]
    model = acting(*levels, palazzo="handel", screens={RED: "verdi", BLUE: "wagner", YELLOW: "mozart", GREEN: "beethoven"})
    *first, last = sold.split()
    play(model, "hire signora")
    for composer in first:
        play(model, f"sell {composer} screen", "take points")
    close(model, f"sell {last} screen", "take points")
    assert 2 == model.round and [] == model.palazzo
    assert {"handel": 1, **dict.fromkeys(sold.split(), 1)} == +model.offer.discard


def test_a_palazzo_with_room_stays() -> None:
    """Two pieces of three stay for the next round."""
    model = acting((RED, 2), (BLUE, 0), (YELLOW, 0), palazzo="handel", screens={RED: "verdi"})
    close(model, "hire signora", "sell verdi screen", "take points")
    assert ["handel", "verdi"] == sorted(model.palazzo)


def test_the_signora_along() -> None:
    """One level, with two players none; asked even with nothing to sell."""
    model = acting((RED, 3), (BLUE, 1), (YELLOW, 0), screens={RED: "verdi", BLUE: "wagner"})
    play(model, "hire signora", "sell verdi screen", "take points", "sell wagner screen")
    assert 0 == model.state()["level"]["1"]
    model = acting((RED, 6), (BLUE, 0), screens={RED: "verdi"})
    play(model, "hire signora", "sell verdi screen", "take points")
    assert ("sell", "1") == asked(model) and {"decline"} == model.legal()
    model = acting((RED, 6), (BLUE, 0), screens={RED: "verdi", BLUE: "wagner"})
    play(model, "hire signora", "sell verdi screen", "take points", "sell wagner screen")
    assert ("pay", "1") == asked(model) and 0 == model.state()["level"]["1"]


# The characters.


def test_figures_need_a_free_place_elsewhere() -> None:
    """Wien has two places, Berlin one; closed cities count; from the portrait anything goes."""
    model = acting((RED, 4), (BLUE, 0), (YELLOW, 0), figures={"maestro": "wien", "critico": "berlin"})
    play(model, "hire esperto")
    assert actions("move venezia wien london paris milano") == model.legal()
    model = acting((RED, 4), (BLUE, 0), (YELLOW, 0), figures={"maestro": "wien", "critico": "wien", "esperto": "london"})
    play(model, "hire esperto")
    assert actions("move venezia berlin paris milano") == model.legal()
    model = acting((RED, 4), (BLUE, 0), (YELLOW, 0))
    play(model, "hire maestro")
    assert actions("move venezia wien berlin london paris milano") == model.legal()


def test_the_critico() -> None:
    """Any composer performed in the city by anyone, one or two steps within the ladder, or none."""
    houses = {RED: "venezia: monteverdi", BLUE: "venezia: verdi", YELLOW: "venezia: house"}
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0), houses=houses)
    play(model, "hire critico", "move venezia")
    reviews = {"praise monteverdi 1", "praise monteverdi 2", "scorn verdi 1", "scorn verdi 2", "withhold"}
    assert reviews == model.legal()
    play(model, "scorn verdi 2")
    assert ["wagner", "mozart", "verdi"] == model.ladder.cards[:3]
    assert [{"seat": "0", "composer": "verdi", "fame": 4}] == told(model, "judges")
    assert [("mozart", 5), ("wagner", 6)] == sorted((args["composer"], args["fame"]) for args in told(model, "shifts"))


def test_the_critico_among_house_pieces() -> None:
    """Nothing is asked where no composer is performed."""
    model = acting((RED, 5), (BLUE, 0), (YELLOW, 0), houses={RED: "venezia: house"})
    play(model, "hire critico", "move venezia")
    assert ("hire", "0") == asked(model)


ESPERTO = {RED: "venezia: house | wien wing: monteverdi verdi wagner handel"}


def test_the_esperto_gives() -> None:
    """5 + 6 + 3 + 2 = 16 points, and Verdi goes behind the screen of the last in points."""
    ladder = ("verdi", "wagner", "mozart", "monteverdi", "handel", "beethoven")
    model = acting((RED, 6), (BLUE, 0), (YELLOW, 0), houses=ESPERTO, ladder=ladder, points={RED: 40, BLUE: 39, YELLOW: 43})
    play(model, "hire esperto", "move wien")
    assert {"0": 56, "1": 39, "2": 43, "3": 0} == model.state()["points"]
    assert (["verdi"], ["monteverdi", None, "wagner", "handel"]) == (
        model.players[BLUE].screen,
        model.players[RED].houses["wien"].halls,
    )


@pytest.mark.parametrize(
    ("points", "levels", "receiver"),
    [
        ((9, 4, 4, 4), ((RED, 9), (GREEN, 3), (BLUE, 2), (YELLOW, 1)), YELLOW),
        ((9, 4, 4, 4), ((RED, 9), (GREEN, 1), (YELLOW, 1), (BLUE, 1)), BLUE),
        ((9, 4, 5, 4), ((RED, 9), (GREEN, 3), (BLUE, 2), (YELLOW, 1)), BLUE),
        ((9, 8, 7, 6), ((RED, 9), (GREEN, 3), (BLUE, 2), (YELLOW, 1)), GREEN),
    ],
)
def test_who_gets_the_piece(points: tuple[int, ...], levels: tuple[tuple[int, int], ...], receiver: int) -> None:
    """The fewest points, then the lowest level, then the column further right (ruling 11)."""
    model = acting(*levels, houses=ESPERTO, points=dict(enumerate(points)))
    play(model, "hire esperto", "move wien")
    assert [{"seat": "0", "composer": "verdi", "receiver": str(receiver)}] == told(model, "gives")


@pytest.mark.parametrize("dutch", [0, 1])
@pytest.mark.parametrize("others", [4, 5])
def test_the_last_in_points_loses_the_piece(dutch: int, others: int) -> None:
    """Alone or together with others: the discard pile, by the Dutch book out of the game; the points before count."""
    model = acting(
        (RED, 6), (BLUE, 0), (YELLOW, 0), houses=ESPERTO, points={RED: 4, BLUE: others, YELLOW: 9}, dutch_esperto=dutch
    )
    play(model, "hire esperto", "move wien")
    assert (1 - dutch, dutch) == (model.offer.discard["verdi"], model.lost["verdi"])
    assert 4 + 6 + 5 + 3 + 1 == model.players[RED].points


def test_the_esperto_without_fame() -> None:
    """A house piece gives nothing and stays; a city without a house neither."""
    model = acting((RED, 8), (BLUE, 0), (YELLOW, 0), points={RED: 1})
    play(model, "hire esperto", "move venezia")
    assert [("scores", {"seat": "0", "city": "venezia", "points": 0})] == model.story[1:]
    assert ["house"] == model.players[RED].houses["venezia"].halls


def test_others_at_the_esperto() -> None:
    """In table order, at no fee, their best piece for the discard pile; house pieces alone are not asked."""
    houses = {RED: "venezia: house", BLUE: "venezia wing: mozart wagner", YELLOW: "venezia: verdi", GREEN: "venezia: house"}
    model = acting((RED, 8), (YELLOW, 2), (BLUE, 1), (GREEN, 1), houses=houses, points={RED: 1})
    play(model, "hire esperto", "move venezia")
    assert ("score", "2") == asked(model) and {"score", "decline"} == model.legal()
    play(model, "decline")
    assert ("score", "1") == asked(model)
    play(model, "score")
    assert (9, 1, 1) == (model.players[BLUE].points, model.offer.discard["wagner"], model.state()["level"]["1"])
    assert ["mozart", None] == model.players[BLUE].houses["venezia"].halls
    assert ("hire", "0") == asked(model)


# Income, the end of a round, counts.


def test_income() -> None:
    """The house piece counts like any other, and the Maestro's city pays twice, moved or not."""
    houses = {
        RED: "venezia: - | wien wing: verdi house - -",
        BLUE: "venezia wing wing2: verdi mozart wagner | berlin: handel",
        YELLOW: "venezia: house | milano wing: " + " ".join(COMPOSERS),
    }
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), houses=houses, figures={"maestro": "venezia"})
    close(model, "end")
    assert [
        {"seat": "0", "pieces": 2, "ducats": 3},
        {"seat": "1", "pieces": 4, "ducats": 6},
        {"seat": "2", "pieces": 7, "ducats": 16},
    ] == told(model, "earns")
    assert [
        {"seat": "1", "city": "venezia", "ducats": 5},
        {"seat": "2", "city": "venezia", "ducats": 1},
    ] == told(model, "doubles")
    assert {"0": 23, "1": 31, "2": 37, "3": 0} == model.state()["ducats"]


@pytest.mark.parametrize(("operas", "ducats"), [(0, 0), (1, 1), (2, 3), (3, 5), (4, 8), (5, 11), (6, 15)])
def test_the_income_table(operas: int, ducats: int) -> None:
    """Six halls in Milano, so many of them in use."""
    halls = [*COMPOSERS[:operas], *["-"] * (6 - operas)]
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), houses={RED: f"venezia: - | milano wing: {' '.join(halls)}"})
    close(model, "end")
    assert 20 + ducats == model.players[RED].ducats


def test_fame_goes_by_all_halls() -> None:
    """Two Handels and two Mozarts in halls beat three Verdis behind screens and at the Palazzo; house pieces do not count."""
    houses = {RED: "venezia wing: handel mozart", BLUE: "venezia wing: mozart handel", YELLOW: "venezia: verdi"}
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), houses=houses, screens={RED: "verdi verdi"}, palazzo="verdi")
    close(model, "end")
    assert [{"composers": ["handel", "mozart"], "times": 2}] == told(model, "most")
    assert ["verdi", "mozart", "handel", "wagner", "beethoven", "monteverdi"] == model.ladder.cards
    assert [("handel", 4), ("mozart", 5), ("wagner", 3)] == [(args["composer"], args["fame"]) for args in told(model, "climbs")]


def test_nothing_performed_changes_no_fame() -> None:
    """House pieces alone leave the ladder as it was."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1))
    close(model, "end")
    assert [] == told(model, "most") and list(LADDER) == model.ladder.cards


def test_a_new_offer() -> None:
    """Unsold pieces are discarded, excess pieces as well, but only after the fill."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), offer="verdi verdi handel")
    model.play("end", drawn=[{"verdi": (3, 2), "mozart": (3, 0), "handel": (1, 0)}])
    assert {"verdi": 3, "mozart": 3, "handel": 1} == +model.offer.pieces
    assert {"verdi": 2 + 2, "handel": 1} == +model.offer.discard
    assert (9, 11, 13) == tuple(model.offer.deck[one] for one in ("verdi", "mozart", "handel"))


def test_reshuffling() -> None:
    """The pile runs out after a Verdi and an excess one: the discard pile takes its place, without what lies aside."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), offer="handel")
    model.offer.deck.clear()
    model.offer.deck.update(verdi=4)
    model.offer.discard.update(mozart=3, wagner=3)
    model.play("end", drawn=[{"verdi": (3, 1)}, {"mozart": (3, 0), "handel": (1, 0)}])
    assert [{"pieces": 7}] == told(model, "reshuffles")
    assert ({"wagner": 3}, {"verdi": 1}) == (+model.offer.deck, +model.offer.discard)


def test_a_short_offer() -> None:
    """Reshuffled once, then fewer are offered, and only capped composers go by (rulings 28, 43)."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1))
    model.offer.deck.clear()
    model.offer.discard.update(mozart=5, wagner=1)
    model.play("end", drawn=[{}, {"mozart": (3, 2), "wagner": (1, 0)}])
    assert ({"mozart": 3, "wagner": 1}, {}, {"mozart": 2}) == (+model.offer.pieces, +model.offer.deck, +model.offer.discard)


def test_drawing_is_told_exactly() -> None:
    """A new offer that was not told, and one that nobody drew, are both refused."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1))
    with pytest.raises(ValueError, match="the pile has pieces"):
        model.play("end")
    model = acting((RED, 4), (BLUE, 3), (YELLOW, 1))
    with pytest.raises(ValueError, match="draws nothing more"):
        model.play("end", drawn=[NEW_OFFER[3]])


def test_the_size_of_an_offer() -> None:
    """Five, seven and nine pieces, two of a composer with two players, else three."""
    assert [(5, 2), (7, 3), (9, 3)] == [(Offer(seats).size, Offer(seats).most) for seats in (2, 3, 4)]


def test_a_count() -> None:
    """Mozart at 6 and of the century 7, Wagner 4, two empty halls in Berlin -2: nine points, after fame is settled."""
    houses = {RED: "venezia: mozart | berlin wing: wagner - -", BLUE: "venezia wing: - mozart"}
    ladder = ("verdi", "mozart", "wagner", "handel", "beethoven", "monteverdi")
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), houses=houses, ladder=ladder, round=3)
    close(model, "end")
    assert ["mozart", "verdi", "wagner"] == model.ladder.cards[:3]
    assert {"building": 0, "signora": 0, "esperto": 0, "great": 10, "century": 1, "empty": -2} == model.state()["earned"]["0"]
    assert {"0": 9, "1": -1, "2": 0, "3": 0} == model.state()["points"]
    assert [{"city": "london"}, {"city": "paris"}] == told(model, "reveals")
    assert (4, 1) == (model.round, model.counts)


def test_a_count_empties_the_palazzo() -> None:
    """Full or not, and after the new offer is drawn."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), round=6, counts=1, palazzo="verdi")
    close(model, "end")
    assert [] == model.palazzo and 1 == model.offer.discard["verdi"]
    assert [{"city": "milano"}] == told(model, "reveals")


@pytest.mark.parametrize(("short", "rounds"), [(0, {3: 1, 6: 2, 9: 3}), (1, {3: 1, 5: 2, 7: 3})])
def test_when_it_is_counted(short: int, rounds: dict[int, int]) -> None:
    """After rounds 3, 6 and 9, or 3, 5 and 7; the last count ends the match without a new offer."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1), seven_rounds=short, offer="verdi")
    final = max(rounds)
    for number in range(1, final + 1):
        assert number == model.round
        offer = NEW_OFFER[3] if number % 2 else {"mozart": (3, 0), "wagner": (3, 0), "verdi": (1, 0)}
        model.play("end", drawn=[] if number == final else [offer])
        assert ([rounds[number]] if number in rounds else []) == [args["count"] for args in told(model, "counting")]
        for seat in list(model.to_act()):
            model.play("bid 0", seat)
    assert ("nothing", None) == asked(model) and () == model.to_act()
    assert (final, 3, 1 + short) == (model.round, model.counts, model.state()["ending"])
    assert 0 == model.offer.pieces.total()


@pytest.mark.parametrize(
    ("points", "levels", "winner"),
    [
        ((5, 4, 3), ((RED, 2), (BLUE, 1), (YELLOW, 1)), RED),
        ((5, 6, 6), ((RED, 2), (YELLOW, 1), (BLUE, 0)), YELLOW),
        ((5, 6, 6), ((RED, 2), (BLUE, 1), (YELLOW, 1)), BLUE),
    ],
)
def test_the_winner(points: tuple[int, ...], levels: tuple[tuple[int, int], ...], winner: int) -> None:
    """Most points, then the higher level, then the column further left."""
    model = acting(*levels, points=dict(enumerate(points)), round=9, counts=2)
    model.play("end")
    assert winner == model.winner
    assert [{"seat": str(winner), "points": max(points)}] == told(model, "wins")


def test_a_refusal_changes_nothing() -> None:
    """An action that is not legal leaves the table as it was."""
    model = acting((RED, 2), (BLUE, 1), (YELLOW, 1))
    before = model.state()
    for action, seat in (("hire esperto", RED), ("end", BLUE), ("bid 0", RED)):
        with pytest.raises(ValueError, match="illegal action"):
            model.play(action, seat)
    assert before == model.state()


# The worked example.


def example() -> Model:
    """Round 6 of a match of three, before the bids."""
    return table(
        (RED, 6),
        (BLUE, 4),
        (YELLOW, 0),
        houses={
            YELLOW: "venezia: wagner | wien: verdi beethoven | paris wing: beethoven house - - -",
            RED: "venezia: monteverdi | berlin: monteverdi | london: handel house | wien wing: monteverdi wagner - -",
            BLUE: "venezia wing wing2: monteverdi beethoven mozart | berlin: verdi | paris: house - -",
        },
        ducats={YELLOW: 12, RED: 12, BLUE: 8},
        points={YELLOW: 43, RED: 40, BLUE: 39},
        offer="wagner wagner verdi verdi beethoven handel mozart",
        palazzo="wagner",
        figures={"maestro": "london", "critico": "wien", "esperto": "berlin"},
        round=6,
        counts=1,
    )


def test_the_worked_example() -> None:
    """The whole round, with every level, sum and piece that the example names."""
    model = example()
    for seat, bid in ((YELLOW, 10), (RED, 3), (BLUE, 1)):
        model.play(f"bid {bid}", seat)
    assert [YELLOW, RED, BLUE] == model.budget.order()
    assert {"0": 9, "1": 5, "2": 10, "3": 0} == model.state()["level"]

    # The Signora: Yellow sells Verdi, Red may not sell Wagner, Blue sells Mozart.
    play(model, "hire signora", "sell verdi wien", "take ducats")
    assert [{"seat": "2", "composer": "verdi", "ducats": 12}] == told(model, "paid")
    assert ("sell", "0") == asked(model)
    assert not any("wagner" in action for action in model.legal())
    play(model, "decline", "sell mozart venezia", "take ducats")
    assert [{"seat": "1", "composer": "mozart", "ducats": 8}] == told(model, "paid")
    assert ["mozart", "wagner", "verdi"] == model.state()["palazzo"]
    assert {"0": 9, "1": 4, "2": 8, "3": 0} == model.state()["level"]

    # The Critico: Monteverdi rises to 3.
    assert ("hire", "0") == asked(model)
    play(model, "hire critico", "move venezia", "praise monteverdi 2")
    assert {"monteverdi": 3, "handel": 2, "beethoven": 1, "mozart": 4, "wagner": 5, "verdi": 6} == model.state()["fame"]

    # The Impresario: Yellow, then Red and Blue along.
    play(model, "hire impresario", "buy wagner", "buy wagner")
    yellow = "wagner wagner beethoven wagner beethoven house"
    play(model, *(f"place {piece}" for piece in yellow.split()), "empty")
    assert ("buy", "0") == asked(model)
    play(model, "buy verdi", "buy beethoven")
    red = "monteverdi monteverdi handel wagner verdi monteverdi beethoven house"
    play(model, *(f"place {piece}" for piece in red.split()))
    assert [YELLOW, BLUE, RED] == model.budget.order()
    play(model, "buy verdi", "buy handel")
    blue = "monteverdi handel beethoven verdi verdi house"
    play(model, *(f"place {piece}" for piece in blue.split()), "empty")
    assert {"0": 4, "1": 2, "2": 5, "3": 0} == model.state()["level"]
    assert {"0": 12 - 3 - 7, "1": 8 - 1 + 8 - 8, "2": 12 - 10 + 12 - 10, "3": 0} == model.state()["ducats"]

    # The Maestro; the Esperto, who gives Red 16 points and Blue a Verdi.
    play(model, "hire maestro", "move paris", "hire esperto", "move wien")
    assert [{"seat": "0", "city": "wien", "points": 16}] == told(model, "scores")
    assert [{"seat": "0", "composer": "verdi", "receiver": "1"}] == told(model, "gives")
    assert 56 == model.players[RED].points
    assert ("score", "2") == asked(model)
    play(model, "decline")
    assert [{"seat": "2", "roles": 3}] == told(model, "spent")

    # The Architetto ends the phase, and the rest follows by itself.
    assert ("hire", "1") == asked(model)
    play(model, "hire architetto", "build paris wing")
    close(model, "stop")
    income: Counter[str] = Counter()
    for args in told(model, "earns") + told(model, "doubles"):
        income[args["seat"]] += args["ducats"]
    assert {"2": 14, "0": 10, "1": 12} == income
    assert 19 == sum(args["pieces"] for args in told(model, "earns"))
    assert [{"composers": ["monteverdi", "beethoven", "wagner"], "times": 4}] == told(model, "most")
    assert ["wagner", "verdi", "monteverdi", "mozart", "beethoven", "handel"] == model.ladder.cards
    assert ["0", "1"] == [args["seat"] for args in told(model, "bonus")]
    assert [
        {"seat": "0", "points": 14, "total": 70},
        {"seat": "1", "points": 14, "total": 57},
        {"seat": "2", "points": 18, "total": 61},
    ] == told(model, "counts")
    assert [{"seat": "0", "points": 6, "total": 76}, {"seat": "1", "points": 2, "total": 59}] == told(model, "celebrates")
    assert [1, 3, 2] == [args["points"] for args in told(model, "forfeits")]
    state = model.state()
    assert {"0": 75, "1": 56, "2": 59, "3": 0} == state["points"]
    assert {"0": 13, "1": 16, "2": 18, "3": 0} == state["ducats"]
    assert ([YELLOW, RED, BLUE], {"0": 0, "1": 0, "2": 3, "3": 0}) == (model.budget.order(), state["level"])
    assert ["verdi"] == model.players[BLUE].screen and [] == state["palazzo"]
    assert (7, 2, "bid") == (state["round"], state["counts"], state["asked"])
