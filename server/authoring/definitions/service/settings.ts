import { problemAt } from "#server/model/definitions/problems.ts";
import type { Database } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { mistake } from "#server/model/rules/finding.ts";
import { NO_DISCOVERY, type Settings } from "#server/model/definitions/contract.ts";
import { revisionOf } from "#server/model/definitions/overview.ts";
import { SETTINGS, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import { edit } from "./edit.ts";
import { conflictIn, NOTHING, refused, type Saved } from "./saving.ts";

/** An environment's settings in its file. */
export interface SettingsShown {
  discovery: { events: boolean; attributes: boolean };
  baseCurrency: string | null;
  /** Whether the base currency is fixed, because amounts were added in it. */
  isBaseCurrencyFixed: boolean;
  revision: string;
}

export const readSettingsOf = (database: Database, environment: Environment): Promise<SettingsShown> =>
  edit(database, environment, { dryRun: true }, async (open) => {
    const settings = shown(open.stored);
    const isBaseCurrencyFixed = settings.baseCurrency !== null && (await open.hasMoney());
    return { ...settings, isBaseCurrencyFixed, revision: revisionOf(settings) };
  });

const shown = ({ settings: { discovery, baseCurrency } }: StoredDefinitions) => ({ discovery: discovery ?? NO_DISCOVERY, baseCurrency });

/** Saves the given settings, like an import of a file with only these. */
export const saveSettings = (
  database: Database,
  environment: Environment,
  { revision, ...settings }: Partial<Settings> & { revision: string | null },
  actor: Actor,
): Promise<Saved> =>
  edit(database, environment, {}, async (open) => {
    const plan = await open.planDocument({ version: 1, ...settings });
    const isChanged = "problems" in plan || plan.changes.length > 0;
    // As in `saveDefinition`, a save that changes nothing is no conflict.
    if (isChanged && revision !== null && revision !== revisionOf(shown(open.stored)))
      return conflictIn(open, { kind: SETTINGS.kind, key: null });
    if (settings.baseCurrency === null && open.stored.settings.baseCurrency !== null) {
      return refused(open, [problemAt("/baseCurrency", mistake("money.base_kept"))]);
    }
    if ("problems" in plan) return refused(open, plan.problems);
    await open.write(plan, { actor, via: "save" });
    return { ...NOTHING, isChanged, revision: revisionOf(shown(open.stored)) };
  });
