"""A picture as data: what a page shows after differences is the new scene, lit for its reader, and safe to put into a page."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from shown_scene import ShownScene, tree_of

import liars_dice
from liars_dice import rules
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.present.scene import Item, Layer, Panel, Scene, difference, drawn, lit, look_id, overlaid, scene, tag, whole
from ridotto.present.svg import write
from ridotto.present.ui import ui
from ridotto.present.words import Words

PANELS = [Panel("stage", "The stage", 360, 200), Panel("pit", "The pit", 360, 90)]
HOSTILE = "<img src=x onerror=alert(1)>\"'&"
LOOKS = ["", *(tag("circle", r=radius) for radius in range(3, 9)), write(HOSTILE, 0, 5, 14)]


def a_scene(*items: Item, panels: list[Panel] | None = None) -> Scene:
    return scene(Layer(panels or PANELS, items))


def random_item(chance: random.Random, key: str, parent: str) -> Item:
    item = Item(key, parent, chance.choice(LOOKS), chance.randrange(3) * 10, chance.randrange(2) * 2.25)
    item = item._replace(scale=chance.choice([1, 1, 0.5]), cls=chance.choice(["", "dim"]), title=chance.choice(["", HOSTILE]))
    if chance.random() < 0.3:
        return item._replace(do=f"pick {key}", label=chance.choice(["Pick it", HOSTILE]))
    return item._replace(why=f"pick {key}") if chance.random() < 0.2 else item


def random_scene(chance: random.Random) -> Scene:
    """A scene out of a dozen keys: in any order, any of them inside any that stands before it."""
    keys = chance.sample([f"item-{at}" for at in range(12)], chance.randrange(13))
    items = [random_item(chance, key, chance.choice(["stage", "pit", *keys[:at]])) for at, key in enumerate(keys)]
    return a_scene(*items, panels=PANELS if chance.random() < 0.7 else [*PANELS, Panel("box", "A box", 100, 100, private=True)])


def changed(chance: random.Random, old: Scene) -> Scene:
    """A scene in which a few things are other than in an old one: shifted, put elsewhere, gone, or new."""
    items = list(old.items.values())
    for _ in range(chance.randrange(1, 4)):
        if items and chance.random() < 0.7:
            at = chance.randrange(len(items))
            parent = chance.choice([items[at].parent, "stage", "pit", *(one.key for one in items[:at])])
            items[at] = random_item(chance, items[at].key, parent)
        if items and chance.random() < 0.3:
            items.append(items.pop(chance.randrange(len(items))))
        if items and chance.random() < 0.3:
            items.pop(chance.randrange(len(items)))
        if chance.random() < 0.3:
            items.insert(0, random_item(chance, f"new-{chance.randrange(10**6)}", "pit"))
    # Whatever lost its parent, or stands before it now, lies in a panel.
    known: set[str] = set()
    for at, item in enumerate(items):
        if item.parent not in ("stage", "pit") and item.parent not in known:
            items[at] = item._replace(parent="stage")
        known.add(item.key)
    return Scene(old.panels, {item.key: item for item in items})


def through_json(message: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(message))
    return found


def shown(scene: Scene) -> ShownScene:
    """A page that was loaded with a scene."""
    return ShownScene().apply(through_json(whole(scene)))


# What a page shows.


def test_a_whole_scene_is_what_is_drawn() -> None:
    """Element by element: a page made from data has what the first paint has, in the same order."""
    chance = random.Random(1)
    for _ in range(100):
        one = random_scene(chance)
        page = shown(one)
        assert [list(panel) for panel in page.panels] == [
            [p.name, p.title, p.width, p.height, p.private] for p in one.panels.values()
        ]
        assert {name: tree_of(drawn(one, name)) for name in one.panels} == page.trees()
        assert set(one.items) == set(page.items)


def test_a_difference_leads_from_any_scene_to_any_other() -> None:
    """New parents, another order, parents that go while their children stay: a patched page equals a fresh one."""
    chance = random.Random(2)
    moved = reordered = orphans = 0
    for _ in range(600):
        old, new = random_scene(chance), random_scene(chance)
        page, fresh = shown(old).apply(through_json(difference(old, new))), shown(new)
        assert (fresh.panels, fresh.trees(), fresh.items) == (page.panels, page.trees(), page.items)
        both = [key for key in new.items if key in old.items]
        moved += any(old.items[key].parent != new.items[key].parent for key in both)
        reordered += both != [key for key in old.items if key in new.items]
        orphans += any(old.items[key].parent in set(old.items) - set(new.items) for key in both)
    assert min(moved, reordered, orphans) > 100


def test_a_page_that_was_patched_many_times_is_still_right() -> None:
    """A page follows a long series of small changes, and needs no look that it was not sent."""
    chance = random.Random(3)
    for _ in range(20):
        series = [random_scene(chance)]
        for _ in range(25):
            series.append(changed(chance, series[-1]))
        page = shown(series[0])
        for old, new in pairwise(series):
            page.apply(through_json(difference(old, new)))
            assert shown(new).trees() == page.trees()
        assert set(series[-1].items) == set(page.items)


def random_layer(chance: random.Random, base: Scene) -> Layer:
    """What a seat sees besides: some of the things otherwise, now and then in another place, and some more."""
    found: list[Item] = []
    for key, item in base.items.items():
        if chance.random() < 0.2:
            found.append(random_item(chance, key, item.parent if chance.random() < 0.95 else "pit"))
    keys = chance.sample([f"own-{at}" for at in range(4)] + [f"item-{at}" for at in range(12)], chance.randrange(5))
    for key in keys:
        if key not in base.items:
            found.append(random_item(chance, key, chance.choice(["stage", *base.items])))
    return Layer(PANELS, found)


def is_sound(found: Scene) -> bool:
    """Whether everything comes after what it lies in."""
    known = set(found.panels)
    for key, item in found.items.items():
        if item.parent not in known:
            return False
        known.add(key)
    return True


def test_two_seats_follow_the_same_base() -> None:
    """What changes for everybody is worked out once; with each seat's own items on top, each page is right."""
    chance = random.Random(4)
    for _ in range(300):
        bases = [random_scene(chance)]
        for _ in range(4):
            bases.append(changed(chance, bases[-1]))
        for _ in range(2):
            series = [found for base in bases if is_sound(found := overlaid(base, random_layer(chance, base)))]
            if not series:
                continue
            page = shown(series[0])
            for old, new in pairwise(series):
                page.apply(through_json(difference(old, new)))
                assert shown(new).trees() == page.trees()


