import type { Database } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { inTurns } from "#server/engine/turns.ts";
import { type AuthoringOptions, authoringOptionsOf } from "#server/model/definitions/authoring-options.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { type FixedFieldShown, fixedFieldsOf } from "#server/model/definitions/fixed-fields.ts";
import { type ListPage, listPage, type ListQuery, summaryOf } from "#server/model/definitions/list-page.ts";
import { documentOfOne, namesShown, revisionOfOne, storedAt, titleOf, usersShown } from "#server/model/definitions/overview.ts";
import type { Summary } from "#server/model/rules/summary.ts";
import type { Removal } from "#server/model/definitions/removal.ts";
import { overviewIn } from "./overviews.ts";
import { otherEnvironment } from "./saving.ts";
import { removalOf } from "./switching.ts";

/** A page of the definitions of a kind. `now` is on the environment's clock; `completions` are recent ones of missions, to sort by. */
export const listDefinitions = async (
  database: Database,
  environment: Environment,
  now: number,
  query: ListQuery,
  completions?: ReadonlyMap<number, number>,
): Promise<ListPage> =>
  listPage(await overviewIn(database, environment), query, environment.defaultLanguage, {
    now,
    timeZone: environment.timeZone,
    completions,
  });

/** A definition with everything its screen shows. */
export interface DefinitionShown {
  kind: Kind;
  key: string;
  name: string;
  /** As in the file, with defaults written out, as JSON text. */
  document: string;
  active: boolean;
  /** The summary in the list of its kind. */
  summary: Summary;
  revision: string;
  fixed: FixedFieldShown[];
  usedBy: { kind: Kind; key: string; name: string }[];
  names: { kind: Kind; key: string; name: string }[];
  removal: Removal;
  /** Whether the project's other environment has the definition, and whether its content differs there. */
  other: { environment: EnvironmentKind; exists: boolean; differs: boolean };
}

/** A definition for its screen; null if there is none. `now` is on the environment's clock. */
export async function readDefinition(
  database: Database,
  environment: Environment,
  now: number,
  { kind, key }: { kind: Kind; key: string },
): Promise<DefinitionShown | null> {
  const overview = await overviewIn(database, environment);
  const stored = storedAt(overview, kind, key);
  if (stored === undefined) return null;
  const { defaultLanguage } = environment;
  const elsewhere = await otherEnvironment(database, environment);
  const twin = storedAt(await overviewIn(database, elsewhere), kind, key);
  return {
    kind,
    key,
    name: titleOf(stored.shaped, defaultLanguage),
    document: writeJson(documentOfOne(stored)),
    active: stored.shaped.active,
    summary: summaryOf(stored, { now, timeZone: environment.timeZone }),
    revision: revisionOfOne(stored),
    fixed: fixedFieldsOf(stored, now),
    usedBy: usersShown(overview, { kind, key }, defaultLanguage),
    names: namesShown(overview, { kind, key }, defaultLanguage),
    removal: await removalOf(database, environment, overview, stored),
    other: {
      environment: elsewhere.kind,
      exists: twin !== undefined,
      differs: twin !== undefined && revisionOfOne(twin) !== revisionOfOne(stored),
    },
  };
}

/** Everything that a form may reference. */
export const readAuthoringOptions = async (database: Database, environment: Environment): Promise<AuthoringOptions> =>
  inTurns(authoringOptionsOf(await overviewIn(database, environment), environment));
