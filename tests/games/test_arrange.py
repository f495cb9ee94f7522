"""§5.7 of Opera: a whole arrangement handed in at once becomes its small actions, or is refused whole."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from ridotto.core import record
from ridotto.core.errors import IllegalAction
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.games.opera.ui.words import Words
from ridotto.present.referee import Referee
from ridotto.present.ui import english, ui
from ridotto.terminal import session as terminal


def rearranging() -> Match:
    """Seat 0 has hired the Impresario, bought two pieces and is about to rearrange its one hall."""
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 10", 0)
    match.play("bid 0", 1)
    match.play("hire impresario")
    for _ in range(2):
        match.play(next(one for one in match.legal() if one.startswith("buy")))
    assert "rearrange" == match.position()["asked"]
    return match


def bought(match: Match) -> str:
    """A piece behind the screen of seat 0."""
    behind = match.position()["screen"]["0"]
    return str(next(piece for piece, count in behind.items() if count and piece != "house"))


def test_a_whole_arrangement_is_its_small_actions() -> None:
    """§5.7: the same row as by hand, an entry for each small action, and the record replays."""
    match, by_hand = rearranging(), rearranging()
    piece = bought(match)
    before = match.ply
    match.play(f"arrange venezia {piece}")
    by_hand.play(f"place {piece}")
    assert by_hand.row == match.row
    assert before + 1 == match.ply
    assert piece == match.position()["great"]["0"]["venezia"]
    assert match.row == record.read(record.write(match), GAMES)[0].row


@pytest.mark.parametrize("nonsense", ["venezia tosca", "roma verdi", "venezia verdi; venezia verdi", "milano house"])
def test_what_cannot_be_arranged_is_refused_whole(nonsense: str) -> None:
    """§5.7: the § and what is at fault are named, and nothing has changed."""
    match = rearranging()
    before = record.write(match), match.row
    with pytest.raises(IllegalAction, match=r"cannot arrange: .*§5\.7") as refused:
        match.play(f"arrange {nonsense}")
    refusal = refused.value.refusal
    assert refusal is not None and "5.7" == refusal.section
    assert "§" not in english(match.game).refusal(refusal)
    assert ui(match.game).words(ui(match.game).narrator("nl")).refusal(refusal).startswith("kan niet herschikken: ")
    assert before == (record.write(match), match.row)


def test_an_arrangement_out_of_turn_is_refused() -> None:
    """§5.7: only the seat that rearranges may hand one in."""
    match = rearranging()
    with pytest.raises(IllegalAction, match="cannot arrange"):
        match.play("arrange venezia house", 1)


@pytest.mark.parametrize("spoken", ["en", "fr", "nl"])
def test_help_explains_it(spoken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal's help shows a whole arrangement and what it does, in the language spoken, and it can be typed."""
    match = rearranging()
    typed = io.StringIO(f"\nhelp\narrange venezia {bought(match)}\nquit\n")
    monkeypatch.setattr("sys.stdin", typed)
    screen = io.StringIO()
    meaning = Words(ui(match.game).narrator(spoken)).usage()["arrange venezia verdi; wien - house"]
    terminal.play(match, ["you", "you"], bots={}, console=Console(file=screen, width=300), language=spoken)
    assert "arrange venezia verdi; wien - house" in screen.getvalue()
    assert meaning in screen.getvalue()
    assert "rearrange" != match.position()["asked"]


def test_the_example_of_the_help_is_an_arrangement() -> None:
    """§5.7: what the help shows is played as it stands: the great halls of Venezia with a piece, of Wien without."""
    (example,) = Words(ui(GAMES["opera"]).narrator()).usage()
    position = rearranging().position()
    position["built"]["0"]["wien"], position["halls"]["0"]["wien"] = ["main"], 2
    position["supply"]["wien"]["main"] -= 1
    position["screen"]["0"]["verdi"] += 1
    position["deck"]["verdi"] -= 1
    match = Match(GAMES["opera"], position=position)
    match.play(example)
    at = match.position()
    assert ("verdi", None) == (at["great"]["0"]["venezia"], at["great"]["0"]["wien"])
    assert ["house"] == at["side"]["0"]["wien"]


def test_the_referee_takes_arrangements() -> None:
    """A program plays a whole arrangement like any action, and is told all its events."""
    match = rearranging()
    referee = Referee(GAMES["opera"])
    assert json.loads(referee.answer(json.dumps({"do": "record", "record": record.write(match)})))["ok"]
    answer = json.loads(referee.answer(json.dumps({"do": "play", "seat": 0, "action": f"arrange venezia {bought(match)}"})))
    assert answer["ok"], answer
    assert "stages" in [event["event"] for event in answer["events"]]
    refused = json.loads(referee.answer(json.dumps({"do": "play", "seat": 0, "action": "arrange venezia tosca"})))
    assert "illegal_action" == refused["error"]["code"]
