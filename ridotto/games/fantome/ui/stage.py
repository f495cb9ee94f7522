"""Le Fantôme in its rhythm: a character that is played is one beat; an alibi, and the phantom's answer, get the stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import REDEALT, Seen, View
from ridotto.engine.fields import HIDDEN, Row
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import NOBODY, NOTHING, PEOPLE, PHANTOM, F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.picture.alibis import alibi_back, alibi_card
from ridotto.games.fantome.ui.picture.people import figure
from ridotto.games.fantome.ui.picture.signs import SIGNS
from ridotto.games.fantome.ui.picture.track import DIVA
from ridotto.games.fantome.ui.words import Words
from ridotto.present import protocols
from ridotto.present.html import Html, el
from ridotto.present.kit import placed, rect
from ridotto.present.narrator import mark
from ridotto.present.protocols import Cut, Moment
from ridotto.present.stage import drawing, sentence
from ridotto.present.svg import Svg, group, write

ALIBIS: Final = frozenset(("shows", "keeps", "ghost"))
ANEW: Final = mark("What was hidden has been dealt again, and your identity with it.")
ANSWER: Final = frozenset(("announces", "clears", "steps"))
ENDS: Final = frozenset(("caught", "fled"))


class Stage(protocols.Stage[Words]):
    """The beats and moments of Le Fantôme."""

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """Choosing a character begins a beat; whatever it does belongs to it."""
        return all(one.event.name != "picks" for one in seen)

    def cuts(self, seen: Sequence[Seen]) -> list[Cut]:
        """The last character moves before the phantom answers; then come the next round, or the end."""
        names = [one.event.name for one in seen]
        if "announces" not in names:
            return []
        answer, done = names.index("announces"), max(names.index(name) for name in ANSWER & {*names})
        return [*([Cut(answer, answer)] if answer else []), Cut(done + 1, done)]

    def settle(self, row: Row) -> None:
        """Nobody is to act."""
        row[F.asked] = NOTHING
        row[F.active] = NOBODY

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """An alibi that is drawn; the end of a round: the answer, who is cleared by it, and La Carlotta's run; the phantom
        without the mask. Who was dealt another identity learns it on a stage of their own.
        """
        events = {one.event.name: one for one in seen}
        if REDEALT.name in events:
            return [_identity(view, words)] if view.seat == PHANTOM and view.outcome is None else []
        cards = [_alibi(words, one) for one in seen if one.event.name in ALIBIS]
        moments = [Moment(words.say("An alibi is drawn"), cards, holds=False, panel="alibis")] if cards else []
        parts: list[Html] = []
        if "announces" in events:
            can = events["announces"].values["can"]
            parts += [_answer(words.event(events["announces"]), can), _suspects(view, words, events)]
            parts += [sentence(words.event(events["clears"]))] if "clears" in events else []
            if "steps" in events:
                steps, space = events["steps"].values["steps"], events["steps"].values["space"]
                parts += [sentence(words.event(events["steps"])), _run(space - steps, space)]
            title = words.tell(PHANTOM, "You answer", "The phantom answers")
            moments.append(Moment(title, parts, panel="house", is_late=True))
        for name in ENDS & events.keys():
            parts = [_unmasked(events[name].values["who"]), sentence(words.event(events[name]))]
            moments.append(Moment(words.say("The mask falls"), parts))
        return moments


def _identity(view: View, words: Words) -> Moment:
    """The identity of the phantom after everything hidden was dealt again."""
    who = view.row[F.identity]
    return Moment(words.say("You are now {who}", who=words.who(who)), [_unmasked(who), sentence(words.say(ANEW))])


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


def _suspects(view: View, words: Words, events: dict[str, Seen]) -> Html:
    """Everybody who was a suspect, in the light or in the dark, alone or not; whoever is cleared by the answer with a tick."""
    row, cleared = view.row, events["clears"].values["who"] if "clears" in events else 0
    places = [row[F.place + who] for who in range(PEOPLE)]
    people = []
    for who in sorted(members(row[F.suspects] | cleared), key=lambda who: cleared >> who & 1):
        is_dark, is_alone = places[who] == row[F.dark], places.count(places[who]) == 1
        where = words.say("in the dark") if is_dark else words.say("alone") if is_alone else words.say("in company")
        name, light = el("b", words.who(who)), "unlit" if is_dark else "lit"
        face = _figure(who, "cleared" if cleared >> who & 1 else "")
        people.append(el("li", face, name, el("small", where), cls=light))
    return el("ol", *people, cls="suspects-row")


def _run(start: int, end: int) -> Html:
    """La Carlotta's way to the exit, and how far she went."""
    wide = 24 * (EXIT + 1)
    spaces = [rect(24 * at + 2, 58, 20, 20, "space-passed" if start < at <= end else "space", 4) for at in range(EXIT + 1)]
    numbers = [write(str(at), 24 * at + 12, 94, 13, cls="quiet") for at in (0, start, end, EXIT) if at <= EXIT]
    diva = placed([DIVA], 24 * min(end, EXIT) + 12, 58, 0.72, cls="runs")
    return drawing("".join([*spaces, *numbers, diva]), f"0 0 {wide} 100", "carlotta-run")


def _unmasked(who: int) -> Html:
    return el("div", _figure(who, mask=True), cls="unmasked")
