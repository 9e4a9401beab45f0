import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** The customer's own app: a coffee shop's page with a player's missions, points and rank, and a button that orders a coffee. */
export interface Shop {
  url: string;
  close(): Promise<void>;
}

/** The app's settings for the engagement service, which it would read from its environment. */
interface Service {
  url: string;
  key: string;
}

export async function startShop(service: Service): Promise<Shop> {
  const server = createServer((request, response) => {
    answer(service, request)
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch((error: Error) => response.writeHead(500, { "content-type": "text/plain" }).end(error.message));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(service: Service, request: IncomingMessage) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop.invalid");
  const player = searchParams.get("player") ?? "guest";
  if (request.method === "POST" && pathname === "/orders") {
    const event = { playerId: player, event: "order_placed", occurredAt: await presentOf(service, player), properties: { drink: "latte" } };
    await call(service, "POST", "/v1/events", { events: [event] });
    return { status: 303, headers: { location: `/?player=${encodeURIComponent(player)}` }, body: "" };
  }
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: await pageFor(service, player) };
}

/** The time of a Sandbox whose clock was moved, which every response contains; otherwise the present. */
async function presentOf(service: Service, player: string): Promise<string> {
  const answer = await fetch(`${service.url}/v1/points?PlayerId=${encodeURIComponent(player)}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return answer.headers.get("x-sandbox-time") ?? new Date().toISOString();
}

async function call({ url, key }: Service, method: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}

async function pageFor(service: Service, player: string): Promise<string> {
  const id = encodeURIComponent(player);
  // Reading the missions enters the player: the orders count from then on.
  const missions = await call(service, "POST", "/v1/missions", { playerId: player, includeCompleted: true });
  const points = await call(service, "GET", `/v1/points?PlayerId=${id}`);
  const board = await call(service, "GET", `/v1/leaderboards/regulars?PlayerId=${id}`);
  const rows = missions.map(({ name, status, objectives: [{ progress }] }: any) => {
    const done = status === "Completed" ? "completed" : `${progress.actual?.value ?? 0} of ${progress.target?.value ?? 0}`;
    return `<li>${escaped(name)}: ${done}</li>`;
  });
  const entries = board.top.map(({ rank, score, isMe }: any) => `<li>${isMe ? "You" : "Somebody"}: rank ${rank} with ${score}</li>`);
  return `<!doctype html><html lang="en"><title>Coffee shop</title><h1>Coffee shop</h1>
    <p role="status">${points.balance} points</p>
    <form method="post" action="/orders?player=${escaped(id)}"><button>Order a latte</button></form>
    <h2 id="missions">Missions</h2><ul aria-labelledby="missions">${rows.join("")}</ul>
    <h2 id="regulars">Regulars</h2><ol aria-labelledby="regulars">${entries.join("")}</ol></html>`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
