import { expect } from "@playwright/test";
import { test } from "./service.ts";

test("the requests that a first start prints work as they stand, and earn points", async ({ service }) => {
  const requests = [...service.printed().matchAll(/curl '(?<url>[^']+)' -H '(?<name>[^:]+): (?<value>[^']+)'( -d '(?<body>[^']+)')?/g)];
  expect(requests).toHaveLength(3);
  const send = async (index: number) => {
    const { url = "", name = "", value = "", body } = requests[index]?.groups ?? {};
    const answer = await fetch(url, { method: body ? "POST" : "GET", headers: { [name]: value }, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { status?: string; balance?: number; accepted?: number };
  };
  expect(await send(0)).toContainEqual(expect.objectContaining({ status: "InProgress" }));
  expect(await send(1)).toMatchObject({ accepted: 1 });
  await expect.poll(async () => (await send(2)).balance).toBeGreaterThan(0);
});
