"""A picture as data: a board that does not change during a match, and the items that lie on it.

A game's ``ui/picture.py`` describes a view as *panels* and *items*. An item is a thing on the table: a figure, a card, a
number. It has a key, a look (an SVG fragment) and a place. Python draws pages and files from this description, and a browser
that shows a table is sent the items that changed: see `difference`.

Keys are a pure function of the view. A thing is named if the reader may know its name ("figure-meg"), and by its place if it is
one of many that look alike or lie face down ("hand-2-0"): a key must never tell what its reader may not know.

>>> table = Layer([Panel("board", "The board", 200, 100)], [Item("meg", "board", tag("circle", r=9), x=20, y=30)])
>>> before = scene(table)
>>> after = scene(Layer(table.panels, [table.items[0]._replace(x=80)]))
>>> difference(before, after)["items"]
[{'key': 'meg', 'at': 'translate(80 30)'}]
>>> drawn(before, "board")
'<g data-key="meg" data-look="71f6a9c487" transform="translate(20 30)"><circle r="9"/></g>'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2s
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

from ridotto.present.svg import Panel, number, tag

if TYPE_CHECKING:
    from ridotto.core.view import View
    from ridotto.present.composition import Compositions
    from ridotto.present.words import Words

__all__ = ["Item", "Layer", "Move", "Panel", "Scene", "difference", "drawn", "lit", "replaced", "scene", "tag", "whole"]


class Item(NamedTuple):
    """A thing on the table. Items of the same parent are drawn in the order in which they are given, the last one on top."""

    key: str
    """Unique in a scene."""
    parent: str
    """The name of the panel, or the key of the item, inside which it is drawn. A parent is given before its children."""
    look: str = ""
    """Its drawing, around its own origin. Looks are compared by their text: a cached function makes equal ones once."""
    x: float = 0
    y: float = 0
    scale: float = 1
    cls: str = ""
    """Classes that describe its state, such as "active"."""
    title: str = ""
    """Its name, in words."""
    action: int = -1
    """The action that it stands for: it is lit while its reader may do that. Its look needs an element of class `halo`."""
    ask: bool = False
    """Whether a reader may point at it, while the action is not legal, and learn why."""
    label: str = ""
    """The label of the action, if it is another one than `Words.label` gives; of a part, what it is."""
    part: str = ""
    """The part of an answer that it stands for, as "name=value", while its reader composes one: see `present.answers`."""
    do: str = ""
    """The notation of the action, while its reader may do it. Filled in by `lit`, never by a game."""
    ahead: str = ""
    """A decision that its reader may make before the one that is asked for. Filled in by `lit`, never by a game."""
    why: str = ""
    """The notation of the action, while its reader may only ask about it. Filled in by `lit`, never by a game."""

    @property
    def place(self) -> str:
        """Its position, as an SVG transform."""
        return _transform(self.x, self.y, self.scale)


class Layer(NamedTuple):
    """Panels and items. A layer on top of another one replaces what has the same name or key, and adds the rest.

    A panel that is added comes after the one that is given before it, or else last; an item comes last inside its parent. A
    layer that has all the panels of the other says their order.
    """

    panels: Sequence[Panel] = ()
    items: Sequence[Item] = ()


class Move(NamedTuple):
    """Something that went from the place of one key to the place of another, so that a page shows it moving."""

    start: str
    end: str


@dataclass(frozen=True, eq=False)
class Scene:
    """A view as panels and items, in the order in which they are drawn."""

    panels: Mapping[str, Panel]
    items: Mapping[str, Item]
    base: Scene | None = None
    """The public scene of the same state, if this is one seat's."""
    own: Mapping[str, Item] = field(default_factory=dict)
    """The items that are not as in the base, or not in it."""
    compositions: Compositions | None = None
    """The places of its panels."""

    @cached_property
    def looks(self) -> frozenset[str]:
        """The looks of its items; of one that has a base, those of its own items."""
        return frozenset({item.look for item in (self.items if self.base is None else self.own).values()})

    def shows(self, look: str) -> bool:
        """Whether an item surely has this look."""
        if self.base is None or look in self.looks:
            return look in self.looks
        return look in self.base.looks and look not in self.covered

    @cached_property
    def covered(self) -> frozenset[str]:
        """The looks of the base that its own items replace by others."""
        known = self.base.items if self.base is not None else {}
        return frozenset({known[key].look for key, item in self.own.items() if key in known and known[key].look != item.look})

    @cached_property
    def for_actions(self) -> list[Item]:
        """The items that stand for actions."""
        return [item for item in self.items.values() if item.action >= 0]

    @cached_property
    def added(self) -> list[str]:
        """The keys of the items that the base does not have, in order: they come after all that it has."""
        return [key for key in self.own if self.base is None or key not in self.base.items]

    @cached_property
    def is_rearranged(self) -> bool:
        """Whether something of the base lies inside something else here."""
        known = self.base.items if self.base is not None else {}
        return any(key in known and known[key].parent != item.parent for key, item in self.own.items())

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of each item in the order of drawing."""
        return {key: at for at, key in enumerate(self.items)}

    def in_order(self, keys: Set[str]) -> list[str]:
        """Keys of its items in the order of drawing: those of the base, then what it adds."""
        order = (self.base or self).order
        known = [key for key in keys if key in order]
        known.sort(key=order.__getitem__)
        return known if len(known) == len(keys) else known + [key for key in self.added if key in keys]

    @cached_property
    def differences(self) -> list[tuple[ref[Scene], Changes]]:
        """A cache of the changes since other scenes, for all scenes with this one as their base."""
        return []

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The keys of the items inside each panel and each item, in order."""
        children: dict[str, list[str]] = {}
        for item in self.items.values():
            children.setdefault(item.parent, []).append(item.key)
        return children


