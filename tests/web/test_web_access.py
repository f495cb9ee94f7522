"""Access: contrast, what axe finds, and whole matches by somebody who has the accessibility tree and a keyboard, no more."""

from __future__ import annotations

import asyncio
import random
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import AT_ONCE, PATIENCE, led_on, ply, sit_down, touch
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as Timeout
from visitors import House, running, sat, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.present.svg import STYLE, THEMES
from ridotto.web.pages import assets

# Contrast (WCAG 2.2, 1.4.3 and 1.4.11), worked out from the declared colours.

ROOMS = ("velvet", "plush", "wood")
"""What text stands on, unless it says otherwise."""
TEXTS = ("ink", "ash", "gilt", "good", "bad", *(f"seat{seat}" for seat in range(5)))
"""What text is written in."""
PAIRS = [
    *((text, room, 4.5) for text in TEXTS for room in ROOMS),
    *(("ink", room, 7.0) for room in ROOMS),  # numbers
    ("pen", "paper", 7.0),
    ("velvet", "gilt", 4.5),  # what is chosen, and the flag of whose turn it is
    *(("velvet", f"seat{seat}", 4.5) for seat in range(5)),  # the letter on a seat's mark
    ("paper", "curtain", 4.5),
    *((light, room, 3.0) for light in ("glow", "rose", "good", "bad") for room in ROOMS),  # lights, passages, marks
]
ELSEWHERE = {"pen", "velvet", "a-words", "a-title", "brass"}
"""Colours of text that stands on something of its own: cards, gilt, the picture of the start page; and one for nothing but
what is empty."""


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_how_contrast_is_worked_out() -> None:
    """Black on white is 21; the grey that is known for just passing is 4.54."""
    assert 21 == round(contrast("#000000", "#ffffff"), 6)
    assert 4.54 == round(contrast("#767676", "#ffffff"), 2)


@pytest.mark.parametrize("theme", THEMES)
def test_contrast_is_enough(theme: str) -> None:
    """In both themes every text can be read on everything that it stands on (AA; numbers AAA), and every light is seen."""
    colours = THEMES[theme]
    poor = {
        (one, other): round(contrast(colours[one], colours[other]), 2)
        for one, other, least in PAIRS
        if contrast(colours[one], colours[other]) < least
    }
    assert {} == poor


@pytest.mark.parametrize("theme", THEMES)
def test_contrast_on_the_start_page(theme: str) -> None:
    """The words over the picture of the opera can be read on each of its large parts."""
    css = assets.css()
    found = re.findall(r":root(\[data-theme=light\])? \{[^}]*?--a-room[^}]*\}", css)
    assert found
    blocks = re.findall(r"(:root[^{]*)\{([^}]*--a-words[^}]*)\}", css)
    chosen = next(body for name, body in blocks if ("light" in name) == (theme == "light"))
    colours = dict(re.findall(r"--(a-[a-z]+): (#[0-9a-f]{6}|#[0-9a-f]{3})", chosen))
    assert contrast(colours["a-words"], colours["a-room"]) >= 4.5
    assert contrast(colours["a-title"], colours["a-room"]) >= 3, "large letters"


def test_every_colour_of_text_is_looked_at() -> None:
    """Nothing is written in a colour that the tests above do not know."""
    css = assets.css()
    used = set(re.findall(r"(?<![-\w])color:\s*var\(--([\w-]+)\)", css))
    assert used - ELSEWHERE - {"glow"} <= set(TEXTS), used
    drawn = set(re.findall(r"^\.(?:title|name|quiet|oncard|good|bad)\b[^{]*\{[^}]*?fill: \$(\w+)", STYLE, re.M))
    assert drawn <= {*TEXTS, "pen"}, drawn


# A server with a few tables, and a browser.

COUNTING = """
    window.plies = 0;
    window.announced = [];
    window.refused = [];
    addEventListener("DOMContentLoaded", () => {
      const [told, alert] = ["#announce", "#toast"].map((one) => document.querySelector(one));
      if (!told || !alert) return; // a replay refuses nothing
      let at = document.body.dataset.ply;
      new MutationObserver(() => document.body.dataset.ply !== at && (at = document.body.dataset.ply, window.plies += 1))
        .observe(document.body, { attributeFilter: ["data-ply"] });
      new MutationObserver(() => window.announced.push(told.textContent)).observe(told, { childList: true });
      new MutationObserver(() => window.refused.push(alert.textContent)).observe(alert, { childList: true });
    });
"""
"""What the tester counts behind the robot's back: changes of the table, announcements, and refusals."""


