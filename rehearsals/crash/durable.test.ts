import { expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { testDatabaseUrl } from "../../db/testing.ts";
import { connectionsOf } from "./durable.ts";

/** Process ids are below this. */
const NO_PROCESS = 2 ** 22;

test("a backend that has ended before it can be killed is not hit", async () => {
  const url = await testDatabaseUrl();
  const service = openDatabase(url, { connections: 1 });
  await service.sql`select 1`;
  expect(await connectionsOf(url).killBackend(() => NO_PROCESS)).toBe(false);
  await service.close();
});
