// What has happened since the reader's last turn: a line for each player, in the order in which they acted first.

import { $$, create } from "./page.js";

// Gather the lines of a list by their players; what nobody did stands for itself.
export function gatherNews(list) {
  const lines = $$("[data-ply]", list).sort((one, other) => one.dataset.ply - other.dataset.ply);
  const rows = new Map();
  const found = [];
  for (const line of lines) {
    const by = line.dataset.seat;
    if (by === undefined) found.push(line);
    else if (rows.has(by)) rows.get(by).append(line);
    else {
      const row = create("li", { className: "by" });
      rows.set(by, row.appendChild(create("ol", {})));
      rows.get(by).append(line);
      found.push(row);
    }
  }
  list.replaceChildren(...found);
}
