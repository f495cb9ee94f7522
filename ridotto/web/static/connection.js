// The connection of a table's page: it brings differences, each from one numbered state to the next. Where one is missing,
// everything is asked for anew. A browser has six connections to a host for all its tabs: a tab that is not seen gives its own
// back, checks the table now and then, and opens one again, for one message, when something has changed there.

import { $, here } from "./page.js";

const SOON = 3000; // milliseconds before a tab that is not seen gives its connection back
const NOW_AND_THEN = 15000; // milliseconds between two checks of a tab that is not seen
const OFFLINE = 1200; // milliseconds without a connection before the reader is told

// Keep a table connected for as long as its page is open.
export function initConnection({ transport, beats, table }) {
  let stream = null;
  let version = null; // of the table, when it was last checked
  let checking = 0;
  let offline = 0;

  // The number of the last state that has been received, or "" to ask for everything.
  const lastNumber = () => beats.waiting.at(-1)?.number ?? table.number;

  function onVisibility() {
    clearTimeout(checking);
    if (document.hidden) checking = setTimeout(check, stream ? SOON : 0);
    else if (!stream) open();
  }

  function open() {
    stream = transport.subscribe({
      address: () => `${here}/live?ply=${beats.latest}&state=${lastNumber()}`,
      events: { table: onTable, talk: (detail) => document.dispatchEvent(new CustomEvent("talk", { detail })) },
      onOpen() {
        clearOffline();
        $("#offline").hidden = true;
      },
      // From the first error on, however often it is tried.
      onError: () => (offline ||= setTimeout(() => ($("#offline").hidden = false), OFFLINE)),
    });
  }

  function close() {
    stream?.close();
    stream = null;
    clearOffline();
  }

  function clearOffline() {
    clearTimeout(offline);
    offline = 0;
  }

  function onTable(change) {
    if (change.since !== undefined && change.since !== Number(lastNumber())) {
      beats.catchUp();
      table.number = "";
      return stream.reopen();
    }
    document.dispatchEvent(new CustomEvent("table", { detail: change }));
    beats.receive(change);
    if (document.hidden && version !== null) close();
  }

  async function check() {
    close();
    const { ok, data } = await transport.getJson(`${here}/glance`);
    if (!document.hidden || stream) return;
    if (ok && data && data.version !== version) {
      version = data.version;
      open();
    }
    checking = setTimeout(check, NOW_AND_THEN);
  }

  onVisibility();
  document.addEventListener("visibilitychange", onVisibility);
}
