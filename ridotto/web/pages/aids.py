"""The aids of a table: the rulebook beside it, a hint, and why something cannot be done.

All three are shown in one drawer beside the board; on a phone it is a sheet. The buttons that open it stand with the question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ridotto.bots import Opinion
from ridotto.bots.opinion import by_chance, choices, reasons
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.present.html import Html
from ridotto.present.narrator import Narrator, mark
from ridotto.present.ui import ui
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.render import render

LOOKS: Final = ("search:500", "search:4000", "search:20000")
"""The bots behind a hint: a glance, a second look, a long one."""
SHOWN: Final = 3
"""Actions that a hint names."""
NOTHING: Final = Html("")
MANY: Final = 5
"""Names in a row that are not too many to read."""
HINTS: Final = {
    "bots": mark("only against bots"),
    "all": mark("for everybody"),
    "none": mark("off"),
}
"""The people who may ask for hints at a table, the usual first."""


# With the question.


def buttons(table: TablePage, more: Html = NOTHING) -> Html:
    """The buttons that open the drawer: the rules at the § that matters now; with a question, why not, a hint, and `more`."""
    view = table.view
    is_asked = view.seat is not None and view.seat in view.to_act and bool(view.legal)
    return _buttons(
        table.narrator.language, table.game.name, section_now(view), is_asked, is_asked and table.rights.has_hints, more
    )


@lru_cache(8192)
def _buttons(language: str, game: str, section: str, is_asked: bool, has_hints: bool, more: Html) -> Html:
    given = {"game": game, "section": section, "is_asked": is_asked, "has_hints": has_hints, "more": more}
    return render("aids.html", Narrator(language), **given)


def section_now(view: View) -> str:
    """The § that matters now: of what may be done, of how it ended, or of what has just happened."""
    if view.outcome is not None:
        return view.outcome.section
    if view.legal:
        return str(view.game.rules.ACTIONS.family(view.legal[0]).section)
    return next((one.event.section for one in reversed(view.seen) if one.event.section), "")


# A hint.


def hint(
    view: View, opinion: Opinion, look: int, narrator: Narrator, called: Callable[[Seat], str] | None = None
) -> dict[str, Any]:
    """A bot's choice here: the best actions with how sure it is and why, as a part of a page and as a sentence."""
    words = ui(view.game).words(replace(narrator, reader=view.seat))
    best = choices(view, words, by_chance(opinion, SHOWN))
    why = reasons(view, words, by_chance(opinion, len(opinion.ranked)), called)
    effort = narrator.count("looked ahead {number} time", "looked ahead {number} times", opinion.playouts)
    is_done = look == len(LOOKS)
    first = narrator.say("Hint: {label}.", label=best[0].label)
    return {
        "html": render("hint.html", narrator, look=look, looks=len(LOOKS), effort=effort, best=best, reasons=why),
        "actions": [one.notation for one in best],
        "done": is_done,
        "announcement": " ".join((first, *why)) if is_done else "",
    }


# Why not.


class Refused(NamedTuple):
    """Some actions that cannot be done for the same reason."""

    actions: str
    reason: str
    section: str


def cannot(match: Match, seat: Seat, narrator: Narrator) -> dict[str, Any]:
    """Everything that cannot be done now, by the reason: single actions of what is asked, else whole verbs.

    With what every such action would be called, for whoever goes over the board by keyboard.
    """
    view = match.view(seat, since=match.ply)
    game, actions = match.game, match.rules.ACTIONS
    verbs = list(dict.fromkeys(actions.family(one).verb for one in view.legal))
    words = ui(game).words(narrator)
    names = {actions.notation(one): words.label(view.row, seat, one) for one in range(actions.size) if one not in view.legal}
    legal = {words.label(view.row, seat, one) for one in view.legal}
    groups: dict[tuple[str, str], list[str]] = {}
    """The refused actions, by the reason in words and its §."""
    for notation in names:
        verb = notation.split()[0]
        refusal = match.why(notation, seat)
        if refusal is None or names[notation] in legal:
            continue  # it means the same as something that can be done
        same = groups.setdefault((words.refusal(refusal), refusal.section), [])
        name = names[notation] if verb in verbs else words.verb(verb)
        if name not in same:
            same.append(name)
    refused = [Refused(_some(same), reason, section) for (reason, section), same in groups.items()]
    possible = [words.verb(verb) for verb in verbs]
    html = render("cannot.html", narrator, game=game.name, possible=possible, refused=refused)
    return {"html": html, "names": names}


def _some(names: Sequence[str]) -> str:
    """A few names, and a sign that there are more.

    >>> _some(["play Meg", "play Raoul"])
    'play Meg, play Raoul'
    """
    return ", ".join(names if len(names) <= MANY else [*names[: MANY - 1], "…"])
