// Composing an answer part by part. A form of class `picker` has a row of keys for each part, and a button (data-pick) for each
// whole answer: of all buttons, the one for what is chosen is shown. The same parts can be chosen on the board (data-part).
// And a guard: where the last click fell, a fresh question takes none for a moment.
"use strict";

const composing = (() => {
  const GUARD = 600; // milliseconds
  const NEAR = 48; // pixels
  const SOON = 300; // milliseconds after a pointer in which a change is its doing
  const BEAT = 900; // milliseconds that a question with one answer is shown
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const picker = () => document.querySelector("#ask .picker");

  // What is chosen for a part; a box that is not ticked has the value that its data-else tells.
  function chosen(form, name) {
    const field = form.elements[name];
    return field.type === "checkbox" && !field.checked ? field.dataset.else : field.value;
  }

  const counts = (form, name) => Boolean(form.querySelector(`fieldset[data-counts] [name="${CSS.escape(name)}"]`));

  // A button tells the values it stands for, in the order of the parts, "*" for any.
  function show(form) {
    const names = [...new Set(all("[name]", form).map((one) => one.name))];
    const values = names.map((name) => chosen(form, name));
    let found = false;
    for (const button of all("[data-pick]", form)) {
      const is = button.dataset.pick.split(" ").every((value, at) => value === "*" || value === values[at]);
      button.classList.toggle("chosen-pick", is);
      found ||= is;
    }
    form.classList.toggle("ready", found);
    for (const part of all("#board [data-part]")) {
      const [name, value] = part.dataset.part.split("=");
      const now = names.includes(name) ? chosen(form, name) : "";
      const is = counts(form, name) ? Number(now) >= Number(value) : now === value;
      part.classList.toggle("chosen", is);
      part.setAttribute("aria-pressed", is);
    }
  }

  // A part that counts is one more, or this one less; a box is ticked or not.
  function choose(part) {
    const form = picker();
    const [name, value] = part.dataset.part.split("=");
    const field = form?.elements[name];
    if (!field) return;
    if (field.type === "checkbox") field.checked = !field.checked;
    else if (field.type === "hidden") return;
    else if (counts(form, name) && Number(field.value) >= Number(value)) field.value = String(Number(value) - 1);
    else field.value = value;
    show(form);
    give(form);
  }

  // Where a touch makes the answer whole, it is given at once: there is a way back.
  const give = (form) => "atOnce" in form.dataset && form.querySelector(".chosen-pick")?.click();

  // Fresh parts of a page: the form is alive.
  function dress() {
    for (const form of all(".picker")) {
      form.classList.add("live");
      show(form);
    }
  }

  document.addEventListener("click", (event) => {
    const part = event.target.closest("#board [data-part]");
    if (part) choose(part);
  });
  document.addEventListener("keydown", (event) => {
    const part = event.target.closest?.("#board [data-part]");
    if (part && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(part);
    }
  });
  document.addEventListener("change", (event) => {
    const form = event.target.closest(".picker");
    if (!form) return;
    show(form);
    if (performance.now() - touched < SOON) give(form);
  });
  // Whoever goes through the keys with the arrows has not chosen yet.
  let touched = -Infinity;
  document.addEventListener("pointerup", () => (touched = performance.now()));

  // The guard. What is asked is told by the answers that there are.

  const ask = document.getElementById("ask");
  let answers = "";
  let fresh = -GUARD;
  let last = null; // where the last click fell
  const ANSWERS = "#main :is([data-do], [data-ahead], [data-part], [data-confirm])";
  const look = () => {
    const now = all("#ask [data-do], #ask [data-confirm]").map((one) => one.dataset.do ?? one.dataset.confirm).join("\n");
    if (now === answers) return;
    answers = now;
    fresh = performance.now();
    answerAlone();
  };

  // A question with one answer is answered, after it was seen, unless the reader would rather do it.
  let alone = 0;
  function answerAlone() {
    clearTimeout(alone);
    const single = ask.querySelector("[data-single]")?.dataset.single;
    if (!single || !document.body.dataset.table || (localStorage.getItem("single") ?? "on") !== "on") return;
    alone = setTimeout(() => {
      const only = ask.querySelector(`[data-do="${CSS.escape(single)}"]`);
      if (document.hidden || !only || ask.querySelector("[data-single]")?.dataset.single !== single) return;
      only.dataset.alone = "";
      only.click();
    }, BEAT);
  }
  if (ask) {
    look();
    fresh = -GUARD;
    new MutationObserver(look).observe(ask, { childList: true, subtree: true });
    document.addEventListener("click", (event) => {
      if (!event.detail) return; // a key is no click
      const isNear = last && Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR;
      if (isNear && performance.now() - fresh < GUARD && event.target.closest(ANSWERS)) {
        event.stopImmediatePropagation();
        return event.preventDefault();
      }
      last = { x: event.clientX, y: event.clientY };
    }, true);
  }

  return { dress };
})();
