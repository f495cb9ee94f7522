// Where everything stands on a page with a board. On a wide page all of it is seen without scrolling: what has happened, the
// question and the log are a column at the right, and the board is as large as the window allows. Where what the question needs
// would be too small to read, it comes first, and what it does not need folds to a row of titles that open again. On a window
// that is too narrow for a column, the question stands above the board; on a phone the board comes to the question.
//
// Nothing is written into the elements of the page: the places are rules of a sheet of styles.

import { arrange, placesOf } from "./columns.js";
import { body, create } from "./page.js";
import { isStill } from "./settings.js";

const TARGETS = "[data-do], [data-part], [data-ahead]";
const LEAST_TEXT = 12; // pixels, of what the question needs
const LEAST_LOG = [200, 120]; // pixels
const ASIDE = 960; // from so many pixels on, the question is a column beside the board
const VIEWS = 36; // pixels, of the row of titles
const LOWEST = 400; // a window that is lower scrolls
const SMALLEST = .6; // of its width
const FINGER = 38; // pixels

// Lay out the page of a table, whenever something came or went.
export function initLayout() {
  const board = document.getElementById("board");
  if (!board) return;
  const floor = board.parentElement;
  const ask = document.getElementById("ask");
  const log = document.getElementById("log");
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const views = create("nav", { id: "views", hidden: true });
  views.setAttribute("aria-label", document.getElementById("jumps")?.getAttribute("aria-label") ?? "");
  floor.append(views);

  const narrow = matchMedia("(max-width: 699px)"); // a phone, which has a layout of its own
  const root = document.documentElement;

  let opened = new Set(); // groups that the reader has opened for this question
  let question = "";
  let lately = new Set(); // the names of the panels that the last question needed
  let leastColumn = 200; // below which a column is of no use
  let isOver = false; // whether the match is

  // What there is. The question needs what can be chosen, but for a second place to stop at, and what the game names with it.

  function panes() {
    const named = new Set((ask.querySelector("[data-needs]")?.dataset.needs ?? "").split(" "));
    const stops = new Set([...ask.querySelectorAll(".stop [data-do]")].map((one) => one.dataset.do));
    return [...board.querySelectorAll(".pane")].map((pane) => {
      const svg = pane.querySelector(":scope > svg");
      const { width, height } = svg.viewBox.baseVal;
      const name = pane.id.slice("pane-".length);
      const place = Number(/place-(\d+)/.exec(pane.className)?.[1] ?? 0);
      const isFolded = pane.matches("details:not([open])");
      const head = pane.querySelector(":scope > summary")?.offsetHeight ?? 0;
      const isNeeded = named.has(name) || [...pane.querySelectorAll(TARGETS)].some((one) => !stops.has(one.dataset.do));
      return { id: pane.id, name, group: name.split("-")[0], place, width, title: pane.querySelector("h3").textContent, svg,
        ratio: isFolded ? 0 : height / width, head, isNeeded };
    });
  }

  // The width from which on everything that is written in a panel is read without a glass.
  function least(pane) {
    const scale = pane.svg.getScreenCTM()?.a || 1;
    const texts = [...pane.svg.querySelectorAll("text")].filter((text) => text.getClientRects().length && text.textContent.trim());
    const sizes = texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a || scale) / scale);
    return Math.ceil(pane.width * LEAST_TEXT / Math.min(30, ...sizes));
  }

  // What stands above the board, or in the column beside it: the question, and what stands with it.
  const rows = () => [...floor.children].filter((one) => one !== board && one !== log && one !== views && !one.matches(".unseen") && one.getClientRects().length);

  const grows = (one) => one !== ask || getComputedStyle(ask).getPropertyValue("--grows").trim() === "yes";

  // How tall rows are that are so wide.
  function heightsOf(list, wide) {
    for (const one of list) one.style.cssText = `width: ${wide}px; ${grows(one) ? "height: auto;" : ""}`;
    const heights = list.map((one) => one.offsetHeight);
    for (const one of list) one.removeAttribute("style");
    return heights;
  }

  // The board alone in a space; in the middle, if it does not fill it.
  function place(columns, space, gap) {
    const made = arrange(columns, { width: space.w, height: space.h, gap, leastColumn, isOver });
    const used = made.widths.reduce((sum, one) => sum + one, 0) + gap * (made.widths.length - 1);
    return { ...made, used, places: placesOf(made.columns, made.widths, space.x + Math.max(0, (space.w - used) / 2), space.y, gap) };
  }

  // The question is a column at the right: what has happened, the question, the log.
  function layOutAside(columns, width, tall, gap) {
    const side = Math.round(Math.min(380, Math.max(236, width * .205)));
    const left = width - side;
    const isHidden = (made) => made.places.length < columns.flat().length;
    let made = place(columns, { x: 0, y: 0, w: left - gap, h: tall }, gap);
    if (isHidden(made) || opened.size) made = place(columns, { x: 0, y: 0, w: left - gap, h: tall - VIEWS - gap }, gap);
    const boxes = [];
    let down = 0;
    const news = document.getElementById("news");
    if (news) {
      boxes.push({ id: "news", x: left + floor.offsetLeft, y: floor.offsetTop, w: side, h: Math.round(Math.max(132, tall * .24)) });
      down = boxes[0].h + gap;
    }
    for (const one of rows()) {
      const high = grows(one) ? Math.min(heightsOf([one], side)[0], tall - down) : Math.round(tall * .5);
      boxes.push({ id: one.id, x: left, y: down, w: side, h: high });
      down += high + gap;
    }
    const logged = tall - down >= LEAST_LOG[1] ? { x: left, y: down, w: side, h: tall - down } : null;
    return { places: made.places, boxes, logged, down, right: side + gap };
  }

  // The question stands above the board.
  function layOutAbove(columns, width, tall, gap) {
    const compute = (tall) => {
      const heights = heightsOf(rows(), width);
      const below = heights.reduce((sum, one) => sum + one + gap, 0);
      const space = { x: 0, y: below, w: width, h: Math.max(LOWEST / 2, tall - below) };
      const aside = opened.has("log") ? LEAST_LOG[0] + gap : 0;
      const made = place(columns, { ...space, w: width - aside }, gap);
      let logged = aside ? { x: width - aside + gap, y: below, w: aside - gap, h: space.h } : null;
      made.columns.forEach((column, at) => {
        const { x, w } = made.places.find((one) => one.pane === column[0]);
        const end = column.reduce((sum, one) => sum + one.ratio * made.widths[at] + one.head + gap, 0);
        const free = space.h - end;
        if (!aside && w >= LEAST_LOG[0] && free >= LEAST_LOG[1] && free * w > (logged ? logged.h * logged.w : 0)) logged = { x, y: below + end, w, h: free };
      });
      let down = 0;
      const boxes = rows().map((one, at) => {
        const box = { id: one.id, x: 0, y: down, w: width };
        down += heights[at] + gap;
        return box;
      });
      return { places: made.places, boxes, logged, down };
    };
    const made = compute(tall);
    return made.places.length < columns.flat().length || !made.logged || opened.size ? compute(tall - VIEWS - gap) : made;
  }

  let last = "";
  function layOut() {
    if (narrow.matches) return layOutPhone();
    const isAside = root.clientWidth >= ASIDE;
    settle(root.classList.contains("aside") === isAside ? last : "", true, isAside);
    const style = getComputedStyle(floor);
    const gap = parseFloat(style.getPropertyValue("--gap")) || 10;
    leastColumn = parseFloat(style.getPropertyValue("--least-column")) || 200;
    const width = floor.clientWidth;
    const top = floor.getBoundingClientRect().top + scrollY;
    const tall = Math.max(LOWEST, root.clientHeight - top - 8);
    const all = panes();
    const byId = new Map(all.map((one) => [one.id, one]));
    isOver = Boolean(document.querySelector("#result h2"));
    if (question !== body.dataset.ply + ask.querySelector("h2")?.textContent) {
      question = body.dataset.ply + ask.querySelector("h2")?.textContent;
      opened = new Set();
    }
    // While others decide, everything stays where the last question had it.
    if (all.some((one) => one.isNeeded)) lately = new Set(all.filter((one) => one.isNeeded).map((one) => one.name));
    else for (const one of all) one.isNeeded = lately.has(one.name);
    if (opened.size) for (const one of all) one.isNeeded = opened.has(one.group);
    for (const one of all) one.least = least(one);
    for (const one of all) one.least = Math.max(...all.filter((other) => other.group === one.group).map((other) => other.least));
    const columns = [...board.querySelectorAll(":scope > .column")].map((column) => [...column.children].map((pane) => byId.get(pane.id)).filter(Boolean));
    const rules = [];
    const put = ({ id, x, y, w, h }) => rules.push(`#${CSS.escape(id)} { left: ${x.toFixed(1)}px; top: ${y.toFixed(1)}px; width: ${w.toFixed(1)}px;${h === undefined ? "" : ` height: ${h.toFixed(1)}px;`} }`);
    const made = (isAside ? layOutAside : layOutAbove)(columns, width, tall, gap);
    for (const one of [...made.boxes, ...made.places]) if (one.id) put(one);
    const hidden = all.filter((one) => !made.places.some((place) => place.pane === one));
    for (const one of hidden) rules.push(`#${CSS.escape(one.id)} { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`);
    if (made.logged) put({ id: "log", ...made.logged });
    else rules.push("#log { display: none; }");
    const titles = new Map();
    for (const one of hidden) if (!titles.has(one.group)) titles.set(one.group, all.filter((other) => other.group === one.group && hidden.includes(other)).map((other) => other.title).join(" · "));
    for (const one of opened) if (!titles.has(one)) titles.set(one, one === "log" ? log.getAttribute("aria-label") : all.find((other) => other.group === one)?.title ?? one);
    if (!made.logged) titles.set("log", log.getAttribute("aria-label"));
    const bottom = Math.max(made.down, ...made.places.map((one) => one.y + one.h), made.logged ? made.logged.y + made.logged.h : 0);
    rules.push(`.hall-floor { height: ${(titles.size ? Math.max(tall, bottom) : bottom).toFixed(1)}px; }`);
    rules.push(`#views { right: ${made.right ?? 0}px; }`);
    offer(titles);
    settle(`.table-page { ${rules.map((one) => `& ${one}`).join("\n")} }`, true, isAside);
  }

  function settle(text, isFitted, isAside = false) {
    root.classList.toggle("fitted", isFitted);
    root.classList.toggle("aside", isAside);
    root.classList.toggle("above", isFitted && !isAside);
    if (text !== last) sheet.replaceSync((last = text));
  }

  // The row of titles.
  function offer(titles) {
    views.hidden = !titles.size;
    const wanted = [...titles].map(([group, title]) => `${group}|${title}|${opened.has(group)}`).join("\n");
    if (views.dataset.shown === wanted) return;
    views.dataset.shown = wanted;
    const focus = document.activeElement?.dataset?.view;
    views.replaceChildren(...[...titles].map(([group, title]) => {
      const button = create("button", { type: "button", className: "view", textContent: title });
      button.dataset.view = group;
      button.setAttribute("aria-pressed", opened.has(group));
      return button;
    }));
    if (focus) views.querySelector(`[data-view="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }
  views.addEventListener("click", (event) => {
    const group = event.target.closest("[data-view]")?.dataset.view;
    if (!group) return;
    const was = opened.has(group);
    opened = new Set(was ? [] : [group]);
    layOut();
  });

  // On a phone: what the question needs comes between the titles at the top and the answers under the thumb, small enough to be
  // seen whole. If everything can be touched there, the answers take one row; else they are all listed.

  const above = () => [...floor.parentElement.children].filter((one) => getComputedStyle(one).position === "sticky").reduce((sum, one) => sum + one.offsetHeight, 0);

  function layOutPhone() {
    views.hidden = true;
    const all = panes().filter((one) => one.isNeeded);
    const asked = [...ask.querySelectorAll("[data-do]")].map((one) => one.dataset.do).join("\n");
    const first = all.find((one) => one.place === Math.min(...all.map((other) => other.place)));
    let rule = "";
    root.classList.add("short-answers");
    if (first) {
      const pane = document.getElementById(first.id);
      const full = floor.clientWidth;
      const space = () => root.clientHeight - ask.offsetHeight - above() - 16;
      const targets = [...board.querySelectorAll("[data-do]")];
      const isAll = new Set(targets.map((one) => one.dataset.do)).size === new Set(asked.split("\n")).size && targets.every((one) => pane.contains(one));
      const wide = () => Math.min(full, space() / first.ratio);
      const finger = () => Math.min(...targets.map((one) => one.getBoundingClientRect()).map((one) => Math.min(one.width, one.height))) * wide() / pane.getBoundingClientRect().width;
      if (asked && !(isAll && wide() >= SMALLEST * full && finger() >= FINGER)) root.classList.remove("short-answers");
      const width = Math.max(SMALLEST * full, wide());
      if (width < full) rule = `.table-page #${CSS.escape(first.id)} { width: ${width.toFixed(1)}px; align-self: center; }`;
    }
    settle(rule, false);
    if (first && asked + body.dataset.ply !== question) {
      question = asked + body.dataset.ply;
      const begin = document.querySelector("#turning:not(:empty)") ?? document.getElementById(first.id); // where it turned stands above the board
      const top = begin.getBoundingClientRect().top + scrollY - above() - 6;
      scrollTo({ top, behavior: isStill() ? "instant" : "smooth" });
    }
  }

  // When to look again: something came or went, or the window changed.

  let soon = 0;
  const again = () => (soon ||= requestAnimationFrame(() => ((soon = 0), layOut())));
  new MutationObserver(again).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-do", "data-ahead", "viewBox", "open"] });
  new MutationObserver(again).observe(ask, { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "hidden"] });
  const turning = document.getElementById("turning");
  if (turning) new MutationObserver(again).observe(turning, { childList: true });
  new MutationObserver(again).observe(body, { attributes: true, attributeFilter: ["class"] });
  new ResizeObserver(again).observe(floor.parentElement);
  addEventListener("resize", again);
  document.fonts.ready.then(again);
  layOut();
}
