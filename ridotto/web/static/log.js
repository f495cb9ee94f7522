// The log of a table: new lines and chapters, chapters that fold, and pieces that light up when a line names them.

import { $, $$ } from "./page.js";

// Add lines to a chapter, or a new chapter: then the one before is folded, unless the reader has opened it.
export function addToLog({ id, lines, chapter }) {
  if (lines) return $("ol", document.getElementById(id)).insertAdjacentHTML("afterbegin", lines);
  const last = $("#log details");
  if (last && !last.dataset.kept) last.open = false;
  $("#log h2").insertAdjacentHTML("afterend", chapter);
}

// Attend to the log of a table.
export function initLog() {
  const log = $("#log");
  log.addEventListener("click", (event) => {
    const chapter = event.target.closest("summary")?.parentElement;
    if (chapter) chapter.dataset.kept = "on";
  });
  log.addEventListener("pointerover", (event) => {
    const line = event.target.closest("[data-line]")?.textContent ?? "";
    for (const one of $$("#board [data-key]")) {
      const name = $("title", one)?.textContent.split(/[,:(]/)[0].trim();
      one.classList.toggle("highlighted", Boolean(name && line.includes(name)));
    }
  });
  log.addEventListener("pointerleave", () => {
    for (const one of $$(".highlighted")) one.classList.remove("highlighted");
  });
}
