// Beats: what happens at a table is shown one thing after another, each for long enough to be read, and nothing is left out.
// Messages wait here in a queue of frames until they are shown. A frame is a beat, or a part of one, with all that it changes on
// the page: nothing is ahead of it. While the stage is open, or the reader looks at the past, the queue waits.

import { $, $$, body, parseHtml } from "./page.js";
import { gatherNews } from "./news.js";
import { createPast } from "./past.js";
import { byPace, stages } from "./settings.js";
import { createStage } from "./stage.js";

const HOLDS = { slow: 2200, normal: 1200, fast: 500, now: 0 }; // milliseconds that a beat of one line is held
const PART = 0.36; // of that, for a part of a beat that goes on
const LATE = 1500; // milliseconds for which the space bar still skips, after there is nothing to skip
const ACTIVE = "a, button, input, select, textarea, summary, label, dialog, [data-do], [data-part], [data-ahead], [data-sheet], #log, #news, .bar";

// The queue of a table. `update` shows a frame on the page; `hasActed` says whether the reader has done something that is not
// shown yet.
export function createBeats({ transport, board, update, hasActed }) {
  const queue = [];
  let ply = Number(body.dataset.ply); // how many entries of the match the board shows
  let latest = ply; // how many have been received
  let isTimed = false; // whether a clock of the reader's runs
  let timer = 0;
  let changed = 0; // when the board last went on
  let last = { at: 0, hold: 0 }; // the frame that is to be read: when it was shown, and how long it is held, in beats of one line
  const stage = createStage({ onRaise: updateReel, onClose: forgetLast });
  const past = createPast({
    transport, board, beats: { next, skip, updateReel, pause, get ply() { return ply; } },
  });

  // Attend to the keys and clicks that go through the match.
  function start() {
    document.addEventListener("visibilitychange", next);
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", onKey);
    gatherNews($("#since"));
    updateReel();
  }

  // Take in a message of the server.
  function receive(change) {
    for (const frame of [...(change.steps ?? []), change]) {
      frame.plies = frame.ply - latest;
      latest = frame.ply;
      if (frame !== change) frame.announcement = textOf(frame.beat.lines);
      queue.push(frame);
    }
    isTimed = Boolean(change.turn && $(".person.you .clock"));
    if (document.hidden && change.heading) document.title = change.heading;
    document.dispatchEvent(new CustomEvent("received", { detail: change }));
    if (isTimed && stage.isBusy) return catchUp();
    next();
  }

  const isHurried = () => isTimed || byPace(HOLDS) === 0;

  // Show what is due, and wait for the rest.
  function next() {
    clearTimeout(timer);
    while (queue.length && past.entry === null && !stage.isBusy && (!document.hidden || isHurried())) {
      const [frame] = queue;
      const hurry = isHurried();
      const rest = hurry || !frame.beat?.hold || hasActed() ? 0 : due(frame) - performance.now();
      if (rest > 0) {
        timer = setTimeout(next, rest);
        break;
      }
      const moments = isTimed ? [] : (frame.beat?.moments ?? []).filter(isStaged);
      if (moments.length) stage.present(moments, () => show(frame, hurry));
      else show(frame, hurry);
    }
    updateReel();
  }

  // Counts and results are on the stage also where beats are shown at once; the other moments go by with the beats.
  const isStaged = ({ holds }) => stages() !== "none" && (holds || (stages() === "all" && byPace(HOLDS) > 0));

  const due = (frame) => last.at + byPace(HOLDS) * last.hold * (frame.beat.on ? PART : 1);

  // Show the first frame of the queue.
  function show(frame, hurry) {
    const { beat } = frame;
    const isOwn = hasActed();
    queue.shift();
    ply = frame.ply;
    changed = performance.now();
    update(frame, !hurry || !queue.length);
    if (frame.parts?.since !== undefined) gatherNews($("#since"));
    if (beat) {
      if (frame.parts?.since === undefined) addNews(beat);
      if (!queue.length && $("#ask .asking")) $("#since").scrollTop = 0; // whoever is asked reads it from the top
      if (isOwn) board.unmark();
      else if (frame.scene && !frame.scene.whole) board.mark(frame.scene, frame.moves ?? []);
      if (beat.hold) last = { at: performance.now(), hold: beat.hold };
      document.dispatchEvent(new CustomEvent("beat", { detail: { first: frame.ply - frame.plies, ply: frame.ply, part: Boolean(beat.part), hurry } }));
    }
    updateReel();
  }

  // The list of what is news to the reader: what is just being shown stands out.
  function addNews(beat) {
    const list = $("#since");
    if (!beat.on) for (const line of $$(".just", list)) line.classList.remove("just");
    for (const line of $$("li", list)) if (Number(line.dataset.ply) < beat.recent) line.remove();
    const lines = parseHtml(beat.lines);
    for (const line of lines.children) line.classList.add("just");
    list.append(lines);
    gatherNews(list);
    const newest = $$(".just", list).at(-1);
    if (newest) list.scrollTop = newest.offsetTop + newest.offsetHeight - list.offsetTop - list.clientHeight;
  }

  const textOf = (html) => [...parseHtml(html).children].map((line) => line.textContent).join(" ");

  // A click beside everything else, or the space bar, goes on at once.
  function skip() {
    if (stage.isOpening) return stage.raise();
    forgetLast();
  }

  function forgetLast() {
    last = { at: 0, hold: 0 };
    next();
  }

  // Back at the table, the board is seen for as long as a line takes to read.
  function pause() {
    last = { at: performance.now(), hold: 1 };
  }

  // Show everything that is waiting.
  function catchUp() {
    stage.clear();
    past.leave();
    while (queue.length) show(queue[0], true);
    updateReel();
  }

  function onClick(event) {
    const button = event.target.closest("[data-reel]");
    if (button) return ({ back: () => past.step(-1), on: () => past.step(1), now: catchUp, watch: past.watch })[button.dataset.reel]();
    const moment = event.target.closest("#beside [data-moment]");
    if (moment && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      return past.open(Number(moment.dataset.moment));
    }
    const line = event.target.closest("#since [data-ply], #then [data-ply], #log [data-line]");
    if (line && !event.target.closest("a")) return past.open(Number(line.dataset.ply ?? line.dataset.line));
    if (queue.length && !event.target.closest(ACTIVE)) skip();
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, select, textarea, summary, dialog, [role=slider]")) return;
    const skips = queue.length || performance.now() - changed < LATE;
    if (event.key === " " && skips && !event.target.closest?.("a, button, [data-do], [data-part], [data-ahead]")) {
      event.preventDefault(); // also a key that comes a moment too late: it was not meant to scroll
      skip();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      past.step(event.key === "ArrowLeft" ? -1 : 1);
    } else if (event.key === "Escape" && past.entry !== null) {
      past.leave();
      next();
    }
  }

  // Show how far behind the table the reader is.
  function updateReel() {
    const reel = $("#reel");
    if (!reel) return;
    const at = past.entry === null ? ply : past.entry + 1;
    const behind = latest - at;
    const plies = new Set($$("#since [data-ply]").map((line) => line.dataset.ply));
    const button = (name) => $(`[data-reel=${name}]`, reel);
    $(".lag", reel).hidden = !behind;
    $(".lag b", reel).textContent = behind;
    Object.assign($("#news progress"), { max: latest, value: at });
    button("now").hidden = !behind;
    button("watch").hidden = Boolean(behind) || plies.size < 2;
    button("back").disabled = at <= 1;
    button("on").disabled = !behind;
    $("#then").hidden = past.entry === null;
    $("#since").hidden = past.entry !== null;
    body.classList.toggle("behind", queue.length > 0 || past.entry !== null || stage.isBusy);
  }

  return {
    start, receive, catchUp,
    get latest() { return latest; },
    get waiting() { return queue; },
  };
}
