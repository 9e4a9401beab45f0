// Checks package-lock.json: every dependency has an entry, or `npm ci` refuses to install on anybody's machine, and no entry names a
// download host. npm leaves out the packages for other platforms that the registry did not have while it wrote the file;
// `node scripts/lockfile.mjs --complete` adds them from their names and exact versions.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const PLATFORM = /-(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(-(?<abi>\w+))?$/;
const lock = JSON.parse(readFileSync(FILE, "utf8"));

if (process.argv.includes("--complete")) complete();
const problems = [
  ...findMissing().map(({ parent, name }) => `${parent} needs ${name}, which has no entry; run: node scripts/lockfile.mjs --complete`),
  ...Object.entries(lock.packages).flatMap(([path, { resolved }]) =>
    /^https?:/.test(resolved ?? "") ? [`${path} names a download host`] : [],
  ),
];
for (const problem of problems) console.error(`${FILE}: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function findMissing() {
  return Object.entries(lock.packages).flatMap(([parent, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter(([name]) => !isThere(parent, name))
      .map(([name, version]) => ({ parent, name, version, isOptional: name in (entry.optionalDependencies ?? {}), isDev: entry.dev })),
  );
}

/** As Node looks a package up: in the folder of the one that needs it, then outwards. */
function isThere(parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (`${folder && `${folder}/`}node_modules/${name}` in lock.packages) return true;
    if (folder === "") return false;
  }
}

function complete() {
  for (const { name, version, isOptional, isDev } of findMissing()) {
    const { os, cpu, abi = "" } = PLATFORM.exec(name)?.groups ?? {};
    if (!isOptional || !/^\d/.test(version)) continue;
    const dev = isDev ? { dev: true } : {};
    const libc = os === "linux" ? { libc: [abi.startsWith("musl") ? "musl" : "glibc"] } : {};
    if (os) lock.packages[`node_modules/${name}`] = { version, cpu: [cpu], ...dev, ...libc, optional: true, os: [os] };
    else if (name.endsWith("-wasm32-wasi")) lock.packages[`node_modules/${name}`] = { version, cpu: ["wasm32"], ...dev, optional: true };
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