def scene(layer: Layer) -> Scene:
    """The scene that everybody sees."""
    return Scene({panel.name: panel for panel in layer.panels}, {item.key: item for item in layer.items})


def overlaid(base: Scene, layer: Layer) -> Scene:
    """The scene that everybody sees, with the layer of one seat on top.

    >>> stage, hand, pit = (Panel(name, name, 200, 100) for name in ("stage", "hand", "pit"))
    >>> [list(overlaid(scene(Layer([stage, pit])), Layer(own)).panels) for own in ([stage, hand], [hand])]
    [['stage', 'hand', 'pit'], ['stage', 'pit', 'hand']]
    """
    own = {item.key: item for item in layer.items}
    panels = _panels_over(base.panels, {panel.name: panel for panel in layer.panels})
    return Scene(panels, {**base.items, **own}, base, own)


def _panels_over(panels: Mapping[str, Panel], own: Mapping[str, Panel]) -> Mapping[str, Panel]:
    """The panels of a layer with those of another one on top, in their order."""
    if panels.keys() <= own.keys():
        return own
    names = list(panels)
    place = len(names)
    for name in own:
        if name not in panels:
            names.insert(place, name)
        place = names.index(name) + 1
    return {name: own.get(name) or panels[name] for name in names}


def replaced(scene: Scene, panels: Mapping[str, Sequence[Item]]) -> Scene:
    """The scene with other items in some of its panels."""
    inside = {key for name in panels for key in _inside(scene, name)}
    others = {key: item for key, item in scene.items.items() if key not in inside}
    items = others | {item.key: item for items in panels.values() for item in items}
    return Scene(scene.panels, items, compositions=scene.compositions)


def _inside(scene: Scene, parent: str) -> Iterator[str]:
    """The keys of all items inside a panel or an item."""
    for key in scene.children.get(parent, ()):
        yield key
        yield from _inside(scene, key)


def lit(scene: Scene, view: View, words: Words) -> Scene:
    """The scene with light on everything that the reader may do now."""
    if view.seat is None or view.seat not in view.to_act:
        return scene
    notation, lights, own = view.game.rules.ACTIONS.notation, dict[str, Item](), scene.own
    base = scene.base or scene
    ahead = dict(words.all_early(view))
    for item in chain((one for one in base.for_actions if one.key not in own), own.values()):
        if item.action < 0:
            continue
        text = notation(item.action)
        if item.action in view.legal:
            label = item.label or words.label(view.row, view.seat, item.action)
            lights[item.key] = item._replace(do=text, label=label)
        elif text in ahead or text in view.noted:
            label = ahead.get(text) or words.label(view.row, view.seat, item.action)
            state = f"{item.cls} noted".strip() if text in view.noted else item.cls
            lights[item.key] = item._replace(ahead=text, label=label, cls=state)
        elif item.ask:
            lights[item.key] = item._replace(why=text)
    return replace(scene, items={**scene.items, **lights}, base=base, own={**own, **lights}) if lights else scene


# Drawing.


@lru_cache(65536)
def look_id(look: str) -> str:
    """A short name for a look, by its text."""
    return blake2s(look.encode(), digest_size=5).hexdigest()


