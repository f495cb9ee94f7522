"""The inputs of a network for Le Fantôme besides the row: who is seen in company, and who would be after each action.

All of it follows from the board by the rules alone; the phantom is also shown how it would stand itself. Choosing a character
moves nobody yet: that action is shown as the best that the character's card can bring about, as far as can be seen at a glance.
"""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import is_legal, lowest, ones
from ridotto.engine.fields import Mask, Row, Seat
from ridotto.games.fantome.ai.board import board_of, unwatched
from ridotto.games.fantome.ai.outlook import UNWATCHED, close_of, closes_of, survey
from ridotto.games.fantome.rules import ACTIONS, CHRISTINE, EVERYBODY, NOBODY, PEOPLE, PHANTOM, RICHARD, A, F, drawn_in, watched

SIZE = ACTIONS.size

# Where each kind of number begins.
WATCHED = 0
"""For each character, whether it is in company and light."""
BALANCE = WATCHED + PEOPLE
"""For each action, how many more suspects are watched than not if the round ended after it."""
LEFT = BALANCE + SIZE
"""For each action, how many suspects would be left if the round ended after it; for the inspector, on average."""
MOST = LEFT + SIZE
"""For each action, how many suspects would be left at most if a card still to come were played at once: the mean over these."""
LEAST = MOST + SIZE
"""The same, at least."""
OWN = LEAST + SIZE
"""For each action, whether the phantom would be watched; for the phantom alone."""
COUNT = OWN + SIZE


@compiled
def compute(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Work out all of these, for the actions that are legal."""
    seen = watched(s)
    for who in range(PEOPLE):
        out[at + WATCHED + who] = seen >> who & 1
    suspects = s[F.suspects] & EVERYBODY
    me = s[F.identity] if seat == PHANTOM else NOBODY
    for action in range(SIZE):
        if is_legal(mask, action):
            for word in range(F.place, F.place + PEOPLE):
                scratch[word] = s[word]
            for word in (F.dark, F.padlock, F.active, F.companion):
                scratch[word] = s[word]
            rearrange(s, action, scratch)
            board = board_of(scratch)
            house = survey(board, suspects)
            cards = s[F.offered] & EVERYBODY
            if A.pick <= action < A.move:
                who = action - A.pick
                cards &= ~(1 << who)
                closes = closes_of(board, who, house, suspects, me, 1)
                close = extreme(closes, suspects, me, -1 if me == NOBODY else 1)
            else:
                close = close_of(unwatched(board), suspects, me)
            outside = close % UNWATCHED
            out[at + BALANCE + action] = (ones(suspects) - 2 * outside) / PEOPLE
            left = left_by(close, suspects, me)
            out[at + LEFT + action] = left
            if seat == PHANTOM:
                out[at + OWN + action] = 1 - close // UNWATCHED
            count = ones(cards)
            out[at + MOST + action] = 0 if count else left
            out[at + LEAST + action] = 0 if count else left
            while cards:
                closes = closes_of(board, lowest(cards), house, suspects, me, 1)
                cards &= cards - 1
                out[at + MOST + action] += left_by(extreme(closes, suspects, me, 1), suspects, me) / count
                out[at + LEAST + action] += left_by(extreme(closes, suspects, me, -1), suspects, me) / count


@compiled
def left_by(close: int, suspects: int, me: int) -> float:
    """The suspects that an end of the round leaves, in eighths; to the inspector, who does not know which, on average.

    An end is the number of suspects who are not watched, plus UNWATCHED if the phantom is one of them, as in `ai/outlook.py`.
    """
    outside = close % UNWATCHED
    inside = ones(suspects) - outside
    if me == NOBODY:
        return (inside * inside + outside * outside) / (inside + outside) / PEOPLE
    return (outside if close >= UNWATCHED else inside) / PEOPLE


@compiled
def extreme(closes: int, suspects: int, me: int, sign: int) -> int:
    """Of some ends of a round the one that leaves the most suspects, or the fewest if `sign` is -1."""
    found = lowest(closes)
    while closes:
        close = lowest(closes)
        closes &= closes - 1
        if sign * (left_by(close, suspects, me) - left_by(found, suspects, me)) > 0:
            found = close
    return found


@compiled
def rearrange(s: Row, action: int, after: Row) -> None:
    """Put people where they are after an action, the blackout and the padlock."""
    if A.move <= action < A.lock:
        after[F.place + s[F.active]] = action - A.move
    elif action == A.use and s[F.active] == CHRISTINE:
        pulled = drawn_in(s)
        for who in range(PEOPLE):
            if pulled >> who & 1:
                after[F.place + who] = s[F.place + CHRISTINE]
    elif A.lock <= action < A.use:
        after[F.padlock] = action - A.lock
    elif A.dark <= action < A.send:
        after[F.dark] = action - A.dark
    elif A.send <= action < A.leave:
        after[F.place + lowest(s[F.expelled])] = action - A.send
    elif A.leave <= action < A.swap:
        after[F.place + s[F.companion]] = action - A.leave
    elif A.swap <= action < A.take:
        after[F.place + RICHARD] = s[F.place + action - A.swap]
        after[F.place + action - A.swap] = s[F.place + RICHARD]
