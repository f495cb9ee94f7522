"""Said to you: no sentence that a player can be shown gives a seat's number or speaks of its reader in the third person.

Every event, question, label, refusal and lesson of every game is read in three languages by every seat, with names and without,
and so is everything that is written in its picture.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import unescape

import pytest
from speech import fault, readers

from ridotto.bots import Opinion, Ranked, Reply
from ridotto.bots.opinion import reasons
from ridotto.core.errors import Unavailable
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.takeback import plan_takeback
from ridotto.core.view import RESIGNED, MatchEvent
from ridotto.games import GAMES
from ridotto.present import takeback as takebacks
from ridotto.present import views
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LANGUAGES
from ridotto.present.reasons import unavailable
from ridotto.present.scene import Item, Scene
from ridotto.present.ui import ui
from ridotto.present.words import Words

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))
languages = pytest.mark.parametrize("language", LANGUAGES)


def remarks(match: Match, words: Words, since: int, actions: Sequence[int]) -> Iterator[str]:
    """Everything that is said to the reader now: what has happened, who has to decide what, what could be done or not."""
    reader = words.narrator.reader
    assert reader is not None
    view = match.view(reader, since)
    yield views.question(view, words)
    yield from (one.text for one in words.standings(view.row))
    if reader in match.to_act:
        yield words.guide(view.row, reader)
    for event in views.events(view, words):
        yield event["text"]
    for seat in match.to_act:
        # A review, a hint or a page tells what others could do, as far as the reader may know it.
        yield words.question(view.row, seat)
        for action in actions:
            yield words.label(view.row, seat, action)
    for action in actions:
        refusal = match.why(action, reader)
        if refusal is not None:
            yield words.refusal(refusal)


def advice(match: Match, words: Words) -> Iterator[str]:
    """What a bot would say of the decisions that are wanted now."""
    for seat in match.to_act:
        view = match.view(seat)
        reply = Reply(seat, view.legal[-1], tuple(view.row))
        ranked = tuple(Ranked(action, 9, 0.5, 0.5) for action in view.legal[:2])
        shares = tuple(1 / match.seats for _ in range(match.seats))
        other = match.view((seat + 1) % match.seats)
        yield from reasons(view, words, Opinion(shares, ranked, 9, reply=reply))
        yield from reasons(other, words, Opinion(shares, ranked, 9, reply=reply))


def takeback_reasons(match: Match, words: Words) -> Iterator[str]:
    """What the reader is told when somebody would like to take a move back."""
    for seat in range(match.seats):
        try:
            takeback = plan_takeback(match, seat)
        except Unavailable as error:
            yield unavailable(error, words.narrator.say)
            continue
        if not takeback.at_once:
            assert words.narrator.reader is not None
            yield takebacks.because(takeback, match, words, words.narrator.reader)


@cache
def written(look: str) -> tuple[str, ...]:
    """The texts of a drawing, and what pointing at its parts tells."""
    return tuple(map(unescape, re.findall(r"<(?:text|title)\b[^>]*>([^<]+)<", look)))


def texts_of(item: Item) -> Iterator[str]:
    """What an item says."""
    yield from filter(None, (item.title, item.label, *written(item.look)))


def pictured(match: Match, words: Words, shared: Scene) -> Iterator[str]:
    """Everything that is written in the reader's picture, and in what a few of their actions would make of it."""
    view = match.view(words.narrator.reader)
    scene = ui(match.game).scene(view, words, shared)
    yield from (panel.title for panel in scene.panels.values())
    for look in ui(match.game).board(view, words).values():
        yield from written(look)
    for item in scene.items.values():
        yield from texts_of(item)
    for action in view.legal[:2]:
        for items in ui(match.game).picture.preview(view, words, action).values():
            for item in items:
                yield from texts_of(item)


def drawn_in(match: Match, everyone: Sequence[Words]) -> Iterator[tuple[Words, str]]:
    """Everything that is written in anybody's picture."""
    shared: dict[tuple[str, ...], Scene] = {}
    for words in everyone:
        names = words.narrator.names
        if names not in shared:
            shared[names] = ui(match.game).shared(match.view(), words)
        yield from ((words, text) for text in pictured(match, words, shared[names]))


