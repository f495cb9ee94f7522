"""The first lesson of Turandot: a match of three players, from the first audition to the casting."""

from __future__ import annotations

from typing import Final

from ridotto.present.lesson import Start, Step
from ridotto.present.narrator import mark

SEED: Final = 3
"""A deal in which Cornélia Bellegarde comes on first and the second player has Puccini."""

MATCH: Final = (
    *("bid 1 0 plain", "bid 2 1 plain", "bid 4 0 plain", "name 0", "strike terrible"),
    *("bid 2 1 plain", "bid 2 1 plain", "bid 4 0 plain", "give 1", "give 2", "name 1", "strike perfection"),
    *("bid 4 2 bluff", "bid 4 1 plain", "money plain", "give 3", "give 1", "name 2", "strike patronage"),
    *("bid 1 0 plain", "bid 3 0 plain", "bid 4 0 plain"),
    *("bid 4 0 plain", "money plain", "bid 2 0 plain", "give 1"),
    *("bid 3 0 plain", "bid 2 0 plain", "bid 4 1 plain"),
    *("bid 2 1 plain", "bid 4 0 plain", "bid 1 0 plain"),
)
"""All seven rounds, as the steps play the first five of them."""
OTHERS: Final = (
    *("1: cast vauquelin", "1: cast clairvent", "1: cast lulu", "1: cast opale", "1: cast cabriole", "1: cast sermaize"),
    *("2: cast zia", "2: cast brandebourg", "2: cast vega", "2: cast malo", "2: cast aubrac", "2: cast silence"),
)
"""The roles that the other two cast in secret."""

STEPS: Final = (
    Step(
        mark(
            "Recruit the best troupe: six singers for the six roles of the opera. Their stars are points. Four singers come "
            "on, and everybody bids face down; two have done so, with one card and with two. Bid number 4 without money, for "
            "Cornélia Bellegarde and her three stars."
        ),
        ("bid 4 0 plain",),
        mark("Nobody else wanted number 4: she is yours, and free of charge."),
        mark("Number 4, no money, no bluff."),
        start=Start(seed=SEED, seats=3, played=MATCH[:2]),
        then=("name 0",),
    ),
    Step(
        mark(
            "Nine directors wait, and each suits a different troupe. After each of the first three rounds Puccini's holder "
            "picks an opponent, who strikes one: this time you. Strike the Enfant Terrible, who takes points for your "
            "Classical singer."
        ),
        ("strike terrible",),
        mark("The director leaves the game. Puccini goes to the next player, and new singers come on."),
        mark("The Enfant Terrible takes 2 points for each Classical singer: strike that one."),
        then=("bid 2 1 plain",),
    ),
    Step(
        mark(
            "Vega Tempête, number 2, has three stars, and the player before you has laid two cards: perhaps a number and "
            "money, perhaps a bluff. Go for her: number 2 with one money card."
        ),
        ("bid 2 1 plain",),
        mark(
            "A tie: you both bid number 2 with one money card. Nobody wins it, and the money goes back. Whoever has won "
            "nobody gets an understudy from Puccini's holder, who gave you Régnaud and kept Vega."
        ),
        mark("Number 2 with one money card this time, and see what happens."),
        then=("bid 4 0 plain", "give 1", "give 2", "name 1", "strike perfection"),
    ),
    Step(
        mark(
            "Now you have Puccini and bid first. Morgane Sépulcre, number 4, is worth it: number 4, two money cards, and the "
            "bluff card on top, so that the others wonder how much it is."
        ),
        ("bid 4 2 bluff",),
        mark(
            "You bid more than the other who wanted her: she is yours, and your two money cards are gone. The bluff card "
            "comes back. The third player laid money alone, hired the dressmaker and has a stage element."
        ),
        mark("Number 4, two money cards and the bluff card."),
        then=("bid 4 1 plain", "money plain"),
    ),
    Step(
        mark(
            "Two players have nobody yet. You have Puccini, so you decide who gets whom, and one singer is left over. Be "
            "stingy: give Fernand Cabriole, number 3, with his single star."
        ),
        ("give 3",),
        mark("An understudy cannot be refused. You gave Zia Kromatik to the other."),
        mark("Number 3, Fernand Cabriole."),
        then=("give 1",),
    ),
    Step(
        mark("You still have Puccini: pick the opponent who must strike a director now. Pick Yellow."),
        ("name 2",),
        mark("Yellow strikes the Parish-Hall Patriarch. The fourth round is different: now the directors themselves come on."),
        mark("Pick Yellow."),
        then=("strike patronage", "bid 1 0 plain", "bid 3 0 plain"),
    ),
    Step(
        mark(
            "The Eclectic, number 4, pays for many different categories, and your three singers already have three. Both "
            "others have laid a single card. Bid number 4 without money."
        ),
        ("bid 4 0 plain",),
        mark(
            "Everybody got the director they wanted. From now on choose singers who suit yours: one of each category is best."
        ),
        mark("Number 4 without money: The Eclectic."),
        then=("bid 4 0 plain",),
    ),
    Step(
        mark(
            "Weak singers this time. Lay your last money card alone, without a number: the first to do so, to the left of "
            "Puccini's holder, hires the dressmaker."
        ),
        ("money plain",),
        mark(
            "Your money card is a stage element now: a point. And Puccini's holder gave you Pirouette, Comic: a fourth "
            "category."
        ),
        mark("A money card alone, without a number and without the bluff card."),
        then=("bid 2 0 plain", "give 1"),
    ),
    Step(
        mark(
            "After seven rounds you cast the six roles. Turandot and Liù are women, the others men: a role of the wrong sex "
            "costs a point. Who sings Turandot?"
        ),
        ("cast bellegarde", "cast morgane"),
        mark("A woman for Turandot, and another one for Liù. Pirouette, of undetermined sex, can sing anything."),
        mark("Turandot is a woman's role: Cornélia Bellegarde or Morgane Sépulcre."),
        start=Start(seed=SEED, seats=3, played=(*MATCH, *OTHERS)),
    ),
    Step(
        mark(
            "Turandot, Calaf and Liù are cast. Now Ping: somebody in your troupe likes to sing just that role, and it is "
            "worth a point."
        ),
        ("cast regnaud",),
        mark(
            "Octave Régnaud in his favourite role. Stars, favourite roles, stage elements and the director are added up: "
            "look at every part of the score below. The highest total wins."
        ),
        mark("Look for Ping beside the names: Octave Régnaud likes to sing it."),
        start=Start(seed=SEED, seats=3, played=(*MATCH, *OTHERS, "0: cast bellegarde", "0: cast thoraval", "0: cast morgane")),
        then=("0: cast grosjean", "0: cast pirouette"),
    ),
)