def test_a_parent_and_its_child_change_roles() -> None:
    """What lay inside a thing may hold it afterwards."""
    old = a_scene(Item("box", "stage"), Item("lid", "box"))
    new = a_scene(Item("lid", "stage"), Item("box", "lid"))
    assert shown(new).trees() == shown(old).apply(difference(old, new)).trees()


# How little is sent.

THREE = (Item("a", "stage", LOOKS[1]), Item("b", "stage", LOOKS[2], 5), Item("c", "stage", LOOKS[1], title="C"))


def test_nothing_is_sent_where_nothing_changes() -> None:
    """Neither for the same scene nor for an equal one."""
    assert {} == difference(a_scene(*THREE), a_scene(*THREE))
    one = a_scene(*THREE)
    assert {} == difference(one, one)


@pytest.mark.parametrize(
    ("new", "sent"),
    [
        ((THREE[0], THREE[1]._replace(x=6), THREE[2]), {"items": [{"key": "b", "at": "translate(6 0)"}]}),
        ((THREE[0], THREE[1], THREE[2]._replace(title="")), {"items": [{"key": "c", "title": ""}]}),
        ((THREE[0]._replace(look=LOOKS[2]), *THREE[1:]), {"items": [{"key": "a", "look": look_id(LOOKS[2])}]}),
        ((THREE[0], THREE[2]), {"gone": ["b"]}),
        ((*THREE, Item("d", "pit")), {"items": [{"key": "d", "in": "pit", "after": ""}]}),
        ((THREE[0], Item("d", "stage"), *THREE[1:]), {"items": [{"key": "d", "in": "stage", "after": "a"}]}),
        ((THREE[0], THREE[1]._replace(parent="a"), THREE[2]), {"items": [{"key": "b", "in": "a", "after": ""}]}),
    ],
)
def test_only_what_changes_is_sent(new: tuple[Item, ...], sent: dict[str, Any]) -> None:
    """A thing that is shifted, untitled, gone, new, put between others or into another; looks that a page has are not sent."""
    assert sent == difference(a_scene(*THREE), a_scene(*new))


def test_a_look_is_sent_once() -> None:
    """However many things have it; and not at all if something in the old scene had it."""
    new = a_scene(*THREE, Item("d", "pit", LOOKS[3]), Item("e", "pit", LOOKS[3]), Item("f", "pit", LOOKS[2]))
    assert {look_id(LOOKS[3]): LOOKS[3]} == difference(a_scene(*THREE), new)["looks"]


def test_panels_are_sent_together() -> None:
    """All of them if one changed, or their order."""
    old, new = a_scene(*THREE), a_scene(*THREE, panels=[PANELS[1], PANELS[0]])
    assert {"panels": [["pit", "The pit", 360, 90, False], ["stage", "The stage", 360, 200, False]]} == difference(old, new)
    taller = a_scene(*THREE, panels=[PANELS[0], Panel("pit", "The pit", 360, 120)])
    assert {"panels": [["stage", "The stage", 360, 200, False], ["pit", "The pit", 360, 120, False]]} == difference(old, taller)


# Layers.


def test_a_layer_replaces_by_key_and_adds_the_rest() -> None:
    """What a seat sees instead stays in its place among the others; what it sees besides comes last."""
    own = Layer([Panel("box", "A box", 50, 50)], [Item("b", "stage", LOOKS[4]), Item("d", "a")])
    found = overlaid(scene(Layer(PANELS, THREE)), own)
    assert ["a", "b", "c", "d"] == list(found.items)
    assert (LOOKS[4], THREE[0]) == (found.items["b"].look, found.items["a"])
    assert ["stage", "pit", "box"] == list(found.panels)
    assert {"stage": ["a", "b", "c"], "a": ["d"]} == found.children


