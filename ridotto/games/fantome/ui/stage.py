"""Le Fantôme in its rhythm: a character that is played is one beat; an alibi, and the phantom's answer, get the stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.engine.fields import HIDDEN
from ridotto.games.fantome.rules import PHANTOM, F
from ridotto.games.fantome.ui.picture.alibis import alibi_back, alibi_card
from ridotto.games.fantome.ui.picture.people import figure
from ridotto.games.fantome.ui.picture.signs import SIGNS
from ridotto.games.fantome.ui.picture.track import DIVA
from ridotto.games.fantome.ui.sketch import way_out
from ridotto.games.fantome.ui.words import Words
from ridotto.present import protocols
from ridotto.present.html import Html, el
from ridotto.present.protocols import Moment
from ridotto.present.stage import drawing, sentence
from ridotto.present.svg import Svg, group, tag, write

ALIBIS: Final = frozenset(("shows", "keeps", "ghost"))
ENDS: Final = frozenset(("caught", "fled"))


class Stage(protocols.Stage[Words]):
    """What Le Fantôme shows in one go, and what it is played for."""

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """Choosing a character begins a beat; whatever it does belongs to it."""
        return all(one.event.name != "picks" for one in seen)

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """An alibi that is drawn, and the end of a round: the answer, who is cleared by it, and La Carlotta's run."""
        told = {one.event.name: one for one in seen}
        cards = [_alibi(words, one) for one in seen if one.event.name in ALIBIS]
        found = [Moment(words.say("An alibi is drawn"), cards, holds=False)] if cards else []
        parts: list[Html] = []
        if "announces" in told:
            can = told["announces"].values["can"]
            parts += [_answer(words.event(told["announces"]), can), _suspects(view, words, told)]
            parts += [sentence(words.event(told["clears"]))] if "clears" in told else []
        if "steps" in told:
            steps, space = told["steps"].values["steps"], told["steps"].values["space"]
            parts += [sentence(words.event(told["steps"])), _run(space - steps, space, way_out(view))]
        for name in ENDS & told.keys():
            parts += [_unmasked(told[name].values["who"]), sentence(words.event(told[name]))]
        title = words.tell(PHANTOM, "You answer", "The phantom answers")
        return [*found, Moment(title, parts)] if parts else found


def _figure(who: int, cls: str = "", mask: bool = False) -> Html:
    return drawing(group([Svg(figure(who, mask))], cls=cls), "-24 -76 48 80", "figure")


def _alibi(words: Words, one: Seen) -> Html:
    """The card, face up for whoever may see it, and what it means."""
    who = one.values.get("who", HIDDEN)
    if one.event.name == "ghost":
        card = alibi_card(words.nameless(), None)
    else:
        card = alibi_back(False) if who == HIDDEN else alibi_card(words.nameless(), who)
    return el("div", drawing(card, "-2 -2 34 56", "alibi-card"), sentence(words.event(one)), cls="alibi-drawn")


def _answer(text: str, can: int) -> Html:
    sign = drawing(SIGNS[can][0], "-16 -16 32 32", "answer-sign")
    return el("p", sign, text, cls=f"answer {'can-manifest' if can else 'cannot-manifest'}")


def _suspects(view: View, words: Words, told: dict[str, Seen]) -> Html:
    """Everybody who was a suspect, in the light or in the dark, alone or not; whoever is cleared by the answer with a tick."""
    row, cleared = view.row, told["clears"].values["who"] if "clears" in told else 0
    suspects = row[F.suspects] | cleared
    places = [row[F.place + who] for who in range(8)]
    shown = []
    for who in sorted((who for who in range(8) if suspects >> who & 1), key=lambda who: (cleared >> who & 1, who)):
        is_dark, is_alone = places[who] == row[F.dark], places.count(places[who]) == 1
        where = words.say("in the dark") if is_dark else words.say("alone") if is_alone else words.say("in company")
        is_cleared = bool(cleared >> who & 1)
        name, light = el("b", words.who(who)), "unlit" if is_dark else "lit"
        shown.append(el("li", _figure(who, "cleared" if is_cleared else ""), name, el("small", where), cls=light))
    return el("ol", *shown, cls="suspects-row")


def _run(start: int, end: int, way_out: int) -> Html:
    """La Carlotta's way to the exit, and how far she went."""
    wide = 24 * (way_out + 1)
    spaces = [
        tag("rect", cls="space-passed" if start < at <= end else "space", x=24 * at + 2, y=58, width=20, height=20, rx=4)
        for at in range(way_out + 1)
    ]
    numbers = [write(str(at), 24 * at + 12, 94, 13, cls="quiet") for at in (0, start, end, way_out) if at <= way_out]
    diva = tag("g", Svg(DIVA), transform=f"translate({24 * min(end, way_out) + 12} 58) scale(0.72)", cls="runs")
    return drawing("".join([*spaces, *numbers, diva]), f"0 0 {wide} 100", "carlotta-run")


def _unmasked(who: int) -> Html:
    return el("div", _figure(who, mask=True), cls="unmasked")
