"""Boards and rows: what a card can lead to, by the rules."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import compiled
from ridotto.engine.dice import LOW32, lowest
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.board import DARK, LOCK, board_of, where
from ridotto.games.fantome.rules import EVERYBODY, NOBODY, PEOPLE, PICK, F, apply, legal, to_act

PIECES = (1 << 40) - 1
"""The bits of a board that say where characters, blackout and padlock are; the cards to come follow, then the group."""
CARDS_AT, GROUP_AT = 40, 48


@compiled
def place_board(s: Row, board: int) -> None:
    """Put the pieces of a row where a board has them, with its cards to come, before a card is chosen."""
    for who in range(PEOPLE):
        s[F.place + who] = where(board, who)
    s[F.dark] = where(board, DARK)
    s[F.padlock] = where(board, LOCK)
    s[F.offered] = board >> CARDS_AT & EVERYBODY
    s[F.asked] = PICK
    s[F.active] = NOBODY
    s[F.companion] = NOBODY
    s[F.unlocked] = -1
    s[F.expelled] = 0


@compiled
def finish_card(s: Row, stack: Any, row: Row, mask: Any, dice: Any, events: Any, out: Any) -> int:
    """All boards, with the cards to come, that the card in hand (or any card, before one is chosen) can lead to.

    Some may come twice. Nothing is drawn and no round is closed: the row is played on as if it were the first card of a round
    without alibis. Returns how many there are.
    """
    for word in range(len(s)):
        stack[0, word] = s[word]
    stack[0, F.played] = 0
    stack[0, F.shown] = EVERYBODY
    stack[0, F.ghosts] = 0
    stack[0, F.held] = 0
    stack[0, F.identity] = 0
    top = 1
    count = 0
    while top > 0:
        top -= 1
        if stack[top, F.played] == 1:
            if count < len(out):
                out[count] = board_of(stack[top]) & PIECES | stack[top, F.offered] << CARDS_AT
                count += 1
            continue
        for word in range(len(s)):
            row[word] = stack[top, word]
        seat = lowest(to_act(row))
        legal(row, seat, mask)
        for part in range(len(mask)):
            bits = mask[part] & LOW32
            while bits:
                action = (part << 5) + lowest(bits)
                bits &= bits - 1
                for word in range(len(s)):
                    stack[top, word] = row[word]
                apply(stack[top], seat, action, dice, events)
                top += 1
    return count


@compiled
def player_of(s: Row, cards_later: int) -> int:
    """The player of the card that comes so many cards later."""
    seat: int = (((s[F.played] + cards_later + 1) >> 1) ^ s[F.round] ^ 1) & 1
    return seat


@compiled
def squeeze(group: int, suspects: int) -> int:
    """A set of characters as bits for the suspects alone, in order."""
    bits = 0
    at = 0
    for who in range(PEOPLE):
        if suspects >> who & 1:
            bits |= (group >> who & 1) << at
            at += 1
    return bits
