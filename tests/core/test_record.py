"""A record is the whole truth of a match: it replays from its draws alone, and no change to it goes unseen."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
import secrets
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridotto.core import record
from ridotto.core.match import Entry, Match
from ridotto.core.record import BadRecord
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui

GAME = GAMES["fantome"]
HEADER = ("format", "version", "game", "rules", "box", "seats", "options")
Document = dict[str, Any]
Key = str | int


# Matches to make records of.


def begun(seed: int, plies: int, handicap: int = 0) -> Match:
    """So many plies of random play, or fewer if the match is over before."""
    match = Match(GAME, options={"handicap": handicap}, seed=seed, clock=lambda: seed)
    chooser = random.Random(seed)
    while match.to_act and match.ply < plies:
        match.play(chooser.choice(match.legal()))
    return match


@cache
def _finished() -> Match:
    """A short match that ends by the rules, with entries taken back on the way and draws in many of them."""
    match = begun(276, 9, handicap=3)
    chooser = random.Random(276)
    match.undo()
    match.undo(3)
    while match.to_act:
        match.play(chooser.choice(match.legal()))
    return match


@cache
def _resigned() -> Match:
    """A match taken over from a position and given up, taken back and given up again."""
    match = Match(GAME, position=begun(5, 12).position(), seed=5, clock=lambda: 86400.0)
    chooser = random.Random(5)
    for _ in range(6):
        match.play(chooser.choice(match.legal()))
    match.resign(1)
    match.undo()
    match.resign(0)
    return match


def finished() -> Document:
    """The record of a finished match."""
    return record.write(_finished(), ["Anna", "Bo"])


def resigned() -> Document:
    """The record of a match from a position that was given up."""
    return record.write(_resigned(), ["Anna", "Bo"])


DOCUMENTS: dict[str, Callable[[], Document]] = {"finished": finished, "resigned": resigned}


def reread(document: Any) -> tuple[Match, list[str]]:
    """A document as it comes back from its text."""
    return record.read(record.parse(json.dumps(document)), GAMES)


def refusal(document: Any) -> str:
    """How a document is refused."""
    with pytest.raises(BadRecord) as caught:
        reread(document)
    message = str(caught.value)
    assert message == message.strip() and "\n" not in message and "Traceback" not in message
    return message


def rows(match: Match) -> list[list[int]]:
    """The row after every entry, from a match played once more."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0])
    found = [again.row]
    for entry in match.entries[1:]:
        again.repeat(entry)
        found.append(again.row)
    return found


def assert_same(one: Match, other: Match) -> None:
    """The two matches have the same log, rows, events and outcome."""
    assert one.entries == other.entries
    assert rows(one) == rows(other)
    assert one.row == other.row
    assert one.events == other.events
    assert (one.outcome, one.to_act, one.options, one.seats) == (other.outcome, other.to_act, other.options, other.seats)
    for seat in (0, 1, None):
        assert views.as_json(one.view(seat), ui(one.game).english) == views.as_json(other.view(seat), ui(other.game).english)


# The chain, by its definition and without our code.


