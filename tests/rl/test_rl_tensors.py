"""Views as arrays of numbers: what each element says, nothing that is hidden, the same from every seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
from click.testing import CliRunner
from conftest import every_table

from ridotto import cli
from ridotto.core.batch import Batch
from ridotto.core.match import Match
from ridotto.engine.encoding import BIT
from ridotto.engine.fields import HIDDEN, Row
from ridotto.games import GAMES
from ridotto.games.fantome.rules import CHARACTER
from ridotto.rl import Tensors, Traits
from ridotto.rl.tensors import FORMS

TABLES = every_table()


def rows(name: str, seats: int, size: int = 40, decisions: int = 25) -> Any:
    """True rows of matches played at random for a while."""
    batch = Batch(GAMES[name], size, seats, seed=11)
    batch.play(decisions)
    return batch.rows


def masked(name: str, row: Any, seat: int) -> Row:
    """A row as a seat may know it."""
    found: Row = GAMES[name].rules.FIELDS.masked(row, seat)
    return found


def test_a_deal_by_hand() -> None:
    """Le Fantôme as dealt: rooms, suspects and La Carlotta as the position says; who the phantom is, the phantom alone."""
    match = Match(GAMES["fantome"], seed=3)
    tensors = Tensors("fantome", is_whole=True)
    inspector, phantom = (tensors.split(tensors.encode(match.masked(seat), seat)) for seat in (0, 1))
    position = match.position()
    assert [1, 0] == inspector["viewer"].tolist()
    assert [0, 1] == phantom["viewer"].tolist()
    rooms = [int(room) for room in position["place"].values()]
    assert rooms == inspector["place"].argmax(axis=1).tolist()
    assert [1.0] * 8 == inspector["place"].sum(axis=1).tolist()
    assert [1.0] * 8 == inspector["suspects"].tolist()
    assert position["carlotta"] == round(float(inspector["carlotta"][0]) * 21)
    assert [0.0] * 8 + [1.0] == inspector["active"].tolist(), "nobody is being played"
    assert [0.0] * 8 + [1.0] == inspector["identity"].tolist(), "hidden"
    who = list(CHARACTER.names).index(position["identity"])
    assert [float(i == who) for i in range(9)] == phantom["identity"].tolist()
    assert [0.0] * 8 + [1.0] == inspector["held"].tolist()


def test_seats_are_counted_from_the_viewer() -> None:
    """At a table of Turandot seat 2 finds its own money first, then that of seats 0 and 1."""
    match = Match(GAMES["turandot"], 3, seed=1)
    row = match.row
    at = GAMES["turandot"].rules.FIELDS.F.money
    row[at : at + 5] = [0, 1, 3, 0, 0]
    tensors = Tensors("turandot", 3)
    assert tensors.is_symmetric
    money = tensors.split(tensors.encode(masked("turandot", row, 2), 2))["money"]
    assert [1.0, 0.0, numpy.float32(1 / 3)] == money[:, 0].tolist()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pieces_lie_side_by_side(name: str, seats: int) -> None:
    """The pieces fill the array without gaps, each as large as its shape, with a label for each element of the last axis."""
    tensors = Tensors(name, seats)
    at = 0
    for piece in tensors.pieces:
        assert at == piece.start
        assert len(piece.shape) == len(piece.axes)
        assert piece.shape[-1] == len(piece.labels)
        at = piece.stop
    assert at == tensors.size
    assert piece is tensors.piece(piece.name)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_many_are_encoded_like_one(name: str, seats: int) -> None:
    """The compiled loop over many rows gives the very numbers that NumPy gives for each, within their bounds."""
    tensors = Tensors(name, seats)
    viewers = numpy.arange(40, dtype="int8") % seats
    views = numpy.array([masked(name, row, seat) for row, seat in zip(rows(name, seats), viewers, strict=True)], "int16")
    many = tensors.encode_many(views, viewers)
    for view, seat, array in zip(views, viewers, many, strict=True):
        assert numpy.array_equal(tensors.encode(view, seat), array)
    low, high = tensors.bounds
    assert (low <= many).all() and (many <= high).all()
    assert (many != many[0]).any(axis=0).sum() > tensors.size / 8, "the rows differ"


def test_elements_say_one_thing_each() -> None:
    """Element by element, the slow way: a bit, a value or a size of the word that the table of elements names."""
    tensors = Tensors("opera", 4)
    words, ops, arguments, scales = (numpy.asarray(array) for array in tensors.elements)
    view = masked("opera", rows("opera", 4)[7], 3)
    expected = []
    for at in range(tensors.size):
        word, argument = view[words[3][at]], int(arguments[3][at])
        if ops[at] == 0:
            expected.append(float(word == argument))
        elif word == HIDDEN:
            expected.append(0.0)
        else:
            expected.append(float(word >> argument & 1) if ops[at] == BIT else word * float(scales[at]))
    assert numpy.array_equal(numpy.array(expected, "float32"), tensors.encode(view, 3))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_worlds_that_look_alike_give_equal_arrays(name: str, seats: int, dealt_anew: Callable[..., Row]) -> None:
    """What a seat cannot know is drawn anew: the row changes, its array does not."""
    tensors = Tensors(name, seats)
    changed = 0
    for number, row in enumerate(rows(name, seats)):
        seat = number % seats
        other = dealt_anew(name, row, seat, number)
        changed += list(row) != other
        assert numpy.array_equal(tensors.encode(masked(name, row, seat), seat), tensors.encode(masked(name, other, seat), seat))
    assert changed > 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_learners_are_not_shown_never_varies(name: str, seats: int) -> None:
    """At a decision, every word that has no element is always the same, however the match is played."""
    shown, whole = Tensors(name, seats), Tensors(name, seats, is_whole=True)
    left_out = [sorted(set(whole.elements.words[seat]) - set(shown.elements.words[seat])) for seat in range(seats)]
    assert all(left_out), "something is left out"
    first: dict[int, Any] = {}
    for bot_seats in (0, (1 << seats) - 1):
        batch = Batch(GAMES[name], 100, seats, seed=9)
        while batch.matches.min() == 0:
            masked = batch.observations()
            for seat in range(seats):
                words = masked[batch.acting == seat][:, left_out[seat]]
                if len(words):
                    assert (words == first.setdefault(seat, words[0])).all()
            batch.play(1, bot_seats)


@pytest.mark.compiles
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_form_says_the_same(name: str, seats: int) -> None:
    """Whole numbers, bits and numbers from 0 to 1 are the same elements; bits are those that NumPy unpacks."""
    tensors = Tensors(name, seats)
    viewers = numpy.arange(40, dtype="int8") % seats
    views = numpy.array([masked(name, row, seat) for row, seat in zip(rows(name, seats), viewers, strict=True)], "int16")
    floats, whole, bits, row = (tensors.encode_many(views, viewers, form=form) for form in FORMS)
    assert (views == row).all() and "int16" == row.dtype
    lows, starts, widths = (numpy.asarray(array) for array in tensors.packing)
    scales = numpy.asarray(tensors.elements.scales)
    unpacked = numpy.unpackbits(bits, axis=1)
    for at in range(tensors.size):
        part = unpacked[:, starts[at] : starts[at] + widths[at]].astype("int64")
        number = (part << numpy.arange(widths[at])[::-1]).sum(axis=1)
        assert (numpy.minimum(number, 255) == whole[:, at]).all()
        expected = (number + lows[at]) * scales[at] if scales[at] else number
        hidden = (floats[:, at] == 0) & (number == 0)
        assert numpy.allclose(expected[~hidden], floats[~hidden, at])
    assert tensors.length("bits") < tensors.size and not unpacked[:, starts[-1] + widths[-1] :].any()
    assert numpy.array_equal(tensors.encode_as(views[3].tolist(), int(viewers[3]), "bits"), bits[3])


def test_the_largest_table_fits() -> None:
    """Turandot with four has at most 1,600 elements."""
    assert Tensors("turandot", 4).size <= 1600


@pytest.fixture
def dealt_anew() -> Callable[..., Row]:
    """Another world that a seat cannot tell from a row."""

    def deal(name: str, row: Any, seat: int, seed: int) -> Row:
        build = GAMES[name].build()
        other = masked(name, row, seat)
        build.rules.redeal(other, seat, build.generator(seed))
        return other

    return deal


def turned(name: str, row: Any, seats: int, by: int) -> Row:
    """A row with every seat moved on by so many places, written down by hand from the fields."""
    fields = GAMES[name].rules.FIELDS
    found = [int(word) for word in row]
    for one, at in fields.slices():
        names = [kind.name for kind in one.of]
        assert "seat" not in names[1:]
        width = one.size // len(one.of[0]) if names[:1] == ["seat"] else one.size
        for index in range(one.size):
            place = index
            if names[:1] == ["seat"] and index // width < seats:
                place = (index // width + by) % seats * width + index % width
            word = int(row[at + index])
            if one.kind.name == "seat" and 0 <= word:
                word = (word + by) % seats
            if one.kind.name == "set of seat":
                word = sum(1 << (seat + by) % seats for seat in range(seats) if word >> seat & 1)
            found[at + place] = word
    return found


@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table.values[0] != "fantome"])
def test_turning_the_table_changes_nothing(name: str, seats: int) -> None:
    """Where seats are alike, everybody moving on by a seat gives everybody the array of before."""
    tensors = Tensors(name, seats)
    assert tensors.is_symmetric
    for number, row in enumerate(rows(name, seats, size=12)):
        seat, by = number % seats, 1 + number % (seats - 1)
        there = (seat + by) % seats
        before = tensors.encode(masked(name, row, seat), seat)
        after = tensors.encode(masked(name, turned(name, row, seats, by), there), there)
        assert numpy.array_equal(before, after)


@pytest.fixture
def laid() -> Match:
    """Turandot for three, when seat 1 has just laid its fourth choice face down."""
    match = Match(GAMES["turandot"], 3, seed=2)
    while match.to_act[0] != 1:
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    match.play(match.legal(1)[3], 1)
    return match


def test_history_counts_seats_from_the_viewer_and_hides(laid: Match) -> None:
    """What seat 1 lays in Turandot is seat 1's own to know: its name for it, a mark for the others; everything is one-hot."""
    tensors = Tensors(GAMES["turandot"], 3)
    lines = tensors.event_lines
    own, other = (lines.split(tensors.history(laid.view(seat).seen, seat, 20)) for seat in (1, 2))
    event = laid.view(1).seen[-1]
    assert "lays" == event.event.name
    code = lines.codes["lays"]
    assert [code] == own["event"][-1].nonzero()[0].tolist() == other["event"][-1].nonzero()[0].tolist()
    assert [1, 0, 0] == own["seat"][-1].tolist(), "the seat is the viewer"
    assert [0, 0, 1] == other["seat"][-1].tolist(), "seen from seat 2, seat 1 is two places on"
    hidden = lines.piece("choice").labels.index("hidden")
    assert [event.values["choice"]] == own["choice"][-1].nonzero()[0].tolist()
    assert [hidden] == other["choice"][-1].nonzero()[0].tolist()
    assert (0, lines.size) == tensors.history((), 0, 0).shape


