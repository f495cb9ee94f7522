"""The answers to a question as buttons: one for every legal action, gathered where many begin or end alike.

A page shows them under the question. A game whose answers want more than buttons makes its own in its `page.py`, out of the
same parts.
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
    """How the actions of one verb are gathered: the words before them, and what the button of an action says."""

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
    """A button for every legal action of the reader, those with the same verb together.

    `captions` tell by verb how to gather, where the words that labels share would not do. `first` stands before everything,
    `more` after the buttons that stand alone. `folded` is a title, and the verbs whose buttons are folded away under it.
    """
    assert view.seat is not None
    captions, actions = captions or {}, view.game.rules.ACTIONS
    title, hidden = folded
    shown: list[str] = [first] if first else []
    below: list[Html] = []
    singles: list[Html] = []
    for verb, family in groupby(view.legal, key=lambda action: actions.family(action).verb):
        some = list(family)
        labels = [words.label(view.row, view.seat, action) for action in some]
        if verb in captions:
            stem, texts = captions[verb].stem, [captions[verb].text(action) for action in some]
        else:
            stem, texts = shared(labels)
        if not stem or (len(some) == 1 and verb not in captions):
            singles += [press(actions.notation(one), opening(label)) for one, label in zip(some, labels, strict=True)]
            continue
        buttons = [
            press(actions.notation(one), text, label=label) for one, text, label in zip(some, texts, labels, strict=True)
        ]
        gathered = el("div", el("span", stem, cls="stem"), *buttons, cls=f"gathered {verb}", role="group", aria_label=stem)
        (below if verb in hidden else shown).append(gathered)
    if singles or more:
        shown.append(el("div", *singles, *more, cls="gathered plain"))
    if below:
        shown.append(el("details", el("summary", title), *below, id="one-by-one", cls="folded"))
    return el("div", *shown, cls="answers")


def press(notation: str, text: str, *, label: str = "", **more: object) -> Html:
    """A button that does an action."""
    return el("button", text, type="button", cls="press", data_do=notation, aria_label=label if label != text else "", **more)


def shared(labels: Sequence[str]) -> tuple[str, list[str]]:
    """The words that some labels have in common at either end, and what each says besides.

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
    while first < room and len({some[first] for some in words}) == 1:
        first += 1
    # An article stays with its noun.
    while first and words[0][first - 1].lower() in ARTICLES:
        first -= 1
    last = 0
    while first + last < room and len({some[-1 - last] for some in words}) == 1:
        last += 1
    # One word alone says too little away from its sentence.
    last = last if last > 1 else 0
    if not first + last:
        return "", list(labels)
    start, end = " ".join(words[0][:first]), " ".join(words[0][len(words[0]) - last :])
    return opening(f"{start} … {end}".strip()), [" ".join(some[first : len(some) - last]) for some in words]


ARTICLES: Final = frozenset(
    ("the", "to", "in", "on", "at", "le", "la", "les", "à", "au", "aux", "en", "dans", "de", "het", "een", "naar", "op")
)
