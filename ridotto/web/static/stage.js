// The stage: moments that the game is played for, large. A click shows all of it, the next one goes on.
//
// A moment of the board stands beside it: there things happen that the board shows as well. Any other moment is in front of it.
// The page behind is never ahead: it changes when the stage opens, when all of a count has been seen, or when the stage is left.

import { $, $$ } from "./page.js";
import { fly, light } from "./flights.js";
import { byPace, isStill } from "./settings.js";

const PACE = { slow: 2200 / 1200, normal: 1, fast: 500 / 1200, now: 0 };
const NEXT = 380; // milliseconds between two parts of a moment
const POINT = 140; // milliseconds between two things that count
const OPENING = 500; // milliseconds before a moment in front of the board
const BESIDE = 150; // the same for one beside it
const HASTE = 250; // milliseconds in which a click or a key was meant for something else than the stage
const COUNT = 1100; // milliseconds in which a score grows
const HELD = 1500; // milliseconds after all of a moment is seen, where it goes on by itself
const CURTAIN = 2200; // milliseconds after the last part of the end of a match
const WHOLE = 400; // milliseconds after the last part of any other moment
const WIDE = matchMedia("(min-width: 960px)"); // there it stands over the column beside the board, else at the bottom
const PARTS = ".moment-part, .moment-part > ol > li, .sums tbody :is(th, td)";

// The stage of a table. `onRaise` is called when a moment is seen, `onClose` when the last one has been.
export function createStage({ onRaise, onClose }) {
  const dialog = $("#stage");
  let opening = 0; // the timer, until the stage is seen
  let waiting = [];
  let change = null; // lets the page behind go on, once
  let hadFocus = false; // whether the focus was on the question or the board before
  let timers = [];

  // Show moments, one after another, and the change of the page that they are about.
  function present(moments, show) {
    waiting = [...moments];
    change = show;
    hadFocus ||= Boolean(document.activeElement?.closest("#ask, #board"));
    block(true);
    opening = setTimeout(raise, (waiting[0].panel ? BESIDE : OPENING) * byPace(PACE));
  }

  function showChange() {
    const show = change;
    change = null;
    show?.();
  }

  // Show the next moment now.
  function raise() {
    clearTimeout(opening);
    opening = 0;
    const { html, holds, panel, late } = waiting.shift();
    const content = $(".stage-body", dialog);
    content.innerHTML = html;
    place(panel);
    dialog.classList.remove("whole");
    const long = appear(content);
    const isEnd = Boolean($(".curtain", content));
    dialog.showModal();
    block(false);
    const raised = performance.now();
    onRaise();
    if (panel && !late) showChange();
    later(complete, long + (isEnd ? CURTAIN : WHOLE));
    if (!holds) later(close, long + HELD * byPace(PACE));
    const isHasty = () => performance.now() - raised <= HASTE;
    dialog.onclick = () => {
      if (isHasty()) return;
      if (dialog.classList.contains("whole")) close();
      else complete();
    };
    dialog.onkeydown = (event) => {
      if (isHasty()) event.preventDefault();
    };
    document.dispatchEvent(new CustomEvent("staged", { detail: { holds, isEnd } }));

    // All of it is seen, and so is what it changes on the board beside it.
    function complete() {
      dialog.classList.add("whole");
      if (panel) showChange();
    }
  }

  // Beside the board, where the panel that it is about stays in sight, or in front of it.
  function place(panel) {
    const pane = panel && document.getElementById(`pane-${panel}`);
    dialog.classList.toggle("beside", Boolean(panel));
    if (!panel) return;
    const ask = $("#ask").getBoundingClientRect();
    const news = $("#news").getBoundingClientRect();
    for (const [name, value] of Object.entries({ "--left": ask.left, "--top": Math.max(0, Math.min(news.top, ask.top)), "--wide": ask.width })) {
      dialog.style.setProperty(name, `${value}px`);
    }
    if (!WIDE.matches) pane?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // Let the parts appear one after another; what counts is lit on the board as its number appears. The time that all of it takes.
  function appear(content) {
    const isAtOnce = isStill() || !byPace(PACE);
    let at = 0;
    for (const part of $$(PARTS, content)) {
      if ($(":scope > :is(ol, table)", part)) continue;
      part.style.setProperty("--after", `${Math.round(isAtOnce ? 0 : at)}ms`);
      const points = part.dataset.points?.split("|") ?? [];
      points.forEach((point, number) => {
        const [key, text] = point.split(" ");
        light(key, isAtOnce ? 0 : at + number * POINT * byPace(PACE), dialog);
        if (!isAtOnce) fly(key, text, part.dataset.seat, at + number * POINT * byPace(PACE), dialog);
      });
      at += Math.max(points.length * POINT, part.matches(".sums *") ? POINT / 2 : NEXT) * byPace(PACE);
    }
    for (const score of $$("[data-count]", content)) if (!isAtOnce) countUp(score);
    return isAtOnce ? 0 : at;
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

  const later = (what, after) => timers.push(setTimeout(what, after));

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
      opening = 0;
    }
    if (dialog?.open) close();
    showChange();
  }

  const close = () => dialog.close();

  dialog?.addEventListener("close", () => {
    timers.forEach(clearTimeout);
    timers = [];
    if (waiting.length) return raise();
    showChange();
    refocus();
    onClose();
  });

  return {
    present, raise, clear,
    get isOpening() { return Boolean(opening); },
    get isBusy() { return Boolean(opening) || Boolean(dialog?.open) || waiting.length > 0 || change !== null; },
  };
}