@lru_cache(65536)
def _transform(x: float, y: float, scale: float) -> str:
    moved = f"translate({number(x)} {number(y)})" if x or y else ""
    return f"{moved} scale({number(scale)})".strip() if scale != 1 else moved


def drawn(scene: Scene, parent: str, *, live: bool = True) -> str:
    """The items inside a panel or an item as SVG. For a file (`live` is False), without what only a page needs."""
    return "".join(_element(scene, scene.items[key], live) for key in scene.children.get(parent, ()))


def _element(scene: Scene, item: Item, live: bool) -> str:
    inside = item.look + drawn(scene, item.key, live=live)
    if item.title:
        inside = f"<title>{escape(item.title, quote=False)}</title>{inside}"
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in _attributes(item, live))
    return f"<g{attributes}>{inside}</g>"


def _attributes(item: Item, live: bool) -> Iterator[tuple[str, str]]:
    """The attributes of an item's element; a page's script sets the same ones, in `board.js`."""
    if live:
        yield "data-key", item.key
        if item.look:
            yield "data-look", look_id(item.look)
    classes = f"{item.cls} can".strip() if item.do or item.part or item.ahead else item.cls
    if classes:
        yield "class", classes
    if item.place:
        yield "transform", item.place
    if item.do and live:
        yield from (("data-do", item.do), ("role", "button"), ("tabindex", "0"), ("aria-label", item.label))
    elif item.part and live:
        yield from (("data-part", item.part), ("role", "button"), ("tabindex", "0"), ("aria-label", item.label))
    elif item.ahead and live:
        yield from (("data-ahead", item.ahead), ("role", "button"), ("tabindex", "0"), ("aria-label", item.label))
        yield "aria-pressed", "true" if "noted" in item.cls.split() else "false"
    elif item.why and live:
        yield "data-ask", item.why


# Differences, as a page is sent them.


def whole(scene: Scene) -> dict[str, Any]:
    """A whole scene as plain data, for a page that shows another one, or nothing."""
    nothing, keys = Scene({}, {}), set(scene.items)
    return _message(nothing, scene, _sent(nothing, scene, keys, keys), ())


def difference(old: Scene, new: Scene, kept: Set[str] = frozenset()) -> dict[str, Any]:
    """The changes from one scene to another, as plain data, for a page that shows the first.

    `panels` are all panels, if any changed; `places` their compositions, if those changed; `gone` the keys of items that go;
    `items` those that appear or change, each with what changed ("" for what it has no more), and `after`, the sibling that it
    is drawn after, if it has to be put into place; `looks` the looks that the old scene did not have, but for those that the
    page has `kept`, by their names.
    """
    if old is new:
        return {}
    before, after = old.base or old, new.base or new
    shared = _changes_of_base(before, after)
    if old is before and new is after:
        sent = shared.sent
    elif _is_reordered(old, new, shared):
        sent = _compared(old, new)
    else:
        sent = _with_own(old, new, shared.sent)
    return _message(old, new, sent, [*shared.gone, *old.added], kept)


Sent = Mapping[str, dict[str, str]]
"""The changes of a page: each item that appears, changes or moves, by key, in the order of the scene."""


class Changes(NamedTuple):
    """The changes for everybody."""

    sent: Sent
    gone: Sequence[str]
    """The keys of what goes, in order."""
    swapped: Set[str]
    """The keys of what comes or goes."""


def _compared(old: Scene, new: Scene) -> Sent:
    """The changes, by comparing every item."""
    before = old.items
    changed = {key for key, item in new.items.items() if (was := before.get(key)) is not item and was != item}
    placed = {key for key in changed if (was := before.get(key)) is None or was.parent != new.items[key].parent}
    stayed = [key for key in new.items if key in before]
    if stayed != list(before) and stayed != [key for key in before if key in new.items]:
        for parent, keys in new.children.items():
            placed |= _placed(old, old.children.get(parent, []), keys, parent)
    return _sent(old, new, changed | placed, placed)


def _changes_of_base(before: Scene, after: Scene) -> Changes:
    """The changes for everybody, computed once."""
    for other, known in after.differences:
        if other() is before:
            return known
    gone = [key for key in before.items if key not in after.items]
    changes = Changes(_compared(before, after), gone, before.items.keys() ^ after.items.keys())
    after.differences.append((ref(before), changes))
    return changes


