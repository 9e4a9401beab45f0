import { type Database, transact } from "../../db/client.ts";
import { definitionsOf } from "../definitions/service.ts";
import { applyDecision, openGround } from "../engine/apply.ts";
import type { Environment } from "../kernel/environment.ts";
import type { AttributeFact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { Problem, type ProblemEntry } from "../kernel/problem.ts";
import type { Scalar } from "../kernel/values.ts";
import { playerKey } from "../players/identity.ts";
import { loadAttributes } from "./store.ts";
import { type AttributeWrite, judgeWrites, resultOf, type WriteResult } from "./writes.ts";

/**
 * Sets attributes of a player, all or none (api.md 4.2), and creates the player on first contact. What changes is a fact
 * that moves the missions whose objectives name the attribute, in the same transaction. The result of each, by key.
 * Problems: player_attribute.not_found, .inactive, .type_mismatch, .value_out_of_range, .occurred_at_invalid.
 */
export async function writeAttributes(
  database: Database,
  environment: Environment,
  externalId: string,
  values: Record<string, unknown>,
): Promise<Record<string, WriteResult>> {
  const key = { ...playerKey(environment.id, externalId), externalId };
  return transact(database, async (tx) => {
    const ground = await openGround(tx, environment.id);
    const { writes, problems } = judgeWrites(values, ground.definitions, ground.now);
    if (problems.length > 0) throw new Problem(problems as [ProblemEntry, ...ProblemEntry[]]);
    let results: Record<string, WriteResult> | null = null;
    await applyDecision(tx, ground, key, (player, seq) => {
      if (results !== null) return [];
      results = Object.fromEntries(writes.map((write) => [write.attribute.key, resultOfWrite(player, write)]));
      return writes.filter((write) => resultOfWrite(player, write) === "Changed").map((write) => factOf(write, seq, ground.now));
    });
    return results ?? {};
  });
}

const resultOfWrite = (player: Player, write: AttributeWrite): WriteResult => resultOf(player.attributes.get(write.attribute.id), write);

const factOf = ({ attribute, value, occurredAt }: AttributeWrite, seq: number, receivedAt: number): AttributeFact => ({
  kind: "attribute",
  seq,
  receivedAt,
  attributeId: attribute.id,
  value,
  occurredAt,
});

/** What a player has a value for, by attribute key (api.md 4.3); nothing for a player that the environment has never seen. */
export async function readAttributes({ sql }: Database, environment: Environment, externalId: string): Promise<Record<string, Scalar>> {
  const definitions = await definitionsOf(sql, environment);
  const values = await loadAttributes(sql, playerKey(environment.id, externalId));
  return Object.fromEntries(
    Array.from(definitions.attributesById.values()).flatMap(({ id, key }) => {
      const value = values.get(id)?.value;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
