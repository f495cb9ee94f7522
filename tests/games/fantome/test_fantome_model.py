"""The second model of Le Fantôme de l'Opéra against counts made by hand, and against itself in random play."""

from __future__ import annotations

import copy
import doctest
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from models import fantome_model
from models.fantome_model import CORRIDORS, NAMES, Door, House, Model, Persan, destinations, next_rooms

ALL = set(NAMES)
OUTER = {"raoul": 0, "meg": 1, "giry": 2, "buquet": 3, "christine": 4, "moncharmin": 7, "richard": 8, "persan": 9}
EXAMPLE = "9 christine raoul, 8 richard giry, 7 meg, 6 buquet persan, 5 moncharmin"


def standing(drawn: str) -> dict[str, int]:
    """Rooms written as '3 giry, 1 richard moncharmin, 9 *', the star standing for everybody not named."""
    place: dict[str, int] = {}
    for group in drawn.split(","):
        room, *names = group.split()
        for name in names:
            for one in sorted(ALL - place.keys()) if name == "*" else [name]:
                place[one] = int(room)
    return place


def table(drawn: str, card: str, *more: str, **fields: Any) -> Model:
    """A table where `card` and `more` are the last cards of the round; raoul is the phantom unless told otherwise."""
    usual: dict[str, Any] = {"identity": "raoul", "dark": 9, "padlock": "8-9"}
    return Model.at(place=standing(drawn), offered={card, *more}, played=3 - len(more), **usual | fields)


def picked(drawn: str, card: str, *more: str, **fields: Any) -> Model:
    """The same table with `card` already picked."""
    model = table(drawn, card, *more, **fields)
    model.play(f"pick {card}")
    return model


def actions(text: str) -> set[str]:
    """'move 1 2, use' as the set of its actions."""
    found = set()
    for group in text.split(","):
        verb, *whats = group.split()
        found |= {f"{verb} {what}" for what in whats} or {verb}
    return found


def outcomes(model: Model, card: str) -> list[str]:
    """The board after every way of playing the card to its end, each written as text."""
    if model.state()["active"] != card:
        state = model.state()
        return [str((state["place"], state["padlock"], state["dark"]))]
    found = []
    for action in sorted(model.legal()):
        after = copy.deepcopy(model)
        after.play(action)
        found += outcomes(after, card)
    return found


# Set-up.


@pytest.mark.parametrize(
    ("room", "padlock"), [(0, "0-1"), (1, "1-2"), (2, "2-3"), (3, "3-7"), (7, "7-9"), (9, "8-9"), (8, "4-8"), (4, "0-4")]
)
def test_padlock_starts_clockwise_of_giry(room: int, padlock: str) -> None:
    """The padlock first blocks the corridor on Madame Giry's clockwise side."""
    place = OUTER | {next(name for name in NAMES if OUTER[name] == room): OUTER["giry"], "giry": room}
    assert padlock == Model(place, "meg", set(NAMES[:4])).state()["padlock"]


def test_set_up_table() -> None:
    """A fresh match shows all suspects, the blackout with Buquet, and the other four cards in the pile."""
    expected = {
        "round": 1,
        "played": 0,
        "active": None,
        "place": OUTER,
        "offered": ["buquet", "giry", "meg", "raoul"],
        "pile": ["christine", "moncharmin", "persan", "richard"],
        "suspects": sorted(NAMES),
        "padlock": "2-3",
        "dark": 3,
        "carlotta": 3,
        "identity": "meg",
        "held": [],
        "shown": [],
        "ghosts": 3,
        "result": None,
        "reason": None,
    }
    assert expected == Model(OUTER, "meg", set(NAMES[:4])).state()


@pytest.mark.parametrize(
    ("place", "identity", "offered", "start"),
    [
        (OUTER | {"meg": 5}, "meg", set(NAMES[:4]), 3),
        (OUTER | {"meg": 0}, "meg", set(NAMES[:4]), 3),
        (OUTER, "phantom", set(NAMES[:4]), 3),
        (OUTER, "meg", set(NAMES[:3]), 3),
        (OUTER, "meg", set(NAMES[:4]), 7),
        (OUTER, "meg", set(NAMES[:4]), -1),
    ],
)
def test_impossible_set_up_is_refused(place: dict[str, int], identity: str, offered: set[str], start: int) -> None:
    """A table the set-up cannot give is refused."""
    with pytest.raises(ValueError):
        Model(place, identity, offered, start)


