"""Turandot at the web table: what is laid is picked part by part."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core.view import View
from ridotto.engine.fields import Kind
from ridotto.games.turandot.components import TROUPE
from ridotto.games.turandot.rules import ACTIONS, NONE, ROLE, SINGER, A, F, next_lacking, position_of
from ridotto.games.turandot.ui.legend import legend
from ridotto.games.turandot.ui.messages import ROLES
from ridotto.games.turandot.ui.picture.arrangement import compositions
from ridotto.games.turandot.ui.words import Words
from ridotto.present import protocols
from ridotto.present.answers import answers, keys, pairs, press
from ridotto.present.composition import Compositions
from ridotto.present.html import Html, el
from ridotto.present.kit import drawing
from ridotto.present.protocols import Sign


class Page(protocols.Page[Words]):
    """What Turandot has of its own."""

    usual_seats = 3
    is_forced_known = True

    def answers(self, view: View, words: Words) -> Html | None:
        """A bid is put together from the cards on the table and in the hand; whoever casts may see the best casting."""
        verb = ACTIONS.family(view.legal[0]).verb
        if verb == "bid":
            return picker(view, words)
        if verb == "cast":
            title = words.say("The best casting")
            best = el("button", title, type="button", cls="button", data_hinting=True, aria_pressed="false")
            return casting(view, words, best) if view.early else answers(view, words, more=[best])
        if verb == "give" and view.early:
            return understudies(view, words)
        return None

    def compositions(self, view: View) -> Compositions:
        """The singers on top, the directors at the right, the troupes below."""
        return compositions(view)

    def purse(self, view: View, words: Words) -> str:
        """The reader's money cards."""
        assert view.seat is not None
        return words.say("money cards: {n}", n=view.row[F.money + view.seat])

    def legend(self, words: Words) -> Sequence[Sign]:
        """What is on the cards, what is laid, and how players stand."""
        return legend(words)

    def target(self, kind: Kind) -> str:
        """A sum and a bluff are nothing on the table."""
        return "" if kind.name in ("purse", "bluff") else kind.name


def picker(view: View, words: Words) -> Html:
    """A number, some money and the bluff card, chosen here or on the table; then one button lays them.

    Every combination is a button; the script shows the one that is chosen.
    """
    return _picker(words.nameless(), tuple(view.legal), tuple(view.row[F.offer : F.offer + view.seats + 1]))


@drawing
def _picker(words: Words, legal: tuple[int, ...], offer: tuple[int, ...]) -> Html:
    """The same for every state until the reader has laid cards: others may do so before."""
    numbers: dict[str, tuple[str, str]] = {}
    sums, buttons = {"0": ("0", "")}, []
    for action in legal:
        verb, *parts = ACTIONS.notation(action).split()
        number, money, bluff = parts if verb == "bid" else ("0", "*", parts[0])
        if verb == "bid":
            numbers[number] = (number, words.card(offer[int(number) - 1]))
            sums[money] = (money, "")
        there = offer[position_of(action)] if verb == "bid" else NONE
        text = words.say("Lay: {cards}", cards=words.laid_for(there, action))
        buttons.append(press(ACTIONS.notation(action), text, data_pick=f"{number} {money} {bluff}"))
    numbers = dict(sorted(numbers.items()))
    if any(action >= A.money for action in legal):
        numbers["0"] = (words.say("money alone"), "")
    may_bluff = any(ACTIONS.notation(action).endswith("bluff") for action in legal)
    bluffing = el("input", type="checkbox", name="bluff", value="bluff", data_else="plain")
    prompt = words.say("Choose a card, then lay it.")
    return el(
        "form",
        keys("number", words.say("Number"), numbers),
        keys("money", words.say("Money cards"), dict(sorted(sums.items())), "0", counts=True)
        if len(sums) > 1
        else _fixed("money", "0"),
        el("label", bluffing, el("span", words.say("the bluff card")), cls="key") if may_bluff else _fixed("bluff", "plain"),
        el("div", *buttons, el("span", prompt, cls="prompt"), cls="picks"),
        cls="picker",
    )


def casting(view: View, words: Words, *more: Html) -> Html:
    """Which role, and who sings it, in whatever order."""
    assert view.seat is not None
    now = view.row[F.assigned + view.seat]
    about = words.say("Role"), {ROLE.names[role]: ROLES[role] for role in range(now, TROUPE)}
    singers = [ACTIONS.argument(action) for action in view.legal]
    choice = words.say("Singer"), {SINGER.names[one]: words.singer(one) for one in singers}
    return pairs(view, words, ROLE.names[now], about, choice, *more)


def understudies(view: View, words: Words) -> Html:
    """Who is given a card, and which, in whatever order."""
    order = [(view.row[F.puccini] + step) % view.seats for step in range(1, view.seats + 1)]
    lacking = [seat for seat in order if view.row[F.lacking] >> seat & 1]
    about = words.say("For"), {str(seat): words.names([seat]) for seat in lacking}
    cards = [ACTIONS.argument(action) for action in view.legal]
    choice = words.say("Card"), {str(one + 1): words.card(view.row[F.offer + one]) for one in cards}
    return pairs(view, words, str(next_lacking(list(view.row))), about, choice)


def _fixed(name: str, value: str) -> Html:
    """A part of the choice that leaves none."""
    return el("input", type="hidden", name=name, value=value)
