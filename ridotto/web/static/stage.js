// The stage: moments that the game is played for, large. A click shows all of it, the next one goes on. While the board is seen
// for a moment before, nothing on it can be answered: a key meant for the question would close the stage unread.

import { $, $$ } from "./page.js";
import { byPace, isStill } from "./settings.js";

const PACE = { slow: 2200 / 1200, normal: 1, fast: 500 / 1200, now: 0 };
const NEXT = 380; // milliseconds between two parts of a moment
const OPENING = 700; // milliseconds before a moment in which the board is seen
const HASTE = 250; // milliseconds in which a click was meant for something else than the stage
const COUNT = 1100; // milliseconds in which a score grows
const HELD = 2 * 1200; // milliseconds after all of a moment is seen, where it goes on by itself
const CURTAIN = 2200; // milliseconds after the last part of the end of a match
const WHOLE = 400; // milliseconds after the last part of any other moment

// The stage of a table. `onRaise` is called when a moment is seen, `onClose` when the last one has been.
export function createStage({ onRaise, onClose }) {
  const dialog = $("#stage");
  let opening = 0; // the timer, until the stage is seen
  let waiting = [];
  let hadFocus = false; // whether the focus was on the question or the board before
  let closing = 0;
  let completing = 0;

  // Show moments, one after another.
  function present(moments) {
    waiting = [...moments];
    hadFocus ||= Boolean(document.activeElement?.closest("#ask, #board"));
    block(true);
    opening = setTimeout(raise, OPENING * byPace(PACE));
  }

  // Show the next moment now.
  function raise() {
    clearTimeout(opening);
    opening = 0;
    const { html, holds } = waiting.shift();
    const content = $(".stage-body", dialog);
    content.innerHTML = html;
    const parts = $$(".moment-part, .moment-part > ol > li", content).filter((part) => !$(":scope > ol", part));
    const pace = isStill() ? 0 : NEXT * byPace(PACE);
    parts.forEach((part, at) => part.style.setProperty("--after", `${Math.round(at * pace)}ms`));
    dialog.classList.toggle("whole", !pace);
    for (const score of $$("[data-count]", content)) if (pace) countUp(score);
    const isEnd = Boolean($(".curtain", content));
    dialog.showModal();
    block(false);
    const raised = performance.now();
    onRaise();
    clearTimeout(closing);
    clearTimeout(completing);
    completing = setTimeout(() => dialog.classList.add("whole"), parts.length * pace + (isEnd ? CURTAIN : WHOLE));
    if (!holds) closing = setTimeout(close, parts.length * pace + HELD * byPace(PACE));
    dialog.onclick = () => {
      if (performance.now() - raised <= HASTE) return;
      if (dialog.classList.contains("whole")) close();
      else dialog.classList.add("whole");
    };
    document.dispatchEvent(new CustomEvent("staged", { detail: { holds, isEnd } }));
  }

  // A score grows to what it is, once its line is there.
  function countUp(score) {
    const end = Number(score.dataset.count.replace("−", "-"));
    const start = performance.now() + parseFloat(score.closest("li").style.getPropertyValue("--after"));
    const tick = () => {
      const part = Math.min(1, Math.max(0, (performance.now() - start) / COUNT));
      const isGrowing = part < 1 && dialog.open && !dialog.classList.contains("whole");
      score.textContent = part < 1 ? Math.round(end * part) : score.dataset.count;
      if (isGrowing) requestAnimationFrame(tick);
      else score.textContent = score.dataset.count;
    };
    if (score.dataset.count) tick();
  }

  function block(is) {
    for (const part of ["#ask", "#board"]) $(part).inert = is;
  }

  // The question has the focus again that it had.
  function refocus() {
    if (hadFocus) $("#ask").focus({ preventScroll: true });
    hadFocus = false;
  }

  // Leave the stage, and show none of what is waiting for it.
  function clear() {
    waiting = [];
    clearTimeout(opening);
    if (opening) {
      block(false);
      refocus();
    }
    opening = 0;
    if (dialog?.open) close();
  }

  const close = () => dialog.close();

  dialog?.addEventListener("close", () => {
    clearTimeout(closing);
    if (waiting.length) return raise();
    refocus();
    onClose();
  });

  return {
    present, raise, clear,
    get isOpening() { return Boolean(opening); },
    get isOpen() { return Boolean(dialog?.open); },
    get isWaiting() { return Boolean(opening) || waiting.length > 0; },
  };
}