# The order of play.


def test_two_rounds_by_hand() -> None:
    """Two whole rounds, every number counted by hand."""
    model = Model(OUTER, "persan", {"raoul", "meg", "richard", "buquet"})

    # The inspector's Raoul shows Christine's alibi, the phantom plays Meg and Richard, the inspector ends with Buquet.
    assert "inspector" == model.to_act()
    model.play("pick raoul")
    assert ["buquet", "meg", "richard"] == model.state()["offered"]
    model.play("move 1", alibi="christine")
    assert "phantom" == model.to_act()
    model.play("pick meg")
    assert actions("move 0 2 3 4 5 6 7 8 9") == model.legal()
    model.play("move 7")
    assert "phantom" == model.to_act()
    model.play("pick richard")
    assert actions("move 4 9, swap raoul meg giry buquet christine moncharmin persan") == model.legal()
    model.play("swap buquet")
    assert "inspector" == model.to_act()
    model.play("pick buquet")
    model.play("move 9")
    model.play("dark 4")

    # 0 nobody, 1 raoul, 2 giry, 3 richard, 4 christine in the dark, 7 meg and moncharmin, 9 buquet and the phantom.
    # The phantom is watched: raoul, giry, richard are cleared (christine is already), four stay, Carlotta 3 + 4.
    assert {
        "round": 2,
        "played": 0,
        "active": None,
        "place": {
            "raoul": 1, "meg": 7, "giry": 2, "buquet": 9, "christine": 4, "moncharmin": 7, "richard": 3, "persan": 9,
        },
        "offered": ["christine", "giry", "moncharmin", "persan"],
        "pile": [],
        "suspects": ["buquet", "meg", "moncharmin", "persan"],
        "padlock": "2-3",
        "dark": 4,
        "carlotta": 7,
        "identity": "persan",
        "held": [],
        "shown": ["christine"],
        "ghosts": 3,
        "result": None,
        "reason": None,
    } == model.state()  # fmt: skip

    # Round 2 goes phantom, inspector, inspector, phantom.
    assert "phantom" == model.to_act()
    model.play("pick persan")
    assert actions("take buquet, alone") == model.legal()
    model.play("alone")
    assert actions("move 3 4 6 7 8") == model.legal()
    model.play("move 4")
    assert "inspector" == model.to_act()
    model.play("pick giry")
    model.play("lock 4-8")
    assert actions("move 1 3") == model.legal()
    model.play("move 1")
    assert "inspector" == model.to_act()
    model.play("pick moncharmin")
    model.play("move 6")
    assert "phantom" == model.to_act()
    model.play("pick christine")
    model.play("move 5")
    assert actions("use, decline") == model.legal()
    with pytest.raises(ValueError):
        model.play("use")
    model.play("use", cards={"meg", "giry", "raoul", "persan"})

    # Christine draws the phantom from 4 and Moncharmin from 6 into 5: watched again; meg in 7 and buquet in 9 are alone.
    # Two stay, moncharmin and the phantom: Carlotta 7 + 2.
    assert ["christine", "moncharmin", "persan"] == [pawn.name for pawn in model.house.people(5)]
    assert (3, 9) == (model.state()["round"], model.state()["carlotta"])
    assert ["moncharmin", "persan"] == model.state()["suspects"]
    assert ["giry", "meg", "persan", "raoul"] == model.state()["offered"]
    assert ["buquet", "christine", "moncharmin", "richard"] == model.state()["pile"]
    assert "inspector" == model.to_act()


def test_second_card_is_chosen_after_the_first() -> None:
    """The side with two cards in a row picks the second only once the first is played out (ruling 22)."""
    model = table("0 *", "buquet", "meg", "giry")
    model.play("pick buquet")
    assert {"move"} == {action.split()[0] for action in model.legal()}
    model.play("move 1")
    assert {"dark"} == {action.split()[0] for action in model.legal()}
    model.play("dark 2")
    assert ("phantom", actions("pick meg giry")) == (model.to_act(), model.legal())


