import type { Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { selectCounts } from "../store/counts.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** The members of a segment: those of this generation in `segment_members`. */
export interface SegmentGeneration {
  id: number;
  generation: number;
  /** The last complete count, in real time; null until there is one, and then there are no members. */
  counted: { members: number; at: number } | null;
}

/**
 * The current generation of a segment's members, valid for this transaction only: a later count replaces and deletes them. Null for an
 * unknown segment or one that is switched off.
 */
export async function generationOf(sql: Sql, environment: Environment, key: string): Promise<SegmentGeneration | null> {
  const { segments } = await definitionsOf(sql, environment);
  const segment = segments.find((one) => one.active && one.key === key);
  if (segment === undefined) return null;
  const [count] = await selectCounts(sql, [segment.id], environment);
  const { generation = 0, members = null, countedAt = null } = count ?? {};
  const counted = members === null || countedAt === null ? null : { members, at: countedAt };
  return { id: segment.id, generation, counted };
}
