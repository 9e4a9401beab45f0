// Enforces the layout: the import rules over the whole tree, and that the checks are not blind. They are blind when a source file was
// not seen, or when a violation planted for a rule is not caught by it; then this fails as well.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { IMPORT_VIOLATIONS, IMPURE_CODE, LAWFUL } from "./planted.mjs";

const ROOTS = ["app", "db", "server"];
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
  return [
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} must not import ${to}`),
    ...unseen.map((path) => `blind: the import rules did not see ${path}`),
  ];
}

/** Each planted import in a small tree of this layout: its rule, and no other, must catch it. */
async function checkPlanted() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "engagement-boundaries-")));
  try {
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
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
  if (!to.startsWith(".")) return;
  const target = join(folder, dirname(from), to);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, "export {};\n", { flag: "a" });
}

/** The lint rule that keeps rules pure must refuse each of these in a rule, and none of them in a service. */
async function checkPurityRule() {
  const eslint = new ESLint({ overrideConfig: tseslint.configs.disableTypeChecked });
  const isRefused = async (code, filePath) => {
    const [{ messages }] = await eslint.lintText(`${code}\n`, { filePath });
    return messages.some(({ ruleId }) => ruleId === "no-restricted-syntax" || ruleId === "no-restricted-globals");
  };
  const found = [];
  for (const code of IMPURE_CODE) {
    for (const rule of ["server/missions/planted.ts", "server/engine/planted.ts", "server/kernel/planted.ts", "server/rules/planted.ts"])
      if (!(await isRefused(code, rule))) found.push(`blind: the purity rule lets ${rule} say: ${code}`);
    if (await isRefused(code, "server/missions/service.ts")) found.push(`wrongly refused in a service: ${code}`);
  }
  return found;
}
