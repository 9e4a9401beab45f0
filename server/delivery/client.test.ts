import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type ClientOptions, openClient, type WebhookClient } from "./client.ts";

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

function client(options: Partial<ClientOptions> = {}): WebhookClient {
  const opened = openClient({ allowPrivateAddresses: true, timeoutMs: 5_000, ...options });
  cleanUps.push(() => opened.close());
  return opened;
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  cleanUps.push(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const post = (opened: WebhookClient, url: string) => opened.post(url, { "content-type": "application/json" }, "{}");

describe("an exchange", () => {
  test("ends at the time-out, even in the middle of a response", async () => {
    const port = await listen(
      createServer((_, response) => {
        response.writeHead(200).write("and then nothing");
      }),
    );
    const exchange = await post(client({ timeoutMs: 100 }), `http://127.0.0.1:${port}`);
    expect(exchange).toMatchObject({ status: null, timedOut: true, error: "No complete answer within 0.1 s" });
  });

  test("is over at the time-out while the name is looked up, and nothing is sent afterwards", async () => {
    let requests = 0;
    const port = await listen(
      createServer((_, response) => {
        requests += 1;
        response.end();
      }),
    );
    let found: (addresses: string[]) => void = () => {};
    const opened = client({ timeoutMs: 50, resolve: () => new Promise((resolve) => (found = resolve)) });
    expect(await post(opened, `http://slow.example:${port}`)).toMatchObject({ status: null, timedOut: true });
    found(["127.0.0.1"]);
    await post(client(), `http://127.0.0.1:${port}`);
    expect(requests).toBe(1);
  });

  test("keeps the status of a response that is longer than the limit", async () => {
    const port = await listen(
      createServer((_, response) => {
        response.writeHead(201);
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
        };
        response.on("drain", more);
        more();
      }),
    );
    expect(await post(client(), `http://127.0.0.1:${port}`)).toMatchObject({ status: 201, error: null });
  });

  test("ends without a status when the receiver does not speak HTTP, or hangs up", async () => {
    const garbage = await listen(createTcpServer((socket) => socket.on("error", () => {}).end("hello\r\n\r\n")));
    const closing = await listen(createTcpServer((socket) => socket.destroy()));
    for (const port of [garbage, closing]) {
      const exchange = await post(client(), `http://127.0.0.1:${port}`);
      expect(exchange.status).toBeNull();
      expect(exchange.error).not.toBe("");
      expect(exchange.timedOut).toBe(false);
    }
  });

  test("skips informational responses", async () => {
    const port = await listen(
      createServer((_, response) => {
        response.writeEarlyHints({ link: "</a>; rel=preload" });
        response.writeHead(202).end();
      }),
    );
    expect(await post(client(), `http://127.0.0.1:${port}`)).toMatchObject({ status: 202 });
  });

  test("does not wait for another connection to the same host", async () => {
    const port = await listen(
      createServer((request, response) => {
        if (request.url === "/fast") response.end();
      }),
    );
    const opened = client();
    const hanging = Array.from({ length: 20 }, () => post(opened, `http://127.0.0.1:${port}/hang`));
    expect(await post(opened, `http://127.0.0.1:${port}/fast`)).toMatchObject({ status: 200 });
    await opened.close();
    for (const exchange of await Promise.all(hanging)) expect(exchange.status).toBeNull();
  });
});

describe("private addresses", () => {
  const connects = async () => {
    let count = 0;
    const port = await listen(createTcpServer(() => (count += 1)));
    return { port, count: () => count };
  };

  test.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433"])("are not dialled when the URL names one: %s", async (host) => {
    const { port, count } = await connects();
    const exchange = await post(client({ allowPrivateAddresses: false }), `http://${host}:${port}`);
    expect(exchange).toMatchObject({ status: null, timedOut: false });
    expect(exchange.error).toMatch(/private or local address/);
    expect(count()).toBe(0);
  });

  test.each([[["127.0.0.1"]], [["8.8.8.8", "127.0.0.1"]], [["::1"]], [["::ffff:7f00:1"]], [["127.0.0.1", "2606:4700::1111"]]])(
    "are not dialled when the host name resolves to any: %j",
    async (addresses) => {
      const { port, count } = await connects();
      const exchange = await post(
        client({ allowPrivateAddresses: false, resolve: async () => addresses }),
        `http://hooks.example.com:${port}`,
      );
      expect(exchange.error).toBe("hooks.example.com is, or points to, a private or local address");
      expect(count()).toBe(0);
    },
  );

  test("are not dialled for the name localhost", async () => {
    const { port, count } = await connects();
    expect((await post(client({ allowPrivateAddresses: false }), `http://localhost:${port}`)).error).toMatch(/private or local/);
    expect(count()).toBe(0);
  });

  test("are dialled if that is allowed", async () => {
    const port = await listen(createServer((_, response) => response.end()));
    expect(await post(client(), `http://localhost:${port}`)).toMatchObject({ status: 200 });
    expect(await post(client({ resolve: async () => ["127.0.0.1"] }), `http://hooks.example.com:${port}`)).toMatchObject({ status: 200 });
  });
});

test("an unknown host name is an error, not a hang", async () => {
  const failing = client({ resolve: () => Promise.reject(new Error("queryA ENOTFOUND nowhere.example")) });
  expect(await post(failing, "http://nowhere.example")).toMatchObject({ status: null, error: "queryA ENOTFOUND nowhere.example" });
  expect(await post(client({ resolve: async () => [] }), "http://nowhere.example")).toMatchObject({ status: null, timedOut: false });
});
