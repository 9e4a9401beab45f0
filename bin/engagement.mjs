#!/usr/bin/env node
// The command line as a program: `engagement …`, from any folder. This file runs on old versions of Node too, to say so in words.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  console.error(`engagement needs Node.js ${OLDEST_NODE} or newer; this is ${process.version}. Install it from https://nodejs.org.`);
  process.exitCode = 1;
} else {
  // A second start takes half of the processor time.
  (await import("node:module")).enableCompileCache();
  if (import.meta.url.includes("/node_modules/")) await import("../testing/typescript.mjs");
  const { run } = await import("../server/process/cli.ts");
  process.exitCode = await run(process.argv.slice(2), { isAnywhere: true });
}
