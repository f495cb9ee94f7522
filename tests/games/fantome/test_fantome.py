"""The rules of Le Fantôme de l'Opéra, § by §, on drawn tables."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ridotto.core.errors import BadDraws, BadPosition, BadSetup, IllegalAction, Refusal
from ridotto.core.match import Entry, Match
from ridotto.games import GAMES
from ridotto.games.fantome import components
from ridotto.present import views
from ridotto.present.ui import ui

GAME = GAMES["fantome"]
INSPECTOR, PHANTOM = 0, 1
NAMES = ("raoul", "meg", "giry", "buquet", "christine", "moncharmin", "richard", "persan")
OUTER = (0, 1, 2, 3, 4, 7, 8, 9)
CORRIDORS = ("0-1", "0-4", "1-2", "2-3", "3-7", "4-5", "4-8", "5-6", "6-7", "7-9", "8-9")
WAYS = {0: "1 4", 1: "0 2", 2: "1 3", 3: "2 7", 4: "0 5 8", 5: "4 6", 6: "5 7", 7: "3 6 9", 8: "4 9", 9: "7 8"}
MEGS_WAYS = {
    0: "1 4",
    1: "0 2 5 7",
    2: "1 3 6",
    3: "2 7",
    4: "0 5 8 9",
    5: "1 4 6 8",
    6: "2 5 7 9",
    7: "1 3 6 9",
    8: "4 5 9",
    9: "4 6 7 8",
}
EXAMPLE = """
            9 raoul christine  | 8* giry richard
    7 meg | 6 buquet persan    | 5 moncharmin     | 4
    3     | 2                  | 1                | 0
    lock 0-1
"""


# Drawing tables.


def layout(text: str, **fields: Any) -> dict[str, Any]:
    """A position from a drawing of rooms with people in them, `lock A-B` and `cards NAMES`, parted by bars and lines.

    A star marks the dark room (else 9), `rest` is everybody not named. The cards are those still to be played in the
    round; what else is not told is as at the beginning, with Raoul, or else the first suspect, as the phantom.
    """
    place: dict[str, str] = {}
    dark, padlock, cards, crowded = "9", "8-9", list(NAMES[:4]), ""
    for part in text.replace("\n", "|").split("|"):
        head, *names = part.split() or [""]
        if head == "lock":
            (padlock,) = names
        elif head == "cards":
            cards = names
        elif head:
            room = head.rstrip("*")
            dark = room if head.endswith("*") else dark
            crowded = room if "rest" in names else crowded
            place |= {name: room for name in names if name != "rest"}
    given = {"round": 1, "handicap": 0, "shown": [], "held": [], **fields}
    others = [name for name in NAMES if name not in cards]
    suspects = given.get("suspects", [name for name in NAMES if name not in given["shown"]])
    return {
        "version": 1,
        "seats": 2,
        "played": 4 - len(cards),
        "asked": "pick",
        "active": None,
        "place": {name: place.get(name, crowded) for name in NAMES},
        "offered": cards,
        "pile": others[-4:] if given["round"] % 2 else [],
        "suspects": suspects,
        "padlock": padlock,
        "unlocked": None,
        "dark": dark,
        "carlotta": 3 + given["handicap"] + 2 * (given["round"] - 1),
        "companion": None,
        "expelled": [],
        "ghosts": 3,
        "kept": len(given["held"]),
        "ending": 0,
        "identity": suspects[0],
        **given,
    }


def drawn(text: str, **fields: Any) -> Match:
    """A match that begins with a drawn table."""
    return Match(GAME, position=layout(text, **fields), seed=1)


def picked(text: str, **fields: Any) -> Match:
    """The same with the first of the cards picked."""
    match = drawn(text, **fields)
    match.play(f"pick {layout(text, **fields)['offered'][0]}")
    return match


def play(match: Match, *actions: str, draws: Sequence[int] | None = None) -> Match:
    """Play these actions one after the other, the last one with these draws."""
    *before, last = actions
    for action in before:
        match.play(action)
    entry = None if draws is None else Entry(match.to_act[0], last, tuple(draws))
    match.play(last, entry=entry)
    return match


def card(match: Match, alibi: str) -> int:
    """The draw that gives Raoul this alibi: the phantom cards come first, then the characters in the fixed order."""
    now = match.position()
    if alibi == "phantom":
        return 0
    gone = {now["identity"], *now["shown"], *now["held"]}
    return int(now["ghosts"]) + [name for name in NAMES if name not in gone].index(alibi)


def sketch(match: Match) -> str:
    """The rooms with people in them and the dark room, as `layout` reads them, the highest number first."""
    now = match.position()
    parts = []
    for room in range(9, -1, -1):
        names = [name for name in NAMES if now["place"][name] == str(room)]
        star = "*" if now["dark"] == str(room) else ""
        if names or star:
            parts.append(" ".join([f"{room}{star}", *names]))
    return " | ".join(parts)


def rooms(match: Match, verb: str = "move") -> str:
    """What the legal actions of this verb lead to."""
    return " ".join(action.split()[1] for action in match.legal() if action.split()[0] == verb)


def verbs(match: Match) -> str:
    """The verbs of the legal actions."""
    return " ".join(sorted({action.split()[0] for action in match.legal()}))


def told(match: Match, name: str) -> list[tuple[int, ...]]:
    """The arguments of every event of this name."""
    return [one.values for one in match.events if one.event.name == name]


def outcomes(match: Match, who: str) -> Iterator[tuple[str, ...]]:
    """The board after every way of playing this character to the end."""
    if match.position()["active"] != who:
        now = match.position()
        yield *now["place"].values(), now["padlock"], now["dark"]
        return
    for action in match.legal():
        match.play(action)
        yield from outcomes(match, who)
        match.undo()


def set_up(place: dict[str, int], identity: str = "raoul", handicap: int = 0) -> Match:
    """A match dealt so: the characters in these rooms, the first four cards turned up."""
    left, draws = list(OUTER), []
    for name in NAMES:
        draws.append(left.index(place[name]))
        left.remove(place[name])
    return Match(GAME, options={"handicap": handicap}, draws=[*draws, NAMES.index(identity), 0, 0, 0, 0])


def around(who: str, room: int) -> dict[str, int]:
    """All in the outer rooms in the fixed order, but `who` in this one."""
    place = dict(zip(NAMES, OUTER, strict=True))
    other = next(name for name in NAMES if place[name] == room)
    return place | {other: place[who], who: room}


def test_a_drawing_is_what_it_shows() -> None:
    """A table can be drawn, read back and drawn again."""
    match = drawn(EXAMPLE)
    assert "9 raoul christine | 8* giry richard | 7 meg | 6 buquet persan | 5 moncharmin" == sketch(match)
    assert "0-1" == match.position()["padlock"]
    assert "5 meg | 3* raoul giry buquet christine moncharmin richard persan" == sketch(drawn("3* rest | 5 meg"))


# §2 Setting up.


def test_two_seats() -> None:
    """§2.1: the inspector has the first seat, the phantom the second, and there are no others."""
    assert [2] == list(GAME.seats)
    assert ("inspector", "phantom") == GAME.roles
    match = Match(GAME, seed=1)
    assert "raoul" == set_up(around("giry", 3)).view(PHANTOM).position["identity"]
    assert "?" == match.view(INSPECTOR).position["identity"]


@pytest.mark.parametrize(("room", "ways"), WAYS.items())
def test_corridors_of_the_house(room: int, ways: str) -> None:
    """§2.2: someone alone reaches exactly the rooms at the other end of a corridor."""
    elsewhere = "4-8" if room in (0, 1, 2, 3, 5, 6, 7, 9) else "2-3"
    assert ways == rooms(picked(f"{room} buquet | {(room + 5) % 10} rest | lock {elsewhere} | cards buquet"))


@pytest.mark.parametrize(("room", "ways"), MEGS_WAYS.items())
def test_secret_passages_of_the_house(room: int, ways: str) -> None:
    """§2.2, §5.2: Meg alone in a room reaches what corridors and secret passages join to it."""
    elsewhere = "4-8" if room in (0, 1, 2, 3, 5, 6, 7, 9) else "2-3"
    assert ways == rooms(picked(f"{room} meg | {(room + 5) % 10} rest | lock {elsewhere} | cards meg"))


@pytest.mark.parametrize("seed", range(8))
def test_characters_start_in_the_outer_rooms(seed: int) -> None:
    """§2.3: each of the eight outer rooms gets one character, and all are suspects."""
    now = Match(GAME, seed=seed).position()
    assert sorted(map(str, OUTER)) == sorted(now["place"].values())
    assert list(NAMES) == now["suspects"]


def test_every_draw_of_the_set_up() -> None:
    """§2.3, §2.7, §3.1: eight rooms without return, one of eight identities, four of eight cards (ruling 19)."""
    whole = [0] * 13
    assert 1 == Match(GAME, draws=whole).ply
    for i, outcomes in enumerate([8, 7, 6, 5, 4, 3, 2, 1, 8, 8, 7, 6, 5]):
        Match(GAME, draws=[*whole[:i], outcomes - 1, *whole[i + 1 :]])
        with pytest.raises(BadDraws, match=f"not one of 0 to {outcomes - 1}$"):
            Match(GAME, draws=[*whole[:i], outcomes, *whole[i + 1 :]])
    with pytest.raises(BadDraws, match="draw 13 is missing: one of 0 to 4"):
        Match(GAME, draws=whole[:-1])
    with pytest.raises(BadDraws, match="14 draws are given but 13 are made"):
        Match(GAME, draws=[*whole, 0])


@pytest.mark.parametrize("room", OUTER)
def test_blackout_starts_with_buquet(room: int) -> None:
    """§2.4: the dark room is Buquet's."""
    match = set_up(around("buquet", room))
    assert (str(room), str(room)) == (match.position()["place"]["buquet"], match.position()["dark"])
    assert [(room,)] == told(match, "darkened")


