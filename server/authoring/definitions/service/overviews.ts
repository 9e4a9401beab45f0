import type { Sql } from "#db/client.ts";
import { loadStored } from "#server/engine/definitions.ts";
import { inTurns } from "#server/engine/turns.ts";
import { cacheName, VersionCache } from "#server/engine/version-cache.ts";
import { definitionsExtent } from "#server/model/definitions/bounds.ts";
import { type Overview, overviewOf } from "#server/model/definitions/overview.ts";
import type { Environment } from "#server/model/kernel/environment.ts";

/** Measured as JSON; as objects, overviews take several times as much memory. */
const MAX_OVERVIEW_BYTES = 64 * 1024 * 1024;

export const overviews = new VersionCache<Overview>(MAX_OVERVIEW_BYTES);
const loading = new Map<string, Promise<Overview>>();

/** Everything an environment defines, at its version as loaded or later. */
export async function overviewIn({ sql }: { sql: Sql }, environment: Environment): Promise<Overview> {
  const version = String(environment.definitionsVersion);
  const known = overviews.get(cacheName(environment), version);
  if (known !== undefined) return known;
  const name = `${cacheName(environment)}/${version}`;
  const elsewhere = loading.get(name);
  if (elsewhere !== undefined) return elsewhere;
  const loaded = loadStored(sql, environment.id).then((stored) => inTurns(overviewOf(stored)));
  loading.set(name, loaded);
  try {
    const overview = await loaded;
    keepOverview(environment, overview);
    return overview;
  } finally {
    loading.delete(name);
  }
}

/** Caches the overview of an environment at its version, which must be committed. */
export const keepOverview = (environment: Environment, overview: Overview): void =>
  overviews.set(cacheName(environment), String(environment.definitionsVersion), overview, definitionsExtent(overview.stored).bytes);
