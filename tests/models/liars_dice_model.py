"""A second model of Liar's Dice, written from the rulebook alone, the way players think: cups with dice in them.

It shares no line with the engine. Chance is handed in as the faces that were rolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class Model:
    """A table: who has which dice under the cup, and what was said last."""

    def __init__(self, players: int, dice: int, sides: int, single: bool, rolled: Sequence[int]) -> None:
        self.sides, self.single = sides, single
        self.cups: list[list[int]] = [[0] * dice for _ in range(players)]
        self.turn = 0
        self.round = 1
        self.last_bid: tuple[int, int] | None = None
        self.last_bidder: int | None = None
        self.winners: list[int] = []
        self.lost: int | None = None
        """Who lost the challenge that ended the match; their die still lies on the table."""
        self.roll(rolled)

    def roll(self, rolled: Sequence[int]) -> None:
        """Everybody rolls the dice they have."""
        faces: Iterator[int] = iter(rolled)
        self.cups = [sorted(next(faces) for _ in cup) for cup in self.cups]
        assert list(faces) == [], "more dice were rolled than there are"

    def all_dice(self) -> list[int]:
        """What lies under all cups together."""
        return [die for cup in self.cups for die in cup]

    def legal(self) -> list[str]:
        """What the player whose turn it is may say."""
        if self.winners:
            return []
        bids = [(quantity, face) for quantity in range(1, len(self.all_dice()) + 1) for face in range(1, self.sides + 1)]
        if self.last_bid is None:
            return [f"bid {quantity} {face}" for quantity, face in bids]
        # Pairs are compared by quantity first, and by face where the quantities are equal.
        return [f"bid {quantity} {face}" for quantity, face in bids if (quantity, face) > self.last_bid] + ["liar"]

    def play(self, said: str, rolled: Sequence[int] = ()) -> None:
        """Bid or challenge; `rolled` is what the next round begins with, if there is one."""
        assert said in self.legal(), said
        if said != "liar":
            _, quantity, face = said.split()
            self.last_bid, self.last_bidder = (int(quantity), int(face)), self.turn
            self.turn = self.next_player(self.turn)
            return
        assert self.last_bid is not None and self.last_bidder is not None
        wanted, named = self.last_bid
        there = [die for die in self.all_dice() if die in (named, self.sides)]
        loser = self.last_bidder if len(there) < wanted else self.turn
        survivors = [player for player, cup in enumerate(self.cups) if len(cup) > (player == loser)]
        if self.single or len(survivors) == 1:
            self.winners = [player for player in range(len(self.cups)) if player != loser] if self.single else survivors
            self.lost = loser
            return
        self.cups[loser].pop()
        self.turn = loser if loser in survivors else self.next_player(loser)
        self.last_bid, self.last_bidder = None, None
        self.round += 1
        self.roll(rolled)

    def next_player(self, player: int) -> int:
        """The next one round the table who has dice."""
        order: list[int] = [*range(player + 1, len(self.cups)), *range(player + 1)]
        return next(other for other in order if self.cups[other])
