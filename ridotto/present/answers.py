"""The answers to a question as buttons: one for every legal action, grouped where many labels begin or end alike.

A page shows them under the question. A game that needs more than buttons makes its own answers in its `ui/page.py`, with the
functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.present.html import Html, el
from ridotto.present.narrator import opening
from ridotto.present.words import Words


class Caption(NamedTuple):
    """A group of actions with one verb: the words before it, and the text of the button of each action."""

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
    effect: Callable[[int], str] = lambda action: "",
) -> Html:
    """A button for every legal action of the reader, those with the same verb in a group.

    `captions` say by verb how to label a group; without one, the words that its labels share stand before it. `first` comes
    before everything, `more` after the buttons without a group. Actions that take no argument, such as to stop or to pass,
    come last, in a group that keeps its place. `effect` says what an action surely brings, behind its text ("" for nothing).
    `folded` is a title and the verbs whose groups are folded away under it. What
    may be decided before what is asked for is folded away as well.
    """
    assert view.seat is not None
    captions, actions = captions or {}, view.game.rules.ACTIONS

    def with_effect(text: str, action: int) -> str:
        return f"{text}: {brings}" if (brings := effect(action)) else text

    def plain(group: list[int], labels: list[str]) -> list[Html]:
        pairs = zip(group, labels, strict=True)
        return [press(actions.notation(one), with_effect(opening(label), one)) for one, label in pairs]

    title, hidden = folded
    parts: list[str] = [first] if first else []
    folded_groups: list[Html] = []
    singles: list[Html] = []
    stops: list[Html] = []
    for verb, family in groupby(view.legal, key=lambda action: actions.family(action).verb):
        group = list(family)
        labels = [words.label(view.row, view.seat, action) for action in group]
        if not actions.family(group[0]).of:
            stops += plain(group, labels)
            continue
        if verb in captions:
            stem, texts = captions[verb].stem, [captions[verb].text(action) for action in group]
        else:
            stem, texts = shared(labels)
        if not stem or (len(group) == 1 and verb not in captions):
            singles += plain(group, labels)
            continue
        buttons = [
            press(actions.notation(one), with_effect(text, one), label=with_effect(label, one))
            for one, text, label in zip(group, texts, labels, strict=True)
        ]
        gathered = el("div", el("span", stem, cls="stem"), *buttons, cls=f"gathered {verb}", role="group", aria_label=stem)
        (folded_groups if verb in hidden else parts).append(gathered)
    if singles or more:
        parts.append(el("div", *singles, *more, cls="gathered plain"))
    if folded_groups:
        parts.append(el("details", el("summary", title), *folded_groups, id="one-by-one", cls="folded"))
    if early := ahead(view, words):
        parts.append(early)
    if stops:
        parts.append(el("div", *stops, cls="gathered stop"))
    return el("div", *parts, cls="answers")


def ahead(view: View, words: Words) -> Html:
    """The early decisions, folded away: on the board, the same things are lit."""
    groups = []
    for _, family in groupby(words.all_early(view), key=lambda one: one[0].split()[0]):
        decisions = list(family)
        stem, texts = shared([label for _, label in decisions])
        buttons = [early(decision, text, label=label) for (decision, label), text in zip(decisions, texts, strict=True)]
        title = el("span", stem, cls="stem") if stem else ""
        groups.append(el("div", title, *buttons, cls="gathered", role="group", aria_label=stem))
    if not groups:
        return Html("")
    return el("details", el("summary", words.say("Or decide first …")), *groups, id="ahead", cls="folded")


@lru_cache(8192, typed=True)
def press(notation: str, text: str, *, label: str = "", **more: Hashable) -> Html:
    """A button that plays an action."""
    return _press(text, label, data_do=notation, **more)


@lru_cache(8192, typed=True)
def early(decision: str, text: str, *, label: str = "", **more: Hashable) -> Html:
    """A button for a decision that is made before the one that is asked for."""
    return _press(text, label, data_ahead=decision, **more)


def _press(text: str, label: str, **more: object) -> Html:
    return el("button", text, type="button", cls="button", **more, aria_label=label if label != text else "")


def keys(name: str, title: str, values: Mapping[str, tuple[str, str]], chosen: str = "", *, counts: bool = False) -> Html:
    """One part of an answer that is put together, as a row of keys: for each value its text, and what it is if that is short.

    One may be `chosen` to begin with. If it `counts`, the values are numbers, and a thing on the table stands for one more.

    Such a row stands in a form of class `picker`, with a button (`press`) for each whole answer, whose `data_pick` has its
    values in the order of the rows, "*" for any. The script shows the button of what is chosen. An item of the picture with
    the same `part` ("name=value") is another way to choose.
    """
    buttons = [_key(name, value, text, meaning, value == chosen) for value, (text, meaning) in values.items()]
    return el("fieldset", el("legend", title), *buttons, cls="keys", data_counts=counts)


@lru_cache(8192)
def _key(name: str, value: str, text: str, meaning: str, is_chosen: bool) -> Html:
    given = f"{text} {meaning}".strip()
    choice = el("input", type="radio", name=name, value=value, checked=is_chosen, aria_label=given)
    return el("label", choice, el("span", text, title=meaning or None))


def pairs(
    view: View, words: Words, now: str, about: tuple[str, Mapping[str, str]], choice: tuple[str, Mapping[str, str]], *more: Html
) -> Html:
    """Answers of two parts: whom or what it is about, which is asked for `now` or may be decided ahead, and the choice.

    Both parts have a title, and a text for each value. An item of the picture with the `part` "about=VALUE" or "choice=VALUE"
    is another way to choose: as soon as both are chosen, the answer is given. `more` stands beside them.
    """
    assert view.seat is not None
    actions = view.game.rules.ACTIONS
    legal = tuple((actions.notation(one), words.label(view.row, view.seat, one)) for one in view.legal)
    parts = tuple((title, tuple(values.items())) for title, values in (about, choice))
    return _pairs(legal, tuple(words.all_early(view)), now, parts, more)


@lru_cache(512)
def _pairs(
    legal: tuple[tuple[str, str], ...],
    early_ones: tuple[tuple[str, str], ...],
    now: str,
    parts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...],
    more: tuple[Html, ...],
) -> Html:
    """The same for every state until the reader has decided something: others may decide at the same time."""
    buttons = [press(text, opening(label), data_pick=f"{now} {text.split()[-1]}") for text, label in legal]
    buttons += [early(text, opening(label), data_pick=" ".join(text.split()[1:])) for text, label in early_ones]
    rows = [
        keys(name, title, {value: (text, "") for value, text in values}, chosen)
        for name, (title, values), chosen in zip(("about", "choice"), parts, (now, ""), strict=True)
    ]
    return el("form", *rows, el("div", *buttons, *more, cls="picks"), cls="picker", data_at_once=True)


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