def test_short_history(laid: Match) -> None:
    """The same in fewer numbers: a number for each argument, and whether it is hidden."""
    tensors = Tensors(GAMES["turandot"], 3)
    width = len(GAMES["turandot"].rules.EVENTS) + 1
    own, other = (tensors.short_history(laid.view(seat).seen, seat, 200)[-1] for seat in (1, 2))
    assert [0.0, 0.0] == own[width : width + 2].tolist(), "the seat is the viewer"
    assert own[width + 4] > 0 and own[width + 5] == 0
    assert numpy.isclose(2 / 5, other[width])
    assert [0.0, 1.0] == other[width + 4 : width + 6].tolist()


def test_layout_prints_the_pieces() -> None:
    """`ridotto layout GAME --tensors` shows every piece, as a table and as JSON."""
    shown = CliRunner().invoke(cli.cli, ["layout", "turandot", "--tensors", "--players", "3"])
    assert 0 == shown.exit_code
    assert "1265 numbers" in shown.stdout
    for piece in Tensors("turandot", 3).pieces:
        assert piece.name in shown.stdout
    listed = CliRunner().invoke(cli.cli, ["layout", "fantome", "--tensors", "--json"])
    assert '"size": 203' in listed.stdout


def test_unknown_pieces_are_named() -> None:
    """Asking for a piece that is not there says which there are."""
    with pytest.raises(LookupError, match="no piece 'purse'; there are: viewer, handicap, round"):
        Tensors("fantome").piece("purse")


