// Serves the public API twice in one process: as in production, and under /plain without the request log.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pino } from "pino";
import { openDatabase } from "../../db/client.ts";
import { Heartbeat } from "../../server/api/heartbeat.ts";
import { createApiListener } from "../../server/api/http.ts";
import { RequestRecorder } from "../../server/insight/request-log/service/recorder.ts";

const PLAIN = "/plain";

const { DATABASE_URL = "", PORT } = process.env;
const [requests, dashboard] = [openDatabase(DATABASE_URL), openDatabase(DATABASE_URL, { connections: 4 })];
const logger = pino({ level: "silent" });
const heartbeat = new Heartbeat(dashboard);
const requestLog = new RequestRecorder(dashboard, { logger });
const options = { database: requests, baseUrl: "http://localhost", logger, heartbeat, wake() {} };
const [plain, logged] = [createApiListener(options), createApiListener({ ...options, requestLog })];

function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!request.url!.startsWith(PLAIN)) return logged(request, response);
  request.url = request.url!.slice(PLAIN.length);
  return plain(request, response);
}

await heartbeat.start();
const server = createServer({ noDelay: true }, (request, response) => void answer(request, response)).listen(Number(PORT), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void Promise.all([heartbeat.stop(), requestLog.stop()]).then(() => Promise.all([requests.close(), dashboard.close()]));
});
