"""The presentation of a game: its words, pictures and pages, from the modules in its folder `ui`.

>>> from ridotto.games import GAMES
>>> fantome = ui(GAMES["fantome"])
>>> fantome.role(0, fantome.english)
'inspector'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast

from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.engine import build as builds
from ridotto.engine.fields import Seat
from ridotto.present import ledger as ledgers
from ridotto.present import plain, protocols
from ridotto.present import scene as scenes
from ridotto.present.composition import Compositions, standard
from ridotto.present.kit.foresight import with_early
from ridotto.present.ledger import Ledger
from ridotto.present.narrator import LOCALE, Narrator
from ridotto.present.protocols import Page, Picture, Sketch, Stage
from ridotto.present.scene import Scene, drawn
from ridotto.present.svg import Panel, compose
from ridotto.present.words import Words


@lru_cache(256)
def ui(game: Game) -> Ui:
    """The words, pictures and pages of a game."""
    return Ui(game)


def english(game: Game) -> Words:
    """The words of a game in English, without names of players and without a reader."""
    return ui(game).english


class Ui:
    """The words, pictures and pages of a game, for any reader."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def css(self) -> str:
        """The styles of its pages, in `ui/page.css`; "" without one. Every selector contains the game's name as a class."""
        path = builds.folder(self.game.package) / "ui" / "page.css"
        return path.read_text("utf-8") if path.exists() else ""

    def narrator(
        self,
        language: str = "en",
        names: Sequence[str] = (),
        reader: Seat | None = None,
        late: frozenset[Seat] = frozenset(),
    ) -> Narrator:
        """A narrator of this game for one reader."""
        return Narrator(language, tuple(names), reader, self.locales, late)

    def words(self, narrator: Narrator) -> Words:
        """The game's `Words` with this narrator; sentences are looked up in the game's own catalogues first."""
        if narrator.locales != self.locales:
            narrator = replace(narrator, locales=self.locales)
        words: Words = self._words(narrator)
        return words

    @cached_property
    def english(self) -> Words:
        """Its words in English, without names of players and without a reader."""
        return self.words(self.narrator())

    def role(self, seat: Seat, words: Words) -> str:
        """The game's name for a seat."""
        return words.say(self.game.roles[seat])

    def player(self, seat: Seat, words: Words) -> str:
        """The name of a seat's player; for a player without a name, what the game calls the seat."""
        return words.narrator.name(seat, self.role(seat, words))

    def drawing(self, view: View, words: Words) -> str:
        """The table as text for a terminal, in Rich's markup."""
        return self.sketch.text(view, words)

    def scene(self, view: View, words: Words, shared: Scene | None = None) -> Scene:
        """The picture of a view as data. `shared` is the public layer of the same state, if it exists already."""
        drafted = with_early(view, self.page.drawn_early) if view.noted and self.page.drawn_early else view
        if shared is None:
            shared = self.shared(drafted.public(), words)
        if view.seat is None:
            return shared
        own = scenes.overlaid(shared, self.picture.own(drafted, words))
        return scenes.lit(replace(own, compositions=self._compositions(view, own.panels)), view, words)

    def shared(self, view: View, words: Words) -> Scene:
        """The public layer of a scene; its words address nobody."""
        scene = scenes.scene(self.picture.shared(view, words.unaddressed()))
        return replace(scene, compositions=self._compositions(view, scene.panels))

    def looks(self, words: Words) -> Sequence[str]:
        """Looks that come again and again in matches, which browsers keep with the board; `ui/picture.py` need not name any."""
        kept_looks = getattr(self.picture, "kept_looks", None)
        return [] if kept_looks is None else kept_looks(words.nameless())

    def board(self, view: View, words: Words) -> Mapping[str, str]:
        """The parts of the picture that do not change during a match, as SVG by panel; drawn once for all such matches."""
        language = words.narrator.language
        key = language, view.seats, tuple(position.options_of(self.game, view.row).items())
        if key not in self._boards:
            self._boards[key] = self.picture.board(view, words.nameless())
        return self._boards[key]

    @cached_property
    def _boards(self) -> dict[tuple[Any, ...], Mapping[str, str]]:
        return {}

    def panels(self, view: View, words: Words) -> list[Panel]:
        """The picture of a view as panels that are drawn completely, for files."""
        board, scene = self.board(view, words), self.scene(view, words)
        return [
            replace(panel, body=board.get(name, "") + drawn(scene, name, live=False)) for name, panel in scene.panels.items()
        ]

    def file(self, view: View, words: Words, theme: str = "dark") -> str:
        """The picture of a view as one self-contained SVG, as a large window shows it."""
        panels = self.panels(view, words)
        places = self._compositions(view, {panel.name: panel for panel in panels}).large
        return compose(panels, places, self.picture.STYLE, theme)

    def _compositions(self, view: View, panels: Mapping[str, Panel]) -> Compositions:
        """The places of the panels of a view."""
        return self.page.compositions(view) or standard(self.picture.COLUMNS, list(panels.values()))

    @cached_property
    def sketch(self) -> Sketch:
        """Its `ui/sketch.py`, which draws the table for a terminal; without one, a module that lists the named fields."""
        return cast(Sketch, self._module("sketch") or plain)

    @cached_property
    def picture(self) -> Picture:
        """Its `ui/picture.py`, which draws the table; without one, a module that lists the named fields."""
        return cast(Picture, self._module("picture") or plain)

    @cached_property
    def page(self) -> Page[Any]:
        """The `Page` of its `ui/page.py`, which adapts the web table; without one, the standard page with plain buttons."""
        module: Any = self._module("page") or protocols
        page: Page[Any] = module.Page()
        return page

    @cached_property
    def stage(self) -> Stage[Any]:
        """The `Stage` of its `ui/stage.py`, which groups actions into beats; without one, the standard stage."""
        module: Any = self._module("stage") or protocols
        stage: Stage[Any] = module.Stage()
        return stage

    @cached_property
    def ledger(self) -> Ledger[Any]:
        """The `Ledger` of its `ui/ledger.py`, which lists its rounds; without one, an empty ledger."""
        module: Any = self._module("ledger") or ledgers
        ledger: Ledger[Any] = module.Ledger()
        return ledger

    @property
    def has_ledger(self) -> bool:
        """Whether its rounds are listed."""
        return type(self.ledger) is not Ledger

    @cached_property
    def _words(self) -> type[Words]:
        module: Any = self._module("words")
        if module is None:
            raise LookupError(f"{self.game.name} has no ui/words.py")
        words: type[Words] = module.Words
        return words

    def load(self) -> None:
        """Import every module of the game's `ui`, so that one that cannot be imported is noticed now."""
        for module in iter_modules([str(builds.folder(self.game.package) / "ui")]):
            self._module(module.name)

    def _module(self, name: str) -> ModuleType | None:
        """A module of the game's `ui`; None if it has none of that name."""
        return self.game.build().module(f"ui.{name}")

    @cached_property
    def locales(self) -> tuple[Path, ...]:
        """The folders with the catalogues of this game's sentences: its own, and the general one."""
        return builds.folder(self.game.package) / "locale", LOCALE
