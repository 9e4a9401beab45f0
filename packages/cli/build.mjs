// Bundles the command line (server/cli) and the testing kit (testing) for the package, which so needs no dependency and installs nothing else.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
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
  // The runtimes that the package promises have no Temporal.
  resolve: { alias: { "#temporal": "temporal-polyfill" } },
  external: ["@playwright/test", "vitest"],
});
await bundle.write({ dir: dist, format: "esm", minify: true, chunkFileNames: "[name]-[hash].js" });
await bundle.close();
execFileSync(process.execPath, [
  `${root}node_modules/typescript/bin/tsc`,
  "-p",
  `${root}testing/tsconfig.json`,
  "--emitDeclarationOnly",
  "--outDir",
  `${dist}/testing`,
]);
