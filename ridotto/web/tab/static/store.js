// What this browser keeps of a table in a tab: bytes by name, in IndexedDB. Where there is none, everything lasts as long as the tab.

const NAME = "ridotto";
const NAMES = ["secret", "cookies", "database"];

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(NAME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// Keep bytes under a name.
export async function keep(name, bytes) {
  const store = (await open()).transaction(NAME, "readwrite").objectStore(NAME);
  await done(store.put(bytes, name));
}

// All that was kept; `fault` says why nothing can be.
export async function loadKept() {
  try {
    const store = (await open()).transaction(NAME).objectStore(NAME);
    const values = await Promise.all(NAMES.map((name) => done(store.get(name))));
    return { kept: Object.fromEntries(NAMES.map((name, at) => [name, values[at]]).filter(([, value]) => value)), fault: "" };
  } catch (error) {
    return { kept: {}, fault: String(error) };
  }
}
