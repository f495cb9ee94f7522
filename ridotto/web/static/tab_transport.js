// A transport to the worker of a table in a tab, through the document around the page: the functions of `createHttpTransport`.

const AGAIN = 1000; // milliseconds before a stream that ended is opened again
const tab = () => window.parent.ridotto;

// The transport of a page in the frame of a tab.
export function createTabTransport() {
  const text = { "content-type": "application/json" };
  const form = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  return {
    getJson: (address) => request("GET", address, {}, JSON.parse),
    getText: (address) => (address.startsWith("blob:") ? held(address) : request("GET", address, {}, String)),
    postJson: (address, data) => request("POST", address, { headers: text, body: JSON.stringify(data) }, JSON.parse),
    postForm: (address, data) => request("POST", address, { headers: form, body: String(new URLSearchParams(data)) }, JSON.parse),
    subscribe,
    go: (address) => tab().go(address),
    reload: () => tab().reload(),
    submit: (element) => tab().submit(element),
    showAddress: (address) => tab().showAddress(address),
    address: () => tab().address(),
  };
}

// A file that the browser holds.
async function held(address) {
  const answer = await fetch(address);
  return { ok: answer.ok, status: answer.status, data: await answer.text(), header: () => null };
}

async function request(method, address, options, read) {
  const { status, headers, body } = await tab().request(method, address, options);
  let data = null;
  try {
    data = read(new TextDecoder().decode(body));
  } catch { /* not what was asked for */ }
  return { ok: status >= 200 && status < 300, status, data, header: (name) => headers[name] ?? null };
}

function subscribe({ address, events, onOpen, onError }) {
  let end = null;
  let retry = 0;

  function open() {
    close();
    end = tab().subscribe(address(), { events, onEnd });
    onOpen();
  }

  function onEnd() {
    end = null;
    retry = setTimeout(open, AGAIN);
    onError();
  }

  function close() {
    clearTimeout(retry);
    end?.();
    end = null;
  }

  addEventListener("pagehide", close);
  open();
  return { close, reopen: open };
}
