import { expect } from "@playwright/test";
import { test } from "./service.ts";

test("the requests that a first start prints work unchanged: one shows missions in every state, the others earn points", async ({
  service,
}) => {
  const requests = [...service.printed().matchAll(/curl '(?<url>[^']+)' -H '(?<name>[^:]+): (?<value>[^']+)'( -d '(?<body>[^']+)')?/g)];
  expect(requests).toHaveLength(4);
  const send = async (index: number) => {
    const { url = "", name = "", value = "", body } = requests[index]?.groups ?? {};
    const answer = await fetch(url, { method: body ? "POST" : "GET", headers: { [name]: value }, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { balance?: number; accepted?: number };
  };
  const statuses = async (index: number) => new Set(((await send(index)) as { status: string }[]).map(({ status }) => status));
  expect(await statuses(0)).toEqual(new Set(["InProgress", "Available", "Locked"]));
  expect(await statuses(1)).toContain("InProgress");
  expect(await send(2)).toMatchObject({ accepted: 1 });
  await expect.poll(async () => (await send(3)).balance).toBeGreaterThan(0);
});
