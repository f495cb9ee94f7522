// Composing an answer part by part. A form of class `picker` has a row of keys for each part, and a button (data-pick) for each
// whole answer: of all buttons, the one for what is chosen is shown. The same parts can be chosen on the board (data-part).

import { $, $$ } from "./page.js";

const SOON = 300; // milliseconds after a pointer in which a change is its doing

// The value chosen for a part; a box that is not ticked has the value of its data-else.
function chosen(form, name) {
  const field = form.elements[name];
  return field.type === "checkbox" && !field.checked ? field.dataset.else : field.value;
}

const isCounted = (form, name) => Boolean($(`fieldset[data-counts] [name="${CSS.escape(name)}"]`, form));

// Show what is chosen. A button has the values that it stands for, in the order of the parts, "*" for any.
function update(form) {
  const names = [...new Set($$("[name]", form).map((one) => one.name))];
  const values = names.map((name) => chosen(form, name));
  let isWhole = false;
  for (const button of $$("[data-pick]", form)) {
    const is = button.dataset.pick.split(" ").every((value, at) => value === "*" || value === values[at]);
    button.classList.toggle("chosen-pick", is);
    isWhole ||= is;
  }
  form.classList.toggle("ready", isWhole);
  for (const part of $$("#board [data-part]")) {
    const [name, value] = part.dataset.part.split("=");
    const now = names.includes(name) ? chosen(form, name) : "";
    const is = isCounted(form, name) ? Number(now) >= Number(value) : now === value;
    part.classList.toggle("chosen", is);
    part.setAttribute("aria-pressed", is);
  }
}

// Choose a part on the board: one that counts is one more, or this one less; a box is ticked or not.
function choose(part) {
  const form = $("#ask .picker");
  const [name, value] = part.dataset.part.split("=");
  const field = form?.elements[name];
  if (!field) return;
  if (field.type === "checkbox") field.checked = !field.checked;
  else if (field.type === "hidden") return;
  else if (isCounted(form, name) && Number(field.value) >= Number(value)) field.value = String(Number(value) - 1);
  else field.value = value;
  update(form);
  giveAtOnce(form);
}

// Where a touch makes the answer whole, it is given at once: there is a way back.
function giveAtOnce(form) {
  if ("atOnce" in form.dataset) $(".chosen-pick", form)?.click();
}

// Bring the forms of a fresh part of a page to life.
export function bindPickers() {
  for (const form of $$(".picker")) {
    form.classList.add("live");
    update(form);
  }
}

// Attend to the forms of a page, and to the parts on its board.
export function initPickers() {
  document.addEventListener("click", (event) => {
    const part = event.target.closest("#board [data-part]");
    if (part) choose(part);
  });
  document.addEventListener("keydown", (event) => {
    const part = event.target.closest?.("#board [data-part]");
    if (part && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(part);
    }
  });

  // Whoever goes through the keys with the arrows has not chosen yet.
  let touched = -Infinity;
  document.addEventListener("pointerup", () => (touched = performance.now()));
  document.addEventListener("change", (event) => {
    const form = event.target.closest(".picker");
    if (!form) return;
    update(form);
    if (performance.now() - touched < SOON) giveAtOnce(form);
  });
}
