// The script of a table. The rules are not here: the page is drawn on the server. This sends what was chosen, puts in what
// comes back, keeps the focus, and shows what would happen. What changes on the board, `scene.js` puts in.
"use strict";

const body = document.body;
const $ = (selector, inside = document) => inside.querySelector(selector);
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const here = body.dataset.here ?? (body.dataset.table ? `/t/${body.dataset.table}` : ""); // a lesson says where it is itself
const nonce = body.dataset.nonce;
const still = () => document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const SOON = 3000; // before a tab that is not seen gives its connection back
const NOW_AND_THEN = 15000;

// Everywhere: forms inside the parts of a table bring the nonce, links are copied, menus close, resigning asks again.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.classList.contains("picker")) return event.preventDefault();
  if (form.method !== "post") return;
  const button = event.submitter;
  if (button?.dataset.sure && !confirmed(button, button.dataset.sure)) return event.preventDefault();
  if (!form.elements.nonce) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "nonce", value: nonce }));
  }
  // Seats that nobody takes are not sent.
  for (const seat of $$("select[name^=seat]", form)) seat.disabled = seat.value === "";
});

document.addEventListener("click", (event) => {
  const menu = $("#settings[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
  const copy = event.target.closest("[data-copy]");
  if (copy) copied(copy);
  const share = event.target.closest("[data-share]");
  if (share) navigator.share({ url: share.dataset.share, title: document.title }).catch(() => {});
});

async function copied(button) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = words), 1500);
  } catch {
    button.parentElement.querySelector("input").select();
  }
}

// A button that is pressed for the first time asks; pressed again within a few seconds, it does.
function confirmed(button, question) {
  if (button.classList.contains("sure")) return true;
  const words = button.textContent;
  button.classList.add("sure");
  button.textContent = question;
  setTimeout(() => {
    button.classList.remove("sure");
    button.textContent = words;
  }, 3500);
  return false;
}

for (const box of $$("[data-setting]")) {
  box.checked = (stored(box.dataset.setting) ?? box.dataset.usual) === "on";
  box.addEventListener("change", () => store(box.dataset.setting, box.checked ? "on" : "off"));
}
for (const choice of $$("[data-choice]")) {
  const name = choice.dataset.choice;
  const show = () => $$("button", choice).forEach((one) => one.setAttribute("aria-pressed", one.value === (stored(name) ?? choice.dataset.usual)));
  choice.addEventListener("click", (event) => (event.target.value && store(name, event.target.value), show()));
  show();
}
function stored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
function store(name, value) {
  try { localStorage.setItem(name, value); } catch { /* without it, then */ }
}

// What a reader has decided and not confirmed yet, as a part of an address.
const planned = (first = "&") => (body.dataset.draft ? `${first}draft=${encodeURIComponent(body.dataset.draft)}` : "");

if (here) sit();

