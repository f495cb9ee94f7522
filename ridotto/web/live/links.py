"""Links to a table and its seats, for one reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from ridotto.club import cards
from ridotto.engine.fields import Seat
from ridotto.present.narrator import Narrator
from ridotto.web.identity import Keys
from ridotto.web.storage.table_info import Chair, TableInfo

Reach = Literal["machine", "network", "world"]


HAS_CARDS: Final = cards.is_installed()


@dataclass(frozen=True)
class Links:
    """Links as one reader gets them: by the address through which they reach the server."""

    keys: Keys = field(repr=False)
    base: str
    """Such as http://192.168.1.7:8765"""
    reach: Reach
    """The reach of the address."""

    def __hash__(self) -> int:
        return hash(self.base)  # it is asked for with every message

    def card(self, game: str, language: str) -> str:
        """The picture that messengers show with a link."""
        return f"{self.base}/card/{language}/{game}.png" if HAS_CARDS else ""

    def table(self, id: str) -> str:
        return f"{self.base}/t/{id}"

    def invitation(self, info: TableInfo, chair: Chair) -> str:
        """The link by which a friend can sit down."""
        return f"{self.table(info.id)}/sit/{self.keys.token('sit', info.id, chair.seat, chair.salt)}"

    def own_seat(self, info: TableInfo, seat: Seat) -> str:
        """The private link to a seat, for another device."""
        return f"{self.table(info.id)}/me/{self.keys.token('me', info.id, seat, info.chairs[seat].salt)}"

    def watch(self, info: TableInfo) -> str:
        """The link by which anybody can watch."""
        here = self.table(info.id)
        return f"{here}/watch/{self.keys.token('watch', info.id, -1, info.salt)}" if info.private else here

    def describe_reach(self, narrator: Narrator) -> str:
        """The reach of the links, as a sentence."""
        if self.reach == "machine":
            return narrator.say("These links work on this machine only. To play across your network, start with HOST=0.0.0.0.")
        if self.reach == "network":
            return narrator.say("These links work for everybody in the same network as this machine.")
        return narrator.say("These links work everywhere.")