def test_a_layer_with_all_panels_says_their_order() -> None:
    """The reader's own panel may come first; a layer with some of the panels leaves them where they are."""
    higher = Panel("pit", "The pit", 360, 120)
    assert [higher, PANELS[0]] == list(overlaid(scene(Layer(PANELS)), Layer([higher, PANELS[0]])).panels.values())
    assert [PANELS[0], higher] == list(overlaid(scene(Layer(PANELS)), Layer([higher])).panels.values())


# Light.


def asked() -> tuple[Match, Scene]:
    """A match of Liar's Dice after a bid of two fives, and a thing for each of four actions."""
    match = Match(liars_dice.game, 3, seed=4)
    match.play("bid 2 5")
    legal, low, quiet = (liars_dice.game.action(text) for text in ("bid 3 1", "bid 1 1", "bid 1 2"))
    return match, a_scene(
        Item("legal", "stage", action=legal, ask=True),
        Item("labelled", "stage", action=legal, label="Raise"),
        Item("low", "stage", action=low, ask=True),
        Item("quiet", "stage", action=quiet),
        Item("nothing", "stage"),
    )


def words_of(view: View) -> Words:
    return ui(view.game).words(ui(view.game).narrator("en", reader=view.seat))


def test_what_the_reader_may_do_is_lit() -> None:
    """With the label of its action or its own; about what they may not do, they may ask where the game says so."""
    match, dark = asked()
    view = match.view(match.to_act[0])
    found = lit(dark, view, words_of(view)).items
    label = words_of(view).label(view.row, match.to_act[0], dark.items["legal"].action)
    assert ("bid 3 1", label, "") == (found["legal"].do, found["legal"].label, found["legal"].why)
    assert ("bid 3 1", "Raise") == (found["labelled"].do, found["labelled"].label)
    assert ("", "bid 1 1") == (found["low"].do, found["low"].why)
    assert (dark.items["quiet"], dark.items["nothing"]) == (found["quiet"], found["nothing"])
    assert list(dark.items) == list(found)


def test_nothing_is_lit_for_whoever_waits() -> None:
    """Nor for a spectator."""
    match, dark = asked()
    for seat in (*(one for one in range(3) if one not in match.to_act), None):
        view = match.view(seat)
        assert dark is lit(dark, view, words_of(view))


def test_a_scene_is_that_of_everybody_with_that_of_the_seat() -> None:
    """`Game.scene`: the same whether what everybody sees was worked out before or not, and the view stays as it is."""
    match, _ = asked()
    game = match.game
    for seat in (*range(3), None):
        view = match.view(seat)
        before = repr(view), view.row, view.seen
        words = words_of(view)
        found = ui(game).scene(view, words, ui(game).shared(match.view(None), words))
        assert (found.panels, list(found.items.values())) == (
            ui(game).scene(view, words).panels,
            list(ui(game).scene(view, words).items.values()),
        )
        assert before == (repr(view), view.row, view.seen)
        own = [item for item in found.items.values() if item.key.startswith("die-") and item.title.isdigit()]
        assert (0 if seat is None else view.row[rules.F.left + seat]) == len(own)


# Drawing.


def test_what_is_drawn_is_escaped() -> None:
    """Titles, labels, classes and notation cannot break out of their places; a look is markup already."""
    hostile = Item("a", "stage", write(HOSTILE, 0, 5, 14), cls=HOSTILE, title=HOSTILE, label=HOSTILE, do=HOSTILE)
    asking = Item("b", "a", title="b", why=HOSTILE)
    text = drawn(a_scene(hostile, asking), "stage")
    assert "<img" not in text
    ((shown_a, ((shown_b, _),)),) = tree_of(text)
    assert (HOSTILE, HOSTILE, HOSTILE) == (shown_a["title"], shown_a["label"], shown_a["do"])
    assert HOSTILE == shown_b["ask"]


def test_a_file_has_no_more_than_what_is_seen() -> None:
    """Without keys, looks' names and actions; place, state, light, title and look stay."""
    item = Item("a", "stage", tag("circle", r=3), 4, 5, 0.5, "dim", "A thing", do="pick a", label="Pick it")
    assert '<g class="dim can" transform="translate(4 5) scale(0.5)"><title>A thing</title><circle r="3"/></g>' == drawn(
        a_scene(item), "stage", live=False
    )
    assert "<g></g>" == drawn(a_scene(Item("a", "stage", why="pick a")), "stage", live=False)


def test_names_of_looks_tell_them_apart() -> None:
    """Equal texts have equal names, and thousands of others have others."""
    looks = {look_id(tag("circle", r=radius)) for radius in range(5000)}
    assert 5000 == len(looks)
    assert look_id(str(LOOKS[1])) == look_id(LOOKS[1])
