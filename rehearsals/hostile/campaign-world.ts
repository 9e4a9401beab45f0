import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import type { TestProject } from "../../db/testing.ts";
import { recordChange } from "../../server/people/audit-log/record.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { listing, mission, ORDER_PLACED } from "../../e2e/definitions.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";

/** The amounts of stored data. */
export interface Scale {
  missions: number;
  /** Characters of a mission's description, in each of two languages. */
  description: number;
  players: number;
  /** Events of each player. */
  events: number;
  /** Audit log entries with long values. */
  saves: number;
}

const LANGUAGES = ["en", "de"];
/** Missions per import. Few imports, since each plans the existing missions too. */
const AT_ONCE = 3_000;

const textOf = (words: string) => ({ default: "en", texts: Object.fromEntries(LANGUAGES.map((language) => [language, words])) });

export const missionKey = (at: number): string => `mission_${at}`;

/** A condition over the orders of the last days; each number of days is a separate input. */
export const orderedWithin = (days: number) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", value: 1, lastDays: days });

/** A mission in the file's form; `edition` distinguishes versions of it. */
export const missionOf = (at: number, { description }: Scale, edition: number): object =>
  mission(missionKey(at), {
    description: textOf(`${edition} ${"words of a description ".repeat(Math.ceil(description / 23))}`.slice(0, description)),
    audience: { rule: { all: [{ segment: `segment_${at % 10}` }] } },
    rewards: [{ kind: "Points", points: 10 + edition }],
  });

const SHARED = {
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  events: [ORDER_PLACED],
  segments: Array.from({ length: 10 }, (_, at) => ({
    key: `segment_${at}`,
    name: `Segment ${at}`,
    rule: { any: [orderedWithin(at + 1)] },
  })),
  leaderboards: [{ key: "board", name: "Board", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" }],
  catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
  marketplaceItems: [listing("coffee")],
};

/** An environment of the largest size, whose other one differs in every mission, with players' histories and a log of large saves. */
export async function fillWorld(database: Database, { sandbox, live }: TestProject, scale: Scale): Promise<void> {
  for (const [edition, environment] of [live, sandbox].entries()) {
    await must(importDefinitions(database, environment, { version: 1, ...SHARED }));
    for (let from = 0; from < scale.missions; from += AT_ONCE) {
      const missions = Array.from({ length: Math.min(AT_ONCE, scale.missions - from) }, (_, at) => missionOf(from + at, scale, edition));
      await must(importDefinitions(database, environment, { version: 1, missions }));
    }
  }
  await fillPlayers(database, sandbox, scale);
  const { projectId, id: environmentId } = sandbox;
  for (let at = 0; at < scale.saves; at++) {
    const after = randomBytes(300_000).toString("base64");
    await database.sql.begin((tx) =>
      recordChange(tx, {
        ...{ projectId, environmentId, actor: { userId: null, name: "somebody" }, action: "update" },
        ...{ subjectKind: "missions", subjectKey: missionKey(at), difference: [{ path: ["description"], before: "", after }] },
      }),
    );
  }
}

async function must(importing: ReturnType<typeof importDefinitions>): Promise<void> {
  const result = await importing;
  if ("problems" in result) throw new Error(JSON.stringify(result.problems.slice(0, 3)));
}

async function fillPlayers({ sql }: Database, { id }: Environment, { players, events }: Scale): Promise<void> {
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select ('x' || substr(h, 1, 3))::bit(12)::int >> 2, h::uuid, ${id}, 'p' || n, now()
    from generate_series(1, ${players}::int) n, md5(${id}::text || '/' || n) h`;
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
    select p.part, p.player_id, gen_random_uuid(), ${id}, d.id, nextval('fact_seq'), now() - n * interval '1 hour', now(),
      json_build_object('amount', n, 'drink', repeat('x', 100))
    from players p, definitions d, generate_series(1, ${events}::int) n
    where p.environment_id = ${id} and d.environment_id = ${id} and d.kind = 'events' and d.key = 'order_placed'`;
  await sql`analyze players, events, definitions, audit_log`;
}
