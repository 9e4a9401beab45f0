// The reference of the small read: a server for GET /v1/points only. It has the same driver, pool and two queries as the service, and no
// routing, validation, logs or error handling.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { openDatabase } from "../../db/client.ts";
import { selectKnownKeys } from "../../server/people/api-keys/store.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import { selectBalance } from "../../server/game/points/store.ts";
import { hashOf } from "../../server/model/api-keys/key.ts";

const { DATABASE_URL = "", PORT } = process.env;
const { sql, close } = openDatabase(DATABASE_URL);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/") return void response.writeHead(200, { "Content-Length": 0 }).end();
  const [environment] = await selectKnownKeys(sql, [hashOf(request.headers.authorization!.slice("Bearer ".length))]);
  const externalId = new URL(request.url!, "http://localhost").searchParams.get("PlayerId")!;
  const body = JSON.stringify(await selectBalance(sql, playerKey(environment!.id, externalId)));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
}

const server = createServer({ noDelay: true }, (request, response) => void answer(request, response)).listen(Number(PORT), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void close();
});