@pytest.mark.parametrize("cards", [None, {"raoul"}, {"raoul", "meg", "giry", "carlotta"}, set(NAMES[:5])])
def test_odd_round_needs_four_cards(cards: set[str] | None) -> None:
    """Opening an odd round without four of the eight cards is refused and leaves the table as it was."""
    model = picked("0 *", "meg", round=2)
    before = model.state()
    with pytest.raises(ValueError):
        model.play("move 1", cards=cards)
    assert before == model.state()
    model.play("move 1", cards=set(NAMES[:4]))
    assert 3 == model.state()["round"]


def test_even_round_takes_no_cards() -> None:
    """Cards told where none are drawn are refused: the second four are known."""
    model = picked("0 *", "meg", round=1)
    with pytest.raises(ValueError):
        model.play("move 1", cards=set(NAMES[:4]))
    model.play("move 1")
    assert (2, ["christine", "moncharmin", "persan", "richard"]) == (model.state()["round"], model.state()["offered"])


def test_illegal_action_is_refused() -> None:
    """An action outside the legal set is refused and changes nothing."""
    model = table("0 *", "meg")
    before = model.state()
    for action in ("pick giry", "move 1", "pick", "", "pass", "accuse raoul"):
        with pytest.raises(ValueError):
            model.play(action)
    assert before == model.state()


# Moving.


def test_movement_example() -> None:
    """The rulebook's movement example: blue alone, white with company, the locked way, and blue once white has joined her."""
    drawn = "3 giry, 1 richard moncharmin, 8 *"
    blue = picked(drawn, "giry", "moncharmin", padlock="0-1")
    blue.play("lock 8-9")
    assert actions("move 2 7") == blue.legal()

    white = picked(drawn, "moncharmin", "giry", padlock="0-1")
    assert actions("move 2 3") == white.legal()
    white.play("move 3")
    white.play("decline")
    white.play("pick giry")
    white.play("lock 8-9")
    assert actions("move 1 2 6 7 9") == white.legal()


@pytest.mark.parametrize(
    ("room", "ends"),
    [
        (0, "1 4"),
        (1, "0 2"),
        (2, "1 3"),
        (3, "2 7"),
        (4, "0 5 8"),
        (5, "4 6"),
        (6, "5 7"),
        (7, "3 6 9"),
        (8, "4"),
        (9, "7"),
    ],
)
def test_single_step(room: int, ends: str) -> None:
    """A lone character goes one room, never through the padlock on 8-9."""
    assert actions(f"move {ends}") == picked(f"{room} buquet, {(room + 1) % 10} *", "buquet").legal()


@pytest.mark.parametrize(
    ("room", "ends"),
    [
        (0, "1 4"),
        (1, "0 2 5 7"),
        (2, "1 3 6"),
        (3, "2 7"),
        (4, "0 5 8 9"),
        (5, "1 4 6 8"),
        (6, "2 5 7 9"),
        (7, "1 3 6 9"),
        (8, "4 5"),
        (9, "4 6 7"),
    ],
)
def test_meg_single_step(room: int, ends: str) -> None:
    """Meg adds the secret passages, and the padlock on 8-9 stops her like anybody."""
    assert actions(f"move {ends}") == picked(f"{room} meg, {(room + 1) % 10} *", "meg").legal()


def test_meg_mixes_corridors_and_passages() -> None:
    """From 0 with two steps Meg adds 7 and 9 to what others reach; from 1 with three steps she gets everywhere."""
    assert actions("move 1 2 4 5 7 8 9") == picked("0 meg buquet, 3 *", "meg").legal()
    assert actions("move 1 2 4 5 8") == picked("0 meg buquet, 3 *", "buquet").legal()
    assert actions("move 0 2 3 4 5 6 7 8 9") == picked("1 meg giry buquet, 0 *", "meg").legal()
    assert actions("move 0 2 3 4 5 7 8") == picked("1 meg giry buquet, 0 *", "buquet").legal()


def test_move_is_mandatory_and_never_ends_at_home() -> None:
    """Nobody may stay put or walk out and back, however many steps there are (rulings 1, 2)."""
    for name in set(NAMES) - {"giry", "persan", "richard"}:
        assert actions("move 1 2 3 4 5 6 7 8 9") == picked("0 *", name).legal()


def test_the_cleared_count_as_people() -> None:
    """Innocent company lengthens the way as a suspect would."""
    model = picked("0 buquet meg, 9 *", "buquet", suspects=ALL - {"buquet", "meg"})
    assert actions("move 1 2 4 5 8") == model.legal()


# Raoul.


