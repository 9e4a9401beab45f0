import type { DataImport } from "../client/service.tsx";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import type { Tone } from "../components/surface.tsx";

type Kind = DataImport["kind"];

interface KindWords {
  label: string;
  hint: string;
  /** The columns of a CSV file, with two lines of data. */
  csv: string;
  jsonl: string;
}

export const IMPORT_KINDS: Record<Kind, KindWords> = {
  players: {
    label: "Players",
    hint: "IDs with names, time zones and when they were first seen",
    csv: "playerId,displayName,timeZoneId,firstSeenAt\ncustomer-1,Ann,Europe/Amsterdam,2024-05-01T09:00:00Z\ncustomer-2,Bob,,",
    jsonl: '{"playerId":"customer-1","displayName":"Ann","timeZoneId":"Europe/Amsterdam"}',
  },
  attributes: {
    label: "Attributes",
    hint: "A column for each attribute; occurredAt is optional",
    csv: "playerId,tier,birthday,occurredAt\ncustomer-1,gold,1990-04-01T00:00:00Z,2026-01-31T09:00:00Z",
    jsonl: '{"playerId":"customer-1","attributes":{"tier":"gold"},"occurredAt":"2026-01-31T09:00:00Z"}',
  },
  events: {
    label: "Events",
    hint: "Historical events; a column for each property",
    csv: "playerId,event,occurredAt,idempotencyKey,amount\ncustomer-1,order_placed,2026-01-31T09:00:00Z,order-1001,12.50",
    jsonl: '{"playerId":"customer-1","event":"order_placed","occurredAt":"2026-01-31T09:00:00Z","properties":{"amount":12.5}}',
  },
  points: {
    label: "Points",
    hint: "Added to each balance as an adjustment",
    csv: "playerId,points\ncustomer-1,1200\ncustomer-2,-50",
    jsonl: '{"playerId":"customer-1","points":1200}',
  },
};

export const STATUS: Record<DataImport["status"], { label: string; tone: Tone }> = {
  Uploading: { label: "Uploading", tone: "neutral" },
  Checking: { label: "Checking", tone: "info" },
  Ready: { label: "Ready to import", tone: "warn" },
  Running: { label: "Importing", tone: "info" },
  Done: { label: "Imported", tone: "good" },
  Cancelled: { label: "Cancelled", tone: "neutral" },
  Failed: { label: "Failed", tone: "bad" },
};

/** "1,000 lines: 990 new, 8 already imported, 2 refused" of a checked file; of an import, what was done so far. */
export function countsWords({ status, lines, refused, repeated, applied }: DataImport): string {
  const also = [repeated > 0 ? `${formatted(repeated)} already imported` : "", refused > 0 ? `${formatted(refused)} refused` : ""].filter(
    (part) => part !== "",
  );
  const isChecked = status === "Uploading" || status === "Checking" || status === "Ready";
  const first = isChecked ? `${formatted(lines - refused - repeated)} new` : `${formatted(applied)} imported`;
  return `${plural(lines, "line")}: ${[first, ...also].join(", ")}`;
}

/** Side effects of an import. */
export const choicesWords = ({ enters, segmentKey, notifies }: DataImport): string =>
  [
    enters === "Nobody"
      ? "No players entered into missions"
      : enters === "Segment"
        ? `Players in segment ${segmentKey} entered into missions`
        : "All players entered into missions",
    notifies ? "webhooks sent" : "no webhooks",
  ].join(", ");
