// A deal that nobody can choose: this browser's share of it, the receipt that it keeps, and working out every draw again.
// docs/fair-deal.md has the protocol. The first part needs no page and no network; crypto.subtle is missing where a table is
// reached over plain http in one's own network, so SHA-256 stands here.
"use strict";

const fair = (() => {
  const PRIMES = [];
  for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
  const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const bytesOf = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");

  // SHA-256 of bytes, as bytes (FIPS 180-4).
  function digest(bytes) {
    const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const data = new DataView(padded.buffer);
    data.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    data.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
    const state = [...START];
    const words = new Uint32Array(64);
    const turn = (word, by) => (word >>> by) | (word << (32 - by));
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) {
          words[i] = data.getUint32(at + 4 * i);
          continue;
        }
        const [early, late] = [words[i - 15], words[i - 2]];
        const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
        words[i] = words[i - 16] + low + words[i - 7] + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i];
        const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
    }
    const found = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => found.setUint32(4 * i, word));
    return new Uint8Array(found.buffer);
  }

  const sha256 = (text) => hex(digest(bytesOf(text)));

  function hmac(key, text) {
    const block = new Uint8Array(64);
    block.set(bytesOf(key)); // our keys are 64 digits, exactly a block
    const inner = digest(new Uint8Array([...block.map((one) => one ^ 0x36), ...bytesOf(text)]));
    return hex(digest(new Uint8Array([...block.map((one) => one ^ 0x5c), ...inner])));
  }

  // The protocol.

  const commitToShare = (share) => sha256(`ridotto share ${share}`);
  const commitToSecret = (match, secret) => sha256(`ridotto secret ${match} ${secret}`);

  function keyOf(deal) {
    const shares = deal.shares.map((share, seat) => share ?? hmac(deal.secret, `ridotto share ${seat}`));
    return sha256(`ridotto key ${deal.match} ${deal.secret} ${shares.join(" ")}`);
  }

  function draw(key, ply, number, outcomes) {
    const end = 2 ** 48 - (2 ** 48 % outcomes);
    for (let attempt = 0; ; attempt++) {
      const drawn = parseInt(hmac(key, `${ply} ${number} ${attempt}`).slice(0, 12), 16);
      if (drawn < end) return drawn % outcomes;
    }
  }

  // The chain of the log: as Python writes canonical JSON.

  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  function brokenEntry(record) {
    const { format, version, game, rules, box, seats, options } = record;
    let head = sha256(canonical({ format, version, game, rules, box, seats, options }));
    for (const [ply, { hash, ...content }] of record.entries.entries()) {
      head = hex(digest(new Uint8Array([...unhex(head), ...unhex(sha256(canonical(content)))])));
      if (head !== hash || content.ply !== ply) return ply;
    }
    return record.head === head ? null : record.entries.length;
  }

  // As Python reads it: a share for every seat, or null where the server's stands in, and nothing but 256 bits in digits.
  function isWellFormed({ match, secret, commitment, commitments, shares }, seats) {
    if (![commitments, shares].every((list) => Array.isArray(list) && list.length === seats)) return false;
    const numbers = [secret, commitment, ...[...commitments, ...shares].filter((one) => one !== null)];
    return /^[\w-]{1,64}$/.test(match) && numbers.every((one) => typeof one === "string" && /^[0-9a-f]{64}$/.test(one));
  }

  // What is not as it should be, as [what, values] for each: the same that `ridotto verify` finds. An error says that there is nothing to verify.
  function verify(record, receipt = null) {
    if (record?.format !== "ridotto record" || !Array.isArray(record.entries)) throw new Error("record");
    if (receipt !== null && receipt?.format !== "ridotto receipt") throw new Error("receipt");
    const deal = record.deal;
    if (!deal) throw new Error("undealt");
    if (!deal.secret) throw new Error("unfinished");
    if (!isWellFormed(deal, record.seats)) throw new Error("record");
    const wrong = [];
    const broken = brokenEntry(record);
    if (broken !== null) return { wrong: [["chain", { ply: broken }]], draws: 0 };
    if (record.entries[0]?.position && deal.commitments.some((one) => one !== null)) wrong.push(["begun", {}]);
    if (commitToSecret(deal.match, deal.secret) !== deal.commitment) wrong.push(["secret", {}]);
    deal.shares.forEach((share, seat) => {
      if (share !== null && commitToShare(share) !== deal.commitments[seat]) wrong.push(["share", { seat }]);
    });
    const key = keyOf(deal);
    let draws = 0;
    const differs = () => {
      for (const [ply, entry] of record.entries.entries()) {
        const counts = deal.outcomes?.[ply] ?? [];
        if (counts.length !== entry.draws.length) return ["draw", { ply, number: counts.length + 1, drawn: entry.draws.length, expected: counts.length, outcomes: "?" }];
        for (const [at, outcomes] of counts.entries()) {
          const expected = draw(key, ply, at, outcomes);
          draws++;
          if (expected !== entry.draws[at]) return ["draw", { ply, number: at + 1, drawn: entry.draws[at], expected, outcomes }];
        }
      }
      return null;
    };
    const found = differs();
    if (found) wrong.push(found);
    return { wrong: receipt ? [...wrong, ...compare(record, deal, receipt)] : wrong, draws };
  }

  function compare(record, deal, receipt) {
    if (receipt.match !== deal.match || receipt.commitments.length !== deal.commitments.length) return [["other", {}]];
    const wrong = [];
    if (receipt.commitment !== deal.commitment) wrong.push(["swapped", {}]);
    receipt.commitments.forEach((kept, seat) => {
      if (kept !== deal.commitments[seat]) wrong.push(["committed", { seat }]);
    });
    const own = deal.shares[receipt.seat];
    if (own === null) wrong.push(["left", {}]);
    else if (own !== receipt.share) wrong.push(["replaced", {}]);
    if (receipt.head && record.entries[receipt.head.ply]?.hash !== receipt.head.hash) wrong.push(["log", { ply: receipt.head.ply }]);
    return wrong;
  }

  return { sha256, hmac, draw, keyOf, commitToShare, commitToSecret, verify, hex };
})();

