import { setTimeout as delay } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import type { Database } from "../../db/client.ts";
import { testDatabase, testDatabaseUrl, testProject, type TestProject } from "../../db/testing.ts";
import { sessionCookie } from "../../server/api/session-cookie.ts";
import { signedIn } from "../../server/api/testing/signed-in.ts";
import type { Role } from "../../server/model/kernel/environment.ts";
import { program, steadyPort } from "../../e2e/programs.ts";
import { listing, mission, shop } from "../../e2e/definitions.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";

const AUTH_SECRET = "only for this test, and for no other";

/** The process's figures on the operations port. */
export interface Figures {
  stalls: number;
  stallSeconds: number;
  longestStallSeconds: number;
  /** Bytes. */
  rss: number;
}

/** Bytes, after a garbage collection. */
export interface Memory {
  heap: number;
  external: number;
  rss: number;
}

/** The attacked service: one process with pages, worker and operations port. */
export interface Attacked {
  port: number;
  /** The attacking customer's API key, and the cookie of an Owner. */
  key: string;
  cookie: string;
  slug: string;
  database: Database;
  project: TestProject;
  /** The cookie of a new person with this role in the project. */
  cookieOf(role: Role): Promise<string>;
  /** A new person with this role, with a client of the procedures. */
  signedIn(role: Role): ReturnType<typeof signedIn>;
  /** The API key of another organization, whose traffic is ordinary. */
  ordinaryKey: string;
  figures(): Promise<Figures>;
  /** Collects the process's garbage first. */
  memory(): Promise<Memory>;
  printed(): string;
  faults(): string[];
  stop(): Promise<void>;
}

const FILE = {
  ...shop(mission("coffee_lover", { optIn: "Manual" }), mission("first_steps")),
  attributes: [
    { key: "tier", name: "Tier", type: "String" },
    { key: "age", name: "Age", type: "Number" },
  ],
  metrics: [{ key: "spend", name: "Spend", kind: "Number", properties: [{ key: "channel", type: "String" }] }],
  streaks: [{ key: "daily", name: "Daily", metric: "spend", measure: { kind: "Sum" }, cadence: "Day" }],
  missionCollections: [{ key: "first_steps", name: "First steps", missions: ["coffee_lover"] }],
  marketplaceItems: [listing("coffee")],
};

export async function startAttacked(settings: Record<string, string>): Promise<Attacked> {
  const database = await testDatabase();
  const [hostile, ordinary] = [await testProject(database), await testProject(database)];
  for (const { sandbox } of [hostile, ordinary]) await importDefinitions(database, sandbox, { version: 1, ...FILE });
  const [port, operationsPort, inspectorPort] = [await steadyPort(), await steadyPort(), await steadyPort()];
  const service = program({
    name: "the service",
    file: "server/process/main.ts",
    port,
    environment: {
      DATABASE_URL: await testDatabaseUrl(),
      AUTH_SECRET,
      DEMO: "off",
      OWNER_PASSWORD: "only for this test",
      OPERATIONS_PORT: String(operationsPort),
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
      ...settings,
    },
  });
  service.start();
  await service.ready();
  const cookieOf = async (role: Role): Promise<string> => {
    const { email } = await signedIn(database, hostile.slug, role);
    const [session] = await database.sql<{ id: string }[]>`
      update sessions s set expires_at = now() + interval '7 days' from users u where u.id = s.user_id and u.email = ${email} returning s.id`;
    const { name } = sessionCookie(false);
    return `${name}=${await encode({ token: { sessionId: session!.id }, secret: AUTH_SECRET, salt: name, maxAge: 7 * 86_400 })}`;
  };
  const cookie = await cookieOf("Owner");
  return {
    port,
    key: hostile.sandboxKey,
    cookie,
    slug: hostile.slug,
    database,
    project: hostile,
    cookieOf,
    signedIn: (role) => signedIn(database, hostile.slug, role),
    ordinaryKey: ordinary.sandboxKey,
    async figures() {
      const page = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`, { headers: { connection: "close" } })).text();
      const figure = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, "m").exec(page)![1]);
      const of = (metric: string) => figure(`engagement_event_loop_${metric}`);
      const rss = figure("process_resident_memory_bytes");
      return { stalls: of("stalls_total"), stallSeconds: of("stall_seconds_total"), longestStallSeconds: of("longest_stall_seconds"), rss };
    },
    memory: () => memoryOf(inspectorPort),
    printed: service.printed,
    faults: service.faults,
    stop: async () => void (await service.stop()),
  };
}

/** Uses the inspector, which listens only in this rehearsal: the service has no other way to collect its garbage on demand. */
async function memoryOf(inspectorPort: number): Promise<Memory> {
  const [{ webSocketDebuggerUrl }] = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("The inspector cannot be reached.")), { once: true });
  });
  let asked = 0;
  const ask = (method: string, params = {}) =>
    new Promise<any>((resolve) => {
      const id = ++asked;
      const listen = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id?: number; result: unknown };
        if (answer.id !== id) return;
        socket.removeEventListener("message", listen);
        resolve(answer.result);
      };
      socket.addEventListener("message", listen);
      socket.send(JSON.stringify({ id, method, params }));
    });
  // Repeated, since objects that finalizers release only become garbage then.
  for (let round = 0; round < 3; round++) {
    await ask("HeapProfiler.collectGarbage");
    await delay(200);
  }
  const { result } = await ask("Runtime.evaluate", { expression: "JSON.stringify(process.memoryUsage())" });
  socket.close();
  const { heapUsed, external, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage;
  return { heap: heapUsed, external, rss };
}
