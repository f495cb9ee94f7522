// Forms: what was chosen for a new table, how strong its bots are, and small forms that do not leave the page.

import { $, $$, body } from "./page.js";
import { showToast } from "./messages.js";

// Attend to the forms of a page.
export function initForms(transport) {
  // The form of a new table: how strong a bot is depends on how many play.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.setup");
    if (!form) return;
    const seats = $$("select[name^=seat]", form).filter((one) => one.value).length;
    for (const option of $$("option[data-by-seats]", form)) {
      option.textContent = JSON.parse(option.dataset.bySeats)[seats] ?? option.textContent;
    }
    summarise(form);
  });
  for (const form of $$("form.setup")) summarise(form);

  // Small forms: what changes comes over the stream.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-quiet]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.busy) return;
    form.dataset.busy = "on";
    const data = new FormData(form);
    data.set("nonce", body.dataset.nonce);
    const answer = await transport.postForm(form.getAttribute("action"), data);
    delete form.dataset.busy;
    if (!answer.ok) showToast(answer.data?.message || body.dataset.failed);
    else if (form.matches(".talk-form")) form.reset();
  }, true);
}

// What was chosen for a new table, in one line: who plays, the clock, takebacks, and who may watch.
function summarise(form) {
  const line = $(".chosen-line", form);
  if (!line) return; // playing on from a moment: only who plays is chosen there
  const chosen = (select) => select.selectedOptions[0].textContent.trim();
  const seats = $$("select[name^=seat]", form).filter((one) => one.value).map(chosen);
  const added = Number(form.elements.added.value);
  const clock = chosen(form.elements.clock) + (form.elements.clock.value && added ? ` + ${added} s` : "");
  const takebacks = `${line.dataset.takebacks} ${chosen(form.elements.takebacks)}`;
  const watching = form.elements.private.checked ? line.dataset.private : line.dataset.public;
  line.textContent = [seats.join(", "), clock, takebacks, watching].join(" · ");
}
