"""Liar's Dice at the web table: bids line by line, and the cups when they are lifted."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from liars_dice.components import HANDS, SIDES
from liars_dice.rules import ACTIONS, A
from liars_dice.ui.picture import DIE, die
from liars_dice.ui.words import Words
from ridotto.core.view import View
from ridotto.present import protocols
from ridotto.present.answers import press
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.narrator import opening
from ridotto.present.svg import group, tag

NEAR: Final = 3
"""Lines of bids that are shown at once; higher ones are folded away."""


class Page(protocols.Page[Words]):
    """What Liar's Dice has of its own."""

    usual_seats = 3

    def answers(self, view: View, words: Words) -> Html | None:
        """A challenge first, then a line of faces for each quantity."""
        assert view.seat is not None
        labels = {action: words.label(view.row, view.seat, action) for action in view.legal}
        lines = []
        for quantity, some in groupby((action for action in view.legal if action != A.liar), key=lambda one: one // SIDES + 1):
            buttons = [press(ACTIONS.notation(one), words.face(one % SIDES), label=labels[one]) for one in some]
            title = f"{quantity} ×"
            lines.append(el("div", el("span", title, cls="stem"), *buttons, cls="gathered bid", role="group", aria_label=title))
        shown, folded = lines[:NEAR], lines[NEAR:]
        if A.liar in view.legal:
            shown.insert(0, el("div", press(ACTIONS.notation(A.liar), opening(labels[A.liar])), cls="gathered plain"))
        if folded:
            shown.append(el("details", el("summary", words.say("Higher bids")), *folded, cls="folded"))
        return el("div", *shown, cls="answers")

    def news(self, view: View, words: Words) -> Html | None:
        """What lay under the cups, right after they were lifted."""
        lifted = [one.values for one in view.seen if one.ply == view.ply - 1 and one.event.name == "shows"]
        if not lifted:
            return None
        cups = []
        for values in lifted:
            faces = [int(face) for face in HANDS[values["hand"]]]
            dice = [group([die(face)], at=(place * (DIE + 4), 0)) for place, face in enumerate(faces)]
            drawn = tag(
                "svg", *dice, viewBox=f"0 0 {len(faces) * (DIE + 4)} {DIE}", cls="drawing", height=20, aria_hidden="true"
            )
            text = el("span", words.sentence("shows", values), cls="unseen")
            cups.append(el("li", seat_badge(values["seat"], words.letter(values["seat"])), Html(drawn), text))
        return el("ol", *cups, cls="reveal", aria_label=words.say("The cups are lifted"))
