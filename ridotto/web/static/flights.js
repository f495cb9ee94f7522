// What counts is lit on the board, and its number flies from there to whoever gets it.

import { $, $$, body, create } from "./page.js";

const LIT = 900; // milliseconds that something stays lit
const FLIGHT = 700; // milliseconds

const find = (key) => $(`#board [data-key="${CSS.escape(key)}"]`);

// Something is done after a time, if the stage still shows its moment part by part then.
function during(stage, after, what) {
  setTimeout(() => stage.open && !stage.classList.contains("whole") && what(), after);
}

// Light an item of the board after a time; until the stage is left if nothing moves.
export function light(key, after, stage) {
  if (!after) {
    find(key)?.classList.add("counted");
    return stage.addEventListener("close", () => find(key)?.classList.remove("counted"), { once: true });
  }
  during(stage, after, () => {
    const one = find(key);
    if (!one) return;
    const { top, bottom } = one.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) one.scrollIntoView({ block: "center", behavior: "instant" });
    one.classList.add("counted");
    setTimeout(() => one.classList.remove("counted"), LIT);
  });
}

// Let a number fly from an item to the seat that gets it, after a time.
export function fly(key, text, seat, after, stage) {
  during(stage, after, () => {
    const start = find(key)?.getBoundingClientRect();
    const end = ($(`#people .score`, $$("#people .person")[seat]) ?? $$("#people .person")[seat])?.getBoundingClientRect();
    if (!start?.width || !end?.width) return;
    const number = create("b", { className: "flight", textContent: text, ariaHidden: "true" });
    body.append(number);
    const at = ({ left, top, width, height }) => `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%)`;
    const flight = number.animate([{ transform: `${at(start)} scale(.6)`, opacity: 0 }, { transform: `${at(start)} scale(1.5)`, opacity: 1, offset: 0.25 }, { transform: at(end), opacity: 0.2 }],
      { duration: FLIGHT, easing: "ease-in-out", fill: "forwards" });
    flight.onfinish = () => number.remove(); // a timer may come late, and the number would lie in the corner of the window
  });
}
