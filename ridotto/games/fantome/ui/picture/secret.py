"""The phantom's own face and alibis: small and quiet, where a neighbour's glance does not fall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.picture.people import NAMES, figure, person
from ridotto.games.fantome.ui.picture.signs import MASK, SIGNS
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import WIDE, line, panel
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item
from ridotto.present.svg import Panel, measure

SECRET_TALL: Final = 108
OWN_TITLE, OPEN_TITLE = mark("for your eyes only"), mark("behind the mask")


def knows_secret(view: View) -> bool:
    """Whether the reader may know during the match who the phantom is."""
    return view.row[F.identity] != HIDDEN and view.outcome is None


def secret_panel(words: Words) -> Panel:
    """The panel; with open eyes, which look back at a match that is over, it is nobody's own."""
    title = OWN_TITLE if words.is_reader(rules.PHANTOM) else OPEN_TITLE
    return panel("secret", opening(words.say(title)), WIDE, SECRET_TALL, private=True)


def secret_items(view: View, words: Words) -> Iterator[Item]:
    """The face, the answer that would be given now, and the alibis; the phantom is spoken to, or about."""
    row = view.row
    identity, held = row[F.identity], row[F.held]
    can = 1 - (rules.watched(list(row)) >> identity & 1)
    name = words.who(identity)
    yield Item("secret-face", "secret", figure(identity), 34, 80, 0.75, title=opening(name))
    who_it_is = words.tell(rules.PHANTOM, "You are {who}.", "The phantom is {who}.", who=name)
    yield Item("secret-who", "secret", line(who_it_is, 14, "", "start", 286), 66, 26)
    lead = words.tell(rules.PHANTOM, "now you would say:", "would say now:")
    yield Item("secret-now", "secret", line(f"{lead} {words.say(SIGNS[can][1])}", 14, "quiet", "start", 286), 66, 50)
    label = words.say("alibis kept:") + ("" if held else f" {words.say('none')}")
    yield Item("secret-kept", "secret", line(label, 14, "quiet", "start"), 66, 84)
    left = round(90 + measure(label, 14), 1)
    for place, who in enumerate(members(held)):
        yield person(words, who, "secret", "kept", left + place * 29, 100, 0.56, not row[F.suspects] >> who & 1)


def mask(view: View) -> Item:
    """The mask that the phantom's own figure wears on the board."""
    return Item("mask", f"figure-{NAMES[view.row[F.identity]]}", MASK, 0, -50, 1.15)
