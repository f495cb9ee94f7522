// Beats: what happens at a table is shown one thing after another, each for long enough to be read, and nothing is left out.
// Messages come in as they come; what they tell waits here in a queue of frames until it is shown. A frame is a beat, or a part
// of one, with what it changes; the last frame of a message brings the parts of the page. Somebody may also look at the past,
// without leaving the table: meanwhile the queue waits.
"use strict";

const beats = (() => {
  const HOLDS = { slow: 2200, normal: 1200, fast: 500, now: 0 }; // milliseconds that a beat of one line is held
  const PART = 0.45; // of that, for a part of a beat that goes on
  const LINE = 0.3; // of that, for each further line
  const MOST = 3; // times that, however much there is to read
  const NEXT = 380; // milliseconds between two parts of a moment
  const OPENING = 700; // milliseconds before a moment in which the board is seen
  const HASTE = 250; // milliseconds in which a click was meant for something else than the stage
  const LATE = 1500; // milliseconds for which the space bar still skips, after there is nothing to skip

  const one = (selector) => document.querySelector(selector);
  const body = document.body;
  const kept = () => {
    try { return localStorage.getItem("pace"); } catch { return null; }
  };
  const hold = () => HOLDS[kept()] ?? HOLDS.normal;

  let put = null; // shows a change: what table.js gives
  let still = null; // whether nothing may move
  let hasActed = null; // whether the reader has done something that is not shown yet
  let address = "";
  const queue = [];
  let shown = Number(body.dataset.ply); // how many entries of the match the board shows
  let latest = shown; // how many have been received
  let timed = false; // whether a clock of the reader's runs
  let timer = 0;
  let changed = 0; // when the board last went on
  let last = { at: 0, lines: 0 }; // the frame that was shown last: when, and how many lines it told

  function start(given) {
    ({ put, still, hasActed, address } = given);
    document.addEventListener("visibilitychange", next);
    document.addEventListener("click", clicked);
    document.addEventListener("keydown", pressed);
    stage()?.addEventListener("close", closed);
    tell();
  }

  // The queue.

  function receive(change) {
    const frames = [...(change.steps ?? []), change];
    for (const frame of frames) {
      frame.plies = frame.ply - latest;
      latest = frame.ply;
      if (frame !== change) frame.announcement = words(frame.beat.lines);
      queue.push(frame);
    }
    timed = Boolean(change.turn && one(".person.you .clock"));
    if (document.hidden && change.heading) document.title = change.heading;
    document.dispatchEvent(new CustomEvent("received", { detail: change }));
    if (hurried() && (opening || stage()?.open)) return catchUp();
    next();
  }

  const hurried = () => timed || hold() === 0;

  function next() {
    clearTimeout(timer);
    while (queue.length && past === null && !opening && !stage()?.open && (!document.hidden || hurried())) {
      const hurry = hurried();
      const rest = hurry || !queue[0].beat?.lines || hasActed() ? 0 : due(queue[0]) - performance.now();
      if (rest > 0) {
        timer = setTimeout(next, rest);
        break;
      }
      show(queue.shift(), hurry);
    }
    tell();
  }

  function due(frame) {
    const long = last.lines ? Math.min(MOST, 1 + LINE * (last.lines - 1)) : 0;
    return last.at + hold() * long * (frame.beat?.on ? PART : 1);
  }

  function show(frame, hurry) {
    const { beat } = frame;
    const acted = hasActed();
    shown = frame.ply;
    changed = performance.now();
    put(frame, !hurry || !queue.length);
    if (!beat) return;
    if (frame.parts?.since === undefined) note(beat);
    if (acted) picture.unmark();
    else if (frame.scene && !frame.scene.whole) picture.mark(frame.scene, frame.moves ?? []);
    if (beat.lines) last = { at: performance.now(), lines: beat.lines.split("<li").length - 1 };
    document.dispatchEvent(new CustomEvent("beat", { detail: { first: frame.ply - frame.plies, ply: frame.ply, on: Boolean(beat.on), hurry } }));
    if (beat.moments && !hurry) present(beat.moments);
  }

  // The list of what is news to the reader: what was told just now stands out.
  function note(beat) {
    const list = one("#since");
    if (!beat.on) for (const line of list.querySelectorAll(".just")) line.classList.remove("just");
    for (const line of list.querySelectorAll("li")) if (Number(line.dataset.ply) < beat.recent) line.remove();
    const made = document.createElement("template");
    made.innerHTML = beat.lines;
    for (const line of made.content.children) line.classList.add("just");
    list.append(made.content);
    list.scrollTop = list.scrollHeight;
  }

  function words(lines) {
    const made = document.createElement("template");
    made.innerHTML = lines;
    return [...made.content.children].map((line) => line.textContent).join(" ");
  }

  // A click beside everything else, or the space bar, goes on at once; "now" shows all that is waiting.

  function skip() {
    if (opening) return raise();
    last = { at: 0, lines: 0 };
    next();
  }

  function catchUp() {
    present.waiting = [];
    clearTimeout(opening);
    if (opening) wait(false), refocus();
    opening = 0;
    if (stage()?.open) close();
    leave();
    while (queue.length) show(queue.shift(), true);
    tell();
  }

  const ACTIVE = "a, button, input, select, textarea, summary, label, dialog, [data-do], [data-part], [data-ahead], [data-sheet], #log, #news, .bar";

  function clicked(event) {
    const button = event.target.closest("[data-reel]");
    if (button) return ({ back: () => step(-1), on: () => step(1), now: catchUp, watch })[button.dataset.reel]();
    const line = event.target.closest("#since [data-ply], #then [data-ply], #log [data-line]");
    if (line && !event.target.closest("a")) return look(Number(line.dataset.ply ?? line.dataset.line));
    if ((queue.length || opening) && !event.target.closest(ACTIVE)) skip();
  }

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const busy = event.target.closest?.("input, select, textarea, summary, dialog, [role=slider]");
    if (busy) return;
    if (event.key === " " && (queue.length || opening || performance.now() - changed < LATE) && !event.target.closest?.("a, button, [data-do], [data-part], [data-ahead]")) {
      event.preventDefault(); // also a key that comes a moment too late: it was not meant to scroll
      skip();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      step(event.key === "ArrowLeft" ? -1 : 1);
    } else if (event.key === "Escape" && past !== null) {
      leave();
      next();
    }
  }

  // The past: scenes of earlier entries, as the reader saw them. The board as it is now is laid aside meanwhile.

  let past = null; // the entry that is looked at
  let watching = 0;
  const scenes = new Map();

  function scene(entry) {
    if (!scenes.has(entry)) {
      const asked = fetch(`${address}/replay/scene?ply=${entry}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      scenes.set(entry, asked);
      asked.then((told) => told || scenes.delete(entry));
    }
    return scenes.get(entry);
  }

  async function look(entry) {
    clearTimeout(watching);
    if (entry >= shown - 1) return leave(), next();
    const told = await scene(entry);
    if (!told) return;
    if (past === null) picture.leave();
    past = entry;
    body.classList.add("past");
    one("#ask").inert = true;
    picture.apply(told.scene, told.moves ?? [], !still());
    const list = one("#then");
    list.replaceChildren(...told.lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    one("#announce").textContent = told.lines.join(" ");
    tell();
  }

  function leave() {
    clearTimeout(watching);
    if (past === null) return;
    past = null;
    picture.back();
    body.classList.remove("past");
    one("#ask").inert = false;
    last = { at: performance.now(), lines: 1 };
  }

  async function step(by) {
    clearTimeout(watching);
    if (past === null && by > 0) return skip();
    const told = await scene(past ?? shown - 1);
    const to = by < 0 ? told?.before : told?.after;
    if (to !== undefined && to !== null) await look(to);
    else if (by > 0) leave(), next();
  }

  // Everything since the reader's last turn, once more.
  async function watch() {
    const first = Number(one("#since [data-ply]")?.dataset.ply ?? shown - 1);
    await look(first);
    go();
  }

  function go() {
    if (past === null) return;
    watching = setTimeout(async () => {
      await step(1);
      go();
    }, hold() || HOLDS.fast);
  }

  // How far behind the table one is.
  function tell() {
    const reel = one("#reel");
    if (!reel) return;
    const at = past === null ? shown : past + 1;
    const plies = new Set([...document.querySelectorAll("#since [data-ply]")].map((line) => line.dataset.ply));
    const behind = latest - at;
    const part = (name) => reel.querySelector(`[data-reel=${name}]`);
    reel.querySelector(".lag").hidden = !behind;
    reel.querySelector(".lag b").textContent = behind;
    Object.assign(one("#news progress"), { max: latest, value: at });
    part("now").hidden = !behind;
    part("watch").hidden = Boolean(behind) || plies.size < 2;
    part("back").disabled = at <= 1;
    part("on").disabled = !behind;
    one("#then").hidden = past === null;
    one("#since").hidden = past !== null;
    body.classList.toggle("behind", behind > 0 || Boolean(opening) || present.waiting.length > 0);
  }

  // Moments: what the game is played for, large. A click shows all of it, the next one goes on. While the board is seen for a
  // moment before, nothing on it can be answered: a key meant for the question would close the stage unread.

  const stage = () => one("#stage");
  let opening = 0; // until the stage is seen
  present.waiting = [];

  let isFocused = false; // whether the focus was on the question or the board before

  function present(moments) {
    present.waiting = [...moments];
    isFocused ||= Boolean(document.activeElement?.closest("#ask, #board"));
    wait(true);
    opening = setTimeout(raise, OPENING * (hold() / HOLDS.normal));
  }

  function wait(is) {
    for (const part of ["#ask", "#board"]) one(part).inert = is;
  }

  // The question has the focus again that it had.
  function refocus() {
    if (isFocused) one("#ask").focus({ preventScroll: true });
    isFocused = false;
  }

  function raise() {
    clearTimeout(opening);
    opening = 0;
    const { html, holds } = present.waiting.shift();
    const dialog = stage();
    const shows = dialog.querySelector(".stage-body");
    shows.innerHTML = html;
    const parts = [...shows.querySelectorAll(".moment-part, .moment-part > ol > li")];
    const steps = parts.filter((part) => !part.querySelector(":scope > ol"));
    const pace = still() ? 0 : NEXT * (hold() / HOLDS.normal);
    steps.forEach((part, at) => part.style.setProperty("--after", `${Math.round(at * pace)}ms`));
    dialog.classList.toggle("whole", !pace);
    for (const score of shows.querySelectorAll("[data-count]")) if (pace) countUp(score);
    dialog.showModal();
    wait(false);
    const seen = performance.now();
    tell();
    clearTimeout(raise.timer);
    clearTimeout(raise.whole);
    raise.whole = setTimeout(() => dialog.classList.add("whole"), steps.length * pace + (shows.querySelector(".curtain") ? 2200 : 400));
    if (!holds) raise.timer = setTimeout(close, steps.length * pace + 2 * hold());
    dialog.onclick = () => performance.now() - seen > HASTE && (dialog.classList.contains("whole") ? close() : dialog.classList.add("whole"));
    document.dispatchEvent(new CustomEvent("staged", { detail: { holds, isEnd: Boolean(shows.querySelector(".curtain")) } }));
  }

  // A score grows to what it is, once its line is there.
  function countUp(score) {
    const end = Number(score.dataset.count.replace("−", "-"));
    const start = performance.now() + parseFloat(score.closest("li").style.getPropertyValue("--after"));
    const tick = () => {
      const part = Math.min(1, Math.max(0, (performance.now() - start) / 1100));
      score.textContent = part < 1 ? Math.round(end * part) : score.dataset.count;
      if (part < 1 && stage().open && !stage().classList.contains("whole")) requestAnimationFrame(tick);
      else score.textContent = score.dataset.count;
    };
    if (score.dataset.count) tick();
  }

  function close() {
    stage().close();
  }

  function closed() {
    clearTimeout(raise.timer);
    if (present.waiting.length) return raise();
    refocus();
    last = { at: 0, lines: 0 };
    next();
  }

  return {
    start, receive, catchUp,
    get latest() { return latest; },
    get waiting() { return queue; },
  };
})();
