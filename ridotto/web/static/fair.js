// A deal that nobody can choose: the protocol, and working out every draw again. docs/fair-deal.md describes it. It needs no page
// and no network; crypto.subtle is missing where a table is reached over plain http in one's own network, so SHA-256 stands here.

const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const bytesOf = (text) => new TextEncoder().encode(text);
// Bytes as hexadecimal digits.
export const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");

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
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => result.setUint32(4 * i, word));
  return new Uint8Array(result.buffer);
}

// The SHA-256 of a text, in digits.
export const sha256 = (text) => hex(digest(bytesOf(text)));

// The HMAC of a text, with a key in digits (RFC 2104).
export function hmac(key, text) {
  const block = new Uint8Array(64);
  block.set(bytesOf(key)); // our keys are 64 digits, exactly a block
  const inner = digest(new Uint8Array([...block.map((one) => one ^ 0x36), ...bytesOf(text)]));
  return hex(digest(new Uint8Array([...block.map((one) => one ^ 0x5c), ...inner])));
}

// The commitments of a browser to its share, and of the server to its secret.
export const commitToShare = (share) => sha256(`ridotto share ${share}`);
export const commitToSecret = (match, secret) => sha256(`ridotto secret ${match} ${secret}`);

// The key of a deal, once everything is known.
export function keyOf(deal) {
  const shares = deal.shares.map((share, seat) => share ?? hmac(deal.secret, `ridotto share ${seat}`));
  return sha256(`ridotto key ${deal.match} ${deal.secret} ${shares.join(" ")}`);
}

// A draw: one of so many outcomes.
export function draw(key, ply, number, outcomes) {
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

// The first entry whose hash is wrong, or null.
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

// Verify a record, and a receipt. The faults are pairs of a name and values, the same that `ridotto verify` finds. An error says that there is nothing to verify.
export function verify(record, receipt = null) {
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
  const firstFault = () => {
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
  const fault = firstFault();
  if (fault) wrong.push(fault);
  return { wrong: receipt ? [...wrong, ...compare(record, deal, receipt)] : wrong, draws };
}

// Compare the deal of a record with a receipt.
function compare(record, deal, receipt) {
  if (receipt.match !== deal.match || receipt.commitments.length !== deal.commitments.length) return [["other", {}]];
  const wrong = [];
  if (receipt.commitment !== deal.commitment) wrong.push(["swapped", {}]);
  receipt.commitments.forEach((commitment, seat) => {
    if (commitment !== deal.commitments[seat]) wrong.push(["committed", { seat }]);
  });
  const own = deal.shares[receipt.seat];
  if (own === null) wrong.push(["left", {}]);
  else if (own !== receipt.share) wrong.push(["replaced", {}]);
  if (receipt.head && record.entries[receipt.head.ply]?.hash !== receipt.head.hash) wrong.push(["log", { ply: receipt.head.ply }]);
  return wrong;
}
