"""Texts that a seat sends, such as turns with commas, and everything that it is answered: by a match, a draft, a referee.

The audit sends the same texts in worlds that the seat cannot tell apart, and compares the answers.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from ridotto.bots.programs import Fault, parse_action
from ridotto.core import drafts, turns
from ridotto.core.errors import BadNotation, IllegalAction
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.referee import Referee
from ridotto.present.ui import english

LONGEST_TURN = 4
"""Decisions of a turn that is made up."""


def made_up_turn(worlds: Sequence[Match], seat: Seat, dice: random.Random) -> str:
    """A turn of a seat: decisions that it can make in one of the worlds, one after another, with others among them."""
    later, actions = (world := dice.choice(worlds)).after(world.ply), world.rules.ACTIONS
    decisions = []
    for _ in range(dice.randrange(1, LONGEST_TURN + 1)):
        if not (legal := list(later.legal(seat))) or dice.random() < 0.2:
            decisions.append(actions.notation(dice.randrange(actions.size)))
            continue
        decisions.append(dice.choice(legal))
        later.play(decisions[-1], seat)
    if dice.random() < 0.3:
        dice.shuffle(decisions)
    return f"{turns.SEPARATOR} ".join(decisions)


def answers(match: Match, seat: Seat, text: str) -> dict[str, str]:
    """The answers to a text, by who gives them. Of an action that is done, only that it is done: draws differ."""
    return {
        "turn": _played(match, seat, text),
        "draft": _drafted(match, seat, text),
        "referee": _refereed(match, seat, text),
        "program": _chosen(match, seat, text),
    }


def _played(match: Match, seat: Seat, text: str) -> str:
    """The answer to a turn, and the reason of its refusal in words."""
    later, words = match.after(match.ply), english(match.game)
    try:
        later.play(text, seat)
    except IllegalAction as error:
        assert error.refusal is not None
        return f"{error} | {error.refusal} {error.refusal.row} | {words.refusal(error.refusal)}"
    except BadNotation as error:
        return str(error)
    return "done"


def _drafted(match: Match, seat: Seat, text: str) -> str:
    """The turn as a page or a terminal shows it while it is put together."""
    words = english(match.game)
    try:
        draft = drafts.drafted(match, seat, turns.decisions(text))
    except IllegalAction as error:
        assert error.refusal is not None
        return f"{error.refusal.reason} {words.refusal(error.refusal)} {error.refusal.section}"
    except BadNotation as error:
        return str(error)
    view = draft.view(seat)
    return json.dumps(
        [draft.done, draft.waiting, draft.sealed, draft.is_whole(seat), view.noted, view.row, view.legal, view.to_act]
    )


def _refereed(match: Match, seat: Seat, text: str) -> str:
    """The answers of the program that plays by lines of JSON."""
    referee = Referee(match.game)
    why = referee.about(match).answer(json.dumps({"do": "why", "seat": seat, "action": text}))
    played = referee.about(match.after(match.ply)).answer(json.dumps({"do": "play", "seat": seat, "action": text}))
    return why + ("done" if json.loads(played)["ok"] else played)


def _chosen(match: Match, seat: Seat, text: str) -> str:
    """The answer to a program that plays a seat and names an action."""
    view, decision = match.view(seat), text.partition(turns.SEPARATOR)[0]
    if not view.legal:
        return ""
    try:
        return str(parse_action(view, json.dumps({"action": decision}).encode()))
    except Fault as fault:
        return f"{fault.code}: {fault}"
