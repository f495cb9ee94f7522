// Controls of a table that do nothing at the table itself: sharing, the best moves, answers and panels that fold.

import { $$, body } from "./page.js";
import { bindPickers } from "./picker.js";
import { store, stored } from "./settings.js";

// Bring the controls of fresh parts of a page to life, in the state in which they were left.
export function bindControls() {
  for (const button of $$("[data-share]")) button.hidden = !navigator.share;
  for (const button of $$("[data-fold]")) button.setAttribute("aria-expanded", !body.classList.contains("folds"));
  for (const button of $$("[data-hinting]")) button.setAttribute("aria-pressed", body.classList.contains("hinting"));
  for (const pane of $$("details.pane")) if (stored(pane.id) === "off") pane.open = false;
  bindPickers();
}

// Attend to what folds, and to what is shown on demand.
export function initControls() {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-hinting]")) body.classList.toggle("hinting");
    else if (event.target.closest("[data-fold]")) body.classList.toggle("folds");
    else return;
    bindControls();
  });
  document.addEventListener("toggle", ({ target }) => target.matches("details.pane") && store(target.id, target.open ? "on" : "off"), true);
}
