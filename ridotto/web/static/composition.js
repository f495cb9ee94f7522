// The places of the panels of a board: as the game composed it for a large window, a small one and a phone. They are rules of a
// sheet of styles; whatever else a page does, its panels stay where they are.

const WINDOWS = {
  large: "(min-width: 1200px) and (min-aspect-ratio: 3/2)",
  small: "(min-width: 700px) and (not ((min-width: 1200px) and (min-aspect-ratio: 3/2)))",
  phone: "(max-width: 699px)",
};
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

// Put the panels into their places.
export function compose(compositions) {
  const rules = Object.entries(WINDOWS).map(([name, query]) => (compositions[name] ? `@media ${query} {\n${rulesOf(compositions[name])}\n}` : ""));
  sheet.replaceSync(rules.join("\n"));
  document.dispatchEvent(new CustomEvent("composed"));
}

function rulesOf({ wide, tall, places }) {
  const part = (length, whole) => `${((100 * length) / whole).toFixed(3)}%`;
  const rules = Object.entries(places).map(([name, [x, y, w, h]]) =>
    `#pane-${CSS.escape(name)} { display: block; left: ${part(x, wide)}; top: ${part(y, tall)}; width: ${part(w, wide)}; height: ${part(h, tall)}; }`);
  return [`#board#board { --ratio: ${(wide / tall).toFixed(4)}; visibility: visible; }`, ...rules].join("\n");
}
