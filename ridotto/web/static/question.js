// The question: what the reader decides, by a click, a tap, Enter or Space on anything that stands for an action, is sent to the
// table or added to a draft. Until what was sent is seen on the page, nothing else can be done.

import { createDrafts } from "./drafts.js";
import { showToast } from "./messages.js";
import { $, body, here, nonce } from "./page.js";
import { confirming } from "./settings.js";
import { openSheet } from "./sheet.js";

// The question of a table. `update` shows a change on the page.
export function createQuestion({ transport, board, beats, tooltip, table, update }) {
  let sent = null; // at which ply something was sent that is not seen yet, and whether it is done
  const drafts = createDrafts({ transport, board, beats, tooltip, table, act });

  function decide(target) {
    const { do: action, ahead } = target.dataset;
    if (drafts.review && !sent) return drafts.review.then(() => decide(target));
    if (sent || body.classList.contains("busy")) return false;
    const isAtOnce = !body.dataset.table || (confirming() === "never" && drafts.isEmpty && action);
    return isAtOnce ? act(action ?? ahead) : drafts.add({ ...target.dataset, closes: isClosing(target) });
  }

  // Whether an answer is one of those that end a turn, such as to stop: beside the question they have a place of their own.
  const isClosing = (target) => Boolean(target.dataset.do && $(`#ask .stop [data-do="${CSS.escape(target.dataset.do)}"]`));

  async function act(action) {
    if (sent) return false;
    tooltip.hide();
    sent = { at: Math.max(table.ply, beats.latest), isDone: false };
    body.classList.add("busy");
    const { ok, status, data, header } = await transport.postJson(`${here}/act`, { do: action, ply: sent.at, nonce });
    if (status === 200) return showStep(data);
    sent.isDone = ok;
    if (ok) document.dispatchEvent(new CustomEvent("acted"));
    if (ok) sent.at = Number(header("ply") ?? sent.at + 1) - 1; // what others did meanwhile is not what was sent
    settle(!ok);
    if (!ok) showToast(data?.message || body.dataset.failed, data?.section);
    return ok;
  }

  // A lesson answers at once, with the parts that change.
  function showStep(change) {
    update(change);
    settle(true);
    $(".lesson-next")?.focus();
    return true;
  }

  // Let the reader go on once what was sent is seen, or has failed.
  function settle(hasFailed = false) {
    if (!sent || !(hasFailed || (sent.isDone && table.ply > sent.at))) return;
    sent = null;
    body.classList.remove("busy");
    if (hasFailed && !drafts.isEmpty && !drafts.isShown) drafts.renew();
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do], [data-ahead]");
    if (target) return decide(target);
    const confirm = event.target.closest("[data-confirm]");
    if (confirm) return act(confirm.dataset.confirm);
    if (event.target.closest("[data-undraft]")) return drafts.undo();
    const opener = event.target.closest("[data-sheet]");
    if (opener) openSheet(opener, { transport, decide });
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target.closest?.("g[data-do], g[data-ahead]");
    if (target && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      decide(target);
    }
  });

  return {
    drafts, settle,
    isWaiting: () => sent !== null,
    // Whether a ply is after what was sent.
    isAfterSent: (ply) => sent !== null && ply > sent.at,
    // Whether what was sent is not on the board yet.
    hasActed: () => sent !== null && table.ply <= sent.at,
  };
}
