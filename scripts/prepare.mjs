// Runs before every npm script, on any Node, before anything is installed: installs the packages of package-lock.json unless they are
// present. Its messages go to standard error, so that the script's own output stays clean.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { patchDriver } from "./patch-driver.mjs";

const OLDEST_NODE = 20;
/** The service's own runtime (package.json brings one along for the usual platforms). */
const SERVICE_NODE = 24;
const INSTALLING = ".installing";
const MAX_INSTALLATION_MS = 15 * 60_000;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const major = Number(process.versions.node.split(".")[0]);
if (major < OLDEST_NODE) fail(`Node.js ${OLDEST_NODE} or newer is needed to install; this is ${process.version}.`);
if (process.platform === "win32") fail("This does not run on Windows itself; use the Windows Subsystem for Linux.");
if (!isInstalled()) installAlone();
patchDriver();

/**
 * Whether node_modules matches the lock file. npm records there what it installed, as its last step; file times mean nothing after a
 * checkout.
 */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const present = readPackages("node_modules/.package-lock.json");
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // Skips the root itself and packages for other platforms.
    if (path === "" || (optional && !present[path])) return true;
    return present[path]?.version === version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return null;
  }
}

/** Two scripts may start together on a fresh clone: the second waits for the first. */
function installAlone() {
  while (!take()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  try {
    if (!isInstalled()) install();
  } finally {
    rmSync(INSTALLING, { force: true });
  }
}

/** False while another process holds the lock; the lock file of a killed process does not count. */
function take() {
  try {
    const file = openSync(INSTALLING, "wx");
    writeFileSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isHeld()) rmSync(INSTALLING, { force: true });
    return false;
  }
}

function isHeld() {
  try {
    const holder = Number(readFileSync(INSTALLING, "utf8"));
    const age = Date.now() - statSync(INSTALLING).mtimeMs;
    // The lock file is empty between its creation and the write of the process id. In a container process ids repeat after a restart.
    if (holder === 0) return age < 5_000;
    return holder !== process.pid && age < MAX_INSTALLATION_MS && process.kill(holder, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function install() {
  console.error("Installing what package-lock.json names; this takes a minute the first time …");
  // No install scripts are needed: the one that matters, linking PostgreSQL's libraries, runs when the database starts. Development
  // packages are installed whatever NODE_ENV says: they build and check.
  const options = ["--ignore-scripts", "--include=dev", "--include=optional", "--engine-strict=false", "--no-audit", "--no-fund"];
  const { status } = npm(["ci", ...options, "--loglevel=error"]);
  if (status !== 0) fail("The installation failed; npm's output is above. Fix the cause and run the same command again.");
  checkNode();
}

/** Runs npm by its own Node: the one on the path may be in the node_modules that npm is about to replace. */
function npm(args) {
  const cli = process.env.npm_execpath ?? "";
  const [command, first] = cli.endsWith("npm-cli.js") ? [process.env.npm_node_execpath ?? process.execPath, [cli]] : ["npm", []];
  return spawnSync(command, [...first, ...args], { stdio: ["ignore", 2, 2] });
}

/** Scripts prefer the Node in node_modules; where there is none, or it does not run here, the machine's own has to be new enough. */
function checkNode() {
  const brought = "node_modules/.bin/node";
  if (existsSync(brought) && spawnSync(brought, ["--version"]).status === 0) return;
  rmSync(brought, { force: true });
  if (major >= SERVICE_NODE) return;
  fail(
    `No Node.js was installed for ${process.platform} ${process.arch}. Install Node.js ${SERVICE_NODE} or newer yourself; this is ${process.version}.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
