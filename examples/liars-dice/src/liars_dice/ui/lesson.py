"""The first lesson of Liar's Dice: a bid, a raise, a challenge, and the last die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ridotto.present.lesson import Start, Step
from ridotto.present.narrator import mark


def cups(*hands: Sequence[int]) -> dict[str, Any]:
    """Fields for cups with these dice.

    >>> cups((1, 1), (6,))["cup"]["0"]
    {'1': 2, '2': 0, '3': 0, '4': 0, '5': 0, '6': 0}
    """
    return {
        "left": {str(seat): len(hand) for seat, hand in enumerate(hands)},
        "cup": {str(seat): {str(face): hand.count(face) for face in range(1, 7)} for seat, hand in enumerate(hands)},
        "round": 1 + sum(5 - len(hand) for hand in hands),
    }


STEPS: Final = (
    Step(
        mark(
            "Two players, five dice each. You see your own: three fours, a two, and a six, which is wild and counts as any "
            "face. Say how many fours there are under both cups together, at least: bid five."
        ),
        ("bid 5 4",),
        mark(
            "You have four yourself, the six included: one more is likely to lie under the other cup. The other raises to six."
        ),
        mark("Bid 5 × four: the fifth line, the fourth die."),
        start=Start(seed=1, seats=2, fields=cups((4, 4, 4, 2, 6), (1, 3, 4, 5, 5))),
        then=("bid 6 4",),
    ),
    Step(
        mark("Six fours: you have four, so the other would need two. Raise once more, to six fives: higher, and a bluff."),
        ("bid 6 5",),
        mark("You were believed, and the other is cornered: seven fours."),
        mark("A raise names more dice, or as many of a higher face: 6 × five."),
        then=("bid 7 4",),
    ),
    Step(
        mark("Seven of ten dice would have to be fours or sixes. Nobody has to believe that: call the other a liar."),
        ("liar",),
        mark("All cups are lifted. There were five, not seven: the other loses a die and begins the next round."),
        mark("Do not raise that: call the other a liar."),
    ),
    Step(
        mark(
            "The end of another match: both of you have one die left. The other says that there is a three. You have a five. "
            "Do you believe it? There are two sides of six that make it true."
        ),
        ("liar",),
        mark("It was a two. That was the other's last die, and you are the last with dice: you win."),
        mark("Two times in three it is a lie: call it one."),
        start=Start(seed=1, seats=2, seat=1, fields=cups((2,), (5,)), played=("bid 1 3",)),
    ),
)