def plain(value: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def chained(document: Document) -> Document:
    """The document with every hash worked out afresh, as someone who covers their tracks would do."""
    document = copy.deepcopy(document)
    head = hashlib.sha256(plain({key: document[key] for key in HEADER})).digest()
    for entry in document["entries"]:
        content = {key: value for key, value in entry.items() if key != "hash"}
        head = hashlib.sha256(head + hashlib.sha256(plain(content)).digest()).digest()
        entry["hash"] = head.hex()
    document["head"] = head.hex()
    return document


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_chain_is_what_it_is_defined_to_be(name: str) -> None:
    """Each stored hash is the SHA-256 of the one before and of the digest of the entry's canonical JSON."""
    document = DOCUMENTS[name]()
    assert chained(document) == document
    assert len({entry["hash"] for entry in document["entries"]}) == len(document["entries"])


def test_the_chain_of_one_entry_by_hand() -> None:
    """The hash of a deal, spelt out to the byte."""
    match = Match(GAME, draws=[0] * 13, deal=Entry(None, "deal", (0,) * 13, "1970-01-01T00:00:00Z", "5a" * 16))
    header = (
        f'{{"box":"{GAME.build().box}","format":"ridotto record","game":"fantome",'
        '"options":{"handicap":0},"rules":1,"seats":2,"version":1}'
    )
    content = (
        '{"do":"deal","draws":[0,0,0,0,0,0,0,0,0,0,0,0,0],"ply":0,"salt":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",'
        '"seat":null,"time":"1970-01-01T00:00:00Z"}'
    )
    first, own = (hashlib.sha256(text.encode()).digest() for text in (header, content))
    assert hashlib.sha256(first + own).hexdigest() == record.write(match)["head"]


# There and back.


@pytest.mark.parametrize("name", DOCUMENTS)
def test_there_and_back(name: str) -> None:
    """Written, dumped, parsed and read, a match is the same in every row, event and part of its outcome."""
    document = DOCUMENTS[name]()
    match, names = record.read(record.parse(record.dump(document)), GAMES)
    assert_same(_finished() if name == "finished" else _resigned(), match)
    assert ["Anna", "Bo"] == names
    assert document == record.write(match, names)
    assert document == json.loads(record.dump(document))


def test_what_a_record_holds() -> None:
    """The keys of a record and of its entries, in order; a line of text for each entry."""
    document = finished()
    assert [*HEADER, "names", "entries", "result", "head"] == list(document)
    for ply, entry in enumerate(document["entries"]):
        assert ["ply", "seat", "do", "draws", "time", "salt", "hash"] == list(entry)
        assert (ply, "1970-01-01T00:04:36Z") == (entry["ply"], entry["time"])
    assert _finished().outcome is not None
    assert document["result"]["ending"] in ("cleared", "alibi", "exit", "fright")
    assert len(document["entries"]) == sum(line.startswith("    {") for line in record.dump(document).splitlines())
    assert ["seat 0", "seat 1"] == record.write(_finished())["names"]


def test_an_unfinished_match_goes_on() -> None:
    """A record read back is a match that can be played to its end."""
    match, _ = reread(record.write(begun(3, 15)))
    assert match.outcome is None
    chooser = random.Random(3)
    while match.to_act:
        match.play(chooser.choice(match.legal()))
    again, _ = reread(record.write(match))
    assert_same(match, again)


def test_names_stand_outside_the_chain() -> None:
    """Names may change or be forgotten without breaking a record; only texts are names."""
    for names in (["X", "Y"], ["", ""], ["Зоя", "\u00e9\u00e8"]):
        assert names == reread(finished() | {"names": names})[1]
    for wrong in (None, "Anna", [1, 2], {"0": "Anna"}, [None, None]):
        assert "names must be a list of texts" == refusal(finished() | {"names": wrong})


def test_replay_needs_no_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record replays from its draws alone: with every source of chance broken it gives the same match."""
    text = record.dump(finished())
    expected = _finished()

    def broken(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("chance was asked")

    dice = GAME.build().dice
    for place, name in (
        (dice, "next_bits"),
        (dice, "start"),
        (secrets, "randbelow"),
        (secrets, "token_hex"),
        (secrets, "token_bytes"),
        (random, "Random"),
        (random.Random, "random"),
        (random.Random, "getrandbits"),
    ):
        monkeypatch.setattr(place, name, broken)
    with pytest.raises(RuntimeError, match="chance was asked"):
        Match(GAME)
    with pytest.raises(RuntimeError, match="chance was asked"):
        Match(GAME, seed=1)
    assert_same(expected, record.read(record.parse(text), GAMES)[0])


# Every change is refused.


def places(value: Any, path: tuple[Key, ...] = ()) -> Iterator[tuple[Key, ...]]:
    """The path to everything in a document, the document itself included."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from places(one, (*path, i))


def changes(value: Any) -> list[Any]:
    """What else might stand in a place: near values, the same value of another type, lists and objects with a part changed."""
    match value:
        case None:
            return [0, False, "", "null", [], {}]
        case bool():
            return [not value, int(value), str(value).lower(), None]
        case int():
            return [value + 1, value - 1, -value - 2, float(value), bool(value), str(value), [value], None]
        case str():
            return [value + " ", value[:-1], value.upper(), value.swapcase(), "", f"{value}\u0301", [value], 0, None]
        case list():
            shorter = [value[:i] + value[i + 1 :] for i in (0, len(value) - 1) if value]
            swapped = [[value[1], value[0], *value[2:]], [*value[:-2], value[-1], value[-2]]] if len(value) > 1 else []
            longer = [[*value, value[-1] if value else 0], [0, *value], [*value, None]]
            return [*shorter, *swapped, *longer, [], {}, None]
        case dict():
            fewer = [{key: one for key, one in value.items() if key != gone} for gone in value]
            return [*fewer, {**value, "extra": None}, {**value, "Ply": 0}, {}, [], None]
    raise AssertionError(value)


def changed(document: Document, path: tuple[Key, ...], new: Any) -> Any:
    """A copy of the document with something else in one place."""
    if not path:
        return new
    result = copy.deepcopy(document)
    inner: Any = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return result


def found(document: Document, path: tuple[Key, ...]) -> Any:
    """What stands in one place."""
    inner: Any = document
    for key in path:
        inner = inner[key]
    return inner


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_change_is_refused(name: str) -> None:
    """Nothing in a record can be altered, retyped, removed or added, and where an entry is at fault its ply is named."""
    document = DOCUMENTS[name]()
    tried = 0
    for path in places(document):
        if path[:1] == ("names",):
            continue
        for new in changes(found(document, path)):
            if plain(new) == plain(found(document, path)):
                continue
            message = refusal(changed(document, path, new))
            tried += 1
            if path[:1] == ("entries",) and len(path) > 1:
                assert f"ply {path[1]} " in f"{message} ".replace(":", " "), (path, new, message)
    assert tried > 50 * len(document["entries"])


def test_duplicate_keys_are_refused() -> None:
    """A key given twice in one object, the same value or another, is refused by name, wherever it is."""
    document = finished()
    for path in places(document):
        here = found(document, path)
        if not isinstance(here, dict):
            continue
        for key, value in here.items():
            for again in (value, None):
                pairs = json.dumps({**here, "\u0000": again}).replace('"\\u0000"', json.dumps(key))
                text = json.dumps(changed(document, path, "HERE")).replace('"HERE"', pairs) if path else pairs
                with pytest.raises(BadRecord, match=f"the key {key!r} is given twice in one object$"):
                    record.read(record.parse(text), GAMES)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_entry_removed_doubled_or_swapped(name: str) -> None:
    """An entry that is missing, given twice or out of order is refused, and the first ply that does not fit is named."""
    document = DOCUMENTS[name]()
    entries = document["entries"]
    last = len(entries) - 1
    for ply in range(len(entries)):
        message = refusal(document | {"entries": entries[:ply] + entries[ply + 1 :]})
        assert f"ply {ply} says it is {ply + 1}" in message or (ply == last and f"ends at ply {last - 1}" in message)
        message = refusal(document | {"entries": entries[: ply + 1] + entries[ply:]})
        assert f"ply {ply + 1} says it is {ply}: an entry is missing or out of order" in message
        if ply < last:
            swapped = [*entries[:ply], entries[ply + 1], entries[ply], *entries[ply + 2 :]]
            assert f"ply {ply} says it is {ply + 1}" in refusal(document | {"entries": swapped})
        # Renumbering does not help: the hashes do not follow.
        renumbered = [{**entry, "ply": i} for i, entry in enumerate(entries[:ply] + entries[ply + 1 :])]
        if ply < last:
            assert f"entry at ply {ply} was changed" in refusal(document | {"entries": renumbered})


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_truncation_is_refused(name: str) -> None:
    """A record cut short at any ply is refused with that ply, also if its head was made to fit."""
    document = DOCUMENTS[name]()
    entries = document["entries"]
    for plies in range(1, len(entries)):
        short = document | {"entries": entries[:plies]}
        assert f"the record ends at ply {plies - 1}, " in refusal(short)
        fitted = short | {"head": entries[plies - 1]["hash"]}
        assert f"the result after ply {plies - 1} " in refusal(fitted)
    assert "no entries" in refusal(document | {"entries": []})


def test_every_cut_of_the_text_is_refused() -> None:
    """The text of a record broken off anywhere is not a record."""
    text = record.dump(finished()).rstrip()
    for end in range(0, len(text), 7):
        with pytest.raises(BadRecord, match=r"^not a record: "):
            record.parse(text[:end])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_one_wrong_character(data: st.DataObject) -> None:
    """With any one character of its text replaced, a record is refused or still says the same of the match."""
    text = record.dump(finished())
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.one_of(st.sampled_from('0123456789abcdef"{}[]:,-.eE \\tn'), st.characters(codec="utf-8")))
    try:
        match, _ = record.read(record.parse(text[:at] + new + text[at + 1 :]), GAMES)
    except BadRecord:
        return
    assert finished() == record.write(match, ["Anna", "Bo"])


