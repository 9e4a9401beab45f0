import type { Database } from "#db/client.ts";
import { addPiece, createImport, importStatus } from "../imports/service/imports.ts";
import { type Environment, DEMO } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { derivedId } from "../../model/players/identity.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { listProjects } from "../../people/projects/projects.ts";
import { DEMO_SLUG } from "../../model/projects/settings.ts";
import { type Fixture, fixturesOf, regulars, type HistorySpan } from "./history.ts";

/** The length of the longer history, and the number of its regulars. */
export interface History {
  days: number;
  customers: number;
}

/** Twelve weeks of all customers. */
export const HISTORY: History = { days: 84, customers: Infinity };
const DAY_MS = 86_400_000;
const PIECE = 200_000;

/** The files of the history, in import order. The last one follows when everything else is done (`finish-history.ts`). */
const FILES = [
  { name: "players", kind: "players", fileName: "customers.jsonl" },
  { name: "attributes", kind: "attributes", fileName: "customer-attributes.jsonl" },
  { name: "events", kind: "events", fileName: "twelve-weeks-of-events.jsonl" },
  { name: "tiers", kind: "attributes", fileName: "customer-tiers.jsonl" },
] as const;

export type HistoryFile = (typeof FILES)[number]["name"];

export const idOf = (sandbox: Environment, file: HistoryFile): string => derivedId("demo history", sandbox.id, file);

/** Creates the history's imports together with the demo: if an import is missing later, a reset has deleted it. */
export async function announceHistory(database: Database, sandbox: Environment): Promise<void> {
  for (const { name, ...file } of FILES)
    await createImport(database, sandbox, { ...file, id: idOf(sandbox, name), format: "jsonl", reason: null, isUnattended: true }, DEMO);
}

/** A complete demo found at start, with the span of its history. */
export interface Loaded {
  sandbox: Environment;
  span: HistorySpan;
}

/** The demo and the span of its history; null if it is missing, archived or incomplete. */
export async function loadedDemo(database: Database, { days }: History): Promise<Loaded | null> {
  const demo = (await listProjects(database)).find(({ slug, isArchived }) => slug === DEMO_SLUG && !isArchived);
  if (demo === undefined) return null;
  const sandbox = await findEnvironment(database, DEMO_SLUG, "sandbox");
  if (sandbox.clockOffsetMs < 0) return null;
  return { sandbox, span: { startsAt: demo.createdAt - days * DAY_MS, endsAt: demo.createdAt } };
}

/**
 * Hands over the next file of the history, which the worker imports like any other: a few hundred customers, and what they did in the
 * twelve weeks before the demo was created. Each file waits for the previous one, so that customers exist before their events. Files are
 * deterministic, so the next start resumes an interrupted one. False if the history is complete, or will not come: the demo is missing,
 * incomplete, or was reset.
 */
export async function loadHistory(database: Database, history = HISTORY): Promise<boolean> {
  const demo = await loadedDemo(database, history);
  if (demo === null) return false;
  const { sandbox, span } = demo;
  for (const file of ["players", "attributes", "events"] as const) {
    const status = await importStatus(database, sandbox, idOf(sandbox, file));
    if (status === "Done") continue;
    if (status === null || status === "Cancelled" || status === "Failed") return false;
    if (status === "Uploading") {
      const fixtures = fixturesOf(regulars(history), span, sandbox.timeZone);
      await handOver(database, sandbox, file, LINES[file](fixtures));
    }
    return true;
  }
  return false;
}

export async function handOver(database: Database, sandbox: Environment, file: HistoryFile, lines: readonly object[]): Promise<void> {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  for (let number = 0; number * PIECE < text.length; number++) {
    const piece = text.slice(number * PIECE, (number + 1) * PIECE);
    await addPiece(database, sandbox, idOf(sandbox, file), { number, text: piece, isLast: (number + 1) * PIECE >= text.length });
  }
}

const LINES: Record<Exclude<HistoryFile, "tiers">, (fixtures: readonly Fixture[]) => object[]> = {
  players: (fixtures) =>
    fixtures.flatMap((one) =>
      one.kind === "joins"
        ? [{ playerId: one.playerId, displayName: one.displayName, timeZoneId: one.timeZone, firstSeenAt: formatInstant(one.at) }]
        : [],
    ),
  attributes: (fixtures) =>
    fixtures.flatMap((one) =>
      one.kind === "setsAttributes" ? [{ playerId: one.playerId, occurredAt: formatInstant(one.at), attributes: one.attributes }] : [],
    ),
  // The last line is invalid on purpose, so that the report of refused lines is not empty.
  events: (fixtures) => [
    ...fixtures.flatMap((one) =>
      one.kind === "sendsEvent"
        ? [
            {
              playerId: one.playerId,
              event: one.event,
              occurredAt: formatInstant(one.at),
              idempotencyKey: one.key,
              properties: one.properties,
            },
          ]
        : [],
    ),
    { playerId: "emma.bos", event: "order_placed", occurredAt: "31/08/2026 09:15", properties: {} },
  ],
};
