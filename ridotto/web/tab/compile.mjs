// Compiles Python files for Pyodide, in Node: node compile.mjs PYODIDE JOBS, where JOBS is a JSON file of [source, target, name].

import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [pyodide, jobs] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.runPython(`
import importlib.util, marshal

def compiled(source, name):
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + (0b01).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
`);
const compiled = python.globals.get("compiled");
for (const [source, target, name] of JSON.parse(readFileSync(jobs, "utf8"))) {
  const made = compiled(readFileSync(source, "utf8"), name);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, made.toJs());
  made.destroy();
}
