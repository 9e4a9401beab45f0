// Bundles the command line (server/cli) and the testing kit (testing), so that the package has no dependencies.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = fileURLToPath(new URL("dist", import.meta.url));
rmSync(dist, { recursive: true, force: true });

const kit = Object.fromEntries(["kit", "playwright", "vitest"].map((name) => [name, `${root}testing/${name}.ts`]));
const bundle = await rolldown({
  cwd: root,
  input: { engagement: "packages/cli/engagement.ts", ...kit },
  platform: "node",
  // The oldest Node that the package supports has no Temporal.
  resolve: { alias: { "#temporal": "temporal-polyfill" } },
  external: ["@playwright/test", "vitest"],
});
const { output } = await bundle.write({ dir: dist, format: "esm", minify: true, chunkFileNames: "[name]-[hash].js" });
await bundle.close();
writeFileSync(`${dist}/licenses.txt`, licensesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)));
// Writes the declarations only: their sources are checked with all other code.
execFileSync(process.execPath, [
  `${root}node_modules/typescript/bin/tsc`,
  "-p",
  `${root}testing/tsconfig.json`,
  "--emitDeclarationOnly",
  "--noCheck",
  "--outDir",
  `${dist}/testing`,
]);

/** The licences of the bundled packages, which have to be distributed with their code. */
function licensesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  return texts.join("\n----\n\n");
}
