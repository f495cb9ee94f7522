"""The board as HTML: the panels of the picture in their frames, and what changes in them."""

from __future__ import annotations

import json
from collections.abc import Collection, Set
from dataclasses import replace
from functools import lru_cache
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
    is_private: bool
    picture: Html


def panes(table: TablePage) -> list[Pane]:
    """The panels, the most important first."""
    address = board_of(table.game, table.view, table.words).address
    return [
        Pane(panel.name, panel.title, panel.private, _picture(table, panel, address)) for panel in table.scene.panels.values()
    ]


def board(table: TablePage) -> Html:
    """The panels, with the places where a page puts them."""
    places = table.scene.compositions.data if table.scene.compositions else {}
    return render("panes.html", table.narrator, panes=panes(table), places=json.dumps(places, separators=(",", ":")))


def shells(table: TablePage, names: Collection[str]) -> dict[str, object]:
    """The frames of some panels without their items."""
    empty = replace(table, pictured=Scene(table.scene.panels, {}))
    return {"panes": [{"html": render("pane.html", table.narrator, pane=pane)} for pane in panes(empty) if pane.name in names]}


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
    """Links to the panels: of several with one title, to the first."""
    titles = {panel.title: panel.name for panel in reversed(list(table.scene.panels.values()))}
    panels = tuple((panel.name, panel.title) for panel in table.scene.panels.values() if titles[panel.title] == panel.name)
    return _jumps(table.narrator.language, panels)


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
