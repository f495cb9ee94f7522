"""What a review says of a decision is consistent: its cost, whether it is listed, and how sure that is, by one interval."""

from __future__ import annotations

import random

from ridotto.bots import Ranked
from ridotto.bots.judging import COSTLY, Judgement
from ridotto.bots.opinion import how_sure, margin
from ridotto.bots.review_words import cost
from ridotto.games import GAMES
from ridotto.present.ui import english

WORDS = english(GAMES["fantome"])
EQUAL = "As far as the bot can tell, this move is about as good."
AS_GOOD = ("about as good as the bot's first choice", "the bot's first choice")


def judgement(*ranked: tuple[int, float], played: int) -> Judgement:
    """A judgement of actions by visits and value, the best first."""
    found = tuple(Ranked(action, visits, value, 0.0) for action, (visits, value) in enumerate(ranked))
    return Judgement(1, 0, played, (0.5, 0.5), found, sum(one.visits for one in found))


def test_no_sentence_contradicts_the_cost() -> None:
    """On random opinions: a move that cost something is never called about as good, one that did not is never called worse."""
    chance, seen = random.Random(1), set()
    for _ in range(4000):
        values = sorted((chance.random() for _ in range(3)), reverse=True)
        one = judgement(*((chance.choice((1, 5, 40, 500, 2000)), value) for value in values), played=chance.randrange(3))
        (sure,) = how_sure(WORDS, one.opinion, one.action)
        told = cost(WORDS, one)
        seen.add(sure)
        if one.action == 0:
            assert told == "the bot's first choice"
            continue
        assert (sure == EQUAL) == (one.loss <= margin(one.best, one.played))
        assert told in AS_GOOD if sure == EQUAL else (told not in AS_GOOD or one.loss < 0.005), (sure, told)
        if one.least_loss >= COSTLY:
            assert sure != EQUAL and told.startswith("cost about")
    assert len(seen) == 7


def test_few_visits_make_no_blunder() -> None:
    """A move that was hardly tried may look 21 in 100 worse by chance; after many visits it does not."""
    assert cost(WORDS, judgement((1500, 0.60), (4, 0.39), played=1)) in AS_GOOD
    assert cost(WORDS, judgement((1500, 0.60), (400, 0.39), played=1)) == "cost about 21\N{NO-BREAK SPACE}% winning chance"
    assert how_sure(WORDS, judgement((1500, 0.60), (400, 0.39), played=1).opinion, 1) == [
        "The better move is clearly better than this one."
    ]