def test_inspector_shows_an_alibi() -> None:
    """A character drawn by the inspector is shown and cleared at once."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry", "richard")
    model.play("move 4", alibi="meg")
    assert (["meg"], [], 3, 3) == tuple(model.state()[key] for key in ("shown", "held", "ghosts", "carlotta"))
    assert sorted(ALL - {"meg"}) == model.state()["suspects"]


def test_inspector_shows_an_alibi_of_somebody_cleared() -> None:
    """An alibi for somebody already innocent is shown and changes nothing else (ruling 10)."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry", "richard", suspects=ALL - {"meg"})
    model.play("move 4", alibi="meg")
    assert (["meg"], sorted(ALL - {"meg"})) == (model.state()["shown"], model.state()["suspects"])


def test_phantom_keeps_an_alibi() -> None:
    """A character drawn by the phantom is kept and clears nobody."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry")
    assert "phantom" == model.to_act()
    model.play("move 4", alibi="meg")
    assert ([], ["meg"], 3, 3) == tuple(model.state()[key] for key in ("shown", "held", "ghosts", "carlotta"))
    assert sorted(ALL) == model.state()["suspects"]


@pytest.mark.parametrize(("before", "after"), [(8, 7), (1, 0), (0, 0)])
def test_inspector_draws_a_phantom(before: int, after: int) -> None:
    """The inspector's phantom card calms Carlotta by a step, but not off the left end."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry", "richard", carlotta=before)
    model.play("move 4", alibi="phantom")
    assert (after, 2, None) == tuple(model.state()[key] for key in ("carlotta", "ghosts", "result"))


@pytest.mark.parametrize(("before", "after", "reason"), [(8, 9, None), (19, 20, None), (20, 21, "fright")])
def test_phantom_draws_a_phantom(before: int, after: int, reason: str | None) -> None:
    """The phantom's phantom card frightens Carlotta by a step, and onto the exit wins at once (ruling 12)."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry", carlotta=before)
    model.play("move 4", alibi="phantom")
    assert (after, 2, reason) == tuple(model.state()[key] for key in ("carlotta", "ghosts", "reason"))
    assert (not reason, None if reason else "phantom") == (bool(model.legal()), model.to_act())


def test_fright_comes_before_the_end_of_the_round() -> None:
    """A phantom card on the last card of a round wins before anybody is cleared."""
    model = picked("0 raoul, 1 *", "raoul", round=2, carlotta=20, suspects={"raoul", "meg"})
    model.play("move 4", alibi="phantom")
    assert ("phantom", "fright", ["meg", "raoul"]) == tuple(model.state()[key] for key in ("result", "reason", "suspects"))


def test_alibi_leaves_one_suspect() -> None:
    """The inspector wins at once when the shown alibi leaves one suspect, cards still lying there (ruling 12)."""
    model = picked("0 raoul, 1 *", "raoul", "meg", "giry", "richard", suspects={"raoul", "meg"}, carlotta=20)
    model.play("move 4", alibi="meg")
    expected = {
        "result": "inspector",
        "reason": "alibi",
        "suspects": ["raoul"],
        "carlotta": 20,
        "round": 1,
        "played": 0,
        "active": None,
        "offered": ["giry", "meg", "richard"],
    }
    assert expected == {key: model.state()[key] for key in expected}
    assert (None, set()) == (model.to_act(), model.legal())


@pytest.mark.parametrize("alibi", [None, "raoul", "meg", "giry", "carlotta", "phantom"])
def test_impossible_alibi_is_refused(alibi: str | None) -> None:
    """Missing, the phantom's own, drawn before, unknown, or a fourth phantom: refused, and Raoul has not moved."""
    model = picked("0 raoul, 1 *", "raoul", "meg", held={"meg"}, shown={"giry"}, ghosts=0)
    before = model.state()
    with pytest.raises(ValueError):
        model.play("move 4", alibi=alibi)
    assert before == model.state()
    model.play("move 4", alibi="buquet")
    assert ["buquet", "meg"] == model.state()["held"]


def test_alibi_nobody_drew_is_refused() -> None:
    """Only Raoul draws."""
    model = picked("0 meg, 1 *", "meg", "giry")
    with pytest.raises(ValueError):
        model.play("move 4", alibi="buquet")


