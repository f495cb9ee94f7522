// What a page says to its reader: a toast that goes away, and announcements for those who listen.

import { $, body, create } from "./page.js";

const SEEN = 6000; // milliseconds

let toastTimer = 0;

// Show a message for some seconds, with a link to the § of the rulebook that it is about.
export function showToast(message, section) {
  const toast = $("#toast");
  if (!toast || !message) return;
  toast.textContent = message;
  if (section && !message.includes("§")) toast.append(" ", sectionLink(section, { target: "_blank", rel: "noopener" }));
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.hidden = true), SEEN);
}

// A link to a § of the rulebook, in the language of the page.
export function sectionLink(section, properties) {
  const href = `/rules/${document.documentElement.lang}/${body.dataset.game}#s-${section.replaceAll(".", "-")}`;
  return create("a", { href, textContent: `§${section}`, ...properties });
}

// Announce something to those who listen. It is not said again because somebody else has done something in secret; but
// whoever has done something gets an answer.
export function announce(words, isAnswer = false) {
  const status = $("#announce");
  if (isAnswer || !words || !status.textContent.endsWith(words)) status.textContent = words;
}
