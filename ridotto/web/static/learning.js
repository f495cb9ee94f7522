// Beside the table: the rulebook at the § that matters, a hint, and why something cannot be done. One drawer holds all three;
// on a narrow screen it is a sheet over the board. Runs after table.js and uses its small words ($, $$, body, here).
"use strict";

// What is too wide for its place can be moved with the arrow keys.
function reachable(inside) {
  for (const one of $$("pre, table", inside)) if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
}

reachable(document);
if ($("#beside")) attendBeside();

function attendBeside() {
  const beside = $("#beside");
  const inside = $("#beside-body");
  const words = beside.dataset;
  const WIDE = matchMedia("(min-width: 1160px)");
  let kind = ""; // what the drawer shows
  let opener = null; // where the focus goes back to
  let turn = 0; // answers to older questions are not shown

  // Opening and closing.

  function open(what, from, title) {
    if (!beside.open) opener = from;
    kind = what;
    turn += 1;
    $("#beside-title").textContent = title;
    $("#beside-page").hidden = what !== "rules";
    $("#beside-status").textContent = "";
    unmark();
    if (!beside.open) WIDE.matches ? beside.show() : beside.showModal();
    body.classList.add("with-beside");
    body.classList.toggle("asking-why", what === "cannot");
  }

  function shut() {
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
    const again = opener?.isConnected ? opener : opener?.id ? document.getElementById(opener.id) : null;
    (again ?? $("#ask")).focus({ preventScroll: true });
    opener = null;
  });
  beside.addEventListener("click", (event) => (event.target.closest(".beside-close") || event.target === beside) && shut());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && beside.open && !$("#sheet[open]")) {
      event.preventDefault();
      shut();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const rule = event.target.closest('a[href^="/rules/"]:not(#beside-page)');
    const within = event.target.closest('#beside-body a[href^="#s-"]');
    const aid = event.target.closest("[data-aid]");
    if (rule) {
      event.preventDefault();
      read(rule.hash.slice(1), rule);
    } else if (within) {
      event.preventDefault();
      turnTo(within.hash.slice(1));
    } else if (aid?.dataset.aid === "hint") hint(aid);
    else if (aid?.dataset.aid === "cannot") cannot(aid);
    else if (event.target.closest("#beside [data-do]") && !WIDE.matches) shut();
  });

  // The rulebook, in the language of the page. It is fetched once.

  let book = null;
  async function read(anchor, from) {
    open("rules", from, words.sayRules);
    const now = turn;
    const where = `/rules/${document.documentElement.lang}/${body.dataset.game}`;
    $("#beside-page").href = anchor ? `${where}#${anchor}` : where;
    try {
      book ??= await fetch(where).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)))
        .then((text) => new DOMParser().parseFromString(text, "text/html"));
    } catch {
      if (now === turn) inside.textContent = words.sayFailed;
      return;
    }
    if (now !== turn) return;
    const contents = document.createElement("details");
    contents.className = "beside-contents";
    contents.append(Object.assign(document.createElement("summary"), { textContent: words.sayContents }));
    contents.append(document.importNode($(".contents", book), true));
    const text = document.importNode($(".rulebook", book), true);
    for (const heading of $$("[id]", text)) heading.tabIndex = -1;
    inside.replaceChildren(contents, text);
    reachable(inside);
    turnTo(anchor);
  }

  function turnTo(anchor) {
    const heading = anchor && document.getElementById(anchor);
    if (!heading) return $("#beside-title").focus({ preventScroll: true });
    for (const one of $$(".here", inside)) one.classList.remove("here");
    heading.classList.add("here");
    $(".beside-contents", inside).open = false;
    inside.scrollTop += heading.getBoundingClientRect().top - inside.getBoundingClientRect().top - 12;
    heading.focus({ preventScroll: true });
    $("#beside-page").href = $("#beside-page").href.replace(/(#.*)?$/, `#${anchor}`);
  }

  // A hint: what a bot would do, thought about longer with every look; the actions are marked on the board.

  async function hint(from) {
    open("hint", from, words.sayHint);
    const now = turn;
    inside.replaceChildren(Object.assign(document.createElement("p"), { textContent: words.sayThinking, className: "note" }));
    $("#beside-title").focus({ preventScroll: true });
    for (let look = 1, done = false; !done; look += 1) {
      const told = await fetch(`${here}/hint?look=${look}${planned()}`).then(plain).catch(() => ({}));
      if (now !== turn) return;
      if (!told.html) return void (inside.textContent = told.message || words.sayFailed);
      done = told.done;
      const focused = inside.contains(document.activeElement) && document.activeElement.dataset.do;
      inside.innerHTML = told.html;
      if (focused) $(`[data-do="${CSS.escape(focused)}"]`, inside)?.focus({ preventScroll: true });
      mark(told.actions);
      if (done) $("#beside-status").textContent = told.announcement;
    }
  }

  const plain = (answer) => answer.json();

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
    const told = await fetch(`${here}/cannot${planned("?")}`).then(plain).catch(() => ({}));
    if (now !== turn) return;
    if (!told.html) return void (inside.textContent = told.message || words.sayFailed);
    inside.innerHTML = told.html;
    for (const one of $$("#board [data-ask]")) {
      one.setAttribute("tabindex", "0");
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", words.sayWhy.replace("{what}", told.names[one.dataset.ask] ?? one.dataset.ask));
    }
    if (!isAgain) $("#beside-title").focus({ preventScroll: true });
  }

  function unname() {
    for (const one of $$("#board [data-ask]")) for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
  }

  async function ask(target) {
    const told = await fetch(`${here}/why?do=${encodeURIComponent(target.dataset.ask)}${planned()}`).then(plain).catch(() => ({}));
    const box = $("#asked-why");
    if (!box || !told.message) return;
    const said = document.createElement("p");
    said.append(told.message);
    if (told.section) {
      const link = document.createElement("a");
      link.href = `/rules/${document.documentElement.lang}/${body.dataset.game}#s-${told.section.replaceAll(".", "-")}`;
      link.textContent = `§${told.section}`;
      said.append(" ", link);
    }
    box.replaceChildren(said);
    if (told.nearest) {
      const near = Object.assign(document.createElement("p"), { textContent: `${words.sayNear} ` });
      const button = Object.assign(document.createElement("button"), { type: "button", className: "press", textContent: told.nearest.label });
      button.dataset.do = told.nearest.do;
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

  // When the table moves on, what was said about it is old.
  let at = body.dataset.ply + planned();
  new MutationObserver(() => {
    const now = body.dataset.ply + planned();
    if (at === now) return;
    at = now;
    if (kind === "hint") shut();
    else if (kind === "cannot") $("#aid-why") ? cannot($("#aid-why"), true) : shut();
  }).observe(body, { attributeFilter: ["data-ply", "data-draft"] });
}
