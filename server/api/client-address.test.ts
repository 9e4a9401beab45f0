import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { knowingClients } from "../process/routing.ts";
import { ADDRESS_HEADER, clientAddress, startWarning } from "./client-address.ts";

test.each([
  ["192.0.2.1", null, false, "192.0.2.1"],
  ["192.0.2.1", "203.0.113.9", false, "192.0.2.1"],
  ["192.0.2.1", "203.0.113.9", true, "203.0.113.9"],
  ["192.0.2.1", "6.6.6.6, 203.0.113.9", true, "203.0.113.9"],
  ["192.0.2.1", "203.0.113.9:51234", true, "203.0.113.9"],
  ["192.0.2.1", "[2001:db8::1]:51234", true, "2001:db8::1"],
  ["192.0.2.1", "2001:db8::1", true, "2001:db8::1"],
  ["192.0.2.1", null, true, "192.0.2.1"],
  ["::ffff:192.0.2.1", null, false, "192.0.2.1"],
  ["192.0.2.1", "unknown", true, null],
  [null, "203.0.113.9", false, null],
])("a request from %j, forwarded for %j, with TRUST_PROXY %j, counts as from %j", (socket, forwardedFor, trustProxy, address) => {
  expect(clientAddress(socket, forwardedFor, trustProxy)).toBe(address);
});

async function seenByPages(headers: Record<string, string>, trustProxy = false, onUntrusted = () => {}) {
  const request = { headers: { host: "10.0.0.3:3000", ...headers }, socket: { remoteAddress: "192.0.2.1" } } as unknown as IncomingMessage;
  const pages = { handle: async () => {}, upgrade: async () => {}, close: async () => {} };
  await knowingClients(pages, { baseUrl: "https://points.example.com/x", trustProxy, onUntrusted }).handle(request, {} as ServerResponse);
  return request.headers;
}

test("a client cannot forge its address or the requested host", async () => {
  const forged = {
    [ADDRESS_HEADER]: "6.6.6.6",
    "x-forwarded-for": "6.6.6.6",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
  };
  expect(await seenByPages(forged)).toEqual({
    host: "10.0.0.3:3000",
    [ADDRESS_HEADER]: "192.0.2.1",
    "x-engagement-own": expect.any(String),
  });
});

test("behind a proxy that rewrites the host, a form from the public address is accepted, and one from another site is not", async () => {
  expect(await seenByPages({ origin: "https://points.example.com" })).toMatchObject({ "x-forwarded-host": "points.example.com" });
  expect(await seenByPages({ origin: "https://evil.example" })).not.toHaveProperty("x-forwarded-host");
});

test("the request by which Next follows its own redirect triggers no proxy warning, and keeps the client's address", async () => {
  const onUntrusted = vi.fn();
  let seen: IncomingMessage["headers"] = {};
  const pages = {
    handle: async (request: IncomingMessage) => void (seen = { ...request.headers }),
    upgrade: async () => {},
    close: async () => {},
  };
  const known = knowingClients(pages, { baseUrl: "http://localhost:3000", trustProxy: false, onUntrusted });
  const ask = (headers: IncomingMessage["headers"], remoteAddress: string) =>
    known.handle({ headers, socket: { remoteAddress } } as unknown as IncomingMessage, {} as ServerResponse);
  await ask({}, "192.0.2.1");
  const first = seen;
  // What Next adds to a request and sends on to this server.
  await ask({ ...first, "x-forwarded-for": "192.0.2.1", "x-forwarded-host": "localhost:3000" }, "127.0.0.1");
  expect(seen).toEqual(first);
  expect(onUntrusted).not.toHaveBeenCalled();
  await ask({ ...first, "x-engagement-own": "guessed", "x-forwarded-for": "192.0.2.1" }, "203.0.113.9");
  expect(seen[ADDRESS_HEADER]).toBe("203.0.113.9");
  expect(onUntrusted).toHaveBeenCalledOnce();
});

test("an untrusted forwarded address is reported, and so is a proxy that the settings require", async () => {
  const onUntrusted = vi.fn();
  await seenByPages({}, false, onUntrusted);
  await seenByPages({ "x-forwarded-for": "203.0.113.9" }, true, onUntrusted);
  expect(onUntrusted).not.toHaveBeenCalled();
  await seenByPages({ "x-forwarded-for": "203.0.113.9" }, false, onUntrusted);
  expect(onUntrusted).toHaveBeenCalledOnce();
  expect(startWarning({ baseUrl: "https://points.example.com", trustProxy: false })).toContain("TRUST_PROXY");
  expect(startWarning({ baseUrl: "https://points.example.com", trustProxy: true })).toBeNull();
  expect(startWarning({ baseUrl: "http://localhost:3000", trustProxy: false })).toBeNull();
});
