import type { Scope } from "../client/address.ts";

/** The event of the first request: a defined one with its required properties; without any, discovery defines it. */
export interface SampleEvent {
  event: string;
  properties: Record<string, string | number | boolean>;
}

interface Defined {
  key: string;
  active: boolean;
  properties: { key: string; type: string; required: boolean }[];
}

const SAMPLES: Record<string, string | number | boolean> = {
  Number: 4.5,
  Boolean: true,
  String: "espresso",
  DateTime: "2026-01-31T09:00:00Z",
};

export function sampleEvent(events: readonly Defined[]): SampleEvent {
  const event = events.find(({ active }) => active);
  if (event === undefined) return { event: "order_placed", properties: { amount: 4.5 } };
  const required = event.properties.filter((property) => property.required);
  return { event: event.key, properties: Object.fromEntries(required.map(({ key, type }) => [key, SAMPLES[type] ?? "text"])) };
}

/** Placeholder for the key until it is known. */
export const keyPlaceholder = (environment: "sandbox" | "live"): string => `${environment === "live" ? "svc_live_" : "svc_sbox_"}…`;

/** The shell's variable for a key: "ACME_COFFEE_SANDBOX_KEY". It names project and environment, so that keys are not mixed up. */
export const keyVariable = ({ project, environment }: Scope): string => `${project}_${environment}_key`.replaceAll("-", "_").toUpperCase();

/**
 * Lines that can be pasted into a shell: the key's variable, a read of a player's missions, which enters them, and an event of theirs.
 */
export function firstRequests(
  baseUrl: string,
  { variable, key }: { variable: string; key: string },
  { event, properties }: SampleEvent,
  occurredAt: string,
): string {
  const playerId = "ann";
  const item = { playerId, event, occurredAt, ...(Object.keys(properties).length > 0 && { properties }) };
  // Escapes a quote for the shell.
  const curl = (path: string, body: string) => `curl ${baseUrl}${path} \\
  -H "Authorization: Bearer $${variable}" \\
  -d '${body.replaceAll("'", `'\\''`)}'`;
  return [
    `export ${variable}=${key}`,
    curl("/v1/missions", JSON.stringify({ playerId })),
    curl("/v1/events", JSON.stringify({ events: [item] }, null, 2)),
  ].join("\n");
}
