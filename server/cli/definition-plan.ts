import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { COMMAND_LINE } from "../model/kernel/environment.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { plural } from "../model/kernel/thousands.ts";
import { differenceText, type ShownChange } from "./definition-changes.ts";
import type { EnvironmentRef, Service, Where } from "./service.ts";

/** A plan as `plan --out` writes it, and `apply` takes it. */
const shape = z.object({
  engagementPlan: z.literal(1),
  /** The service's address; null beside its database. */
  url: z.string().nullable(),
  project: z.string(),
  environment: z.enum(["sandbox", "live"]),
  /** The version of the definitions that the plan was made on. */
  version: z.int(),
  prune: z.boolean(),
  /** The definitions file, as JSON text. */
  text: z.string(),
  /** One line about the plan, for people. */
  summary: z.string(),
});
export type PlanFile = z.output<typeof shape>;

export function writePlan(file: string, plan: Omit<PlanFile, "engagementPlan">): void {
  try {
    writeFileSync(file, `${JSON.stringify({ engagementPlan: 1, ...plan }, null, 2)}\n`);
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** The plan in a file; null for any other file or folder. Throws OperatorError for a damaged one. */
export function readPlan(file: string): PlanFile | null {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
  if (typeof content !== "object" || content === null || !("engagementPlan" in content)) return null;
  const read = shape.safeParse(content);
  if (!read.success) throw new OperatorError(`${file} is not a plan that this version can apply. Plan again.`);
  return read.data;
}

/** Throws OperatorError if the command names another service, project or environment than the plan is for. */
export function mustBeFor(plan: PlanFile, url: string | null, place: Where): void {
  const wanted = { url, project: place.project ?? plan.project, environment: place.environment ?? plan.environment };
  for (const name of ["url", "project", "environment"] as const) {
    if (wanted[name]?.toLowerCase() === plan[name]?.toLowerCase()) continue;
    throw new OperatorError(
      `The plan is for the ${name === "url" ? "service" : name} ${plan[name] ?? "beside the database"}, not for ${wanted[name] ?? "the one beside the database"}.`,
    );
  }
}

/** The plan for a pull request. */
export function planMarkdown(changes: readonly ShownChange[], summary: string, { reverted, notCompared }: Reverted): string {
  const lines = changes.flatMap((change) => [
    `- ${{ "+": "➕ add", "~": "✏️ change", "-": "➖ switch off" }[change.sign]} **${change.kind}** ${code(change.key)}`,
    ...change.differences.map(({ path, before, after }) => {
      const [was, is] = differenceText(before, after);
      return `  - ${code(path.join("/"))}: ${code(was)} → ${code(is)}`;
    }),
    ...(change.fields > change.differences.length ? [`  - ${change.fields} fields, too long to show`] : []),
  ]);
  const warnings =
    reverted.length === 0 ? [] : ["", "**This would revert what others did:**", "", ...reverted.map((line) => `- ${escaped(line)}`)];
  const rest = notCompared === 0 ? [] : ["", `**${notComparedLine(notCompared)}**`];
  return [`**${summary}**`, "", ...lines, ...warnings, ...rest].join("\n");
}

const escaped = (text: string): string => text.replaceAll(/[\\`*_<>[\]|]/g, (character) => `\\${character}`);

/** A code span: its fence is longer than any row of backticks in it. */
function code(text: string): string {
  const fence = "`".repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/** The most definitions whose history is read, and the most edits of each. */
const MAX_ASKED = 50;
const MAX_EDITS = 5;

export interface Reverted {
  /** A line for each edit by others that a change reverts: its author, its time, and the new value. */
  reverted: string[];
  /** The number of changed definitions whose history was not read. */
  notCompared: number;
}

export const notComparedLine = (count: number): string => `Not compared with what others did: ${plural(count, "further definition")}.`;

/**
 * An edit is reverted if its field gets the earlier value again or, for edits since the caller last applied the definition, any other
 * value.
 */
export async function revertedBy({ rpc }: Service, place: EnvironmentRef, changes: readonly ShownChange[]): Promise<Reverted> {
  const me = await rpc.tokens.current().then(
    ({ email }) => email,
    () => COMMAND_LINE.name,
  );
  const lines: string[] = [];
  const edited = changes.filter(({ sign, kind }) => sign !== "+" && kind !== "settings");
  for (const { sign, kind: given, key, differences } of edited.slice(0, MAX_ASKED)) {
    const one = { ...place, kind: given as "missions", key };
    // The oldest edit is compared with the version before it.
    const { versions } = await rpc.definitions.history({ ...one, limit: MAX_EDITS + 1 });
    const taken = new Set<string>();
    let isSince = versions.some(({ via, by }) => via === "import" && by === me);
    for (const [at, { version, by, via, isFirst, at: when }] of versions.slice(0, MAX_EDITS).entries()) {
      const who = `${by ?? "a former member"} on ${when.slice(0, 10)}`;
      // The caller may revert their own earlier changes.
      if (via === "import" && by === me) {
        isSince = false;
        continue;
      }
      if (sign === "-") {
        if (at === 0) lines.push(`${given} ${key} was ${isFirst ? "made" : "changed"} by ${who}, and is switched off`);
        break;
      }
      const earlier = versions[at + 1];
      if (isFirst || earlier === undefined) break;
      const compared = await rpc.definitions.compareVersions({ ...one, from: earlier.version, to: version });
      for (const { path, before } of compared.differences) {
        const name = path.join("/");
        const planned = differences.find((difference) => difference.path.join("/") === name);
        const isBack = planned?.after === before;
        if (planned === undefined || taken.has(name) || !(isBack || isSince)) continue;
        taken.add(name);
        const value = differenceText(planned.before, planned.after)[1];
        lines.push(`${given} ${key}: ${name} was changed by ${who}, and ${isBack ? "goes back to" : "becomes"} ${value}`);
      }
    }
  }
  return { reverted: lines, notCompared: Math.max(0, edited.length - MAX_ASKED) };
}
