// Chat: only what is new is put in, so that whoever listens to the page hears that alone.

import { $, $$, body, parseHtml } from "./page.js";
import { store, stored } from "./settings.js";

const NEAR_END = 40; // pixels

// Keep the chat of a table up to date.
export function initChat() {
  const panel = $("#talk");
  if (!panel) return;
  const list = $("#talk-lines");
  const scroll = list.parentElement;
  const readUpTo = `heard:${body.dataset.table}`;

  function markRead() {
    store(readUpTo, list.dataset.last);
    updateBadge();
  }

  function updateBadge() {
    const last = Number(stored(readUpTo) ?? 0);
    const count = panel.open ? 0 : $$(".said:not(.yours)", list).filter((one) => Number(one.dataset.lineNumber) > last).length;
    const badge = $(".unread", panel);
    badge.hidden = !count;
    badge.textContent = count;
    badge.setAttribute("aria-label", `${count} ${badge.dataset.words}`);
  }

  // Put in the lines that are new or changed, and take out those that are gone.
  function update({ html, last }) {
    const isAtEnd = scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - NEAR_END;
    const numbers = new Set();
    for (const line of [...parseHtml(html).children]) {
      const number = line.dataset.lineNumber ?? "";
      numbers.add(number);
      const old = $$(":scope > li", list).find((one) => (one.dataset.lineNumber ?? "") === number);
      const source = line.outerHTML;
      if (old && old.source === source) continue;
      line.source = source;
      writeTimes(line);
      if (!old) list.append(line);
      else if (old.source || visible(old) !== visible(line)) old.replaceWith(line);
      else old.source = source;
    }
    for (const line of $$(":scope > li", list)) if (!numbers.has(line.dataset.lineNumber ?? "")) line.remove();
    list.dataset.last = last;
    if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
    if (panel.open) markRead();
    updateBadge();
  }

  writeTimes(list);
  updateBadge();
  panel.addEventListener("toggle", () => {
    if (!panel.open) return;
    scroll.scrollTop = scroll.scrollHeight;
    markRead();
    if (matchMedia("(hover: hover)").matches) $(".talk-form input[name=text]", panel)?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel.open && panel.contains(event.target)) {
      panel.open = false;
      $("summary", panel).focus();
    }
  });
  document.addEventListener("talk", ({ detail }) => update(detail));
}

const visible = (line) => `${line.className} ${line.textContent}`;

// Write times as the reader's clock has them.
function writeTimes(inside) {
  for (const one of $$("time[datetime]", inside)) {
    one.textContent = new Date(one.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  }
}
