"""A page that shows a scene, as plain data: it applies messages as the script in a browser does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, fromstring, tostring

Tree = list[tuple[dict[str, str], Any]]
"""Elements in the order in which they are drawn: each with what it shows, and the elements inside it."""


class ShownScene:
    """The panels and elements that a page has after some messages."""

    def __init__(self, kept: Mapping[str, str] | None = None) -> None:
        """A page without a picture; `kept` are the looks that it has from the file of its board."""
        self.panels: list[list[Any]] = []
        self.looks = dict(kept or {})
        self.items: dict[str, dict[str, str]] = {}
        self.inside: dict[str, list[str]] = {}
        """The keys of the elements inside each panel and each element, in order."""

    def apply(self, message: dict[str, Any]) -> ShownScene:
        """Show what a message changes. Raises KeyError or ValueError for one that does not fit what is shown."""
        self.panels = message.get("panels", self.panels)
        self.looks |= message.get("looks", {})
        for change in message.get("items", ()):
            self._change(**change)
        for key in message.get("gone", ()):
            gone = self.items.pop(key)
            self.inside[gone["in"]].remove(key)
        return self

    def _change(self, key: str, after: str | None = None, **changes: str) -> None:
        item = self.items.setdefault(key, {})
        if after is not None:
            if item:
                self.inside[item["in"]].remove(key)
            siblings = self.inside.setdefault(changes.get("in") or item["in"], [])
            siblings.insert(siblings.index(after) + 1 if after else 0, key)
        else:
            assert "in" not in changes, f"{key} has another parent, and no place in it"
            assert item, f"{key} is new, and has no place"
        for name, value in changes.items():
            if value:
                item[name] = value
            else:
                del item[name]

    def tree(self, parent: str) -> Tree:
        """What is shown inside a panel or an element."""
        found: Tree = []
        for key in self.inside.get(parent, ()):
            shown = {name: value for name, value in self.items[key].items() if name not in ("in", "look")}
            if "look" in self.items[key]:
                shown["look"] = self.looks[self.items[key]["look"]]
            found.append(({"key": key, **shown}, self.tree(key)))
        return found

    def trees(self) -> dict[str, Tree]:
        """What is shown inside each panel."""
        return {name: self.tree(name) for name, *_ in self.panels}


def tree_of(drawing: str) -> Tree:
    """The same from a drawing of `scene.drawn`, whose looks have no text beside their elements."""
    return _inside(fromstring(f"<svg>{drawing}</svg>"))


def _inside(root: Element) -> Tree:
    found: Tree = []
    names = {"data-key": "key", "transform": "at", "data-do": "do", "aria-label": "label", "data-ask": "ask"}
    for one in root:
        if "data-key" not in one.attrib:
            continue
        shown = {names[name]: value for name, value in one.attrib.items() if name in names}
        classes = one.get("class", "").split()
        if "data-do" in one.attrib:
            assert ("can", "button", "0") == (classes.pop(), one.get("role"), one.get("tabindex"))
        if classes:
            shown["class"] = " ".join(classes)
        parts = list(one)
        if parts and parts[0].tag == "title":
            shown["title"] = parts.pop(0).text or ""
        if look := "".join(_text(part) for part in parts if "data-key" not in part.attrib):
            shown["look"] = look
        found.append((shown, _inside(one)))
    return found


def _text(part: Element) -> str:
    return tostring(part, encoding="unicode").replace(" />", "/>")
