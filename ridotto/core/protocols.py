"""What a game provides: one protocol for each file of its folder, what it is for, and whether it may be missing.

A game is a package with a ``game`` (a `Game`, see `ridotto.core.game`) and these modules:

================== ========= =====================================================================================
file               missing?  what happens without it
================== ========= =====================================================================================
rules.py           never     the functions and tables of `ridotto.engine.contract.Rules`
components.py      never     `BOX`, the components as plain data, and constants worked out from it
words.py           never     a class `Words`: the numbers of the rules in sentences
bot.py             may be    bots choose at random inside their playouts, and play every match to its end
sketch.py          may be    a terminal lists the named fields
picture.py         may be    a page shows the named fields as one panel
page.py            may be    every answer is a plain button
lesson.py          may be    no lesson is offered
tuning.toml        may be    the standard levels, without ratings; see `ridotto.core.tuning`
page.css           may be    no styles of its own
rulebook/LANG.md   may be    the English one is shown; without that, the page says that there is no rulebook
locale/            may be    sentences stay English
================== ========= =====================================================================================

`ridotto check GAME` says in plain words what a game lacks. Nothing else is looked for: no attribute is found by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from ridotto.core.narrator import Narrator
from ridotto.engine.fields import Kind, Seat

if TYPE_CHECKING:
    from ridotto.core.drawing import Panel
    from ridotto.core.lesson import Step
    from ridotto.core.markup import Html
    from ridotto.core.view import View


# Words.


class Rival(NamedTuple):
    """A rival without a seat whose points count at the end."""

    name: str
    parts: dict[str, int]
    score: int


class OptionText(NamedTuple):
    """The title and the explanation of an option, for a form."""

    title: str
    explanation: str


Series = Callable[[Sequence[int], Seat, str], list[int]]
"""Turns a masked row, a seat and the rest of a text such as `arrange venezia verdi` into a list of actions.

Raises BadSeries if the text is wrong."""


@dataclass(frozen=True)
class Words:
    """Puts the numbers of a game's rules into sentences, with one narrator. A game's `words.py` has a subclass called `Words`.

    A game must implement the first five methods; the others have a default.
    """

    narrator: Narrator

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
        """Why an action is refused, as the end of a sentence."""
        raise NotImplementedError

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted of a seat, as one sentence."""
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

    def series(self) -> Mapping[str, Series]:
        """Texts that stand for a series of actions: for their first word ("arrange"), the function that reads the rest."""
        return {}

    def usage(self) -> Mapping[str, str]:
        """What can be typed in a terminal besides actions, each with one sentence about it."""
        return {}

    # For all games.

    def series_of(self, text: str) -> Series | None:
        """The function that reads a text such as `arrange venezia verdi` as a series of actions; None if it is no such text."""
        return self.series().get(text.partition(" ")[0].lower())

    def nameless(self) -> Self:
        """The same words without names and reader: a cache key for what is the same for all readers of a language."""
        return replace(self, narrator=replace(self.narrator, names=(), reader=None))

    def say(self, message: str, **values: object) -> str:
        """A message in the reader's language, with its gaps filled."""
        return self.narrator.say(message, **values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A message in the singular or plural form for a number."""
        return self.narrator.count(one, many, number, **values)

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """A sentence about a seat: the message `you` if the seat is the reader's, otherwise the message `they`."""
        return self.narrator.tell(seat, you, they, **values)

    def listed(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b and c"."""
        return self.narrator.listed(items)


# Sketch, picture, page.


class Sketch(Protocol):
    """`sketch.py`: the table as text for a terminal."""

    def text(self, view: View, words: Any) -> str:
        """The table in Rich's markup."""


class Picture(Protocol):
    """`picture.py`: the table drawn."""

    COLUMNS: tuple[tuple[str, ...], ...]
    """The names of the panels, column by column, as a wide page lays them out."""
    STYLE: str
    """Styles of the panels; colours are named as in `ridotto.core.drawing`."""

    def panels(self, view: View, words: Any) -> list[Panel]:
        """The panels of the table, the most important first."""

    def preview(self, view: View, words: Any, action: int) -> list[Panel]:
        """The panels that an action would change, drawn as far as the seat can know; none if the game has no previews."""

    def vignette(self, words: Any) -> tuple[Sequence[str], str] | None:
        """The drawing on the game's card in the lobby, as its parts and its viewBox; None: the table after the deal."""


WordsT = TypeVar("WordsT", bound=Words)


class Page(Generic[WordsT]):
    """`page.py`: how the web table of a game differs from the standard one, as a subclass called `Page`.

    Every method has a default. The pages of a game, and nothing else, are inside an element whose class is the game's name,
    for the selectors of its `page.css`.
    """

    usual_seats: int = 0
    """The number of seats of a table that is opened with one click; 0: the smallest."""

    def play_as(self, words: WordsT, seat: Seat) -> str:
        """The label of the button that opens a table with the reader at a seat; "": one button is enough for all seats."""
        return ""

    def answers(self, view: View, words: WordsT) -> Html | None:
        """The answers to a question; None: plain buttons, see `ridotto.core.answers`."""
        return None

    def news(self, view: View, words: WordsT) -> Html | None:
        """The latest events, above the question, such as cards that were turned up; None: a few lines of the log."""
        return None

    def compose(self, view: View, words: WordsT, text: str) -> Mapping[str, Any] | None:
        """The worth of a series of actions that the player is composing on a sheet; None: there is no such sheet now.

        `text` is the series as it would be played, without its verb. The answer has either a `fault`, as a sentence, or
        `worth`: pairs of a number as people read it and what it is. It may hold more for programs that play by the same
        requests; with an empty `text`, it is about everything as it stands.
        """
        return None

    def target(self, kind: Kind) -> str:
        """The kind of thing that an argument of an action points at, where several kinds share names; "" if it is no thing."""
        return kind.name

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """How far apart two arguments of an action are, to suggest the nearest legal action; None: compare their numbers."""
        return None


class Lesson(Protocol):
    """`lesson.py`: the first lesson of a game."""

    STEPS: tuple[Step, ...]
    """The steps of the lesson in order; see `ridotto.core.lesson`."""
