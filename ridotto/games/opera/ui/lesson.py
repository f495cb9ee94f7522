"""The first lesson of Opera: the first round of three players, and the count after the third.

Its second part practises every other role, playing along and the cities, up to the second count.
"""

from __future__ import annotations

from typing import Final

from ridotto.present.lesson import Start, Step
from ridotto.present.narrator import mark

SEED: Final = 11
"""A deal in which Mozart is for sale, has fame 3, and is the first Composer of the Century."""

FIRST_ROUND: Final = (
    *("0: bid 8", "1: bid 4", "2: bid 3"),
    *("hire architetto", "build wien main", "stop", "decline", "decline"),
    *("hire impresario", "buy mozart", "stop", "arrange venezia house; wien mozart", "decline", "decline"),
    *("end", "end", "hire maestro", "move wien"),
)
SECOND_ROUND: Final = ("0: bid 0", "1: bid 0", "2: bid 0", "end", "end")
THIRD_ROUND: Final = SECOND_ROUND

STEPS: Final = (
    Step(
        mark(
            "Most points after nine rounds wins: you get them for building, and at three counts for the pieces in your great "
            "halls. You play red, with one hall in Venezia. Each round begins with secret bids: ducats become budget levels, "
            "and levels hire people. The highest goes first. Bid 8."
        ),
        ("bid 8",),
        mark("All hands open at once: Blue bid 4, Yellow 3. You stand highest and have the initiative."),
        mark("Bid 8 this time: enough to stay on top."),
        start=Start(seed=SEED, seats=3),
        then=("1: bid 4", "2: bid 3"),
    ),
    Step(
        mark(
            "Six roles are for hire, each once a round, and each costs its number of levels. You need room for your pieces: "
            "hire the Architetto."
        ),
        ("hire architetto",),
        mark("Two levels down, and now you build. With an employee the others may play along afterwards, for a level each."),
        mark("The Architetto is the one who builds."),
    ),
    Step(
        mark("Each hall costs 2 ducats and brings 2 points at once. Build the main part of Wien: two halls."),
        ("build wien main",),
        mark(
            "Four points for you. You stop there, the others do not build, and it is your turn again: you still stand "
            "highest. But both halls in Wien are empty."
        ),
        mark("The main part of Wien, please: two halls for 4 ducats."),
        then=("stop", "decline", "decline"),
    ),
    Step(
        mark("Halls need pieces, and the Impresario buys them. Hire the Impresario."),
        ("hire impresario",),
        mark("Three levels for him. You may buy up to two of the pieces on offer, and then rearrange your houses."),
        mark("The Impresario buys pieces."),
    ),
    Step(
        mark(
            "A piece costs its composer's fame in ducats: see the fame ladder. Mozart's fame is 3, and he will be the "
            "Composer of the Century at the first count. Buy a Mozart."
        ),
        ("buy mozart",),
        mark("Three ducats, and the piece is behind your screen. There it earns nothing yet."),
        mark("Mozart is the one to have: look who stands on the round track behind III."),
        then=("stop",),
    ),
    Step(
        mark(
            "Now rearrange your houses. A piece in any hall earns ducats; at a count only the great halls bring points. Put "
            "Mozart into the great hall of Wien, and leave your house piece in Venezia."
        ),
        ("arrange venezia house; wien mozart",),
        mark(
            "Mozart is performed. The others buy nothing. On the budget table they now come before you: both end "
            "their performance for this round."
        ),
        mark("Mozart belongs in the great hall of Wien, the one with the red columns, and your house piece in Venezia."),
        then=("decline", "decline", "end", "end"),
    ),
    Step(
        mark(
            "Three roles are figures: they travel, and nobody plays along. The Critico changes a composer's fame, the Esperto "
            "scores, the Maestro brings more income. You have three levels left: hire the Maestro."
        ),
        ("hire maestro",),
        mark("He doubles the income of every house in the city he stands in."),
        mark("The Maestro costs 2 levels, and you have 3."),
    ),
    Step(
        mark("Where should he conduct? Where your new piece is performed: send him to Wien."),
        ("move wien",),
        mark(
            "One level hires nobody, so the round ends by itself: income, 1 ducat for Venezia and twice 1 for Wien. Mozart "
            "is performed most and rises. New pieces are laid out, and the next round begins."
        ),
        mark("Mozart is performed in Wien, and there is room for another piece: send the Maestro there."),
    ),
    Step(
        mark(
            "The third round, and after it a count: each great hall brings the fame of its piece, and a little more for the "
            "Composer of the Century; each empty hall costs a point. You need nobody now: bid nothing."
        ),
        ("bid 0",),
        mark(
            "Your great hall in Wien has brought Mozart's fame, and 1 more for the Composer of the Century; the empty hall "
            "beside it cost you 1. Six rounds are left, with two more counts."
        ),
        mark("Keep your ducats this time: bid 0."),
        start=Start(seed=SEED, seats=3, played=(*FIRST_ROUND, *SECOND_ROUND)),
        then=("1: bid 0", "2: bid 0", "end", "end"),
    ),
    Step(
        mark(
            "Round four: London and Paris have opened, and Milano will after the second count. You may have a house in each "
            "city, with a great hall of its own. Bid 5."
        ),
        ("bid 5",),
        mark(
            "You stand on level 6, but Blue is higher, goes first, and hires the Architetto for a house in Berlin. Now the "
            "others may play along."
        ),
        mark("Bid 5 this time."),
        start=Start(seed=SEED, seats=3, played=(*FIRST_ROUND, *SECOND_ROUND, *THIRD_ROUND)),
        then=("1: bid 5", "2: bid 0", "hire architetto", "build berlin main", "stop"),
        part=mark("Part two: the roles and the cities"),
    ),
    Step(
        mark(
            "Playing along costs a level for each part that you build; to hire the Architetto would have cost two. Build the "
            "main part of London."
        ),
        ("build london main",),
        mark("Two halls, 4 points, one level. Yellow does not play along, and Blue ends the performance: it is your turn."),
        mark("The main part of London, please."),
        then=("stop", "decline", "end"),
    ),
    Step(
        mark("The new halls are empty. Hire the Impresario again."),
        ("hire impresario",),
        mark("You may buy up to two pieces."),
        mark("The Impresario buys pieces."),
    ),
    Step(
        mark("Wagner has fame 3, and will rise if he is performed much. Buy a Wagner."),
        ("buy wagner",),
        mark("Wagner for 3 ducats; and with your last coins you take a Monteverdi too, for 1."),
        mark("Wagner is the one to buy."),
        then=("buy monteverdi",),
    ),
    Step(
        mark(
            "Wagner belongs in the great hall of London, Monteverdi beside him. Leave Mozart and your house piece where they "
            "are."
        ),
        ("arrange venezia house; wien mozart; london wagner monteverdi",),
        mark(
            "Four pieces earn ducats now. You and Yellow end your performance, and the round is over: income, Wagner rises to "
            "fame 4, and round five begins."
        ),
        mark("London: Wagner in the great hall, Monteverdi beside him. Wien: Mozart. Venezia: your house piece."),
        then=("decline", "end", "end"),
    ),
    Step(
        mark("Blue still stands on level 7. To go first, bid 6."),
        ("bid 6",),
        mark("Level 8: you have the initiative."),
        mark("Bid 6, to get above Blue."),
        then=("1: bid 0", "2: bid 0"),
    ),
    Step(
        mark("The Critico can make a composer's fame, or break it, in the city that he goes to. Hire the Critico."),
        ("hire critico",),
        mark("Three levels. First he travels."),
        mark("The Critico, please."),
    ),
    Step(
        mark("Only a composer who is performed where he stands can be moved. Send him to London, where your Wagner is."),
        ("move london",),
        mark("In London Wagner and Monteverdi are performed."),
        mark("Your Wagner is in London."),
    ),
    Step(
        mark("Raise Wagner by two steps. Whoever was above him falls."),
        ("praise wagner 2",),
        mark("Wagner has fame 6, the highest, and Mozart falls to 5. Blue ends the performance; you still have five levels."),
        mark("Raise Wagner by two steps."),
        then=("end",),
    ),
    Step(
        mark("The Signora sells pieces to the Palazzo. Hire the Signora."),
        ("hire signora",),
        mark("Two levels for her. Which piece do you need least?"),
        mark("The Signora costs 2 levels."),
    ),
    Step(
        mark("A piece brings its fame in points, or twice its fame in ducats. Monteverdi has only fame 2: sell him."),
        ("sell monteverdi london",),
        mark("Monteverdi goes to the Palazzo."),
        mark("Sell Monteverdi, and keep the famous ones."),
    ),
    Step(
        mark("Four ducats now, or two points for good? Five rounds are still to come, counting this one: take the ducats."),
        ("take ducats",),
        mark("You end your performance, Yellow too. Income: Wagner and Mozart are performed most, and round six begins."),
        mark("Take the ducats: you will need them to bid."),
        then=("decline", "end", "end"),
    ),
    Step(
        mark("After this round comes the second count. Bid 5, to be first."),
        ("bid 5",),
        mark("Level 8, above Blue."),
        mark("Bid 5: then you stand above Blue."),
        then=("1: bid 0", "2: bid 0"),
    ),
    Step(
        mark("The Esperto scores at once for your pieces in one city. Hire the Esperto."),
        ("hire esperto",),
        mark("Four levels: the dearest of all."),
        mark("The Esperto, please."),
    ),
    Step(
        mark(
            "You get the fame of your pieces there, but must give the best of them to whoever is last. Few figures fit into a "
            "city, and London is full: send him to Wien."
        ),
        ("move wien",),
        mark(
            "Five points for Mozart, who goes to Yellow. Then the count: 6 points for Wagner in his great hall, 3 lost for "
            "empty halls. You have seen every role: 22 points, and three rounds to go."
        ),
        mark("Mozart is in Wien."),
        then=("end", "end", "end"),
    ),
)