def late(name: str, seats: int, left: int, is_wanted: Callable[[Match], bool] = lambda match: True) -> Match:
    """A match of random play about so many decisions before its end, with the first seat to decide."""
    match = over(name, seats)
    return next(
        before
        for ply in range(match.ply - left, 0, -1)
        for before in [match.after(ply)]
        if 0 in before.to_act and is_wanted(before)
    )


def over(name: str, seats: int) -> Match:
    """A match of random play that is over."""
    match, dice = Match(GAMES[name], seats, seed=6), random.Random(6)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)
    return match


def asks(verb: str) -> Callable[[Match], bool]:
    return lambda match: any(do.startswith(verb) for do in match.legal(0))


def prepared() -> dict[str, Match]:
    found = {
        "fantome": Match(GAMES["fantome"], 2, seed=9),
        "opera": late("opera", 3, 14),
        "opera whole": Match(GAMES["opera"], 3, seed=9),
        "hiring": late("opera", 4, 90, asks("hire")),
        "rearranging": late("opera", 4, 90, asks("keep")),
        "turandot": late("turandot", 3, 6, asks("bid")),
        "turandot whole": Match(GAMES["turandot"], 3, seed=9),
        "audition": late("turandot", 5, 45, asks("bid")),
        "casting": late("turandot", 3, 8, asks("cast")),
        "over": over("fantome", 2),
    }
    return found | {f"{name}, beat by beat": found[name] for name in ("fantome", "opera", "turandot")}


PLACES = (
    *("/", "/about", "/records", "/me/delete", "/rules/en/opera", "/box/opera", "/nowhere"),
    *("/learn/fantome/5", "/learn/turandot/10"),
)
PHASES = ("fantome", "hiring", "rearranging", "audition", "casting")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("access")

    async def lay() -> dict[str, str]:
        async with running(settings(data)) as app:
            found = {}
            for name, match in prepared().items():
                for one in (name, *(f"{name} {theme}" for theme in (*THEMES, "short") if name in PHASES)):
                    found[one] = (await sat(app, match, "", *["level:1"] * (match.seats - 1))).id
            return found

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables)


