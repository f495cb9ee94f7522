// The sheet: pieces change places on it, by drag and drop, by two clicks, or by the keyboard; then one button sends them all.
//
// A template beside the button that opens it (data-sheet) holds groups (data-group) of slots (data-slot) and a tray
// (data-tray) with a list of spare pieces (data-spares). A piece (data-chip) and an empty place (data-void) are buttons.
// What is composed is written as "group piece piece; group piece"; a slot that is empty is written as its data-empty says,
// or not at all. A button may fill in something composed before (data-composed), or what the server composes for a wish
// (data-wish). data-send is the verb that all is sent with, and data-worth shows what the server says of it.

import { $, $$, body, create, here, nonce } from "./page.js";

// Open the sheet of a button. `decide` sends what was composed, and answers whether that was done.
export function openSheet(opener, { transport, decide }) {
  const sheet = create("dialog", { id: "sheet" });
  sheet.setAttribute("aria-labelledby", "sheet-title");
  sheet.append(opener.nextElementSibling.content.cloneNode(true));
  sheet.onclose = () => sheet.remove();
  body.append(sheet);
  sheet.showModal();
  let held = null; // the piece that was chosen first
  let questions = 0; // asked of the server: an answer to an older one is not shown

  function hold(chip) {
    held?.setAttribute("aria-pressed", "false");
    held = chip === held ? null : chip;
    held?.setAttribute("aria-pressed", "true");
    sheet.classList.toggle("choosing", Boolean(held));
  }

  const placeOf = (one) => one.closest("[data-slot], .spare, [data-tray]");

  function addSpare(chip) {
    const place = create("li", { className: "spare" });
    place.append(chip);
    $("[data-spares]", sheet).append(place);
  }

  // Move a piece to a place; a piece that is there goes where this one was.
  function move(chip, place) {
    const from = chip.closest("[data-slot], .spare");
    if (!place || place === from) return hold(null);
    if (place.matches("[data-tray]")) {
      if (!from.matches(".spare")) addSpare(chip);
    } else {
      const other = $("[data-chip]", place);
      place.append(chip);
      if (other) from.append(other);
      else if (from.matches(".spare")) from.remove();
    }
    hold(null);
    chip.focus();
    weigh();
  }

  // What is composed, as text.
  const written = () => $$("[data-group]", sheet).map((group) => {
    const names = $$("[data-slot]", group).map((slot) => $("[data-chip]", slot)?.dataset.chip ?? slot.dataset.empty);
    return [group.dataset.group, ...names.filter(Boolean)].join(" ");
  }).join("; ");

  // Put the pieces where a text has them.
  function fill(text) {
    const chips = $$("[data-chip]", sheet);
    for (const chip of chips) chip.remove();
    for (const place of $$(".spare", sheet)) place.remove();
    for (const clause of text.split("; ")) {
      const [group, ...names] = clause.split(" ");
      const slots = $$(`[data-group="${CSS.escape(group)}"] [data-slot]`, sheet);
      names.forEach((name, at) => {
        const number = chips.findIndex((chip) => chip.dataset.chip === name);
        if (number >= 0) slots[at].append(...chips.splice(number, 1));
      });
    }
    chips.forEach(addSpare);
    weigh();
  }

  async function ask(text) {
    const { data } = await transport.postJson(`${here}/compose`, { text, draft: body.dataset.draft, nonce });
    return data ?? {};
  }

  // Show what the server says of what is composed.
  async function weigh() {
    const question = ++questions;
    const { fault, message, worth } = await ask(written());
    if (question !== questions) return;
    const wrong = fault || message;
    $("[data-worth]", sheet).replaceChildren(...(wrong ? [create("span", { className: "why", textContent: wrong })] : (worth ?? []).map(worthItem)));
    $("[data-send]", sheet).disabled = Boolean(fault);
  }

  function worthItem([number, words]) {
    const item = create("span");
    item.append(create("b", { textContent: number }), ` ${words}`);
    return item;
  }

  sheet.onclick = async (event) => {
    const chip = event.target.closest("[data-chip]");
    const button = event.target.closest("button");
    if (chip) return held && held !== chip ? move(held, placeOf(chip)) : hold(chip);
    if (button?.matches("[data-void]") && held) return move(held, placeOf(button));
    if (button?.dataset.composed) return fill(button.dataset.composed);
    if (button?.dataset.wish) {
      $("[data-send]", sheet).disabled = true; // until it is there, and weighed
      const { text } = await ask(button.dataset.wish);
      return text ? fill(text) : weigh();
    }
    if (button?.matches("[data-close]")) return sheet.close();
    if (button?.dataset.send && (await decide({ dataset: { do: `${button.dataset.send} ${written()}` } }))) sheet.close();
  };
  sheet.oncancel = (event) => {
    if (!held) return;
    event.preventDefault();
    hold(null);
  };

  // Drag and drop.
  const unmarkDrop = () => $$(".drop", sheet).forEach((one) => one.classList.remove("drop"));
  sheet.ondragstart = (event) => {
    held = null;
    hold(event.target.closest("[data-chip]"));
    event.dataTransfer.setData("text/plain", held.dataset.chip);
  };
  sheet.ondragover = (event) => {
    unmarkDrop();
    const place = placeOf(event.target);
    if (!place) return;
    event.preventDefault();
    place.classList.add("drop");
  };
  sheet.ondragend = () => {
    hold(null);
    unmarkDrop();
  };
  sheet.ondrop = (event) => {
    event.preventDefault();
    if (held) move(held, placeOf(event.target));
  };
}
