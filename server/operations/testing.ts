import type { Database } from "#db/client.ts";
import { testProject } from "#db/testing.ts";
import { signedIn } from "../api/testing/signed-in.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { ingest } from "../game/events/service.ts";
import { findEnvironment } from "../people/projects/environments.ts";

/** A project with the event `order_placed`, and its Editor. */
export async function testShop(database: Database) {
  const project = await testProject(database);
  await importDefinitions(database, project.sandbox, { version: 1, events: [{ key: "order_placed", name: "Order placed" }] });
  const scope = { project: project.slug, environment: "sandbox" as const };
  const sandbox = () => findEnvironment(database, project.slug, "sandbox");
  const send = async (...players: string[]) =>
    ingest(database, await sandbox(), {
      items: players.map((playerId) => ({ playerId, event: "order_placed", occurredAt: "2026-01-01T00:00:00Z" })),
      mayHoldBadText: false,
      now: Date.now(),
    });
  return { ...project, scope, sandbox, send, ...(await signedIn(database, project.slug, "Editor")) };
}