// This browser's part in a deal: it commits to a share when somebody sits down, and shows it when all have committed.

(() => {
  const SHARE = "ridotto.share.";
  const RECEIPT = "ridotto.receipt.";
  const KEPT = 40; // receipts
  const table = document.body.dataset.table;
  const nonce = () => document.body.dataset.nonce;
  const read = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const write = (name, value) => {
    try { return localStorage.setItem(name, value), true; } catch { return false; }
  };
  const receiptOf = (match) => JSON.parse(read(RECEIPT + match) ?? "null");

  function committed() {
    const share = fair.hex(crypto.getRandomValues(new Uint8Array(32)));
    const commitment = fair.commitToShare(share);
    return write(SHARE + commitment, share) ? commitment : null;
  }

  const showing = new Map(); // by table: this page shows its share once, and whoever leaves the page waits until that is done

  // A share is for one match: whoever has seen it could choose the secret of another one to suit it.
  const shareFor = (id, commitment) => {
    const [share, shownAt = id] = (read(SHARE + commitment) ?? "").split(" ");
    return shownAt === id ? share : "";
  };

  // Only what everybody was told is kept: a commitment that is not there any more has been left out, and nothing is shown.
  async function takePart(id, deal) {
    const seat = deal.commitments.findIndex((one) => one && shareFor(id, one));
    if (seat < 0 || deal.match !== id || deal.shares[seat]) return;
    if (!showing.has(id)) showing.set(id, show(id, deal, seat));
    await showing.get(id);
  }

  async function show(id, { match, commitment, commitments }, seat) {
    const share = shareFor(id, commitments[seat]);
    const before = receiptOf(id);
    if (before && before.commitment !== commitment) return; // a second commitment of the server: it gets no share for that one
    if (!write(SHARE + commitments[seat], `${share} ${id}`)) return;
    keep({ format: "ridotto receipt", version: 1, match, seat, commitment, commitments, share, head: null });
    const headers = { "content-type": "application/json" };
    await fetch(`/t/${id}/share`, { method: "POST", headers, body: JSON.stringify({ share, nonce: nonce() }) }).catch(() => {});
  }

  function keep(receipt) {
    write(RECEIPT + receipt.match, JSON.stringify(receipt));
    const known = (JSON.parse(read("ridotto.receipts") ?? "[]")).filter((one) => one !== receipt.match);
    for (const old of known.splice(0, known.length + 1 - KEPT)) {
      const commitments = receiptOf(old)?.commitments ?? [];
      for (const one of [RECEIPT + old, ...commitments.map((commitment) => SHARE + commitment)]) localStorage.removeItem(one);
    }
    write("ridotto.receipts", JSON.stringify([...known, receipt.match]));
  }

  // Sitting down, wherever that is done: the form brings a commitment, and if all have committed, the share follows before the page is left.
  const SITS = /^\/(tables|t\/[^/]+\/(sit(\/[^/]+)?|rematch))$/;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const { pathname } = new URL(form.action, location.href);
    if (event.defaultPrevented || form.method !== "post" || !SITS.test(pathname)) return;
    const commitment = committed();
    if (!commitment) return; // nowhere to keep a share: the server's stands in
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "yes";
    sit(form, new FormData(form, event.submitter), commitment, event.submitter);
  });

  async function sit(form, data, commitment, submitter) {
    data.set("commitment", commitment);
    try {
      const answer = await fetch(form.action, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(data) });
      if (answer.ok && answer.headers.get("content-type")?.startsWith("application/json")) {
        const { to } = await answer.json();
        const id = to.match(/^\/t\/([^/?#]+)$/)?.[1];
        const told = id ? await fetch(`/t/${id}/deal`).then((found) => (found.ok ? found.json() : {})) : {};
        if (told.wanted) await takePart(id, told.deal);
        return location.assign(to);
      }
    } catch { /* the form itself says what is wrong */ }
    delete form.dataset.sent;
    if (submitter?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
    form.submit();
  }
  addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

  // At the table: show the share when it is wanted, and keep the hash of the latest entry.
  const ask = document.getElementById("ask");
  if (table && ask) {
    let asked = "";
    const look = () => {
      const wanted = ask.querySelector("[data-deal]")?.dataset.deal ?? "";
      if (wanted && wanted !== asked) takePart(table, JSON.parse(wanted));
      asked = wanted;
    };
    new MutationObserver(look).observe(ask, { childList: true, subtree: true });
    look();
    document.addEventListener("table", ({ detail: { head, ply } }) => {
      const receipt = head && receiptOf(table);
      if (receipt) keep({ ...receipt, head: { ply: ply - 1, hash: head } });
    });
  }

  // The receipt as a file.
  const offer = () => {
    for (const one of document.querySelectorAll("[data-fair]")) {
      const button = one.querySelector("[data-receipt]");
      if (button.hidden && receiptOf(one.dataset.fair)) button.hidden = false;
    }
  };
  if (table) new MutationObserver(offer).observe(document.body, { childList: true, subtree: true }), offer();
  document.addEventListener("click", (event) => {
    const id = event.target.closest("[data-receipt]")?.closest("[data-fair]")?.dataset.fair;
    if (id) download(`receipt-${id}.json`, JSON.stringify(receiptOf(id), null, 1));
  });

  function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // The page on which a match is verified: of two files, or of the table that its address names.
  const page = document.getElementById("verify");
  if (page) {
    const files = { record: page.querySelector("#verify-record"), receipt: page.querySelector("#verify-receipt") };
    const output = page.querySelector("output");
    const given = { record: null, receipt: null };
    const say = (name, values = {}) => page.querySelector(`[data-say="${name}"]`).textContent.replace(/{(\w+)}/g, (_, key) => values[key]);
    const line = (text, kind) => output.append(Object.assign(document.createElement("p"), { textContent: text, className: kind }));

    const show = () => {
      output.replaceChildren();
      if (!given.record) return;
      try {
        const { wrong, draws } = fair.verify(given.record, given.receipt);
        for (const [what, values] of wrong) line(say(what, values), "wrong");
        if (!wrong.length) line(say("right", { number: draws }), "right");
        if (!given.receipt) line(say("no-receipt"), "note");
        else if (!wrong.length) line(say("with-receipt"), "note");
        const standing = given.record.deal.shares.flatMap((share, seat) => (share === null ? [seat] : []));
        if (standing.length) line(say("standing", { seats: standing.join(", ") }), "note");
        if (given.record.entries[0].position) line(say("position"), "note");
      } catch (error) {
        const known = page.querySelector(`[data-say="${CSS.escape(error.message)}"]`);
        line(say(known ? error.message : "record"), "wrong");
      }
    };
    for (const [name, input] of Object.entries(files)) {
      input.addEventListener("change", async () => {
        const text = await input.files[0]?.text();
        try {
          given[name] = text ? JSON.parse(text) : null;
        } catch {
          given[name] = { format: "" };
        }
        show();
      });
    }
    const id = location.hash.slice(1);
    if (/^[\w-]{22}$/.test(id) && location.protocol.startsWith("http")) {
      fetch(`/t/${id}/record`).then((answer) => answer.json()).then((record) => {
        Object.assign(given, { record, receipt: receiptOf(id) });
        show();
      }).catch(() => line(say("record"), "wrong"));
    }
  }
})();
