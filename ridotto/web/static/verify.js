// The page on which a match is verified: of two files, or of the table that its address names. It is also a file of its own,
// with `fair.js`, that works without a server: so it needs nothing else.

import { verify } from "./fair.js";

// Attend to the page, if it is this one.
export function initVerify({ transport, receiptOf }) {
  const page = document.getElementById("verify");
  if (!page) return;
  const files = { record: page.querySelector("#verify-record"), receipt: page.querySelector("#verify-receipt") };
  const output = page.querySelector("output");
  const given = { record: null, receipt: null };
  const sentence = (name, values = {}) => page.querySelector(`[data-say="${name}"]`).textContent.replace(/{(\w+)}/g, (_, key) => values[key]);
  const addLine = (text, kind) => output.append(Object.assign(document.createElement("p"), { textContent: text, className: kind }));

  function update() {
    output.replaceChildren();
    if (!given.record) return;
    try {
      showResult();
    } catch (error) {
      const isKnown = page.querySelector(`[data-say="${CSS.escape(error.message)}"]`);
      addLine(sentence(isKnown ? error.message : "record"), "wrong");
    }
  }

  function showResult() {
    const { record, receipt } = given;
    const { wrong, draws } = verify(record, receipt);
    for (const [name, values] of wrong) addLine(sentence(name, values), "wrong");
    if (!wrong.length) addLine(sentence("right", { number: draws }), "right");
    if (!receipt) addLine(sentence("no-receipt"), "note");
    else if (!wrong.length) addLine(sentence("with-receipt"), "note");
    const standing = record.deal.shares.flatMap((share, seat) => (share === null ? [seat] : []));
    if (standing.length) addLine(sentence("standing", { seats: standing.join(", ") }), "note");
    if (record.entries[0].position) addLine(sentence("position"), "note");
  }

  for (const [name, input] of Object.entries(files)) {
    input.addEventListener("change", async () => {
      const text = await input.files[0]?.text();
      try {
        given[name] = text ? JSON.parse(text) : null;
      } catch {
        given[name] = { format: "" };
      }
      update();
    });
  }

  const id = location.hash.slice(1);
  if (!transport || !/^[\w-]{22}$/.test(id)) return;
  transport.getJson(`/t/${id}/record`).then(({ data }) => {
    if (!data) return addLine(sentence("record"), "wrong");
    Object.assign(given, { record: data, receipt: receiptOf(id) });
    update();
  });
}
