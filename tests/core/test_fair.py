"""A deal that can be verified: honest matches are, and a server that cheats is caught, in every way that the docs name."""

import hashlib
import hmac
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.draws import outcome_counts
from ridotto.core.fair import RANGE, BadDeal, FairDeal, Keyed, commit_to_secret, commit_to_share, new_secret
from ridotto.core.laid_out import LaidOut
from ridotto.core.match import Match
from ridotto.core.verify import BadReceipt, NotVerifiable, Receipt, Verification, read_receipt, verify
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.reasons import DISCREPANCIES
from ridotto.present.ui import english

ID = "aBcDeFgHiJkLmNoPqRsT-_"


def agreed(seats: int, secret: str = "", shares: dict[int, str] | None = None) -> FairDeal:
    """A deal for which everything was committed to, and shown."""
    shares = shares if shares is not None else {seat: f"{seat + 1:064x}" for seat in range(seats)}
    commitments = [commit_to_share(shares[seat]) if seat in shares else None for seat in range(seats)]
    fair = FairDeal.new(ID, secret or "5" * 64, commitments)
    for seat, share in shares.items():
        fair = fair.with_share(seat, share)
    return fair


def receipt_of(fair: FairDeal, seat: int = 0) -> Receipt:
    """What the browser at a seat was told before it showed its share."""
    share = fair.shares[seat]
    assert share is not None
    return Receipt(fair.match, seat, fair.commitment, fair.commitments, share)


def played(fair: FairDeal, game: str = "turandot", seats: int | None = None, plies: int = 10_000) -> Match:
    """A match played at random to its end, or for some plies and then resigned; with a takeback in its midst."""
    match, chance = Match(GAMES[game], seats or len(fair.shares), fair=fair), random.Random(7)
    while match.to_act and match.ply < plies:
        seat = chance.choice(match.to_act)
        match.play(chance.choice(list(match.legal(seat))), seat)
        if match.ply == 12 and match.to_act:
            match.undo()
            match.redeal()
    if match.to_act:
        match.resign(match.to_act[0])
    return match


def drawn_by_hand(key: str, ply: int, number: int, outcomes: int) -> int:
    """The draw as the documentation describes it, written anew."""
    for attempt in range(100):
        digest = hmac.new(key.encode(), f"{ply} {number} {attempt}".encode(), hashlib.sha256).hexdigest()
        x = int(digest[:12], 16)
        if x < 2**48 - 2**48 % outcomes:
            return x % outcomes
    raise AssertionError


def told(found: Verification) -> list[str]:
    return [DISCREPANCIES[one.reason] for one in found.discrepancies]


# The draws.


@pytest.mark.parametrize("name", list(GAMES))
def test_every_draw_of_a_match_follows_from_the_key(name: str) -> None:
    """Worked out by the documented function, written a second time, over a whole match with a takeback and a new deal."""
    game = GAMES[name]
    fair = agreed(game.seats[-1])
    secret, shares = "5" * 64, [f"{seat + 1:064x}" for seat in range(game.seats[-1])]
    key = hashlib.sha256(f"ridotto key {ID} {secret} {' '.join(shares)}".encode()).hexdigest()
    match = played(fair, name, plies=60)
    counted = 0
    for ply, entry in enumerate(match.entries):
        counts = outcome_counts(match, ply)
        assert [drawn_by_hand(key, ply, at, outcomes) for at, outcomes in enumerate(counts)] == list(entry.draws)
        counted += len(counts)
    assert any(entry.do == "redeal" for entry in match.entries)
    found = verify(record.write(match), GAMES, receipt_of(fair))
    assert found.is_right and found.draws == counted > 0


