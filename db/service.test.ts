import { expect, test } from "vitest";
import { SERVER_POOLS } from "./pools.ts";
import { openServicePools } from "./service.ts";

test("pools larger than this process's share of the embedded PostgreSQL fail the start, and the error names the settings", async () => {
  const sizes = { ...SERVER_POOLS, requests: 140 };
  await expect(openServicePools({ dataDir: "/nowhere", sizes, waitMs: 1_000 })).rejects.toMatchObject({
    problems: [expect.stringMatching(/^POOL_REQUESTS, .* add up to 155; with the embedded PostgreSQL they may take 150\.$/)],
  });
});