# Versions, games and boxes we do not have.


@pytest.mark.parametrize("version", [0, 2, -1, 1.0, True, "1", None, [1]])
def test_unknown_format(version: Any) -> None:
    """Another version of the format is refused by number."""
    message = refusal(finished() | {"version": version})
    assert f"format version {version!r} is unknown here; known: 1; update Ridotto" == message


@pytest.mark.parametrize("rules", [0, 2, 99, 1.0, True, "1", None])
def test_unknown_rules(rules: Any) -> None:
    """Another version of the rules is refused by number, even if the hashes were made to fit."""
    expected = f"fantome has rules versions 1 to 1 here, not {rules!r}; update Ridotto"
    assert expected == refusal(finished() | {"rules": rules})
    assert expected == refusal(chained(finished() | {"rules": rules}))


@pytest.mark.parametrize("game", ["chess", "Fantome", "", 7, None, ["fantome"]])
def test_unknown_game(game: Any) -> None:
    """A game that is not there is refused with those that are."""
    assert f"unknown game {game!r}; there are: {', '.join(GAMES)}" == refusal(finished() | {"game": game})


@pytest.mark.parametrize("box", ["0" * 64, "", None, 0])
def test_another_box(box: Any) -> None:
    """A match played with other components says that their file is wanted."""
    expected = f"the match was played with another box ({box!r}): give that file with --box"
    assert expected == refusal(chained(finished() | {"box": box}))


