// A fast receiver of webhooks: answers 204 at once. `GET /` says how many have come.
import { createServer } from "node:http";

let received = 0;

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "Content-Type": "text/plain" }).end(String(received));
    return;
  }
  request.resume();
  request.once("end", () => {
    received++;
    response.writeHead(204).end();
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
