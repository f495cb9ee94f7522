"""What a view says of what happened."""

from __future__ import annotations

from ridotto.core.match import Match
from ridotto.games import GAMES


def test_what_was_taken_back_is_not_in_effect() -> None:
    """After two moves back and another one, the events are those of the moves that count, the latest first."""
    match = Match(GAMES["fantome"], 2, seed=1)
    for _ in range(3):
        match.play(next(iter(match.legal())))
    match.undo(1)
    match.play(next(iter(match.legal())))
    view = match.view(None)
    plies = [one.ply for one in view.in_effect()]
    assert plies == sorted(plies, reverse=True)
    assert set(plies) <= {0, 1, 5}
    assert {one.ply for one in view.seen} & {2, 3}


def test_the_latest_events_are_those_of_the_last_entry() -> None:
    """An entry that tells nobody anything leaves none."""
    match = Match(GAMES["fantome"], 2, seed=1)
    match.play(next(iter(match.legal())))
    view = match.view(None)
    assert [one for one in view.seen if one.ply == view.ply - 1] == view.latest() != []
    match.undo()
    assert ["undone"] == [one.event.name for one in match.view(None).latest()]


def test_the_last_action_is_the_last_that_stands() -> None:
    """After a takeback, the action before it; nothing after the deal."""
    match = Match(GAMES["fantome"], seed=4)
    assert [] == match.view(None).last_action()
    match.play("pick giry")
    match.play("lock 4-8")
    assert ["locked"] == [one.event.name for one in match.view(None).last_action()]
    match.undo()
    assert ["picks"] == [one.event.name for one in match.view(None).last_action()]
