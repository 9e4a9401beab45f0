// Loaded before a program of the service that the testing kit starts (`node --import`). Node reads the types of TypeScript away, but not
// below node_modules, where this package stands when it was installed: there this does it, in the same way.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { patchDriver } from "../scripts/patch-driver.mjs";

const own = new URL("..", import.meta.url).href;
if (own.includes("/node_modules/")) {
  // Where install scripts are not run, the driver is mended here.
  patchDriver();
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || url.startsWith(`${own}node_modules/`) || !url.endsWith(".ts")) return next(url, context);
      return { format: "module", shortCircuit: true, source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8")) };
    },
  });
}
