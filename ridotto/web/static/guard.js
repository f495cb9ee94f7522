// A fresh question: where the last click fell, it takes none for a moment; if it has one answer, that is given after a while.

import { $, $$, body } from "./page.js";
import { stored } from "./settings.js";

const GUARD = 600; // milliseconds
const NEAR = 48; // pixels
const READ = 900; // milliseconds that a question with one answer is shown
const ANSWERS = "#main :is([data-do], [data-ahead], [data-part], [data-confirm])";

// Watch the question of a page.
export function initGuard() {
  const ask = $("#ask");
  if (!ask) return;
  let answers = ""; // a question is known by its answers
  let fresh = -GUARD;
  let last = null; // where the last click fell
  let timer = 0;

  function onChange() {
    const now = $$("#ask [data-do], #ask [data-confirm]").map((one) => one.dataset.do ?? one.dataset.confirm).join("\n");
    if (now === answers) return;
    answers = now;
    fresh = performance.now();
    answerSingle();
  }

  // A question with one answer is answered, after it was seen, unless the reader would rather do it.
  function answerSingle() {
    clearTimeout(timer);
    const single = $("[data-single]", ask)?.dataset.single;
    if (!single || !body.dataset.table || (stored("single") ?? "on") !== "on") return;
    timer = setTimeout(() => {
      const button = $(`[data-do="${CSS.escape(single)}"]`, ask);
      if (document.hidden || !button || $("[data-single]", ask)?.dataset.single !== single) return;
      button.dataset.alone = "";
      button.click();
    }, READ);
  }

  onChange();
  fresh = -GUARD;
  new MutationObserver(onChange).observe(ask, { childList: true, subtree: true });
  document.addEventListener("click", (event) => {
    if (!event.detail) return; // a key is no click
    const isNear = last && Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR;
    if (isNear && performance.now() - fresh < GUARD && event.target.closest(ANSWERS)) {
      event.stopImmediatePropagation();
      return event.preventDefault();
    }
    last = { x: event.clientX, y: event.clientY };
  }, true);
}