@pytest.fixture
def visitor(browser: Browser, house: House) -> Iterator[Callable[..., Page]]:
    """Somebody with a browser; nothing may go wrong in it."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def come(path: str = "/", scripts: tuple[str, ...] = (), **chosen: Any) -> Page:
        given = {"viewport": {"width": 1440, "height": 900}, "locale": "en", "reduced_motion": "reduce"} | chosen
        context = browser.new_context(base_url=house.base, **given)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        for script in (COUNTING, *scripts):
            page.add_init_script(script)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(path)
        return page

    yield come
    for context in contexts:
        context.close()
    assert [] == faults


# What axe finds.

QUICK: Any = {"resultTypes": ["violations"]}


def violations(page: Page) -> list[str]:
    """What axe finds that is serious or worse: a line each."""
    found = Axe().run(page, options=QUICK).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['html'][:120]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    ("theme", "places", "phases"),
    [
        ("light", ("/", "/learn/fantome/5"), ("casting",)),
        pytest.param("dark", PLACES, PHASES, marks=pytest.mark.soak),
        pytest.param("light", PLACES, PHASES, marks=pytest.mark.soak),
    ],
)
def test_axe_finds_nothing_serious(
    theme: str, places: tuple[str, ...], phases: tuple[str, ...], visitor: Callable[..., Page], house: House
) -> None:
    """On every kind of page: start, about, rules, fault, lesson, invitation, tables in several phases, with a drawer open and
    with a result.
    """
    page = visitor(color_scheme=theme)
    found: dict[str, list[str]] = {}
    for place in places:
        page.goto(place)
        found[place] = violations(page)
    for phase in phases:
        which = theme if len(places) == len(PLACES) else "short"
        page.goto(f"/t/{house.tables[f'{phase} {which}']}")
        sit_down(page)
        found[phase] = violations(page)
    page.goto("/learn/opera/3")
    page.locator("#aid-why").click()
    expect(page.locator("#beside .refusals")).to_be_visible()
    found["why not"] = violations(page)
    page.locator("#aid-rules").click()
    expect(page.locator("#beside .here")).to_be_visible()
    found["rules beside"] = violations(page)
    if len(places) == len(PLACES):
        page.goto("/")
        page.locator("#setup-fantome summary").click()
        page.locator("#setup-fantome [name=seat1]").select_option("friend")
        found["a form"] = violations(page)
        with led_on(page):
            page.locator("#setup-fantome form .main").click()
        link = page.locator("#ask .invites input").input_value()
        found["an open table"] = violations(page)
        friend = visitor(link.removeprefix(house.base), color_scheme=theme)
        found["an invitation"] = violations(friend)
        for part in ("", "/replay", "/review"):
            page.goto(f"/t/{house.tables['over']}{part}")
            found[f"over{part}"] = violations(page)
        page.goto("/learn/turandot/10")
        touch(page.locator('#board [data-part="choice=regnaud"]'))
        expect(page.locator("#result table")).to_be_visible()
        found["a result"] = violations(page)
    assert {} == {place: lines for place, lines in found.items() if lines}


SOME = {"handover-phone", "takeback-phone", "takeover-phone"}


def photographs() -> Any:
    """The module that takes the pictures of the documentation."""
    spec = spec_from_file_location("shots", Path(__file__).parents[2] / "docs" / "shots.py")
    assert spec is not None and spec.loader is not None
    found = module_from_spec(spec)
    sys.modules["shots"] = found  # dataclasses look there
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("names", [SOME, pytest.param(None, marks=pytest.mark.soak)], ids=["some", "all"])
def test_axe_finds_nothing_serious_in_the_pictures(names: set[str] | None, browser: Browser) -> None:
    """Nor in anything that the documentation shows: hints, offers, clocks, hand-overs, talk, replays, reviews, sheets."""
    module, found = photographs(), {}
    for shot in module.shots():
        if names is None or shot.name in names:
            page = module.opened(browser, shot)
            found[shot.name] = violations(page)
            page.close()
    assert len(found) >= len(SOME)
    assert {} == {name: lines for name, lines in found.items() if lines}


COVERED = """() => {
  const box = (one) => {
    if (!["H2", "P", "LI"].includes(one.tagName)) return one.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(one);
    return words.getBoundingClientRect();
  };
  const all = (name) => [...document.querySelectorAll(name)].filter((one) => one.checkVisibility());
  const words = all("#ask :is(h2, .offer-box p)").filter((one) => one.textContent.length > 20);
  const found = words.filter((one) => box(one).width < 100).map((one) => `squeezed: ${one.textContent}`);
  for (const aid of all("#ask .aid")) {
    const top = aid.getBoundingClientRect();
    for (const one of all("#ask :is(.turn-flag, h2, .answers .button, .fold, .offer-box p, .offer-box .button)")) {
      const below = box(one);
      const wide = Math.min(top.right, below.right) - Math.max(top.left, below.left);
      const tall = Math.min(top.bottom, below.bottom) - Math.max(top.top, below.top);
      if (wide > 1 && tall > 1) found.push(`${aid.textContent} over ${one.textContent}`);
    }
  }
  return found;
}"""
"""Aids that lie over a question or its answers, and sentences that have no room beside them."""


COVERING = ("opera-bar-desktop", "takeback-desktop", "takeback-safe-desktop", "takeover-desktop")


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        *((name, [list(LANGUAGES)[at % 3]]) for at, name in enumerate(COVERING)),
        *(pytest.param(name, list(LANGUAGES), marks=pytest.mark.soak) for name in COVERING),
    ],
)
def test_the_aids_cover_nothing(name: str, languages: list[str], browser: Browser) -> None:
    """On every screen, with a clock, a hint and a takeback, and with an offer of somebody else's; each in every language."""
    module = photographs()
    (shot,) = [one for one in module.shots() if one.name == name]
    for spoken in languages:
        page = module.opened(browser, replace(shot, language=spoken))
        for wide in (390, 800, 1160, 1440):
            page.set_viewport_size({"width": wide, "height": 900})
            assert [] == page.evaluate(COVERED), f"{spoken}, {wide} pixels"
        page.close()


# The robot.

BUTTON = re.compile(r"""^(\s*)- '?button "((?:[^"\\]|\\.)*)"(.*)$""")
HELP = {"The best casting"}
"""Buttons with the answers that decide nothing."""
APART = ('- group "Help"', '- group "Go through the match"')
"""Groups of buttons that decide nothing either."""
ALL_ASKED = "try { localStorage.single ??= 'off'; } catch { /* no page yet */ }"
"""Whoever plays here answers every question, also one with a single answer."""
UNCALLED = "try { localStorage.call ??= 'off'; } catch { /* no page yet */ }"
"""Somebody who has said already that they want no notifications, and has changed nothing else."""


