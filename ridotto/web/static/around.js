// What is around the match: small forms that do not leave the page, clocks that tick, talk, and the call when it is your turn.
// Loaded before table.js, which tells of every change by the events "moment" and "talk".
"use strict";

(() => {
  const body = document.body;
  const first = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const kept = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const keep = (name, value) => {
    try { localStorage.setItem(name, value); } catch { /* without it, then */ }
  };
  const table = body.dataset.table;

  // The form of a new table: how strong a bot is depends on how many play.

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.setup");
    if (!form) return;
    const seats = all("select[name^=seat]", form).filter((one) => one.value).length;
    for (const option of all("option[data-by-seats]", form)) {
      option.textContent = JSON.parse(option.dataset.bySeats)[seats] ?? option.textContent;
    }
  });

  // Small forms: sent without leaving the page; what changes comes over the stream.

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-quiet]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.busy) return;
    form.dataset.busy = "on";
    const data = new URLSearchParams(new FormData(form));
    data.set("nonce", body.dataset.nonce);
    let answer;
    try {
      answer = await fetch(form.getAttribute("action"), { method: "POST", body: data, headers: { Accept: "application/json" } });
    } catch {
      answer = new Response("{}", { status: 503 });
    }
    delete form.dataset.busy;
    if (answer.ok) {
      if (form.matches(".talk-form")) form.reset();
      return;
    }
    const told = await answer.json().catch(() => ({}));
    tell(told.message || body.dataset.failed);
  }, true);

  let hush = 0;
  function tell(message) {
    const told = first("#told");
    if (!told || !message) return;
    told.textContent = message;
    told.hidden = false;
    clearTimeout(hush);
    hush = setTimeout(() => (told.hidden = true), 6000);
  }

  if (!table) return dressCall();

  // Clocks: the server says when each will have run down, by its own time. A message that was shown late makes its time seem
  // earlier than it is, never later: the latest estimate wins.

  let ahead = Number(body.dataset.now) - Date.now();
  let warned = false;
  tick();
  setInterval(tick, 250);

  function tick() {
    for (const clock of all(".clock[data-until]")) {
      const left = Math.max(0, Number(clock.dataset.until) - Date.now() - ahead);
      const shown = short(left);
      const rest = first(".rest", clock);
      if (rest.textContent !== shown) rest.textContent = shown;
      clock.classList.toggle("little", left < 60000);
      if (clock.closest(".you") && left < 60000 && !warned && left > 0) {
        warned = true;
        first("#announce").textContent = body.dataset.little;
      }
    }
  }

  function short(milliseconds) {
    const seconds = Math.ceil(milliseconds / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    if (seconds >= 86400) {
      const parts = [Math.floor(seconds / 86400), hours % 24];
      return body.dataset.days.replace(/#/g, () => parts.shift());
    }
    const minutes = Math.floor((seconds % 3600) / 60);
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }

  // The call when it is your turn: a sound and, if you want it and the browser allows it, a notification for a hidden tab.

  let mine = Boolean(first("#ask .asking"));
  let asked = "";
  document.addEventListener("received", ({ detail }) => {
    if (detail.now) ahead = Math.max(ahead, detail.now - Date.now());
    if (detail.turn && !mine) call();
    mine = Boolean(detail.turn);
  });
  document.addEventListener("moment", () => {
    tick();
    const offer = first(".offer-box[aria-label]")?.getAttribute("aria-label") ?? "";
    if (offer && offer !== asked) first("#announce").textContent = offer;
    asked = offer;
    const handed = first("#handed");
    if (handed && !handed.closest(".handover").contains(document.activeElement)) handed.focus();
  });
  dressCall();

  function call() {
    sound.play("turn");
    if (kept("call") !== "on") return;
    if (document.hidden && "Notification" in window && Notification.permission === "granted") {
      const notice = new Notification(document.title, { body: body.dataset.turn, tag: table, icon: "/static/mask.svg" });
      notice.onclick = () => (window.focus(), notice.close());
    }
    document.dispatchEvent(new CustomEvent("called"));
  }

  // Talk: only what is new is put in, so that whoever listens to the page hears that alone.

  const panel = first("#talk");
  const list = first("#talk-lines");
  const scroll = list?.parentElement;
  if (panel) {
    dates(list);
    unread();
    panel.addEventListener("toggle", () => {
      if (!panel.open) return;
      scroll.scrollTop = scroll.scrollHeight;
      heard();
      if (matchMedia("(hover: hover)").matches) first(".talk-form input[name=text]", panel)?.focus();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && panel.open && panel.contains(event.target)) {
        panel.open = false;
        first("summary", panel).focus();
      }
    });
    document.addEventListener("talk", ({ detail }) => {
      const fresh = document.createElement("template");
      fresh.innerHTML = detail.html;
      const isAtEnd = scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - 40;
      const numbers = new Set();
      for (const line of [...fresh.content.children]) {
        const number = line.dataset.lineNumber ?? "";
        numbers.add(number);
        const old = all(":scope > li", list).find((one) => (one.dataset.lineNumber ?? "") === number);
        const source = line.outerHTML;
        if (old && old.source === source) continue;
        line.source = source;
        dates(line);
        if (!old) list.append(line);
        else if (old.source || bare(old) !== bare(line)) old.replaceWith(line);
        else old.source = source;
      }
      for (const line of all(":scope > li", list)) if (!numbers.has(line.dataset.lineNumber ?? "")) line.remove();
      list.dataset.last = detail.last;
      if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
      if (panel.open) heard();
      unread();
    });
  }
  function bare(line) {
    return `${line.className} ${line.textContent}`;
  }
  function dates(inside) {
    for (const one of all("time[datetime]", inside)) {
      one.textContent = new Date(one.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    }
  }
  function heard() {
    keep(`heard:${table}`, list.dataset.last);
    unread();
  }
  function unread() {
    const last = Number(kept(`heard:${table}`) ?? 0);
    const count = panel.open ? 0 : all(".said:not(.yours)", list).filter((one) => Number(one.dataset.lineNumber) > last).length;
    const badge = first(".unread", panel);
    badge.hidden = !count;
    badge.textContent = count;
    badge.setAttribute("aria-label", `${count} ${badge.dataset.words}`);
  }

  // Whoever has not said yet whether they want to be called is asked at their first table.

  function dressCall() {
    const setting = first("[data-setting=call]");
    const question = first("#calling");
    const ask = () => "Notification" in window && Notification.permission === "default" && Notification.requestPermission();
    setting?.addEventListener("change", () => setting.checked && ask());
    if (!question || kept("call") !== null || !("Notification" in window) || Notification.permission === "denied") return;
    question.hidden = false;
    question.addEventListener("click", (event) => {
      const answer = event.target.closest("[data-call]")?.dataset.call;
      if (!answer) return;
      keep("call", answer);
      if (setting) setting.checked = answer === "on";
      if (answer === "on") ask();
      question.remove();
    });
  }
})();
