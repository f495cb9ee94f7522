// A worker in which bots think: a Python of its own, so that the table need not wait.

import { loadPython } from "./python.js";

const ready = loadPython().then(({ python }) => python.pyimport("ridotto.web.tab.bots"));

addEventListener("message", async ({ data: { number, question } }) => {
  try {
    const bots = await ready;
    const given = self.python.toPy(question);
    const bytes = given.tobytes();
    const answer = bots.answer(bytes);
    postMessage({ number, answer: answer.toJs ? answer.toJs() : answer });
  } catch (error) {
    postMessage({ number, fault: String(error) });
  }
});
