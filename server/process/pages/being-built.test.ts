import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_PAGES } from "./open.ts";
import type { Pages } from "./served.ts";
import { pagesOnceBuilt } from "./being-built.ts";

const building = Promise.withResolvers<Pages>();
const pages = pagesOnceBuilt(building.promise);
const server = createServer((request, response) => void pages.handle(request, response));
const ask = (accept: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/dashboard`, { headers: { accept } });

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

test("a page that is being built reloads itself and is served once it is ready", async () => {
  const early = await ask("text/html");
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await early.text()).toContain('http-equiv="refresh" content="3"');
  expect(await (await ask("application/json")).text()).toContain("being built");
  expect(pages.isReady()).toBe(false);
  building.resolve({ ...NO_PAGES, handle: async (_: IncomingMessage, response: ServerResponse) => void response.end("the page") });
  await pages.ready;
  expect(await (await ask("text/html")).text()).toBe("the page");
});

test("a failed build rejects only for callers that wait for the pages", async () => {
  const failed = pagesOnceBuilt(Promise.reject(new Error("The pages could not be built.")));
  await expect(failed.ready).rejects.toThrow("could not be built");
  await expect(failed.close()).resolves.toBeUndefined();
});
