#!/usr/bin/env node
// The command line as a program: `engagement …`, from any folder. This file runs on old versions of Node too, to say so in words.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  console.error(`engagement needs Node.js ${OLDEST_NODE} or newer; this is ${process.version}. Install it from https://nodejs.org.`);
  process.exitCode = 1;
} else {
  // A second start takes half of the processor time.
  (await import("node:module")).enableCompileCache();
  if (import.meta.url.includes("/node_modules/")) await readTypesAway();
  const { run } = await import("../server/process/cli.ts");
  process.exitCode = await run(process.argv.slice(2), { isAnywhere: true });
}

/** Node reads the types away of a package's own folder, but not below node_modules: there this does it, in the same way. */
async function readTypesAway() {
  const { registerHooks, stripTypeScriptTypes } = await import("node:module");
  const { readFileSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  // Its first use warns that it may change; whoever runs a command can do nothing about that.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
  const own = new URL("..", import.meta.url).href;
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || url.startsWith(`${own}node_modules/`) || !url.endsWith(".ts")) return next(url, context);
      return { format: "module", shortCircuit: true, source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8")) };
    },
  });
}
