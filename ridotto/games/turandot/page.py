"""Turandot at the web table: what is laid is picked part by part, and shown when it is turned up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ridotto.core import protocols
from ridotto.core.answers import answers, press
from ridotto.core.drawing import Svg, tag
from ridotto.core.markup import Html, el, seat_badge
from ridotto.core.view import View
from ridotto.engine.fields import Kind
from ridotto.games.turandot import picture
from ridotto.games.turandot.rules import ACTIONS, DIRECTOR_ROUND, A, F
from ridotto.games.turandot.words import Words

MANY: Final = 8
"""From so many answers on, they are picked part by part."""


class Page(protocols.Page[Words]):
    """What Turandot has of its own."""

    usual_seats = 3

    def answers(self, view: View, words: Words) -> Html | None:
        """Cards are picked part by part; whoever casts may see the best casting."""
        verb = ACTIONS.family(view.legal[0]).verb
        if verb == "bid" and len(view.legal) >= MANY:
            return picker(view, words)
        if verb == "cast":
            best = words.say("The best casting")
            return answers(
                view, words, more=[el("button", best, type="button", cls="press", data_hinting=True, aria_pressed="false")]
            )
        return None

    def news(self, view: View, words: Words) -> Html | None:
        """The cards as they are turned up: who laid what, and what came of it."""
        turned = [one for one in view.seen if one.ply == view.ply - 1 and one.event.name == "reveals"]
        if not turned:
            return None
        choices = {one.values["seat"]: one.values["choice"] for one in turned}
        opened = [one for one in view.seen if one.event.name == "opens" and one.ply < view.ply - 1]
        directing = bool(opened) and opened[-1].values["round"] == DIRECTOR_ROUND
        results = picture.audition_results(view.row, choices, turned[0].values["seat"], directing)
        cards = []
        for seat, choice in choices.items():
            face = tag("svg", Svg(picture.laid_cards(choice, 40, 26)), viewBox="0 0 80 52", cls="drawing laid-cards")
            outcome, tone = picture.result_text(words, results[seat])
            told = el("span", words.laid(choice), cls="unseen")
            came = el("span", outcome, cls=f"came {tone.split()[0]}")
            clashing = "turned clashing" if results[seat] == picture.TIED else "turned"
            cards.append(el("li", seat_badge(seat), Html(face), told, came, cls=clashing))
        return el("ol", *cards, cls="reveal", tabindex=0, aria_label=words.say("The cards are turned up"))

    def target(self, kind: Kind) -> str:
        """A sum and a bluff are nothing on the table."""
        return "" if kind.name in ("purse", "bluff") else kind.name


def picker(view: View, words: Words) -> Html:
    """A number, some money and the bluff card, chosen one by one; then one button lays them.

    Every combination is a button; the script shows the one that is chosen.
    """
    assert view.seat is not None
    numbers, sums, buttons = {}, {}, []
    for action in view.legal:
        verb, *parts = ACTIONS.notation(action).split()
        number, money, bluff = parts if verb == "bid" else ("0", "*", parts[0])
        if verb == "bid":
            numbers[number] = f"{number} · {words.card(view.row[F.offer + int(number) - 1])}"
            sums[money] = money
        text = words.say("Lay: {cards}", cards=words.label(view.row, view.seat, action))
        buttons.append(press(ACTIONS.notation(action), text, data_pick=f"{number} {money} {bluff}"))
    numbers = dict(sorted(numbers.items()))
    if any(action >= A.money for action in view.legal):
        numbers["0"] = words.say("money alone")
    may_bluff = any(ACTIONS.notation(action).endswith("bluff") for action in view.legal)
    bluffing = el("input", type="checkbox", name="bluff", value="bluff", data_else="plain")
    fields = el(
        "div",
        _keys("money", words.say("Money cards"), dict(sorted(sums.items()))) if len(sums) > 1 else _fixed("money", *sums),
        el("label", bluffing, words.say("the bluff card"), cls="tick") if may_bluff else _fixed("bluff", "plain"),
        cls="pick-row",
    )
    form = el("form", _keys("number", words.say("Number"), numbers), fields, el("div", *buttons, cls="picks"), cls="picker")
    return el("details", el("summary", words.say("Number, money and bluff one by one")), form, id="one-by-one", cls="folded")


def _keys(name: str, title: str, values: Mapping[str, str]) -> Html:
    """One choice out of a few, as a row of keys, the first of them chosen."""
    first = next(iter(values))
    keys = [
        el("label", el("input", type="radio", name=name, value=value, checked=value == first), el("span", text))
        for value, text in values.items()
    ]
    return el("fieldset", el("legend", title), *keys, cls="keys")


def _fixed(name: str, value: str) -> Html:
    """A part of the choice that leaves none."""
    return el("input", type="hidden", name=name, value=value)