@pytest.mark.parametrize("document", [None, [], {}, "record", 7, {"format": "pgn"}, {"entries": []}, [finished()]])
def test_not_a_record(document: Any) -> None:
    """Other JSON is not a record, and is told what one looks like."""
    assert 'not a record: a record is a JSON object with "format": "ridotto record"' == refusal(document)


# Files.


def test_save_and_load(tmp_path: Path) -> None:
    """A saved match is loaded as it was, with its people, and nothing else is left beside it."""
    path = tmp_path / "match.json"
    record.save(_finished(), path, ["Anna", "Зоя"])
    match, names = record.load(path, GAMES)
    assert_same(_finished(), match)
    assert ["Anna", "Зоя"] == names
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a record: "),
        (b"\xff\xfe{}", "is not UTF-8 text: invalid start byte at byte 0"),
        (b"{'format': 1}", "not a record: "),
        (b'{"format": NaN}', "NaN is not a number of JSON"),
        (b'{"format": -Infinity}', "-Infinity is not a number of JSON"),
        (b"[" * 100_000, "not a record: "),
        (b'{"a":' * 100_000, "not a record: "),
        (b"[" * 500 + b"]" * 500, "not a record: "),
        (b"[" * 20 + b"]" * 20, "not a record: "),
        (b"1" * 5000, "not a record: "),
        (b'{"format": "ridotto record"} {}', "not a record: "),
        (b"\xef\xbb\xbf{}", "not a record: "),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_files_that_are_no_records(tmp_path: Path, content: bytes, message: str) -> None:
    """What is not UTF-8, not JSON, not a number or without bottom is refused in a sentence."""
    path = tmp_path / "match.json"
    path.write_bytes(content)
    with pytest.raises(BadRecord, match=re.escape(message)):
        record.load(path, GAMES)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and a folder are refused by name."""
    missing = tmp_path / "missing.json"
    with pytest.raises(BadRecord, match=f"^cannot read {str(missing)!r}: No such file or directory$"):
        record.load(missing, GAMES)
    with pytest.raises(BadRecord, match=f"^cannot read {str(tmp_path)!r}: Is a directory$"):
        record.load(tmp_path, GAMES)


def in_every_place(text: str) -> Iterator[str]:
    """The text of a record with this JSON in one place after the other."""
    document = finished()
    for path in places(document):
        if path and (path[0] != "entries" or path[1:2] in ((), (0,), (7,))):
            yield json.dumps(changed(document, path, "HERE")).replace('"HERE"', text)


@pytest.mark.parametrize(
    "text",
    ["1e999", "-1e999", '"\\ud800"', '{"\\udfff": 1}', "[" * 800 + "]" * 800, '{"a":' * 800 + "1" + "}" * 800, "9" * 4000],
    ids=["endless", "minus-endless", "half-text", "half-key", "deep-list", "deep-object", "long-number"],
)
def test_json_that_is_hard_to_write_again(text: str) -> None:
    """Endless numbers, half characters and deep nesting in any place of a record are refused like anything else."""
    for whole in in_every_place(text):
        with pytest.raises(BadRecord):
            record.read(record.parse(whole), GAMES)


def test_nesting_at_the_edge() -> None:
    """Options nested just as deep as can be read, and a little deeper, are refused like any others."""
    for depth in (*range(1, 50), *range(900, 1000)):
        text = json.dumps(finished() | {"options": "HERE"}).replace('"HERE"', '{"a":' * depth + "1" + "}" * depth)
        with pytest.raises(BadRecord):
            record.read(record.parse(text), GAMES)


@pytest.mark.parametrize("broken", ["os.fsync", "pathlib.Path.replace"])
def test_a_crash_while_saving_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Whether the writing or the last step fails, the old record is still there, whole."""
    path = tmp_path / "match.json"
    record.save(begun(1, 10), path)
    before = path.read_bytes()

    def fail(*_: Any) -> NoReturn:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        with pytest.raises(OSError, match="No space left"):
            record.save(_finished(), path)
    assert before == path.read_bytes()
    assert 10 == record.load(path, GAMES)[0].ply
    record.save(_finished(), path)
    assert _finished().ply == record.load(path, GAMES)[0].ply