@pytest.mark.parametrize(
    ("room", "padlock"), [(9, "8-9"), (8, "4-8"), (4, "0-4"), (0, "0-1"), (1, "1-2"), (2, "2-3"), (3, "3-7"), (7, "7-9")]
)
def test_padlock_starts_clockwise_of_giry(room: int, padlock: str) -> None:
    """§2.5: the padlock hangs between Madame Giry's room and the next one clockwise."""
    match = set_up(around("giry", room))
    assert (str(room), padlock) == (match.position()["place"]["giry"], match.position()["padlock"])
    assert [(CORRIDORS.index(padlock),)] == told(match, "locked")


@pytest.mark.parametrize(("handicap", "space"), [(-3, 0), (-2, 1), (-1, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
def test_handicap(handicap: int, space: int) -> None:
    """§2.6: La Carlotta starts on space 3 plus the handicap."""
    match = set_up(around("giry", 0), handicap=handicap)
    assert (space, handicap) == (match.position()["carlotta"], match.position()["handicap"])


@pytest.mark.parametrize("handicap", [-4, 4, 1.0, True, "1", None])
def test_no_such_handicap(handicap: Any) -> None:
    """§2.6: there are seven starts and no others."""
    with pytest.raises(BadSetup, match=r"option 'handicap' takes -3 to 3 \(§2\.6\), not "):
        Match(GAME, options={"handicap": handicap})


@pytest.mark.parametrize("identity", NAMES)
def test_the_phantoms_own_alibi_is_never_in_the_pile(identity: str) -> None:
    """§2.7: the pile has the seven other characters and three phantom cards."""
    drawings = []
    for draw in range(10):
        match = play(picked("0 raoul | 1 rest | cards raoul meg", identity=identity), "move 4", draws=[draw])
        drawings.append((match.position()["held"], match.position()["ghosts"]))
    assert [([], 2)] * 3 + [([name], 3) for name in NAMES if name != identity] == drawings
    with pytest.raises(BadDraws, match="draw 1 is 10, not one of 0 to 9"):
        play(picked("0 raoul | 1 rest | cards raoul meg", identity=identity), "move 4", draws=[10])


# §3 A round.


def test_odd_rounds_draw_four_of_eight() -> None:
    """§3.1: the first round turns up four of the eight cards, and the second the four others."""
    now = Match(GAME, draws=[0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 2, 2]).position()
    assert (["raoul", "buquet", "christine", "persan"], ["meg", "giry", "moncharmin", "richard"]) == (
        now["offered"],
        now["pile"],
    )


def test_even_rounds_take_the_other_four() -> None:
    """§3.1: no card is drawn for an even round, and both players know what will come (ruling 18)."""
    pile = ["giry", "christine", "moncharmin", "persan"]
    match = picked("0 richard | 1 rest | cards richard", pile=pile)
    for seat in (INSPECTOR, PHANTOM, None):
        assert pile == match.view(seat).position["pile"]
    play(match, "move 4", draws=[])
    assert (2, pile, []) == tuple(match.position()[key] for key in ("round", "offered", "pile"))


def test_the_third_round_shuffles_all_eight() -> None:
    """§3.1, §6.4: an odd round draws from all eight cards again, whoever was played last."""
    match = play(picked("0 richard | 1 rest | cards richard", round=2), "move 4", draws=[6, 6, 0, 0])
    now = match.position()
    assert (3, ["raoul", "meg", "richard", "persan"]) == (now["round"], now["offered"])
    assert ["giry", "buquet", "christine", "moncharmin"] == now["pile"]
    assert (3, 0b11000011) == told(match, "offers")[-1]


@pytest.mark.parametrize(
    ("round", "order"),
    [
        (1, [INSPECTOR, PHANTOM, PHANTOM, INSPECTOR]),
        (2, [PHANTOM, INSPECTOR, INSPECTOR, PHANTOM]),
        (3, [INSPECTOR, PHANTOM, PHANTOM, INSPECTOR]),
        (12, [PHANTOM, INSPECTOR, INSPECTOR, PHANTOM]),
    ],
)
def test_both_faces_of_the_turn_card(round: int, order: list[int]) -> None:
    """§3.2: one plays the first card, the other two, the first the last; the inspector begins the odd rounds."""
    match = drawn("0 rest | cards meg richard buquet persan", round=round, handicap=-3, carlotta=20, ghosts=0)
    seats: list[int] = []
    for actions in ("pick meg, move 1", "pick buquet, move 3, dark 3", "pick richard, swap meg", "pick persan, alone"):
        for action in actions.split(", "):
            seats += match.to_act
            match.play(action)
    first, second, third, fourth = order
    assert [first, first, second, second, second, third, third, fourth, fourth] == seats


def test_the_first_round_is_the_inspectors() -> None:
    """§3.2: the inspector begins the match (ruling 20)."""
    for seed in range(5):
        match = Match(GAME, seed=seed)
        assert ((INSPECTOR,), 1) == (match.to_act, match.position()["round"])


def test_the_second_card_is_chosen_after_the_first() -> None:
    """§3.2: who has two cards in a row plays the first to its end before choosing again (ruling 22)."""
    match = picked("0 buquet | 5 rest | cards buquet meg richard")
    assert ((PHANTOM,), "move") == (match.to_act, verbs(match))
    play(match, "move 1")
    assert ((PHANTOM,), "dark") == (match.to_act, verbs(match))
    play(match, "dark 2")
    assert ((PHANTOM,), "meg richard") == (match.to_act, rooms(match, "pick"))


def test_the_last_card_must_be_played() -> None:
    """§3.2: the fourth card is the one that remains, and there is no passing."""
    assert ["pick giry"] == list(drawn("0 rest | cards giry").legal())


def test_a_card_is_chosen_from_those_face_up() -> None:
    """§3.3: any card face up may be played, the phantom's and a cleared one too, and then it is laid aside."""
    match = drawn("0 rest | cards raoul meg giry buquet", suspects=["raoul", "giry", "persan"])
    assert ["pick raoul", "pick meg", "pick giry", "pick buquet"] == list(match.legal())
    play(match, "pick meg")
    assert (["raoul", "giry", "buquet"], "meg") == (match.position()["offered"], match.position()["active"])
    assert "1 2 3 4 5 6 7 8 9" == rooms(match)
    play(match, "move 5")
    assert ["pick raoul", "pick giry", "pick buquet"] == list(match.legal())
    assert "not_offered" == refused(match, "pick meg").reason


@pytest.mark.parametrize("who", NAMES)
def test_everybody_must_move(who: str) -> None:
    """§3.3: however a character is played, it leaves its room, except Richard who swaps within his (ruling 1)."""
    companion, other = [name for name in NAMES if name != who][:2]
    ends = [board[NAMES.index(who)] for board in outcomes(picked(f"0 {who} {companion} | 4 rest | cards {who} {other}"), who)]
    assert (1 if who == "richard" else 0) == ends.count("0")
    assert {"1", "2", "4", "5", "8"} <= set(ends)


def test_no_power_without_a_move() -> None:
    """§3.3: Christine and Moncharmin are asked for a move first, even with people to pull or to send (ruling 4)."""
    for who in ("christine", "moncharmin"):
        assert "move" == verbs(picked(f"0 {who} | 1 rest | 4 raoul | cards {who}"))


def test_moved_and_played_in_either_order() -> None:
    """§3.3: who was moved may still be played, and who was played may be moved again (ruling 21)."""
    match = picked("0 christine | 5 meg | 9 rest | cards christine meg richard")
    play(match, "move 4", "use", "pick meg")
    assert "4 meg christine" in sketch(match)
    play(match, "move 0", "pick richard", "swap meg")
    assert "0 richard" in sketch(match)


def test_the_verbs_are_all_there_is() -> None:
    """§3.3, §7.1: these decisions exist and no other, in particular no accusation (ruling 15)."""
    expected = "pick move lock use decline alone dark send leave swap take"
    assert expected.split() == [action.verb for action in GAME.rules.ACTIONS]


# §4 Moving.


def test_movement_example() -> None:
    """§4.1: the worked example: Madame Giry alone, Moncharmin in company, Madame Giry once he has joined her."""
    text = """
            9       | 8
        7         | 6       | 5                    | 4* rest
        3 giry    | 2       | 1 moncharmin richard | 0
        lock 0-1
    """
    assert "2 7" == rooms(play(picked(text + "| cards giry moncharmin"), "lock 8-9"))
    match = picked(text + "| cards moncharmin giry")
    assert "2 3" == rooms(match)
    play(match, "move 3", "decline", "pick giry", "lock 8-9")
    assert "1 2 6 7 9" == rooms(match)


@pytest.mark.parametrize(
    ("company", "reach"),
    [
        ("", "1 4"),
        ("meg", "1 2 4 5 8"),
        ("meg giry", "1 2 3 4 5 6 8"),
        ("meg giry christine", "1 2 3 4 5 6 7 8"),
        ("meg giry christine persan", "1 2 3 4 5 6 7 8 9"),
    ],
)
def test_steps_are_people_in_the_start_room(company: str, reach: str) -> None:
    """§4.1: as many steps as people, the mover included, counted on the shortest open way; the padlock is on 8-9."""
    assert reach == rooms(picked(f"0 buquet {company} | 5 rest | cards buquet"))


def test_the_cleared_count_too() -> None:
    """§4.1: cleared company lengthens the way, and a cleared mover walks like a suspect."""
    match = picked("0 buquet meg | 5 rest | cards buquet", suspects=["raoul", "giry", "persan"])
    assert "1 2 4 5 8" == rooms(match)


def test_rooms_on_the_way_do_not_matter() -> None:
    """§4.1: crowded and dark rooms are walked through, and only the start room counts."""
    match = picked("0 buquet meg | 1* rest | 4 giry persan | cards buquet richard")
    play(match, "move 2")
    assert "4 giry persan | 2 buquet | 1* raoul christine moncharmin richard | 0 meg" == sketch(match)


@pytest.mark.parametrize("who", ["raoul", "meg", "buquet", "christine", "moncharmin", "richard"])
def test_nobody_walks_out_and_back(who: str) -> None:
    """§4.1: with steps for any walk the start room is still no destination (ruling 2)."""
    assert "0 1 2 3 4 5 6 8 9" == rooms(picked(f"7 rest | cards {who}"))


@pytest.mark.parametrize("padlock", CORRIDORS)
@pytest.mark.parametrize("room", range(10))
def test_nobody_is_ever_stuck(room: int, padlock: str) -> None:
    """§4.2: whatever is locked, someone alone goes through every corridor of the room but the locked one (ruling 3)."""
    ends = set(WAYS[room].split())
    if str(room) in padlock.split("-"):
        ends -= set(padlock.split("-"))
    match = picked(f"{room} buquet | {(room + 5) % 10} rest | lock {padlock} | cards buquet")
    assert ends == set(rooms(match).split())
    assert ends


def test_the_padlock_lengthens_the_way() -> None:
    """§4.2: with 0-1 locked, room 1 is six corridors from 0, round by 4, 5, 6, 7, 3 and 2 or longer."""
    five = "0 buquet raoul meg giry richard persan"
    assert "2 3 4 5 6 7 8 9" == rooms(picked(f"{five} | 5 rest | lock 0-1 | cards buquet"))
    assert "1 2 3 4 5 6 7 8 9" == rooms(picked(f"{five} christine | 5 rest | lock 0-1 | cards buquet"))


def test_the_padlock_stops_meg_on_corridors_only() -> None:
    """§4.2, §5.2: Meg does not pass the padlock, and the padlock never closes a secret passage."""
    assert "2 5 7" == rooms(picked("1 meg | 9 rest | lock 0-1 | cards meg"))


def test_meg_is_pulled_by_corridors_only() -> None:
    """§4.3: Christine in 5 pulls from 4 and 6, but not Meg from 1 by the secret passage."""
    match = play(picked("4 christine | 6 raoul | 1 meg | 9* rest | cards christine persan"), "move 5", "use")
    assert "9* giry buquet moncharmin richard persan | 5 raoul christine | 1 meg" == sketch(match)


def test_meg_is_sent_by_corridors_only() -> None:
    """§4.3: from 1 Meg may be sent to 0 and 2, not to 5 or 7."""
    match = play(picked("0 moncharmin | 1 meg | 9 rest | cards moncharmin persan"), "move 1", "use")
    assert "0 2" == rooms(match, "send")


def test_meg_is_led_by_corridors_only() -> None:
    """§4.3: the Persian leaves Meg where two corridors lead, and her secret passages are no help to him."""
    match = play(picked("1 persan meg | 9 rest | cards persan giry"), "take meg")
    assert "0 2 3 4" == rooms(match, "leave")


def test_who_is_moved_uses_no_power() -> None:
    """§4.3: Raoul pulled by Christine draws nothing, and his card still lies there."""
    match = play(picked("0 christine | 5 raoul | 9 rest | cards christine raoul"), "move 4", "use")
    assert (["raoul"], [], 3) == tuple(match.position()[key] for key in ("offered", "shown", "ghosts"))
    assert [] == told(match, "shows") + told(match, "keeps") + told(match, "ghost")


# §5 The characters.


RAOUL = "0 raoul | 1 rest | cards "
BY_INSPECTOR = RAOUL + "raoul meg giry buquet"
BY_PHANTOM = RAOUL + "raoul meg giry"


def test_the_inspectors_alibi_clears() -> None:
    """§5.1: a character that the inspector draws is shown to all and cleared at once."""
    match = picked(BY_INSPECTOR)
    assert (INSPECTOR,) == match.to_act
    play(match, "move 4", draws=[card(match, "persan")])
    now = match.view(None).position
    assert (["persan"], list(NAMES[:7]), 3, 3) == tuple(now[key] for key in ("shown", "suspects", "ghosts", "carlotta"))
    assert [(NAMES.index("persan"), 1)] == told(match, "shows")
    assert (PHANTOM,) == match.to_act


def test_an_alibi_for_someone_already_cleared() -> None:
    """§5.1: shown, it changes nothing more (ruling 10)."""
    match = picked(BY_INSPECTOR, suspects=["raoul", "meg", "giry"])
    play(match, "move 4", draws=[card(match, "persan")])
    assert (["raoul", "meg", "giry"], ["persan"]) == (match.position()["suspects"], match.position()["shown"])
    assert [(NAMES.index("persan"), 0)] == told(match, "shows")


def test_the_phantoms_alibi_is_kept() -> None:
    """§5.1: a character that the phantom draws is known to the phantom alone, and clears nobody (ruling 10)."""
    match = picked(BY_PHANTOM)
    assert (PHANTOM,) == match.to_act
    play(match, "move 4", draws=[card(match, "persan")])
    assert (["persan"], 1, list(NAMES)) == tuple(match.position()[key] for key in ("held", "kept", "suspects"))
    assert ("?", 1) == tuple(match.view(INSPECTOR).position[key] for key in ("held", "kept"))
    assert {"seat": "1", "who": "persan"} == views.events(match.view(PHANTOM), ui(match.game).english)[-1]["args"]
    assert (
        {"seat": "1", "who": "?"}
        == views.events(match.view(INSPECTOR), ui(match.game).english)[-1]["args"]
        == views.events(match.view(None), ui(match.game).english)[-1]["args"]
    )


def test_drawn_alibis_never_come_back() -> None:
    """§5.1: two shown, one kept and one phantom card gone leave six of the ten to draw from (ruling 10)."""
    fields: dict[str, Any] = {"shown": ["meg", "giry"], "held": ["buquet"], "ghosts": 2, "carlotta": 5}
    left = []
    for draw in range(6):
        match = play(picked(BY_INSPECTOR, **fields), "move 4", draws=[draw])
        left.append((match.position()["shown"][2:], match.position()["ghosts"]))
    assert [([], 1), ([], 1)] + [([name], 2) for name in ("christine", "moncharmin", "richard", "persan")] == left
    with pytest.raises(BadDraws, match="draw 1 is 6, not one of 0 to 5"):
        play(picked(BY_INSPECTOR, **fields), "move 4", draws=[6])


@pytest.mark.parametrize(("before", "after"), [(20, 19), (3, 2), (1, 0), (0, 0)])
def test_the_inspectors_phantom_card(before: int, after: int) -> None:
    """§5.1: La Carlotta takes one step back, but not beyond space 0."""
    match = play(picked(BY_INSPECTOR, handicap=-3, carlotta=before), "move 4", draws=[0])
    assert (after, 2, None) == (match.position()["carlotta"], match.position()["ghosts"], match.outcome)
    assert [(INSPECTOR, after)] == told(match, "ghost")


@pytest.mark.parametrize(("before", "after"), [(3, 4), (19, 20)])
def test_the_phantoms_phantom_card(before: int, after: int) -> None:
    """§5.1: La Carlotta takes one step towards the exit, and the card is shown."""
    match = play(picked(BY_PHANTOM, carlotta=before), "move 4", draws=[0])
    assert (after, 2, []) == tuple(match.view(INSPECTOR).position[key] for key in ("carlotta", "ghosts", "shown"))
    assert ([(PHANTOM, after)], None) == (told(match, "ghost"), match.outcome)


def test_raoul_draws_after_his_move() -> None:
    """§5.1: no card is drawn when he is picked, exactly one when he has moved."""
    match = picked(BY_INSPECTOR)
    assert ((), "move") == (match.entries[-1].draws, verbs(match))
    play(match, "move 4")
    assert (1, 4) == (len(match.entries[-1].draws), int(match.position()["place"]["raoul"]))


def test_an_empty_alibi_pile() -> None:
    """§5.1: with no alibi left he just moves (ruling 11)."""
    match = picked(BY_INSPECTOR, shown=list(NAMES[2:6]), held=["richard", "persan", "meg"], ghosts=0)
    before = match.position()
    play(match, "move 4", draws=[])
    after = match.position()
    assert ((PHANTOM,), "4") == (match.to_act, after["place"]["raoul"])
    alibis = ("ghosts", "shown", "held", "kept", "suspects", "carlotta")
    assert [before[key] for key in alibis] == [after[key] for key in alibis]
    assert ["picks", "moves"] == [one.event.name for one in match.events]


def test_meg_mixes_corridors_and_passages() -> None:
    """§5.2: with two steps from 0 she adds 7 (by 1) and 9 (by 4) to what Buquet reaches from there."""
    assert "1 2 4 5 7 8 9" == rooms(picked("0 meg buquet | 3 rest | cards meg"))
    assert "1 2 4 5 8" == rooms(picked("0 meg buquet | 3 rest | cards buquet"))


def test_giry_locks_one_of_the_ten_others() -> None:
    """§5.3: the padlock must go to another corridor, near or far, before she is asked where she goes (rulings 5, 23)."""
    match = picked("0 giry | 9 rest | lock 4-5 | cards giry")
    assert " ".join(way for way in CORRIDORS if way != "4-5") == rooms(match, "lock")
    assert "lock" == verbs(match)
    play(match, "lock 2-3")
    assert ("2-3", "move") == (match.position()["padlock"], verbs(match))


def test_giry_walks_before_or_after() -> None:
    """§5.3: the rulebook's example: alone in 0 with 0-1 locked, she opens the way first or locks up behind her."""
    text = "0 giry | 9 rest | lock 0-1 | cards giry meg"
    match = play(picked(text), "lock 4-5")
    assert "1 4" == rooms(match)
    match = play(picked(text), "lock 0-4")
    assert "1 4" == rooms(match)
    play(match, "move 4")
    assert ("0-4", None) == (match.position()["padlock"], match.position()["unlocked"])


@pytest.mark.parametrize(
    ("lock", "reach"), [("1-2", "1 4 5 8"), ("0-4", "1 2 4 5 8"), ("4-5", "1 2 4 5 8"), ("8-9", "1 2 4 5 8")]
)
def test_giry_never_mixes_both_padlocks(lock: str, reach: str) -> None:
    """§5.3: from 0 with two steps, 0-1 locked: 4, 5, 8 before, the rest after; 2 is out of reach if 1-2 gets the padlock."""
    assert reach == rooms(play(picked("0 giry meg | 9 rest | lock 0-1 | cards giry"), f"lock {lock}"))


def test_giry_has_ninety_outcomes_at_most() -> None:
    """§5.3: in everybody's company there are ten corridors times nine rooms, all different (ruling 23)."""
    found = list(outcomes(picked("4 rest | cards giry meg"), "giry"))
    assert (90, 90) == (len(found), len(set(found)))


def test_buquet_darkens_one_of_the_nine_others() -> None:
    """§5.4: he moves, then any lit room goes dark, his own and his former one included (rulings 5, 23)."""
    match = play(picked("0 buquet | 9 rest | 3* | cards buquet meg"), "move 4")
    assert "0 1 2 4 5 6 7 8 9" == rooms(match, "dark")
    assert "dark" == verbs(match)
    play(match, "dark 4")
    assert "9 raoul meg giry christine moncharmin richard persan | 4* buquet" == sketch(match)
    assert [(4,)] == told(match, "darkened")


def test_christine_calls_from_all_neighbours() -> None:
    """§5.5: in 4 with 4-5 locked everybody from 0 and 8 comes, nobody from 5, nor from 9 by the secret passage (ruling 6)."""
    match = picked("0 christine giry | 8 raoul persan | 5 buquet | 9* meg | 6 rest | lock 4-5 | cards christine meg")
    play(match, "move 4")
    assert ["use", "decline"] == list(match.legal())
    play(match, "use")
    assert "9* meg | 6 moncharmin richard | 5 buquet | 4 raoul giry christine persan" == sketch(match)
    assert [(0b10000101, 4)] == told(match, "pulled")


def test_christine_may_decline() -> None:
    """§5.5: it is all or nothing, and nothing is allowed."""
    match = play(picked("0 christine giry | 8 raoul | 9* rest | cards christine meg"), "move 4", "decline")
    assert "9* meg buquet moncharmin richard persan | 8 raoul | 4 christine | 0 giry" == sketch(match)
    assert [(PHANTOM, NAMES.index("christine"))] == told(match, "declines")


def test_christine_is_not_asked_in_vain() -> None:
    """§5.5: people in her own room and behind the padlock are nobody to call, so her card is over (rulings 6, 24)."""
    match = play(picked("0 christine | 4 raoul | 8 meg | 2 rest | lock 4-8 | cards christine persan"), "move 4")
    assert (None, "pick persan") == (match.position()["active"], " ".join(match.legal()))


def test_moncharmin_expels_one_by_one() -> None:
    """§5.6: the rulebook's example: in 7 with 7-9 locked, Raoul and then the Persian go to 3 or to 6 (rulings 7, 23)."""
    match = picked("3 moncharmin | 7 raoul persan | 9 rest | lock 7-9 | cards moncharmin meg")
    play(match, "move 7")
    assert ["use", "decline"] == list(match.legal())
    play(match, "use")
    assert (["raoul", "persan"], ["send 3", "send 6"]) == (match.position()["expelled"], list(match.legal()))
    play(match, "send 3")
    assert (["persan"], ["send 3", "send 6"]) == (match.position()["expelled"], list(match.legal()))
    play(match, "send 6")
    assert "9* meg giry buquet christine richard | 7 moncharmin | 6 persan | 3 raoul" == sketch(match)
    assert ["pick meg"] == list(match.legal())


def test_moncharmin_may_decline() -> None:
    """§5.6: he need not drive anybody out."""
    match = play(picked("3 moncharmin | 7 raoul | 9 rest | cards moncharmin meg"), "move 7", "decline")
    assert "9* meg giry buquet christine richard persan | 7 raoul moncharmin" == sketch(match)


def test_moncharmin_is_not_asked_in_vain() -> None:
    """§5.6: alone where he arrives, whoever he left behind, his card is over (ruling 24)."""
    match = play(picked("3 moncharmin raoul | 9 rest | cards moncharmin meg"), "move 7")
    assert ["pick meg"] == list(match.legal())


def test_moncharmin_has_over_two_thousand_outcomes() -> None:
    """§5.6: seven people and three ways out are 3 to the seventh, and one more for declining, all different (ruling 23)."""
    found = list(outcomes(play(picked("3 moncharmin | 7 rest | cards moncharmin meg"), "move 7"), "moncharmin"))
    assert (2188, 2188) == (len(found), len(set(found)))


def test_richard_moves_or_swaps() -> None:
    """§5.7: he has his moves and all seven others, however far and whatever is locked (ruling 8)."""
    match = picked("0 richard | 3 meg | 9* rest | lock 0-1 | cards richard giry")
    assert ("4", "raoul meg giry buquet christine moncharmin persan") == (rooms(match), rooms(match, "swap"))
    play(match, "swap meg")
    assert "9* raoul giry buquet christine moncharmin persan | 3 richard | 0 meg" == sketch(match)
    assert ["pick giry"] == list(match.legal())


def test_richard_swaps_across_the_padlock() -> None:
    """§5.7, §4.3: the padlock between the two rooms does not matter, for it is not a walk."""
    match = play(picked("0 richard | 1 raoul | 9* rest | lock 0-1 | cards richard giry"), "swap raoul")
    assert "1 richard | 0 raoul" == sketch(match).split(" | ", 1)[1]


def test_richard_swaps_at_home_with_the_first() -> None:
    """§5.7: within his room a swap changes nothing and is written with the first one there (rulings 8, 24)."""
    match = picked("0 richard persan christine moncharmin | 8* rest | cards richard giry")
    before = sketch(match)
    assert "raoul meg giry buquet christine" == rooms(match, "swap")
    assert before == sketch(play(match, "swap christine"))
    assert ["pick giry"] == list(match.legal())


def test_the_persian_alone_in_his_room() -> None:
    """§5.8: nobody to take, nothing asked."""
    assert ["move 1", "move 4"] == list(picked("0 persan | 9 rest | cards persan").legal())


def test_the_persian_goes_alone() -> None:
    """§5.8: he need not take anybody, and then moves like anyone else."""
    match = picked("0 persan meg raoul | 9 rest | cards persan giry")
    assert ["alone", "take raoul", "take meg"] == list(match.legal())
    assert "1 2 3 4 5 6 8" == rooms(play(match, "alone"))
    assert "5 persan | 0 raoul meg" == sketch(play(match, "move 5")).split(" | ", 1)[1]


def test_the_persian_and_one_companion_by_hand() -> None:
    """§5.8: two steps from 0 are eight pairs of where the companion is left and where he ends (ruling 9)."""
    pairs = {"1": "1 2", "2": "2", "4": "4 5 8", "5": "5", "8": "8"}
    match = play(picked("0 persan meg | 9 rest | cards persan giry"), "take meg")
    assert " ".join(pairs) == rooms(match, "leave")
    for left, ends in pairs.items():
        play(match, f"leave {left}")
        assert (left, "0") == (match.position()["place"]["meg"], match.position()["place"]["persan"])
        assert ends == rooms(match)
        match.undo()


def test_the_persian_and_two_companions_by_hand() -> None:
    """§5.8: three steps from 7 are 26 pairs, those through his start room and back out included (ruling 9)."""
    # One step off are 3, 6 and 9, with two steps left; two off are 2, 5, 8, with one left; three off are 1 and 4.
    pairs = {
        "1": "1",
        "2": "1 2 3",
        "3": "1 2 3 6 9",
        "4": "4",
        "5": "4 5 6",
        "6": "3 4 5 6 9",
        "8": "4 8 9",
        "9": "3 4 6 8 9",
    }
    match = play(picked("7 persan meg raoul | 5 rest | lock 0-1 | cards persan giry"), "take meg")
    assert " ".join(pairs) == rooms(match, "leave")
    for left, ends in pairs.items():
        assert ends == rooms(play(match, f"leave {left}"))
        match.undo()
    assert 26 == sum(len(ends.split()) for ends in pairs.values())


def test_the_persian_leaves_and_walks_on() -> None:
    """§5.8: the rulebook's example: one step to 6 with Meg, two back through 7 and down to 3."""
    match = picked("7 persan meg raoul | 5* rest | lock 0-1 | cards persan giry")
    play(match, "take meg", "leave 6", "move 3")
    assert "7 raoul | 6 meg | 5* giry buquet christine moncharmin richard | 3 persan" == sketch(match)
    assert (None, None) == (match.position()["companion"], match.position()["active"])


def test_the_persian_walks_round_the_padlock() -> None:
    """§5.8: the companion walks through open corridors only, as he does."""
    match = play(picked("7 persan meg raoul | 5 rest | lock 6-7 | cards persan giry"), "take meg")
    assert "1 2 3 4 8 9" == rooms(match, "leave")


def test_the_persian_has_576_outcomes_at_most() -> None:
    """§5.8: from 5 in everybody's company nine alone, and seven companions times 9 times 9, all different (ruling 23)."""
    found = list(outcomes(picked("5 rest | cards persan meg"), "persan"))
    assert (576, 576) == (len(found), len(set(found)))


# §6 The end of a round.


def ended(identity: str, text: str = EXAMPLE, **fields: Any) -> Match:
    """The last card of a round is played and leaves the drawn table as it is: Richard swaps within his room."""
    match = picked(text + "| cards richard", **{"carlotta": 8, "identity": identity} | fields)
    return play(match, rooms(match, "swap") and next(action for action in match.legal() if is_idle(match, action)))


def is_idle(match: Match, action: str) -> bool:
    """Whether Richard swaps with someone in his own room."""
    verb, _, who = action.partition(" ")
    place = match.position()["place"]
    return verb == "swap" and place[who] == place["richard"]


@pytest.mark.parametrize("identity", ["meg", "moncharmin", "giry", "richard"])
def test_manifestation_example_1(identity: str) -> None:
    """§6.1, §6.2, §6.3: the phantom can: four are cleared, four stay, La Carlotta goes 8, 12, 13."""
    match = ended(identity)
    now = match.position()
    assert ["meg", "giry", "moncharmin", "richard"] == now["suspects"]
    assert ([(1,)], [(0b10011001,)], [(5, 13)]) == (told(match, "announces"), told(match, "clears"), told(match, "steps"))
    assert (13, 2) == (now["carlotta"], now["round"])
    assert "9 raoul christine | 8* giry richard | 7 meg | 6 buquet persan | 5 moncharmin" == sketch(match)


@pytest.mark.parametrize("identity", ["raoul", "christine", "buquet", "persan"])
def test_manifestation_example_2(identity: str) -> None:
    """§6.1, §6.2, §6.3: the phantom cannot: the four others are cleared, four stay, La Carlotta goes 8, 12."""
    match = ended(identity)
    assert ["raoul", "buquet", "christine", "persan"] == match.position()["suspects"]
    assert ([(0,)], [(0b01100110,)], [(4, 12)]) == (told(match, "announces"), told(match, "clears"), told(match, "steps"))
    assert (12, 2) == (match.position()["carlotta"], match.position()["round"])


def test_the_announcement_is_forced() -> None:
    """§6.1: it comes with the last action of the round, without a question, the same for both players (ruling 16)."""
    match = ended("meg")
    assert 3 == match.ply
    names = [event["event"] for event in views.events(match.view(INSPECTOR, since=2), ui(match.game).english)]
    assert ["swaps", "announces", "clears", "steps", "offers"] == names
    assert views.events(match.view(INSPECTOR, since=2), ui(match.game).english) == views.events(
        match.view(PHANTOM, since=2), ui(match.game).english
    )


def test_alone_in_the_dark() -> None:
    """§6.1: someone alone in the dark room can manifest (ruling 16)."""
    text = "9 raoul christine | 8 giry richard | 7* meg | 6 buquet persan | 5 moncharmin"
    match = ended("meg", text)
    assert ([(1,)], ["meg", "moncharmin"]) == (told(match, "announces"), match.position()["suspects"])
    match = ended("raoul", text)
    assert [(0,)] == told(match, "announces")
    assert ["raoul", "giry", "buquet", "christine", "richard", "persan"] == match.position()["suspects"]


def test_the_cleared_are_witnesses() -> None:
    """§6.1: cleared company is company: Raoul beside Christine cannot manifest."""
    match = ended("raoul", suspects=["raoul", "meg", "buquet"])
    assert ([(0,)], ["raoul", "buquet"]) == (told(match, "announces"), match.position()["suspects"])


def test_the_dark_room_hides_a_crowd() -> None:
    """§6.1, §6.2: with all in the dark room everybody stays a suspect: eight steps and one."""
    match = ended("giry", "4* rest", carlotta=3)
    assert (list(NAMES), 12) == (match.position()["suspects"], match.position()["carlotta"])
    assert [(0,)] == told(match, "clears")


def test_clearing_is_for_good() -> None:
    """§6.2: all are cleared at once, and nobody becomes a suspect again (ruling 14)."""
    match = ended("meg", suspects=["meg", "moncharmin", "raoul"])
    assert ["meg", "moncharmin"] == match.position()["suspects"]
    assert [(1 << NAMES.index("raoul"),)] == told(match, "clears")


@pytest.mark.parametrize(
    ("identity", "before", "steps", "after"),
    [("meg", 3, 5, 8), ("meg", 15, 5, 20), ("raoul", 3, 4, 7), ("raoul", 16, 4, 20)],
)
def test_carlottas_steps(identity: str, before: int, steps: int, after: int) -> None:
    """§6.3: a space for each suspect left, and one more if the phantom could manifest (ruling 17)."""
    match = ended(identity, carlotta=before)
    assert ([(steps, after)], after, None) == (told(match, "steps"), match.position()["carlotta"], match.outcome)


def test_the_next_round_begins_with_the_other() -> None:
    """§6.4: the round card is turned over: the phantom begins the second round, with four new cards."""
    match = ended("meg")
    now = match.position()
    assert ((PHANTOM,), 2, 0, "pick") == (match.to_act, now["round"], now["played"], now["asked"])
    assert ["buquet", "christine", "moncharmin", "persan"] == now["offered"]


# §7 The end of the match.


def result(match: Match) -> tuple[str, str, tuple[int, ...]]:
    """Ending, § and winners of a match that is over."""
    assert match.outcome is not None
    assert () == match.to_act
    assert [] == list(match.legal(INSPECTOR)) + list(match.legal(PHANTOM))
    return match.outcome.ending, match.outcome.section, match.outcome.winners


def test_one_suspect_left_by_an_alibi() -> None:
    """§7.1: the inspector wins on the spot, with cards still lying there and La Carlotta where she was (ruling 12)."""
    match = picked(BY_INSPECTOR, suspects=["raoul", "meg"], carlotta=20)
    play(match, "move 4", draws=[card(match, "meg")])
    assert ("alibi", "7.1", (INSPECTOR,)) == result(match)
    now = match.position()
    assert (["raoul"], ["meg", "giry", "buquet"], 20, 1) == tuple(now[k] for k in ("suspects", "offered", "carlotta", "round"))
    assert ([(0, 0)], []) == (told(match, "caught"), told(match, "announces"))


def test_an_alibi_on_the_last_card_ends_before_the_announcement() -> None:
    """§7.1: the rest of the round is not played, the announcement included."""
    match = picked("0 raoul | 1 rest | cards raoul", suspects=["raoul", "meg"])
    play(match, "move 4", draws=[card(match, "meg")])
    assert (("alibi", "7.1", (INSPECTOR,)), []) == (result(match), told(match, "announces"))


def test_two_suspects_left_by_an_alibi_play_on() -> None:
    """§7.1: two suspects are not one."""
    match = picked(BY_INSPECTOR, suspects=["raoul", "meg", "giry"])
    play(match, "move 4", draws=[card(match, "meg")])
    assert ((PHANTOM,), ["raoul", "giry"]) == (match.to_act, match.position()["suspects"])


@pytest.mark.parametrize("carlotta", [8, 20])
def test_one_suspect_left_by_the_clearing(carlotta: int) -> None:
    """§7.1: the inspector wins before La Carlotta moves, one space from the exit too (ruling 13)."""
    match = ended("meg", suspects=["meg", "raoul", "buquet"], carlotta=carlotta, held=["persan"])
    assert ("cleared", "7.1", (INSPECTOR,)) == result(match)
    assert (["meg"], carlotta, []) == (match.position()["suspects"], match.position()["carlotta"], told(match, "steps"))
    assert [(NAMES.index("meg"), 1 << NAMES.index("persan"))] == told(match, "caught")


@pytest.mark.parametrize(("identity", "before"), [("meg", 16), ("meg", 17), ("meg", 20), ("raoul", 17), ("raoul", 20)])
def test_the_exit_at_the_end_of_a_round(identity: str, before: int) -> None:
    """§7.2, §6.3: reaching the exit and going past it are the same, and she stops there (ruling 17)."""
    match = ended(identity, carlotta=before)
    assert (("exit", "7.2", (PHANTOM,)), 21) == (result(match), match.position()["carlotta"])
    assert ([(NAMES.index(identity), 0)], 1) == (told(match, "fled"), match.position()["round"])


def test_the_exit_by_a_phantom_card() -> None:
    """§7.2: the phantom wins on the spot, and the rest of the round is not played (ruling 12)."""
    match = play(picked(BY_PHANTOM, carlotta=20, held=["persan"]), "move 4", draws=[0])
    assert (("fright", "7.2", (PHANTOM,)), 21) == (result(match), match.position()["carlotta"])
    assert (["meg", "giry"], []) == (match.position()["offered"], told(match, "announces"))
    assert [(0, 1 << NAMES.index("persan"))] == told(match, "fled")


def test_fright_comes_before_the_end_of_the_round() -> None:
    """§7.2: on the last card of an even round the phantom card wins before anybody could be cleared."""
    match = picked("0 raoul | 1 rest | cards raoul", round=2, carlotta=20, suspects=["raoul", "meg"])
    play(match, "move 4", draws=[0])
    assert (("fright", "7.2", (PHANTOM,)), ["raoul", "meg"]) == (result(match), match.position()["suspects"])


def test_the_winner_scores_one() -> None:
    """§7.1, §7.2: one for the winner and nothing for the other."""
    caught = ended("meg", suspects=["meg", "raoul", "buquet"]).outcome
    fled = ended("meg", carlotta=20).outcome
    assert caught is not None and fled is not None
    assert ((1, 0), ({"win": 1}, {"win": 0})) == (caught.scores, caught.parts)
    assert ((0, 1), ({"win": 0}, {"win": 1})) == (fled.scores, fled.parts)


def test_everything_is_shown_at_the_end() -> None:
    """§7.1, §7.2: when it is over the identity and the alibis kept are open to all."""
    match = ended("meg", carlotta=20, held=["persan", "giry"])
    for seat in (INSPECTOR, PHANTOM, None):
        view = match.view(seat)
        assert ("meg", ["giry", "persan"]) == (view.position["identity"], view.position["held"])
        assert {"who": "meg", "alibis": ["giry", "persan"]} == views.events(view, ui(view.game).english)[-1]["args"]


@pytest.mark.parametrize("waiting", [INSPECTOR, PHANTOM])
@pytest.mark.parametrize("seat", [INSPECTOR, PHANTOM])
def test_resigning(waiting: int, seat: int) -> None:
    """§7.3: either player may resign, also while the other is thinking, and the other has won."""
    match = drawn("0 rest | cards meg giry buquet persan" if waiting == INSPECTOR else "0 rest | cards giry buquet persan")
    assert (waiting,) == match.to_act
    match.resign(seat)
    assert ("resigned", "7.3", (1 - seat,)) == result(match)


# Refusals: every reason, with its §.


def refused(match: Match, action: str | int, seat: int | None = None) -> Refusal:
    """Why an action is refused; the match must be left as it was."""
    before = match.row, match.ply
    with pytest.raises(IllegalAction) as caught:
        match.play(action, seat)
    assert before == (match.row, match.ply)
    refusal = caught.value.refusal
    assert refusal is not None
    assert f": {ui(GAME).english.refusal(refusal)} (§{refusal.section}); legal: " in str(caught.value)
    assert refusal == match.why(action, seat)
    return refusal


REFUSALS: dict[str, tuple[Match, str | int, str]] = {
    "over": (ended("meg", carlotta=20), "pick giry", "7"),
    "wait": (drawn("0 rest | cards meg giry buquet"), "pick meg", "3.2"),
    "not_asked": (drawn("0 rest"), "move 1", "3.3"),
    "not_offered": (drawn("0 rest"), "pick persan", "3.1"),
    "stays": (picked("0 meg | 1 rest | cards meg"), "move 0", "4.1"),
    "too_far": (picked("0 meg | 1 rest | cards meg"), "move 2", "4.1"),
    "same_corridor": (picked("0 rest | lock 4-5 | cards giry"), "lock 4-5", "5.3"),
    "same_room": (play(picked("0 rest | 3* | cards buquet"), "move 1"), "dark 3", "5.4"),
    "not_beside": (play(picked("0 moncharmin | 4 rest | lock 4-8 | cards moncharmin"), "move 4", "use"), "send 8", "5.6"),
    "no_swap": (picked("0 rest | cards richard"), "swap richard", "5.7"),
    # By its number: in words, a swap in one room means the place that he takes.
    "swap_first": (picked("0 rest | cards richard"), GAME.action("swap meg"), "5.7"),
    "not_here": (picked("0 persan meg | 1 rest | cards persan"), "take raoul", "5.8"),
    "not_back": (play(picked("0 persan meg | 1 rest | cards persan"), "take meg"), "leave 0", "5.8"),
}


@pytest.mark.parametrize("reason", [line.name for line in GAME.rules.REASONS])
def test_every_reason(reason: str) -> None:
    """Each reason is provoked by the inspector, with its § and a sentence of its own."""
    match, action, section = REFUSALS[reason]
    refusal = refused(match, action, INSPECTOR)
    assert (reason, section) == (refusal.reason, refusal.section)
    text = ui(GAME).english.refusal(refusal)
    assert text and "{" not in text


def test_everything_else_is_not_asked() -> None:
    """§3.3: whatever is asked, an action of another verb is refused as something else to be decided."""
    asked = {
        "pick": drawn("0 rest | cards meg giry"),
        "move": picked("0 rest | cards meg giry"),
        "move swap": picked("0 rest | cards richard giry"),
        "lock": picked("0 rest | cards giry meg"),
        "dark": play(picked("0 rest | cards buquet meg"), "move 1"),
        "use decline": play(picked("0 christine | 5 rest | cards christine meg"), "move 4"),
        "send": play(picked("0 moncharmin | 4 rest | cards moncharmin meg"), "move 4", "use"),
        "alone take": picked("0 rest | cards persan meg"),
        "leave": play(picked("0 rest | cards persan meg"), "take raoul"),
    }
    actions = GAME.rules.ACTIONS
    for wanted, match in asked.items():
        for action in range(actions.size):
            refusal = match.why(action)
            if actions.family(action).verb not in wanted.split():
                assert refusal is not None and "not_asked" == refusal.reason
            else:
                assert refusal is None or "not_asked" != refusal.reason


def test_where_the_companion_cannot_be_led() -> None:
    """§5.8, §4.1: too far to lead someone, and too far to go on from there, is too far."""
    match = play(picked("0 persan meg | 9 rest | cards persan"), "take meg")
    assert "too_far" == refused(match, "leave 3").reason
    play(match, "leave 1")
    assert ("too_far", "stays") == (refused(match, "move 4").reason, refused(match, "move 0").reason)


# Positions that cannot be.


def faults(text: str, **fields: Any) -> tuple[str, ...]:
    """What is wrong with a drawn table."""
    with pytest.raises(BadPosition) as caught:
        drawn(text, **fields)
    assert "this position is not possible: " + "; ".join(caught.value.faults) == str(caught.value)
    return caught.value.faults


LINES = {line.name: f"{line.meaning} (§{line.section})" for line in GAME.rules.FAULTS}


def while_playing(who: str, asked: str, **more: Any) -> dict[str, Any]:
    """The fields of a table where a player is asked about the first character of the first round."""
    others = [name for name in NAMES if name != who]
    return {"active": who, "asked": asked, "offered": others[:3], "pile": others[3:], **more}


def once_over(ending: int, **more: Any) -> dict[str, Any]:
    """The fields of a table where the match ended with the first character of the first round."""
    return {"asked": "nothing", "ending": ending, "offered": list(NAMES[:3]), **more}


BROKEN: dict[str, list[dict[str, Any]]] = {
    "cards": [
        {"played": 1},
        {"pile": list(NAMES[4:7])},
        {"round": 2, "pile": ["persan"]},
        {"pile": ["raoul", *NAMES[4:7]]},
        while_playing("meg", "move", offered=["meg", "giry", "buquet"]),
        while_playing("meg", "move", pile=["meg", *NAMES[4:7]]),
        once_over(3, offered=list(NAMES[:4]), carlotta=21),
    ],
    "question": [
        {"asked": "move"},
        {"asked": "nothing"},
        while_playing("raoul", "pick"),
        while_playing("raoul", "lock"),
        while_playing("giry", "dark"),
        while_playing("raoul", "power"),
        while_playing("christine", "power"),
        once_over(3, asked="pick", carlotta=21),
    ],
    "identity": [
        {"suspects": ["meg", "giry"], "identity": "raoul"},
        {"held": ["raoul"]},
        {"shown": ["raoul"], "suspects": ["meg", "giry"], "identity": "raoul"},
    ],
    "alibis": [{"kept": 1}, {"kept": 0, "held": ["meg"]}, {"shown": ["meg"], "held": ["meg"]}],
    "shown": [{"shown": ["meg"], "suspects": list(NAMES)}],
    "suspects": [{"suspects": ["raoul"]}, once_over(1), once_over(2)],
    "exit": [{"carlotta": 21}, once_over(3), once_over(4)],
    "round": [{"round": 3, "carlotta": 6}, {"handicap": 1, "carlotta": 3}, {"ghosts": 2, "carlotta": 1}],
    "padlock": [{"unlocked": "0-1"}, while_playing("giry", "move"), while_playing("giry", "move", unlocked="8-9")],
    "expelled": [
        {"expelled": ["meg"]},
        while_playing("moncharmin", "send"),
        while_playing("moncharmin", "send", expelled=["moncharmin"]),
    ],
    "companion": [
        {"companion": "meg"},
        while_playing("persan", "leave"),
        while_playing("persan", "leave", companion="persan"),
        while_playing("persan", "move", companion="meg"),
        while_playing("persan", "companion", companion="meg"),
    ],
}


@pytest.mark.parametrize(
    ("fault", "fields"), [(fault, fields) for fault, several in BROKEN.items() for fields in several], ids=lambda x: str(x)[:40]
)
def test_a_position_with_one_fault(fault: str, fields: dict[str, Any]) -> None:
    """A table broken in one way is refused with that fault alone."""
    assert (LINES[fault],) == faults("0 rest", **fields)


def test_every_fault_is_provoked() -> None:
    """The table above has every line of the rules' own table."""
    assert list(LINES) == list(BROKEN)


def test_how_far_a_companion_can_have_been_led() -> None:
    """§5.8: of two people from 0, one can have been left one or two corridors off, not farther and not at the start."""
    possible = []
    for room in range(9):
        try:
            drawn(f"0 persan | {room} meg | 9 rest", **while_playing("persan", "move", companion="meg"))
        except BadPosition as error:
            assert (LINES["companion"],) == error.faults
        else:
            possible.append(room)
    assert [1, 2, 4, 5, 8] == possible


def test_a_companion_is_asked_for_only_if_there_is_one() -> None:
    """§5.8: the Persian alone in his room is not asked whom he takes along."""
    assert (LINES["companion"],) == faults("0 persan | 9 rest", **while_playing("persan", "companion"))


@pytest.mark.parametrize(("who", "asked"), [("meg", "move"), ("persan", "leave"), ("persan", "companion")])
def test_a_companion_who_is_led_by_nobody(who: str, asked: str) -> None:
    """§5.8: only the Persian leads anybody, beside him until he is asked where, and away from him only afterwards."""
    fields = while_playing(who, asked, companion="raoul")
    assert (LINES["companion"],) == faults("0 persan giry | 1 raoul | 9 rest", identity="meg", **fields)


def test_all_faults_at_once() -> None:
    """A table broken in every way is refused with every line, in order."""
    everything = faults(
        "0 rest",
        played=2,
        asked="move",
        suspects=["raoul"],
        identity="meg",
        shown=["raoul", "meg"],
        held=["meg"],
        carlotta=21,
        round=12,
        handicap=3,
        unlocked="8-9",
        expelled=["meg"],
        companion="meg",
    )
    assert list(LINES.values()) == list(everything)


def test_fields_that_cannot_be_read() -> None:
    """Missing, unknown and impossible fields are all named at once, with what they may hold."""
    position: dict[str, Any] = layout("0 rest") | {
        "round": 13,
        "dark": 3,
        "padlock": "1-5",
        "offered": ["meg", "meg"],
        "ghost": 1,
    }
    position["place"] = {**position["place"], "carlotta": "1"}
    position["carlotta"] = True
    position["companion"] = "nobody"
    position["identity"] = None
    del position["held"]
    with pytest.raises(BadPosition) as caught:
        Match(GAME, position=position)
    assert (
        "unknown field 'ghost'",
        "field 'round' holds whole numbers 1 to 12, not 13",
        f"field 'place' needs an entry for each character ({', '.join(NAMES)})",
        f"field 'offered' holds a list of different names out of {', '.join(NAMES)}, not ['meg', 'meg']",
        f"field 'padlock' holds one of {', '.join(CORRIDORS)}, not '1-5'",
        "field 'dark' holds one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, not 3",
        "field 'carlotta' holds whole numbers 0 to 21, not True",
        f"field 'companion' holds one of {', '.join(NAMES)}, null, not 'nobody'",
        f"field 'identity' holds one of {', '.join(NAMES)}, not None",
        "field 'held' is missing",
    ) == caught.value.faults


# The box.


def test_all_faults_of_a_box_are_listed_at_once() -> None:
    """§2.2: whatever is missing or wrong in a box is named, each thing by itself."""
    box = copy.deepcopy(components.BOX)
    box["characters"] = ["raoul"]
    box["surprise"] = 1
    box["house"]["corridors"].remove("0-1")
    box["house"]["passages"] = ["6-2"]
    box["track"] = {"spaces": 5, "centre": 3, "handicap": 3}
    del box["alibis"]["phantoms"]
    assert [
        "unknown entry 'surprise'",
        "'alibis.phantoms' is missing",
        "characters must be raoul, meg, giry, buquet, christine, moncharmin, richard, persan, "
        "or the first four or six of them: each has a § of its own",
        "house.passages must be different pairs 'a-b' of rooms 0 to 9, smaller first",
        "house.clockwise: no corridor joins 0 and 1, so the padlock could not start there",
        "track: every start must be a space before the exit",
    ] == components.faults_of(box)
    assert [] == components.faults_of(components.BOX)
