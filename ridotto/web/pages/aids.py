"""What helps at the table: the rulebook beside it, a hint, and why something cannot be done.

All three are shown in one drawer beside the board; on a phone it is a sheet. The buttons that open it stand with the question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ridotto.bots import Opinion
from ridotto.bots.opinion import choices, reasons
from ridotto.core.markup import Html, el, join
from ridotto.core.match import Match
from ridotto.core.narrator import current, mark, say, spoken
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.table import opening, paragraph, press

LOOKS: Final = ("search:500", "search:4000", "search:20000")
"""How a hint is thought about: a glance, a second look, a long one."""
SHOWN: Final = 3
"""Actions that a hint names."""
MANY: Final = 5
"""Names in a row that are not too many to read."""
HINTS: Final = {
    "bots": mark("hints where all the others are bots"),
    "all": mark("hints for everybody"),
    "none": mark("no hints"),
}
"""Who may ask for hints at a table, the usual first."""


# With the question.


def buttons(scene: TablePage, *more: str) -> Html:
    """What opens the drawer: the rules at the § that matters now; for whoever is asked, why not, a hint, and `more`."""
    view = scene.view
    section = section_now(view)
    where = f"/rules/{spoken()}/{scene.game.name}" + (f"#s-{section.replace('.', '-')}" if section else "")
    shown = f"§{section}" if section else "§"
    label = say("The rules, at {section}", section=shown)
    found = [el("a", el("b", shown), " ", el("span", say("Rules")), id="aid-rules", cls="aid", href=where, aria_label=label)]
    if view.seat is not None and view.seat in view.to_act and view.legal:
        found.append(el("button", say("Why not?"), type="button", id="aid-why", cls="aid", data_aid="cannot"))
        if scene.hints:
            found.append(el("button", say("Hint"), type="button", id="aid-hint", cls="aid", data_aid="hint"))
    return el("div", *found, *more, cls="aids", role="group", aria_label=say("Help"))


def section_now(view: View) -> str:
    """The § that matters now: of what may be done, of how it ended, or of what has just happened."""
    if view.outcome is not None:
        return view.outcome.section
    if view.legal:
        return str(view.game.rules.ACTIONS.family(view.legal[0]).section)
    told = [one.event.section for one in view.seen if one.event.section]
    return told[-1] if told else ""


def drawer() -> Html:
    """The drawer itself, empty."""
    return el(
        "dialog",
        el(
            "div",
            el("h2", id="beside-title", tabindex=-1),
            el("a", say("As a page"), id="beside-page", target="_blank", rel="noopener", hidden=True),
            el("button", "×", type="button", cls="press beside-close", aria_label=say("Close")),
            cls="beside-head",
        ),
        el("p", id="beside-status", role="status", cls="unseen"),
        el("div", id="beside-body", tabindex=0, role="region", aria_labelledby="beside-title"),
        id="beside",
        aria_labelledby="beside-title",
        data_say_rules=say("The rules"),
        data_say_cannot=say("Why not?"),
        data_say_hint=say("Hint"),
        data_say_contents=say("Contents"),
        data_say_thinking=opening(say("looking ahead …")),
        data_say_failed=say("That did not reach the table. Please try again."),
        data_say_near=say("The nearest that can be done:"),
        data_say_why=say("Why not: {what}?", what="{what}"),
    )


def about_hints(scene: TablePage) -> str:
    """One sentence on who may ask for hints here."""
    if scene.hints:
        return say("Hints may be asked for at this table: what a bot would do that sees no more than you.")
    return say("There are no hints at this table, since people play against each other or its host does not want them.")


def choice_of_hints() -> Html:
    """The part of the form of a new table that says who may ask for hints."""
    options = [el("option", opening(say(text)), value=value) for value, text in HINTS.items()]
    return el("label", el("span", say("Hints")), el("select", *options, name="hints"))


def settings(form: Mapping[str, Any]) -> dict[str, str]:
    """What a form says about hints, if it is not the usual."""
    wish = str(form.get("hints", ""))
    return {"hints": wish} if wish in HINTS and wish != "bots" else {}


# A hint.


def hint(
    view: View, opinion: Opinion, look: int, lines: Sequence[str], called: Callable[[Seat], str] | None = None
) -> dict[str, Any]:
    """What a bot would do here: the best actions with how sure it is and why, as a part of a page and as a sentence.

    `lines` say what the first of them would do, as far as the seat can know.
    """
    words = view.game.words(replace(current(), reader=view.seat))
    best = choices(view, words, opinion, SHOWN)
    why = reasons(view, words, opinion, called)
    items = [
        el(
            "li",
            press(one.notation, opening(one.label)),
            el("span", el("i", cls=f"gauge of-{round(20 * one.value)}"), one.text, cls="worth-told"),
        )
        for one in best
    ]
    done = look == len(LOOKS)
    told = say("looked ahead {count} times", count=opinion.playouts)
    html = join(
        el("div", el("progress", value=look, max=len(LOOKS), aria_label=told), el("small", opening(told)), cls="looking"),
        el("ol", *items, cls="advice"),
        el("ul", *(el("li", sentence) for sentence in why), cls="reasons"),
        *([el("h3", say("What the first would do")), el("ul", *(el("li", line) for line in lines))] if lines else []),
        el("p", say("A bot thought about this with what you can see, and nothing else."), cls="note"),
    )
    first = say("Hint: {label}.", label=best[0].label)
    return {
        "html": html,
        "actions": [one.notation for one in best],
        "done": done,
        "announcement": " ".join((first, *why)) if done else "",
    }


# Why not.


def cannot(match: Match, seat: Seat) -> dict[str, Any]:
    """Everything that cannot be done now, by the reason: single actions of what is asked, else whole verbs.

    With what every such action would be called, for whoever goes over the board by keyboard.
    """
    view = match.view(seat, since=match.ply)
    game, actions = match.game, match.rules.ACTIONS
    possible = {actions.family(one).verb for one in view.legal}
    words = game.words_now()
    names = {actions.notation(one): words.label(view.row, seat, one) for one in range(actions.size) if one not in view.legal}
    groups: dict[tuple[str, str], list[str]] = {}
    """What is refused, by the reason in words and its §."""
    for notation in names:
        verb = notation.split()[0]
        refusal = match.why(notation, seat)
        assert refusal is not None
        told = groups.setdefault((refusal.text(words), refusal.section), [])
        name = names[notation] if verb in possible else words.verb(verb)
        if name not in told:
            told.append(name)
    items = [
        el("li", el("b", _some(told)), el("span", *_because(game.name, why, section)), cls="refused")
        for (why, section), told in groups.items()
    ]
    can = [el("li", opening(words.verb(verb))) for verb in dict.fromkeys(map(_verb(match), view.legal))]
    html = join(
        el("div", id="asked-why", role="status"),
        el("p", say("Point at anything on the board that is not lit, or go there with Tab and press Enter."), cls="note"),
        el("h3", say("What can be done now")),
        el("ul", *can, cls="possible"),
        el("h3", say("What cannot, and why")),
        el("ul", *items, cls="refusals"),
    )
    return {"html": html, "names": names}


def _some(names: Sequence[str]) -> str:
    """A few names, and a sign that there are more.

    >>> _some(["play Meg", "play Raoul"])
    'Play Meg, play Raoul'
    """
    return opening(", ".join(names if len(names) <= MANY else [*names[: MANY - 1], "…"]))


def _verb(match: Match) -> Callable[[int], str]:
    return lambda action: str(match.rules.ACTIONS.family(action).verb)


def _because(game: str, why: str, section: str) -> list[str]:
    """A refusal as a sentence."""
    text = opening(why)
    return [text if text.endswith((".", "!", "?", "…")) else f"{text}.", " ", paragraph(game, section)]
