// Looking back: go through a match without loading the page anew, follow a review being made, read a record from a file.
"use strict";

(() => {
  const box = document.getElementById("scrubber");
  const making = document.getElementById("reviewing");
  const file = document.getElementById("record-file");
  if (box) scrub();
  if (making) follow();
  if (file) file.addEventListener("change", fill);

  function scrub() {
    const slider = box.querySelector("input[type=range]");
    const last = Number(slider.max);
    const rounds = box.dataset.rounds.split(",").map(Number);
    let at = Number(slider.value); // the moment that is wanted
    let shown = at; // the moment that is shown
    let eyes = box.dataset.eyes;
    let seen = eyes;
    let busy = false;
    box.classList.add("scripted");

    const steps = {
      before: () => at - 1,
      after: () => at + 1,
      "round-before": () => Math.max(0, ...rounds.filter((one) => one < at)),
      "round-after": () => Math.min(last, ...rounds.filter((one) => one > at)),
    };
    slider.addEventListener("input", () => go(Number(slider.value)));
    box.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]");
      const look = event.target.closest("[data-eyes]");
      if (!step && (!look || look === box)) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is a new tab
      event.preventDefault();
      if (step) return go(steps[step.dataset.step]());
      eyes = look.dataset.eyes;
      go(at);
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const field = event.target.closest("input:not([type=range]), textarea, select, summary, dialog");
      if (field) return;
      const round = event.shiftKey ? "round-" : "";
      const keys = {
        ArrowLeft: `${round}before`,
        ArrowRight: `${round}after`,
        PageUp: "round-before",
        PageDown: "round-after",
      };
      if (event.key === "Home" || event.key === "End") go(event.key === "Home" ? 0 : last);
      else if (keys[event.key]) go(steps[keys[event.key]]());
      else return;
      event.preventDefault();
    });
    window.addEventListener("popstate", () => location.reload());

    // By itself: one moment after another, each for as long as the table's pace says, until the end or until somebody goes elsewhere.
    const HOLDS = { slow: 2200, normal: 1200, fast: 500, now: 150 };
    const button = box.querySelector("[data-play]");
    let playing = 0;
    button.hidden = false;
    button.addEventListener("click", () => (playing ? rest() : play()));
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.target.closest("button, a, input, textarea, select, summary, dialog")) return;
      event.preventDefault();
      playing ? rest() : play();
    });

    function play() {
      if (at >= last) go(0);
      tell(true);
      playing = setTimeout(onward, hold());
    }

    async function onward() {
      at += 1;
      slider.value = at;
      await fetchNow();
      if (!playing) return;
      if (at >= last) rest();
      else playing = setTimeout(onward, hold() * Math.min(3, 1 + longer()));
    }

    // More to read takes longer.
    const longer = () => (document.querySelector("#caption .question")?.textContent.length ?? 0) / 160;

    function hold() {
      try { return HOLDS[localStorage.getItem("pace")] ?? HOLDS.normal; } catch { return HOLDS.normal; }
    }

    function rest() {
      clearTimeout(playing);
      playing = 0;
      tell(false);
    }

    function tell(on) {
      button.setAttribute("aria-pressed", String(on));
      button.textContent = on ? "❚❚" : "▶";
    }

    function go(ply) {
      if (playing) rest();
      at = Math.min(last, Math.max(0, ply));
      slider.value = at;
      fetchNow();
    }

    // One request at a time; whoever scrubs on meanwhile gets the moment where they are then.
    async function fetchNow() {
      if (busy) return;
      busy = true;
      try {
        while (at !== shown || eyes !== seen) {
          const [ply, whose] = [at, eyes];
          const answer = await fetch(`${box.dataset.at}/moment?ply=${ply}&eyes=${whose}`);
          if (!answer.ok) {
            if (answer.status !== 429) return location.assign(`${box.dataset.at}?ply=${ply}&eyes=${whose}`);
            await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get("retry-after") || 1)));
            continue;
          }
          put(await answer.json());
          [shown, seen] = [ply, whose];
        }
      } finally {
        busy = false;
      }
    }

    function put(told) {
      for (const [id, html] of Object.entries(told.parts)) {
        const part = document.getElementById(id);
        if (!part) continue;
        if (id === "caption") part.outerHTML = html;
        else if (part.innerHTML !== html) part.innerHTML = html;
      }
      picture.apply(told.scene);
      document.getElementById("announce").textContent = told.announcement;
      for (const link of box.querySelectorAll("a[data-eyes]")) {
        link.toggleAttribute("aria-current", link.dataset.eyes === eyes);
        if (link.dataset.eyes === eyes) link.setAttribute("aria-current", "true");
        link.href = `${box.dataset.at}?ply=${told.ply}&eyes=${link.dataset.eyes}`;
      }
      const address = `${box.dataset.at}?ply=${told.ply}&eyes=${eyes}`;
      history.replaceState(null, "", address);
      const file = document.querySelector("[data-picture]");
      if (file) file.href = address.replace("/replay?", "/picture.svg?");
      for (const back of document.querySelectorAll("input[name=back]")) back.value = address;
      const link = document.querySelector(".extras .link-box input, .extras input[readonly]");
      if (link) link.value = new URL(address, location.href).href;
      const copy = document.querySelector(".extras [data-copy]");
      if (copy) copy.dataset.copy = new URL(address, location.href).href;
    }
  }

  async function follow() {
    const bar = making.querySelector("progress");
    const words = document.getElementById("reviewed");
    for (;;) {
      await new Promise((done) => setTimeout(done, 700));
      const told = await fetch(making.dataset.at).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      if (!told) continue;
      if (told.ready || told.failed || !told.total) return location.reload();
      bar.value = told.done;
      words.textContent = `${told.done} / ${told.total}`;
    }
  }

  async function fill() {
    const chosen = file.files[0];
    if (chosen) document.getElementById("record-text").value = await chosen.text();
  }
})();
