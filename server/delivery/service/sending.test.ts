import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { createEndpoint, deleteEndpoint, listEndpoints, rotateSecret } from "./endpoints.ts";
import { testCipher } from "../testing.ts";

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

const guarded = { allowPrivateAddresses: false, cipher: testCipher, resolve: async () => ["93.184.215.14"] };
const hooks = { url: "https://hooks.example.com/in", events: ["mission.completed"] };

describe("registering an endpoint", () => {
  test("gives it a secret of its own and shows it once", async () => {
    const { sandbox, live } = await testProject(database);
    const first = await createEndpoint(database, sandbox, hooks, guarded);
    const second = await createEndpoint(database, live, hooks, guarded);
    expect(first.secret).toMatch(/^whsec_/);
    expect(first.secret).not.toBe(second.secret);
    const [listed] = await listEndpoints(database, sandbox);
    expect(listed).toMatchObject({ id: first.id, url: hooks.url, events: hooks.events, disabledAt: null });
    expect(JSON.stringify(listed)).not.toContain("whsec_");
  });

  test("belongs to one environment", async () => {
    const { sandbox, live } = await testProject(database);
    const { id } = await createEndpoint(database, sandbox, hooks, guarded);
    expect(await listEndpoints(database, live)).toEqual([]);
    await expect(deleteEndpoint(database, live, id)).rejects.toThrow(OperatorError);
    await expect(rotateSecret(database, live, id, testCipher)).rejects.toThrow(OperatorError);
    expect(await listEndpoints(database, sandbox)).toHaveLength(1);
  });

  test.each([[["10.0.0.1"]], [["93.184.215.14", "192.168.1.1"]], [["fd00::1"]]])("is refused for a name at %j", async (addresses) => {
    const { sandbox } = await testProject(database);
    const refused = createEndpoint(database, sandbox, hooks, { ...guarded, resolve: async () => addresses });
    await expect(refused).rejects.toThrow(/hooks\.example\.com is a private or local address/);
    expect(await listEndpoints(database, sandbox)).toEqual([]);
  });

  test("is refused for a private address in the URL, unless that is allowed", async () => {
    const { sandbox } = await testProject(database);
    const local = { ...hooks, url: "http://127.0.0.1:4000/" };
    await expect(createEndpoint(database, sandbox, local, guarded)).rejects.toThrow(OperatorError);
    await createEndpoint(database, sandbox, local, { allowPrivateAddresses: true, cipher: testCipher });
  });

  test("is possible for an unknown host name, with a warning", async () => {
    const { sandbox } = await testProject(database);
    const created = await createEndpoint(database, sandbox, hooks, { ...guarded, resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(created.isResolved).toBe(false);
  });

  test("requires existing events, and names every problem", async () => {
    const { sandbox } = await testProject(database);
    await expect(createEndpoint(database, sandbox, { ...hooks, events: [] }, guarded)).rejects.toThrow(/at least one event/);
    const problems = await createEndpoint(database, sandbox, { url: "nowhere", events: ["mission.complete", "x"] }, guarded).catch(
      (error: OperatorError) => error.problems,
    );
    expect(problems).toHaveLength(3);
  });

  test("is possible once per environment for the fulfillment event", async () => {
    const { sandbox, live } = await testProject(database);
    const handOver = { ...hooks, events: ["catalog_item.fulfillment_requested"] };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => createEndpoint(database, sandbox, handOver, guarded)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await createEndpoint(database, live, handOver, guarded);
    const [first] = await listEndpoints(database, sandbox);
    await deleteEndpoint(database, sandbox, first!.id);
    await createEndpoint(database, sandbox, handOver, guarded);
  });
});

test("a malformed id is reported as unknown", async () => {
  const { sandbox } = await testProject(database);
  await expect(deleteEndpoint(database, sandbox, "nonsense")).rejects.toThrow(/There is no webhook endpoint nonsense/);
});
