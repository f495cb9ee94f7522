// The call when it is your turn: a sound and, if you want it and the browser allows it, a notification for a hidden tab.

import { $, body } from "./page.js";
import { store, stored } from "./settings.js";

const canNotify = () => "Notification" in window;

// Call the reader of a table when something waits for them.
export function initCall(sound) {
  let isAsked = Boolean($("#ask .asking"));
  let lastOffer = "";

  document.addEventListener("received", ({ detail }) => {
    if (detail.turn && !isAsked) call(sound);
    isAsked = Boolean(detail.turn);
  });
  document.addEventListener("moment", () => {
    const offer = $(".offer-box[aria-label]")?.getAttribute("aria-label") ?? "";
    if (offer && offer !== lastOffer) $("#announce").textContent = offer;
    lastOffer = offer;
    const handed = $("#handed");
    if (handed && !handed.closest(".handover").contains(document.activeElement)) handed.focus();
  });
}

function call(sound) {
  sound.play("turn");
  if (stored("call") !== "on") return;
  if (document.hidden && canNotify() && Notification.permission === "granted") {
    const notice = new Notification(document.title, { body: body.dataset.turn, tag: body.dataset.table, icon: "/static/mask.svg" });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  }
  document.dispatchEvent(new CustomEvent("called"));
}

// The setting, and a question at their first table to whoever has not said yet whether they want to be called.
export function initCallSetting() {
  const setting = $("[data-setting=call]");
  const question = $("#calling");
  const ask = () => canNotify() && Notification.permission === "default" && Notification.requestPermission();
  setting?.addEventListener("change", () => setting.checked && ask());
  if (!question || stored("call") !== null || !canNotify() || Notification.permission === "denied") return;
  document.addEventListener("acted", () => (question.hidden = false), { once: true }); // after the first turn
  question.addEventListener("click", (event) => {
    const answer = event.target.closest("[data-call]")?.dataset.call;
    if (!answer) return;
    store("call", answer);
    if (setting) setting.checked = answer === "on";
    if (answer === "on") ask();
    question.remove();
  });
}
