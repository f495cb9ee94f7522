// A worker in which bots think: a Python of its own, so that the table need not wait.

import { fetched, loadPython } from "./python.js";

const ready = loadPython().then(({ python, built }) => ({ bots: python.pyimport("ridotto.web.tab.bots"), modules: built.modules }));
const installed = new Set(); // packages of games whose compiled rules are there

// Have the compiled rules of a game, if there are any.
async function install(game) {
  const { bots, modules } = await ready;
  if (installed.has(game) || !modules[game]) return;
  const { instance } = await WebAssembly.instantiate(await fetched(modules[game], "arrayBuffer"));
  bots.install(game, instance);
  installed.add(game);
}

addEventListener("message", async ({ data: { number, question, game } }) => {
  try {
    await install(game);
    const { bots } = await ready;
    const answer = bots.answer(question);
    postMessage({ number, answer: answer.toJs() });
    answer.destroy();
  } catch (error) {
    postMessage({ number, fault: String(error) });
  }
});
