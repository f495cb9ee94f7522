"""The first lesson of Opera: the first round of three players, and the count after the third."""

from __future__ import annotations

from typing import Final

from ridotto.core.lesson import Start, Step
from ridotto.core.narrator import mark

SEED: Final = 11
"""A deal in which Mozart is for sale, has fame 3, and is the first Composer of the Century."""

FIRST_ROUND: Final = (
    *("0: bid 8", "1: bid 4", "2: bid 3"),
    *("hire architetto", "build wien main", "stop", "decline", "decline"),
    *("hire impresario", "buy mozart", "stop", "arrange venezia house; wien mozart", "decline", "decline"),
    *("end", "end", "hire maestro", "move wien"),
)
SECOND_ROUND: Final = ("0: bid 0", "1: bid 0", "2: bid 0", "end", "end")

STEPS: Final = (
    Step(
        mark(
            "You are Red, with a stage of one hall in Venezia. A round begins with secret bids: ducats become levels of "
            "the budget table, and levels hire people. Whoever stands highest comes first. Bid 8."
        ),
        ("bid 8",),
        mark("All hands open at once: Blue bid 4, Yellow 3. You stand highest and have the initiative."),
        mark("Bid 8 this time: enough to stay on top."),
        start=Start(seed=SEED, seats=3),
        then=("1: bid 4", "2: bid 3"),
    ),
    Step(
        mark(
            "Six roles are for hire, each once in a round, for so many levels. You need room for your pieces: hire the "
            "Architetto."
        ),
        ("hire architetto",),
        mark("Two levels down, and now you build. With an employee the others may play along afterwards, for a level each."),
        mark("The Architetto is the one who builds."),
    ),
    Step(
        mark("Each hall costs 2 ducats and brings 2 points at once. Build the main part of Wien: two halls."),
        ("build wien main",),
        mark(
            "Four points for you. You stop there, the others do not want to build, and the initiative is yours again: you "
            "still stand highest. But both halls in Wien are empty."
        ),
        mark("The main part of Wien, please: two halls for 4 ducats."),
        then=("stop", "decline", "decline"),
    ),
    Step(
        mark("Halls want pieces, and pieces want somebody to buy them. Hire the Impresario."),
        ("hire impresario",),
        mark("Three levels for him. You may buy up to two pieces of those on offer, and then rearrange your houses."),
        mark("The Impresario buys pieces."),
    ),
    Step(
        mark(
            "The fame ladder gives the price: a piece costs its composer's fame in ducats. Mozart's fame is 3, and he "
            "will be the Composer of the Century at the first count. Buy a Mozart."
        ),
        ("buy mozart",),
        mark("Three ducats, and the piece is behind your screen. There it earns nothing yet."),
        mark("Mozart is the one to have: look who stands on the round track behind III."),
        then=("stop",),
    ),
    Step(
        mark(
            "Now rearrange on one sheet. A piece in any hall earns ducats; at a count only the great halls bring points. "
            "Put Mozart into the great hall of Wien, and leave your house piece in Venezia."
        ),
        ("arrange venezia house; wien mozart",),
        mark(
            "Mozart is performed. The others buy nothing, and since they stand higher now they are asked first: both end "
            "their performance for this round."
        ),
        mark("Mozart belongs in the great hall of Wien, the one with the red columns, and your house piece in Venezia."),
        then=("decline", "decline", "end", "end"),
    ),
    Step(
        mark(
            "Three roles are figures: they travel, and nobody plays along. The Critico changes a composer's fame, the "
            "Esperto scores. You have three levels left: hire the Maestro."
        ),
        ("hire maestro",),
        mark("He doubles the income of every house in the city he stands in."),
        mark("The Maestro costs 2 levels, and you have 3."),
    ),
    Step(
        mark("Where should he conduct? In your city, before your new piece: send him to Wien."),
        ("move wien",),
        mark(
            "One level buys nobody, so the round ends by itself: income, 1 ducat for Venezia and twice 1 for Wien. Mozart "
            "is performed most and rises. New pieces are laid out, and the next round begins."
        ),
        mark("You have a house in Venezia and one in Wien, but only Wien will grow. Send him to Wien."),
    ),
    Step(
        mark(
            "The third round. After it there is a count: each great hall brings the fame of its piece, a little more for "
            "the Composer of the Century, and each empty hall costs a point. You need nobody now: bid nothing."
        ),
        ("bid 0",),
        mark(
            "Your great hall in Wien has brought Mozart's fame and 1 more for the Composer of the Century; the empty hall "
            "beside it cost you 1. After nine rounds whoever has most points wins."
        ),
        mark("Keep your ducats this time: bid 0."),
        start=Start(seed=SEED, seats=3, played=(*FIRST_ROUND, *SECOND_ROUND)),
        then=("1: bid 0", "2: bid 0", "end", "end"),
    ),
)
