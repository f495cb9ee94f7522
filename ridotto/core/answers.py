"""The answers to a question as buttons: one for every legal action, grouped where many labels begin or end alike.

A page shows them under the question. A game that needs more than buttons makes its own answers in its `page.py`, with the
functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from ridotto.core.markup import Html, el
from ridotto.core.narrator import opening
from ridotto.core.protocols import Words
from ridotto.core.view import View


class Caption(NamedTuple):
    """How the actions of one verb are grouped: the words before the group, and the text of the button of each action."""

    stem: str
    text: Callable[[int], str]


def answers(
    view: View,
    words: Words,
    *,
    captions: Mapping[str, Caption] | None = None,
    first: str = "",
    more: Sequence[Html] = (),
    folded: tuple[str, Collection[str]] = ("", ()),
) -> Html:
    """A button for every legal action of the reader, those with the same verb in a group.

    `captions` say by verb how to label a group; without one, the words that its labels share stand before it. `first` comes
    before everything, `more` after the buttons without a group. `folded` is a title and the verbs whose groups are folded away
    under it.
    """
    assert view.seat is not None
    captions, actions = captions or {}, view.game.rules.ACTIONS
    title, hidden = folded
    shown: list[str] = [first] if first else []
    folded_groups: list[Html] = []
    singles: list[Html] = []
    for verb, family in groupby(view.legal, key=lambda action: actions.family(action).verb):
        group = list(family)
        labels = [words.label(view.row, view.seat, action) for action in group]
        if verb in captions:
            stem, texts = captions[verb].stem, [captions[verb].text(action) for action in group]
        else:
            stem, texts = shared(labels)
        if not stem or (len(group) == 1 and verb not in captions):
            singles += [press(actions.notation(one), opening(label)) for one, label in zip(group, labels, strict=True)]
            continue
        buttons = [
            press(actions.notation(one), text, label=label) for one, text, label in zip(group, texts, labels, strict=True)
        ]
        gathered = el("div", el("span", stem, cls="stem"), *buttons, cls=f"gathered {verb}", role="group", aria_label=stem)
        (folded_groups if verb in hidden else shown).append(gathered)
    if singles or more:
        shown.append(el("div", *singles, *more, cls="gathered plain"))
    if folded_groups:
        shown.append(el("details", el("summary", title), *folded_groups, id="one-by-one", cls="folded"))
    return el("div", *shown, cls="answers")


def press(notation: str, text: str, *, label: str = "", **more: object) -> Html:
    """A button that plays an action."""
    return el("button", text, type="button", cls="press", data_do=notation, aria_label=label if label != text else "", **more)


def shared(labels: Sequence[str]) -> tuple[str, list[str]]:
    """The words that labels have in common at either end, and the rest of each label.

    >>> shared(["Meg goes to the lake", "Meg goes to the stage"])
    ('Meg goes …', ['to the lake', 'to the stage'])
    >>> shared(["Opale sings Liù", "Zia Kromatik sings Liù"])
    ('… sings Liù', ['Opale', 'Zia Kromatik'])
    >>> shared(["keep", "leave it"])
    ('', ['keep', 'leave it'])
    """
    words = [label.split(" ") for label in labels]
    room = min(map(len, words)) - 1
    first = 0
    while first < room and len({label[first] for label in words}) == 1:
        first += 1
    # An article stays with its noun.
    while first and words[0][first - 1].lower() in ARTICLES:
        first -= 1
    last = 0
    while first + last < room and len({label[-1 - last] for label in words}) == 1:
        last += 1
    # A single word at the end says too little without its sentence.
    last = last if last > 1 else 0
    if not first + last:
        return "", list(labels)
    start, end = " ".join(words[0][:first]), " ".join(words[0][len(words[0]) - last :])
    return opening(f"{start} … {end}".strip()), [" ".join(label[first : len(label) - last]) for label in words]


ARTICLES: Final = frozenset(
    ("the", "to", "in", "on", "at", "le", "la", "les", "à", "au", "aux", "en", "dans", "de", "het", "een", "naar", "op")
)
