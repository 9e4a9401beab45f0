import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { bumpDefinitionsVersion } from "../../people/projects/environments.ts";
import { DISCOVERY, discoveryEntries } from "../../model/definitions/audit-entries.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { type Discovered, planDiscovery } from "../../model/definitions/discovery.ts";
import { insertDefinitions, updateDefinitions } from "../../engine/store/definitions.ts";
import type { Author } from "../../model/definitions/versions.ts";
import { definitionsOf, openExclusive } from "../../engine/definitions.ts";

/**
 * Writes the discoveries that `find` returns for the current definitions, under the exclusive environment lock: of concurrent requests with
 * the same discovery the first one defines it, and the others call `find` again. Returns the new environment, against which the request
 * must be validated again. Discoveries must fit the definitions.
 */
export function discoverDefinitions(
  database: Database,
  environment: Environment,
  find: (definitions: Definitions) => Discovered,
): Promise<Environment> {
  return transact(database, async (tx) => {
    const { environment: current, now, stored } = await openExclusive(tx, environment.id);
    const found = find(await definitionsOf(tx, current, stored));
    const plan = planDiscovery(found, stored, current.defaultLanguage);
    if (plan.additions.length + plan.updates.length === 0) return current;
    const author: Author = { actor: DISCOVERY, via: "discovery" };
    await insertDefinitions(tx, current.id, now, plan.additions, author);
    await updateDefinitions(tx, now, plan.updates, author);
    await recordChange(tx, ...discoveryEntries(current, plan, stored));
    return { ...current, definitionsVersion: await bumpDefinitionsVersion(tx, current.id) };
  });
}
