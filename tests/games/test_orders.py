"""A turn in any order: whatever order the rulebook leaves free leads to the same table, however the turn is entered."""

from __future__ import annotations

import asyncio
import io
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from turn_orders import COMPOUND, entered, giry, orders, some_turns
from visitors import Visitor, running, sat, services, settings

from ridotto.core import drafts
from ridotto.core.errors import CLASH, LATER, BadNotation, IllegalAction
from ridotto.core.match import Match
from ridotto.engine.fields import Row, Seat
from ridotto.games import GAMES
from ridotto.present.ui import english, ui
from ridotto.terminal import session as terminal


@pytest.mark.parametrize("game", COMPOUND)
@pytest.mark.parametrize("each", [6, pytest.param(60, marks=pytest.mark.soak)])
def test_every_order_of_a_turn_leads_to_the_same_table(game: str, each: int) -> None:
    """Handed in as a whole, the decisions of a turn may stand in any order."""
    chooser = random.Random(game)
    for turn in some_turns(game, each, 1):
        for order in orders(turn, chooser):
            match = turn.match.after(turn.match.ply)
            match.play(", ".join(order), turn.seat)
            assert turn.row == match.row, order


@pytest.mark.parametrize("hired", ["architetto", "impresario"])
def test_one_by_one_no_order_costs_anything(hired: str) -> None:
    """§5.1 and §5.2 of Opera: whichever of two pieces or parts comes first, the other can follow; a wing needs its main."""
    ends = 0
    for turn in some_turns("opera", 25, 7):
        if turn.kind != hired:
            continue
        match = turn.match.after(turn.match.ply)
        match.play(f"hire {hired}", turn.seat)
        tables: dict[tuple[str, str], Row] = {}
        verb = "build" if hired == "architetto" else "buy"
        for first in [one for one in match.legal(turn.seat) if one.startswith(verb)]:
            begun = match.after(match.ply)
            begun.play(first, turn.seat)
            if turn.seat not in begun.to_act:
                continue
            for second in [one for one in begun.legal(turn.seat) if one.startswith(verb)]:
                both = begun.after(begun.ply)
                both.play(second, turn.seat)
                if not both.entries[-1].draws:
                    tables[first, second] = both.row
        for (first, second), row in tables.items():
            needed = first.endswith("main") and second.split()[1] == first.split()[1]
            if not needed:
                assert row == tables[second, first]
                ends += 1
    assert ends > 100


