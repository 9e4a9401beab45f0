import { SERVER_POOLS } from "../db/pools.ts";
import { onceReachable, openServicePools } from "../db/service.ts";
import { SERVER_OPTIONS } from "./api/http.ts";
import { mailerOf } from "./api/sign-in.ts";
import { openCipher } from "./auth-secret.ts";
import { keepSecretsEncrypted } from "./first-start.ts";
import { runProcess } from "./lifecycle.ts";
import { closeServer, listen } from "./listen.ts";
import { createOperations } from "./operations.ts";
import { openTracer } from "./operations/tracing.ts";
import { startBeat } from "./status/service/beat.ts";
import { startWorker } from "./worker/loop.ts";

/** The worker alone, beside any number of others. */
runProcess(async ({ settings, logger, manage }) => {
  const operations = createOperations();
  if (settings.operations)
    await manage(listen(operations.listener, SERVER_OPTIONS, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);
  const cipher = await openCipher(settings);
  const onChange = (message: string) => logger.warn({}, message);
  const sizes = { ...SERVER_POOLS, ...settings.pools };
  const pools = await manage(openServicePools({ ...settings, sizes, waitMs: settings.poolWaitMs, onChange }), (opened) => opened.close());
  await onceReachable(() => keepSecretsEncrypted(pools.facts, cipher, logger), onChange);
  const { allowPrivateAddresses, baseUrl } = settings;
  const mailer = mailerOf(settings, logger);
  const mail = mailer && { mailer, baseUrl };
  const { observer } = operations;
  const tracer = await openTracer({ settings, manage });
  operations.watchPools(pools);
  const databases = { database: pools.facts, deliveriesDatabase: pools.deliveries };
  const worker = startWorker({ ...databases, logger, allowPrivateAddresses, cipher, mail, observer, tracer });
  await manage(worker, () => worker.stop());
  const beat = startBeat(pools.heartbeat, { isServing: false, isWorking: true });
  await manage(beat, () => beat.stop());
  await manage(operations.begin(pools.facts), async () => operations.end());
  logger.info({}, "the worker runs");
});