def test_draws_are_fair_and_rejected_numbers_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every outcome comes as often as the others; with a range that six does not divide, the last numbers are not used."""
    chance = Keyed("ab" * 32)
    counts = Counter(chance.draw(3, number, 6) for number in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi square with 5, at one in a thousand
    outcomes = RANGE // 2 + 1  # nearly half of all numbers are tried again
    drawn = [chance.draw(0, number, outcomes) for number in range(50)]
    assert drawn == [drawn_by_hand("ab" * 32, 0, number, outcomes) for number in range(50)]
    again = [number for number in range(50) if int(_keyed("ab" * 32, f"0 {number} 0")[:12], 16) >= outcomes]
    assert 10 < len(again) < 40


def _keyed(key: str, text: str) -> str:
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def test_no_number_is_used_twice_after_a_takeback() -> None:
    """What is drawn again after an undo is drawn with the number of another entry."""
    match = Match(GAMES["turandot"], 3, fair=agreed(3))
    asked: list[tuple[int, int]] = []

    class Watched(Keyed):
        def draw(self, ply: int, number: int, outcomes: int) -> int:
            asked.append((ply, number))
            return super().draw(ply, number, outcomes)

    assert match.fair is not None
    match.chance = Watched(match.fair.key)
    chance = random.Random(1)
    for turn in range(80):
        if not match.to_act:
            break
        seat = match.to_act[0]
        match.play(chance.choice(list(match.legal(seat))), seat)
        if turn % 7 == 6 and match.to_act:
            match.undo()
            match.redeal()
    assert len(asked) == len(set(asked)) > 20


def test_each_part_changes_the_key() -> None:
    """Secret, shares, and match: another one of any of them, and the draws are others."""
    fair = agreed(2)
    others = [
        replace(fair, secret="6" * 64),
        replace(fair, match="another"),
        replace(fair, shares=(fair.shares[0], "7" * 64)),
        replace(fair, shares=(None, fair.shares[1])),
        replace(fair, shares=(fair.shares[1], fair.shares[0])),
    ]
    assert len({fair.key, *(one.key for one in others)}) == 6


# Before the end.


def test_the_secret_is_shown_when_the_match_is_over_and_not_before() -> None:
    """Neither a record, nor a redacted one, nor a repr has the secret or the key while the match goes on."""
    fair = agreed(2)
    assert fair.secret is not None
    match = Match(GAMES["fantome"], fair=fair)
    for _ in range(20):
        documents = [record.write(match), record.redact(record.write(match), 0, GAMES)]
        documents.append(record.redact({**record.write(match), record.DEAL: fair.json()}, None, GAMES))
        seen = [views.as_json(match.view(seat), english(match.game)) for seat in (None, 0, 1)]
        text = json.dumps([documents, seen]) + repr(match) + repr(vars(match)) + repr(match.view(0))
        assert fair.secret not in text and fair.key not in text
        seat = match.to_act[0]
        match.play(match.legal(seat)[0], seat)
    match.resign(0)
    document = record.write(match)
    assert document["deal"]["secret"] == fair.secret
    assert verify(document, GAMES, receipt_of(fair, 1)).is_right


def test_a_match_that_goes_on_or_was_dealt_otherwise_is_not_verifiable() -> None:
    """Both are said, and neither is called right or wrong."""
    with pytest.raises(NotVerifiable, match="not over"):
        verify(record.write(Match(GAMES["fantome"], fair=agreed(2))), GAMES)
    seeded = Match(GAMES["fantome"], seed=1)
    seeded.resign(0)
    with pytest.raises(NotVerifiable, match="from a seed"):
        verify(record.write(seeded), GAMES)


def test_a_share_that_never_came_is_replaced_and_told() -> None:
    """The share then follows from the secret that the server has committed to."""
    fair = agreed(3, shares={1: "9" * 64})
    found = verify(record.write(played(fair)), GAMES, receipt_of(fair, 1))
    assert found.is_right and found.server_shares == (0, 2)
    stand_in = hmac.new(b"5" * 64, b"ridotto share 0", hashlib.sha256).hexdigest()
    assert replace(fair, shares=(stand_in, *fair.shares[1:])).key == fair.key


def test_a_share_must_fit_its_commitment() -> None:
    fair = FairDeal.new(ID, new_secret(), [commit_to_share("1" * 64), None])
    assert fair.missing == (0,)
    for share in ("2" * 64, "1" * 63, "", "1" * 64 + "\n"):
        with pytest.raises(BadDeal, match="seat 0"):
            fair.with_share(0, share)
    assert fair.with_share(0, "1" * 64).missing == ()


# Servers that cheat.


def test_another_draw_is_caught_even_if_the_chain_is_made_anew() -> None:
    """The server lets a match be drawn by other dice, and writes it all down consistently."""
    fair = agreed(2)

    class Loaded(Keyed):
        def draw(self, ply: int, number: int, outcomes: int) -> int:
            drawn = super().draw(ply, number, outcomes)
            return (drawn + 1) % outcomes if (ply, number) == (0, 3) else drawn

    match = Match(GAMES["fantome"], fair=fair, chance=Loaded(fair.key))
    match.resign(0)
    (finding,) = verify(record.write(match), GAMES).discrepancies
    honest = Match(GAMES["fantome"], fair=fair)
    assert finding.values["ply"] == 0 and finding.values["number"] == 4
    assert (finding.values["expected"], finding.values["drawn"]) == (honest.entries[0].draws[3], match.entries[0].draws[3])


def test_a_second_secret_is_caught() -> None:
    """The server plays by another secret than the one that it has committed to."""
    fair = agreed(2)
    other = replace(fair, secret="6" * 64)
    assert "not the one that it committed to" in told(verify(record.write(played(other, "fantome")), GAMES))[0]


def test_a_secret_found_by_trying_is_caught_by_a_receipt() -> None:
    """Having seen the shares, the server tries secrets until the deal suits it, and commits to that one afterwards."""
    fair = agreed(2)

    def suits(one: FairDeal) -> bool:
        return Match(GAMES["fantome"], fair=one).entries[0].draws[0] == 3

    tried = (replace(fair, secret=f"{number:064x}") for number in range(1000))
    found = next(one for one in tried if suits(one))
    assert found.secret is not None
    found = replace(found, commitment=commit_to_secret(ID, found.secret))
    document = record.write(played(found, "fantome"))
    assert verify(document, GAMES).is_right  # the record alone cannot tell
    assert told(verify(document, GAMES, receipt_of(fair))) == [
        "The server had committed to another secret before the shares were shown."
    ]


def test_swapped_commitments_and_shares_are_caught_by_a_receipt() -> None:
    """The server exchanges somebody's share, with a commitment that fits; leaves one out; or says that it was another match."""
    fair = agreed(3)
    swapped = replace(
        fair, commitments=(fair.commitments[0], commit_to_share("8" * 64), None), shares=(fair.shares[0], "8" * 64, None)
    )
    document = record.write(played(swapped))
    assert verify(document, GAMES).is_right
    assert told(verify(document, GAMES, receipt_of(fair))) == ["Seat {seat} had committed to another share."] * 2
    assert "replaced by another one" in told(verify(document, GAMES, receipt_of(fair, 1)))[-1]
    assert "left out" in told(verify(document, GAMES, receipt_of(fair, 2)))[-1]
    other = replace(fair, match="another", commitment=commit_to_secret("another", "5" * 64))
    assert told(verify(record.write(played(other)), GAMES, receipt_of(fair))) == ["The receipt is from another match."]
    unfit = replace(fair, shares=("8" * 64, *fair.shares[1:]))
    assert told(verify(record.write(played(unfit)), GAMES)) == ["The share of seat {seat} is not the one that it committed to."]