@pytest.mark.parametrize("game", COMPOUND)
def test_the_terminal_takes_a_turn_in_any_order(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions typed one by one in any order that the book allows, those that come early included: the same table."""
    chooser = random.Random(f"{game} typed")
    early = 0
    for turn in some_turns(game, 5, 21):
        order = entered(turn, chooser)
        early += order != turn.decisions
        match, screen = turn.match.after(turn.match.ply), io.StringIO()
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(("", *order, ""))))
        terminal.play(match, ["you"] * match.seats, bots={}, console=Console(file=screen, width=200))
        assert turn.row == match.row, (order, screen.getvalue())
    assert early, "some order was not that of the rules"


@pytest.mark.parametrize("game", COMPOUND)
def test_the_page_takes_a_turn_in_any_order(game: str, tmp_path: Path) -> None:
    """A composed turn is one request and one change of the table, in whatever order it was composed."""
    chooser = random.Random(f"{game} sent")

    async def visit() -> None:
        async with running(settings(tmp_path)) as app:
            for turn in some_turns(game, 2, 41):
                people = [await Visitor(app).__aenter__() for _ in range(turn.match.seats)]
                for order in orders(turn, chooser)[:3]:
                    table = await sat(app, turn.match.after(turn.match.ply), *people)
                    answer = await people[turn.seat].act(table.id, ", ".join(order), turn.match.ply)
                    assert 204 == answer.status_code, (order, answer.text)
                    assert turn.row == (await services(app).tables.load(table.id)).match.row
                for one in people:
                    await one.http.aclose()

    asyncio.run(visit())


# What is no turn.


def test_a_turn_is_done_whole_or_not_at_all() -> None:
    """What is wrong is said where most had been done; nothing has changed."""
    match = giry()
    before = match.row, match.ply
    with pytest.raises(IllegalAction, match=r"'move 9'.*too far") as refused:
        match.play("move 9, lock 4-8")
    assert refused.value.refusal is not None and "too_far" == refused.value.refusal.reason
    with pytest.raises(BadNotation, match="names no action"):
        match.play("lock 4-8, mvoe 1")
    with pytest.raises(BadNotation, match="commas"):
        match.play("lock 4-8,")
    assert before == (match.row, match.ply)
    refusal = match.why("move 9, lock 4-8", 0)
    assert refusal is not None and "4.1" == refusal.section
    assert match.why("move 1, lock 4-8", 0) is None


def test_nothing_is_decided_before_a_draw_is_seen() -> None:
    """§5.1 of Le Fantôme: Raoul's alibi comes before whatever follows, so that nobody tries turns until chance is kind."""
    match = Match(GAMES["fantome"], seed=4)
    match.play("pick meg")
    match.play(match.legal()[0])
    before = match.row
    there = match.after(match.ply)
    there.play("pick raoul")
    move = there.legal()[0]
    with pytest.raises(IllegalAction) as refused:
        match.play(f"pick raoul, {move}, pick giry")
    assert refused.value.refusal is not None and LATER == refused.value.refusal.reason
    for language in ("en", "fr", "nl"):
        assert ui(match.game).words(ui(match.game).narrator(language)).refusal(refused.value.refusal)
    assert before == match.row
    match.play(f"{move}, pick raoul")
    assert match.entries[-1].draws


@pytest.mark.parametrize("seats", [2, 3])
def test_a_secret_is_not_asked_for_by_a_turn(seats: int) -> None:
    """§3.1 of Opera: the last bid shows all bids; what is hired after it cannot be tried out before it is made."""
    match = Match(GAMES["opera"], seats, seed=1)
    for seat in range(seats - 1):
        match.play("bid 2", seat)
    for bid in ("bid 0", "bid 9"):
        with pytest.raises(IllegalAction) as refused:
            match.play(f"{bid}, hire maestro", seats - 1)
        assert refused.value.refusal is not None and LATER == refused.value.refusal.reason, (
            "whether it would be one's turn or not"
        )


def test_the_terminal_forgets_what_was_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes early is noted; `undo` forgets it; what does not go with it is refused."""
    match, screen = giry(), io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("\nmove 1\nundo\nmove 1\nlock 4-8\nquit\n"))
    terminal.play(match, ["you", "you"], bots={}, console=Console(file=screen, width=200))
    text = screen.getvalue()
    assert "the order is free; you may also begin with: move 1\n" in text
    assert "noted: Madame Giry goes to the room under the stage (1). Still open: Hang the padlock" in text
    assert "forgotten: move 1" in text
    assert ["lock 4-8", "move 1"] == [entry.do for entry in match.entries[-2:]]


def test_what_does_not_go_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """§5.8 of Le Fantôme: with his destination noted, the Persian's companion can only be left on the way to it."""
    match, chooser = persian_with_company(), random.Random(1)
    screen = io.StringIO()
    later = match.after(match.ply)
    later.play(next(one for one in later.legal() if one.startswith("take")))
    companion = later.entries[-1].do
    for end in (one.text for one in later.view(later.to_act[0]).early):
        for left in later.legal():
            there = later.after(later.ply)
            there.play(left)
            if end not in there.legal():
                monkeypatch.setattr("sys.stdin", io.StringIO(f"\n{end}\n{companion}\n{left}\nquit\n"))
                terminal.play(match, ["you", "you"], bots={}, console=Console(file=screen, width=200))
                assert f"that does not go with what you have noted: {end}" in screen.getvalue()
                assert later.row == match.row
                return
    raise AssertionError(f"every room goes with every other: {chooser}")


def test_a_draft_offers_only_what_goes_with_it() -> None:
    """§5.8 of Le Fantôme: with his destination decided, the companion is left where he comes by; nothing else is legal then."""
    match = persian_with_company()
    seat, refused = match.to_act[0], 0
    match.play(next(one for one in match.legal() if one.startswith("take")))
    for end in (one.text for one in match.view(seat).early):
        draft = drafts.drafted(match, seat, [end])
        assert ((), (end,)) == (draft.done, draft.waiting)
        view = draft.view(seat)
        for left in match.legal():
            there = match.after(match.ply)
            there.play(left)
            fits = end in there.legal()
            assert fits == (match.game.action(left) in view.legal)
            if fits:
                there.play(end)
                whole = drafts.drafted(match, seat, [end, left])
                assert (left, end) == whole.done
                continue
            refused += 1
            with pytest.raises(IllegalAction) as error:
                drafts.drafted(match, seat, [end, left])
            assert error.value.refusal is not None and CLASH == error.value.refusal.reason
            for language in ("en", "fr", "nl"):
                assert ui(match.game).words(ui(match.game).narrator(language)).refusal(error.value.refusal)
    assert refused, "some room does not go with some other"


def test_a_draft_ends_before_a_draw() -> None:
    """§5.1 of Le Fantôme: Raoul's move is the end of his turn; the alibi that it brings is in no draft."""
    match = Match(GAMES["fantome"], seed=4)
    match.play("pick meg")
    match.play(match.legal()[0])
    seat = match.to_act[0]
    begun = drafts.drafted(match, seat, ["pick raoul"])
    assert not begun.is_whole(seat)
    move = begun.match.legal()[0]
    whole = drafts.drafted(match, seat, ["pick raoul", move])
    assert whole.sealed and whole.is_whole(seat) and (move,) == whole.view(seat).noted
    assert begun.match.row == whole.match.row, "what is drawn is not in it"
    with pytest.raises(IllegalAction) as error:
        drafts.drafted(match, seat, ["pick raoul", move, "pick giry"])
    assert error.value.refusal is not None and LATER == error.value.refusal.reason


def test_a_later_choice_takes_the_place_of_another() -> None:
    """§7.1 of Turandot: who sings a role can be changed as long as it waits; nobody sings two."""
    match = next(turn.match for turn in some_turns("turandot", 1, 3) if turn.kind == "cast")
    seat = match.to_act[0]
    first, *others = (one.text for one in match.view(seat).early)
    role, singer = first.split()[1:]
    same = next(one for one in others if one.split()[1] == role)
    assert (same,) == drafts.drafted(match, seat, [first, same]).waiting
    twice = next(one for one in others if one.split()[2] == singer and one.split()[1] != role)
    with pytest.raises((IllegalAction, BadNotation)):
        drafts.drafted(match, seat, [first, twice])


def persian_with_company() -> Match:
    """The Persian is being played, with others in his room."""
    for seed in range(1, 2000):
        chooser, match = random.Random(seed), Match(GAMES["fantome"], seed=seed)
        while match.to_act and match.position()["asked"] != "companion":
            match.play(chooser.choice(match.legal()))
        if match.to_act:
            return match
    raise AssertionError("he is always alone")


def test_what_may_be_decided_ahead_can_be_decided_after_all() -> None:
    """Everything offered ahead is part of some turn that the rules allow from there."""
    checked: Counter[Any] = Counter()
    for game in COMPOUND:
        for turn in some_turns(game, 4, 61):
            now = turn.match.after(turn.match.ply)
            chooser = random.Random(1)
            for _ in range(3):
                if turn.seat not in now.to_act:
                    break
                for one in now.view(turn.seat).early[:4]:
                    assert english(now.game).early(now.masked(turn.seat), turn.seat, one.text) and one.section
                    assert can_follow(now, turn.seat, one.text), one
                    checked[game] += 1
                now.play(chooser.choice(now.legal(turn.seat)), turn.seat)
    assert checked["fantome"] > 20 and checked["turandot"] > 20 and checked["opera"] == 0, (
        "Opera's rules ask in no order of ours"
    )


def can_follow(match: Match, seat: Seat, text: str, depth: int = 8) -> bool:
    """Whether a decision can be done now, or after others of the same turn."""
    if seat not in match.to_act or depth == 0:
        return False
    try:
        if match.why(text, seat) is None:
            return True
    except BadNotation:
        pass
    for action in match.legal(seat):
        later = match.after(match.ply)
        later.play(action, seat)
        if not later.entries[-1].draws and can_follow(later, seat, text, depth - 1):
            return True
    return False
