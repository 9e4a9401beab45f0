import { inTurns } from "#server/engine/turns.ts";
import { problemAt } from "#server/model/definitions/problems.ts";
import { type Database, transact } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { mistake } from "#server/model/rules/finding.ts";
import { NO_DISCOVERY, type Settings } from "#server/model/definitions/contract.ts";
import { readFile } from "#server/model/definitions/file.ts";
import { revisionOf } from "#server/model/definitions/overview.ts";
import { SETTINGS, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import { hasMoney, planChange, writeChange } from "./change.ts";
import { conflictOn, type Saved } from "./saving.ts";
import { open, openExclusive } from "#server/engine/open-definitions.ts";

/** An environment's settings in its file. */
export interface SettingsShown {
  discovery: { events: boolean; attributes: boolean };
  baseCurrency: string | null;
  /** Whether the base currency is fixed, because amounts were added in it. */
  isBaseCurrencyFixed: boolean;
  revision: string;
}

export const readSettingsOf = (database: Database, environment: Environment): Promise<SettingsShown> =>
  transact(database, async (tx) => {
    const { stored } = await open(tx, environment.id);
    const settings = shown(stored);
    const isBaseCurrencyFixed = settings.baseCurrency !== null && (await hasMoney(tx, stored));
    return { ...settings, isBaseCurrencyFixed, revision: revisionOf(settings) };
  });

const shown = ({ settings: { discovery, baseCurrency } }: StoredDefinitions) => ({ discovery: discovery ?? NO_DISCOVERY, baseCurrency });

/** Saves the given settings, like an import of a file with only these. */
export const saveSettings = (
  database: Database,
  environment: Environment,
  { revision, dryRun = false, ...settings }: Partial<Settings> & { revision: string | null; dryRun?: boolean },
  actor: Actor,
): Promise<Saved> =>
  transact(database, async (tx) => {
    const opened = await (dryRun ? open : openExclusive)(tx, environment.id);
    const saved: Saved = { problems: [], conflict: null, isChanged: false, key: null, revision: null };
    if (revision !== null && revision !== revisionOf(shown(opened.stored))) {
      return { ...saved, ...(await conflictOn(tx, environment, { kind: SETTINGS.kind, shaped: { key: null } })) };
    }
    if (settings.baseCurrency === null && opened.stored.settings.baseCurrency !== null) {
      return { ...saved, problems: [{ ...problemAt("/baseCurrency", mistake("money.base_kept")), environment: environment.kind }] };
    }
    const plan = await planChange(tx, opened, await inTurns(readFile({ version: 1, ...settings })));
    if ("problems" in plan) return { ...saved, problems: plan.problems.map((one) => ({ ...one, environment: environment.kind })) };
    const after = dryRun ? null : revisionOf(shown(await writeChange(tx, opened, plan, { actor, via: "save" })));
    return { ...saved, isChanged: plan.changes.length > 0, revision: after };
  });