def test_a_log_that_was_written_anew_is_caught_by_a_receipt() -> None:
    """The draws are right, but the match is not the one that the browser saw."""
    fair = agreed(2)
    match = played(fair, "fantome", plies=30)
    hashes = [entry["hash"] for entry in record.write(match)["entries"]]
    seen = replace(receipt_of(fair), head=(20, hashes[20]))
    assert verify(record.write(match), GAMES, seen).is_right
    other = Match(GAMES["fantome"], fair=fair)
    for _ in range(22):
        other.play(other.legal()[-1])
    other.resign(0)
    assert told(verify(record.write(other), GAMES, seen)) == ["The log up to entry {ply} is not the one that was played."]
    short = Match(GAMES["fantome"], fair=fair)
    short.resign(0)
    assert len(verify(record.write(short), GAMES, seen).discrepancies) == 1


def test_a_deal_that_is_passed_off_as_a_position_is_caught() -> None:
    """A server that chose the cards writes them down as the position that the match began with: nothing was drawn then."""
    fair = agreed(2)
    chosen = Match(GAMES["fantome"], seed=99)
    forged = Match(GAMES["fantome"], position=chosen.position(), fair=fair)
    forged.resign(0)
    document = record.write(forged)
    assert told(verify(document, GAMES)) == [
        "Shares were committed to, so the match was dealt; but this record begins with a position."
    ]
    bare = replace(fair, commitments=(None, None), shares=(None, None))
    without = Match(GAMES["fantome"], position=chosen.position(), fair=bare)
    without.resign(0)
    found = verify(record.write(without), GAMES, receipt_of(fair))
    assert found.is_from_position and "Seat {seat} had committed to another share." in told(found)
    branch = verify(record.write(without), GAMES)
    assert branch.is_right and branch.is_from_position


