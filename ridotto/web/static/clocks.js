// Clocks that tick. The server says when each will have run down, by its own time.

import { $, $$, body } from "./page.js";

const LITTLE = 60000; // milliseconds

// Let the clocks of a table tick.
export function initClocks() {
  // A message that was shown late makes the server's time seem earlier than it is, never later: the latest estimate wins.
  let ahead = Number(body.dataset.now) - Date.now();
  let hasWarned = false;

  function tick() {
    for (const clock of $$(".clock[data-until]")) {
      const left = Math.max(0, Number(clock.dataset.until) - Date.now() - ahead);
      const text = format(left);
      const rest = $(".rest", clock);
      if (rest.textContent !== text) rest.textContent = text;
      clock.classList.toggle("little", left < LITTLE);
      if (clock.closest(".you") && left < LITTLE && !hasWarned && left > 0) {
        hasWarned = true;
        $("#announce").textContent = body.dataset.little;
      }
    }
  }

  tick();
  setInterval(tick, 250);
  document.addEventListener("moment", tick);
  document.addEventListener("received", ({ detail }) => {
    if (detail.now) ahead = Math.max(ahead, detail.now - Date.now());
  });
}

function format(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  if (seconds >= 86400) {
    const parts = [Math.floor(seconds / 86400), hours % 24];
    return body.dataset.days.replace(/#/g, () => parts.shift());
  }
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