# What is printed on cards.


def test_singers_by_what_is_printed_on_them() -> None:
    """Of three singers in a troupe: stars, sex, category and favourite role, one by one and together."""
    game = GAMES["turandot"]
    box, row = game.build().components, Match(game, 2, seed=1).row
    at = game.rules.FIELDS.F.troupe
    row[at : at + 12] = [4, 11, 30] + [-1] * 9
    traits = Traits(Tensors("turandot", 2, is_whole=True))
    seen = traits.split(traits.encode(traits.tensors.encode(masked("turandot", row, 0), 0)))
    labels = traits.piece("troupe").labels
    third = dict(zip(labels, seen["troupe"][0, 2].tolist(), strict=True))
    singer = box.BOX["singers"][30]
    words = {f"{trait} {singer[trait]}": 1.0 for trait in ("sex", "category", "favourite") if trait in singer}
    assert pytest.approx(dict.fromkeys(labels, 0.0) | words | {"stars": singer["stars"] / 3}) == third
    assert [float(label == "none") for label in labels] == seen["troupe"][0, 3].tolist()
    together = dict(zip(labels, seen["troupe_together"][0].tolist(), strict=True))
    assert pytest.approx(sum(box.STARS[one] for one in (4, 11, 30)) / 3) == together["stars"]
    assert 3 == together["none"]
    for number, sex in enumerate(box.SEXES):
        assert sum(box.SEX[one] == number for one in (4, 11, 30)) == together[f"sex {sex}"]


