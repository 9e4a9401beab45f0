// Finds a Chromium for the browser tests. The system's own is preferred, since Playwright's download may be unreachable.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./run.mjs";

/** Chromium without a user interface: a page takes 0.46 CPU seconds instead of 0.72. */
const SHELL = "chromium-headless-shell";
const NAMES = [SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ON_MACOS = ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** The path of a Chromium on this machine (CHROMIUM_PATH takes precedence); null if there is none. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const candidates = [process.env.CHROMIUM_PATH, ...onPath, ...ON_MACOS, chromium.executablePath()];
  return candidates.find((path) => path && isExecutable(path)) ?? null;
}

/**
 * The same, installed first where possible: on Debian and its derivatives, as root. In CI the shell is installed beside a full Chromium.
 * Null, with instructions on standard error, if there is none.
 */
export async function ensureChromium() {
  const found = findChromium();
  const isChosen = process.env.CI === undefined || process.env.CHROMIUM_PATH !== undefined || found?.endsWith(SHELL);
  if (found && isChosen) return found;
  if (process.getuid?.() === 0 && (await apt("--version"))) {
    console.error("Installing Chromium for the browser tests …");
    const isUpdated = await apt("update", "-qq");
    for (const name of found ? [SHELL] : [SHELL, "chromium"])
      if (isUpdated && (await apt("install", "-y", "-qq", "--no-install-recommends", name))) return findChromium();
  }
  if (found) return found;
  console.error(
    "The browser tests need Chromium and none was found. Install one (on Debian: sudo apt-get install chromium) or set CHROMIUM_PATH.",
  );
  return null;
}

async function apt(...args) {
  // Without a network, apt-get gives up soon.
  const soon = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"];
  const { succeeded, said } = await run("apt-get", [...soon, ...args], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  if (!succeeded) console.error(said.trim());
  return succeeded;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
