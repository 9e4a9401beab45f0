import { SERVER_POOLS } from "../db/pools.ts";
import { onceReachable, openServicePools } from "../db/service.ts";
import { SERVER_OPTIONS } from "./api/http.ts";
import { openCipher } from "./auth-secret.ts";
import { keepSecretsEncrypted } from "./first-start.ts";
import { live } from "./life.ts";
import { closeServer, listen } from "./listen.ts";
import { createOperations } from "./operations.ts";
import { startWorker } from "./worker/loop.ts";

/** The worker alone, beside any number of others (operations.md). */
live(async ({ settings, logger, hold }) => {
  const operations = createOperations();
  if (settings.operations)
    await hold(listen(operations.listener, SERVER_OPTIONS, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);
  const cipher = await openCipher(settings);
  const onChange = (message: string) => logger.warn({}, message);
  const sizes = { ...SERVER_POOLS, ...settings.pools };
  const pools = await hold(openServicePools({ ...settings, sizes, waitMs: settings.poolWaitMs, onChange }), (opened) => opened.close());
  await onceReachable(() => keepSecretsEncrypted(pools.facts, cipher, logger), onChange);
  const { allowPrivateAddresses } = settings;
  const worker = startWorker({ database: pools.facts, deliveriesDatabase: pools.deliveries, logger, allowPrivateAddresses, cipher });
  await hold(worker, () => worker.stop());
  await hold(operations.begin(pools.facts), async () => operations.end());
  logger.info({}, "the worker runs");
});
