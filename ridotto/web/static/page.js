// What every page has: its elements, forms that bring the nonce, links that are copied or shared, and a menu that closes.

export const body = document.body;
export const $ = (selector, inside = document) => inside.querySelector(selector);
export const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// The address of the table or the step of a lesson that this page is of, or "".
export const here = body.dataset.here ?? (body.dataset.table ? `/t/${body.dataset.table}` : "");
export const nonce = body.dataset.nonce;

// The part of an address that says what a reader has decided and not confirmed yet.
export const draftQuery = (first = "&") => (body.dataset.draft ? `${first}draft=${encodeURIComponent(body.dataset.draft)}` : "");

// The nodes that some HTML describes.
export function parseHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// An element with properties.
export const create = (name, properties) => Object.assign(document.createElement(name), properties);

// Attend to the forms, links and the menu of a page.
export function initPage() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.classList.contains("picker")) return event.preventDefault();
    if (form.method !== "post") return;
    const button = event.submitter;
    if (button?.dataset.sure && !isConfirmed(button, button.dataset.sure)) return event.preventDefault();
    if (!form.elements.nonce) form.append(create("input", { type: "hidden", name: "nonce", value: nonce }));
    // Seats that nobody takes are not sent.
    for (const seat of $$("select[name^=seat]", form)) seat.disabled = seat.value === "";
  });

  document.addEventListener("keydown", (event) => {
    const menu = $("#settings[open]");
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    if (menu.contains(event.target)) $("summary", menu).focus();
  });
  document.addEventListener("click", (event) => {
    const menu = $("#settings[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
    const copy = event.target.closest("[data-copy]");
    if (copy) copyLink(copy);
    const share = event.target.closest("[data-share]");
    if (share) navigator.share({ url: share.dataset.share, title: document.title }).catch(() => {});
  });
}

async function copyLink(button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = label), 1500);
  } catch {
    button.parentElement.querySelector("input").select();
  }
}

// A button that is pressed for the first time asks; pressed again within a few seconds, it does.
function isConfirmed(button, question) {
  if (button.classList.contains("sure")) return true;
  const label = button.textContent;
  button.classList.add("sure");
  button.textContent = question;
  setTimeout(() => {
    button.classList.remove("sure");
    button.textContent = label;
  }, 3500);
  return false;
}