def test_cards_of_two_kinds_lie_in_one_place() -> None:
    """On offer there are singers, told by their traits, and in the end directors, who have none and keep their names."""
    traits = Traits(Tensors("turandot", 2, is_whole=True))
    directors = GAMES["turandot"].build().components.DIRECTOR_IDS
    labels = traits.piece("offer").labels
    assert set(directors) < set(labels) and {"stars", "sex F", "none"} < set(labels)
    before = traits.tensors.piece("offer").labels
    array = numpy.zeros(traits.tensors.size, "float32")
    array[traits.tensors.piece("offer").start + before.index(directors[2])] = 1
    first = traits.split(traits.encode(array))["offer"][0]
    assert [float(label == directors[2]) for label in labels] == first.tolist()
    assert traits.tensors.piece("director").shape == traits.piece("director").shape


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_traits_of_many_views(name: str, seats: int) -> None:
    """Many views at once are the views one by one; pieces lie side by side; what has no cards stays what it was."""
    traits = Traits(Tensors(name, seats))
    views = numpy.array([traits.tensors.encode(masked(name, row, 1), 1) for row in rows(name, seats, size=5)])
    found = traits.encode(views)
    assert (5, traits.size) == found.shape and "float32" == found.dtype
    assert [0, *(piece.stop for piece in traits.pieces)] == [*(piece.start for piece in traits.pieces), traits.size]
    for view, line in zip(views, found, strict=True):
        assert numpy.array_equal(traits.encode(view), line)
    if name != "turandot":
        assert numpy.array_equal(views, found) and traits.tensors.pieces == traits.pieces


def test_pieces_may_be_left_out() -> None:
    """What is left out is left out whole; the rest moves up. A piece that is not there is refused."""
    tensors = Tensors("turandot", 2, is_whole=True)
    whole, less = Traits(tensors), Traits(tensors, without=("cast", "blind"))
    gone = {"blind", "cast", "cast_together"}
    assert [piece.name for piece in whole.pieces if piece.name not in gone] == [piece.name for piece in less.pieces]
    views = numpy.array([tensors.encode(masked("turandot", row, 0), 0) for row in rows("turandot", 2, size=5)])
    one, other = whole.split(whole.encode(views)), less.split(less.encode(views))
    assert all(numpy.array_equal(one[name], other[name]) for name in other)
    assert "Traits(Tensors('turandot', 2), ('cast', 'blind'))" == repr(less)
    with pytest.raises(LookupError, match="no piece 'orchestra'; there are: blind, round"):
        Traits(tensors, without=("orchestra",))


# Arrays of one shape for all numbers of seats.


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_padded_arrays_say_the_same(name: str, seats: int) -> None:
    """Each piece holds what it would hold without room for others, and 0 where nobody sits; the last says how many sit."""
    game = GAMES[name]
    plain, padded = (Tensors(name, seats, is_padded=is_padded, is_whole=True) for is_padded in (False, True))
    assert Tensors(name, game.seats[-1], is_padded=True, is_whole=True).size == padded.size
    batch = Batch(game, 30, seats, seed=5)
    batch.play(25)
    masked = batch.observations()
    many = padded.encode_many(masked, batch.acting)
    for i, seat in enumerate(batch.acting):
        array = padded.encode(masked[i], int(seat))
        assert (array == many[i]).all()
        here, there = plain.split(plain.encode(masked[i], int(seat))), padded.split(array)
        assert [float(number == seats) for number in game.seats] == there.pop("seats").tolist()
        assert here.keys() == there.keys()
        for piece, found in here.items():
            assert found.sum() == pytest.approx(there[piece].sum()), piece
            corner = there[piece][tuple(slice(size) for size in found.shape)]
            if "seat" not in padded.piece(piece).axes[-1]:
                assert (found == corner).all(), piece


def test_fields_can_be_left_out() -> None:
    """What is named in `without` has no piece, and the others stay as they were."""
    match = Match(GAMES["opera"], 3, seed=2)
    whole, less = (Tensors("opera", 3, is_whole=True, without=without) for without in ((), ("bid", "fame")))
    every, some = whole.split(whole.encode(match.masked(1), 1)), less.split(less.encode(match.masked(1), 1))
    assert every.keys() - some.keys() == {"bid", "fame"}
    assert all((every[name] == some[name]).all() for name in some)
