// A worker in which bots think: a Python of its own, so that the table need not wait.

import { loadPython } from "./python.js";

const ready = loadPython().then(({ python }) => python.pyimport("ridotto.web.tab.bots"));

addEventListener("message", async ({ data: { number, question } }) => {
  try {
    const bots = await ready;
    const answer = bots.answer(question);
    postMessage({ number, answer: answer.toJs() });
    answer.destroy();
  } catch (error) {
    postMessage({ number, fault: String(error) });
  }
});
