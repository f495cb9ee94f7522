// The picture of a table as data. The server sends what changes: items by their keys, each with its look, its place and the
// action that it stands for. The board puts them in, so that the page is as if it had just been loaded, and lets things move.
// The same attributes are written by `ridotto/present/scene.py` for the first picture.

import { compose } from "./composition.js";
import { $, body, parseHtml } from "./page.js";

const GLIDE = 420; // milliseconds
const LARGE = 90; // units of a drawing, from which on something is not a piece
const PASSING = ["can", "nearest", "advised", "advised-1", "advised-2", "advised-3", "highlighted", "chosen", "moved", "drafted"]; // classes that come and go
const SVG = "http://www.w3.org/2000/svg";
const RETRY = 2000; // milliseconds

// The board of a page: items by their keys, and what can be done with them.
export function createBoard(transport) {
  const looks = new Map(); // what a look consists of, by its name
  const items = new Map(); // elements by key
  const board = document.getElementById("board");
  if (board) index();
  let composed = {}; // the compositions of the board
  const sent = board && $("#places", board);
  if (sent) {
    arrange(JSON.parse(sent.value));
    sent.remove();
  }

  function index() {
    items.clear();
    for (const one of board.querySelectorAll("[data-key]")) items.set(one.dataset.key, one);
  }

  // Looks that come again and again are not sent with what changes: they are in the file of the board, which browsers keep.
  const ready = loadLooks();
  async function loadLooks() {
    const { looks: address } = body.dataset;
    while (address) {
      const { ok, data } = await transport.getText(address);
      const file = ok && data ? data : "";
      const defs = parseSvg(file.slice(file.indexOf("<defs>")).replace(/<\/svg>\s*$/, ""))[0];
      for (const one of defs?.children ?? []) looks.set(one.dataset.look, [...one.childNodes]);
      if (looks.size) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  const isItem = (node) => node.nodeType === 1 && node.hasAttribute("data-key");
  const drawing = (name) => document.getElementById(`pane-${name}`)?.querySelector(":scope > svg");
  const find = (key) => items.get(key);

  // Apply a scene, or a difference. `moves` are pairs of keys: something went from the place of one to that of the other.
  function apply(scene, moves = [], glides = false) {
    const before = glides ? places(scene, moves) : null;
    if (scene.panels) frame(scene);
    for (const [name, text] of Object.entries(scene.looks ?? {})) looks.set(name, parseSvg(text));
    const gone = scene.whole ? [...items.keys()].filter((key) => !scene.items?.some((one) => one.key === key)) : scene.gone ?? [];
    for (const one of scene.items ?? []) put(scene.whole ? complete(one) : one);
    for (const key of gone) {
      items.get(key)?.remove();
      items.delete(key);
    }
    if (scene.panels) sort(scene.panels);
    if (scene.places) arrange(scene.places);
    for (const key of marked) items.get(key)?.classList.add("moved");
    if (before) glide(before, scene, moves);
  }

  const parseSvg = (text) => [...parseHtml(`<svg>${text}</svg>`).firstChild.childNodes];

  // What a whole scene does not say of an item, it has not.
  const complete = (one) => ({ look: "", at: "", class: "", title: "", do: "", part: "", ahead: "", label: "", ask: "", ...one });

  // Panels: their titles and sizes, and those that are new.
  function frame(scene) {
    for (const { html } of scene.panes ?? []) {
      const fresh = parseHtml(html).firstElementChild;
      if (!document.getElementById(fresh.id)) board.append(fresh);
    }
    for (const [name, title, width, height] of scene.panels) {
      const pane = document.getElementById(`pane-${name}`);
      if (!pane) continue;
      for (const one of pane.querySelectorAll(":scope > h3, :scope > summary")) if (one.textContent !== title) one.textContent = title;
      const svg = drawing(name);
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("aria-label", title);
    }
  }

  // These panels in their order, and no others.
  function sort(panels) {
    const wanted = panels.map(([name]) => document.getElementById(`pane-${name}`)).filter(Boolean);
    const present = [...board.querySelectorAll(":scope > .pane")];
    if (wanted.length !== present.length || wanted.some((one, at) => one !== present[at])) board.replaceChildren(...wanted);
  }

  // The places of the panels.
  function arrange(compositions) {
    composed = compositions;
    compose(composed);
  }

  // Put an item in, or change it.
  function put(one) {
    let node = items.get(one.key);
    if (!node) {
      node = document.createElementNS(SVG, "g");
      node.dataset.key = one.key;
      items.set(one.key, node);
    }
    if (one.look !== undefined && one.look !== (node.dataset.look ?? "")) setLook(node, one.look);
    if (one.title !== undefined) setTitle(node, one.title);
    if (one.at !== undefined) set(node, "transform", one.at);
    if (one.do !== undefined) set(node, "data-do", one.do);
    if (one.part !== undefined) set(node, "data-part", one.part);
    if (one.ahead !== undefined) set(node, "data-ahead", one.ahead);
    const can = node.dataset.do || node.dataset.part || node.dataset.ahead;
    set(node, "role", can && "button");
    set(node, "tabindex", can && "0");
    if (one.label !== undefined) set(node, "aria-label", one.label);
    if (one.ask !== undefined) set(node, "data-ask", one.ask);
    const own = one.class === undefined ? [...node.classList].filter((name) => !PASSING.includes(name)) : one.class.split(" ");
    set(node, "class", [...own.filter(Boolean), ...(can ? ["can"] : [])].join(" "));
    if (node.dataset.ahead) set(node, "aria-pressed", String(own.includes("noted")));
    else if (!node.dataset.part) node.removeAttribute("aria-pressed");
    if (one.after !== undefined) {
      const parent = one.in === undefined ? node.parentNode : items.get(one.in) ?? drawing(one.in);
      const next = one.after ? items.get(one.after).nextSibling : [...parent.childNodes].find((child) => isItem(child) && child !== node);
      if (next !== node) parent.insertBefore(node, next ?? null);
    }
  }

  function set(node, name, value) {
    if (value) node.setAttribute(name, value);
    else node.removeAttribute(name);
  }

  // Give an item another look. The one before is kept: it may come again.
  function setLook(node, look) {
    const old = [...node.childNodes].filter((child) => !isItem(child) && child.nodeName !== "title");
    const was = node.dataset.look;
    if (was && !looks.has(was)) looks.set(was, old.map((child) => child.cloneNode(true)));
    const fresh = look ? (looks.get(look) ?? learnLook(look)).map((child) => child.cloneNode(true)) : [];
    for (const child of old) child.remove();
    set(node, "data-look", look);
    const title = node.firstChild?.nodeName === "title" ? node.firstChild : null;
    if (title) title.after(...fresh);
    else node.prepend(...fresh);
  }

  // A look that the server knows to be on the board already is copied from there.
  function learnLook(look) {
    const drawn = [...board.querySelector(`[data-look="${look}"]`).childNodes].filter((child) => !isItem(child) && child.nodeName !== "title");
    looks.set(look, drawn.map((child) => child.cloneNode(true)));
    return looks.get(look);
  }

  function setTitle(node, title) {
    let own = node.firstChild?.nodeName === "title" ? node.firstChild : null;
    if (!title) return own?.remove();
    if (!own) node.prepend((own = document.createElementNS(SVG, "title")));
    own.textContent = title;
  }

  // Movement: whatever is somewhere else than before glides there; what is new appears.

  // The centres of everything that may be moved.
  function places(scene, moves) {
    const centres = new Map();
    const note = (key) => items.has(key) && centres.set(key, centre(items.get(key)));
    for (const one of scene.items ?? []) if (one.at !== undefined || one.in !== undefined) note(one.key);
    for (const [start] of moves) note(start);
    return centres;
  }

  function centre(one) {
    const pane = one.closest(".pane");
    const [at, from] = [one.getBoundingClientRect(), pane.getBoundingClientRect()];
    return { pane: pane.id, x: at.left + at.width / 2, y: at.top + at.height / 2, left: from.left, top: from.top };
  }

  function glide(before, scene, moves) {
    const starts = new Map(moves.map(([start, end]) => [end, before.get(start)]));
    const ends = new Set([...(scene.items ?? []).map((one) => one.key).filter((key) => before.has(key)), ...starts.keys()]);
    for (const key of ends) {
      const one = items.get(key);
      const was = starts.get(key) ?? before.get(key);
      if (!one || !was) continue;
      const is = centre(one);
      // A panel that has moved as a whole takes its items with it.
      const same = was.pane === is.pane;
      const x = was.x - is.x - (same ? was.left - is.left : 0);
      const y = was.y - is.y - (same ? was.top - is.top : 0);
      if (Math.abs(x) + Math.abs(y) < 4) continue;
      const scale = one.parentNode.getScreenCTM?.()?.a || 1;
      const svg = one.ownerSVGElement;
      svg.classList.add("gliding");
      one.animate([{ transform: `translate(${x / scale}px, ${y / scale}px)` }, { transform: "translate(0px, 0px)" }],
        { duration: GLIDE, easing: "cubic-bezier(.3, .9, .3, 1)", composite: "add" })
        .finished.finally(() => {
          svg.classList.remove("gliding");
          if (!svg.classList.length) svg.removeAttribute("class");
        });
    }
    for (const one of scene.items ?? []) {
      if (one.after === undefined || one.in === undefined || before.has(one.key) || starts.has(one.key)) continue;
      items.get(one.key)?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE });
    }
  }

  // Traces: whatever others moved or laid down is marked until the reader acts.

  const marked = new Set();

  function mark(scene, moves) {
    const moved = (scene.items ?? []).filter((one) => items.has(one.key) && (one.at !== undefined || one.in !== undefined));
    for (const one of moved) if (one.title || items.get(one.key).firstChild?.nodeName === "title") marked.add(one.key);
    for (const [, end] of moves) marked.add(end);
    for (const key of marked) if (!isSmall(items.get(key))) marked.delete(key);
    for (const key of marked) items.get(key)?.classList.add("moved");
  }

  // A piece, not a card or a row: those say themselves that they are new.
  function isSmall(one) {
    const { width, height } = one?.getBBox() ?? {};
    return width < LARGE && height < LARGE;
  }

  // What a draft brings somewhere: a piece that is new there, not what makes room for it, nor what can be chosen next.
  function glow(scene) {
    for (const { key, at, in: parent } of scene.items ?? []) {
      const one = items.get(key);
      const isMoved = parent !== undefined || (at !== undefined && one.parentNode === one.ownerSVGElement);
      if (isMoved && one.firstChild?.nodeName === "title" && !one.matches(".can")) one.classList.add("drafted");
    }
  }

  function unmark() {
    for (const key of marked) {
      const one = items.get(key);
      one?.classList.remove("moved");
      if (one && !one.classList.length) one.removeAttribute("class");
    }
    marked.clear();
  }

  // While somebody looks at the past, the board as it is now is laid aside.

  let aside = null;

  function layAside() {
    aside = { nodes: [...board.childNodes], items: new Map(items), composed };
    board.replaceChildren(...aside.nodes.map((node) => node.cloneNode(true)));
    index();
  }

  function putBack() {
    board.replaceChildren(...aside.nodes);
    items.clear();
    for (const [key, one] of aside.items) items.set(key, one);
    arrange(aside.composed);
    aside = null;
  }

  return { ready, apply, find, glow, mark, unmark, layAside, putBack };
}
