// This browser's part in a deal: it commits to a share when somebody sits down, shows it when all have committed, and keeps a
// receipt.

import { commitToShare, hex } from "./fair.js";
import { $, $$, body, create } from "./page.js";
import { store, stored } from "./settings.js";

const SHARE = "ridotto.share.";
const RECEIPT = "ridotto.receipt.";
const RECEIPTS = "ridotto.receipts";
const KEPT = 40; // receipts
const SITS = /^\/(tables|t\/[^/]+\/(sit(\/[^/]+)?|rematch))$/; // where somebody sits down

// The receipt of a match, or null.
export const receiptOf = (match) => JSON.parse(stored(RECEIPT + match) ?? "null");

// A share is for one match: whoever has seen it could choose the secret of another one to suit it.
function shareFor(match, commitment) {
  const [share, shownAt = match] = (stored(SHARE + commitment) ?? "").split(" ");
  return shownAt === match ? share : "";
}

// Commit to a new share; null if there is nowhere to keep it: the server's stands in.
function commit() {
  const share = hex(crypto.getRandomValues(new Uint8Array(32)));
  const commitment = commitToShare(share);
  return store(SHARE + commitment, share) ? commitment : null;
}

// Keep a receipt, and forget the oldest ones with their shares.
function keep(receipt) {
  store(RECEIPT + receipt.match, JSON.stringify(receipt));
  const matches = JSON.parse(stored(RECEIPTS) ?? "[]").filter((one) => one !== receipt.match);
  for (const old of matches.splice(0, matches.length + 1 - KEPT)) {
    const commitments = receiptOf(old)?.commitments ?? [];
    for (const name of [RECEIPT + old, ...commitments.map((one) => SHARE + one)]) localStorage.removeItem(name);
  }
  store(RECEIPTS, JSON.stringify([...matches, receipt.match]));
}

// Take part in the deals of a page.
export function initDeal(transport) {
  const showing = new Map(); // by table: this page shows its share once, and whoever leaves the page waits until that is done

  // Only what everybody was told is kept: a commitment that is not there any more has been left out, and nothing is shown.
  async function takePart(id, deal) {
    const seat = deal.commitments.findIndex((one) => one && shareFor(id, one));
    if (seat < 0 || deal.match !== id || deal.shares[seat]) return;
    if (!showing.has(id)) showing.set(id, showShare(id, deal, seat));
    await showing.get(id);
  }

  async function showShare(id, { match, commitment, commitments }, seat) {
    const share = shareFor(id, commitments[seat]);
    const before = receiptOf(id);
    if (before && before.commitment !== commitment) return; // a second commitment of the server: it gets no share for that one
    if (!store(SHARE + commitments[seat], `${share} ${id}`)) return;
    keep({ format: "ridotto receipt", version: 1, match, seat, commitment, commitments, share, head: null });
    await transport.postJson(`/t/${id}/share`, { share, nonce: body.dataset.nonce });
  }

  // Sitting down, wherever that is done: the form brings a commitment, and if all have committed, the share follows before the
  // page is left.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const { pathname } = new URL(form.action, location.href);
    if (event.defaultPrevented || form.method !== "post" || !SITS.test(pathname)) return;
    const commitment = commit();
    if (!commitment) return;
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "yes";
    sitDown(form, event.submitter, commitment);
  });

  async function sitDown(form, submitter, commitment) {
    const data = new FormData(form, submitter);
    data.set("commitment", commitment);
    const answer = await transport.postForm(form.action, data);
    if (answer.ok && answer.data?.to) {
      const { to } = answer.data;
      const id = to.match(/^\/t\/([^/?#]+)$/)?.[1];
      const table = id && (await transport.getJson(`/t/${id}/deal`));
      if (table?.ok && table.data?.wanted) await takePart(id, table.data.deal);
      return transport.go(to);
    }
    // The form itself says what is wrong.
    delete form.dataset.sent;
    if (submitter?.name) form.append(create("input", { type: "hidden", name: submitter.name, value: submitter.value }));
    transport.submit(form);
  }
  addEventListener("pageshow", () => $$("form[data-sent]").forEach((form) => delete form.dataset.sent));

  // The receipt as a file.
  document.addEventListener("click", (event) => {
    const id = event.target.closest("[data-receipt]")?.closest("[data-fair]")?.dataset.fair;
    if (id) download(`receipt-${id}.json`, JSON.stringify(receiptOf(id), null, 1));
  });

  const { table } = body.dataset;
  if (table) watchTable(table, takePart);
}

// At a table: show the share when it is wanted, keep the hash of the latest entry, and offer the receipt.
function watchTable(table, takePart) {
  const ask = $("#ask");
  let lastDeal = "";
  const onQuestion = () => {
    const deal = $("[data-deal]", ask)?.dataset.deal ?? "";
    if (deal && deal !== lastDeal) takePart(table, JSON.parse(deal));
    lastDeal = deal;
  };
  const offerReceipt = () => {
    for (const one of $$("[data-fair]")) {
      const button = $("[data-receipt]", one);
      if (button.hidden && receiptOf(one.dataset.fair)) button.hidden = false;
    }
  };
  if (ask) {
    new MutationObserver(onQuestion).observe(ask, { childList: true, subtree: true });
    onQuestion();
    document.addEventListener("table", ({ detail: { head, ply } }) => {
      const receipt = head && receiptOf(table);
      if (receipt) keep({ ...receipt, head: { ply: ply - 1, hash: head } });
    });
  }
  new MutationObserver(offerReceipt).observe(body, { childList: true, subtree: true });
  offerReceipt();
}

function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  create("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
