// Loaded before the service's code by the command line and, with `node --import`, by a service that the testing kit starts. Node strips
// TypeScript types, but not below node_modules, where the installed package is: this does it there, in the same way.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { patchDriver } from "../scripts/patch-driver.mjs";

const own = new URL("..", import.meta.url).href;
if (own.includes("/node_modules/")) {
  // Patches the driver here if install scripts were not run.
  try {
    patchDriver();
  } catch (error) {
    // Without it, commands that do not need the database work.
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
    process.emitWarning(`The PostgreSQL driver cannot be patched: ${error.message}. Install the package with its install scripts.`);
  }
  // Its first use warns that it may change, which users cannot act on.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || url.startsWith(`${own}node_modules/`) || !url.endsWith(".ts")) return next(url, context);
      return { format: "module", shortCircuit: true, source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8")) };
    },
  });
}
