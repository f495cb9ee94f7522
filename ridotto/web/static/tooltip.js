// Pointing at something: what it is, then what would happen, or why it cannot. The answers are kept until the table goes on.

import { $, $$, create, draftQuery, here } from "./page.js";

const DELAYS = { pointer: 300, focus: 300, finger: 450, tap: 60 }; // milliseconds
const MARGIN = 8; // pixels
const TARGETS = "#main :is([data-do], [data-part], [data-ahead], [data-confirm])";

// The tooltip of a table.
export function createTooltip({ transport, board }) {
  let target = null; // what is being pointed at
  let title = null; // its title, and the words of it: the browser does not say them a second time
  let timer = 0;
  const answers = new Map(); // of the server, by address
  let undo = null; // the board without what would change
  let outlined = []; // drawings that show what would change

  function point(event, delay) {
    const item = event.target.closest?.("#board [data-key]:has(> title)");
    const pointed = event.target.closest?.("#main [data-do], #main [data-ahead], #main [data-ask]") ?? item;
    const element = item && $(":scope > title", item);
    if (pointed === target && element === (title?.element ?? null)) return;
    hide();
    if (!pointed) return;
    target = pointed;
    if (element) {
      title = { element, words: element.textContent };
      element.textContent = "";
    }
    timer = setTimeout(() => explain(pointed), delay);
  }

  async function explain(pointed) {
    const { do: action, ahead, ask } = pointed.dataset;
    const name = title?.words;
    if (ahead) return show(pointed, [name, pointed.getAttribute("aria-label") ?? pointed.textContent].filter(Boolean));
    if (action === undefined && ask === undefined) return show(pointed, [name]);
    const address = `${here}/${action ? "preview" : "why"}?do=${encodeURIComponent(action ?? ask)}${draftQuery()}`;
    if (!answers.has(address)) answers.set(address, transport.getJson(address).then(({ ok, data }) => (ok && data) || {}));
    const answer = await answers.get(address);
    if (pointed !== target) return;
    if (answer.message) show(pointed, [name || answer.what, answer.message].filter(Boolean), answer.section, answer.nearest);
    else if (name || answer.lines?.length) show(pointed, [name, ...(answer.lines ?? [])].filter(Boolean));
    if (answer.there) preview(answer);
  }

  // What would change on the board, for as long as something is pointed at.
  function preview({ there, back }) {
    const keys = [...(there.items ?? []), ...(back.items ?? [])].map((one) => one.key);
    if (keys.some((key) => board.find(key)?.contains(target))) return;
    undo = back;
    board.apply(there);
    outlined = [...new Set(keys.map((key) => board.find(key)?.ownerSVGElement).filter(Boolean))];
    for (const drawing of outlined) drawing.classList.add("would-be");
  }

  function show(pointed, lines, section, nearest) {
    const box = $("#tip");
    box.replaceChildren(...lines.map((textContent) => create("div", { textContent })));
    if (section) box.lastChild.append(` (§${section})`);
    box.lastChild.classList.toggle("why", section !== undefined);
    if (nearest) {
      box.append(create("div", { textContent: `${$("#beside").dataset.sayNear} ${nearest.label}` }));
      for (const one of $$(`[data-do="${CSS.escape(nearest.do)}"]`)) one.classList.add("nearest");
    }
    pointed.setAttribute("aria-describedby", "tip");
    box.hidden = false;
    const { x, y } = placeBeside(pointed, box.getBoundingClientRect());
    box.style.left = `${x}px`;
    box.style.top = `${y}px`;
  }

  // A place for the tooltip that lies on nothing that can be chosen: beside all answers, or else where it covers the fewest.
  function placeBeside(pointed, { width, height }) {
    const at = pointed.getBoundingClientRect();
    const ask = $("#ask").getBoundingClientRect();
    const targets = $$(TARGETS).map((one) => one.getBoundingClientRect()).filter((one) => one.width);
    const [middle, level] = [at.left + at.width / 2 - width / 2, at.top + at.height / 2 - height / 2];
    const within = ([x, y]) => ({ x: Math.max(MARGIN, Math.min(innerWidth - width - MARGIN, x)), y: Math.max(MARGIN, Math.min(innerHeight - height - MARGIN, y)) });
    const ways = [[middle, at.bottom + MARGIN], [middle, at.top - height - MARGIN], [at.right + MARGIN, level], [at.left - width - MARGIN, level],
      [ask.left - width - MARGIN, level], [middle, ask.top - height - MARGIN], [ask.left - width - MARGIN, ask.bottom - height]].map(within);
    const covered = ({ x, y }) => targets.filter((one) => one.left < x + width && one.right > x && one.top < y + height && one.bottom > y).length;
    return ways.map((way) => [covered(way), way]).reduce((best, one) => (one[0] < best[0] ? one : best))[1];
  }

  // Point at nothing.
  function hide() {
    clearTimeout(timer);
    target = null;
    if (title) title.element.textContent = title.words;
    title = null;
    $("#tip").hidden = true;
    for (const one of $$("[aria-describedby=tip]")) one.removeAttribute("aria-describedby");
    for (const one of $$(".nearest")) one.classList.remove("nearest");
    if (undo) board.apply(undo);
    undo = null;
    for (const drawing of outlined.splice(0)) drawing.classList.remove("would-be");
  }

  // The table has gone on: what the server has answered holds no longer.
  const forget = () => answers.clear();

  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && point(event, DELAYS.pointer));
  document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(event, DELAYS.focus));
  document.addEventListener("focusout", hide);
  // A finger that rests looks; on something that cannot be done, a tap is enough.
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    point(event, event.target.closest("[data-do], [data-ahead], [data-part]") ? DELAYS.finger : DELAYS.tap);
  });
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-do], [data-ahead], [data-ask]") && event.preventDefault());
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", () => target?.matches(":focus") || hide(), { passive: true });

  return { hide, forget };
}
