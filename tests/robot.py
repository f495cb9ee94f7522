"""A robot that plays at the web table in a real browser, and looks at the page as it does.

It notes which entries of the match the page received and which it showed, and at each question asks its checks what is wrong
with the page. A check is a function of the page that gives sentences; a layout that promises something adds a check for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from browsers import PATIENCE, led_on, touch
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as Timeout

GUARDED = 3000
"""Milliseconds after which a click has surely been refused, because the question had just come."""
MOST_SHIFT = 0.05
"""The most that board and column may shift in a match, as browsers measure layout shifts."""

Check = Callable[[Page], list[str]]

NOTES = """
() => {
  window.notes = { start: Number(document.body.dataset.ply), received: [], shown: [], staged: 0 };
  document.addEventListener("received", ({ detail }) => notes.received.push(detail.ply));
  document.addEventListener("beat", ({ detail }) => notes.shown.push([detail.first, detail.ply, detail.hurry]));
  document.addEventListener("staged", () => notes.staged++);
  // Shifts of the board and the column, also those that follow a click; when the rules change the arrangement, it is a moment.
  notes.shifts = [];
  let composed = -Infinity;
  document.addEventListener("composed", () => (composed = performance.now()));
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      const moved = one.sources.map(({ node }) => node?.nodeType === 1 ? node : node?.parentElement);
      // New lines of the log, and of what is news, push the others on: nothing else may.
      const inside = moved.filter((node) => node?.closest("#board, #beside-board") && !node.closest("#log > *, #since > *"));
      const names = inside.map((node) => node.id || node.className || node.localName).join(" ");
      const isSheet = innerWidth < 700 && !inside.some((node) => node.closest("#board")); // it grows with what is asked
      if (inside.length && !isSheet && one.startTime - composed > 500) notes.shifts.push([one.value, names]);
    }
  }).observe({ type: "layout-shift" });
}
"""

READY = """
() => {
  if (document.querySelector("#stage[open]")) return "stage";
  if (document.body.matches(".behind, .busy")) return document.body.matches(".behind") ? "behind" : "";
  if (document.querySelector("#result table")) return "over";
  return document.querySelector("#ask .asking [data-do]") ? "asked" : "";
}
"""


MOST_SKIPPED = 300
"""Beats and stages between two questions."""
STATE = "() => [document.body.className, document.body.dataset.ply, document.querySelector('#stage').outerHTML.slice(0, 300)]"


class Robot:
    """Somebody who decides at random, skips what they have read, and complains."""

    def __init__(self, page: Page, seed: int, checks: Sequence[Check] = (), pace: str = "fast") -> None:
        self.page, self.dice, self.checks = page, random.Random(seed), checks
        self.faults: list[str] = []
        self.questions = 0
        self._begin(pace)

    def _begin(self, pace: str) -> None:
        """Set the pace, and begin to take notes."""
        self.page.evaluate("pace => Object.assign(localStorage, { pace, stages: 'all' })", pace)
        with led_on(self.page):
            self.page.reload()
        self.page.evaluate(NOTES)

    def play(self, most: int = 400) -> None:
        """Play until the match is over, or for so many decisions."""
        for _ in range(most):
            if self._wait() == "over":
                return
            self.questions += 1
            for check in self.checks:
                self.faults += [f"question {self.questions}: {fault}" for fault in check(self.page)]
            do = self.dice.choice(
                self.page.locator("#ask button[data-do]").evaluate_all("all => all.map(one => one.dataset.do)")
            )
            before = self.page.locator("body").get_attribute("data-ply")
            self._decide(do, before or "")
        self._wait()

    def _decide(self, do: str, before: str) -> None:
        """Choose an answer with the mouse, where it stands; a question that has just come takes no click there for a moment."""
        button = self.page.locator(f'#ask button[data-do="{do}"]').first
        if not button.is_visible():  # what is chosen part by part has a button when it is whole
            touch(button)
        else:
            button.click()
        moved = f'#stage[open], body.behind, body:not(.busy):not([data-ply="{before}"])'
        try:
            self.page.wait_for_selector(moved, timeout=GUARDED)
        except Timeout:
            if self.page.locator("body").get_attribute("data-ply") == before and not self.page.locator("body.busy").count():
                button.click()
            self.page.wait_for_selector(moved)

    def check_places(self) -> None:
        """Nothing has moved from its place: the sum of all shifts of the board and the column is next to nothing."""
        shifts = self.page.evaluate("notes.shifts")
        assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts

    def _wait(self) -> str:
        """Wait for a question or the end, and go on from whatever is shown meanwhile."""
        for _ in range(MOST_SKIPPED):
            found: str = self.page.wait_for_function(READY, timeout=PATIENCE).json_value()
            if found not in ("stage", "behind"):
                return found
            # One moment may follow another; the space bar goes on, and does nothing where it comes too late.
            self.page.keyboard.press("Escape" if found == "stage" else " ")
        raise AssertionError(f"there is no end to what is shown: {self.page.evaluate(STATE)}")

    def check_beats(self) -> None:
        """Every entry that the page received was shown in exactly one beat, in order, and no beat was hurried over."""
        notes = self.page.evaluate("notes")
        received = max([notes["start"], *notes["received"]])
        shown = [entry for first, stop, _ in notes["shown"] for entry in range(first, stop)]
        assert list(range(notes["start"], received)) == shown
        assert str(received) == self.page.locator("body").get_attribute("data-ply")
        assert not [beat for beat in notes["shown"] if beat[2]]
        assert shown, "nothing happened"


# Checks.


def nothing_is_cut(page: Page) -> list[str]:
    """Sentences that end in an ellipsis because there is no room for them."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("#ask *, #news *, #log *, #people *")]
            .filter((one) => getComputedStyle(one).textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth + 1)
            .map((one) => `cut: ${one.textContent.slice(0, 60)}`)"""
    )
    return found


def the_question_is_seen(page: Page) -> list[str]:
    """The sentence of the question, all of it, on the screen."""
    is_seen = page.evaluate(
        """() => { const box = document.querySelector("#question").getBoundingClientRect();
            return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth; }"""
    )
    return [] if is_seen else ["the question is not on the screen"]


def nothing_sticks_out(page: Page) -> list[str]:
    """Nothing is wider than the screen: the page does not scroll sideways."""
    wide, screen = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    return [f"the page is {wide} wide on a screen of {screen}"] if wide > screen else []


def the_targets_are_seen(page: Page) -> list[str]:
    """What can be chosen on the board, each thing in one place at least, uncovered: there, or as a button beside the question.
    On a phone, where that is more than the screen holds, the list of answers will do, which scrolls inside itself.
    """
    page.wait_for_function(STILL, timeout=PATIENCE)  # a phone brings the board to the question
    found: list[str] = page.evaluate(
        """() => {
            const isSeen = (one) => {
                const box = one.getBoundingClientRect();
                const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
                if (!box.width || x <= 0 || x >= innerWidth || y <= 0 || y >= innerHeight) return false;
                const top = document.elementFromPoint(x, y);
                const pane = one.closest(".pane"); // a piece may stand on a room
                return Boolean(top) && (one.contains(top) || Boolean(pane) && pane === top.closest(".pane"));
            };
            const list = document.querySelector("#ask :is(.answers, .picker)");
            const isListed = () => {
                const box = list.getBoundingClientRect();
                const [isTall, isWithin] = [box.height >= 34, box.left >= 0 && box.right <= innerWidth + 1];
                return isTall && isWithin && box.top >= 0 && box.top + 34 <= innerHeight;
            };
            const key = ([name, value]) => `#ask label:has([name="${name}"][value="${value}"])`;
            const beside = (what) => `#ask [data-do="${what}"], ${what.includes("=") ? key(what.split("=")) : "no-such"}`;
            const seen = new Map();
            for (const one of document.querySelectorAll("#board :is([data-do], [data-part])")) {
                const what = one.dataset.do ?? one.dataset.part;
                seen.set(what, seen.get(what) || isSeen(one));
            }
            const isPhone = innerWidth < 700;
            const isBeside = (what) => [...document.querySelectorAll(beside(what))].some(isSeen);
            const hidden = [...seen].filter(([what, is]) => !is && !isBeside(what)).map(([what]) => what);
            if (seen.size && !hidden.length || (isPhone || !seen.size) && list && isListed()) return [];
            return seen.size ? hidden.map((what) => `not on the screen: ${what}`) : ["no answers on the screen"];
        }"""
    )
    return found


STILL = """
() => new Promise((done) => {
  let at = scrollY;
  const look = () => (at === scrollY ? done(true) : ((at = scrollY), requestAnimationFrame(() => requestAnimationFrame(look))));
  requestAnimationFrame(() => requestAnimationFrame(look));
})
"""
"""Whether the page has stopped scrolling by itself."""


LEAST = 12
"""Pixels that a text must be high."""


def the_question_is_legible(page: Page) -> list[str]:
    """What the question needs is at least so high on the screen, as it is scaled there: its sentence, all that is written with
    its answers, what has happened, and every text in each panel with something to choose, but for another place to stop at.
    """
    found: list[str] = page.evaluate(
        """(least) => {
            const isShown = (one) => one.getClientRects().length && one.textContent.trim();
            const height = (one) => {
                const { a, b } = one.getScreenCTM?.() ?? { a: 1, b: 0 };
                return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
            };
            const parts = "button, a, .purse, .stem, .prompt, .key span, .keys :is(span, legend)";
            const written = `#question, #since li, #ask :is(${parts})`;
            const stops = [...document.querySelectorAll("#ask .stop [data-do]")].map((one) => one.dataset.do);
            const targets = (pane) => [...pane.querySelectorAll("[data-do], [data-part], [data-ahead]")];
            const has = (pane) => targets(pane).some((one) => !stops.includes(one.dataset.do));
            const needed = [...document.querySelectorAll("#board .pane")].filter(has);
            // On a small window, a quiet text names what stands beside it, and a letter on a mark says it for the second time.
            const all_texts = innerWidth < 1200 ? "text:not(.quiet, .onseat, .onfigure)" : "text:not(.onfigure)";
            const texts = needed.flatMap((pane) => [...pane.querySelectorAll(all_texts)].map((text) => [pane.id, text]));
            const all = [...[...document.querySelectorAll(written)].map((one) => ["#ask", one]), ...texts];
            const small = all.filter(([, one]) => isShown(one) && height(one) < least - .05);
            const told = (one) => `${height(one).toFixed(1)} pixels: ${one.textContent.trim().slice(0, 40)}`;
            return small.map(([where, one]) => `${where}, ${told(one)}`);
        }""",
        LEAST,
    )
    return found
