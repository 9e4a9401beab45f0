import { inputsOfAudiences } from "../../model/rules/audience.ts";
import type { Database } from "#db/client.ts";
import { applyDecision, mustBeAsRead } from "../../engine/apply.ts";
import { type AttributeFact, isTooFarAhead, TOO_FAR_AHEAD } from "../../model/kernel/facts.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import type { Player } from "../../model/kernel/player.ts";
import { memberNames } from "../../model/kernel/json-reader.ts";
import { Problem, type ProblemEntry, type Problems } from "../../model/kernel/problem.ts";
import { atOnce } from "../../model/kernel/steps.ts";
import { isJsonObject, type Scalar } from "../../model/kernel/values.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { inTurns } from "../../engine/turns.ts";
import { missionsReadingPlayer } from "../../model/missions/automatic-entries.ts";
import { playerKey } from "../../model/players/identity.ts";
import { loadAttributes } from "../../engine/store/attributes.ts";
import { type AttributeWrite, judgeWrites, resultOf, STEP, type Values, type WriteResult } from "../../model/attributes/writes.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { discoverDefinitions } from "../events/discovery.ts";
import { environmentNow } from "../../engine/environment.ts";

export { type HeldValue, holdersAfter, loadHeldValues } from "../../engine/store/attributes.ts";

export type Results = Record<string, WriteResult>;

interface Quietly {
  /** Sends no webhooks for the effects of the values. */
  isQuiet?: boolean;
  /** Writes nothing if players were deleted since `environment` was read (service.unavailable). */
  isAsRead?: boolean;
}

/** Rounds of validation per request; discoveries are defined after the first. */
const ROUNDS = 8;

/**
 * Sets attributes of a player, all or none, and creates the player on first contact. A change is a fact that advances the missions whose
 * objectives name the attribute, in the same transaction; a zone applies from it on. With discovery on, undefined attributes are defined
 * first. `refused` are other problems of the request: they are reported with the rest, and nothing is written. Returns the result of each,
 * by key.
 * Problems: player_attribute.not_found, .inactive, .type_mismatch, .value_out_of_range, .occurred_at_invalid, request.invalid.
 */
export async function writeAttributes(
  database: Database,
  environment: Environment,
  { playerId, attributes, timeZone }: { playerId: unknown; attributes: unknown; timeZone?: string | undefined },
  refused: readonly ProblemEntry[],
  how: Quietly = {},
): Promise<Results> {
  const externalId = String(playerId);
  const values = isJsonObject(attributes) ? attributes : {};
  if (memberNames(values).length > STEP) await judgeFirst(database, environment, values, refused);
  for (let round = 0; round < ROUNDS; round++) {
    const results = await writeIfDefined(database, environment, { externalId, values, timeZone }, refused, how);
    if (results !== null) return results;
    await discoverDefinitions(database, environment, (latest) => {
      // Instants were validated before, so none may be rejected as too far ahead here.
      const { problems, found } = atOnce(judgeWrites(values, latest, Infinity));
      return problems.isEmpty ? { attributes: found } : {};
    });
  }
  throw new Error("The definitions of attributes kept changing.");
}

/** Validates a large request before the player is locked, yielding to other requests: such requests nearly always have mistakes. */
async function judgeFirst({ sql }: Database, environment: Environment, values: Values, refused: readonly ProblemEntry[]): Promise<void> {
  const [definitions, now] = await Promise.all([definitionsOf(sql, environment), environmentNow(sql, environment)]);
  refuse(refused, (await inTurns(judgeWrites(values, definitions, now))).problems);
}

function refuse(refused: readonly ProblemEntry[], { listed, more }: Problems): void {
  const all = [...refused, ...listed];
  if (all.length > 0) throw new Problem(all as [ProblemEntry, ...ProblemEntry[]], { more });
}

/** The problems that `writeAttributes` would report, in words; read-only. `now` is on the environment's clock. */
export async function problemsOfAttributes(definitions: Definitions, values: Values, now: number): Promise<string[]> {
  const { problems } = await inTurns(judgeWrites(values, definitions, now));
  return problems.list().map(({ message }) => message);
}

/** One attribute as a backend reports it; `occurredAt` is in epoch milliseconds. */
export interface AttributeReport {
  externalId: string;
  attributeKey: string;
  value: unknown;
  occurredAt: number;
  /** The zone of the player's days from now on; null leaves it as it is. */
  timeZone: string | null;
}

