// Enforces the layout by the import rules. Also checks the checks: fails when a source file was not checked, or when a planted violation is
// not caught by its rule.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { IMPORT_VIOLATIONS, IMPURE_CODE, LAWFUL } from "./planted.mjs";

const ROOTS = ["app", "db", "server", "web"];
const ruleSet = createRequire(import.meta.url)("../.dependency-cruiser.cjs");
const problems = [...(await checkTree()), ...(await checkPlanted()), ...(await checkPurityRule())];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function cruiseTree(baseDir) {
  const { forbidden, options } = ruleSet;
  const tsConfig = extractTSConfig("tsconfig.json");
  const { output } = await cruise(ROOTS, { ...options, baseDir, ruleSet: { forbidden }, validate: true }, undefined, { tsConfig });
  return output;
}

async function checkTree() {
  const { modules, summary } = await cruiseTree(process.cwd());
  const seen = new Set(modules.map(({ source }) => source));
  const sources = ROOTS.flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => `${root}/${path}`));
  const unseen = sources.filter((path) => /(?<![.]d)[.]tsx?$/.test(path) && !seen.has(path));
  const unresolved = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ couldNotResolve, module }) => couldNotResolve && /^[.#]/.test(module))
      .map(({ module }) => `${source} → ${module}`),
  );
  return [
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} must not import ${to}`),
    ...unseen.map((path) => `blind: the import rules did not see ${path}`),
    ...unresolved.map((arrow) => `blind: an import names no file: ${arrow}`),
    ...sources.filter((path) => /^server\/[^/]+[.]/.test(path)).map((path) => `${path} stands in no room of server/`),
  ];
}

/** Planted imports in a small tree of this layout: each must be caught by its rule, and no other. */
async function checkPlanted() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "engagement-boundaries-")));
  try {
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    copyFileSync("package.json", join(folder, "package.json"));
    for (const { from, to } of [...IMPORT_VIOLATIONS, ...LAWFUL]) plant(folder, from, to);
    const { summary } = await cruiseTree(folder);
    const caught = new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`));
    const expected = new Set(IMPORT_VIOLATIONS.map(({ rule, from }) => `${rule}: ${from}`));
    const unplanted = ruleSet.forbidden.filter(({ name }) => !IMPORT_VIOLATIONS.some(({ rule }) => rule === name));
    return [
      ...[...expected].filter((planted) => !caught.has(planted)).map((planted) => `blind: not caught, planted for ${planted}`),
      ...[...caught].filter((found) => !expected.has(found)).map((found) => `wrongly caught among the planted: ${found}`),
      ...unplanted.map(({ name }) => `blind: nothing is planted for the rule ${name}`),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function plant(folder, from, to) {
  mkdirSync(join(folder, dirname(from)), { recursive: true });
  writeFileSync(join(folder, from), `import * as planted from "${to}";\nexport default planted;\n`);
  if (!/^[.#]/.test(to)) return;
  const target = to.startsWith("#") ? join(folder, to.slice(1)) : join(folder, dirname(from), to);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, "export {};\n", { flag: "a" });
}

/** The lint rule that keeps the model pure must reject each of these there, and none in a service. */
async function checkPurityRule() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "engagement-purity-")));
  try {
    for (const name of ["node_modules", "oxlint.config.ts", "scripts"]) symlinkSync(join(process.cwd(), name), join(folder, name));
    const plantIn = (paths) => IMPURE_CODE.flatMap((code, index) => paths.map((path) => ({ path: `server/${path}${index}.ts`, code })));
    const pure = plantIn(["model/missions/planted", "model/kernel/planted", "model/missions/definition/planted"]);
    const services = plantIn(["game/missions/service/planted"]);
    for (const { path, code } of [...pure, ...services]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `${code}\n`);
    }
    const refused = await refusedIn(folder);
    return [
      ...pure.filter(({ path }) => !refused.has(path)).map(({ path, code }) => `blind: the purity rule lets ${path} say: ${code}`),
      ...services.filter(({ path }) => refused.has(path)).map(({ path, code }) => `wrongly refused in ${path}: ${code}`),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files in which the linter found impure model code. */
async function refusedIn(folder) {
  const program = join(folder, "node_modules/oxlint/bin/oxlint");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--format=json", "server"], {
    cwd: folder,
  }).catch((failed) => failed);
  const { diagnostics } = JSON.parse(stdout);
  return new Set(
    diagnostics.filter(({ code }) => /^(house\(pure\)|eslint\(no-restricted-globals\))$/.test(code)).map(({ filename }) => filename),
  );
}
