"""What a game gives: one protocol for each file of its folder, what it is for, and whether it may be missing.

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
    """Somebody without a seat whose points count."""

    name: str
    parts: dict[str, int]
    score: int


class OptionText(NamedTuple):
    """An option of a game as a form names and explains it."""

    title: str
    explanation: str


Series = Callable[[Sequence[int], Seat, str], list[int]]
"""Makes a list of actions from a masked row, a seat and the rest of a text: what `arrange venezia verdi` stands for.

Raises BadSeries where the text cannot be followed."""


@dataclass(frozen=True)
class Words:
    """The numbers of a game's rules in sentences, by one narrator. A game's `words.py` has a subclass called `Words`.

    The first five must be written; the others have an answer for games that have nothing to say.
    """

    narrator: Narrator

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says, from a masked row."""
        raise NotImplementedError

    def player(self, seat: Seat) -> str:
        """Who sits there, as a sentence begins: by name, or as the game calls the seat ("Ada", "Red", "The inspector")."""
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
        """An option as a form names and explains it; None: by what the rules declare."""
        return None

    def rivals(self, row: Sequence[int]) -> list[Rival]:
        """Those without a seat whose points count at the end."""
        return []

    def series(self) -> Mapping[str, Series]:
        """Words that stand for a whole series of actions, by the first of them ("arrange")."""
        return {}

    def usage(self) -> Mapping[str, str]:
        """What can be typed in a terminal besides actions, each with one sentence about it."""
        return {}

    # What every game's words are made with.

    def series_of(self, text: str) -> Series | None:
        """What makes a series of actions out of such a text (`arrange venezia verdi`), if its first word stands for one."""
        return self.series().get(text.partition(" ")[0].lower())

    def nameless(self) -> Self:
        """The same words for anybody: a key for what is drawn once for each language."""
        return replace(self, narrator=replace(self.narrator, names=(), reader=None))

    def say(self, message: str, **values: object) -> str:
        """A message in the reader's language, with its gaps filled."""
        return self.narrator.say(message, **values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A message in the form that a number asks for."""
        return self.narrator.count(one, many, number, **values)

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """Something about a seat: said to its own player as "you", to anybody else of them."""
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
        """The panels that would change by an action, drawn as far as the seat can know; none where nothing is drawn ahead."""

    def vignette(self, words: Any) -> tuple[Sequence[str], str] | None:
        """What the game looks like on its card in the lobby: the parts of a drawing, and its viewBox; None: as it is dealt."""


WordsT = TypeVar("WordsT", bound=Words)


class Page(Generic[WordsT]):
    """`page.py`: what the web table of a game does otherwise than with a button for every action; a subclass called `Page`.

    Every part has an answer for games that need nothing of the kind. A game's pages, and nothing else, are inside an element
    whose class is its name, for the selectors of its `page.css`.
    """

    usual_seats: int = 0
    """How many sit down at a table that is opened with one click; 0: as few as may play."""

    def play_as(self, words: WordsT, seat: Seat) -> str:
        """What the button says that opens a table with its reader on a seat; "": the seats are alike, one button does."""
        return ""

    def answers(self, view: View, words: WordsT) -> Html | None:
        """The answers to a question, where plain buttons would not do; None: see `ridotto.core.answers`."""
        return None

    def news(self, view: View, words: WordsT) -> Html | None:
        """What has just happened, shown above the question, such as cards that were turned up; None: a few lines of the log."""
        return None

    def compose(self, view: View, words: WordsT, text: str) -> Mapping[str, Any] | None:
        """What a series of actions would bring that is being composed on a sheet; None: there is no such sheet now.

        `text` is the series as it would be played, without its verb. The answer has either a `fault`, as a sentence, or
        `worth`: pairs of a number as people read it and what it is. It may hold more for programs that play by the same
        requests; with an empty `text`, it is about everything as it stands.
        """
        return None

    def target(self, kind: Kind) -> str:
        """What an argument of an action points at, where two kinds name the same things; "" for what is no thing, as a sum."""
        return kind.name

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """How far apart two arguments of an action are on this table, to name the nearest legal one; None: by their numbers."""
        return None


class Lesson(Protocol):
    """`lesson.py`: the first lesson of a game."""

    STEPS: tuple[Step, ...]
    """What is to be done, one thing after another; see `ridotto.core.lesson`."""
