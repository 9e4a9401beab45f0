import type { Database } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { Difference } from "#server/model/definitions/difference.ts";
import { revisionOfOne } from "#server/model/definitions/overview.ts";
import type { Change } from "#server/model/definitions/plan.ts";
import { edit } from "./edit.ts";
import { readOne, type SaveProblem } from "./read-one.ts";
import { otherEnvironment, planEach, type Save } from "./saving.ts";

/** A field that a save would change in the other environment. */
export interface OtherDifference extends Difference {
  /** Whether the save changes it here too. Otherwise the environments already differed. */
  isEdited: boolean;
}

/** The effect in the other environment of a save into both. */
export interface OtherPreview {
  environment: EnvironmentKind;
  /** The problems in both environments: a save is refused for any of them. */
  problems: SaveProblem[];
  exists: boolean;
  /** The revision there, for the save; null if it does not exist. */
  revision: string | null;
  /** For an existing one: field by field, with the parts that contain these fields and read as sentences. */
  differences: OtherDifference[];
  parts: Difference[];
}

/** Read-only, takes no lock, with the checks of the save; the save carries the revision. */
export async function previewInOther(
  database: Database,
  environment: Environment,
  { kind, document: text, isNew }: Pick<Save, "kind" | "document" | "isNew">,
): Promise<OtherPreview> {
  const other = await otherEnvironment(database, environment);
  const nothing: OtherPreview = { environment: other.kind, problems: [], exists: false, revision: null, differences: [], parts: [] };
  const read = await readOne(environment.kind, { kind, document: text, inBoth: true });
  if ("problems" in read) return { ...nothing, problems: read.problems };
  return edit(database, [environment, other], { dryRun: true }, async (...edits) => {
    const known = edits[1]!.known(read.entry);
    const found = { ...nothing, exists: known !== null, revision: known && revisionOfOne(known) };
    const plans = await planEach(edits, read, isNew);
    if ("problems" in plans) return { ...found, ...plans };
    const [here, there] = plans.map(({ changes }) => changes[0]);
    const differences = there?.differences ?? [];
    return { ...found, differences: differences.map((one) => ({ ...one, isEdited: isEdited(one, here) })), parts: there?.parts ?? [] };
  });
}

/** A field is edited if the change here is inside it, around it, or the whole definition. */
function isEdited({ path }: Difference, here: Change | undefined): boolean {
  if (here === undefined) return false;
  if (here.differences === undefined) return true;
  return here.differences.some(({ path: edited }) => edited.every((name, at) => at >= path.length || name === path[at]));
}
