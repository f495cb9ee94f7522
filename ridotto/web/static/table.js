// The page of a table, or of a step of a lesson. The rules are not here: everything is drawn on the server. The page sends what
// was chosen, puts in what comes back, keeps the focus, and shows what would happen.

import { createBeats } from "./beats.js";
import { initConnection } from "./connection.js";
import { bindControls, initControls } from "./controls.js";
import { focusedPlace, restoreFocus } from "./focus.js";
import { addToLog, initLog } from "./log.js";
import { announce } from "./messages.js";
import { $, $$, body } from "./page.js";
import { createQuestion } from "./question.js";
import { isStill } from "./settings.js";
import { createTooltip } from "./tooltip.js";

// Bring the page of a table to life.
export function initTable({ transport, board }) {
  const table = { ply: Number(body.dataset.ply), number: body.dataset.state }; // the state that is shown
  bindControls();
  const beats = createBeats({ transport, board, update, hasActed: () => question.hasActed() });
  if (body.dataset.table) beats.start();
  initLog();
  const tooltip = createTooltip({ transport, board });
  const question = createQuestion({ transport, board, beats, tooltip, table, update });
  const { drafts } = question;
  initControls();
  // In a lesson nothing happens by itself.
  if (body.dataset.table) board.ready.then(() => initConnection({ transport, beats, table }));

  // Show a change of the table, or of what the reader may see of it.
  function update(change, isSeen = true) {
    const hasMoved = change.ply !== table.ply || Boolean(change.beat); // parts of one entry are seen one after another
    const isOwn = hasMoved && question.isWaiting() && !drafts.isEmpty; // it is on the board already
    const isAnswer = question.isAfterSent(change.ply);
    const glides = isSeen && hasMoved && !isStill() && !document.hidden && !isOwn;
    const focus = focusedPlace();
    drafts.layAside();
    setState(change);
    if (hasMoved) tooltip.forget();
    if (hasMoved || change.scene) tooltip.hide();
    const scrolled = $("#log").scrollTop;
    replaceParts(change);
    if (change.scene) board.apply(change.scene, change.moves, glides);
    for (const one of change.log ?? []) addToLog(one);
    $("#log").scrollTop = hasMoved ? 0 : scrolled;
    bindControls();
    restoreFocus(focus);
    if (change.heading) document.title = change.heading;
    document.dispatchEvent(new CustomEvent("moment", { detail: change }));
    if (hasMoved) announce(change.announcement, isAnswer);
    question.settle();
    if (isOwn) drafts.drop();
    // A draft waits until the reader is asked again.
    if (!drafts.isEmpty && !question.isWaiting() && $("#ask .asking")) drafts.renew(hasMoved);
    else if (hasMoved && !$("#ask [data-sheet]")) $("#sheet")?.close();
  }

  function setState({ ply, number }) {
    body.dataset.ply = table.ply = ply;
    if (number !== undefined) body.dataset.state = table.number = number;
  }
}

// Put in the parts of the page that change. What was unfolded stays so.
function replaceParts({ parts, people }) {
  const open = new Map($$("#main details[id]").map((one) => [one.id, one.open]));
  for (const [id, html] of Object.entries(parts ?? {})) {
    const part = document.getElementById(id);
    if (part) part.innerHTML = html;
  }
  for (const [place, html] of Object.entries(people ?? {})) $("#people > ul").children[place].outerHTML = html;
  for (const [id, wasOpen] of open) {
    const fold = document.getElementById(id);
    if (fold) fold.open = wasOpen;
  }
}
