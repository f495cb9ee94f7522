// What a reader has chosen in this browser, and the boxes in which they choose it.

import { $$ } from "./page.js";

// The value that was stored under a name, or null.
export function stored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

// Store a value; whether the browser lets us.
export function store(name, value) {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

// Whether nothing on the page may move.
export const isStill = () => document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

// When a decision waits for a confirmation: "every" time, for "turns" of several decisions, or "never".
export const confirming = () => ({ on: "every", every: "every", never: "never" })[stored("confirm")] ?? "turns";

// The value that goes with the reader's pace.
export const byPace = (values) => values[stored("pace")] ?? values.normal;

// Which moments get the stage: "all", "counts" and results alone, or "none".
export const stages = () => stored("stages") ?? "all";

// Check boxes and rows of buttons that store what is chosen.
export function initSettings() {
  for (const box of $$("[data-setting]")) {
    box.checked = (stored(box.dataset.setting) ?? box.dataset.usual) === "on";
    box.addEventListener("change", () => store(box.dataset.setting, box.checked ? "on" : "off"));
  }
  for (const choice of $$("[data-choice]")) {
    const name = choice.dataset.choice;
    const update = () => {
      for (const button of $$("button", choice)) button.setAttribute("aria-pressed", button.value === (stored(name) ?? choice.dataset.usual));
    };
    choice.addEventListener("click", (event) => {
      if (event.target.value) store(name, event.target.value);
      update();
    });
    update();
  }
}
