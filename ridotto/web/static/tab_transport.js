// A transport to the worker of a table in a tab, through the document around the page: the functions of `createHttpTransport`.

const tab = () => window.parent.ridotto;

export function createTabTransport() {
  const text = { "content-type": "application/json" };
  const form = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  return {
    getJson: (address) => request("GET", address, {}, JSON.parse),
    getText: (address) => request("GET", address, {}, String),
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

  function open() {
    close();
    end = tab().subscribe(address(), { events, onEnd: onError });
    onOpen();
  }

  function close() {
    end?.();
    end = null;
  }

  addEventListener("pagehide", close);
  open();
  return { close, reopen: open };
}