def test_empty_alibi_pile() -> None:
    """With no alibi left Raoul just moves (ruling 11)."""
    model = picked("0 raoul, 1 *", "raoul", "meg", shown=ALL - {"raoul"}, ghosts=0)
    model.play("move 4")
    assert (3, None) == (model.state()["played"], model.state()["result"])


# Madame Giry.


def test_giry_locks_another_corridor() -> None:
    """Ten corridors are open to the padlock, which moves before she does."""
    model = picked("0 giry, 9 *", "giry", padlock="0-1")
    assert {f"lock {door}" for door in CORRIDORS} - {"lock 0-1"} == model.legal()
    model.play("lock 8-9")
    assert ("8-9", "giry", 0) == (model.state()["padlock"], model.state()["active"], model.house.pawns["giry"].room)


@pytest.mark.parametrize(
    ("lock", "ends"), [("0-4", "1 2 4 5 8"), ("1-2", "1 4 5 8"), ("4-5", "1 2 4 5 8"), ("8-9", "1 2 4 5 8")]
)
def test_giry_walks_before_or_after(lock: str, ends: str) -> None:
    """From 0 with two steps, padlock 0-1: before gives 4, 5, 8; after gives what the new padlock leaves; never a mixture."""
    model = picked("0 giry meg, 9 *", "giry", padlock="0-1")
    model.play(f"lock {lock}")
    assert actions(f"move {ends}") == model.legal()


def test_giry_at_most_ninety_outcomes() -> None:
    """With everybody in her room there are 10 corridors times 9 rooms, all different (ruling 23)."""
    found = outcomes(picked("4 *", "giry", "meg"), "giry")
    assert (90, 90) == (len(found), len(set(found)))


# Joseph Buquet.


def test_buquet_moves_the_blackout() -> None:
    """He moves, then any of the nine lit rooms goes dark, near or far."""
    model = picked("0 buquet, 9 *", "buquet", "meg", dark=3)
    model.play("move 4")
    assert actions("dark 0 1 2 4 5 6 7 8 9") == model.legal()
    model.play("dark 6")
    assert (6, None) == (model.state()["dark"], model.state()["active"])


# Christine Daaé.


def test_christine_calls_all_neighbours() -> None:
    """She calls everybody from every open neighbour, not through the padlock, not by a secret passage, not from afar."""
    drawn = "0 christine, 5 raoul meg, 8 giry, 9 buquet, 6 *"
    model = picked(drawn, "christine", "persan", padlock="4-8")
    model.play("move 4")
    assert actions("use, decline") == model.legal()
    declined = copy.deepcopy(model)
    model.play("use")
    declined.play("decline")
    assert standing("4 christine raoul meg, 8 giry, 9 buquet, 6 *") == model.state()["place"]
    assert standing("4 christine, 5 raoul meg, 8 giry, 9 buquet, 6 *") == declined.state()["place"]


def test_christine_calls_from_several_rooms() -> None:
    """All three corridors of room 4 at once, the cleared among them."""
    model = picked("0 christine raoul, 5 meg, 8 giry, 9 *", "christine", "persan", suspects=ALL - {"meg"})
    model.play("move 4")
    model.play("use")
    assert standing("4 christine raoul meg giry, 9 *") == model.state()["place"]


def test_christine_is_not_asked_in_vain() -> None:
    """With only the locked room or her own peopled, there is no question (ruling 24)."""
    model = picked("0 christine, 4 raoul, 8 meg, 9 *", "christine", "persan", padlock="4-8")
    model.play("move 4")
    assert (None, 3) == (model.state()["active"], model.state()["played"])


# M. Moncharmin.


def test_moncharmin_expels_in_order() -> None:
    """Each of the others goes next door, one question each in the fixed order, and he stays."""
    model = picked("0 moncharmin, 4 persan meg richard, 9 *", "moncharmin", "giry", padlock="4-8")
    model.play("move 4")
    assert actions("use, decline") == model.legal()
    model.play("use")
    assert actions("send 0 5") == model.legal()
    model.play("send 5")
    assert standing("4 moncharmin persan richard, 5 meg, 9 *") == model.state()["place"]
    assert actions("send 0 5") == model.legal()
    model.play("send 0")
    assert standing("4 moncharmin persan, 5 meg, 0 richard, 9 *") == model.state()["place"]
    model.play("send 5")
    assert standing("4 moncharmin, 5 meg persan, 0 richard, 9 *") == model.state()["place"]
    assert None is model.state()["active"]