MAYBE = """(name) => {
  const one = document.activeElement;
  const letters = (text) => text.replace(/[^\\p{L}\\p{N}]/gu, "");
  return one !== document.body && letters((one.getAttribute("aria-label") ?? "") + one.textContent).includes(letters(name));
}"""
"""Whether the letters of a name stand in what the focus is on."""


class Robot:
    """Somebody who is told what the accessibility tree says, and has a keyboard."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.dice = page, random.Random(seed)
        self.pressed: set[int] = set()
        """How often something had been announced before each decision."""

    def read(self, role: str = "main") -> list[str]:
        """The tree, line by line."""
        return self.page.get_by_role(role).first.aria_snapshot().splitlines()  # type: ignore[arg-type]

    def answers(self, tree: list[str] | None = None) -> list[str]:
        """The buttons that answer the question: those beside it, else those on the board."""
        asked, board = self.offered(tree)
        return asked or board

    def offered(self, tree: list[str] | None = None) -> tuple[list[str], list[str]]:
        """The buttons beside the question, and those on the board."""
        asked: list[str] = []
        board: list[str] = []
        now, deaf = asked, -1
        for line in tree or self.read():
            depth = len(line) - len(line.lstrip())
            if deaf >= 0 and depth > deaf:
                continue
            deaf = depth if line.strip().startswith(APART) else -1
            if line.strip().startswith('- heading "The table"'):
                now = board
            elif line.strip().startswith('- region "Log"'):
                now = []
            elif now is board and re.match(r"\s*- heading .*\[level=2\]", line):
                break
            button = BUTTON.match(line)
            if button and "[disabled]" not in button[3] and button[2] not in HELP:
                now.append(button[2])
        return asked, board

    def heard(self) -> str:
        """What the live region said last."""
        return self.page.get_by_role("status").first.inner_text()

    def is_on(self, name: str) -> bool:
        """Whether the focus is on a button of that name."""
        if not self.page.evaluate(MAYBE, name):  # the tree is asked only where it may say so: there are many Tabs to a match
            return False
        try:
            first = self.page.locator(":focus").first.aria_snapshot(timeout=PATIENCE // 30).splitlines()
        except Timeout:  # the page was drawn anew meanwhile, and nothing has the focus
            return False
        button = BUTTON.match(first[0]) if first else None
        return button is not None and button[2] == name

    def press(self, name: str) -> bool:
        """Go to a button with the Tab key, and press Enter; False where the table has gone on and the button with it, or where
        something has come upon the stage.
        """
        for _ in range(200):
            if self.is_staged():
                return False
            self.page.keyboard.press("Tab")
            if self.is_on(name):
                self.page.keyboard.press("Enter")
                return True
        buttons = [found[2] for line in self.read() if (found := BUTTON.match(line))]
        assert name not in buttons, f"{name!r} cannot be reached"
        return False

    def play(self, most: int = 600) -> None:
        """Play until the match is over."""
        for _ in range(most):
            answers = self.wait()
            if not answers:
                return
            before, here, chosen = self.said(), ply(self.page), self.dice.choice(answers)
            self.pressed.add(int(self.page.evaluate("() => window.announced.length")))
            is_part = not self.offered()[0]
            if not self.press(chosen) or (is_part and not self.put_together(before)):
                continue
            if chosen == "Rearrange on one sheet":
                assert self.press("Best for points")
                self.page.wait_for_selector("#sheet [data-send]:enabled")  # until then it is worked out what that is
                assert self.press("Arrange it so")
            self.listen(before, here, chosen)
        raise AssertionError("the match does not end")

    def put_together(self, before: int) -> bool:
        """What was pressed on the board is the answer, or a part of one: then the button that gives it is beside the question.

        False where the answer is not whole yet.
        """
        for _ in range(20):
            if self.said() > before:
                return True
            if whole := self.offered()[0]:
                return self.press(self.dice.choice(whole))
            self.page.wait_for_timeout(50)
        return False

    def wait(self) -> list[str]:
        """The answers to the next question that is put; none when the match is over. What is on the stage is gone on from."""
        for _ in range(PATIENCE // 50):
            while self.is_staged():
                self.page.keyboard.press("Escape")
            tree = self.read()  # once: between two looks the match may end
            if any(line.strip().startswith('- region "Score in detail"') for line in tree):
                return []
            if answers := self.answers(tree):
                return answers
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing happens: {self.read()}")

    def is_staged(self) -> bool:
        """Whether a dialog tells what has just happened."""
        return self.page.get_by_role("dialog", name="What has just happened").count() > 0

    def said(self) -> int:
        """How often something was said, refusals included."""
        return int(self.page.evaluate("() => window.announced.length + window.refused.length"))

    def hears(self, before: int, patience: int) -> bool:
        """Whether something more is said within so many milliseconds."""
        try:
            self.page.wait_for_function(
                "(before) => window.announced.length + window.refused.length > before", arg=before, timeout=patience
            )
        except Timeout:
            return False
        return True

    def listen(self, before: int, here: str, chosen: str) -> None:
        """Wait until something more is said, were it in the same words, and the page hears keys again."""
        if not self.hears(before, PATIENCE):
            told = self.page.evaluate("() => [window.announced, window.refused, document.activeElement.outerHTML]")
            raise AssertionError(f"silence after {chosen!r} at {here}, now {ply(self.page)}: {told} {self.read()}")
        self.page.wait_for_selector("body:not(.busy)")


@pytest.mark.parametrize(
    "name",
    [
        "fantome",
        "opera",
        "turandot",
        pytest.param("opera whole", marks=pytest.mark.soak),
        pytest.param("turandot whole", marks=pytest.mark.soak),
        *(pytest.param(f"{name}, beat by beat", marks=pytest.mark.soak) for name in ("fantome", "opera", "turandot")),
    ],
)
def test_a_match_by_ear_and_keyboard(name: str, visitor: Callable[..., Page], house: House) -> None:
    """A robot that knows the accessibility tree and the keys alone sits down and plays to the end; whatever changes is
    announced once, in words. The record has the robot's decisions, and the end.
    """
    pace = UNCALLED if "beat" in name else AT_ONCE
    page = visitor(f"/t/{house.tables[name]}", scripts=(pace, ALL_ASKED))
    robot = Robot(page, 3)
    [seat] = [one for one in robot.answers() if one.startswith("Sit down")]
    with led_on(page):
        robot.press(seat)
    robot.play()
    assert re.search("You have (won|lost)[.,]|Nobody wins[.]", robot.heard())
    kept = page.request.get(f"/t/{house.tables[name]}/record").json()
    own = [entry for entry in kept["entries"] if entry["seat"] == 0 and entry["ply"] >= prepared()[name].ply]
    assert own and kept["result"]
    announced, plies = page.evaluate("() => [window.announced, window.plies]")
    assert any(announced) and len(announced) <= plies + len(robot.pressed), "once when the table changes, and for each draft"
    again = {at for at, (before, later) in enumerate(pairwise(announced), 1) if later and before.endswith(later)}
    assert again <= robot.pressed, "what was said is said again to whoever has just done something, and to nobody else"


def test_by_keyboard_into_a_lesson(visitor: Callable[..., Page]) -> None:
    """The same robot finds the first lesson, does what its first two steps ask, and hears what they showed."""
    page = visitor("/learn/fantome/1")
    robot = Robot(page, 1)
    robot.press(next(name for name in robot.answers() if "Meg" in name))
    expect(page.get_by_role("status").first).to_contain_text("You play one card")
    with led_on(page):
        page.keyboard.press("Enter")  # the way on has the focus
    expect(page).to_have_title(re.compile("^Step 2"))
    robot.press(next(name for name in robot.answers() if "workshop" not in name and "(6)" in name))
    expect(page.get_by_role("alert").first).to_contain_text("Not there.")
    robot.press(next(name for name in robot.answers() if "(4)" in name))
    expect(page.get_by_role("status").first).to_contain_text("they are in company")


def test_less_movement_is_respected(visitor: Callable[..., Page], house: House) -> None:
    """With the device's wish for less movement, or ours switched off, nothing is animated."""
    page = visitor(f"/t/{house.tables['audition']}")
    assert [] == page.evaluate("() => document.getAnimations().map((one) => one.animationName)")
    page.evaluate("document.querySelector('#people').insertAdjacentHTML('beforeend', '<span class=dots><i></i></span>')")
    moving = "() => getComputedStyle(document.querySelector('#people > .dots i')).animationName"
    assert "none" == page.evaluate(moving)
    page.emulate_media(reduced_motion="no-preference")
    assert "none" != page.evaluate(moving), "a bot that thinks is seen to"
    page.evaluate("document.documentElement.dataset.motion = 'off'")
    assert "none" == page.evaluate(moving)
