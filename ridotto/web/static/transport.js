// How a page talks to its server. `main.js` makes one transport and gives it to whatever needs it; in a tab, the one of
// `tab_transport.js` takes its place, which has the same functions. No other script sends or receives anything, or leaves the
// page.

const CUT = [500, 1500]; // milliseconds, least and most, before a stream that was cut is opened again
const REFUSED = 3000; // before one that was refused is

// A transport over HTTP, with server-sent events for what happens by itself.
//
// Requests never throw. They answer `{ ok, status, data, header(name) }`: status 0 means that the server was not reached, and
// data is null where it cannot be read.
export function createHttpTransport() {
  return {
    getJson: (address) => request(address, {}, "json"),
    getText: (address) => request(address, {}, "text"),
    postJson: (address, data) => request(address, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data),
    }, "json"),
    postForm: (address, data) => request(address, {
      method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(data),
    }, "json"),
    subscribe,
    go: (address) => location.assign(address),
    reload: () => location.reload(),
    submit: (form) => form.submit(),
    // Write the address of what the page shows by now.
    showAddress: (address) => history.replaceState(null, "", address),
    // The address of the page, as others can be given it.
    address: () => location.href,
  };
}

async function request(address, options, kind) {
  try {
    const answer = await fetch(address, options);
    const data = await answer[kind]().catch(() => null);
    return { ok: answer.ok, status: answer.status, data, header: (name) => answer.headers.get(name) };
  } catch {
    return { ok: false, status: 0, data: null, header: () => null };
  }
}

// Listen to a stream of events until it is closed. `address()` is asked each time that the stream is opened, since it names
// what the page has seen; `events` has a function for each kind of event, which is given its data.
function subscribe({ address, events, onOpen, onError }) {
  let stream = null;
  let retry = 0;

  function open() {
    close();
    const opened = (stream = new EventSource(address()));
    opened.addEventListener("open", onOpen);
    opened.addEventListener("error", () => {
      if (opened !== stream) return;
      // A browser would open a stream that was cut again by itself, but at the old address.
      const isCut = opened.readyState === EventSource.CONNECTING;
      opened.close();
      clearTimeout(retry);
      retry = setTimeout(open, isCut ? CUT[0] + (CUT[1] - CUT[0]) * Math.random() : REFUSED);
      onError();
    });
    for (const [name, listener] of Object.entries(events)) {
      opened.addEventListener(name, (event) => listener(JSON.parse(event.data)));
    }
  }

  function close() {
    clearTimeout(retry);
    stream?.close();
    stream = null;
  }

  open();
  return { close, reopen: open };
}
