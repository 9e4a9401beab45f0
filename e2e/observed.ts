import type { Backend } from "./backend.ts";
import { mission, shop } from "./definitions.ts";
import type { Service } from "./listening.ts";

/** A player's objectives after the player's events. */
export interface Observed {
  backend: Backend;
  read(): Promise<any[]>;
  /** Sends one event for each of these sets of properties in one batch; returns the objectives afterwards. */
  after(...events: object[]): Promise<any[]>;
  /** The feed's raw text, with its numbers digit for digit. */
  raw(): Promise<string>;
}

/** One mission of these objectives, which a player has entered; a last, unreachable one keeps it open. */
export async function observe(service: Service, ...objectives: object[]): Promise<Observed> {
  const open = { event: "order_returned", operator: "GreaterThanOrEqualTo", target: 99 };
  const backend = await service.sandbox(shop(mission("observed", { objectives: [...objectives, open] })));
  await backend.missions("ann");
  const read = async (): Promise<any[]> => (await backend.mission("ann", "observed")).objectives.slice(0, -1);
  return {
    backend,
    read,
    async after(...events) {
      await backend.play(...events.map((properties) => ({ playerId: "ann", properties })));
      return read();
    },
    raw: async () => (await backend.post("/v1/missions", { playerId: "ann" })).text,
  };
}

/** The values that objectives show; null without a reading. */
export const counterValues = (objectives: any[]): unknown[] => objectives.map(({ progress }) => progress.actual?.value ?? null);
