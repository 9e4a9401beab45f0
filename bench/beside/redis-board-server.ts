// A hand-written board server on Redis: node:http, a key lookup, and the response of GET /v1/leaderboards/{key} with the members that
// Redis has data for. It has no routing, validation, logs or error handling.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { hashOf } from "../../server/model/api-keys/key.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import { keyName, RedisClient } from "./redis.ts";

const { REDIS_SOCKET = "", PORT } = process.env;
const client = await RedisClient.open(REDIS_SOCKET);

/** Members and scores alternately, as ZREVRANGE returns them. */
type Flat = string[];

async function standings(environmentId: number, externalId: string, top: number, neighbours: number) {
  const { playerId } = playerKey(environmentId, externalId);
  const [place, participants, first] = (await Promise.all([
    client.command("ZREVRANK", "board", playerId),
    client.command("ZCARD", "board"),
    client.command("ZREVRANGE", "board", 0, top - 1, "WITHSCORES"),
  ])) as [number, number, Flat];
  const from = Math.max(0, place - neighbours);
  const near = (await client.command("ZREVRANGE", "board", from, place + neighbours, "WITHSCORES")) as Flat;
  const [, firstScore] = near;
  const [aboveFirst, names] = (await Promise.all([
    client.command("ZCOUNT", "board", `(${firstScore}`, "+inf"),
    client.command("HMGET", "names", ...[first, near].flatMap((flat) => flat.filter((_, at) => at % 2 === 0))),
  ])) as [number, string[]];
  // Equal scores share a rank, so the first row's rank does not follow from its position.
  const rows = (flat: Flat, position: number, firstRank: number, named: readonly string[]) => {
    let rank = firstRank;
    return named.map((displayName, at) => {
      if (at > 0 && flat[2 * at + 1] !== flat[2 * at - 1]) rank = position + at + 1;
      return { rank, displayName, score: Number(flat[2 * at + 1]), isMe: flat[2 * at] === playerId };
    });
  };
  const around = rows(near, from, aboveFirst + 1, names.slice(first.length / 2));
  const { rank, score } = around.find(({ isMe }) => isMe)!;
  return { leaderboard: { participants, me: { rank, score } }, top: rows(first, 0, 1, names.slice(0, first.length / 2)), around };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/") return void response.writeHead(200, { "Content-Length": 0 }).end();
  const environmentId = await client.command("GET", keyName(hashOf(request.headers.authorization!.slice("Bearer ".length))));
  const { searchParams } = new URL(request.url!, "http://localhost");
  const [player, top, neighbours] = ["PlayerId", "Top", "Neighbours"].map((name) => searchParams.get(name)!);
  const body = JSON.stringify(await standings(Number(environmentId), player!, Number(top), Number(neighbours)));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
}

const server = createServer({ noDelay: true }, (request, response) => void answer(request, response)).listen(Number(PORT), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  client.close();
});