# Somebody who covers their tracks.


def with_entry(document: Document, ply: int, /, **fields: Any) -> Document:
    """The document with one entry altered and all hashes made to fit."""
    entries = copy.deepcopy(document["entries"])
    entries[ply] |= fields
    return chained(document | {"entries": entries})


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_illegal_action_with_fitting_hashes(name: str) -> None:
    """At every ply an action that was not legal there is refused with the ply and the reason."""
    document = DOCUMENTS[name]()
    actions = GAME.rules.ACTIONS
    match = Match(GAME, deal=(_finished() if name == "finished" else _resigned()).entries[0])
    for ply, entry in enumerate((_finished() if name == "finished" else _resigned()).entries):
        if ply == 0:
            continue
        if match.to_act:
            illegal = next(actions.notation(i) for i in range(actions.size) if i not in match.legal().ids)
            message = refusal(with_entry(document, ply, do=illegal, seat=match.to_act[0], draws=[]))
            assert message.startswith(f"entry at ply {ply} cannot be replayed: illegal action {illegal!r} by seat ")
            message = refusal(with_entry(document, ply, do=match.legal()[0], seat=1 - match.to_act[0], draws=[]))
            assert "it is not your turn: " in message and "(§3.2)" in message and f"ply {ply} " in message
        match.repeat(entry)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_impossible_draw_with_fitting_hashes(name: str) -> None:
    """At every ply a draw out of range, missing or too many is refused with the ply."""
    document = DOCUMENTS[name]()
    for ply, entry in enumerate(document["entries"]):
        if entry["do"] == "position" or entry["do"].split()[0] in ("undo", "resign"):
            continue
        draws = entry["draws"]
        wrong = [[*draws, 0]] + [draws[:i] for i in range(len(draws))]
        wrong += [[*draws[:i], bad, *draws[i + 1 :]] for i in range(len(draws)) for bad in (-1, 99, 10**30)]
        for one in wrong:
            assert refusal(with_entry(document, ply, draws=one)).startswith(f"entry at ply {ply} cannot be replayed: ")