/** Sets one attribute of a player, as `writeAttributes` does. */
export async function reportAttribute(
  database: Database,
  environment: Environment,
  now: number,
  { externalId, attributeKey, value, occurredAt, timeZone }: AttributeReport,
): Promise<WriteResult> {
  const { refused, attributes } = writeOf({ attributeKey, value, occurredAt }, now);
  const sent = { playerId: externalId, attributes, timeZone: timeZone ?? undefined };
  const results = await writeAttributes(database, environment, sent, refused).catch((error: unknown) => {
    throw error instanceof Problem ? new Problem(problemsOfReport(error.entries) as [ProblemEntry, ...ProblemEntry[]]) : error;
  });
  return results[attributeKey]!;
}

const OCCURRED_AT = "occurredAtUtc";

/** A report as a write of attributes, and the problem of its instant. */
function writeOf({ attributeKey, value, occurredAt }: Pick<AttributeReport, "attributeKey" | "value" | "occurredAt">, now: number) {
  const ahead = isTooFarAhead(occurredAt, now);
  const refused: ProblemEntry[] = ahead
    ? [{ code: "request.invalid", message: `${OCCURRED_AT} ${TOO_FAR_AHEAD}`, pointer: `#/${OCCURRED_AT}` }]
    : [];
  return { refused, attributes: { [attributeKey]: { value, occurredAt: formatInstant(ahead ? now : occurredAt) } } };
}

/** The problems of attributes by their definitions, for a request that is refused in any case. `now` is on the environment's clock. */
export async function judgeAttributes({ sql }: Database, environment: Environment, now: number, attributes: unknown) {
  const values = isJsonObject(attributes) ? attributes : {};
  return (await inTurns(judgeWrites(values, await definitionsOf(sql, environment), now))).problems.listed;
}

/** The same of a report; its members that are wrong by themselves are left out. */
export async function judgeAttributeReport(
  database: Database,
  environment: Environment,
  now: number,
  { attributeKey = "", value, occurredAtUtc = now }: { attributeKey?: string; value?: unknown; occurredAtUtc?: number },
): Promise<ProblemEntry[]> {
  const { refused, attributes } = writeOf({ attributeKey, value, occurredAt: occurredAtUtc }, now);
  return problemsOfReport([...refused, ...(await judgeAttributes(database, environment, now, attributes))]);
}

/** The problems of a report's attribute, with the report's pointers and in the order of its members. */
function problemsOfReport(entries: readonly ProblemEntry[]): ProblemEntry[] {
  const isOfKey = ({ code }: ProblemEntry) => code === "player_attribute.not_found" || code === "player_attribute.inactive";
  const ofInstant = entries.filter(({ pointer }) => pointer === `#/${OCCURRED_AT}`);
  const ofKey = entries.filter(isOfKey).map((entry) => ({ ...entry, pointer: "#/attributeKey" }));
  const ofValue = entries
    .filter((entry) => !isOfKey(entry) && !ofInstant.includes(entry))
    .map((entry) => ({ ...entry, pointer: "#/value" }));
  return [...ofKey, ...ofValue, ...ofInstant];
}

/** Writes the values; null, with nothing written, if an attribute must be defined first. */
async function writeIfDefined(
  database: Database,
  environment: Environment,
  { externalId, values, timeZone }: { externalId: string; values: Values; timeZone: string | undefined },
  refused: readonly ProblemEntry[],
  { isQuiet, isAsRead }: Quietly,
): Promise<Results | null> {
  const { id } = environment;
  let results: Results | null = null;
  const written = await applyDecision(database, id, { ...playerKey(id, externalId), externalId }, (locked) => {
    const { definitions, now } = locked;
    if (isAsRead) mustBeAsRead(locked, environment);
    results = null;
    const { writes, problems, found } = atOnce(judgeWrites(values, definitions, now));
    refuse(refused, problems);
    if (found.length > 0) return null;
    const changes = (player: Player, seq: number) =>
      writes
        .filter((write) => resultOfWrite(player, write) === "Changed")
        .map((write): AttributeFact => ({ ...factOf(write, seq, now), ...(isQuiet && { isQuiet }) }));
    return {
      timeZone,
      decide(player, seq) {
        if (results !== null) return [];
        results = Object.fromEntries(writes.map((write) => [write.attribute.key, resultOfWrite(player, write)]));
        return changes(player, seq);
      },
      wanted: (player) => inputsOfAudiences(missionsReadingPlayer(player, definitions, changes(player, 0))),
    };
  });
  return written === null ? null : results;
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

/** A player's values by attribute key; empty for an unknown player. */
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

export { loadAttributes as readAttributeValues } from "../../engine/store/attributes.ts";
