// Keeps the files of a tab, all of one version, so that it needs no network after the first visit. A new version waits until the
// reader asks for it.

const VERSION = "$version";
const FILES = $files;
const CACHE = `ridotto ${VERSION}`;
const SCOPE = new URL("./", self.location.href).href;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((name) => new Request(SCOPE + name, { cache: "no-cache" })))));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("ridotto ") && name !== CACHE) await caches.delete(name);
    }
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const address = event.request.url.split(/[?#]/)[0];
  if (event.request.method !== "GET" || !address.startsWith(SCOPE)) return;
  const name = address.slice(SCOPE.length);
  if (!FILES.includes(name)) return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(SCOPE + name)).then((kept) => kept ?? fetch(event.request)));
});

addEventListener("message", ({ data }) => data === "take over" && skipWaiting());