def _with_own(old: Scene, new: Scene, shared: Sent) -> Sent:
    """The changes for everybody, and in the seat's own items, which keep their order."""
    before, after, was_own, is_own = old.items, new.items, old.own, new.own
    changed = {key for key, item in is_own.items() if (was := before.get(key)) is not item and was != item}
    changed |= {key for key, was in was_own.items() if key not in is_own and key in after and after[key] != was}
    placed = {key for key in changed if (known := before.get(key)) is None or known.parent != after[key].parent}
    sent: dict[str, dict[str, str]] = {}
    for key, one in shared.items():
        if key not in was_own and key not in is_own:
            sent[key] = one
        elif "after" in one:
            placed.add(key)
    if not changed and not placed:
        return sent
    sent |= _sent(old, new, changed | placed, placed)
    return {key: sent[key] for key in new.in_order(sent.keys())}


def _is_reordered(old: Scene, new: Scene, shared: Changes) -> bool:
    """Whether a seat's own items change the order of what stays, so that every item has to be compared."""
    if old.is_rearranged or new.is_rearranged:
        return True
    if any((key in old.own or key in new.own) and key in old.items and key in new.items for key in shared.swapped):
        return True
    return old.added != new.added and [key for key in old.added if key in new.items] != [
        key for key in new.added if key in old.items
    ]


def _placed(old: Scene, before: list[str], after: list[str], parent: str) -> set[str]:
    """The children of a parent that a page has to put into place: the new ones, or all if the others changed their order."""
    if before == after:
        return set()
    stayed = [key for key in after if (was := old.items.get(key)) is not None and was.parent == parent]
    still = set(stayed)
    if stayed != [key for key in before if key in still]:
        return set(after)
    return {key for key in after if key not in still}


def _sent(old: Scene, new: Scene, changed: set[str], placed: set[str]) -> dict[str, dict[str, str]]:
    """The changed items for a page, with the sibling before each one that moves."""
    changes = {key: _changes(old.items.get(key) or NEW, new.items[key]) for key in new.in_order(changed)}
    for key, sibling in _previous(new, placed).items():
        changes[key]["after"] = sibling
    return changes


def _message(old: Scene, new: Scene, sent: Sent, left: Sequence[str], kept: Set[str] = frozenset()) -> dict[str, Any]:
    """A difference as plain data; `left` are the keys that may be gone, `kept` the names of looks that the page has."""
    message: dict[str, Any] = {}
    if old.panels is not new.panels and list(old.panels.values()) != list(new.panels.values()):
        message["panels"] = [[one.name, one.title, one.width, one.height, one.private] for one in new.panels.values()]
    if new.compositions is not None and old.compositions != new.compositions:
        message["places"] = new.compositions.data
    if gone := [key for key in left if key not in new.items]:
        message["gone"] = gone
    if not sent:
        return message
    message["items"] = list(sent.values())
    fresh = {new.items[key].look for key, one in sent.items() if (name := one.get("look")) and name not in kept}
    if looks := [look for look in fresh if not old.shows(look)]:
        message["looks"] = {look_id(look): look for look in sorted(looks)}
    return message


NEW: Final = Item("", "")
"""The empty item that a new one is compared with."""


def _changes(was: Item, now: Item) -> dict[str, str]:
    """An item as a page is sent it: its key, and what is not as it was."""
    changes = {"key": now.key}
    if was.parent != now.parent:
        changes["in"] = now.parent
    if was.look != now.look:
        changes["look"] = look_id(now.look) if now.look else ""
    if was.x != now.x or was.y != now.y or was.scale != now.scale:
        changes["at"] = now.place
    if was.cls != now.cls:
        changes["class"] = now.cls
    if was.title != now.title:
        changes["title"] = now.title
    if was.do != now.do:
        changes["do"] = now.do
    if was.part != now.part:
        changes["part"] = now.part
    if was.ahead != now.ahead:
        changes["ahead"] = now.ahead
    before, after = was.do or was.part or was.ahead, now.do or now.part or now.ahead
    if (before and was.label) != (after and now.label):
        changes["label"] = after and now.label
    if was.why != now.why:
        changes["ask"] = now.why
    return changes


def _previous(scene: Scene, placed: set[str]) -> dict[str, str]:
    """The sibling before each of these items; "" for the first."""
    last, previous = dict.fromkeys((scene.items[key].parent for key in placed), ""), {}
    for key, item in scene.items.items() if placed else ():
        if item.parent in last:
            if key in placed:
                previous[key] = last[item.parent]
            last[item.parent] = key
    return previous
