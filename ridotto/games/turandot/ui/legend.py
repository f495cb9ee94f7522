"""The marks on the board of Turandot, and what they mean."""

from __future__ import annotations

from ridotto.games.turandot.components import CATEGORIES
from ridotto.games.turandot.rules import CARPENTER, DRESSMAKER, FEMALE, MALE, UNDETERMINED
from ridotto.games.turandot.ui.messages import HELPERS, SEX_WORDS
from ridotto.games.turandot.ui.picture.cards import (
    BLUFF_CARD,
    HOLDER,
    MONEY_CARD,
    QUILL_TOKEN,
    STAGE_ELEMENT,
    card_back,
    helper_token,
    laid_cards,
)
from ridotto.games.turandot.ui.picture.offers import pill
from ridotto.games.turandot.ui.picture.score import laurel
from ridotto.games.turandot.ui.picture.signs import DRESS, EMBLEMS, HEART, MEGAPHONE, SEX_SHAPES, STAR
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import placed
from ridotto.present.narrator import opening
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, group, shape, tag, write

SMALL = "-12 -12 24 24"
"""Around a sign of a card."""
PLACE = "-4 -4 88 68"


def legend(words: Words) -> list[Sign]:
    """The signs on the cards of singers and directors, then what is laid, then how players stand."""
    say = words.say
    capsule = tag("rect", cls="capsule", x=0, width=80, y=18, height=22, rx=4)
    return [
        Sign(tag("polygon", cls="gold", points=STAR), say("A star of a singer: a point at the end."), SMALL),
        Sign(
            tag("path", cls="bad", d=HEART) + write("4", 12, 5, 13, cls="bold", anchor="start"),
            say("The number of the singer's favourite role: a point for singing it."),
            "-12 -12 34 24",
        ),
        *(
            Sign(tag("path", cls="litline", d=SEX_SHAPES[sex]), opening(say(SEX_WORDS[sex])) + ".", SMALL)
            for sex in (FEMALE, MALE, UNDETERMINED)
        ),
        *(
            Sign(
                tag("path", cls="lit", d=EMBLEMS[number], fill_rule="evenodd"),
                say("Category: {name}.", name=words.category(number)),
                SMALL,
            )
            for number in range(CATEGORIES)
        ),
        Sign(pill(0, 2), say("What the card would add to the points of the player of this colour.")),
        Sign(MONEY_CARD, say("A money card."), SMALL),
        Sign(BLUFF_CARD, say("The bluff card: one card more, and nothing else."), "-18 -18 36 36"),
        Sign(card_back(0, 0, 0), say("A card face down, with the mark of whoever laid it.")),
        Sign(_in("dim", placed([laid_cards(0)], 0, 0)), say("Pale: laid in the last audition, or no longer in your hand.")),
        Sign(tag("rect", cls="clash", width=80, height=60, rx=8), say("A tie: nobody wins this number."), PLACE),
        Sign(tag("rect", cls="glory", width=80, height=60, rx=8), say("Has to lay cards, or is being given a card."), PLACE),
        Sign(helper_token(DRESSMAKER), opening(say(HELPERS[DRESSMAKER])) + "."),
        Sign(helper_token(CARPENTER), opening(say(HELPERS[CARPENTER])) + "."),
        Sign(STAGE_ELEMENT, say("A stage element, which a money card has become."), SMALL),
        Sign(QUILL_TOKEN, say(HOLDER), SMALL),
        Sign(
            capsule + tag("rect", cls="here", x=27, y=18, width=26, height=22, rx=4),
            say("Where your troupe stands in a director's table."),
            "-2 8 84 42",
        ),
        Sign(tag("path", cls="lit", d=MEGAPHONE), say("What the director brings."), SMALL),
        Sign(tag("path", cls="lit", d=DRESS), say("What stage elements bring."), SMALL),
        Sign(tag("line", cls="gone", x1=-10, y1=10, x2=10, y2=-10), say("Through a sign: without any such singer."), SMALL),
        Sign(shape(0, 0, 0, 9, cls="gold") + tag("circle", cls="glory", r=8.5), say("The round being played."), SMALL),
        Sign(shape(-4, 0, 0, 12, cls="gold"), say("The round of the directors."), SMALL),
        Sign(group(laurel(0, 0)), say("The winner."), "-28 -28 56 56"),
    ]


def _in(state: str, look: str) -> str:
    """A look in a state."""
    return group([Svg(look)], cls=state)