def test_moncharmin_may_decline() -> None:
    """He may leave them in peace."""
    model = picked("0 moncharmin, 4 meg, 9 *", "moncharmin", "giry")
    model.play("move 4")
    model.play("decline")
    assert standing("4 moncharmin meg, 9 *") == model.state()["place"]


def test_moncharmin_is_not_asked_in_vain() -> None:
    """Alone on arrival, there is no question (ruling 24)."""
    model = picked("0 moncharmin meg, 9 *", "moncharmin", "giry")
    model.play("move 4")
    assert None is model.state()["active"]


def test_moncharmin_most_outcomes() -> None:
    """Seven people and three ways out: 3 to the 7th, plus declining."""
    model = picked("0 moncharmin, 4 *", "moncharmin", "meg")
    model.play("move 4")
    found = outcomes(model, "moncharmin")
    assert (2188, 2188) == (len(found), len(set(found)))


# M. Richard.


def test_richard_moves_or_swaps() -> None:
    """Alone he has his moves and seven swaps, in one question, however far and whatever is locked."""
    model = picked("0 richard, 3 meg, 9 *", "richard", "giry", padlock="0-1")
    assert actions("move 4, swap raoul meg giry buquet christine moncharmin persan") == model.legal()
    model.play("swap meg")
    assert standing("3 richard, 0 meg, 9 *") == model.state()["place"]
    assert None is model.state()["active"]


def test_richard_same_room_swap() -> None:
    """Trading places at home is one action, with the first of those there, and changes nothing (rulings 8, 24)."""
    drawn = "0 richard persan christine, 8 *"
    model = picked(drawn, "richard", "giry")
    assert actions("move 1 2 3 4 5 6 8, swap raoul meg giry buquet christine moncharmin") == model.legal()
    model.play("swap christine")
    assert standing(drawn) == model.state()["place"]


# The Persian.


def test_persian_with_nobody() -> None:
    """Alone he is not asked about company."""
    assert actions("move 1 4") == picked("0 persan, 9 *", "persan").legal()


def test_persian_two_people_by_hand() -> None:
    """From 0 with one companion: two steps in all, shared between leading and walking on."""
    model = picked("0 persan meg, 9 *", "persan", "giry")
    assert actions("take meg, alone") == model.legal()
    alone = copy.deepcopy(model)
    alone.play("alone")
    assert actions("move 1 2 4 5 8") == alone.legal()

    model.play("take meg")
    assert actions("leave 1 2 4 5 8") == model.legal()
    for left, ends in {"1": "1 2", "2": "2", "4": "4 5 8", "5": "5", "8": "8"}.items():
        led = copy.deepcopy(model)
        led.play(f"leave {left}")
        assert (int(left), 0) == (led.house.pawns["meg"].room, led.house.pawns["persan"].room)
        assert actions(f"move {ends}") == led.legal()


def test_persian_leads_meg_by_corridors_only() -> None:
    """Meg on his arm does not open the secret passages 1-5 and 1-7."""
    model = picked("1 persan meg, 9 *", "persan", "giry")
    model.play("take meg")
    assert actions("leave 0 2 3 4") == model.legal()


def test_persian_may_pass_through_his_start_room() -> None:
    """With three steps he may leave somebody in 4 and cross 0 to end in 1, but not end in 0 nor leave anybody there."""
    model = picked("0 persan meg raoul, 9 *", "persan", "giry")
    assert actions("take meg raoul, alone") == model.legal()
    model.play("take raoul")
    assert actions("leave 1 2 3 4 5 6 8") == model.legal()
    model.play("leave 4")
    assert actions("move 1 4 5 6 8") == model.legal()
    model.play("move 1")
    assert standing("1 persan, 4 raoul, 0 meg, 9 *") == model.state()["place"]


@pytest.mark.parametrize(("room", "count"), [(4, 555), (5, 576), (6, 576)])
def test_persian_most_outcomes(room: int, count: int) -> None:
    """Nine outcomes alone and seven companions times 81 make 576; from 4 his eight steps miss three of the 81."""
    # Padlock 8-9: from 4, the ways 4-3-8 (4 + 5), 4-9-8 (4 + 5) and 4-9-0 (4 + 5) are nine steps long.
    found = outcomes(picked(f"{room} *", "persan", "meg"), "persan")
    assert (count, count) == (len(found), len(set(found)))