RETYPED: dict[str, list[Any]] = {
    "draws": [None, {}, 0, [True], [False], [0.0], ["0"], [None]],
    "seat": [True, False, 0.0, 1.0, "0", []],
    "do": [0, None],
    "time": [0],
    "salt": [None],
    "ply": [99, 2.0, "2", None],
}


@pytest.mark.parametrize("key", RETYPED)
def test_another_type_with_fitting_hashes(key: str) -> None:
    """What looks the same and is of another type is refused with the ply, whatever the hashes say."""
    raoul = next(ply for ply, entry in enumerate(_finished().entries) if len(entry.draws) == 1)
    for value in RETYPED[key]:
        for ply in (2, raoul):
            assert refusal(with_entry(finished(), ply, **{key: value})).startswith(f"entry at ply {ply}"), value


@pytest.mark.parametrize("verb", ["position", "resign", "undo"])
def test_draws_where_nothing_is_drawn(verb: str) -> None:
    """An entry that lays out a position, resigns or takes back makes no draw, and none may be noted for it."""
    document = resigned()
    ply = next(i for i, entry in enumerate(document["entries"]) if entry["do"].startswith(verb))
    assert f"entry at ply {ply}" in refusal(with_entry(document, ply, draws=[0]))


def test_nobody_takes_back() -> None:
    """To take back is an entry by nobody, and no seat may be noted for it."""
    document = resigned()
    ply = next(i for i, entry in enumerate(document["entries"]) if entry["do"].startswith("undo"))
    assert f"entry at ply {ply}" in refusal(with_entry(document, ply, seat=0))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"do": "accuse meg"}, "'accuse meg' names no action of fantome"),
        ({"do": ""}, "'' names no action of fantome"),
        ({"do": "deal"}, "'deal' names no action of fantome"),
        ({"do": "undo"}, "names no action of fantome"),
        ({"do": "undo -1"}, "names no action of fantome"),
        ({"do": "undo 99", "seat": None}, "cannot undo to entry 99; in effect are: 0, 1"),
        ({"do": "resign", "seat": None}, "'resign' needs a seat"),
        ({"do": "resign", "seat": 2}, "there are seats 0 to 1, not 2"),
        ({"seat": None}, "needs a seat"),
        ({"seat": -1}, "there are seats 0 to 1, not -1"),
    ],
)
def test_an_impossible_entry_with_fitting_hashes(fields: Document, expected: str) -> None:
    """What no match can do is refused with the ply, whatever the hashes say."""
    message = refusal(with_entry(finished(), 3, **{"draws": [], **fields}))
    assert message.startswith("entry at ply 3 cannot be replayed: ") and expected in message


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"do": "position"}, "entry at ply 0 must be the deal, or a position, by nobody"),
        ({"do": "pick meg"}, "entry at ply 0 must be the deal, or a position, by nobody"),
        ({"seat": 0}, "entry at ply 0 must be the deal, or a position, by nobody"),
        ({"position": {}}, "entry at ply 0: only the first entry may lay out a position"),
        ({"do": "position", "position": {}, "draws": []}, "entry at ply 0 cannot be replayed: this position is not possible: "),
        ({"draws": []}, "entry at ply 0 cannot be replayed: draw 1 is missing: one of 0 to 7"),
    ],
)
def test_an_impossible_beginning_with_fitting_hashes(fields: Document, expected: str) -> None:
    """A match begins with its deal or with a position that can be, and with nothing else."""
    assert refusal(with_entry(finished(), 0, **fields)).startswith(expected)


def test_an_impossible_position_with_fitting_hashes() -> None:
    """A position with faults is refused at ply 0 with all of them."""
    position = resigned()["entries"][0]["position"] | {"carlotta": 21, "kept": 7}
    message = refusal(with_entry(resigned(), 0, position=position))
    assert message.startswith("entry at ply 0 cannot be replayed: this position is not possible: ")
    assert "(§5.1)" in message and "(§7.2)" in message


