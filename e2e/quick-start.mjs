// Preloaded by the programs that tests start, often only to kill them: remembers where each import was found, which is a third of the CPU
// seconds of a start, and hashes passwords quickly. A new installation, or another Node, begins anew.
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { flushCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";
import "../server/api/testing/quick-hashing.ts";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FILE = at("node_modules/.cache/resolved.json");
const STAMP = [process.version, ...["package.json", "node_modules/.package-lock.json"].map((path) => statSync(at(path)).mtimeMs)].join();

/** The result for each module and specifier. */
let resolved = {};
let isSaved = true;
try {
  const { stamp, ...kept } = JSON.parse(readFileSync(FILE, "utf8"));
  if (stamp === STAMP) ({ resolved } = kept);
} catch {
  // Nothing was remembered yet.
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "", conditions, importAttributes } = context;
    const known = resolved[parentURL]?.[specifier];
    if (known !== undefined) return known;
    const { url, format } = next(specifier, context);
    if (parentURL !== "" && conditions.includes("import") && Object.keys(importAttributes).length === 0) {
      (resolved[parentURL] ??= {})[specifier] = { url, format, shortCircuit: true };
      isSaved = false;
    }
    return { url, format, importAttributes, shortCircuit: true };
  },
});

function save() {
  if (isSaved) return;
  isSaved = true;
  // A program's threads save too, each through a file of its own: if two shared one, the second rename would fail.
  const own = `${FILE}.${process.pid}.${threadId}`;
  writeFileSync(own, JSON.stringify({ stamp: STAMP, resolved }));
  renameSync(own, FILE);
}

process.once("exit", save);
// Most are killed, and Node writes its compile cache only when a process exits.
setTimeout(() => {
  flushCompileCache();
  save();
}, 5_000).unref();
