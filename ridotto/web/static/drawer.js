// Beside the table: the rulebook at the § that matters, a hint, and why something cannot be done. One drawer holds all three;
// on a narrow screen it is a sheet over the board.

import { sectionLink } from "./messages.js";
import { $, $$, body, create, draftQuery, here } from "./page.js";

const WIDE = matchMedia("(min-width: 1160px)");
const MARGIN = 12; // pixels above a heading that is turned to

// What is too wide for its place can be moved with the arrow keys.
export function makeScrollable(inside) {
  for (const one of $$("pre, table", inside)) if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
}

// Attend to the drawer of a page.
export function initDrawer(transport) {
  const beside = $("#beside");
  if (!beside) return;
  const inside = $("#beside-body");
  const words = beside.dataset;
  let kind = ""; // of what the drawer shows: "rules", "ledger", "hint" or "cannot"
  let opener = null; // where the focus goes back to
  let turn = 0; // answers to older questions are not shown

  // Opening and closing.

  function open(content, from, title) {
    if (!beside.open) opener = from;
    kind = content;
    turn += 1;
    $("#beside-title").textContent = title;
    $("#beside-page").hidden = kind !== "rules";
    $("#beside-status").textContent = "";
    unmark();
    if (!beside.open && WIDE.matches) beside.show();
    else if (!beside.open) beside.showModal();
    body.classList.add("with-beside");
    body.classList.toggle("asking-why", kind === "cannot");
  }

  function close() {
    if (beside.open) beside.close();
  }

  beside.addEventListener("close", () => {
    turn += 1;
    kind = "";
    unmark();
    unname();
    body.classList.remove("with-beside", "asking-why");
    inside.replaceChildren();
    // What opened it may have been drawn anew meanwhile.
    const from = opener?.isConnected ? opener : document.getElementById(opener?.id ?? "");
    (from ?? $("#ask")).focus({ preventScroll: true });
    opener = null;
  });
  beside.addEventListener("click", (event) => (event.target.closest(".beside-close") || event.target === beside) && close());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && beside.open && !$("#sheet[open]")) {
      event.preventDefault();
      close();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const rule = event.target.closest('a[href^="/rules/"]:not(#beside-page)');
    const within = event.target.closest('#beside-body a[href^="#s-"]');
    const aid = event.target.closest("[data-aid]");
    const ledger = event.target.closest("a[data-ledger]");
    if (ledger) {
      event.preventDefault();
      list(ledger);
    } else if (rule) {
      event.preventDefault();
      read(rule.hash.slice(1), rule);
    } else if (within) {
      event.preventDefault();
      turnTo(within.hash.slice(1));
    } else if (aid?.dataset.aid === "hint") hint(aid);
    else if (aid?.dataset.aid === "cannot") cannot(aid);
    else if (event.target.closest("#beside [data-do]") && !WIDE.matches) close();
  });

  // The ledger: the rounds of the match, as they are now. Its cells lead to their moments.

  async function list(from) {
    open("ledger", from, words.sayLedger);
    const now = turn;
    const { ok, data } = await transport.getText(from.getAttribute("href"));
    if (now !== turn) return;
    const page = ok && data !== null ? new DOMParser().parseFromString(data, "text/html") : null;
    if (!page) return void (inside.textContent = words.sayFailed);
    inside.replaceChildren(document.importNode($(".ledger", page), true));
    $("#beside-title").focus({ preventScroll: true });
    inside.scrollTop = inside.scrollHeight; // the latest round
  }

  // The rulebook, in the language of the page. It is fetched once.

  let book = null;
  async function read(anchor, from) {
    open("rules", from, words.sayRules);
    const now = turn;
    const address = `/rules/${document.documentElement.lang}/${body.dataset.game}`;
    $("#beside-page").href = anchor ? `${address}#${anchor}` : address;
    if (!book) {
      const { ok, data } = await transport.getText(address);
      if (ok && data !== null) book ??= new DOMParser().parseFromString(data, "text/html");
    }
    if (now !== turn) return;
    if (!book) return void (inside.textContent = words.sayFailed);
    const contents = create("details", { className: "beside-contents" });
    contents.append(create("summary", { textContent: words.sayContents }));
    contents.append(document.importNode($(".contents", book), true));
    const text = document.importNode($(".rulebook", book), true);
    for (const heading of $$("[id]", text)) heading.tabIndex = -1;
    inside.replaceChildren(contents, text);
    makeScrollable(inside);
    turnTo(anchor);
  }

  function turnTo(anchor) {
    const heading = anchor && document.getElementById(anchor);
    if (!heading) return $("#beside-title").focus({ preventScroll: true });
    for (const one of $$(".here", inside)) one.classList.remove("here");
    heading.classList.add("here");
    $(".beside-contents", inside).open = false;
    inside.scrollTop += heading.getBoundingClientRect().top - inside.getBoundingClientRect().top - MARGIN;
    heading.focus({ preventScroll: true });
    $("#beside-page").href = $("#beside-page").href.replace(/(#.*)?$/, `#${anchor}`);
  }

  // A hint: what a bot would do, thought about longer with every look; the actions are marked on the board.

  async function hint(from) {
    open("hint", from, words.sayHint);
    const now = turn;
    inside.replaceChildren(create("p", { textContent: words.sayThinking, className: "note" }));
    $("#beside-title").focus({ preventScroll: true });
    for (let look = 1, done = false; !done; look += 1) {
      const answer = (await transport.getJson(`${here}/hint?look=${look}${draftQuery()}`)).data ?? {};
      if (now !== turn) return;
      if (!answer.html) return void (inside.textContent = answer.message || words.sayFailed);
      done = answer.done;
      const focused = inside.contains(document.activeElement) && document.activeElement.dataset.do;
      inside.innerHTML = answer.html;
      if (focused) $(`[data-do="${CSS.escape(focused)}"]`, inside)?.focus({ preventScroll: true });
      mark(answer.actions);
      if (done) $("#beside-status").textContent = answer.announcement;
    }
  }

  function mark(actions) {
    unmark();
    actions.forEach((action, at) => {
      for (const one of $$(`#main [data-do="${CSS.escape(action)}"]`)) one.classList.add("advised", `advised-${at + 1}`);
    });
  }

  function unmark() {
    for (const one of $$(".advised")) one.classList.remove("advised", "advised-1", "advised-2", "advised-3");
  }

  // Why not: what cannot be done, and why; meanwhile everything on the board can be reached with the Tab key and asked about.

  async function cannot(from, isAgain = false) {
    open("cannot", from, words.sayCannot);
    const now = turn;
    const answer = (await transport.getJson(`${here}/cannot${draftQuery("?")}`)).data ?? {};
    if (now !== turn) return;
    if (!answer.html) return void (inside.textContent = answer.message || words.sayFailed);
    inside.innerHTML = answer.html;
    for (const one of $$("#board [data-ask]")) {
      one.setAttribute("tabindex", "0");
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", words.sayWhy.replace("{what}", answer.names[one.dataset.ask] ?? one.dataset.ask));
    }
    if (!isAgain) $("#beside-title").focus({ preventScroll: true });
  }

  function unname() {
    for (const one of $$("#board [data-ask]")) for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
  }

  async function ask(target) {
    const answer = (await transport.getJson(`${here}/why?do=${encodeURIComponent(target.dataset.ask)}${draftQuery()}`)).data ?? {};
    const box = $("#asked-why");
    if (!box || !answer.message) return;
    const reason = create("p", { textContent: answer.message });
    if (answer.section) reason.append(" ", sectionLink(answer.section));
    box.replaceChildren(reason);
    if (answer.nearest) {
      const near = create("p", { textContent: `${words.sayNear} ` });
      const button = create("button", { type: "button", className: "button", textContent: answer.nearest.label });
      button.dataset.do = answer.nearest.do;
      near.append(button);
      box.append(near);
    }
  }
  document.addEventListener("click", (event) => {
    const target = kind === "cannot" && event.target.closest("#board [data-ask]");
    if (target) ask(target);
  });
  document.addEventListener("keydown", (event) => {
    const target = kind === "cannot" && event.target.closest?.("#board g[data-ask]");
    if (target && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      ask(target);
    }
  });

  // When the table goes on, what was said about it is old.
  let at = body.dataset.ply + draftQuery();
  new MutationObserver(() => {
    const now = body.dataset.ply + draftQuery();
    if (at === now) return;
    at = now;
    if (kind === "hint") close();
    else if (kind === "cannot" && $("#aid-why")) cannot($("#aid-why"), true);
    else if (kind === "cannot") close();
  }).observe(body, { attributeFilter: ["data-ply", "data-draft"] });
}
