"""The board as HTML: the panels of the picture in their frames, and what changes in them."""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from ridotto.present import svg as drawing
from ridotto.present.html import Html
from ridotto.present.narrator import Narrator
from ridotto.present.scene import Scene, difference, drawn, whole
from ridotto.present.svg import Svg
from ridotto.present.ui import ui
from ridotto.web.pages.boards import board_of
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.render import render


class Pane(NamedTuple):
    """A panel in its frame."""

    name: str
    title: str
    place: int
    """Its place on a phone."""
    column: int
    is_private: bool
    picture: Html


def panes(table: TablePage) -> list[Pane]:
    """The panels in the order of a phone, each with its column on a wide page."""
    columns = {name: number for number, column in enumerate(ui(table.game).picture.COLUMNS, 1) for name in column}
    address = board_of(table.game, table.view, table.words).address
    found = []
    for at, panel in enumerate(table.scene.panels.values()):
        if panel.name in columns:
            picture = _picture(table, panel, address)
            found.append(Pane(panel.name, panel.title, at, columns[panel.name], panel.private, picture))
    return found


def board(table: TablePage) -> Html:
    """The panels, in the columns that the game asks for; on a phone in the order of their weight."""
    return render("panes.html", table.narrator, columns=_columns(table))


def _columns(table: TablePage) -> list[tuple[int, list[Pane]]]:
    """The panels by columns, from left to right and from top to bottom."""
    order = {name: at for column in ui(table.game).picture.COLUMNS for at, name in enumerate(column)}
    found = sorted(panes(table), key=lambda pane: (pane.column, order[pane.name]))
    return [(number, list(inside)) for number, inside in groupby(found, key=lambda pane: pane.column)]


def shells(table: TablePage, names: Collection[str]) -> dict[str, object]:
    """The frames of some panels without their items, and the columns in which all panels stand."""
    empty = replace(table, pictured=Scene(table.scene.panels, {}))
    return {
        "panes": [{"html": render("pane.html", table.narrator, pane=pane)} for pane in panes(empty) if pane.name in names],
        "columns": [[number, [pane.name for pane in inside]] for number, inside in _columns(empty)],
    }


def changes(shown: Scene, table: TablePage, kept: Set[str] = frozenset()) -> dict[str, Any]:
    """The changes of a board from another picture to this one, with the frames of panels that it lacks.

    Looks that the page has `kept` are left out, by their names.
    """
    found = difference(shown, table.scene, kept)
    if shown.panels.keys() == table.scene.panels.keys():
        return found
    fresh = {name for name in table.scene.panels if name not in shown.panels}
    return {**found, **shells(table, fresh)}


def whole_scene(table: TablePage) -> dict[str, object]:
    """The whole picture as data, for a page that shows another one."""
    return {"whole": True, **whole(table.scene), **shells(table, table.scene.panels)}


def jumps(table: TablePage) -> Html:
    """Links to the panels."""
    return _jumps(table.narrator.language, tuple((panel.name, panel.title) for panel in table.scene.panels.values()))


@lru_cache(2000)
def _jumps(language: str, panels: tuple[tuple[str, str], ...]) -> Html:
    return render("jumps.html", Narrator(language), panels=panels)


def _picture(table: TablePage, panel: drawing.Panel, address: str) -> Html:
    """A panel as it stands in a page: named for whoever listens, without a tip over all of it."""
    parts = drawn(table.scene, panel.name)
    if panel.name in ui(table.game).board(table.view, table.words):
        parts = drawing.tag("use", href=f"{address}#{panel.name}", cls="board") + parts
    return framed(replace(panel, body=parts))


def framed(panel: drawing.Panel) -> Html:
    """A panel that is drawn already, as an element of a page."""
    size = f"0 0 {panel.width} {panel.height}"
    cls = f"drawing {panel.name}"
    return Html(drawing.tag("svg", Svg(panel.body), viewBox=size, cls=cls, role="group", aria_label=panel.title))
