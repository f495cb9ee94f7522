// The document around the pages of a table in a tab. It starts the worker in which the table lives, shows the pages that the
// worker makes, one at a time in a frame, and passes on what they ask.

import { WORDS } from "./words.js";

const BASE = location.href.split("#")[0];
const LOCK = `ridotto ${new URL(".", BASE).pathname}`; // who has it has the table
const requests = new Map(); // by number: what is called with the answer
const streams = new Map(); // by number: the listeners of a live connection
const $ = (selector) => document.querySelector(selector);
let worker = null;
let number = 0;
let frame = null; // the page that is shown
let here = ""; // its address
let asked = 0; // the number of the page that was asked for last

const words = WORDS[(navigator.languages ?? [navigator.language]).map((one) => one.slice(0, 2)).find((one) => one in WORDS) ?? "en"];
const say = (name, values = {}) => words[name].replace(/{(\w+)}/g, (_, key) => values[key]);

// What the worker says.
const heard = {
  ready: () => go(addressHere(), { isNew: false }),
  answer: ({ id, ...answer }) => take(requests, id)(answer),
  event: ({ id, name, data }) => streams.get(id)?.events[name]?.(data),
  ended: ({ id }) => take(streams, id)?.onEnd(),
  kept: ({ isKept }) => (document.body.dataset.kept = isKept),
  fault({ what, error }) {
    console.error(what, error);
    if (what === "storage") offer(say("forgets"));
    else if (what === "start") wait(/memory/i.test(error) ? say("memory") : say("failed", { reason: error.trim().split("\n").at(-1) }));
  },
};

// Whether this browser can do it; else the name of what it lacks.
function lacking() {
  if (typeof WebAssembly !== "object" || !WebAssembly.instantiateStreaming) return "WebAssembly";
  if (!window.Worker || !("noModule" in document.createElement("script"))) return "module workers";
  return window.indexedDB ? "" : "IndexedDB";
}

// Say something where the pages would be, with a button perhaps.
function wait(sentence, button = "", onClick = null) {
  $("#waiting").hidden = false;
  $("#waiting p").textContent = sentence;
  $("#waiting progress").hidden = sentence !== say("loading");
  $("#waiting button").hidden = !button;
  $("#waiting button").textContent = button;
  $("#waiting button").onclick = onClick;
}

// Say something below the page, until it is put away; with something to do perhaps.
function offer(sentence, button = "", onClick = null) {
  const bar = $("#offer");
  const [does, later] = bar.querySelectorAll("button");
  bar.hidden = false;
  bar.querySelector("span").textContent = sentence;
  Object.assign(does, { hidden: !button, textContent: button, onclick: onClick });
  Object.assign(later, { textContent: button ? say("later") : "×", onclick: () => (bar.hidden = true) });
}

// One tab at a time has the table. Whoever takes it over ends it in the other one, which has kept everything.
function begin(given = { ifAvailable: true }) {
  wait(say("loading"));
  const lacks = lacking();
  if (lacks) return wait(say("lacks", { what: lacks }));
  if (!navigator.locks) return start();
  navigator.locks.request(LOCK, given, (lock) => {
    if (!lock) return wait(say("elsewhere"), say("here"), () => begin({ steal: true }));
    start();
    return new Promise(() => {});
  }).catch(end);
}

function start() {
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => heard[data.kind](data));
  worker.addEventListener("error", (event) => heard.fault({ what: "start", error: event.message || "?" }));
  const workers = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
  worker.postMessage({ kind: "start", address: `${BASE}#`, workers });
}

function end() {
  worker?.terminate();
  for (const one of document.querySelectorAll("iframe")) one.remove();
  frame = null;
  wait(say("elsewhere"), say("here"), () => location.reload());
}

function take(map, key) {
  const one = map.get(key);
  map.delete(key);
  return one;
}

// Ask the worker. The answer has its address, its status, its headers and a body of bytes.
function request(method, address, { headers = {}, body = "", follow = false } = {}) {
  const id = (number += 1);
  const asked = { "accept-language": navigator.languages?.join(",") ?? navigator.language, ...headers };
  return new Promise((resolve) => {
    requests.set(id, resolve);
    worker.postMessage({ kind: "request", id, method, address: pathOf(address), headers: asked, body, follow });
  });
}

// Listen to a live connection until it is closed.
function subscribe(address, listener) {
  const id = (number += 1);
  streams.set(id, listener);
  worker.postMessage({ kind: "subscribe", id, address: pathOf(address) });
  return () => {
    streams.delete(id);
    worker.postMessage({ kind: "close", id });
  };
}

// The address of a page in that of this document, after its first #.
const addressHere = () => location.hash.slice(1) || "/";

// The path and what follows of an address that may have been resolved against that of this document.
function pathOf(address) {
  const text = address.startsWith(`${BASE}#`) ? address.slice(BASE.length + 1) : address;
  const { pathname, search, hash } = new URL(text, location.origin);
  return pathname + search + hash;
}

