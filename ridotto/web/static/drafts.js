// Drafts: a turn of several decisions is put together on the board, in any order that the rules leave free, and confirmed once.
// What can be decided only after something else (data-ahead) waits for it. Until then nothing has happened at the table: the
// server says what the board and the question would be, and how they were.

import { restoreFocus, focusedPlace } from "./focus.js";
import { announce, showToast } from "./messages.js";
import { $, body, here, nonce } from "./page.js";
import { confirming, isStill } from "./settings.js";
import { bindControls } from "./controls.js";

// The draft at a table. `act` sends a decision that needs no draft.
export function createDrafts({ transport, board, beats, tooltip, table, act }) {
  let decisions = []; // in the order in which they were made
  let before = null; // board and question without the draft, while it is on the page
  let requests = 0; // to the server: an answer to an older one is not shown
  let review = null; // while the draft is asked for again because the table went on
  let isOwed = false; // whether the reader has had no answer yet to what they decided
  let single = new Set(); // decisions that had no alternative

  // Add a decision, or take one back that waits for another.
  function add({ do: action, ahead, closes, ...more }) {
    const decision = action ?? ahead;
    if ("alone" in more) single.add(decision);
    const base = before ? decisions : []; // a draft that waits for the table to be seen is given up
    return redraft(ahead && base.includes(ahead) ? base.filter((one) => one !== ahead) : [...base, decision], true, true, closes);
  }

  // Ask for the draft again at the table as it now is. What is pressed meanwhile waits for that.
  function renew(hasMoved) {
    const mine = (review = redraft(decisions, isOwed, hasMoved).finally(() => {
      if (review === mine) review = null;
    }));
  }

  // Ask the server for a draft. An answer that closes the turn (`closes`) confirms it as well.
  async function redraft(wanted, isAnswer = true, hasMoved = true, closes = false) {
    const request = ++requests;
    if (!wanted.length) return clear();
    tooltip.hide();
    body.classList.add("busy");
    const answer = await transport.postJson(`${here}/draft`, { do: wanted.join(", "), nonce });
    const draft = answer.data ?? {};
    if (request !== requests) return false;
    body.classList.remove("busy");
    if (answer.ok && draft.ply < table.ply) {
      // The table went on while this was on its way. Where the reader is no longer asked, the draft waits until they are again.
      decisions = wanted;
      return $("#ask .asking") ? redraft(wanted, isAnswer) : false;
    }
    if (answer.ok && draft.ply > table.ply) {
      decisions = wanted; // the table has gone on: once that is shown, the draft is asked for again
      isOwed = isAnswer;
      beats.catchUp();
      return false;
    }
    isOwed = false;
    if (!answer.ok) {
      if (!hasMoved && !isAnswer) return false; // what was good at this ply still is: the table has gone on, and we shall hear of it
      if (!before) clear();
      showToast(draft.message || body.dataset.failed, draft.section);
      return false;
    }
    if (draft.whole && (wanted.length === 1 || closes) && isAnswer && confirming() !== "every") return confirm(draft, wanted);
    show(draft, wanted, isAnswer);
    return true;
  }

  // Send what was drafted. It stays on the board until the table shows it.
  function confirm(draft, wanted) {
    if (wanted.length === 1) {
      clear();
      return act(wanted[0]);
    }
    show(draft, wanted, true);
    return act($("#ask [data-confirm]").dataset.confirm);
  }

  function show(draft, wanted, isAnswer) {
    const focus = focusedPlace();
    layAside();
    before = { board: draft.back, ask: [...$("#ask").childNodes] };
    decisions = wanted.filter((one) => draft.decisions.includes(one)); // a later one may have taken the place of another
    body.dataset.draft = decisions.join(", ");
    board.apply(draft.there, [], !isStill());
    board.glow(draft.there);
    $("#ask").innerHTML = draft.ask;
    tooltip.forget();
    bindControls();
    restoreFocus(focus);
    if (focus) $("#ask [data-confirm]")?.focus({ preventScroll: true });
    announce(draft.announcement, isAnswer);
  }

  // Show the page as it is without the draft, which is kept.
  function layAside() {
    if (!before) return;
    tooltip.hide();
    board.apply(before.board);
    $("#ask").replaceChildren(...before.ask);
    before = null;
    delete body.dataset.draft;
    tooltip.forget();
  }

  // Give up the draft.
  function clear() {
    const focus = focusedPlace();
    requests++;
    body.classList.remove("busy");
    drop();
    single = new Set();
    if (!before) return true;
    layAside();
    bindControls();
    restoreFocus(focus);
    announce($("#question")?.textContent ?? "", true);
    return true;
  }

  // Forget the decisions: they have been played.
  function drop() {
    decisions = [];
  }

  // Take the last decision back, and those before it that had no alternative.
  function undo() {
    const left = [...decisions];
    let last = left.pop();
    while (left.length && single.has(last)) last = left.pop();
    redraft(left);
  }

  return {
    add, renew, layAside, drop, undo,
    get isEmpty() { return !decisions.length; },
    get isShown() { return before !== null; },
    get review() { return review; },
  };
}
