import { setImmediate } from "node:timers/promises";
import type { Transaction } from "#db/client.ts";
import { problemsOfAttributes } from "#server/game/attributes/service.ts";
import { checkItems, loggedIds } from "#server/game/events/service.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { formatInstant, parseInstant } from "#server/model/kernel/time.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import { sentProfile } from "#server/game/players/contract.ts";
import { playersAmong } from "#server/game/players/service/players.ts";
import { usedKeys } from "#server/game/points/service.ts";
import type { ImportKind } from "#server/model/imports/items.ts";
import type { NewLine } from "../store/lines.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { playerKey } from "#server/model/players/identity.ts";

/** A parsed line. Its fingerprint, and its number among identical lines, ensure that it is applied once. */
export interface ImportLine {
  line: number;
  fields: Readonly<Record<string, unknown>>;
  fingerprint: string;
  ordinal: number;
}

interface Judging {
  environment: Environment;
  definitions: Definitions;
  /** The time on the environment's clock, epoch milliseconds. */
  now: number;
  reason: string | null;
}

/** `repeated`: the number of lines that were there before, and would change nothing. */
interface Judged {
  lines: NewLine[];
  repeated: number;
}

/** Finds each line's problems without applying it. Read-only. */
export function judgeLines(tx: Transaction, kind: ImportKind, judging: Judging, lines: readonly ImportLine[]): Promise<Judged> {
  switch (kind) {
    case "players":
      return judgePlayers(judging, lines);
    case "attributes":
      return judgeAttributes(judging, lines);
    case "events":
      return judgeEvents(tx, judging, lines);
    case "points":
      return judgePoints(tx, judging, lines);
  }
}

/** The key of a line without one of its own. */
const keyOf = ({ fingerprint, ordinal }: ImportLine): string => `import ${fingerprint} ${ordinal}`;

/** The line's own key; null: none. Non-text is kept for validation to refuse. */
const ownKey = ({ fields }: ImportLine): unknown => (typeof fields.idempotencyKey === "string" && fields.idempotencyKey.trim() === "" ? null : (fields.idempotencyKey ?? null)); // oxfmt-ignore

const row = (line: ImportLine, item: unknown, problems: string[], occurredAt = 0): NewLine => ({
  line: line.line,
  externalId: externalIdOf(line) ?? "",
  occurredAt: problems.length > 0 ? 0 : occurredAt,
  fingerprint: line.fingerprint,
  ordinal: line.ordinal,
  item: writeJson(problems.length > 0 ? line.fields : item),
  problems: problems.length > 0 ? problems : null,
});

const MAX_ID_LENGTH = 200;

const externalIdOf = ({ fields: { playerId } }: ImportLine): string | null =>
  typeof playerId === "string" && playerId.trim() !== "" && [...playerId].length <= MAX_ID_LENGTH ? playerId : null;

const problemsOfId = (line: ImportLine): string[] =>
  externalIdOf(line) === null ? [`playerId must be a text of 1 to ${MAX_ID_LENGTH} characters.`] : [];

const given = sentProfile.partial();
const PROFILE = Object.keys(given.shape);

/** Lines between two yields to the event loop. */
const TURN = 500;

async function judgePlayers({ now }: Judging, lines: readonly ImportLine[]): Promise<Judged> {
  const rows: NewLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    const { firstSeenAt } = line.fields;
    const profile = Object.fromEntries(PROFILE.map((name) => [name, line.fields[name]]));
    const problems = given.safeParse(profile).error?.issues ?? [];
    const words = problems.map(({ path, message }) => `${path.join(".")} ${message}`);
    const since = typeof firstSeenAt === "string" ? parseInstant(firstSeenAt) : null;
    if (firstSeenAt !== undefined && firstSeenAt !== null && (since === null || since > now))
      words.push("firstSeenAt must be an RFC 3339 instant in the past.");
    rows.push(row(line, { ...profile, firstSeenAt: since }, [...problemsOfId(line), ...words]));
  }
  return { lines: rows, repeated: 0 };
}

async function judgeAttributes({ definitions, now }: Judging, lines: readonly ImportLine[]): Promise<Judged> {
  const rows: NewLine[] = [];
  for (const line of lines) {
    const problems = problemsOfId(line);
    const { occurredAt = formatInstant(now), attributes } = line.fields;
    if (!isJsonObject(attributes)) {
      rows.push(row(line, null, [...problems, "attributes must be an object of values."]));
      continue;
    }
    const dated = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, isJsonObject(value) ? { occurredAt, ...value } : { value, occurredAt }]),
    );
    if (Object.keys(attributes).length === 0) problems.push("The line has no value.");
    else problems.push(...(await problemsOfAttributes(definitions, dated, now)));
    rows.push(row(line, { attributes: dated }, problems));
  }
  return { lines: rows, repeated: 0 };
}

async function judgeEvents(tx: Transaction, { environment, definitions, now }: Judging, lines: readonly ImportLine[]): Promise<Judged> {
  const items = lines.map((line) => ({ ...line.fields, idempotencyKey: ownKey(line) ?? keyOf(line) }));
  const checked = await checkItems(definitions, environment, { items, mayHoldBadText: false, now });
  const ids = checked.flatMap((one) => ("event" in one && one.event !== null ? [one.event] : []));
  const logged = await loggedIds(tx, ids);
  const isRepeated = (at: number) => {
    const one = checked[at]!;
    return "event" in one && one.event !== null && logged.has(one.event.id);
  };
  const rows = lines.map((line, at) => {
    const one = checked[at]!;
    return "problems" in one ? row(line, null, one.problems) : row(line, items[at], [], one.occurredAt);
  });
  return { lines: rows, repeated: lines.filter((_, at) => isRepeated(at)).length };
}

async function judgePoints(tx: Transaction, { environment }: Judging, lines: readonly ImportLine[]): Promise<Judged> {
  const keys = lines.map((line) => ({ ...playerKey(environment.id, externalIdOf(line) ?? ""), key: String(ownKey(line) ?? keyOf(line)) }));
  const known = new Set((await playersAmong(tx, keys)).map(({ playerId }) => playerId));
  const used = await usedKeys(tx, keys);
  const rows = lines.map((line, at) => {
    const { points } = line.fields;
    const { playerId, key } = keys[at]!;
    const problems = problemsOfId(line);
    if (problems.length === 0 && !known.has(playerId)) problems.push("There is no such player in this environment: import players first.");
    if (!Number.isSafeInteger(points) || points === 0)
      problems.push("points must be a whole number other than 0, within ±9007199254740991.");
    if ([...key].length > MAX_ID_LENGTH) problems.push(`idempotencyKey has more than ${MAX_ID_LENGTH} characters.`);
    return row(line, { points, idempotencyKey: key }, problems);
  });
  return { lines: rows, repeated: keys.filter(({ playerId, key }) => used.has(`${playerId} ${key}`)).length };
}
