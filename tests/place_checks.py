"""Checks of a robot (see `robot`) that everything on a page with a board has its place, and nothing lies over anything."""

from __future__ import annotations

from playwright.sync_api import Page

NAMED = {
    "fantome": ("house", "cards", "deduction", "track", "notebook"),
    "opera": ("rounds", "budget", "ladder", "palazzo", "player-0", "player-1"),
    "turandot": ("troupes-1", "troupes-2", "directors"),
}
"""The panels that are in sight at every question, without scrolling, by the name of the game."""


def the_panels_are_in_sight(page: Page) -> list[str]:
    """Every panel of the board is on the screen, whole and uncovered, and those that a game names are there."""
    found: list[str] = page.evaluate(
        """(named) => {
            const isSeen = (pane) => {
                const { left, top, right, bottom } = pane.getBoundingClientRect();
                const isInside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
                const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                return isInside && right - left > 20 && pane.contains(over);
            };
            // A panel without a place is not shown: behind a mask, or where a choice needs the room.
            const shown = [...document.querySelectorAll("#board .pane")].filter((pane) => pane.checkVisibility());
            const panes = shown.filter((pane) => !isSeen(pane));
            const wanted = (named[document.body.dataset.game] ?? []).map((name) => `pane-${name}`);
            const missing = wanted.filter((id) => !document.getElementById(id)?.checkVisibility());
            return [...missing, ...panes.map((pane) => pane.id)].map((id) => `not in sight: ${id}`);
        }""",
        NAMED,
    )
    return found


def nothing_lies_over_a_control(page: Page) -> list[str]:
    """Every button and link that is seen at the top and in the column can be clicked in its middle."""
    found: list[str] = page.evaluate(
        """() => {
            const middle = (one) => {
                const { left, top, width, height } = one.getBoundingClientRect();
                return [left + width / 2, top + height / 2];
            };
            // What lies outside a box that scrolls is reached by scrolling.
            const isIn = (one, boxes) => {
                const box = one.closest(boxes)?.getBoundingClientRect();
                const [x, y] = middle(one);
                const right = Math.min(box?.right, innerWidth - 1); // a row of answers reaches the edge of a phone
                return !box || (y >= box.top && y <= box.bottom && x >= box.left && x <= right);
            };
            const isSeen = (one) => {
                const { width, top, bottom } = one.getBoundingClientRect();
                return one.checkVisibility({ visibilityProperty: true }) && width > 4 && top >= 0 && bottom <= innerHeight;
            };
            const controls = document.querySelectorAll(".bar :is(button, a, summary), #ask :is(button, a), #news button");
            const isReached = (one) => isIn(one, ".answers, .picker, .people") && isIn(one, "#ask, #news");
            const seen = [...controls].filter((one) => isSeen(one) && isReached(one));
            const over = (one) => document.elementFromPoint(...middle(one));
            const covered = seen.filter((one) => !one.contains(over(one)) && !over(one)?.contains(one));
            const name = (one) => one?.textContent.trim().slice(0, 40) || one?.outerHTML.slice(0, 80);
            return covered.map((one) => `covered: ${name(one)}, by ${name(over(one))}`);
        }"""
    )
    return found


LEAST_BOARD = 0.85
"""The part of the room beside the column that is board, at 1440 × 900."""


def the_board_fills_its_room(page: Page) -> list[str]:
    """The board has most of the room beside the column."""
    part = page.evaluate(
        """() => {
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            const [board, floor, column] = ["#board", ".hall-floor", "#beside-board"].map(box);
            return board.width * board.height / ((column.left - floor.left) * floor.height);
        }"""
    )
    return [] if part >= LEAST_BOARD or page.viewport_size != {"width": 1440, "height": 900} else [f"the board has {part:.0%}"]