function sit() {
  let ply = Number(body.dataset.ply);
  let pointed = null; // what is being pointed at
  const known = new Map(); // what the server has said about an action at this ply
  let state = body.dataset.state; // the number of the state that is shown
  dress();

  // What comes from the server: differences, each from one numbered state to the next. Where one is missing, everything is
  // asked for anew.

  let lost = 0;
  let live = null; // the open stream
  let version = null; // of the table, when it was last glanced at
  let glancing = 0;
  if (body.dataset.table) beats.start({ put, still, hasActed: () => sent !== null && ply <= sent.at, address: here });
  picture.ready.then(() => {
    attend();
    document.addEventListener("visibilitychange", attend);
  });

  // A browser has six connections to a host for all its tabs. A tab that is not seen gives its own back, glances at the table
  // now and then, and looks again, for one message, when something has changed there.
  function attend() {
    clearTimeout(glancing);
    if (!body.dataset.table) return; // in a lesson nothing happens by itself
    if (!document.hidden) return live || listen();
    glancing = setTimeout(glance, live ? SOON : 0);
  }

  async function glance() {
    release();
    const told = await fetch(`${here}/glance`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
    if (!document.hidden || live) return;
    if (told && told.version !== version) {
      version = told.version;
      listen();
    }
    glancing = setTimeout(glance, NOW_AND_THEN);
  }

  function release() {
    live?.close();
    live = null;
    found();
  }

  function found() {
    clearTimeout(lost);
    lost = 0;
  }

  // The browser opens a stream again that was cut; one that was refused is ours to open again.
  function listen() {
    const stream = (live = new EventSource(`${here}/live?ply=${beats.latest}&state=${beats.waiting.at(-1)?.number ?? state}`));
    stream.addEventListener("open", () => (found(), ($("#offline").hidden = true)));
    stream.addEventListener("error", () => {
      // A browser would go on with the old address, which names a state that is no longer shown.
      if (live === stream && stream.readyState === EventSource.CONNECTING) {
        stream.close();
        setTimeout(() => live === stream && listen(), 500 + 1000 * Math.random());
      }
      lost ||= setTimeout(() => ($("#offline").hidden = false), 1200); // from the first error on, however often it is tried
      if (stream.readyState === EventSource.CLOSED && live === stream) setTimeout(() => live === stream && listen(), 3000);
    });
    stream.addEventListener("talk", (event) => document.dispatchEvent(new CustomEvent("talk", { detail: JSON.parse(event.data) })));
    stream.addEventListener("table", (event) => {
      const change = JSON.parse(event.data);
      if (change.since !== undefined && change.since !== Number(beats.waiting.at(-1)?.number ?? state)) {
        beats.catchUp();
        state = "";
        stream.close();
        return listen();
      }
      document.dispatchEvent(new CustomEvent("table", { detail: change }));
      beats.receive(change);
      if (document.hidden && version !== null) release();
    });
  }
  let sent = null; // what was sent and not seen yet: until it is, nothing else can be done

  function put(change, isSeen = true) {
    const moved = change.ply !== ply;
    const isOwn = moved && sent !== null && draft.length > 0; // it is on the board already
    const glides = isSeen && !still() && !document.hidden && !isOwn;
    const isAnswer = sent !== null && change.ply > sent.at;
    const focus = focused();
    layAside();
    ply = change.ply;
    body.dataset.ply = ply;
    if (change.number !== undefined) body.dataset.state = state = change.number;
    if (moved) known.clear();
    if (moved || change.scene) unpoint();
    const open = new Map($$("#main details[id]").map((one) => [one.id, one.open]));
    const scrolled = $("#log").scrollTop;
    for (const [id, html] of Object.entries(change.parts ?? {})) {
      const part = document.getElementById(id);
      if (part) part.innerHTML = html;
    }
    for (const [place, html] of Object.entries(change.people ?? {})) $("#people > ul").children[place].outerHTML = html;
    for (const [id, was] of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = was;
    }
    if (change.scene) picture.apply(change.scene, change.moves, glides && moved);
    for (const one of change.log ?? []) tellMore(one);
    $("#log").scrollTop = moved ? 0 : scrolled;
    dress();
    refocus(focus);
    if (change.heading) document.title = change.heading;
    document.dispatchEvent(new CustomEvent("moment", { detail: change }));
    if (moved) announce(change.announcement, isAnswer);
    settle();
    if (isOwn) draft = [];
    if (draft.length && !sent && $("#ask .asking")) lookAgain(moved); // else it waits until the reader is asked again
    else if (moved && !$("#ask [data-sheet]")) $("#sheet")?.close();
  }

  // New lines of the log, or a new chapter: then the one before is folded, unless the reader has opened it.
  function tellMore({ id, lines, chapter }) {
    if (lines) return document.getElementById(id).querySelector("ol").insertAdjacentHTML("afterbegin", lines);
    const last = $("#log details");
    if (last && !last.dataset.kept) last.open = false;
    $("#log h2").insertAdjacentHTML("afterend", chapter);
  }
  $("#log").addEventListener("click", (event) => {
    const fold = event.target.closest("summary")?.parentElement;
    if (fold) fold.dataset.kept = "on";
  });

  // What was said last is not said again because somebody else has done something in secret; but to whoever does something,
  // something is said.
  function announce(words, isAnswer = false) {
    const told = $("#announce");
    if (isAnswer || !words || !told.textContent.endsWith(words)) told.textContent = words;
  }

  // What fresh parts need: the picker, sharing, folded panels as they were left, the hint if it is wanted.
  function dress() {
    for (const button of $$("[data-share]")) button.hidden = !navigator.share;
    for (const button of $$("[data-fold]")) button.setAttribute("aria-expanded", !body.classList.contains("folds"));
    composing.dress();
    for (const pane of $$("details.pane")) {
      if (stored(pane.id) === "off") pane.open = false;
      pane.addEventListener("toggle", () => store(pane.id, pane.open ? "on" : "off"));
    }
    for (const button of $$("[data-hinting]")) button.setAttribute("aria-pressed", body.classList.contains("hinting"));
  }

  // The focus stays where it was, or goes to the question if that place is gone.

  const DOES = ["do", "ahead", "part", "confirm", "undraft", "sheet", "hinting", "fold"]; // what a button is known by
  function focused() {
    const one = document.activeElement;
    if (!one || one === body || !one.closest("#main")) return null;
    const part = one.closest("#ask, #board, #log, #people, #links, #result");
    if (!part) return null;
    const does = DOES.find((name) => name in one.dataset);
    const at = does ? `[data-${does}="${CSS.escape(one.dataset[does])}"]`
      : one.id ? `#${CSS.escape(one.id)}`
      : one.name ? `[name="${one.name}"]${one.type === "radio" ? `[value="${one.value}"]` : ""}`
      : one.closest("details[id]") ? `#${CSS.escape(one.closest("details[id]").id)} summary` : "";
    return { part: part.id, at };
  }

  function refocus(focus) {
    if (!focus) return;
    const part = document.getElementById(focus.part);
    const same = focus.at && ($(focus.at, part) || (part.matches(focus.at) ? part : null));
    (same || $("#ask")).focus({ preventScroll: true });
  }

  // Acting: a click, a tap, Enter or Space on anything that stands for an action.

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do], [data-ahead]");
    if (target) return decide(target);
    const whole = event.target.closest("[data-confirm]");
    if (whole) return act(whole.dataset.confirm);
    if (event.target.closest("[data-undraft]")) return undo();
    const hint = event.target.closest("[data-hinting]");
    if (hint) {
      body.classList.toggle("hinting");
      return dress();
    }
    const opener = event.target.closest("[data-sheet]");
    if (opener) compose(opener);
    if (event.target.closest("[data-fold]")) {
      body.classList.toggle("folds");
      dress();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") unpoint();
    const target = event.target.closest?.("g[data-do], g[data-ahead]");
    if (target && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      decide(target);
    }
  });

  // A turn of several decisions is put together on the board, in any order that the rules leave free, and confirmed once. What
  // can be decided only after something else (data-ahead) waits for it. Until then nothing has happened at the table: the
  // server tells what the board and the question would be, and how they were.

  let draft = []; // what was decided, in the order in which it was
  let shown = null; // how board and question were without it, while it is seen
  let drafting = 0;
  let looking = null; // while the draft is looked at again because the table went on: what is pressed meanwhile waits for that
  let owed = false; // whether the reader has been told nothing yet of what they decided
  let alone = new Set(); // of what was decided, that which had no alternative

  const confirming = () => ({ on: "every", every: "every", never: "never" })[stored("confirm")] ?? "turns";

  function decide(target) {
    const { do: action, ahead } = target.dataset;
    const text = action ?? ahead;
    if (looking && !sent) return looking.then(() => decide(target));
    if (sent || body.classList.contains("busy")) return false;
    if (!body.dataset.table || (confirming() === "never" && !draft.length && action)) return act(text);
    if ("alone" in target.dataset) alone.add(text);
    const before = shown ? draft : []; // one that waits for the table to be seen is given up
    return redraft(ahead && before.includes(ahead) ? before.filter((one) => one !== ahead) : [...before, text]);
  }

  function lookAgain(moved) {
    const mine = (looking = redraft(draft, owed, moved).finally(() => looking === mine && (looking = null)));
  }

  async function redraft(wanted, isAnswer = true, moved = true) {
    const turn = ++drafting;
    if (!wanted.length) return forget();
    unpoint();
    body.classList.add("busy");
    const answer = await send(`${here}/draft`, { do: wanted.join(", "), nonce });
    const told = await answer.json().catch(() => ({}));
    if (turn !== drafting) return false;
    body.classList.remove("busy");
    if (answer.ok && told.ply < ply) {
      // The table went on while this was on its way. Where the reader is no longer asked, the draft waits until they are again.
      draft = wanted;
      return $("#ask .asking") ? redraft(wanted, isAnswer) : false;
    }
    if (answer.ok && told.ply > ply) {
      draft = wanted; // the table has gone on: once that is shown, the draft is looked at again
      owed = isAnswer;
      beats.catchUp();
      return false;
    }
    owed = false;
    if (!answer.ok) {
      if (!moved && !isAnswer) return false; // what was good at this ply still is: the table has gone on, and we shall hear of it
      if (!shown) forget();
      tell(told.message || body.dataset.failed, told.section);
      return false;
    }
    if (told.whole && wanted.length === 1 && isAnswer && confirming() !== "every") return forget(), act(wanted[0]);
    const focus = focused();
    layAside();
    shown = { board: told.back, ask: [...$("#ask").childNodes] };
    draft = wanted.filter((one) => told.decisions.includes(one)); // a later one may have taken the place of another
    body.dataset.draft = draft.join(", ");
    picture.apply(told.there, [], !still());
    picture.glow(told.there);
    $("#ask").innerHTML = told.ask;
    known.clear();
    dress();
    refocus(focus);
    if (focus) $("#ask [data-confirm]")?.focus({ preventScroll: true });
    announce(told.announcement, isAnswer);
    return true;
  }

  // The page as it is without the draft, which is kept.
  function layAside() {
    if (!shown) return;
    unpoint();
    picture.apply(shown.board);
    $("#ask").replaceChildren(...shown.ask);
    shown = null;
    delete body.dataset.draft;
    known.clear();
  }

  function forget() {
    const focus = focused();
    drafting++;
    body.classList.remove("busy");
    draft = [];
    alone = new Set();
    if (!shown) return true;
    layAside();
    dress();
    refocus(focus);
    announce($("#question")?.textContent ?? "", true);
    return true;
  }

  function undo() {
    const left = [...draft];
    let last = left.pop();
    while (left.length && alone.has(last)) last = left.pop();
    redraft(left);
  }

  async function act(action) {
    if (sent) return false;
    unpoint();
    sent = { at: Math.max(ply, beats.latest), done: false };
    body.classList.add("busy");
    const answer = await send(`${here}/act`, { do: action, ply: sent.at, nonce });
    if (answer.status === 200) return taught(await answer.json());
    sent.done = answer.ok;
    if (answer.ok) sent.at = Number(answer.headers.get("ply") ?? sent.at + 1) - 1; // what others did meanwhile is not what was sent
    settle(!answer.ok);
    if (answer.ok) return true;
    const told = await answer.json().catch(() => ({}));
    tell(told.message || body.dataset.failed, told.section);
    return false;
  }

  // A lesson answers at once, with the parts that change: what was shown, or a nudge.
  function taught(change) {
    put(change);
    settle(true);
    $(".lesson-next")?.focus();
    return true;
  }

  function settle(failed) {
    if (!sent || !(failed || (sent.done && ply > sent.at))) return;
    sent = null;
    body.classList.remove("busy");
    if (failed && draft.length && !shown) lookAgain();
  }

  async function send(where, data) {
    try {
      return await fetch(where, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
    } catch {
      return new Response("{}", { status: 503 });
    }
  }

  let hush = 0;
  function tell(message, section) {
    const told = $("#told");
    told.textContent = message;
    if (section && !message.includes("§")) told.append(" ", rule(section));
    told.hidden = false;
    clearTimeout(hush);
    hush = setTimeout(() => (told.hidden = true), 6000);
  }

  function rule(section) {
    const link = document.createElement("a");
    link.href = `/rules/${document.documentElement.lang}/${body.dataset.game}#s-${section.replaceAll(".", "-")}`;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = `§${section}`;
    return link;
  }

  // Pointing: what it is, then what would happen, or why it cannot.

  let soon = 0;
  let named = null; // the title of what is being pointed at, and its words: the browser does not say them a second time
  const point = (event, delay) => {
    const thing = event.target.closest?.("#board [data-key]:has(> title)");
    const target = event.target.closest?.("#main [data-do], #main [data-ahead], #main [data-ask]") ?? thing;
    const title = thing && $(":scope > title", thing);
    if (target === pointed && title === (named?.title ?? null)) return;
    unpoint();
    if (!target) return;
    pointed = target;
    if (title) {
      named = { title, words: title.textContent };
      title.textContent = "";
    }
    soon = setTimeout(() => look(target), delay);
  };
  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && point(event, 140));
  document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(event, 250));
  document.addEventListener("focusout", unpoint);
  // A finger that rests looks; on something that cannot be done, a tap is enough.
  document.addEventListener("pointerdown", (event) => event.pointerType === "touch" && point(event, event.target.closest("[data-do], [data-ahead], [data-part]") ? 450 : 60));
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-do], [data-ahead], [data-ask]") && event.preventDefault());
  addEventListener("scroll", () => pointed?.matches(":focus") || unpoint(), { passive: true });

  async function look(target) {
    const { do: action, ahead, ask } = target.dataset;
    const what = named?.words;
    if (ahead) return tip(target, [what, target.getAttribute("aria-label") ?? target.textContent].filter(Boolean));
    if (action === undefined && ask === undefined) return tip(target, [what]);
    const key = `${action ? "preview" : "why"}?do=${encodeURIComponent(action ?? ask)}${planned()}`;
    if (!known.has(key)) {
      known.set(key, fetch(`${here}/${key}`).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({})));
    }
    const told = await known.get(key);
    if (pointed !== target) return;
    if (told.message) tip(target, [what || told.what, told.message].filter(Boolean), told.section, told.nearest);
    else if (what || told.lines?.length) tip(target, [what, ...(told.lines ?? [])].filter(Boolean));
    if (told.there) foresee(told);
  }

  // What would change on the board, for as long as something is pointed at.
  let back = null;
  let wouldBe = [];
  function foresee(told) {
    const keys = [...(told.there.items ?? []), ...(told.back.items ?? [])].map((one) => one.key);
    if (keys.some((key) => picture.find(key)?.contains(pointed))) return;
    back = told.back;
    picture.apply(told.there);
    wouldBe = [...new Set(keys.map((key) => picture.find(key)?.ownerSVGElement).filter(Boolean))];
    for (const one of wouldBe) one.classList.add("would-be");
  }

  function unpoint() {
    clearTimeout(soon);
    pointed = null;
    if (named) named.title.textContent = named.words;
    named = null;
    $("#tip").hidden = true;
    for (const one of $$("[aria-describedby=tip]")) one.removeAttribute("aria-describedby");
    for (const one of $$(".nearest")) one.classList.remove("nearest");
    if (back) picture.apply(back);
    back = null;
    for (const one of wouldBe.splice(0)) one.classList.remove("would-be");
  }

  function tip(target, lines, section, nearest) {
    const box = $("#tip");
    box.replaceChildren(...lines.map((line) => Object.assign(document.createElement("div"), { textContent: line })));
    if (section) box.lastChild.append(` (§${section})`);
    box.lastChild.classList.toggle("why", section !== undefined);
    if (nearest) {
      box.append(Object.assign(document.createElement("div"), { textContent: `${$("#beside").dataset.sayNear} ${nearest.label}` }));
      for (const one of $$(`[data-do="${CSS.escape(nearest.do)}"]`)) one.classList.add("nearest");
    }
    target.setAttribute("aria-describedby", "tip");
    box.hidden = false;
    const at = target.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const below = at.bottom + 8 + height < innerHeight;
    box.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, at.left + at.width / 2 - width / 2))}px`;
    box.style.top = `${below ? at.bottom + 8 : Math.max(8, at.top - height - 8)}px`;
  }

  // A line of the log lights up the pieces it names.

  $("#log").addEventListener("pointerover", (event) => {
    const line = event.target.closest("[data-line]")?.textContent ?? "";
    for (const one of $$("#board [data-key]")) {
      const name = $("title", one)?.textContent.split(/[,:(]/)[0].trim();
      one.classList.toggle("lightened", Boolean(name && line.includes(name)));
    }
  });
  $("#log").addEventListener("pointerleave", () => $$(".lightened").forEach((one) => one.classList.remove("lightened")));

  // The sheet: pieces change places on it, by drag and drop, by two clicks, or by the keyboard; then one button sends them all.
  //
  // A template beside the button that opens it (data-sheet) holds groups (data-group) of slots (data-slot) and a tray
  // (data-tray) with a list of spare pieces (data-spares). A piece (data-chip) and an empty place (data-void) are buttons.
  // What is composed is written as "group piece piece; group piece"; a slot that is empty is written as its data-empty tells,
  // or not at all. A button may fill in something composed before (data-composed), or what the server composes for a wish
  // (data-wish). data-send is the verb that all is sent with, and data-worth shows what the server says of it.

  function compose(button) {
    const sheet = Object.assign(document.createElement("dialog"), { id: "sheet" });
    sheet.setAttribute("aria-labelledby", "sheet-title");
    sheet.append(button.nextElementSibling.content.cloneNode(true));
    sheet.onclose = () => sheet.remove();
    body.append(sheet);
    sheet.showModal();
    let held = null; // the piece that was chosen first

    const hold = (chip) => {
      held?.setAttribute("aria-pressed", "false");
      held = chip === held ? null : chip;
      held?.setAttribute("aria-pressed", "true");
      sheet.classList.toggle("choosing", Boolean(held));
    };
    const spot = (one) => one.closest("[data-slot], .spare, [data-tray]");
    const lay = (chip, place) => {
      const from = chip.closest("[data-slot], .spare");
      if (!place || place === from) return hold(null);
      const other = place.matches("[data-tray]") ? null : $("[data-chip]", place);
      if (place.matches("[data-tray]")) {
        if (!from.matches(".spare")) $("[data-spares]", sheet).append(spare(chip));
      } else {
        place.append(chip);
        if (other) from.append(other);
        else if (from.matches(".spare")) from.remove();
      }
      hold(null);
      chip.focus();
      weigh();
    };
    const spare = (chip) => {
      const place = Object.assign(document.createElement("li"), { className: "spare" });
      place.append(chip);
      return place;
    };
    const composed = () => $$("[data-group]", sheet).map((group) => {
      const names = $$("[data-slot]", group).map((slot) => $("[data-chip]", slot)?.dataset.chip ?? slot.dataset.empty);
      return [group.dataset.group, ...names.filter(Boolean)].join(" ");
    }).join("; ");
    const fill = (text) => {
      const chips = $$("[data-chip]", sheet);
      for (const chip of chips) chip.remove();
      for (const one of $$(".spare", sheet)) one.remove();
      for (const clause of text.split("; ")) {
        const [group, ...names] = clause.split(" ");
        const slots = $$(`[data-group="${CSS.escape(group)}"] [data-slot]`, sheet);
        names.forEach((name, at) => {
          const found = chips.findIndex((chip) => chip.dataset.chip === name);
          if (found >= 0) slots[at].append(...chips.splice(found, 1));
        });
      }
      for (const chip of chips) $("[data-spares]", sheet).append(spare(chip));
      weigh();
    };
    let asked = 0;
    const weigh = async () => {
      const turn = ++asked;
      const told = await send(`${here}/compose`, { text: composed(), draft: body.dataset.draft, nonce }).then((answer) => answer.json()).catch(() => ({}));
      if (turn !== asked) return;
      const part = (...inside) => {
        const made = document.createElement("span");
        made.append(...inside);
        return made;
      };
      const fault = told.fault || told.message;
      const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });
      $("[data-worth]", sheet).replaceChildren(...(fault
        ? [Object.assign(part(fault), { className: "why" })]
        : (told.worth ?? []).map(([number, words]) => part(bold(number), ` ${words}`))));
      $("[data-send]", sheet).disabled = Boolean(told.fault);
    };

    sheet.onclick = async (event) => {
      const chip = event.target.closest("[data-chip]");
      const button = event.target.closest("button");
      if (chip) return held && held !== chip ? lay(held, spot(chip)) : hold(chip);
      if (button?.matches("[data-void]") && held) return lay(held, spot(button));
      if (button?.dataset.composed) return fill(button.dataset.composed);
      if (button?.dataset.wish) {
        $("[data-send]", sheet).disabled = true; // until it is there, and weighed
        const told = await send(`${here}/compose`, { text: button.dataset.wish, draft: body.dataset.draft, nonce }).then((answer) => answer.json()).catch(() => ({}));
        return told.text ? fill(told.text) : weigh();
      }
      if (button?.matches("[data-close]")) return sheet.close();
      if (button?.dataset.send && (await decide({ dataset: { do: `${button.dataset.send} ${composed()}` } }))) sheet.close();
    };
    sheet.oncancel = (event) => held && (event.preventDefault(), hold(null));
    sheet.ondragstart = (event) => {
      held = null;
      hold(event.target.closest("[data-chip]"));
      event.dataTransfer.setData("text/plain", held.dataset.chip);
    };
    sheet.ondragover = (event) => {
      $$(".drop", sheet).forEach((one) => one.classList.remove("drop"));
      const place = spot(event.target);
      if (!place) return;
      event.preventDefault();
      place.classList.add("drop");
    };
    sheet.ondragend = () => (hold(null), $$(".drop", sheet).forEach((one) => one.classList.remove("drop")));
    sheet.ondrop = (event) => (event.preventDefault(), held && lay(held, spot(event.target)));
  }
}
