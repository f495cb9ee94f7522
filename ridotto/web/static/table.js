// The one script of Ridotto. The rules are not here: the page is drawn on the server. This sends what was chosen, puts
// in what comes back, keeps the focus, lets pieces glide, and shows what would happen.
"use strict";

const body = document.body;
const $ = (selector, inside = document) => inside.querySelector(selector);
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const here = body.dataset.here ?? (body.dataset.table ? `/t/${body.dataset.table}` : ""); // a lesson says where it is itself
const nonce = body.dataset.nonce;
const still = () => document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const PAUSE = 700; // milliseconds between two changes that come at once, so that they can be followed
const GLIDE = 420;
const SOON = 3000; // before a tab that is not seen gives its connection back
const NOW_AND_THEN = 15000;
const PARTS = ["people", "ask", "board", "log", "result", "links"];

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
  box.checked = stored(box.dataset.setting) === "on";
  box.addEventListener("change", () => store(box.dataset.setting, box.checked ? "on" : "off"));
}
function stored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
function store(name, value) {
  try { localStorage.setItem(name, value); } catch { /* without it, then */ }
}

if (here) sit();

function sit() {
  let ply = Number(body.dataset.ply);
  let pointed = null; // what is being pointed at
  const known = new Map(); // what the server has said about an action at this ply
  const loaded = new Map(PARTS.map((id) => [id, document.getElementById(id)?.innerHTML])); // as the page came
  dress();

  // What comes from the server: whole parts, so that any gap heals.

  const waiting = [];
  const drawn = new Map(); // what each part was last made of
  let shown = 0;
  let timer = 0;
  let lost = 0;
  let live = null; // the open stream
  let version = null; // of the table, when it was last glanced at
  let glancing = 0;
  attend();
  document.addEventListener("visibilitychange", attend);

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
    const stream = (live = new EventSource(`${here}/live?ply=${ply}`));
    stream.addEventListener("open", () => (found(), ($("#offline").hidden = true)));
    stream.addEventListener("error", () => {
      lost ||= setTimeout(() => ($("#offline").hidden = false), 1200); // from the first error on, however often it is tried
      if (stream.readyState === EventSource.CLOSED && live === stream) setTimeout(() => live === stream && listen(), 3000);
    });
    stream.addEventListener("talk", (event) => document.dispatchEvent(new CustomEvent("talk", { detail: JSON.parse(event.data) })));
    stream.addEventListener("table", (event) => {
      waiting.push(JSON.parse(event.data));
      next();
      if (document.hidden && version !== null) release();
    });
  }
  const latest = () => waiting.at(-1)?.ply ?? ply;

  // What was sent and not seen yet: until it is, nothing else can be done, and nothing is shown at leisure.
  let sent = null;

  function next() {
    clearTimeout(timer);
    if (sent || document.hidden || still() || waiting.length > 8) {
      // What is not shown is still told.
      const told = waiting.map((change) => change.announcement);
      waiting.splice(0, waiting.length - 1);
      if (waiting.length) waiting[0].announcement = told.filter(Boolean).join(" ");
    }
    if (!waiting.length) return;
    const rest = waiting[0].ply > ply ? shown + PAUSE - performance.now() : 0;
    if (rest > 0 && !sent && !still()) return void (timer = setTimeout(next, rest));
    const change = waiting.shift();
    if (change.ply > ply) shown = performance.now();
    put(change);
    next();
  }

  function put(change) {
    const moved = change.ply !== ply;
    ply = change.ply;
    body.dataset.ply = ply;
    if (moved) {
      known.clear();
      unpoint();
    }
    const before = places();
    const focus = focused();
    const open = new Map($$("#main details[id]").map((one) => [one.id, one.open]));
    const scrolled = $("#log").scrollTop;
    for (const [id, html] of Object.entries(change.parts)) {
      const part = document.getElementById(id);
      if (!part || drawn.get(id) === html) continue;
      drawn.set(id, html);
      const fresh = document.createElement("template");
      fresh.innerHTML = html;
      if (fresh.innerHTML === loaded.get(id)) continue;
      loaded.delete(id);
      part.replaceChildren(fresh.content);
    }
    for (const [id, was] of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = was;
    }
    $("#log").scrollTop = moved ? 0 : scrolled;
    dress();
    refocus(focus);
    if (moved) glide(before);
    document.title = change.heading;
    document.dispatchEvent(new CustomEvent("moment", { detail: change }));
    if (moved) announce(change.announcement);
    settle();
    if (moved && !$("#ask [data-sheet]")) $("#sheet")?.close();
  }

  // What was said last is not said again because somebody else has done something in secret.
  function announce(words) {
    const told = $("#announce");
    if (!words || !told.textContent.endsWith(words)) told.textContent = words;
  }

  // What fresh parts need: the picker, sharing, folded panels as they were left, the hint if it is wanted.
  function dress() {
    for (const button of $$("[data-share]")) button.hidden = !navigator.share;
    for (const button of $$("[data-fold]")) button.setAttribute("aria-expanded", !body.classList.contains("folds"));
    if (innerWidth < 700 && $("#one-by-one .picker")) $("#one-by-one").open = true;
    for (const picker of $$(".picker")) {
      picker.classList.add("live");
      pick(picker);
    }
    for (const pane of $$("details.pane")) {
      if (stored(pane.id) === "off") pane.open = false;
      pane.addEventListener("toggle", () => store(pane.id, pane.open ? "on" : "off"));
    }
    for (const button of $$("[data-hinting]")) button.setAttribute("aria-pressed", body.classList.contains("hinting"));
  }

  // The focus stays where it was, or goes to the question if that place is gone.

  function focused() {
    const one = document.activeElement;
    if (!one || one === body || !one.closest("#main")) return null;
    const part = one.closest("#ask, #board, #log, #people, #links, #result");
    if (!part) return null;
    const at = one.dataset.do ? `[data-do="${CSS.escape(one.dataset.do)}"]`
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

  // Movement: every piece that is somewhere else than before glides there.

  function places() {
    if (still() || document.hidden) return null;
    return new Map($$("#board [data-piece]").map((one) => [one.dataset.piece, middle(one)]));
  }

  function middle(one) {
    const pane = one.closest(".pane");
    const [at, from] = [one.getBoundingClientRect(), pane.getBoundingClientRect()];
    return { pane: pane.id, x: at.left + at.width / 2, y: at.top + at.height / 2, left: from.left, top: from.top };
  }

  function glide(before) {
    if (!before) return;
    for (const one of $$("#board [data-piece]")) {
      const [was, is] = [before.get(one.dataset.piece), middle(one)];
      if (!was) {
        one.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE });
        continue;
      }
      // A panel that has moved as a whole takes its pieces with it.
      const same = was.pane === is.pane;
      const x = was.x - is.x - (same ? was.left - is.left : 0);
      const y = was.y - is.y - (same ? was.top - is.top : 0);
      if (Math.abs(x) + Math.abs(y) < 4) continue;
      const scale = one.getScreenCTM()?.a || 1;
      one.ownerSVGElement.classList.add("gliding");
      one.animate([{ transform: `translate(${x / scale}px, ${y / scale}px)` }, { transform: "translate(0px, 0px)" }],
        { duration: GLIDE, easing: "cubic-bezier(.3, .9, .3, 1)", composite: "add" })
        .finished.finally(() => one.ownerSVGElement?.classList.remove("gliding"));
    }
  }

  // Acting: a click, a tap, Enter or Space on anything that stands for an action.

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do]");
    if (target) return act(target.dataset.do, target);
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
    const target = event.target.closest?.("g[data-do]");
    if (target && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      act(target.dataset.do, target);
    }
  });
  document.addEventListener("change", (event) => {
    const picker = event.target.closest(".picker");
    if (picker) pick(picker);
  });

  async function act(action, button) {
    if (sent) return false;
    if (button && stored("confirm") === "on" && !sure(action, button)) return false;
    unpoint();
    sent = { at: latest(), done: false };
    body.classList.add("busy");
    const answer = await send(`${here}/act`, { do: action, ply: sent.at, nonce });
    if (answer.status === 200) return taught(await answer.json());
    sent.done = answer.ok;
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
  }

  let armed = null;
  function sure(action, button) {
    if (button.matches(".press")) return confirmed(button, body.dataset.sure);
    if (armed === action) return (armed = null), true;
    armed = action;
    tip(button, [body.dataset.sure]);
    setTimeout(() => armed === action && (armed = null), 3500);
    return false;
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

  // The picker: of all its buttons, the one for what is chosen in its fields. A button tells the values it stands for, in the
  // order of the fields, "*" for any; a box that is not ticked has the value that its data-else tells.
  function pick(picker) {
    const names = new Set($$("[name]", picker).map((one) => one.name));
    const chosen = [...names].map((name) => {
      const field = picker.elements[name];
      return field.type === "checkbox" && !field.checked ? field.dataset.else : field.value;
    });
    for (const button of $$("[data-pick]", picker)) {
      const values = button.dataset.pick.split(" ");
      button.classList.toggle("chosen-pick", values.every((value, at) => value === "*" || value === chosen[at]));
    }
  }

  // Pointing: what would happen, or why it cannot.

  let soon = 0;
  const point = (event, delay) => {
    const target = event.target.closest?.("#main [data-do], #main [data-ask]");
    if (target === pointed) return;
    unpoint();
    if (!target) return;
    pointed = target;
    soon = setTimeout(() => look(target), delay);
  };
  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && point(event, 140));
  document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(event, 250));
  document.addEventListener("focusout", unpoint);
  // A finger that rests looks; on something that cannot be done, a tap is enough.
  document.addEventListener("pointerdown", (event) => event.pointerType === "touch" && point(event, event.target.closest("[data-ask]") ? 60 : 450));
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-do], [data-ask]") && event.preventDefault());
  addEventListener("scroll", () => pointed?.matches(":focus") || unpoint(), { passive: true });

  async function look(target) {
    const { do: action, ask } = target.dataset;
    const key = `${action ? "preview" : "why"}?do=${encodeURIComponent(action ?? ask)}`;
    if (!known.has(key)) {
      known.set(key, fetch(`${here}/${key}`).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({})));
    }
    const told = await known.get(key);
    if (pointed !== target) return;
    if (told.message) tip(target, [told.message], told.section, told.nearest);
    else if (told.lines?.length) tip(target, told.lines);
    for (const [id, drawing] of Object.entries(told.panels ?? {})) swap(id, drawing);
  }

  const swapped = new Map();
  function swap(id, drawing) {
    const old = $(`#${CSS.escape(id)} > svg`);
    if (!old || swapped.has(id) || old.contains(pointed)) return;
    swapped.set(id, old);
    old.insertAdjacentHTML("afterend", drawing);
    old.nextElementSibling.classList.add("would-be");
    old.remove();
  }

  function unpoint() {
    clearTimeout(soon);
    pointed = null;
    $("#tip").hidden = true;
    for (const one of $$("[aria-describedby=tip]")) one.removeAttribute("aria-describedby");
    for (const one of $$(".nearest")) one.classList.remove("nearest");
    for (const [id, old] of swapped) $(`#${CSS.escape(id)} > svg.would-be`)?.replaceWith(old);
    swapped.clear();
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
    for (const one of $$("#board [data-piece]")) {
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
  // or not at all. A button may fill in something composed before (data-composed). data-send is the verb that all is sent
  // with, and data-worth shows what the server says of it.

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
      const told = await send(`${here}/compose`, { text: composed(), nonce }).then((answer) => answer.json()).catch(() => ({}));
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
      if (button?.matches("[data-close]")) return sheet.close();
      if (button?.dataset.send && (await act(`${button.dataset.send} ${composed()}`))) sheet.close();
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