def test_a_position_later_on() -> None:
    """No position can be slipped in after the beginning."""
    position = resigned()["entries"][0]["position"]
    message = refusal(with_entry(finished(), 4, do="position", position=position, draws=[]))
    assert "entry at ply 4: only the first entry may lay out a position" == message


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"seats": 3}, "fantome has 2 seats, not 3"),
        ({"seats": 2.0}, "fantome has 2 seats, not 2.0"),
        ({"options": {"handicap": 4}}, "option 'handicap' takes -3 to 3 (§2.6), not 4"),
        ({"options": {"handicap": 3.0}}, "option 'handicap' takes -3 to 3 (§2.6), not 3.0"),
        ({"options": {}}, "seats and options do not fit"),
        ({"options": {"handicap": 3, "wind": 1}}, "fantome has no option 'wind'"),
        ({"options": []}, "options must be an object"),
    ],
)
def test_another_setup_with_fitting_hashes(fields: Document, expected: str) -> None:
    """Seats and options that the game does not have are refused at the deal."""
    assert expected in refusal(chained(finished() | fields))


@pytest.mark.parametrize("fields", [{"seats": 2.0}, {"options": {"handicap": 1}}, {"options": {"handicap": 0.0}}])
def test_another_setup_of_a_position_with_fitting_hashes(fields: Document) -> None:
    """Seats and options must be those of the position."""
    assert "entry at ply 0: seats and options do not fit the position" == refusal(chained(resigned() | fields))


def test_another_result() -> None:
    """The result must be what the replay gives."""
    document = finished()
    other = {**document["result"], "winners": [1 - document["result"]["winners"][0]]}
    last = len(document["entries"]) - 1
    for wrong in (None, other, {**document["result"], "ending": "resigned"}):
        assert f"the result after ply {last} is not what the record says" == refusal(chained(document | {"result": wrong}))
    unfinished = record.write(begun(2, 9)) | {"result": document["result"]}
    assert "the result after ply 8 is not what the record says" == refusal(unfinished)


def test_entries_after_the_end() -> None:
    """Nothing can be played once the match is over."""
    document = finished()
    extra = {**document["entries"][-1], "ply": len(document["entries"]), "do": "pick meg", "draws": []}
    message = refusal(chained(document | {"entries": [*document["entries"], extra]}))
    assert f"entry at ply {extra['ply']} cannot be replayed: illegal action 'pick meg'" in message
    assert "the match is over (§7)" in message


# Redaction.


def test_a_redacted_record_hides_what_it_must() -> None:
    """Of an unfinished match no draw, no salt and no time goes out, to neither seat nor a spectator, and the chain holds."""
    for match in (begun(4, 25), Match(GAME, position=begun(5, 12).position())):
        document = record.write(match)
        for seat in (0, 1, None):
            cut = record.redact(document, seat, GAMES)
            assert set(document) == set(cut)
            assert all({"ply", "seat", "do", "content", "hash"} == set(entry) for entry in cut["entries"])
            assert [entry.do for entry in match.entries] == [entry["do"] for entry in cut["entries"]]
            text = json.dumps(cut)
            assert not any(entry.salt in text for entry in match.entries)
            assert not any(word in text for word in ("draws", "salt", "identity", "held", '"position":'))
            assert record.is_chain_intact(cut)
            with pytest.raises(BadRecord):
                record.read(cut, GAMES)


def test_worlds_that_differ_in_secrets_redact_alike() -> None:
    """Another identity changes nothing in a redacted record but the digests, which salts keep from being guessed."""
    cuts = []
    for identity in range(8):
        deal = Entry(None, "deal", (0, 0, 0, 0, 0, 0, 0, 0, identity, 0, 0, 0, 0), "", secrets.token_hex(16))
        match = Match(GAME, deal=deal)
        for action in ("pick meg", "move 2"):
            match.play(action, entry=Entry(match.to_act[0], action, (), "", ""))
        cut = record.redact(record.write(match), 0, GAMES)
        assert record.is_chain_intact(cut)
        del cut["head"]
        for entry in cut["entries"]:
            del entry["content"], entry["hash"]
        cuts.append(cut)
    assert [cuts[0]] * 8 == cuts


