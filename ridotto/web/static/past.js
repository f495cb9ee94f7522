// A look back without leaving the table: scenes of earlier entries, as the reader saw them. The board as it is now is laid
// aside meanwhile, and the table waits.

import { $, body, create, here } from "./page.js";
import { byPace, isStill } from "./settings.js";

const HOLDS = { slow: 2200, normal: 1200, fast: 500, now: 500 }; // milliseconds for each entry, when all are watched again

// The past of a table. `beats` says how many entries have been shown, and goes on from there.
export function createPast({ transport, board, beats }) {
  let entry = null; // that is looked at
  let watching = 0;
  const scenes = new Map();

  function scene(number) {
    if (!scenes.has(number)) {
      const asked = transport.getJson(`${here}/replay/scene?ply=${number}`).then(({ ok, data }) => (ok ? data : null));
      scenes.set(number, asked);
      asked.then((data) => data || scenes.delete(number));
    }
    return scenes.get(number);
  }

  // Look at an entry; at the latest one, go back to the table.
  async function open(number) {
    clearTimeout(watching);
    if (number >= beats.ply - 1) {
      leave();
      return beats.next();
    }
    const seen = await scene(number);
    if (!seen) return;
    if (entry === null) board.layAside();
    entry = number;
    body.classList.add("past");
    $("#ask").inert = true;
    board.apply(seen.scene, seen.moves ?? [], !isStill());
    $("#then").replaceChildren(...seen.lines.map((textContent) => create("li", { textContent })));
    $("#announce").textContent = seen.lines.join(" ");
    beats.updateReel();
  }

  // Go back to the table.
  function leave() {
    clearTimeout(watching);
    if (entry === null) return;
    entry = null;
    board.putBack();
    body.classList.remove("past");
    $("#ask").inert = false;
    beats.pause();
  }

  // Go an entry back or on.
  async function step(by) {
    clearTimeout(watching);
    if (entry === null && by > 0) return beats.skip();
    const seen = await scene(entry ?? beats.ply - 1);
    const to = by < 0 ? seen?.before : seen?.after;
    if (to !== undefined && to !== null) await open(to);
    else if (by > 0) {
      leave();
      beats.next();
    }
  }

  // Show everything since the reader's last turn once more.
  async function watch() {
    await open(Number($("#since [data-ply]")?.dataset.ply ?? beats.ply - 1));
    goOn();
  }

  function goOn() {
    if (entry === null) return;
    watching = setTimeout(async () => {
      await step(1);
      goOn();
    }, byPace(HOLDS));
  }

  return { open, leave, step, watch, get entry() { return entry; } };
}
