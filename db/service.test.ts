import { expect, test } from "vitest";
import { SERVER_POOLS } from "./pools.ts";
import { onceReachable, openServicePools } from "./service.ts";
import { testDatabaseUrl } from "./testing.ts";

test("pools larger than this process's share of the embedded PostgreSQL fail the start, and the error names the settings", async () => {
  const sizes = { ...SERVER_POOLS, requests: 140 };
  await expect(openServicePools({ dataDir: "/nowhere", sizes, waitMs: 1_000 })).rejects.toMatchObject({
    problems: [expect.stringMatching(/^POOL_REQUESTS, .* add up to 155; with the embedded PostgreSQL they may take 150\.$/)],
  });
});

test("a database that refuses the connection fails the start with its reason", async () => {
  const url = await testDatabaseUrl();
  const start = (databaseUrl: string) => openServicePools({ databaseUrl, dataDir: "/nowhere", sizes: SERVER_POOLS, waitMs: 1_000 });
  for (const [wrong, reason] of [
    [`${url}x`, "does not exist"],
    [`${url}?nonsense=1`, 'parameter "nonsense"'],
  ] as const)
    await expect(start(wrong)).rejects.toMatchObject({
      problems: [expect.stringMatching(new RegExp(`^The connection to the database is refused: .*${reason}.*\\. Check DATABASE_URL\\.$`))],
    });
});

test("a certificate that is not trusted fails the start with its reason", async () => {
  const expired = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
  const start = onceReachable(
    () => Promise.reject(expired),
    () => {},
  );
  await expect(start).rejects.toMatchObject({
    problems: ["The connection to the database is refused: certificate has expired. Check DATABASE_URL."],
  });
});
