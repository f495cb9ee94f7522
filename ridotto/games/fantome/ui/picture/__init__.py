"""The table of Le Fantôme, a module for each panel: the house in section, the track, the cards, the deduction, the notebook.

Everything is worked out from the view itself, so that nobody is shown what they may not know. People are figures: a shape, two
letters and a colour each. A mask stands for the phantom and for where nobody is watching, an eye for company in the light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import announcements
from ridotto.games.fantome.ui.picture.alibis import ALIBIS_TALL, ALIBIS_WIDE, alibi_items, alibi_moves, own_alibis
from ridotto.games.fantome.ui.picture.backdrop import backdrop
from ridotto.games.fantome.ui.picture.cards import CARDS_TALL, card_items, cards_undealt, own_answers
from ridotto.games.fantome.ui.picture.deduction import deduction_items, deduction_panel, deduction_undealt, own_deduction
from ridotto.games.fantome.ui.picture.house import house_items, sending, sends_several, undealt
from ridotto.games.fantome.ui.picture.notebook import NOTEBOOK_TALL, NOTEBOOK_WIDE, notebook_board, notebook_items, notes_of
from ridotto.games.fantome.ui.picture.notebook import TITLE as NOTEBOOK
from ridotto.games.fantome.ui.picture.plan import HOUSE_TALL
from ridotto.games.fantome.ui.picture.plan import WIDE as HOUSE_WIDE
from ridotto.games.fantome.ui.picture.secret import (
    knows_secret,
    mask,
    mask_items,
    mask_panel,
    secret_board,
    secret_items,
    secret_panel,
)
from ridotto.games.fantome.ui.picture.style import STYLE
from ridotto.games.fantome.ui.picture.track import TRACK_TALL, carpet, track_items
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import WIDE, blank, panel
from ridotto.present.kit.foresight import foresee
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import write

__all__ = ["COLUMNS", "STYLE", "board", "moves", "own", "preview", "shared", "vignette"]

COLUMNS: Final[tuple[tuple[str, ...], ...]] = (
    ("house", "track"),
    ("cards", "deduction"),
    ("alibis", "notebook", "masked", "secret"),
)
"""The panels of a wide picture, column by column."""
HOUSE: Final = mark("the house")


def board(view: View, words: Words) -> dict[str, str]:
    """The house without people, La Carlotta's way, and the edges of the panels that keep their size."""
    return {
        "house": backdrop(),
        "track": carpet(),
        "cards": blank(WIDE, CARDS_TALL, "panel", 10),
        "alibis": blank(ALIBIS_WIDE, ALIBIS_TALL, "panel", 10)
        + write(words.say("Alibis"), 10, 23, 18, cls="title", anchor="start"),
        "notebook": notebook_board(words),
        "masked": secret_board(),
        "secret": secret_board(),
    }


def shared(view: View, words: Words) -> Layer:
    """The parts of the table, the most important first: the order on a phone. Nobody's name is in them."""
    words, history, last, answers = words.nameless(), list(view.in_effect()), view.last_action(), announcements(view.row)
    notes = notes_of(history)
    panels = [
        panel("house", opening(words.say(HOUSE)), HOUSE_WIDE, HOUSE_TALL),
        panel("track", "La Carlotta", HOUSE_WIDE, TRACK_TALL),
        panel("cards", words.say("Round {round}", round=view.row[F.round]), WIDE, CARDS_TALL),
        deduction_panel(view, words),
        panel("alibis", words.say("Alibis"), ALIBIS_WIDE, ALIBIS_TALL),
        panel("notebook", opening(words.say(NOTEBOOK)), NOTEBOOK_WIDE, NOTEBOOK_TALL),
        mask_panel(words),
    ]
    if not view.to_act and view.outcome is None:
        return Layer(
            panels, [*undealt(view, words), *cards_undealt(words), *deduction_undealt(words), *mask_items(view, words)]
        )
    items = [
        *house_items(view, words, last),
        *track_items(view, words, history, last, answers),
        *card_items(view, words, history),
        *deduction_items(view, words, answers),
        *alibi_items(view, words),
        *notebook_items(view, words, notes),
        *mask_items(view, words),
    ]
    if knows_secret(view):
        panels.append(secret_panel(words))
        items += secret_items(view, words)
    return Layer(panels, items)


def own(view: View, words: Words) -> Layer:
    """Sentences that say "you" to the reader, the phantom's secrets, and how to choose among several who are sent away."""
    words = words.nameless(words.spoken_to(view.seat))
    if view.outcome is not None:
        items = [*deduction_items(view, words, ()), *own_alibis(view, words), *mask_items(view, words)]
        return Layer([deduction_panel(view, words)], items)
    items = [*own_deduction(view, words), *own_alibis(view, words), *own_answers(view, words, list(view.in_effect()))]
    if sends_several(view):
        items += sending(view, words)
    if not knows_secret(view):
        return Layer((), items)
    return Layer([secret_panel(words)], [*items, mask(view), *secret_items(view, words)])


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """The ways of the alibis that were drawn from the pile: turned up, kept, or a phantom card."""
    return alibi_moves(view.row, list(replace(view, seen=tuple(seen)).in_effect()))


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """The deduction and the track as they would be after an action, before any announcement; a draw leaves a "?"."""
    # Not even the phantom is shown what they would say: as far as everybody can know, a round ends with the question.
    after = foresee(replace(view, row=view.public().row), action)
    is_unsure = not after.is_whole and after.row[F.active] == rules.RAOUL
    words = words.nameless(words.spoken_to(view.seat))
    later, answers = replace(view, row=after.row), announcements(after.row)
    return {
        "deduction": list(deduction_items(later, words, answers, is_unsure)),
        "track": list(track_items(later, words, list(view.in_effect()), view.last_action(), answers)),
    }


def vignette(words: Words) -> None:
    """The house as it is dealt, which is the first panel."""
