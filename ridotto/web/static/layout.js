// On a phone the board comes to the question: what can be chosen comes between the titles at the top and the answers under the
// thumb. If everything can be touched there, the answers take one row; else they are all listed. On a wider window everything
// has its place by the composition of the board alone.

import { $, $$, body } from "./page.js";
import { isStill } from "./settings.js";

const TARGETS = "[data-do], [data-part], [data-ahead]";
const FINGER = 38; // pixels

// Attend to the question of a page on a phone.
export function initLayout() {
  const board = $("#board");
  if (!board) return;
  const ask = $("#ask");
  const root = document.documentElement;
  const narrow = matchMedia("(max-width: 699px)");
  let question = "";

  // What stays at the top of the screen.
  const above = () => $$(".jumps, #news").reduce((sum, one) => sum + one.offsetHeight, 0);
  const box = (one) => one.getBoundingClientRect();

  // The uppermost panel with something to choose, but for a second place to stop at.
  function firstPane() {
    const stops = new Set($$(".stop [data-do]", ask).map((one) => one.dataset.do));
    const panes = $$(".pane", board).filter((pane) => $$(TARGETS, pane).some((one) => !stops.has(one.dataset.do)));
    return panes.sort((one, other) => box(one).top - box(other).top)[0];
  }

  function layOut() {
    if (!narrow.matches) return;
    const pane = firstPane();
    const asked = $$("[data-do]", ask).map((one) => one.dataset.do).join("\n");
    root.classList.add("short-answers");
    if (!pane) return;
    const targets = $$("[data-do]", board);
    const isAll = new Set(targets.map((one) => one.dataset.do)).size === new Set(asked.split("\n")).size && targets.every((one) => pane.contains(one));
    const isSeen = pane.offsetHeight <= root.clientHeight - ask.offsetHeight - above() - 16;
    const finger = Math.min(...targets.map(box).map((one) => Math.min(one.width, one.height)));
    if (asked && !(isAll && isSeen && finger >= FINGER)) root.classList.remove("short-answers");
    if (asked + body.dataset.ply === question) return;
    question = asked + body.dataset.ply;
    const begin = $("#turning:not(:empty)") ?? pane; // where it turned stands above the board
    scrollTo({ top: box(begin).top + scrollY - above() - 6, behavior: isStill() ? "instant" : "smooth" });
  }

  // When to look again: something came or went, or the window changed.
  let soon = 0;
  const again = () => (soon ||= requestAnimationFrame(() => ((soon = 0), layOut())));
  new MutationObserver(again).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-do", "data-ahead"] });
  new MutationObserver(again).observe(ask, { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "hidden"] });
  new MutationObserver(again).observe(body, { attributes: true, attributeFilter: ["class"] });
  addEventListener("resize", again);
  document.fonts.ready.then(again);
  layOut();
}
