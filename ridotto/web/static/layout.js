// Where everything stands on a page with a board. On a wide page all of it is seen without scrolling: the columns of the
// board are as large as the window allows. Where what the question needs would be too small to read, it comes first, and
// what it does not need folds to a row of titles that open again. On a phone the board comes to the question.
//
// Nothing is written into the elements of the page: the places are rules of a sheet of styles.
"use strict";

(() => {
  const board = document.getElementById("board");
  if (!board) return;
  const floor = board.parentElement;
  const ask = document.getElementById("ask");
  const log = document.getElementById("log");
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const views = Object.assign(document.createElement("nav"), { id: "views", hidden: true });
  views.setAttribute("aria-label", document.getElementById("jumps")?.getAttribute("aria-label") ?? "");
  floor.append(views);

  const narrow = matchMedia("(max-width: 699px)"); // a phone, which has a layout of its own
  const root = document.documentElement;
  const TARGETS = "[data-do], [data-part], [data-ahead]";
  const LEAST_TEXT = 12; // pixels, of what the question needs
  const LEAST_LOG = [200, 120];
  const BESIDE = 1200; // from so many pixels on, the log stands beside the board
  const VIEWS = 36;
  const LOWEST = 400; // a window that is lower scrolls

  let opened = new Set(); // groups that the reader has opened for this question
  let question = "";
  let leastColumn = 200; // below which a column is of no use

  // What there is.

  function panes() {
    return [...board.querySelectorAll(".pane")].map((pane) => {
      const svg = pane.querySelector(":scope > svg");
      const { width, height } = svg.viewBox.baseVal;
      const name = pane.id.slice("pane-".length);
      const place = Number(/place-(\d+)/.exec(pane.className)?.[1] ?? 0);
      const isFolded = pane.matches("details:not([open])");
      const head = pane.matches("details") ? 24 : 0;
      return { id: pane.id, name, group: name.split("-")[0], place, width, title: pane.querySelector("h3").textContent, svg,
        ratio: isFolded ? 0 : height / width, head, isNeeded: Boolean(pane.querySelector(TARGETS)) };
    });
  }

  // The width from which on what can be chosen in a panel is read without a glass; of several places for the same, one is enough.
  function least(pane) {
    const scale = pane.svg.getScreenCTM()?.a || 1;
    const sizes = new Map();
    for (const one of pane.svg.querySelectorAll(TARGETS)) {
      const texts = [...one.querySelectorAll("text")].filter((text) => text.getClientRects().length);
      const smallest = Math.min(30, ...texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a || scale) / scale));
      const what = one.dataset.do ?? one.dataset.part ?? one.dataset.ahead;
      sizes.set(what, Math.max(sizes.get(what) ?? 0, smallest));
    }
    return Math.ceil(pane.width * LEAST_TEXT / Math.min(30, ...sizes.values()));
  }

  // Columns of panels in a space: each as wide as its height allows, all of them as wide as there is room.

  const room = (column, height, gap) => {
    const fixed = column.reduce((sum, one) => sum + one.head, 0) + gap * (column.length - 1);
    const tall = column.reduce((sum, one) => sum + one.ratio, 0);
    return Math.max(0, (height - fixed) / (tall || .001));
  };

  // Columns are equally wide, but for those that would be too tall.
  function widths(columns, width, height, gap) {
    const most = columns.map((column) => room(column, height, gap));
    let free = width - gap * (columns.length - 1);
    const found = most.map(() => 0);
    [...most.keys()].sort((one, other) => most[one] - most[other]).forEach((at, done) => {
      found[at] = Math.max(0, Math.min(most[at], free / (columns.length - done)));
      free -= found[at];
    });
    return found;
  }

  // Places for columns of these widths, from the left.
  function stand(columns, widths, left, top, gap) {
    const found = [];
    columns.forEach((column, at) => {
      let down = top;
      for (const pane of column) {
        const height = pane.ratio * widths[at] + pane.head;
        found.push({ id: pane.id, pane, x: left, y: down, w: widths[at], h: height });
        down += height + gap;
      }
      left += widths[at] + gap;
    });
    return found;
  }

  const isNeeded = (column) => column.some((one) => one.isNeeded);
  const wants = (column) => Math.max(leastColumn, ...column.map((one) => one.least));
  const fits = (columns, widths) => columns.every((column, at) => widths[at] >= wants(column) - .5);
  const worst = (list, place) => list.reduce((found, one, at) => (found < 0 || place(one) > place(list[found]) ? at : found), -1);

  // Columns in which what is less important folds, until the rest can be read.
  function narrowed(columns, height, gap) {
    return columns.map((column) => {
      let kept = [...column];
      while (kept.length > 1 && room(kept, height, gap) < wants(kept)) {
        const spare = worst(kept, (one) => (one.isNeeded ? -1 : one.place));
        if (kept[spare].isNeeded) break;
        kept = kept.filter((_, at) => at !== spare);
      }
      return kept;
    });
  }

  // What is needed in as many columns as make it largest, and beside it whatever else there is room for.
  function gathered(all, width, height, gap) {
    const needed = all.filter((one) => one.isNeeded);
    const others = all.filter((one) => !one.isNeeded).sort((one, other) => one.place - other.place);
    const wanted = Math.max(...needed.map((one) => one.least));
    const largest = (side) => {
      let best = null;
      for (let count = 1; count <= needed.length; count++) {
        const columns = Array.from({ length: count }, (_, at) => needed.filter((_, which) => which % count === at));
        const wide = Math.min(...columns.map((column) => room(column, height, gap)), (width - side - count * gap) / count);
        if (!best || wide > best.wide) best = { columns, wide };
      }
      return best;
    };
    let best = largest(others.length ? Math.max(leastColumn, Math.min(300, width * .22)) : 0);
    if (best.wide < wanted && width < 3 * leastColumn) best = largest(-gap);
    const { columns } = best;
    const wide = Math.min(best.wide, Math.max(300, ...needed.map((one) => one.least * 1.3)));
    const rest = width - columns.length * (wide + gap);
    const count = Math.max(1, Math.floor((rest + gap) / (leastColumn + 50 + gap)));
    const sides = Array.from({ length: count }, () => []);
    const each = Math.min((rest - gap * (count - 1)) / count, 400);
    const isTall = (pane) => pane.ratio * each > height * .6;
    const ordered = [...others.filter((one) => !isTall(one)), ...others.filter(isTall)];
    for (const pane of each < leastColumn - 1 ? [] : ordered) {
      const place = sides.find((column) => room([...column, pane], height, gap) >= each);
      place?.push(pane);
    }
    const shown = sides.filter((column) => column.length);
    return { columns: [...columns, ...shown], widths: [...columns.map(() => wide), ...shown.map(() => each)] };
  }

  // All columns in a space, with what folds.
  function arrange(columns, width, height, gap) {
    const whole = widths(columns, width, height, gap);
    if (fits(columns, whole)) return { columns, widths: whole };
    const all = columns.flat();
    let kept = narrowed(columns, height, gap);
    while (kept.length) {
      const share = (width - gap * (kept.length - 1)) / kept.length;
      const most = kept.map((column) => Math.min(room(column, height, gap), width, Math.max(share, wants(column) * 1.15)));
      const taken = kept.reduce((sum, column, at) => sum + (isNeeded(column) ? most[at] + gap : 0), 0);
      const free = widths(kept.filter((column) => !isNeeded(column)), width - taken, height, gap);
      const found = kept.map((column, at) => (isNeeded(column) ? most[at] : free.shift()));
      if (taken <= width + gap && fits(kept, found)) return { columns: kept, widths: found };
      const spare = worst(kept, (column) => (isNeeded(column) ? -1 : Math.min(...column.map((one) => one.place))));
      if (isNeeded(kept[spare])) break;
      kept = kept.filter((_, at) => at !== spare);
    }
    if (!isNeeded(all)) all[worst(all, (one) => -one.place)].isNeeded = true;
    return gathered(all, width, height, gap);
  }

  // The rows above the board, or beside its first column: the question, and what stands with it.
  const rows = () => [...floor.children].filter((one) => one !== board && one !== log && one !== views && !one.matches(".unseen") && one.getClientRects().length);

  let last = "";
  function lay() {
    if (narrow.matches) return layPhone();
    const style = getComputedStyle(floor);
    const gap = parseFloat(style.getPropertyValue("--gap")) || 10;
    leastColumn = parseFloat(style.getPropertyValue("--least-column")) || 200;
    const isBeside = style.getPropertyValue("--ask").trim() === "beside";
    const width = floor.clientWidth;
    const top = floor.getBoundingClientRect().top + scrollY;
    const tall = Math.max(LOWEST, root.clientHeight - top - 8);
    const all = panes();
    const byId = new Map(all.map((one) => [one.id, one]));
    if (question !== document.body.dataset.ply + ask.querySelector("h2")?.textContent) {
      question = document.body.dataset.ply + ask.querySelector("h2")?.textContent;
      opened = new Set();
    }
    if (opened.size) for (const one of all) one.isNeeded = opened.has(one.group);
    // Where several panels of a kind are needed, all of that kind are.
    const of = (group) => all.filter((one) => one.isNeeded && one.group === group).length;
    const groups = new Set(all.map((one) => one.group).filter((group) => of(group) > 1));
    for (const one of all) {
      one.isNeeded ||= groups.has(one.group);
      one.least = one.isNeeded ? least(one) : 0;
    }
    for (const one of all) if (one.isNeeded) one.least = Math.max(...all.filter((other) => other.group === one.group).map((other) => other.least));
    const columns = [...board.querySelectorAll(":scope > .column")].map((column) => [...column.children].map((pane) => byId.get(pane.id)).filter(Boolean));
    const rules = [];
    const put = (id, x, y, w, h) => rules.push(`#${CSS.escape(id)} { left: ${x.toFixed(1)}px; top: ${y.toFixed(1)}px; width: ${w.toFixed(1)}px;${h === undefined ? "" : ` height: ${h.toFixed(1)}px;`} }`);

    // The rows have a width; then their heights are known.
    let [first, second] = [columns[0], columns.slice(1)];
    const beside = isBeside && second.length > 0;
    let start = 0; // where what is beside the first column begins
    const measured = (wide) => {
      for (const one of rows()) one.style.width = `${wide}px`;
      const heights = rows().map((one) => one.offsetHeight + gap);
      for (const one of rows()) one.style.removeProperty("width");
      for (const one of rows()) if (!one.getAttribute("style")) one.removeAttribute("style");
      return heights;
    };
    const compute = (tall) => {
      if (beside) {
        let wide = Math.min(room(first, tall, gap), width * (width < BESIDE ? .62 : .5));
        start = wide + gap;
      } else start = 0;
      const heights = measured(width - start);
      const below = heights.reduce((sum, one) => sum + one, 0);
      const space = { x: start, y: below, w: width - start, h: Math.max(LOWEST / 2, tall - below) };
      const wantsLog = opened.has("log");
      let made = null;
      let logged = null;
      const board = beside ? second : columns;
      if (wantsLog || (width >= BESIDE && !beside)) {
        const aside = Math.max(LEAST_LOG[0], width * .16);
        const tried = arrange(board.map((one) => [...one]), space.w - aside - gap, space.h, gap);
        const whole = tried.columns.flat().length === board.flat().length;
        if (wantsLog || (whole && fits(tried.columns, tried.widths))) made = tried;
      }
      made ??= arrange(board.map((one) => [...one]), space.w, space.h, gap);
      // Where there is room, panels stand further apart, or the log between them and the edge.
      const used = made.widths.reduce((sum, one) => sum + one, 0) + gap * (made.widths.length - 1);
      let left = space.w - used;
      const places = stand(made.columns, made.widths, space.x, space.y, gap);
      if (left >= LEAST_LOG[0] + gap) {
        const wide = Math.min(left - gap, 420);
        logged = { x: space.x + used + gap, y: space.y, w: wide, h: space.h };
        left -= wide + gap;
      } else {
        let x = space.x;
        made.columns.forEach((column, at) => {
          const end = column.reduce((sum, one) => sum + one.ratio * made.widths[at] + one.head + gap, 0);
          const free = space.h - end;
          if (made.widths[at] >= LEAST_LOG[0] && free >= LEAST_LOG[1] && free * made.widths[at] > (logged ? logged.h * logged.w : 0)) logged = { x, y: space.y + end, w: made.widths[at], h: free };
          x += made.widths[at] + gap;
        });
      }
      const shift = Math.max(0, left / 2);
      for (const one of places) one.x += shift;
      if (logged) logged.x += shift;
      if (beside) places.unshift(...stand([first], [start - gap], 0, 0, gap));
      const hidden = all.filter((one) => !places.some((place) => place.pane === one));
      return { places, logged, hidden, heights };
    };
    let made = compute(tall);
    if (made.hidden.length || !made.logged || opened.size) made = compute(tall - VIEWS - gap);
    let down = 0;
    rows().forEach((one, at) => {
      if (one.id) put(one.id, start, down, width - start);
      down += made.heights[at];
    });
    for (const { id, x, y, w, h, pane } of made.places) put(id, x, y, w, h);
    for (const one of made.hidden) rules.push(`#${CSS.escape(one.id)} { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`);
    if (made.logged) put("log", made.logged.x, made.logged.y, made.logged.w, made.logged.h);
    else rules.push("#log { display: none; }");
    const titles = new Map();
    for (const one of made.hidden) if (!titles.has(one.group)) titles.set(one.group, all.filter((other) => other.group === one.group && made.hidden.includes(other)).map((other) => other.title).join(" · "));
    for (const one of opened) if (!titles.has(one)) titles.set(one, one === "log" ? log.getAttribute("aria-label") : all.find((other) => other.group === one)?.title ?? one);
    if (!made.logged) titles.set("log", log.getAttribute("aria-label"));
    const bottom = Math.max(down, ...made.places.map((one) => one.y + one.h), made.logged ? made.logged.y + made.logged.h : 0);
    rules.push(`.hall-floor { height: ${(titles.size ? Math.max(tall, bottom + gap + VIEWS) : bottom).toFixed(1)}px; }`);
    offer(titles);
    settle(`.table-page { ${rules.map((one) => `& ${one}`).join("\n")} }`, true, !beside);
  }

  function settle(text, isFitted, isAbove = false) {
    root.classList.toggle("fitted", isFitted);
    root.classList.toggle("above", isAbove);
    if (text !== last) sheet.replaceSync((last = text));
  }

  // The row of titles.
  function offer(titles) {
    views.hidden = !titles.size;
    const wanted = [...titles].map(([group, title]) => `${group}|${title}|${opened.has(group)}`).join("\n");
    if (views.dataset.shown === wanted) return;
    views.dataset.shown = wanted;
    const focus = document.activeElement?.dataset?.view;
    views.replaceChildren(...[...titles].map(([group, title]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "view", textContent: title });
      button.dataset.view = group;
      button.setAttribute("aria-pressed", opened.has(group));
      return button;
    }));
    if (focus) views.querySelector(`[data-view="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }
  views.addEventListener("click", (event) => {
    const group = event.target.closest("[data-view]")?.dataset.view;
    if (!group) return;
    const was = opened.has(group);
    opened = new Set(was ? [] : [group]);
    lay();
  });

  // On a phone: what the question needs comes between the titles at the top and the answers under the thumb, small enough to be
  // seen whole. If everything can be touched there, the answers take one row; else they are all listed.

  const SMALLEST = .6; // of its width
  const FINGER = 38; // pixels
  const above = () => [...floor.parentElement.children].filter((one) => getComputedStyle(one).position === "sticky").reduce((sum, one) => sum + one.offsetHeight, 0);

  function layPhone() {
    views.hidden = true;
    const all = panes().filter((one) => one.isNeeded);
    const asked = [...ask.querySelectorAll("[data-do]")].map((one) => one.dataset.do).join("\n");
    const first = all.find((one) => one.place === Math.min(...all.map((other) => other.place)));
    let rule = "";
    root.classList.add("short-answers");
    if (first) {
      const pane = document.getElementById(first.id);
      const full = floor.clientWidth;
      const space = () => root.clientHeight - ask.offsetHeight - above() - 16;
      const targets = [...board.querySelectorAll("[data-do]")];
      const isAll = new Set(targets.map((one) => one.dataset.do)).size === new Set(asked.split("\n")).size && targets.every((one) => pane.contains(one));
      const wide = () => Math.min(full, space() / first.ratio);
      const finger = () => Math.min(...targets.map((one) => one.getBoundingClientRect()).map((one) => Math.min(one.width, one.height))) * wide() / pane.getBoundingClientRect().width;
      if (asked && !(isAll && wide() >= SMALLEST * full && finger() >= FINGER)) root.classList.remove("short-answers");
      const shown = Math.max(SMALLEST * full, wide());
      if (shown < full) rule = `.table-page #${CSS.escape(first.id)} { width: ${shown.toFixed(1)}px; align-self: center; }`;
    }
    settle(rule, false);
    if (first && asked + document.body.dataset.ply !== question) {
      question = asked + document.body.dataset.ply;
      const top = document.getElementById(first.id).getBoundingClientRect().top + scrollY - above() - 6;
      const isStill = root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
      scrollTo({ top, behavior: isStill ? "instant" : "smooth" });
    }
  }

  // When to look again: something came or went, or the window changed.

  let soon = 0;
  const again = () => (soon ||= requestAnimationFrame(() => ((soon = 0), lay())));
  new MutationObserver(again).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-do", "data-ahead", "viewBox", "open"] });
  new MutationObserver(again).observe(ask, { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "hidden"] });
  new MutationObserver(again).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  new ResizeObserver(again).observe(floor.parentElement);
  addEventListener("resize", again);
  document.fonts.ready.then(again);
  lay();
})();
