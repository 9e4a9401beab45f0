import type { RequestListener } from "node:http";
import type { Database } from "../../db/client.ts";
import { SERVER_POOLS } from "../../db/pools.ts";
import { onceReachable, openServicePools } from "../../db/service.ts";
import { openDashboard } from "../api/dashboard.ts";
import { announceDashboard, provideDashboard } from "../api/dashboard-slot.ts";
import { createApiListener, createRpcListener, SERVER_OPTIONS } from "../api/http.ts";
import { ADDRESS_HEADER, startWarning, UNTRUSTED_FORWARDING } from "../api/client-address.ts";
import { mailerOf } from "../api/sign-in.ts";
import { openWorker } from "./background.ts";
import { Heartbeat } from "../api/heartbeat.ts";
import { bringHistory } from "../operations/demo/finish-history.ts";
import type { Demo } from "../operations/demo/load.ts";
import { knowingClients, routeRequests } from "./routing.ts";
import { ensureAuthSecret, openCipher } from "./auth-secret.ts";
import { keepSecretsEncrypted, prepareFirstStart, welcome } from "./first-start.ts";
import { type Lifecycle, runProcess } from "./lifecycle.ts";
import { closeServer, listen, takeUpgrades } from "./listen.ts";
import { createOperations } from "./monitoring/endpoints.ts";
import { openTracer } from "./monitoring/tracing.ts";
import { NO_PAGES, openPages } from "./pages/open.ts";
import { guardedPages } from "./pages/guard.ts";
import type { Pages } from "./pages/served.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { RequestRecorder } from "../insight/request-log/service/recorder.ts";
import { startBeat } from "../insight/status/service/beat.ts";

interface Serving {
  isDevelopment?: boolean;
  /** The setting that names the port, for error messages. */
  portSetting?: string;
  /** Shows what a first start has created and what is shown once. */
  show?(text: string): void;
  /** Called once the API answers. `demo`: the project that this start has made. */
  onServing(served: { database: Database; demo: Demo | null; pages: Pages }): Promise<void> | void;
}

/** One process that is the whole service: the public API on node:http, the pages by Next unless PAGES=off, the worker unless WORKER=off. */
export async function serve(
  lifecycle: Lifecycle,
  { isDevelopment = false, portSetting = "PORT", show = () => {}, onServing }: Serving,
): Promise<void> {
  const { settings, logger, manage } = lifecycle;
  const operations = createOperations();
  // Otherwise the second one to listen would wait for the first, and blame another process.
  if (settings.operations?.port === settings.port)
    throw new OperatorError(`OPERATIONS_PORT and ${portSetting} are both ${settings.port}. Choose another OPERATIONS_PORT.`);
  if (settings.operations)
    await manage(listen(operations.listener, SERVER_OPTIONS, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);

  announceDashboard();
  const authSecret = await ensureAuthSecret(settings);
  const cipher = await openCipher(settings);
  const onChange = (message: string) => {
    operations.waitsFor(message);
    logger.warn({}, message);
  };
  const leaving = new AbortController();
  const listening = Promise.withResolvers<void>();
  const sizes = { ...SERVER_POOLS, ...settings.pools };
  const [pools, pages] = await Promise.all([
    manage(openServicePools({ ...settings, sizes, waitMs: settings.poolWaitMs, onChange }), (opened) => opened.close()),
    manage(
      settings.pages ? openPages({ isDevelopment, port: settings.port, buildAfter: listening.promise, leaving: leaving.signal }) : NO_PAGES,
      (opened) => opened.close(),
    ),
    // Released first: otherwise shutdown would wait for a running build of the pages.
    manage(leaving, async () => leaving.abort()),
  ]);
  operations.watchPools(pools);
  const demo = await onceReachable(() => prepareFirstStart(pools.dashboard, settings, show), onChange);
  await onceReachable(() => keepSecretsEncrypted(pools.dashboard, cipher, logger), onChange);

  const { allowPrivateAddresses, baseUrl, port, providers, trustProxy } = settings;
  const mailer = mailerOf(settings, logger);
  const { served } = operations;
  const tracer = await openTracer({ settings, manage });
  const worker = settings.worker ? await openWorker(lifecycle, { pools, sizes, operations, cipher, tracer }) : null;

  const heartbeat = new Heartbeat(pools.heartbeat);
  await manage(heartbeat.start(), () => heartbeat.stop());
  const beat = startBeat(pools.heartbeat, operations, { isServing: true, isWorking: settings.worker });
  await manage(beat, () => beat.stop());
  const wake = () => worker?.wake();
  const requestLog = new RequestRecorder(pools.dashboard, { logger });
  await manage(requestLog, () => requestLog.stop());
  const api = createApiListener({ database: pools.requests, baseUrl, logger, heartbeat, wake, requestLog, served, tracer });
  const addressOf = (headers: Headers) => headers.get(ADDRESS_HEADER);
  const dashboard = openDashboard({
    database: pools.dashboard,
    baseUrl,
    logger,
    allowPrivateAddresses,
    cipher,
    wake,
    mailer,
    authSecret,
    providers,
    addressOf,
  });
  provideDashboard(dashboard);
  const warn = (message: string) => {
    if (operations.warn(message)) logger.warn({}, message);
  };
  const atStart = startWarning(settings);
  if (atStart !== null) warn(atStart);
  const onUntrusted = () => warn(UNTRUSTED_FORWARDING);
  const guarded = guardedPages(pages, { baseUrl, isDevelopment });
  const known = knowingClients(guarded, { baseUrl, trustProxy, onUntrusted });
  const route = routeRequests({ api, rpc: createRpcListener(dashboard), pages: known });
  const listener: RequestListener = (request, response) => {
    operations.count(response);
    route(request, response);
  };
  const options = { ...SERVER_OPTIONS, shouldUpgradeCallback: pages.takesUpgrade };
  const server = await manage(listen(listener, options, { port, variable: portSetting }), closeServer);
  listening.resolve();
  if (isDevelopment) takeUpgrades(server, pages.upgrade);
  await onServing({ database: pools.dashboard, demo, pages });
  // Starts once the service answers; the worker imports the history in the background.
  if (settings.demo === "on")
    void bringHistory(pools.dashboard, cipher, leaving.signal).catch((error: unknown) =>
      logger.warn({ err: error }, "the demo's history waits for the next start"),
    );
  // The API answers by now, but a load balancer may send requests for pages.
  if (!pages.isReady()) operations.waitsFor("the pages are being built");
  await pages.ready;
  await manage(operations.begin(pools.requests), async () => operations.end());
}

if (import.meta.main) {
  // Secrets that are shown once stay apart from the log, which is on standard output.
  const say = (text: string) => void process.stderr.write(text);
  runProcess((lifecycle) =>
    serve(lifecycle, {
      isDevelopment: process.argv.includes("--dev"),
      show: say,
      onServing({ demo, pages }) {
        say(welcome(lifecycle.settings, demo, pages.isReady()));
        if (!pages.isReady()) void pages.ready.then(() => say("The pages are ready.\n"));
      },
    }),
  );
}
