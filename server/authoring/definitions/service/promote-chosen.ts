import { type DefinitionProblem, subjectOf } from "#server/model/definitions/problems.ts";
import type { Database } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { inTurns } from "#server/engine/turns.ts";
import { overviewOf } from "#server/model/definitions/overview.ts";
import {
  type Divergence,
  divergenceOf,
  divergencesOf,
  fileOfChosen,
  sameIn,
  type Subject,
  withNeeds,
  withTheirNeeds,
} from "#server/model/definitions/divergence.ts";
import { open } from "#server/engine/definitions.ts";
import { edit } from "./edit.ts";
import { overviewIn } from "./overviews.ts";
import { otherEnvironment } from "./saving.ts";

/** Versions of both environments, as the user saw them. */
export interface Versions {
  from: number;
  to: number;
}

/** How the other environment of a project differs from this one, and the definitions that are the same in both. */
export async function readDifference(database: Database, from: Environment) {
  const to = await otherEnvironment(database, from);
  const ours = await overviewIn(database, from);
  const theirs = await overviewIn(database, to);
  const divergences = await inTurns(divergencesOf(ours, theirs, from.defaultLanguage));
  return {
    to,
    versions: { from: from.definitionsVersion, to: to.definitionsVersion },
    ...(await inTurns(withTheirNeeds(divergences, ours))),
    same: sameIn(ours, theirs, divergences, from.defaultLanguage),
  };
}

/** How one definition differs; null if it does not, or does not exist. */
export async function readDivergence(database: Database, from: Environment, subject: Subject): Promise<Divergence | null> {
  const to = await otherEnvironment(database, from);
  return divergenceOf(await overviewIn(database, from), await overviewIn(database, to), subject, from.defaultLanguage);
}

/** A problem of a promotion, with its definition; the pointer leads into that one. */
export interface PromotionProblem extends DefinitionProblem {
  kind: Subject["kind"] | null;
  key: string | null;
}

export interface Promoted {
  /** Whether something has changed since the difference was read; then nothing is promoted. */
  isStale: boolean;
  problems: PromotionProblem[];
  /** The selection with its dependencies. */
  taken: Divergence[];
}

/**
 * Promotes the selection with its dependencies to the other environment: imports a file with only these, all or nothing. `versions` are
 * those of the difference that the user saw; null skips that check.
 */
export async function promoteChosen(
  database: Database,
  from: Environment,
  { chosen, versions, dryRun }: { chosen: readonly Subject[]; versions: Versions | null; dryRun: boolean },
  actor: Actor,
): Promise<Promoted> {
  return edit(database, await otherEnvironment(database, from), { dryRun }, async (target) => {
    const source = await open(target.tx, from.id);
    const now = { from: source.environment.definitionsVersion, to: target.environment.definitionsVersion };
    const ours = await inTurns(overviewOf(source.stored));
    const theirs = await target.overview();
    const taken = withNeeds(await inTurns(divergencesOf(ours, theirs, from.defaultLanguage)), chosen, ours);
    if (versions !== null && (versions.from !== now.from || versions.to !== now.to)) return { isStale: true, problems: [], taken };
    const { document, prune } = fileOfChosen(taken, ours, theirs);
    const plan = await target.planDocument(document, prune);
    if ("problems" in plan) return { isStale: false, problems: plan.problems.map((problem) => subjectOf(problem, document)), taken };
    if (!dryRun) await target.write(plan, { actor, via: "promote" });
    return { isStale: false, problems: [], taken };
  });
}
