// Checks package-lock.json: every dependency has an entry, or `npm ci` fails on other machines; every entry has an integrity hash, or
// anything could be installed; and no entry names a download host. npm leaves out packages for other platforms that the registry lacked
// when it wrote the file; `node scripts/lockfile.mjs --complete` adds them by name and exact version, with the registry's present hashes.
// Where it still has none, choose versions that exist for every platform.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const PLATFORM = /[-/](?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(-(?<abi>\w+))?$/;
const lock = JSON.parse(readFileSync(FILE, "utf8"));

if (process.argv.includes("--complete")) complete();
const problems = [
  ...findMissing().map(({ parent, name }) => `${parent} needs ${name}, which has no entry; run: node scripts/lockfile.mjs --complete`),
  ...Object.entries(lock.packages).flatMap(([path, { resolved }]) =>
    /^https?:/.test(resolved ?? "") ? [`${path} names a download host`] : [],
  ),
  ...findUnhashed().map(([path]) => `${path} has no integrity; run: node scripts/lockfile.mjs --complete`),
];
for (const problem of problems) console.error(`${FILE}: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Our own folders and the links to them have none, and bundled packages come with another package's archive and its hash. */
function findUnhashed() {
  const isFetched = ([path, { link, inBundle }]) => path.startsWith("node_modules/") && !link && !inBundle;
  return Object.entries(lock.packages).filter(([path, entry]) => isFetched([path, entry]) && !entry.integrity);
}

function findMissing() {
  return Object.entries(lock.packages).flatMap(([parent, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter(([name]) => !isThere(parent, name))
      .map(([name, version]) => ({ parent, name, version, isOptional: name in (entry.optionalDependencies ?? {}), isDev: entry.dev })),
  );
}

/** Resolves like Node: looks in the dependent package's folder, then outwards. */
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
  for (const [path, entry] of findUnhashed()) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const { stdout, status } = spawnSync("npm", ["view", `${name}@${entry.version}`, "dist.integrity"], { encoding: "utf8" });
    if (status === 0 && stdout.trim()) entry.integrity = stdout.trim();
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
