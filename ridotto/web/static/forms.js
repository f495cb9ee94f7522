// Forms: how strong a bot is at a table of so many, and small forms that do not leave the page.

import { $$, body } from "./page.js";
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
  });

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