def test_a_digest_cannot_be_guessed_without_its_salt() -> None:
    """Nobody finds the identity by hashing the eight possible deals: the salt is part of what is hashed."""
    match = Match(GAME)
    cut = record.redact(record.write(match), 0, GAMES)
    entry = match.entries[0]
    guesses = set()
    for identity in range(8):
        draws = [*entry.draws[:8], identity, *entry.draws[9:]]
        guess = {"ply": 0, "seat": None, "do": "deal", "draws": draws, "time": entry.time}
        guesses |= {hashlib.sha256(plain(guess | {"salt": salt})).hexdigest() for salt in ("", "0" * 32)}
        if identity == entry.draws[8]:
            known = hashlib.sha256(plain(guess | {"salt": entry.salt})).hexdigest()
    assert known == cut["entries"][0]["content"]
    assert known not in guesses


def test_a_changed_redacted_record_does_not_follow() -> None:
    """The chain of a redacted record shows a changed digest, hash, head or header, and a missing entry."""
    cut = record.redact(record.write(begun(4, 12)), 0, GAMES)
    entries = cut["entries"]
    for ply in range(len(entries)):
        for key in ("content", "hash"):
            wrong = copy.deepcopy(entries)
            wrong[ply][key] = "0" * 64
            assert not record.is_chain_intact(cut | {"entries": wrong})
        assert not record.is_chain_intact(cut | {"entries": entries[:ply] + entries[ply + 1 :]})
    assert not record.is_chain_intact(cut | {"head": "0" * 64})
    assert not record.is_chain_intact(cut | {"options": {"handicap": 1}})


def test_a_finished_match_is_open() -> None:
    """When a match is over there is nothing to take out."""
    for document in (finished(), resigned()):
        for seat in (0, 1, None):
            assert document == record.redact(document, seat, GAMES)


def test_redacting_a_broken_record() -> None:
    """A record that does not hold is refused before anything is cut."""
    document = record.write(begun(4, 12))
    document["entries"][5]["salt"] = "00"
    with pytest.raises(BadRecord, match="ply 5"):
        record.redact(document, 0, GAMES)


def test_salts_differ() -> None:
    """Without a seed every entry of every match has its own 128 bits of salt; with one they are the same each time."""
    salts = [entry.salt for _ in range(20) for entry in Match(GAME).entries]
    match = Match(GAME)
    while match.to_act:
        match.play(match.legal()[0])
    salts += [entry.salt for entry in match.entries]
    assert len(salts) == len(set(salts))
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)
    one, other, third = (begun(seed, 12) for seed in (6, 6, 7))
    assert [entry.salt for entry in one.entries] == [entry.salt for entry in other.entries]
    assert not {entry.salt for entry in one.entries} & {entry.salt for entry in third.entries}


# Any match at all.


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    handicap=st.integers(-3, 3),
    steps=st.lists(st.tuples(st.sampled_from(["play"] * 12 + ["undo", "resign"]), st.integers(0, 999)), max_size=90),
)
def test_any_match_there_and_back(seed: int, handicap: int, steps: list[tuple[str, int]]) -> None:
    """Random matches, with entries taken back and given up anywhere, come back the same and can be cut for every seat."""
    match = Match(GAME, options={"handicap": handicap}, seed=seed)
    effective = [0]
    for what, n in steps:
        if what == "play" and match.to_act:
            match.play(match.legal()[n % len(match.legal())])
        elif what == "resign" and match.to_act:
            match.resign(n % 2)
        elif len(effective) > 1:
            to = effective[n % (len(effective) - 1)]
            effective = effective[: effective.index(to) + 1]
            match.undo(to)
            continue
        else:
            continue
        effective.append(match.ply - 1)
    document = record.write(match)
    again, _ = record.read(record.parse(record.dump(document)), GAMES)
    assert_same(match, again)
    assert document == chained(document)
    for seat in (0, 1, None):
        cut = record.redact(document, seat, GAMES)
        assert (match.outcome is not None) == (cut == document)
        assert match.outcome is not None or record.is_chain_intact(cut)
