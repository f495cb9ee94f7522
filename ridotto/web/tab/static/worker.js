// The worker in which the table lives: Python, with the whole program in it. The page asks, and this answers.

import { loadPython } from "./python.js";
import { keep, loadKept } from "./store.js";

const bots = []; // workers in which bots think: { worker, isBusy }
const waiting = []; // questions for them
const answers = new Map(); // by number: what is called with the answer
let most = 1; // bots' workers at a time
let number = 0;
let tab = null;
const streams = new Map();

const SOON = 100; // milliseconds in which changes of the database are kept together
let saving = 0;

// Keep what the database holds, and tell the page when that is done.
async function save() {
  clearTimeout(saving);
  saving = 0;
  const bytes = tab.saved();
  try {
    await keep("database", bytes.toJs());
    if (!saving) postMessage({ kind: "kept", isKept: true });
  } catch (error) {
    postMessage({ kind: "fault", what: "storage", error: String(error) });
  }
  bytes.destroy();
}

const host = {
  note_written() {
    if (!saving) postMessage({ kind: "kept", isKept: false });
    saving ||= setTimeout(save, SOON);
  },
  keep(name, value) {
    keep(name, value.slice()).catch((error) => postMessage({ kind: "fault", what: "storage", error: String(error) }));
  },
  file: (text, kind) => URL.createObjectURL(new Blob([text], { type: kind })),
  ask_bot(question, game, take) {
    waiting.push({ question: question.slice(), game, take: take.copy() });
    askBots();
  },
};

// Give waiting questions to workers that have nothing to do; those begin with the first question.
function askBots() {
  while (waiting.length) {
    let bot = bots.find((one) => !one.isBusy);
    if (!bot && bots.length < most) bots.push((bot = createBot()));
    if (!bot) return;
    const { question, game, take } = waiting.shift();
    bot.isBusy = true;
    answers.set((number += 1), { take, bot });
    bot.worker.postMessage({ number, question, game });
  }
}

function createBot() {
  const bot = { worker: new Worker(new URL("./bots.js", import.meta.url), { type: "module" }), isBusy: false };
  bot.worker.addEventListener("message", ({ data }) => settle(data.number, data.answer, data.fault ?? ""));
  bot.worker.addEventListener("error", (event) => {
    bots.splice(bots.indexOf(bot), 1);
    bot.worker.terminate();
    for (const [one, asked] of answers) if (asked.bot === bot) settle(one, undefined, event.message || "a bot's worker broke down");
  });
  return bot;
}

function settle(one, answer, fault) {
  if (fault) console.error(fault);
  const { take, bot } = answers.get(one);
  answers.delete(one);
  bot.isBusy = false;
  take(answer, fault);
  take.destroy();
  askBots();
}

// Begin: load Python, and open the table with what this browser has kept.
async function start({ address, workers }) {
  most = workers;
  const { kept, fault } = await loadKept();
  const { python, built } = await loadPython();
  if (fault) postMessage({ kind: "fault", what: "storage", error: fault });
  const boot = python.pyimport("ridotto.web.tab.boot");
  const given = python.toPy(kept);
  tab = await boot.start(address, workers, host, given, python.toPy(built));
  postMessage({ kind: "ready" });
}

async function request({ id, method, address, headers, body, follow }) {
  const given = self.python.toPy(headers ?? {});
  const sent = new TextEncoder().encode(body ?? "");
  try {
    const answer = await tab.request(method, address, given, sent, Boolean(follow));
    const bytes = answer.body.toJs();
    const told = answer.headers.toJs({ dict_converter: Object.fromEntries });
    postMessage({ kind: "answer", id, address: answer.address, status: answer.status, headers: told, body: bytes }, [bytes.buffer]);
    answer.destroy();
  } catch (error) {
    postMessage({ kind: "answer", id, address, status: 0, headers: {}, body: new Uint8Array(), error: String(error) });
  }
}

// Server-sent events, as far as our pages know them.
function subscribe({ id, address }) {
  let rest = "";
  const take = (text) => {
    rest += text;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const name = event.match(/^event: (.*)$/m)?.[1];
      const data = event.match(/^data: (.*)$/m)?.[1];
      if (name) postMessage({ kind: "event", id, name, data: JSON.parse(data) });
    }
  };
  const end = (status) => {
    streams.delete(id);
    if (status !== 200) console.error(`${address}: ${status}`);
    postMessage({ kind: "ended", id, status });
  };
  streams.set(id, tab.subscribe(address, take, end));
}

const does = {
  start, request, subscribe,
  close: ({ id }) => streams.get(id)?.end(),
  save: () => saving && save(),
};

addEventListener("message", async ({ data }) => {
  try {
    await does[data.kind](data);
  } catch (error) {
    console.error(error);
    postMessage({ kind: "fault", what: data.kind, error: String(error) });
  }
});
