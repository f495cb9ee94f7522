// Replays: go through a match without loading the page anew.

import { $, $$ } from "./page.js";
import { byPace } from "./settings.js";

const HOLDS = { slow: 2200, normal: 1200, fast: 500, now: 150 }; // milliseconds that a moment is held
const LINE = 160; // characters of a caption that take as long again
const MOST = 3; // times that, however much there is to read
const TOO_MANY = 429;

// Attend to the slider of a replay.
export function initReplay({ transport, board }) {
  const box = $("#scrubber");
  if (!box) return;
  const slider = $("input[type=range]", box);
  const last = Number(slider.max);
  const rounds = box.dataset.rounds.split(",").map(Number);
  const wanted = { ply: Number(slider.value), eyes: box.dataset.eyes };
  let shown = { ...wanted };
  let isBusy = false;
  let playing = 0; // the timer, while the match goes on by itself
  box.classList.add("scripted");

  const steps = {
    before: () => wanted.ply - 1,
    after: () => wanted.ply + 1,
    "round-before": () => Math.max(0, ...rounds.filter((one) => one < wanted.ply)),
    "round-after": () => Math.min(last, ...rounds.filter((one) => one > wanted.ply)),
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  box.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    const link = event.target.closest("[data-eyes]");
    if (!step && (!link || link === box)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is a new tab
    event.preventDefault();
    if (step) return go(steps[step.dataset.step]());
    wanted.eyes = link.dataset.eyes;
    go(wanted.ply);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input:not([type=range]), textarea, select, summary, dialog")) return;
    const round = event.shiftKey ? "round-" : "";
    const keys = {
      ArrowLeft: `${round}before`,
      ArrowRight: `${round}after`,
      PageUp: "round-before",
      PageDown: "round-after",
    };
    if (event.key === "Home" || event.key === "End") go(event.key === "Home" ? 0 : last);
    else if (keys[event.key]) go(steps[keys[event.key]]());
    else return;
    event.preventDefault();
  });
  window.addEventListener("popstate", transport.reload);

  // By itself: one moment after another, each for as long as the table's pace says, until the end or until somebody goes elsewhere.
  const button = $("[data-play]", box);
  const toggle = () => (playing ? stop() : play());
  button.hidden = false;
  button.addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target.closest("button, a, input, textarea, select, summary, dialog")) return;
    event.preventDefault();
    toggle();
  });

  function play() {
    if (wanted.ply >= last) go(0);
    showPlaying(true);
    playing = setTimeout(goOn, byPace(HOLDS));
  }

  async function goOn() {
    slider.value = wanted.ply += 1;
    await load();
    if (!playing) return;
    if (wanted.ply >= last) stop();
    else playing = setTimeout(goOn, byPace(HOLDS) * Math.min(MOST, 1 + ($("#caption .question")?.textContent.length ?? 0) / LINE));
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
    showPlaying(false);
  }

  function showPlaying(is) {
    button.setAttribute("aria-pressed", String(is));
    button.textContent = is ? "❚❚" : "▶";
  }

  function go(ply) {
    if (playing) stop();
    slider.value = wanted.ply = Math.min(last, Math.max(0, ply));
    load();
  }

  // One request at a time; whoever scrubs on meanwhile gets the moment where they are then.
  async function load() {
    if (isBusy) return;
    isBusy = true;
    while (wanted.ply !== shown.ply || wanted.eyes !== shown.eyes) {
      const asked = { ...wanted };
      const query = `ply=${asked.ply}&eyes=${asked.eyes}`;
      const { ok, status, data, header } = await transport.getJson(`${box.dataset.at}/moment?${query}`);
      if (ok) {
        show(data);
        shown = asked;
      } else if (status === TOO_MANY) {
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(header("retry-after") || 1)));
      } else {
        if (status) transport.go(`${box.dataset.at}?${query}`);
        break;
      }
    }
    isBusy = false;
  }

  function show({ ply, parts, scene, announcement }) {
    for (const [id, html] of Object.entries(parts)) {
      const part = document.getElementById(id);
      if (!part) continue;
      if (id === "caption") part.outerHTML = html;
      else if (part.innerHTML !== html) part.innerHTML = html;
    }
    board.apply(scene);
    $("#announce").textContent = announcement;
    for (const link of $$("a[data-eyes]", box)) {
      if (link.dataset.eyes === wanted.eyes) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      link.href = `${box.dataset.at}?ply=${ply}&eyes=${link.dataset.eyes}`;
    }
    showAddress(transport, `${box.dataset.at}?ply=${ply}&eyes=${wanted.eyes}`);
  }
}

// Write the address of a moment wherever the page has it.
function showAddress(transport, address) {
  transport.showAddress(address);
  const picture = $("[data-picture]");
  if (picture) picture.href = address.replace("/replay?", "/picture.svg?");
  for (const back of $$("input[name=back]")) back.value = address;
  const field = $(".extras .link-box input, .extras input[readonly]");
  if (field) field.value = transport.address();
  const copy = $(".extras [data-copy]");
  if (copy) copy.dataset.copy = transport.address();
}