// Go to a page. With `isNew`, it comes after this one in the history; else it takes its place.
async function go(address, { method = "GET", body = "", isNew = true } = {}) {
  const mine = (asked += 1);
  const [path, fragment = ""] = pathOf(address).split("#");
  const headers = { accept: "text/html" };
  if (body) headers["content-type"] = "application/x-www-form-urlencoded";
  const answer = await request(method, path, { headers, body, follow: true });
  if (mine !== asked) return;
  const kind = answer.headers["content-type"] ?? "";
  if (answer.headers["content-disposition"]?.startsWith("attachment") || (answer.status === 200 && !kind.startsWith("text/html"))) {
    return download(answer);
  }
  const shown = answer.address + (fragment && !answer.address.includes("#") ? `#${fragment}` : "");
  if (isNew && shown !== here) history.pushState(null, "", `#${shown}`);
  else history.replaceState(null, "", `#${shown}`);
  show(new TextDecoder().decode(answer.body), shown);
}

function download({ body, headers, address }, given = "") {
  const name = given || headers["content-disposition"]?.match(/filename="(.*?)"/)?.[1] || address.split("/").pop().split("?")[0];
  const href = URL.createObjectURL(new Blob([body], { type: headers["content-type"] }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

// Show a page: the one before stays until this one is there.
function show(html, address) {
  here = address;
  const next = document.createElement("iframe");
  next.title = "Ridotto";
  next.srcdoc = html;
  next.addEventListener("load", () => {
    const page = next.contentDocument;
    document.title = page.title;
    document.documentElement.lang = page.documentElement.lang;
    new MutationObserver(() => (document.title = page.title)).observe(page.querySelector("title"), { childList: true });
    const fragment = address.split("#")[1];
    if (fragment) page.getElementById(decodeURIComponent(fragment))?.scrollIntoView();
    frame?.remove();
    frame = next;
    next.classList.add("shown");
    $("#waiting").hidden = true;
    next.contentWindow.focus();
    document.body.dataset.shown = address;
  }, { once: true });
  document.body.append(next);
  attend(next);
}

// Links and forms of a page lead through the worker. The page's own listeners come first.
function attend(one) {
  const watch = () => {
    const page = one.contentDocument;
    if (!page || page.URL !== "about:srcdoc" || page.documentElement.dataset.attended) return;
    page.documentElement.dataset.attended = "yes";
    one.contentWindow.addEventListener("click", onClick);
    one.contentWindow.addEventListener("submit", onSubmit);
    one.contentWindow.addEventListener("dragover", (event) => event.preventDefault());
    one.contentWindow.addEventListener("drop", onDrop);
  };
  one.addEventListener("load", watch, { once: true });
}

function onClick(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button) return;
  const href = link.getAttribute("href");
  if (/^(blob|data|https?|mailto):/.test(href) && !href.startsWith(BASE)) return;
  event.preventDefault();
  if (href.startsWith("#")) {
    const aim = link.ownerDocument.getElementById(decodeURIComponent(href.slice(1)));
    aim?.scrollIntoView();
    aim?.focus({ preventScroll: true });
  } else if (event.ctrlKey || event.metaKey || event.shiftKey) {
    open(`${BASE}#${pathOf(href)}`, "_blank", "noopener");
  } else if (link.hasAttribute("download")) {
    request("GET", href, { follow: true }).then((answer) => download(answer, link.download));
  } else {
    go(href);
  }
}

function onSubmit(event) {
  if (event.defaultPrevented) return;
  event.preventDefault();
  submit(event.target, event.submitter);
}

function submit(form, submitter = null) {
  const data = new URLSearchParams(new FormData(form, submitter));
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? here;
  if ((submitter?.formMethod || form.method) === "post") return go(action, { method: "POST", body: data.toString() });
  const [path] = pathOf(action).split("?");
  go(`${path}?${data}`);
}

addEventListener("popstate", () => addressHere() !== here && go(addressHere(), { isNew: false }));
addEventListener("visibilitychange", () => document.hidden && worker?.postMessage({ kind: "save" }));

// What the pages in the frame have instead of a server: see static/tab_transport.js.
window.ridotto = {
  request, subscribe, go, submit,
  reload: () => go(here, { isNew: false }),
  showAddress: (address) => history.replaceState(null, "", `#${(here = address)}`),
  address: () => `${BASE}#${here}`,
};

// A record that is dropped on a page is opened. The page's own form brings its nonce.
function onDrop(event) {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  const nonce = frame.contentDocument.body.dataset.nonce;
  file.text().then((record) => go("/records", { method: "POST", body: String(new URLSearchParams({ nonce, record })) }));
}

// The files are kept for the next visit. A new version is offered, never forced.
async function keepFiles() {
  if (!navigator.serviceWorker) return;
  const offerUpdate = (waiting) => {
    const onClick = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage("take over");
    };
    offer(say("update"), say("load"), onClick);
  };
  try {
    const registration = await navigator.serviceWorker.register("./service_worker.js");
    if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const fresh = registration.installing;
      fresh.addEventListener("statechange", () => {
        if (fresh.state === "installed" && navigator.serviceWorker.controller) offerUpdate(fresh);
      });
    });
    await navigator.serviceWorker.ready;
    document.body.dataset.offline = "ready";
  } catch (error) {
    console.warn(error); // a private window, perhaps: then it needs the network at the next visit
  }
}

begin();
keepFiles();
