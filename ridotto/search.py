"""The compiled search of one game: what each action is worth to a seat that knows only a masked row.

Worlds come from `redeal`, so that the search sees what the seat sees. The playouts are shared out by halving: every
action gets a few, the worse half goes, the rest get more. Loaded once per game and target.
"""

from __future__ import annotations

from ridotto.contract import FIELDS, apply, legal, redeal, winners
from ridotto.dice import count_legal, nth_legal
from ridotto.driver import SHARE, play_on
from ridotto.kernel import Dice, Events, Mask, Row, Seat, compiled

WIDTH = FIELDS.width
ENDLESS = 1 << 30


@compiled
def halve(
    masked: Row,
    seat: Seat,
    playouts: int,
    world: Row,
    mask: Mask,
    dice: Dice,
    events: Events,
    actions: Row,
    visits: Row,
    gains: Row,
) -> int:
    """Fill `actions` with the legal ones, best first, with the playouts and win shares of each; how many there are."""
    legal(masked, seat, mask)
    count = count_legal(mask)
    for i in range(count):
        actions[i] = nth_legal(mask, i)
        visits[i] = 0
        gains[i] = 0
    left = count
    rounds = 1
    while left >> rounds > 1:
        rounds += 1
    while True:
        each = max(1, playouts // (rounds * left))
        for i in range(left):
            for _ in range(each):
                gains[i] += playout(masked, seat, actions[i], world, mask, dice, events)
            visits[i] += each
        sort(left, actions, visits, gains)
        if left <= 2:
            return count
        left = (left + 1) // 2


@compiled
def playout(masked: Row, seat: Seat, action: int, world: Row, mask: Mask, dice: Dice, events: Events) -> int:
    """A seat's share of the win after an action in one possible world, all playing at random from there."""
    for word in range(WIDTH):
        world[word] = masked[word]
    redeal(world, seat, dice)
    apply(world, seat, action, dice, events)
    play_on(world, mask, dice, events, ENDLESS)
    won = winners(world)
    if not won >> seat & 1:
        return 0
    sharing = 0
    while won:
        sharing += won & 1
        won >>= 1
    return SHARE // sharing


@compiled
def sort(left: int, actions: Row, visits: Row, gains: Row) -> None:
    """Put the first `left` actions in order of their average gain, the best first."""
    for i in range(1, left):
        j = i
        while j > 0 and gains[j] * visits[j - 1] > gains[j - 1] * visits[j]:
            actions[j], actions[j - 1] = actions[j - 1], actions[j]
            visits[j], visits[j - 1] = visits[j - 1], visits[j]
            gains[j], gains[j - 1] = gains[j - 1], gains[j]
            j -= 1