def apart(start: int, doors: set[Door]) -> dict[int, int]:
    """How many steps each room is from the start."""
    steps = {start: 0}
    while len(steps) < 10:
        steps |= {far: count + 1 for near, count in steps.items() for far in next_rooms(near, doors) if far not in steps}
    return steps


@pytest.mark.parametrize("padlock", sorted(CORRIDORS, key=str), ids=str)
@pytest.mark.parametrize("people", [2, 3, 5, 8])
def test_walks_agree_with_the_rulings(padlock: Door, people: int) -> None:
    """Walking door by door gives the same ends as counting shortest ways (rulings 2 and 9)."""
    doors = set(CORRIDORS) - {padlock}
    far = {room: apart(room, doors) for room in range(10)}
    for start in range(10):
        others = set(range(10)) - {start}
        near = {end for end in others if far[start][end] <= people}
        pairs = {(left, end) for left in others for end in others if far[start][left] + far[left][end] <= people}
        drawn = f"{start} persan {' '.join(NAMES[: people - 1])}, {(start + 1) % 10} *"
        persan = Persan((house := House(standing(drawn), padlock, dark=0)).pawns["persan"], house)
        assert (near, pairs) == (destinations(start, people, doors), persan.outings())


# The end of a round.


@pytest.mark.parametrize("identity", ["meg", "moncharmin", "giry", "richard"])
def test_manifestation_example_1(identity: str) -> None:
    """The phantom can: those watched are cleared, four stay, Carlotta goes from 8 to 13."""
    model = picked(EXAMPLE, "richard", identity=identity, dark=8, padlock="0-1", carlotta=8)
    model.play("swap giry")
    assert (standing(EXAMPLE), 13) == (model.state()["place"], model.state()["carlotta"])
    assert ["giry", "meg", "moncharmin", "richard"] == model.state()["suspects"]


@pytest.mark.parametrize("identity", ["raoul", "christine", "buquet", "persan"])
def test_manifestation_example_2(identity: str) -> None:
    """The phantom cannot: the lone and the dark are cleared, four stay, Carlotta goes from 8 to 12."""
    model = picked(EXAMPLE, "richard", identity=identity, dark=8, padlock="0-1", carlotta=8)
    model.play("swap giry")
    assert (standing(EXAMPLE), 12) == (model.state()["place"], model.state()["carlotta"])
    assert ["buquet", "christine", "persan", "raoul"] == model.state()["suspects"]


def test_innocent_company_counts() -> None:
    """A suspect next to somebody cleared is not alone."""
    model = picked(EXAMPLE, "richard", identity="raoul", dark=8, suspects={"raoul", "buquet", "meg"}, carlotta=8)
    model.play("swap giry")
    assert (["buquet", "raoul"], 10) == (model.state()["suspects"], model.state()["carlotta"])


def test_alone_in_the_dark_can_manifest() -> None:
    """The phantom alone in the dark room manifests (ruling 16)."""
    model = picked(EXAMPLE, "richard", identity="meg", dark=7)
    model.play("swap giry")
    assert (["meg", "moncharmin"], 6) == (model.state()["suspects"], model.state()["carlotta"])


def test_alone_in_the_dark_is_cleared_otherwise() -> None:
    """Somebody alone in the dark is cleared when the phantom cannot manifest."""
    model = picked(EXAMPLE, "richard", identity="raoul", dark=7)
    model.play("swap giry")
    assert sorted(ALL - {"meg", "moncharmin"}) == model.state()["suspects"]


def test_one_suspect_wins_before_carlotta_moves() -> None:
    """One suspect left ends the match before Carlotta could reach the exit (ruling 13)."""
    model = picked(EXAMPLE, "richard", identity="meg", dark=8, carlotta=20, suspects={"meg", "raoul", "buquet"})
    model.play("swap giry")
    expected = {"result": "inspector", "reason": "cleared", "carlotta": 20, "suspects": ["meg"], "round": 1, "active": None}
    assert expected == {key: model.state()[key] for key in expected}
    assert (None, set()) == (model.to_act(), model.legal())


