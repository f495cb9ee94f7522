"""What a network is shown of Le Fantôme besides the row: who is seen in company, and who would be after each action.

All of it follows from the board by the rules alone; the phantom is also shown how it would stand itself. Choosing a character
moves nobody yet: that action is shown as the best that the character's card can bring about, as far as can be seen at a glance.
"""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import is_legal, lowest, ones
from ridotto.engine.fields import Mask, Row, Seat
from ridotto.games.fantome.bot import UNWATCHED, board_of, closes_of, survey
from ridotto.games.fantome.rules import ACTIONS, CHRISTINE, EVERYBODY, NOBODY, PEOPLE, PHANTOM, RICHARD, A, F, drawn_in, watched

SIZE = ACTIONS.size

# Where each kind of number begins.
WATCHED = 0
"""For each character, whether it is in company and light."""
BALANCE = WATCHED + PEOPLE
"""For each action, how many more suspects are watched than not if the round ended after it."""
LEFT = BALANCE + SIZE
"""For each action, how many suspects would be left if the round ended after it; for the inspector, on average."""
OWN = LEFT + SIZE
"""For each action, whether the phantom would be watched; for the phantom alone."""
COUNT = OWN + SIZE


@compiled
def look(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Work out all of these, for the actions that are legal."""
    seen = watched(s)
    for who in range(PEOPLE):
        out[at + WATCHED + who] = seen >> who & 1
    suspects = s[F.suspects] & EVERYBODY
    me = s[F.identity] if seat == PHANTOM else NOBODY
    for action in range(SIZE):
        if is_legal(mask, action):
            if A.pick <= action < A.move:
                close = best_close(board_of(s), action - A.pick, suspects, me)
                outside, own = close % UNWATCHED, 1 - close // UNWATCHED
            else:
                for word in range(F.place, F.place + PEOPLE):
                    scratch[word] = s[word]
                scratch[F.dark] = s[F.dark]
                rearrange(s, action, scratch)
                seen = watched(scratch)
                outside = ones(suspects & ~seen)
                own = seen >> me & 1 if seat == PHANTOM else 0
            inside = ones(suspects) - outside
            out[at + BALANCE + action] = (inside - outside) / PEOPLE
            if seat == PHANTOM:
                out[at + LEFT + action] = (inside if own else outside) / PEOPLE
                out[at + OWN + action] = own
            else:
                out[at + LEFT + action] = (inside * inside + outside * outside) / (inside + outside) / PEOPLE


@compiled
def best_close(board: int, who: int, suspects: int, me: int) -> int:
    """Of the ends of a round that a character can bring about, the one with most suspects left, or fewest for the inspector.

    It is the number of suspects who are not watched, plus UNWATCHED if the phantom is one of them, as in `bot.py`.
    """
    closes = closes_of(board, who, survey(board, suspects), suspects, me, 1)
    count = ones(suspects)
    best = lowest(closes)
    most = -1
    while closes:
        close = lowest(closes)
        closes &= closes - 1
        outside = close % UNWATCHED
        inside = count - outside
        if me == NOBODY:
            worth = PEOPLE * PEOPLE - inside * inside - outside * outside
        else:
            worth = outside if close >= UNWATCHED else inside
        if worth > most:
            most = worth
            best = close
    return best


@compiled
def rearrange(s: Row, action: int, after: Row) -> None:
    """Put people where they are after an action, and the blackout."""
    if A.move <= action < A.lock:
        after[F.place + s[F.active]] = action - A.move
    elif action == A.use and s[F.active] == CHRISTINE:
        pulled = drawn_in(s)
        for who in range(PEOPLE):
            if pulled >> who & 1:
                after[F.place + who] = s[F.place + CHRISTINE]
    elif A.dark <= action < A.send:
        after[F.dark] = action - A.dark
    elif A.send <= action < A.leave:
        after[F.place + lowest(s[F.expelled])] = action - A.send
    elif A.leave <= action < A.swap:
        after[F.place + s[F.companion]] = action - A.leave
    elif A.swap <= action < A.take:
        after[F.place + RICHARD] = s[F.place + action - A.swap]
        after[F.place + action - A.swap] = s[F.place + RICHARD]
