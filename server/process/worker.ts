import { SERVER_POOLS } from "../../db/pools.ts";
import { onceReachable, openServicePools } from "../../db/service.ts";
import { SERVER_OPTIONS } from "../api/http.ts";
import { openCipher } from "./auth-secret.ts";
import { openWorker } from "./background.ts";
import { keepSecretsEncrypted } from "./first-start.ts";
import { runProcess } from "./lifecycle.ts";
import { closeServer, listen } from "./listen.ts";
import { createOperations } from "./monitoring/endpoints.ts";
import { openTracer } from "./monitoring/tracing.ts";
import { startBeat } from "../insight/status/service/beat.ts";

/** Only the worker, beside any number of others. */
runProcess(async (lifecycle) => {
  const { settings, logger, manage } = lifecycle;
  const operations = createOperations();
  if (settings.operations)
    await manage(listen(operations.listener, SERVER_OPTIONS, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);
  const cipher = await openCipher(settings);
  const onChange = (message: string) => {
    operations.waitsFor(message);
    logger.warn({}, message);
  };
  const sizes = { ...SERVER_POOLS, ...settings.pools };
  const pools = await manage(openServicePools({ ...settings, sizes, waitMs: settings.poolWaitMs, onChange }), (opened) => opened.close());
  await onceReachable(() => keepSecretsEncrypted(pools.dashboard, cipher, logger), onChange);
  const tracer = settings.workerThreads === 0 ? await openTracer({ settings, manage }) : undefined;
  operations.watchPools(pools);
  await openWorker(lifecycle, { pools, sizes, operations, cipher, tracer });
  const beat = startBeat(pools.heartbeat, operations, { isServing: false, isWorking: true });
  await manage(beat, () => beat.stop());
  await manage(operations.begin(pools.dashboard), async () => operations.end());
  logger.info({}, "the worker runs");
});
