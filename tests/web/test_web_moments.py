"""Nothing is ahead of the moment: whatever is being shown, board, header, log and result stand as they were then."""

from __future__ import annotations

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from evenings import opened
from playwright.sync_api import Browser, Page
from reels import Reel, played, reel

from ridotto.core.match import Match
from ridotto.games import GAMES

SHOWN = """
(root) => {
  const texts = (selector) => [...root.querySelectorAll(selector)].map((one) => one.textContent.replace(/\\s+/g, " ").trim());
  const places = { people: "#people .person", scores: "#people .score", board: "#board :is(text, title)", log: "#log li" };
  const found = Object.fromEntries(Object.entries(places).map(([name, selector]) => [name, texts(selector)]));
  return { ...found, result: texts("#result table td"), title: root.title };
}
"""
"""All that can be read in the header, on the board, in the log and in the result."""

NOTES = """
() => {
  const shown = SHOWN;
  const note = (about) => notes.push({ ...about, ...shown(document) });
  window.notes = [];
  note({ ply: Number(document.body.dataset.ply) });
  document.addEventListener("beat", ({ detail: { ply, part } }) => note({ ply, part }));
  document.addEventListener("staged", () => note({ stage: document.querySelector("#stage h2").textContent }));
}
""".replace("SHOWN", SHOWN.strip())

GO_ON = """
() => new Promise((done) => {
  const look = () => {
    if (document.querySelector("#stage[open]")) document.querySelector("#stage").close();
    else if (!document.body.matches(".behind")) return done(true);
    else document.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    setTimeout(look, 15);
  };
  look();
})
"""
"""Somebody goes on as soon as there is anything to go on from."""


def watched(browser: Browser, found: Reel) -> list[dict[str, Any]]:
    """Notes of the page at every beat, at every part of one, and whenever a stage opens."""
    page: Page = opened(browser, found.first, "en")
    page.evaluate("Object.assign(localStorage, { pace: 'fast', stages: 'all' })")
    page.evaluate(NOTES)
    page.wait_for_function("document.body.dataset.ply")
    for one in found.messages:
        page.evaluate("data => stream.dispatchEvent(new MessageEvent('table', { data }))", json.dumps(one))
        page.evaluate(GO_ON)
    notes: list[dict[str, Any]] = page.evaluate("notes")
    page.context.close()
    return notes


def expected(browser: Browser, found: Reel) -> dict[int, dict[str, Any]]:
    """What can be read on the page as it would be loaded after each entry."""
    page = browser.new_page()
    read = f"(html) => ({SHOWN})(new DOMParser().parseFromString(html, 'text/html'))"
    texts = {ply: page.evaluate(read, html) for ply, html in found.pages.items()}
    page.close()
    return texts


def check(browser: Browser, match: Match, start: int, seed: int) -> list[dict[str, Any]]:
    """Every beat is as the page would be loaded then, and nothing behind a stage, or in a part, is ahead of it."""
    with ThreadPoolExecutor(1) as apart:  # the browser has a loop of its own here
        found = apart.submit(reel, match, start, random.Random(seed)).result()
    loaded, notes = expected(browser, found), watched(browser, found)
    ends = {one["ply"] for one in found.messages}
    last = notes[0]
    assert notes[-1]["ply"] == match.ply and [] == [one["ply"] for one in notes[1:-1] if one.get("ply") == match.ply]
    for one in notes[1:]:
        if "stage" in one:
            kept = {key: one[key] for key in ("people", "board", "log", "result", "title")}
            assert {key: last[key] for key in kept} == kept, f"behind “{one['stage']}”"
            continue
        there = loaded[one["ply"]]
        if one["part"]:
            # In the middle of an entry: something was added to the log that the end of the entry will have as well.
            end = loaded[one["ply"] + 1]["log"]
            assert one["log"] == end[len(end) - len(one["log"]) :] and len(last["log"]) <= len(one["log"])
            assert not one["result"] and one["title"] == last["title"]
        else:
            wanted = ("people", "board", "log", "result", *(["title"] if one["ply"] in ends else []))
            assert {key: there[key] for key in wanted} == {key: one[key] for key in wanted}, f"after {one['ply']} entries"
        last = one
    return notes


STAGES = {
    "fantome": {"The phantom answers", "The mask falls"},
    "opera": {"The bids", "Income"},
    "turandot": {"The final count"},
}
"""Moments that every match has."""


def ending(name: str, seats: int, entries: int) -> tuple[Match, int]:
    match = played(name, seats, 4)
    return match, max(1, match.ply - entries)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_ahead_of_the_moment(browser: Browser, name: str) -> None:
    """The end of a match, several entries at a time: all stages are opened, and the result is seen after the last of them."""
    match, start = ending(name, min(3, GAMES[name].seats[-1]), 45)
    notes = check(browser, match, start, 1)
    titles = [one["stage"] for one in notes if "stage" in one]
    assert STAGES.get(name, set()) <= {*titles}
    assert titles and all(not one["result"] for one in notes[:-1]) and notes[-1]["result"], "the end comes last"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_ahead_in_whole_matches(browser: Browser, name: str, seed: int) -> None:
    """The same from the deal on, with as few and with as many as can play."""
    for seats in {GAMES[name].seats[0], GAMES[name].seats[-1]}:
        check(browser, played(name, seats, seed), 1, seed)


def test_points_are_not_ahead_of_the_count(browser: Browser) -> None:
    """Opera's header has the points that the log has told of, at every part of the last round."""
    match, start = ending("opera", 3, 30)
    notes = [one for one in check(browser, match, start, 2) if "stage" not in one]
    counted = [one for one in notes if any("for great halls" in line for line in one["log"][: 3 * match.seats])]
    assert counted and any(one["part"] for one in counted)
    names = ("You", "Rosina", "Papageno")
    for one in counted:
        for seat, who in enumerate(names):
            totals = (re.search(rf"^{who} .*?([−\d]+) points? now", line) for line in one["log"])
            if (latest := next(filter(None, totals), None)) is not None:
                assert latest[1] == one["scores"][seat].split()[0].rstrip(","), (who, one["scores"][seat], latest[0])
