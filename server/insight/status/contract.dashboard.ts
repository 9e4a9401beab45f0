import { z } from "zod";
import { environmentKind, forProject, inProject, instantText } from "../../model/contract/rpc.ts";

/** An environment's backlog. Counts stop at ten thousand; ages are in seconds, null if nothing waits. */
const environment = z.object({
  project: z.string(),
  projectName: z.string(),
  environment: environmentKind,
  facts: z.int(),
  oldestFactSeconds: z.number().nullable(),
  quarantined: z.int(),
  deliveries: z.int(),
  oldestDeliverySeconds: z.number().nullable(),
  /** Leaderboard periods due to settle. */
  periods: z.int(),
  oldestPeriodSeconds: z.number().nullable(),
  scheduledChanges: z.int(),
  imports: z.int(),
  /** The days for which events are kept; null: for ever. */
  eventDays: z.int().nullable(),
  purgedBefore: instantText.nullable(),
  /** Whether old events are being deleted now. */
  isPurging: z.boolean(),
});

const process = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  node: z.string(),
  isServing: z.boolean(),
  isWorking: z.boolean(),
  startedAt: instantText,
  beatAt: instantText,
  secondsSilent: z.number(),
  memoryBytes: z.number(),
  /** Database connections by kind of work, at the last heartbeat: those in use, and how much work waits for one. */
  pools: z.array(z.object({ name: z.string(), size: z.int(), inUse: z.int(), waiting: z.int() })),
  /** Since it started; null from a version that does not report them. */
  errors: z.object({ serverErrors: z.int(), failedAttempts: z.int(), quarantined: z.int() }).nullable(),
});

const installation = z.object({
  /** The latest heartbeat first, within the last day. */
  processes: z.array(process),
  /** The number of lanes of the event queue: as many slices can be applied at once. */
  lanes: z.int(),
  database: z.object({
    version: z.string(),
    bytes: z.number(),
    connections: z.int(),
    activeConnections: z.int(),
    mostConnections: z.int(),
    longestTransactionSeconds: z.number().nullable(),
  }),
  /** The largest first, partitions summed. Rows are PostgreSQL's estimate. */
  tables: z.array(z.object({ name: z.string(), rows: z.number(), bytes: z.number(), indexBytes: z.number() })),
  /** By total time; null if the database has no pg_stat_statements. */
  statements: z
    .array(z.object({ query: z.string(), calls: z.number(), totalMs: z.number(), meanMs: z.number(), rows: z.number() }))
    .nullable(),
  /** What keeping events for these days would free, over all environments, by PostgreSQL's statistics; null before it has any. */
  older: z.array(z.object({ days: z.int(), rows: z.number(), bytes: z.number() })).nullable(),
});

export type StatusOfEnvironment = z.infer<typeof environment>;
export type StatusOfInstallation = z.infer<typeof installation>;

export const statusDashboard = {
  /**
   * Owners of the installation's first organization see all of it; other Owners only the backlog of their project, and null for the
   * installation.
   */
  read: forProject("Owner", { tokens: "none" })
    .input(inProject)
    .output(z.object({ environments: z.array(environment), installation: installation.nullable() })),
};
