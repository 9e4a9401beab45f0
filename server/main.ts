import type { IncomingMessage, RequestListener } from "node:http";
import { onceReachable, openServiceDatabase } from "../db/service.ts";
import { openDashboard, provideDashboard } from "./api/dashboard.ts";
import { type ApiListener, createApiListener, SERVER_OPTIONS } from "./api/http.ts";
import { ADDRESS_HEADER } from "./api/client-address.ts";
import { mailerOf } from "./api/entrance.ts";
import { Presence } from "./api/presence.ts";
import { knowingClients } from "./clients.ts";
import { ensureAuthSecret } from "./auth-secret.ts";
import { prepareFirstStart } from "./first-start.ts";
import { live } from "./life.ts";
import { closeServer, listen } from "./listen.ts";
import { createOperations } from "./operations.ts";
import { openPages, type Pages } from "./pages.ts";
import { welcome } from "./welcome.ts";
import { startWorker } from "./work/loop.ts";

/** One process that is the whole service: the public API on node:http, the pages by Next, the worker unless WORKER=off. */
live(async ({ settings, logger, hold }) => {
  const isDevelopment = process.argv.includes("--dev");
  const operations = createOperations();
  if (settings.operations)
    await hold(listen(operations.listener, {}, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);

  const authSecret = await ensureAuthSecret(settings);
  const onChange = (message: string) => logger.warn({}, message);
  const leaving = new AbortController();
  const [database, pages] = await Promise.all([
    hold(openServiceDatabase({ ...settings, onChange }), (opened) => opened.close()),
    hold(openPages({ isDevelopment, port: settings.port, leaving: leaving.signal }), (opened) => opened.close()),
    // Let go of first: pages that are still being built would be waited for.
    hold(leaving, async () => leaving.abort()),
  ]);
  const firstStart = await onceReachable(() => prepareFirstStart(database, settings), onChange);

  const { allowPrivateAddresses, baseUrl, port, providers, trustProxy } = settings;
  const worker = settings.worker ? startWorker({ database, logger, allowPrivateAddresses }) : null;
  await hold(worker, async () => worker?.stop());

  const presence = new Presence(database);
  await hold(presence.start(), () => presence.stop());
  const wake = () => worker?.wake();
  const api = createApiListener({ database, baseUrl, logger, presence, wake });
  const mailer = mailerOf(settings, logger);
  const addressOf = (headers: Headers) => headers.get(ADDRESS_HEADER);
  provideDashboard(openDashboard({ database, baseUrl, logger, allowPrivateAddresses, wake, mailer, authSecret, providers, addressOf }));
  const route = routeRequests(api, knowingClients(pages, { baseUrl, trustProxy }));
  const listener: RequestListener = (request, response) => {
    operations.count(response);
    route(request, response);
  };
  const server = await hold(listen(listener, SERVER_OPTIONS, { port, variable: "PORT" }), closeServer);
  server.on("upgrade", (...of) => void pages.upgrade(...of));
  await hold(operations.begin(database), async () => operations.end());
  process.stdout.write(welcome(settings, firstStart));
});

/** Pages to people; everything else to the API, which also says that there is nothing. `/` is a page for a browser only (decisions.md 1). */
function routeRequests(api: ApiListener, pages: Pages): RequestListener {
  return (request, response) => {
    const answer = isForPages(request) ? pages.handle : api;
    answer(request, response).catch(() => response.destroy());
  };
}

/** Next has these too, for where it is alone (app/v1, app/api/cron): here there is a worker instead of a scheduler. */
const FOR_API = /^\/(v1|api\/cron)([/?]|$)/;
const FOR_PAGES = /^\/(_next|docs|dashboard|sign-in|invitation|password-reset|rpc|images|icon[.]svg|api\/auth)([/?]|$)/;

const isForPages = ({ url = "/", headers }: IncomingMessage): boolean =>
  !FOR_API.test(url) && (FOR_PAGES.test(url) || (headers.accept ?? "").includes("text/html"));
