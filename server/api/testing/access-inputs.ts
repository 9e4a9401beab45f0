import type { TokenUse } from "../access.ts";
import { type Caller, deliveryTo, giveFactor, MAKERS, type Thing, type World } from "./access-world.ts";
import type { Role } from "../../model/kernel/environment.ts";

/** The access test's expectations for each procedure. Kept separate from the procedures, so that each checks the other. */
export interface AccessLine {
  /** The scope: any signed-in user, or the level at which the role is required. */
  scope: "installation" | "organization" | "project" | "environment";
  /** The lowest role; null: any signed-in user. */
  role: Role | null;
  tokens: TokenUse;
  /** Whether a session needs a recent proof. */
  isSensitive?: true;
  /** Whether it is open before a second factor that is due. */
  isBeforeFactor?: true;
  /** Whether an allowed call changes anything. */
  writes: boolean;
  /** A valid input, without `project` and `environment`; whatever it names is created first. */
  input?(world: World, caller: Caller): Promise<object> | object;
  /** The fields that take an id. */
  ids?: Record<string, Thing | { thing: Thing; as(id: string): unknown; ofBothEnvironments?: boolean }>;
  /** The status of an allowed call; 200 unless given. */
  answers?: number;
  /** Restores what the next call needs. */
  undo?(world: World): Promise<unknown>;
}

export const made =
  (field: string, thing: Thing) =>
  async ({ database, own }: World) => ({ [field]: await MAKERS[thing](database, own) });

/** The same with more members in its input. */
export const plus = <Line extends { input(world: World): Promise<object> | object }>(line: Line, more: () => object) => ({
  ...line,
  input: async (world: World) => ({ ...(await line.input(world)), ...more() }),
});

export const reads = { writes: false } as const;
export const writes = { writes: true } as const;
export const viewer = { role: "Viewer", tokens: "any", scope: "environment" } as const;
export const support = { role: "Support", tokens: "any", scope: "environment" } as const;
export const editor = { role: "Editor", tokens: "any", scope: "environment" } as const;
export const admin = { role: "Admin", tokens: "any", scope: "environment" } as const;
/** Procedures that concern both environments. */
export const adminOfBoth = { role: "Admin", tokens: "ofBothEnvironments", scope: "project" } as const;
export const account = { scope: "installation", role: null, tokens: "none" } as const;
export const sensitive = { isSensitive: true } as const;
export const beforeFactor = { isBeforeFactor: true } as const;
export const membersOf = (role: Role) => ({ scope: "project", role, tokens: "none" }) as const;

let count = 0;
/** A new key for each call: no two define the same thing. */
export const newKey = (): string => `made_${++count}`;
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
export const nextCurrency = (): string => ["EUR", "USD"][++count % 2]!;
export const newEvent = () => ({ kind: "events", document: JSON.stringify({ key: newKey(), name: "New" }), isNew: true });
export const listing = {
  kind: "marketplaceItems",
  document: JSON.stringify({ key: "tried", name: "Tried", priceInPoints: 1, contents: [] }),
};
export const aPlayer = { ...reads, input: made("externalId", "player"), ids: { externalId: "player" } } as const;
export const anEndpoint = { input: made("id", "endpoint"), ids: { id: "endpoint" } } as const;
/** An endpoint with a held delivery. */
export const anEndpointThatIsOff = {
  input: async ({ database, own }: World) => {
    const id = await MAKERS.endpoint(database, own);
    await database.sql`update webhook_endpoints set disabled_at = now() where id = ${id}`;
    const delivery = await deliveryTo(database, own, id);
    await database.sql`update webhook_deliveries set status = 'Pending', due_at = now() where id = ${delivery}`;
    return { id };
  },
  ids: { id: "endpoint" },
} as const;
export const aDelivery = {
  input: async ({ database, own }: World) => {
    const id = await MAKERS.endpoint(database, own);
    return { id, deliveryId: await deliveryTo(database, own, id) };
  },
  ids: { id: "endpoint", deliveryId: "delivery" },
} as const;
/** A waiting change request, which the caller may decide. */
export const aRequest = (more: object = {}) =>
  ({
    input: async ({ database, own }: World, { userId }: Caller) => {
      await database.sql`update memberships set approves = true where user_id = ${userId}`;
      return { id: await MAKERS.changeRequest(database, own), ...more };
    },
    ids: { id: "changeRequest" },
  }) as const;
export const aMember = { input: made("id", "member"), ids: { id: "member" } } as const;
/** Gives the caller a second factor. */
export const ownFactor = {
  input: async ({ database: { sql } }: World, { userId }: Caller) => {
    await giveFactor(sql, userId!);
    return {};
  },
} as const;
export const anInvitation = { input: made("id", "invitation"), ids: { id: "invitation" } } as const;
export const anEvent = {
  input: async ({ database, own }: World) => ({ kind: "events", key: await MAKERS.definition(database, own) }),
  ids: { key: "definition" },
} as const;
export const aSegment = { input: made("key", "segment"), ids: { key: "segment" } } as const;
export const aBoard = { ...reads, input: made("key", "board"), ids: { key: "board" } } as const;
export const DAYS = { from: "2026-01-01", to: "2026-01-31", by: "Week" };
export const aRange = { ...reads, input: () => DAYS } as const;
export const subscription = () => ({ url: `http://127.0.0.1:1/${newKey()}`, events: ["mission.completed"] });
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>T</title></svg>').toString();

/** Keeps an environment below its limit of open imports. */
export const endImports = ({ database: { sql } }: World) => sql`update imports set status = 'Cancelled'`;
