// The document around the pages of a table in a tab. It starts the worker in which the table lives, shows the pages that the
// worker makes, one at a time in a frame, and passes on what they ask.

const BASE = location.href.split("#")[0];
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const requests = new Map(); // by number: what is called with the answer
const streams = new Map(); // by number: the listeners of a live connection
const waiting = document.getElementById("waiting");
let number = 0;
let frame = null; // the page that is shown
let here = ""; // its address
let isLeaving = 0; // the number of the page that is asked for

// What the worker says.
const heard = {
  stage: ({ stage }) => (waiting.dataset.stage = stage),
  ready: () => go(addressHere(), { isNew: false }),
  answer: ({ id, ...answer }) => take(requests, id)(answer),
  event: ({ id, name, data }) => streams.get(id)?.events[name]?.(data),
  ended: ({ id }) => streams.get(id)?.onEnd(),
  kept: ({ isKept }) => (document.body.dataset.kept = isKept),
  fault: ({ what, error }) => {
    document.body.dataset.fault = what;
    console.error(error);
  },
};
worker.addEventListener("message", ({ data }) => heard[data.kind](data));
worker.postMessage({ kind: "start", address: `${BASE}#`, workers: Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1)) });

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
  const asked = (isLeaving += 1);
  const [path, fragment = ""] = pathOf(address).split("#");
  const headers = { accept: "text/html" };
  if (body) headers["content-type"] = "application/x-www-form-urlencoded";
  const answer = await request(method, path, { headers, body, follow: true });
  if (asked !== isLeaving) return;
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
    waiting.hidden = true;
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
addEventListener("visibilitychange", () => document.hidden && worker.postMessage({ kind: "save" }));

// What the pages in the frame have instead of a server: see static/tab_transport.js.
window.ridotto = {
  request, subscribe, go, submit,
  reload: () => go(here, { isNew: false }),
  showAddress: (address) => history.replaceState(null, "", `#${(here = address)}`),
  address: () => `${BASE}#${here}`,
};
