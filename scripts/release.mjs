// For a release: `check v1.2.3` fails unless every version in the repository is that of the tag, `notes v1.2.3` prints its changes.
import { readFileSync } from "node:fs";
import { RELEASES } from "../web/docs/releases.ts";

const [task, tag = ""] = process.argv.slice(2);
const version = tag.replace(/^v/, "");
const release = RELEASES.find((one) => one.version === version);
const versions = ["package.json", "packages/cli/package.json"].map((file) => [file, JSON.parse(readFileSync(file, "utf8")).version]);
const problems = [
  ...versions.filter(([, own]) => own !== version).map(([file, own]) => `${file} has the version ${own}, the tag ${version}`),
  ...(release === RELEASES[0] ? [] : [`the changelog (web/docs/releases.ts) does not begin with ${version}`]),
];
if (task === "notes" && release !== undefined)
  console.log([`# ${version}: ${release.title}`, "", ...release.changes.map((one) => `- ${one}`)].join("\n"));
else for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
