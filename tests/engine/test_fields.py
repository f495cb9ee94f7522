"""Declarations: kinds, fields, actions, events, boxes; every code has a name, and every name leads back to its code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridotto.core.errors import BadPosition
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.digest import canonical, digest
from ridotto.engine.errors import BadBox, BadDeclaration
from ridotto.engine.fields import (
    FLAG,
    HIDDEN,
    NUMBER,
    Action,
    Actions,
    Arg,
    Codes,
    Event,
    EventCodes,
    Field,
    Fields,
    Kind,
    Named,
    Option,
    Row,
    seats_kind,
    set_of,
)

FRUIT = Kind("fruit", ("apple", "pear", "fig"))
SEAT = seats_kind(3)
FIELDS = Fields.of(
    2,
    (2, 3),
    (Option("sugar", "1", "spoons", -2, 5, 1),),
    Field("bowl", FRUIT, "fruit in the bowl"),
    Field("eaten", set_of(FRUIT), "fruit eaten", of=(SEAT,), audience="remembered"),
    Field("wish", FRUIT, "fruit wished for", of=(SEAT,), low=-1, audience="owner"),
    Field("plan", NUMBER, "spoons by seat and fruit", of=(SEAT, FRUIT), low=-3, high=3, audience="owner"),
    Field("cook", NUMBER, "known to seat 1", high=9, audience="owner", owner=1),
    Field("worm", FRUIT, "where the worm is", audience="nobody"),
)
F = FIELDS.F


def kinds_of(game: Game) -> list[Kind]:
    """Every kind a game uses."""
    rules = game.rules
    fields = [kind for field in rules.FIELDS for kind in (field.kind, *field.of)]
    actions = [kind for family in rules.ACTIONS for kind in family.of]
    events = [arg.kind for event in rules.EVENTS for arg in event.args]
    return list(dict.fromkeys(fields + actions + events))


# Kinds.


def test_names_of_every_kind_lead_back(game: Game) -> None:
    """Every name of every kind is different and parses to its number; nothing else does."""
    for kind in kinds_of(game):
        assert len(kind.names) == len(set(kind.names)) == len(kind)
        assert list(range(len(kind))) == [kind.parse(name) for name in kind.names]
        assert kind.parse("no such name") is None


def test_values_of_every_kind_lead_back(game: Game) -> None:
    """What a kind shows of a value, it reads as that value, also through JSON."""
    for kind in kinds_of(game):
        if kind.is_set:
            values = [0, (1 << len(kind)) - 1, *(1 << at for at in range(len(kind)))]
        elif kind.names:
            values = list(range(-1, len(kind)))
        else:
            values = [-3, 0, 7, 32767]
        assert values == [kind.from_json(json.loads(json.dumps(kind.to_json(value)))) for value in values]
        assert "?" == kind.to_json(HIDDEN)


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (FRUIT, "plum"),
        (FRUIT, 1),
        (FRUIT, ["apple"]),
        (FRUIT, "?"),
        (set_of(FRUIT), "apple"),
        (set_of(FRUIT), ["apple", "apple"]),
        (set_of(FRUIT), ["plum"]),
        (set_of(FRUIT), [0]),
        (set_of(FRUIT), [["apple"]]),
        (set_of(FRUIT), None),
        (NUMBER, "3"),
        (NUMBER, 3.0),
        (NUMBER, True),
        (NUMBER, None),
        (NUMBER, "?"),
    ],
)
def test_what_no_value_shows_is_not_read(kind: Kind, shown: Any) -> None:
    """Names of other things, numbers as text, truth values and the mark of what is hidden are no values."""
    assert kind.from_json(shown) is None


def test_kinds_show_names() -> None:
    """A name, a list of names, none, a number."""
    shown = [
        FRUIT.to_json(1),
        FRUIT.to_json(-1),
        set_of(FRUIT).to_json(0b101),
        NUMBER.to_json(-4),
        FLAG.to_json(1),
        SEAT.to_json(2),
    ]
    assert ["pear", None, ["apple", "fig"], -4, "yes", "2"] == shown


# Actions.


def test_notation_leads_back(game: Game) -> None:
    """Every action has a notation of its own that parses to its id, in any case and with any spaces."""
    actions = game.rules.ACTIONS
    every = [actions.notation(action) for action in range(actions.size)]
    assert actions.size == len(set(every)) <= 32 * actions.words < actions.size + 32
    for action, text in enumerate(every):
        assert [action] * 4 == [
            actions.parse(text),
            actions.parse(text.upper()),
            actions.parse(f"  {text.replace(' ', '    ')}\t\n"),
            game.action(text),
        ]


@given(st.text(max_size=20))
def test_other_texts_name_no_action(text: str) -> None:
    """A text that is no notation parses to nothing."""
    actions = Actions.of(Action("eat", "1", "eat it", (FRUIT,)), Action("wait", "2", "do nothing"))
    known = {"eat apple": 0, "eat pear": 1, "eat fig": 2, "wait": 3}
    assert known.get(" ".join(text.lower().split())) == actions.parse(text)


def test_actions_know_their_family() -> None:
    """An id leads to its verb and its argument; arguments of several kinds count like digits."""
    actions = Actions.of(Action("wait", "2", ""), Action("feed", "1", "", (SEAT, FRUIT)), Action("stop", "3", ""))
    assert (0, 1, 10) == (actions.A.wait, actions.A.feed, actions.A.stop)
    assert (11, 1) == (actions.size, actions.words)
    assert ["wait", "feed 0 apple", "feed 0 pear", "feed 2 fig", "stop"] == [actions.notation(i) for i in (0, 1, 2, 9, 10)]
    assert ["wait", "feed", "feed", "stop"] == [actions.family(i).verb for i in (0, 1, 9, 10)]
    assert [0, 0, 8, 0] == [actions.argument(i) for i in (0, 1, 9, 10)]


# Events and small tables.


def test_event_with_too_many_arguments_is_refused() -> None:
    """Five arguments fit an event, six do not."""
    five = tuple(Arg(f"a{i}", NUMBER) for i in range(5))
    assert 0 == EventCodes.of(Event("fits", "1", "", five)).E.fits
    with pytest.raises(ValueError, match="event 'bursts' has more than 5 arguments"):
        EventCodes.of(Event("bursts", "1", "", (*five, Arg("f", NUMBER))))


def test_tables_count_from_one() -> None:
    """The lines of a small table have the numbers 1, 2, …, so that 0 means none."""
    lines = Codes.of("Lines", Named("first", "1"), Named("second", "2"))
    assert (1, 2) == tuple(lines.codes)
    assert "second" == lines.line(lines.codes.second).name


def test_tables_of_a_game_are_whole(game: Game) -> None:
    """Names are different, every line has a §, and the seat that owns a secret argument is told with it."""
    rules = game.rules
    for table in (rules.REASONS, rules.ENDINGS, rules.PARTS, rules.FAULTS, rules.EVENTS):
        assert len(table) == len({line.name for line in table})
        assert all(line.section for line in table)
    assert all(family.section and family.meaning for family in rules.ACTIONS)
    assert all(field.meaning for field in rules.FIELDS)
    for event in rules.EVENTS:
        if "owner" in (event.audience, *(arg.audience for arg in event.args)):
            assert "seat" in [arg.name for arg in event.args], event.name


def test_fields_of_a_game_fit_a_word(game: Game) -> None:
    """Every value a field may have fits 16 bits, and none is the mark of what is hidden."""
    for field in game.rules.FIELDS:
        assert HIDDEN < field.low <= field.top <= 32767, field.name
        assert field.audience != "owner" or field.owner is not None or field.of[0].name == "seat", field.name


# Rows.


def rows(fields: Fields) -> st.SearchStrategy[Row]:
    """Rows in which every word is in its range."""
    return st.tuples(*(st.integers(field.low, field.top) for field in fields for _ in range(field.size))).map(list)


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_rows_lead_back(games: dict[str, Game], data: st.DataObject) -> None:
    """A row shown as named fields, through JSON, is read back as that row, without a fault."""
    for fields in (FIELDS, *(game.rules.FIELDS for game in games.values())):
        row = data.draw(rows(fields))
        assert (row, []) == fields.from_json(json.loads(json.dumps(fields.to_json(row))))


def test_layout() -> None:
    """Version, seats and options come first; then the fields, one after the other."""
    assert ("version", "seats", "sugar", "bowl", "eaten", "wish", "plan", "cook", "worm") == F._fields
    assert (0, 1, 2, 3, 4, 7, 10, 19, 20) == tuple(F)
    assert 21 == FIELDS.width
    assert ["bowl", "plan", "plan", "worm"] == [FIELDS.field_at(index).name for index in (3, 10, 18, 20)]
    with pytest.raises(ValueError, match="field 'odd' holds plain numbers and needs `high`"):
        _ = Field("odd", NUMBER, "no bound").top


ROW = [1, 3, -2, 1, 0, 1, 7, -1, 0, 2, *range(-3, 4), 0, 1, 9, 2]
SHOWN = {
    "version": 1,
    "seats": 3,
    "sugar": -2,
    "bowl": "pear",
    "eaten": {"0": [], "1": ["apple"], "2": ["apple", "pear", "fig"]},
    "wish": {"0": None, "1": "apple", "2": "fig"},
    "plan": {
        "0": {"apple": -3, "pear": -2, "fig": -1},
        "1": {"apple": 0, "pear": 1, "fig": 2},
        "2": {"apple": 3, "pear": 0, "fig": 1},
    },
    "cook": 9,
    "worm": "fig",
}


def test_a_row_as_named_fields() -> None:
    """Fields are shown by name, nested by what they are indexed by."""
    assert SHOWN == FIELDS.to_json(ROW)
    assert (ROW, []) == FIELDS.from_json(SHOWN)


def test_all_faults_are_listed_at_once() -> None:
    """Unknown, missing, misshapen and out of range fields are all named, each with what would do."""
    broken = {
        **SHOWN,
        "version": 3,
        "sugar": "much",
        "bowl": "plum",
        "eaten": {"0": [], "1": ["apple", "apple"], "2": ["plum"]},
        "wish": {"0": None, "1": "apple"},
        "plan": {"0": 1, "1": 2, "2": 3},
        "worm": None,
        "spoon": 1,
    }
    del broken["cook"]
    assert [
        "unknown field 'spoon'",
        "field 'version' holds whole numbers 1 to 2, not 3",
        "field 'sugar' holds whole numbers -2 to 5, not 'much'",
        "field 'bowl' holds one of apple, pear, fig, not 'plum'",
        "field 'eaten' holds a list of different names out of apple, pear, fig, not ['apple', 'apple']",
        "field 'eaten' holds a list of different names out of apple, pear, fig, not ['plum']",
        "field 'wish' needs an entry for each seat (0, 1, 2)",
        "field 'plan' needs an entry for each seat (0, 1, 2) and fruit (apple, pear, fig)",
        "field 'cook' is missing",
        "field 'worm' holds one of apple, pear, fig, not None",
    ] == FIELDS.from_json(broken)[1]


def test_faults_of_a_position_reach_the_reader(game: Game) -> None:
    """A match refuses a position with all its faults, and names each field."""
    position = Match(game, seed=1).position()
    names = list(position)[2:]
    broken: dict[str, Any] = {**position, **dict.fromkeys(names, "nonsense"), "nonsense": 1}
    del broken["seats"]
    with pytest.raises(BadPosition) as caught:
        Match(game, position=broken)
    assert all(any(repr(name) in fault for fault in caught.value.faults) for name in ["nonsense", "seats", *names])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(name=st.sampled_from(sorted(SHOWN)), value=json_values)
def test_any_nonsense_is_a_fault(name: str, value: Any) -> None:
    """Whatever stands in a field, it is either read and shown as it was, or listed as a fault."""
    row, faults = FIELDS.from_json({**SHOWN, name: value})
    if faults:
        assert all(repr(name) in fault for fault in faults)
    else:
        assert canonical({**SHOWN, name: in_order(value)}) == canonical({**SHOWN, name: in_order(FIELDS.to_json(row)[name])})


def in_order(value: Any) -> Any:
    """Sets have no order."""
    if isinstance(value, dict):
        return {key: in_order(part) for key, part in value.items()}
    return sorted(value) if isinstance(value, list) else value


# Audiences.


def test_who_may_see_what() -> None:
    """All see what is for all or remembered; a seat sees its own; nobody, and no spectator, sees the rest."""
    mine = {seat: {F.wish + seat, *range(F.plan + 3 * seat, F.plan + 3 * seat + 3)} for seat in range(3)}
    mine[1].add(F.cook)
    secret = {*range(F.wish, F.worm + 1)}
    assert secret == set(FIELDS.hidden(None))
    for seat in range(3):
        assert secret - mine[seat] == set(FIELDS.hidden(seat))


@pytest.mark.parametrize(
    ("declare", "why"),
    [
        (lambda: Field("wish", FRUIT, "", of=(SEAT,), audience="owners"), "field 'wish': there is no audience 'owners'"),  # type: ignore[arg-type]
        (lambda: Action("eat", "1", "", audience="everyone"), "action 'eat': there is no audience 'everyone'"),  # type: ignore[arg-type]
        (lambda: Arg("what", FRUIT, "everyone"), "argument 'what': there is no audience 'everyone'"),  # type: ignore[arg-type]
        (lambda: Event("eats", "1", "", audience="none"), "event 'eats': there is no audience 'none'"),  # type: ignore[arg-type]
        (lambda: Event("eats", "1", "", (Arg("what", FRUIT, "owner"),)), "event 'eats' .* has no argument `seat`"),
        (lambda: Event("eats", "1", "", (Arg("what", FRUIT),), "owner"), "event 'eats' .* has no argument `seat`"),
        (lambda: Field("wish", FRUIT, "", audience="owner"), "field 'wish' is for its owner: say of which seat"),
    ],
)
def test_an_audience_that_is_none_is_refused(declare: Callable[[], object], why: str) -> None:
    """A slip of the pen would hide a field from everybody, or from nobody; the four audiences are named."""
    with pytest.raises(BadDeclaration, match=why) as caught:
        declare()
    assert "no audience" not in why or "there are: all, owner, nobody, remembered" in str(caught.value)


def test_may_see_by_index() -> None:
    """A field indexed by seat, and by something else within, belongs to the seat of its first index."""
    by_name = {field.name: field for field in FIELDS}
    assert [0, 1, 2] == [next(s for s in range(3) if by_name["wish"].may_see(i, s)) for i in range(3)]
    assert [0, 0, 0, 1, 1, 1, 2, 2, 2] == [next(s for s in range(3) if by_name["plan"].may_see(i, s)) for i in range(9)]
    assert [False, True, False] == [by_name["cook"].may_see(0, seat) for seat in range(3)]
    assert not any(by_name["worm"].may_see(0, seat) for seat in (None, 0, 1, 2))
    assert all(by_name["eaten"].may_see(index, seat) for index in range(3) for seat in (None, 0, 1, 2))


def test_hidden_words_of_a_game_follow_from_the_audiences(game: Game) -> None:
    """Of every game a seat misses exactly what is nobody's or another seat's, and a spectator misses all of it."""
    fields = game.rules.FIELDS
    for seat in (None, *range(game.seats[-1])):
        expected = []
        for field, at in fields.slices():
            per_seat = field.size // len(field.of[0]) if field.of else 1
            for index in range(field.size):
                owner = field.owner if field.owner is not None else index // per_seat
                if field.audience == "nobody" or (field.audience == "owner" and seat != owner):
                    expected.append(at + index)
        assert tuple(expected) == fields.hidden(seat)


# Boxes.


def test_a_box_that_cannot_be_read(game: Game, tmp_path: Path) -> None:
    """A missing file, a folder, and a file that is not TOML or not text are refused by name, with the reason."""
    broken, binary = tmp_path / "broken.toml", tmp_path / "binary.toml"
    broken.write_text("cards = [1, 2", "utf-8")
    binary.write_bytes(b"cards = '\xff\xfe'")
    for path, why in (
        (tmp_path / "missing.toml", "No such file"),
        (tmp_path, "Is a directory"),
        (broken, "is not a TOML file"),
        (binary, "is not a TOML file"),
    ):
        with pytest.raises(BadBox, match=why) as caught:
            game.with_box(path)
        assert repr(str(path)) in str(caught.value)


def test_a_box_that_cannot_be_played(game: Game, tmp_path: Path) -> None:
    """A file that says nothing of the game is refused with what is wrong."""
    empty = tmp_path / "empty.toml"
    empty.write_text("", "utf-8")
    with pytest.raises(BadBox, match=r"box .*\w: .*\w"):
        game.with_box(empty)


def test_all_faults_of_a_box_are_listed(games: dict[str, Game], tmp_path: Path) -> None:
    """Two faults in one box are told at once."""
    box = tmp_path / "box.toml"
    box.write_text("dice = 6\nsides = 'many'\n", "utf-8")
    with pytest.raises(BadBox, match="dice must be a whole number 1 to 5; sides must be a whole number 2 to 6"):
        games["liars_dice"].with_box(box)


NONSENSE: list[Any] = [-1, 10**6, True, 1.5, "nonsense", "0-99", [], ["nonsense"], [7]]
PLACES = 4
"""How many places of a kind are tried, unless all are."""


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in plain data."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield (*path, key)
        yield from places(part, (*path, key))


def toml(value: Any) -> str:
    """Plain data as a value of TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + "}"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def chosen_places(box: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every kind of place in a box, such as the stars of a singer, with some nonsense at a few places of this kind."""
    kinds: dict[tuple[str, ...], list[tuple[str | int, ...]]] = {}
    for path in places(box):
        kinds.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
    for number, alike in enumerate(kinds.values()):
        first = number % len(NONSENSE)  # of a kind with few places, not always the same nonsense
        yield from zip(alike[:PLACES], NONSENSE[first:] + NONSENSE[:first], strict=False)


@pytest.mark.parametrize("everything", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_nonsense_in_a_box_is_refused_or_played(game: Game, tmp_path: Path, everything: bool) -> None:
    """Whatever stands in one place of a box: either the box is refused, or a match with it stays within its fields."""
    trouble = []
    whole = game.build().components.BOX
    for number, (path, value) in enumerate(product(places(whole), NONSENSE) if everything else chosen_places(whole)):
        box = json.loads(json.dumps(whole))
        *way, last = path
        inner = box
        for key in way:
            inner = inner[key]
        inner[last] = value
        file = tmp_path / f"{number}.toml"
        file.write_text("".join(f"{json.dumps(key)} = {toml(part)}\n" for key, part in box.items()), "utf-8")
        try:
            fault = fault_of_a_match(game.with_box(file))
        except BadBox:
            continue
        except Exception as error:
            fault = repr(error)
        if fault:
            trouble.append(f"{'.'.join(map(str, path))} = {value!r}: {fault}")
    print("\n".join(trouble))
    assert [] == trouble


def fault_of_a_match(game: Game) -> str:
    """What goes wrong with the fields in one match, if anything."""
    match = Match(game, seed=1)
    for field in game.rules.FIELDS:
        if not HIDDEN < field.low <= field.top <= 32767:
            return f"field {field.name!r} cannot hold {field.low} to {field.top}"
    while match.to_act:
        if match.rules.check(match.row) or match.rules.FIELDS.from_json(match.position())[1]:
            return f"a broken row at ply {match.ply}"
        seat = match.to_act[-1]
        match.play(match.legal(seat)[match.ply % len(match.legal(seat))], seat)
    return ""


def test_another_layout_of_the_same_box_is_the_same_box(game: Game, tmp_path: Path) -> None:
    """A comment more in the file changes neither the digest of the box nor the rules."""
    beside = Path(game.build().components.__file__ or "").with_name("components.toml")
    box = tmp_path / "box.toml"
    box.write_text("# the same\n\n" + beside.read_text("utf-8"), "utf-8")
    assert game.build().box == game.with_box(box).build().box


def test_another_box_is_another_build(games: dict[str, Game], tmp_path: Path) -> None:
    """Another box has another digest and its own tables; the game as it was is left alone."""
    box = tmp_path / "box.toml"
    box.write_text("dice = 2\nsides = 4\n", "utf-8")
    game = games["liars_dice"]
    other = game.with_box(box)
    assert game.build().box != other.build().box
    assert (181, 49) == (game.rules.ACTIONS.size, other.rules.ACTIONS.size)


# Plain data.


def test_digest_is_of_the_data() -> None:
    """Equal data have equal digests however they are laid out; 1, 1.0 and true differ."""
    assert digest({"a": 1, "b": [2]}) == digest(json.loads('{ "b" : [2], "a" : 1 }'))
    assert 3 == len({digest(1), digest(1.0), digest(True)})
    assert b'{"a":"\xc3\xa9","b":[1,2]}' == canonical({"b": [1, 2], "a": "é"})
    with pytest.raises(ValueError):
        canonical(float("nan"))