def said_in(game: Game, language: str, seed: int) -> Iterator[tuple[Words, str, bool]]:
    """Everything that is said to anybody in a random match, and whether it is written in a picture."""
    chance = random.Random(f"{game.name} {seed}")
    options = {option.name: chance.randint(option.low, option.high) for option in game.rules.OPTIONS}
    match = Match(game, chance.choice(game.seats), options, seed=seed, clock=lambda: 0.0)
    everyone = list(readers(game, language, match.seats))
    for seat in range(match.seats):
        left = Match(game, match.seats, options, seed=seed, clock=lambda: 0.0)
        left.resign(seat)
        yield from ((words, text, True) for words, text in drawn_in(left, everyone))
    since = 0
    while True:
        size = game.rules.ACTIONS.size
        actions = range(size) if chance.random() < 0.05 else chance.sample(range(size), 6)
        for words in everyone:
            reader = words.narrator.reader
            mine = [*actions, *match.legal(reader).ids[:4]] if reader in match.to_act else actions
            yield from ((words, text, False) for text in remarks(match, words, since, mine))
            if chance.random() < 0.02:
                yield from ((words, text, False) for text in (*advice(match, words), *takeback_reasons(match, words)))
        yield from ((words, text, True) for words, text in drawn_in(match, everyone))
        if not match.to_act:
            return
        since = match.ply
        seat = chance.choice(match.to_act)
        match.play(chance.choice(match.legal(seat).ids), seat)


@languages
@games
@pytest.mark.parametrize("matches", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_nobody_is_spoken_of(game: Game, language: str, matches: int) -> None:
    """In random matches no event, question, label, refusal, hint, takeback or picture speaks of its reader or numbers seats."""
    said: set[tuple[Words, str, bool]] = set()
    for seed in range(matches):
        said.update(said_in(game, language, len(LANGUAGES) * seed + list(LANGUAGES).index(language)))
    assert len(said) > 300
    for words, text, is_drawn in said:
        assert "" == fault(words, text, is_drawn=is_drawn)


@languages
@games
def test_every_event(game: Game, language: str) -> None:
    """Those too that seldom come up: events about each seat, and about two of them."""
    match = Match(game, game.seats[-1], seed=1)
    for words in readers(game, language, match.seats):
        reader = words.narrator.reader
        assert reader is not None
        for seat in range(match.seats):
            resigned = MatchEvent(1, RESIGNED, (seat,)).seen_by(reader)
            assert resigned is not None and "" == fault(words, words.event(resigned))
            for event in game.rules.EVENTS:
                for other in range(match.seats):
                    values = {arg.name: 1 for arg in event.args}
                    values |= {arg.name: seat for arg in event.args if arg.name == "seat"}
                    values |= {arg.name: other for arg in event.args if arg.name in ("other", "receiver", "bidder")}
                    if seat != other:
                        assert "" == fault(words, words.sentence(event.name, values)), event.name


@languages
@games
def test_lessons(game: Game, language: str) -> None:
    """What a lesson says, and what has happened in it, is said to the learner."""
    taught = lesson(game)
    assert taught is not None
    for number, step in enumerate(taught.steps, 1):
        words = ui(game).words(ui(game).narrator(language, reader=taught.seat(number)))
        seat, before = taught.seat(number), taught.before(number)
        do = step.do[0]
        if not game.inputs.is_series(do):
            do = next(one for one in before.legal(seat) if taught.accepts(number, one))
        told = [words.say(text) for text in (step.instruction, step.feedback, step.hint)]
        for match in (before, taught.after(number, do)):
            view = match.view(seat)
            told += [views.question(view, words), *(event["text"] for event in views.events(view, words))]
        assert [] == [wrong for text in told if (wrong := fault(words, text))]


PLANTED = [
    ("en", "{name} plays Buquet."),
    ("en", "Now {name} must decide."),
    ("en", "Seat 0 lays cards."),
    ("en", "this seat has no house in Wien"),
    ("en", "it is another seat's turn"),
    ("fr", "{name} joue Buquet."),
    ("fr", "Place 1 : une carte."),
    ("fr", "ce joueur suit déjà"),
    ("nl", "{name} speelt Buquet."),
    ("nl", "Plaats 0 is aan de beurt."),
    ("nl", "deze speler heeft geen huis in Wien"),
]
"""Sentences as they must not be."""


@pytest.mark.parametrize(("language", "text"), PLANTED)
@games
def test_a_planted_sentence_is_found(game: Game, language: str, text: str) -> None:
    """With a name and without one; and a sentence about somebody else is none of the reader's."""
    for words in readers(game, language, 2):
        reader = words.narrator.reader
        assert reader is not None
        assert fault(words, text.format(name=words.player(reader)))
        other = text.format(name=words.player(1 - reader))
        assert bool(fault(words, other)) == ("{name}" not in text)