@pytest.mark.parametrize(
    ("identity", "before", "after", "reason"),
    [
        ("meg", 15, 20, None),
        ("meg", 16, 21, "exit"),
        ("meg", 20, 21, "exit"),
        ("raoul", 16, 20, None),
        ("raoul", 17, 21, "exit"),
    ],
)
def test_carlotta_leaves_by_the_exit(identity: str, before: int, after: int, reason: str | None) -> None:
    """Four suspects are four steps, five with a manifestation; at or past the exit the phantom wins."""
    model = picked(EXAMPLE, "richard", identity=identity, dark=8, carlotta=before)
    model.play("swap giry")
    assert (after, reason) == (model.state()["carlotta"], model.state()["reason"])
    assert ("phantom" if reason else None) == model.state()["result"]


def test_no_cards_after_the_end() -> None:
    """An even round that ends the match turns up no cards, and telling some is refused."""
    model = picked(EXAMPLE, "richard", identity="meg", dark=8, carlotta=20, round=2)
    with pytest.raises(ValueError):
        model.play("swap giry", cards=set(NAMES[:4]))
    model.play("swap giry")
    assert "exit" == model.state()["reason"]


def test_a_played_character_may_be_moved_again() -> None:
    """Being moved forbids nobody's card, and having been played protects nobody from another's power (ruling 21)."""
    model = picked("0 christine, 5 meg, 8 richard, 2 *", "christine", "meg", "richard")
    model.play("move 4")
    model.play("use")
    model.play("pick meg")
    model.play("move 7")
    model.play("pick richard")
    model.play("swap meg")
    assert standing("4 christine meg, 7 richard, 2 *") == model.state()["place"]


# Whole matches.


def played_out(seed: int) -> tuple[Model, list[dict[str, Any]]]:
    """A match of random actions, alibis and cards, with the states between its actions."""
    rng = random.Random(seed)
    rooms = [0, 1, 2, 3, 4, 7, 8, 9]
    rng.shuffle(rooms)
    place = dict(zip(NAMES, rooms, strict=True))
    model = Model(place, rng.choice(NAMES), set(rng.sample(NAMES, 4)), start=rng.randrange(7))
    states = [model.state()]
    while model.to_act() is not None:
        action = rng.choice(sorted(model.legal()))
        alibi = None
        if model.state()["active"] == "raoul":
            alibi = rng.choice(sorted(model.alibis()) + ["phantom"] * model.ghosts)
        try:
            model.play(action, alibi)
        except ValueError:
            model.play(action, alibi, set(rng.sample(NAMES, 4)))
        states.append(model.state())
    return model, states


def test_random_matches_end_and_end_in_every_way() -> None:
    """Hundreds of random matches end within twelve rounds, by each of the four ways."""
    reasons: Counter[object] = Counter()
    for seed in range(200):
        model, states = played_out(seed)
        last = states[-1]
        reasons[last["reason"]] += 1
        bound = 11 if states[0]["carlotta"] == 3 else 12
        assert model.round <= bound, f"seed {seed} took {model.round} rounds"
        winner = {"cleared": "inspector", "alibi": "inspector", "exit": "phantom", "fright": "phantom"}
        assert winner[str(last["reason"])] == last["result"]
        assert (last["result"] == "inspector") == (last["suspects"] == [last["identity"]])
        assert (last["result"] == "phantom") == (last["carlotta"] == 21)
    assert {"cleared", "alibi", "exit", "fright"} == set(reasons)


def test_random_matches_keep_the_table_in_order() -> None:
    """After every action the cards add up, nobody becomes a suspect again, and the phantom stays one."""
    for seed in range(800, 860):
        _, states = played_out(seed)
        for before, after in pairwise(states):
            assert set(after["suspects"]) <= set(before["suspects"])
            assert after["identity"] in after["suspects"]
            assert after["identity"] not in after["held"] + after["shown"]
            assert not set(after["shown"]) & set(after["held"] + after["suspects"])
            assert (4 if after["round"] % 2 else 0) == len(after["pile"])
            if after["result"] is None:
                assert 4 == len(after["offered"]) + (after["active"] is not None) + after["played"]


def test_state_between_cards_is_the_whole_position() -> None:
    """A table laid out again from a state between two cards is the same table."""
    _, states = played_out(seed=1)
    between = [state for state in states if state["active"] is None and state["result"] is None]
    assert len(between) > 8
    for state in between:
        again = Model.at(**state)
        assert (state, {f"pick {name}" for name in state["offered"]}) == (again.state(), again.legal())


def test_docstring() -> None:
    """The example in the model's docstring holds."""
    assert 0 == doctest.testmod(fantome_model).failed
