// A fast webhook receiver: answers 204 immediately. `GET /` returns the number of posts, and every hundredth post.
import { createServer } from "node:http";

let posts = 0;
const samples: object[] = [];

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ posts, samples }));
    return;
  }
  if (++posts % 100 === 0) {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = request.headers;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => samples.push({ id, timestamp, signature, body: Buffer.concat(chunks).toString() }));
  }
  request.resume();
  request.once("end", () => response.writeHead(204).end());
}).listen(Number(process.env["PORT"]), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
