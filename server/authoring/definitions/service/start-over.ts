import { type Database, transact } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { forgetPeriods } from "#server/game/leaderboards/service/removal.ts";
import { differencesIn } from "#server/model/definitions/difference.ts";
import { keyOf } from "#server/model/definitions/file.ts";
import { revisionOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { missingKey } from "#server/model/definitions/saved-key.ts";
import { deleteReplaced } from "#server/engine/store/definitions.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { writeChange } from "./change.ts";
import { readOne } from "./read-one.ts";
import { knownIn, planOf, without } from "./save-plan.ts";
import { conflictOn, NOTHING, type Save, type Saved } from "./saving.ts";
import { removalProblems } from "./switching.ts";
import { open, openExclusive } from "#server/engine/open-definitions.ts";

/**
 * Replaces a definition that no player has met and nothing references with a new one under the same key, so that fixed fields can change.
 * The old one is deleted and the new one created in one transaction.
 */
export async function startOver(
  database: Database,
  environment: Environment,
  save: Pick<Save, "kind" | "document" | "revision" | "dryRun">,
  actor: Actor,
): Promise<Saved> {
  const read = await readOne(environment.kind, { ...save, inBoth: false });
  if ("problems" in read) return { ...NOTHING, problems: read.problems };
  const { file, entry } = read;
  return transact(database, async (tx) => {
    const opened = await (save.dryRun ? open : openExclusive)(tx, environment.id);
    const here = environment.kind;
    const known = knownIn(opened, entry);
    if (known === null) return { ...NOTHING, problems: missingKey(entry).map((one) => ({ ...one, environment: here })) };
    if (save.revision !== null && revisionOfOne(known) !== save.revision) {
      return { ...NOTHING, ...(await conflictOn(tx, environment, known)) };
    }
    const kept = (await removalProblems(tx, opened, known)).map((one) => ({ ...one, environment: here }));
    const cleared = { ...opened, stored: without(opened.stored, known) };
    const planned = await planOf(tx, cleared, file, entry, { isNew: true, isFirst: true });
    const problems = [...kept, ...("problems" in planned ? planned.problems : [])];
    if (problems.length > 0 || "problems" in planned) return { ...NOTHING, problems };
    if (save.dryRun) return { ...NOTHING, isChanged: true, key: keyOf(entry) };
    if (known.kind === "leaderboards") await forgetPeriods(tx, known.id);
    await deleteReplaced(tx, known.id);
    const stored = await writeChange(tx, cleared, againstOld(planned.plan, known), { actor, via: "start_over" });
    const saved = knownIn({ stored }, entry);
    return { ...NOTHING, isChanged: true, key: keyOf(entry), revision: saved && revisionOfOne(saved) };
  });
}

/** The same plan; the audit log shows the differences from the replaced definition. */
function againstOld(plan: Plan, { kind, shaped }: Stored): Plan {
  const changes = plan.changes.map((change) => {
    const added = plan.additions.find((one) => one.kind === kind && one.key === shaped.key);
    if (change.kind !== kind || added === undefined) return change;
    const after = { active: added.active, ...(added.body as object) };
    const fields = Object.keys(after);
    return { ...change, fields, differences: differencesIn(fields, shaped, after).filter(isDifferent) };
  });
  return { ...plan, changes };
}

const isDifferent = ({ before, after }: { before: unknown; after: unknown }): boolean => writeJson(before) !== writeJson(after);
