"""The reason why something cannot be done now, and the nearest thing that can.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> from ridotto.present.ui import english
>>> match = Match(GAMES["opera"], 2, seed=1)
>>> match.play("bid 3", 0)
>>> match.play("bid 3", 1)
>>> told = answer(match, 1, "hire esperto", english(match.game))
>>> told["message"], told["section"], told["nearest"]["do"]
('the Esperto costs 4 levels, and you are on level 3', '4.2', 'hire impresario')
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from ridotto.core.errors import Refusal
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import Kind, Seat
from ridotto.present.narrator import opening
from ridotto.present.ui import ui
from ridotto.present.words import Words

OTHERWISE: Final = 1
"""The distance of two things that cannot be measured."""


def answer(match: Match, seat: Seat, do: str, words: Words) -> dict[str, Any]:
    """The reason a seat may not do something now, its §, the action, and the nearest that it may do; "" and None if it may."""
    refusal = why(match, seat, do)
    if refusal is None:
        return {"message": "", "section": "", "nearest": None, "what": ""}
    told, what = None, ""
    action = match.rules.ACTIONS.parse(do)
    if action is not None:
        view = match.view(seat, since=match.ply)
        what = opening(words.label(view.row, seat, action))
        near = nearest(view, action)
        if near is not None:
            told = {"do": match.rules.ACTIONS.notation(near), "label": words.label(view.row, seat, near)}
    return {"message": words.refusal(refusal), "section": refusal.section, "nearest": told, "what": what}


def why(match: Match, seat: Seat, do: str) -> Refusal | None:
    """The refusal of an action that a seat may not do now; None if it may."""
    return match.why(do, seat)


def nearest(view: View, action: int) -> int | None:
    """The legal action that comes nearest to one that is not: the same verb first, then the same target; None if none does.

    Of several with the same verb, the one whose first argument is nearest, then the second, and so on; of several with
    another verb, the one that shares most; of equals, the first.
    """
    actions = view.game.rules.ACTIONS
    family, wanted = actions.family(action), actions.notation(action).split()[1:]
    same = [one for one in view.legal if actions.family(one).verb == family.verb]
    if same:
        return min(same, key=lambda one: tuple(map(partial(_far, view), family.of, wanted, actions.notation(one).split()[1:])))
    target = ui(view.game).page.target
    targets = {(target(kind), name) for kind, name in zip(family.of, wanted, strict=True) if target(kind)}

    def shared(one: int) -> int:
        kinds, names = actions.family(one).of, actions.notation(one).split()[1:]
        return len(targets & {(target(kind), name) for kind, name in zip(kinds, names, strict=True)})

    best = max(view.legal, key=shared, default=None)
    return best if best is not None and shared(best) else None


def _far(view: View, kind: Kind, one: str, other: str) -> int:
    """The distance of two arguments on this table: as the game says, else in number; else alike or not."""
    if one == other:
        return 0
    distance = ui(view.game).page.distance(view, kind, one, other)
    if distance is not None:
        return distance
    return abs(int(one) - int(other)) if one.isdecimal() and other.isdecimal() else OTHERWISE
