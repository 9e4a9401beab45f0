import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { tryImage } from "./claims.ts";
import { readStages } from "./dockerfile.ts";
import { readIgnored } from "./ignored.ts";
import { buildStages } from "./layers.ts";

// `npm run image`: runs the steps of the Dockerfile in namespaces, without a container runtime, and tests the result as its user on a
// read-only file system. Needs root and Linux. With --keep the files stay.
const context = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "engagement-image-"));
const read = (name: string) => readFileSync(join(context, name), "utf8");
const stages = readStages(read("Dockerfile"));
const last = stages.at(-1)!;
const embedded = await useEmbeddedDatabase({ directory: join(work, "database"), onChange: () => {} });
try {
  const began = performance.now();
  const onStep = (text: string) => console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(4)} s  ${text}`);
  const built = buildStages(stages, { context, isIgnored: readIgnored(read(".dockerignore")), work, onStep });
  for await (const claim of tryImage(built, last, { databaseUrl: embedded.url, devDependencies: devDependencies() }))
    console.log(`✓ ${claim}`);
} finally {
  await embedded.leave();
  if (process.argv.includes("--keep")) console.log(work);
  else rmSync(work, { recursive: true, force: true });
}

/** The packages that only development needs. One that is also optional elsewhere (devOptional) counts if package.json names it. */
function devDependencies(): string[] {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { dev?: boolean; devOptional?: boolean }> };
  const { devDependencies: named } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  const isForDevelopment = ([path, { dev, devOptional }]: [string, { dev?: boolean; devOptional?: boolean }]) =>
    dev === true || (devOptional === true && path.replace("node_modules/", "") in named);
  return Object.entries(packages)
    .filter(isForDevelopment)
    .map(([path]) => path);
}