# The command.


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, dict[str, Any]]:
    fair = agreed(2)
    document = record.write(played(fair, "fantome", plies=25))
    match, receipt = tmp_path / "match.json", tmp_path / "receipt.json"
    match.write_text(record.dump(document))
    receipt.write_text(json.dumps(receipt_of(fair).json()))
    return match, receipt, document


def run(*args: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["verify", *map(str, args)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, " ".join(result.output.split())


def test_the_command_says_yes_or_what_differs(files: tuple[Path, Path, dict[str, Any]]) -> None:
    match, receipt, document = files
    code, output = run(match)
    assert code == 0 and "draws are as they must be" in output and "Only a receipt shows" in output
    code, output = run(match, "--receipt", receipt, "--json")
    assert code == 0 and json.loads(output)["verified"] and json.loads(output)["receipt"]
    changed = json.loads(receipt.read_text()) | {"commitment": "0" * 64}
    receipt.write_text(json.dumps(changed))
    code, output = run(match, "--receipt", receipt)
    assert code == 1 and "committed to another secret" in output
    code, output = run(match, "--receipt", receipt, "--language", "nl", "--json")
    assert code == 1 and "had committed to another secret" not in json.loads(output)["wrong"][0]
    del document["deal"]
    match.write_text(record.dump(document))
    code, output = run(match)
    assert code == 2 and "cannot be verified" in output


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": "ridotto receipt"}', '{"format": "ridotto receipt", "version": 1, "match": 3}', "\ud800"],
)
def test_what_is_no_receipt_is_refused(files: tuple[Path, Path, dict[str, Any]], text: str) -> None:
    match, receipt, _ = files
    receipt.write_bytes(text.encode("utf-8", "surrogatepass"))
    code, output = run(match, "--receipt", receipt)
    assert code == 2 and output.startswith("ridotto: ")


def test_a_receipt_is_read_back_as_it_was_written() -> None:
    fair = agreed(3)
    for receipt in (receipt_of(fair, 2), replace(receipt_of(fair), head=(3, "c" * 64))):
        assert read_receipt(json.loads(json.dumps(receipt.json()))) == receipt
    good = receipt_of(fair).json()
    early = {"head": {"ply": -1, "hash": "c" * 64}}
    bad: list[dict[str, Any]] = [{"seat": 3}, {"seat": True}, {"share": None}, early, {"head": 3}, {"commitments": ["x"]}]
    for change in bad:
        with pytest.raises(BadReceipt):
            read_receipt(good | change)


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "x"},
        {"shares": []},
        {"commitment": None},
        {"match": "a b"},
        {"more": 1},
        {"commitments": [None, 7]},
    ],
)
def test_a_deal_that_is_not_written_as_it_should_be_is_refused(change: dict[str, Any]) -> None:
    document = record.write(played(agreed(2), "fantome", plies=5))
    document["deal"] = document["deal"] | change
    with pytest.raises(record.BadRecord, match="the deal of the record"):
        record.read(document, GAMES)


# A table that is not dealt yet.


@pytest.mark.parametrize("name", list(GAMES))
def test_a_table_that_is_laid_out_shows_everybody_the_same(name: str) -> None:
    """Nobody owes anything, nothing is over, and nothing of the deal to come is in it: it is always the same."""
    one, other = LaidOut(GAMES[name]), LaidOut(GAMES[name])
    assert not one.is_dealt and one.ply == 0 and one.to_act == () and one.outcome is None
    views = [one.view(seat) for seat in (None, *range(one.seats))]
    assert all(view == other.view() for view in views)
    assert views[0].legal == () and views[0].outcome is None and views[0].seen == () and views[0].seat is None
    assert one.after(0).view(0) == views[1]
