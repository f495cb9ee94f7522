// Python for a worker, with Ridotto in it. It comes from files beside this one, and from nowhere else.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const ROOT = new URL("..", import.meta.url).href;
const PACKAGES = "/packages";

// Load Python and the program.
export async function loadPython() {
  const [built, archive] = [fetched("built.json", "json"), fetched("ridotto.zip", "arrayBuffer")];
  const python = await loadPyodide({ indexURL: `${ROOT}pyodide/`, env: { HOME: "/home" } });
  self.python = python;
  python.FS.mkdirTree(PACKAGES);
  python.unpackArchive(await archive, "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(PACKAGES)})`);
  return { python, built: await built };
}

// A file of the folder, in one of the kinds that an answer can be had in.
export async function fetched(name, kind) {
  const answer = await fetch(ROOT + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer[kind]();
}
