// The focus stays where it was when parts of a page are replaced, or goes to the question if that place is gone.

import { $, body } from "./page.js";

const DOES = ["do", "ahead", "part", "confirm", "undraft", "sheet", "hinting", "fold"]; // what a button is known by

// The place that has the focus, as something to find it again by; null where no part of a table has it.
export function focusedPlace() {
  const focused = document.activeElement;
  if (!focused || focused === body || !focused.closest("#main")) return null;
  const part = focused.closest("#ask, #board, #log, #people, #links, #result");
  return part && { part: part.id, selector: selectorOf(focused) };
}

function selectorOf(one) {
  const does = DOES.find((name) => name in one.dataset);
  if (does) return `[data-${does}="${CSS.escape(one.dataset[does])}"]`;
  if (one.id) return `#${CSS.escape(one.id)}`;
  if (one.name) return `[name="${one.name}"]${one.type === "radio" ? `[value="${one.value}"]` : ""}`;
  const fold = one.closest("details[id]");
  return fold ? `#${CSS.escape(fold.id)} summary` : "";
}

// Give the focus back to a place.
export function restoreFocus(place) {
  if (!place) return;
  const part = document.getElementById(place.part);
  const same = place.selector && ($(place.selector, part) || (part.matches(place.selector) ? part : null));
  (same || $("#ask")).focus({ preventScroll: true });
}
