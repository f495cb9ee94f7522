"""Words: the numbers of a game in sentences, for one reader.

A game's `ui/words.py` has a subclass `Words`. Most of what it says stands in tables: a message by the name of an event, an
action or a reason. Its gaps are filled with facts of their names: the numbers of an event, or those that a function takes from
a row. How a fact is put into words stands once, in `Words.gaps`.

>>> class English(Words):
...     def player(self, seat: int) -> str:
...         return self.narrator.name(seat, ("Red", "Blue")[seat])
...
...     def coins(self, number: int) -> str:
...         return self.count("{number} coin", "{number} coins", number)
...
...     gaps = {"coins": coins}
>>> table = {
...     "pays": Tell("You pay {coins}.", "{who} pays {coins}."),
...     "starts": lambda event: ("Round {round} of {last}.", {"last": 5 if event["short"] else 9}),
... }
>>> blue = English(Narrator(reader=1))
>>> [blue.line(table["pays"], event, event) for event in ({"seat": 0, "coins": 2}, {"seat": 1, "coins": 1})]
['Red pays 2 coins.', 'You pay 1 coin.']
>>> blue.line(table["starts"], {"round": 2, "short": 1}, {"round": 2, "short": 1})
'Round 2 of 5.'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from ridotto.core.errors import CLASH, LATER, OVER
from ridotto.core.view import REDEALT, RESIGNED, UNDONE
from ridotto.engine.fields import Seat
from ridotto.present.narrator import Narrator

if TYPE_CHECKING:
    from ridotto.core.errors import BadSeries, Refusal
    from ridotto.core.view import Seen, View


# Messages of a table.


class Tell(NamedTuple):
    """A sentence about a seat: the message to its player, and the one to everybody else."""

    you: str
    they: str


class Plural(NamedTuple):
    """A message in the singular and in the plural form."""

    one: str
    many: str


Message: TypeAlias = str | Tell | Plural
Facts: TypeAlias = Mapping[str, Any]
"""The values for the gaps of a message, by name, before it is put into words: mostly numbers of the rules."""
Line: TypeAlias = tuple[Message, Facts]
"""A message that was chosen, with the facts that it needs besides."""


@dataclass(slots=True)
class _Gaps:
    """The values for the gaps of a message, each computed when the message needs it."""

    words: Words
    facts: Facts

    def __getitem__(self, gap: str) -> object:
        if gap == "who" and gap not in self.facts:
            return self.words.called(self.facts["seat"])
        put = self.words.gaps.get(gap)
        return self.facts[gap] if put is None else put(self.words, self.facts[gap])


# Words.

W = TypeVar("W")


@lru_cache(256)
def _the_same(words: W) -> W:
    """One object for all words that are equal."""
    return words


class Rival(NamedTuple):
    """A rival without a seat whose points count at the end."""

    name: str
    parts: dict[str, int]
    score: int


class Standing(NamedTuple):
    """The standing of a seat in a match that goes on, by public knowledge."""

    text: str
    """A word or two: "23 points"."""
    leads: bool = False


class OptionText(NamedTuple):
    """The title and the explanation of an option, for a form."""

    title: str
    explanation: str


@dataclass(frozen=True)
class Words:
    """Puts the numbers of a game's rules into sentences, with one narrator. A game's `ui/words.py` has a subclass `Words`.

    A game must implement the first five methods; the others have a default.
    """

    narrator: Narrator
    gaps: ClassVar[Mapping[str, Callable[[Any, Any], str]]] = {}
    """The wording of the fact in a gap, by the name of the gap; any other fact is used unchanged."""

    def __hash__(self) -> int:
        return self._hash  # it is a key of many caches

    @cached_property
    def _hash(self) -> int:
        return hash(self.narrator)

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """The label of the button for an action, from a masked row."""
        raise NotImplementedError

    def player(self, seat: Seat) -> str:
        """A seat's player as the beginning of a sentence: by name, or what the game calls the seat ("Ada", "The inspector")."""
        raise NotImplementedError

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """An event as a line of the log; numbers that the reader may not know are HIDDEN."""
        raise NotImplementedError

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """The reason of a refusal, to the player who tried, as the end of a sentence: "you have no money left"."""
        raise NotImplementedError

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """The question to a seat, as one sentence."""
        raise NotImplementedError

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase ("play a character"), where no single action is meant."""
        return verb

    def option(self, name: str) -> OptionText | None:
        """The title and the explanation of an option in a form; None: those that the rules declare."""
        return None

    def rivals(self, row: Sequence[int]) -> list[Rival]:
        """The rivals without a seat whose points count at the end."""
        return []

    def standings(self, row: Sequence[int]) -> Sequence[Standing]:
        """The standing of each seat, by public knowledge; empty in a game without standings."""
        return []

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """Advice for a first-time player about the decision that is due; "" if there is none.

        A sentence or two: what the decision is for, and what to look at. The question itself is said anyway.
        """
        return ""

    def early(self, row: Sequence[int], seat: Seat, text: str) -> str:
        """The label of the button for a decision that is made early, see `ridotto.core.inputs`."""
        raise NotImplementedError

    def fault(self, row: Sequence[int], seat: Seat, fault: BadSeries) -> str:
        """A fault in the text of a series of actions, as a sentence."""
        raise NotImplementedError

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        """The figures of a position for a seat, by name, the most important first; without any, reviews give no reasons.

        `row` is what the seat may know, after a turn of its own. See `ridotto.bots.reasons`.
        """
        return {}

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        """The reason why a position with another figure is better for a seat; "" if that is no advantage."""
        return ""

    def usage(self) -> Mapping[str, str]:
        """The texts that can be typed in a terminal besides actions, each with one sentence."""
        return {}

    # For all games.

    def event(self, seen: Seen) -> str:
        """An event as a line of the log."""
        name, values = seen.event.name, seen.values
        if name == RESIGNED.name:
            if values["seat"] in self.narrator.late:
                return self.tell(values["seat"], "You ran out of time.", "{who} ran out of time.")
            return self.tell(values["seat"], "You resign.", "{who} resigns.")
        if name == UNDONE.name:
            return self.say("Move taken back.")
        if name == REDEALT.name:
            return self.say("Everything hidden is dealt again.")
        return self.sentence(name, values)

    def refusal(self, refusal: Refusal) -> str:
        """The reason of a refusal, as the end of a sentence, without its §."""
        if refusal.reason == OVER:
            return self.say("the match is over")
        if refusal.reason == LATER:
            return self.say("wait and see what comes of this before you decide what follows")
        if refusal.reason == CLASH:
            return self.say("that does not go with what you have decided already")
        if isinstance(refusal.action, int):
            return self.because(refusal.reason, refusal.row, refusal.seat, refusal.action)
        assert refusal.fault is not None
        return self.fault(refusal.row, refusal.seat, refusal.fault)

    def all_early(self, view: View) -> list[tuple[str, str]]:
        """The decisions that a reader may make early, each with its label."""
        return [] if view.seat is None else [(one.text, self.early(view.row, view.seat, one.text)) for one in view.early]

    def ranked(self, texts: Sequence[str], numbers: Sequence[int]) -> list[Standing]:
        """Standings by numbers: the highest one leads, unless all are equal."""
        most = max(numbers)
        return [Standing(text, number == most > min(numbers)) for text, number in zip(texts, numbers, strict=True)]

    def nameless(self, reader: Seat | None = None) -> Self:
        """The same words without names, for this reader: one object for each, so that drawings are cached by it."""
        if reader not in self._nameless:
            self._nameless[reader] = _the_same(replace(self, narrator=replace(self.narrator, names=(), reader=reader)))
        return self._nameless[reader]

    @cached_property
    def _nameless(self) -> dict[Seat | None, Self]:
        return {}

    def unaddressed(self) -> Self:
        """The same words without a reader: everybody is called by name."""
        return self if self.narrator.reader is None else self._unaddressed

    @cached_property
    def _unaddressed(self) -> Self:
        return replace(self, narrator=replace(self.narrator, reader=None))

    def say(self, message: str, **values: object) -> str:
        """A message in the reader's language, with its gaps filled."""
        return self.narrator.gettext(message).format(**values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A message in the singular or plural form for a number."""
        return self.narrator.ngettext(one, many, abs(number)).format(number=number, **values)

    def line(self, entry: Message | Callable[..., Line], facts: Facts, *situation: Any) -> str:
        """An entry of a table as text: a message, or a function that chooses one for a situation and adds facts."""
        if not callable(entry):
            return self.fill(entry, facts)
        message, more = entry(*situation)
        return self.fill(message, {**facts, **more} if facts else more)

    def fill(self, message: Message, facts: Facts) -> str:
        """A message of a table in the reader's language, with its gaps filled.

        The fact `seat` says whom a sentence is about: its player fills the gap `{who}`. A plural goes by the fact `number`.
        """
        if isinstance(message, Plural):
            text = self.narrator.ngettext(message.one, message.many, abs(facts["number"]))
        elif isinstance(message, Tell):
            text = self.narrator.gettext(message.you if self.is_reader(facts["seat"]) else message.they)
        else:
            text = self.narrator.gettext(message)
        return text.format_map(_Gaps(self, facts))

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """A sentence about a seat: the message `you` if the seat is the reader's, otherwise the message `they`.

        Its player fills the gap `{who}`.
        """
        return self.narrator.tell(seat, you, they, **{"who": self.called(seat), **values})

    def called(self, seat: Seat) -> str:
        """A seat's player, looked up once."""
        if seat not in self._players:
            self._players[seat] = self.player(seat)
        return self._players[seat]

    @cached_property
    def _players(self) -> dict[Seat, str]:
        return {}

    def is_reader(self, seat: Seat) -> bool:
        """Whether a seat is the reader's."""
        return self.narrator.is_reader(seat)

    def spoken_to(self, seat: Seat | None) -> Seat | None:
        """The seat that words about a view address: the reader's; without a reader, the view's."""
        reader = self.narrator.reader
        return seat if reader is None else reader

    def names(self, seats: Iterable[Seat]) -> str:
        """Players as a phrase, the reader first: "you, Ada and Bo"."""
        ordered = sorted(seats, key=lambda seat: not self.is_reader(seat))
        return self.listed([self.say("you") if self.is_reader(seat) else self.player(seat) for seat in ordered])

    def listed(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b and c"."""
        return self.narrator.listed(items)
