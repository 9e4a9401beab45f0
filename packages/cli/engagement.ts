#!/usr/bin/env node
// `engagement` of the package without the service. Its plain syntax lets old versions of Node run it, and so print that they are too old.
import packageJson from "./package.json" with { type: "json" };

const [oldest = ""] = /[\d.]+/.exec(packageJson.engines.node) ?? [];
const numbersOf = (version: string) => version.split(".").map(Number);
const [major = 0, minor = 0] = numbersOf(process.versions.node);
const [oldestMajor = 0, oldestMinor = 0] = numbersOf(oldest);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(`engagement needs Node.js ${oldest} or newer; this is ${process.version}. Install it from https://nodejs.org.`);
  process.exitCode = 1;
} else {
  const { runCommand } = await import("../../server/cli/program.ts");
  const options = { isAnywhere: true, version: packageJson.version, runBeside: null, serve: null };
  process.exitCode = await runCommand(process.argv.slice(2), options);
}
