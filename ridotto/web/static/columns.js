// The columns of a board: all ways to put panels into them, and to fold what the question does not need, are compared. A panel
// here is `{ id, group, place, width, ratio, head, least, isNeeded }`: its place in the order of importance, its natural width,
// its height for a width of one, the height of its title, and the width from which on it can be read.

const SMALL = .84; // as large as that is enough for what the question does not need
const LARGEST = 1.6;
const LARGE = { needed: 1.2, other: 1.05 }; // beyond which a larger panel is worth no more
const OURS = 1.08; // how much better the columns that the game asks for are than others that are as good
const MOST = 5; // columns
const EASING = .9; // what the least widths are multiplied by until something fits
const LEAST_EASE = .02;
const KEPT = 100; // arrangements

const sum = (list) => list.reduce((total, one) => total + one, 0);
const arrangements = new Map();

// The best arrangement in a space: the columns of the game where they do, or other ones; and what does not fit folds. `space` is
// `{ width, height, gap, leastColumn, isOver }`: below which width a column is of no use, and whether the match is over.
export function arrange(columns, space) {
  const panels = columns.flat();
  const { width, height, gap, leastColumn, isOver } = space;
  const measures = panels.map((one) => [one.id, one.place, one.ratio, one.head, one.isNeeded, one.least]);
  const key = JSON.stringify([width, height, gap, leastColumn, isOver, measures]);
  if (arrangements.size > KEPT) arrangements.clear();
  if (!arrangements.has(key)) arrangements.set(key, search(columns, space));
  const best = arrangements.get(key);
  const byId = new Map(panels.map((one) => [one.id, one]));
  return { columns: best.columns.map((column) => column.map((id) => byId.get(id))), widths: best.widths };
}

// The places of columns of these widths, from the left.
export function placesOf(columns, widths, left, top, gap) {
  const places = [];
  columns.forEach((column, at) => {
    let down = top;
    for (const pane of column) {
      const height = pane.ratio * widths[at] + pane.head;
      places.push({ id: pane.id, pane, x: left, y: down, w: widths[at], h: height });
      down += height + gap;
    }
    left += widths[at] + gap;
  });
  return places;
}

function search(columns, space) {
  const { width, gap, leastColumn, isOver } = space;
  const most = Math.min(MOST, Math.floor((width + gap) / (leastColumn + gap)));
  const asIds = (some, widths) => ({ columns: some.map((column) => column.map((one) => one.id)), widths });
  for (let ease = 1; ease > LEAST_EASE; ease *= EASING) {
    let best = null;
    const attempt = (some, bonus) => {
      const widths = fit(some, space, ease, (best?.value ?? 0) / bonus);
      const value = widths && worth(some, widths, isOver) * bonus;
      if (widths && (!best || value > best.value)) best = { columns: some, widths, value };
    };
    for (const [visible, atMost] of choices(columns.flat(), isOver)) {
      if (best && atMost * OURS <= best.value) break;
      attempt(columns.map((column) => column.filter((one) => visible.includes(one))).filter((column) => column.length), OURS);
      for (let count = 1; count <= Math.min(most, visible.length); count++) for (const some of cuts(visible, count)) attempt(some, 1);
    }
    if (best) return asIds(best.columns, best.widths);
  }
  // An empty board, as while a device is handed over, or no room at all: side by side, as they come.
  const filled = columns.filter((column) => column.length);
  return asIds(filled, filled.map(() => width / filled.length));
}

// The widths of columns in a space, each panel at the same scale as far as it goes: what is needed no smaller than it can be read,
// what is not no smaller than it can be looked at, nothing taller than there is room. Null: they do not fit, or are not worth more
// than something that was tried before.
function fit(columns, { width, height, gap, isOver }, ease, beaten) {
  const free = width - gap * (columns.length - 1);
  const least = columns.map((column) => Math.max(...column.map((one) => one.least * ease * (one.isNeeded ? 1 : SMALL))));
  const most = columns.map((column) => widthFor(column, height, gap));
  if (least.some((one, at) => one > most[at] + .5) || sum(least) > free + .5) return null;
  if (worth(columns, most, isOver) <= beaten) return null;
  const natural = columns.map((column) => Math.max(...column.map((one) => one.width)));
  const widthsAt = (scale) => natural.map((one, at) => Math.min(Math.max(least[at], one * scale), Math.max(least[at], most[at])));
  let [low, high] = [0, LARGEST];
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    if (sum(widthsAt(middle)) > free) high = middle;
    else low = middle;
  }
  return widthsAt(low);
}

// The width at which a column of panels is as tall as there is room.
function widthFor(column, height, gap) {
  const fixed = sum(column.map((one) => one.head)) + gap * (column.length - 1);
  return Math.max(0, (height - fixed) / (sum(column.map((one) => one.ratio)) || .001));
}

// The worth of an arrangement: everything that is seen counts, the larger the better up to a point, what is needed most. After
// the end that may be as large as there is room, and the rest counts for half.
function worth(columns, widths, isOver) {
  const worthOf = (one, width) => {
    const scale = Math.min(width / one.least, one.isNeeded ? (isOver ? LARGEST : LARGE.needed) : LARGE.other);
    const weight = one.isNeeded ? 1 : (isOver ? .5 : 1) / (1 + one.place / 16);
    return Math.sqrt(one.ratio || .1) * (one.width / 360) * weight * (.2 + .8 * scale);
  };
  return sum(columns.map((column, at) => sum(column.map((one) => worthOf(one, widths[at])))));
}

// All ways to cut a list into columns.
function* cuts(list, count) {
  if (count === 1) yield [list];
  else for (let at = 1; at <= list.length - count + 1; at++) for (const rest of cuts(list.slice(at), count - 1)) yield [list.slice(0, at), ...rest];
}

// The panels that may be seen, with what they are worth at most: of each group that is not needed all, the most important one, or
// none. The choice that is worth most comes first.
function choices(panels, isOver) {
  const groups = new Map();
  for (const one of panels) if (!one.isNeeded) groups.set(one.group, [...(groups.get(one.group) ?? []), one].sort((one, other) => one.place - other.place));
  const options = [...groups.values()].map((group) => (group.length > 1 ? [[], group.slice(1), group] : [[], group]));
  function* folds(at) {
    if (at === options.length) yield new Set();
    else for (const rest of folds(at + 1)) for (const some of options[at]) yield new Set([...some, ...rest]);
  }
  const visible = [...folds(0)].map((folded) => panels.filter((one) => !folded.has(one))).filter((some) => some.length);
  return visible.map((some) => [some, worth([some], [1e6], isOver)]).sort((one, other) => other[1] - one[1]);
}
