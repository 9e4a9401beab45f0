import type { Pools, PoolSizes } from "../../db/pools.ts";
import { destinationOf } from "../api/log.ts";
import { mailerOf } from "../api/sign-in.ts";
import type { Runner } from "../model/kernel/runner.ts";
import type { Tracer } from "../model/kernel/monitoring.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Operations } from "./monitoring/endpoints.ts";
import { factConnections, startThreads } from "./threads/start.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { startWorker } from "../operations/worker/loop.ts";

interface Parts {
  pools: Pools;
  sizes: PoolSizes;
  operations: Operations;
  cipher: SecretCipher;
  tracer: Tracer | undefined;
}

/** Starts the worker of this process: in threads of its own, or in this one where WORKER_THREADS is 0. It stops with the process. */
export async function openWorker({ settings, logger, manage }: Lifecycle, parts: Parts): Promise<Runner> {
  const { pools, sizes, operations, cipher, tracer } = parts;
  const { allowPrivateAddresses, baseUrl, workerThreads, poolWaitMs } = settings;
  if (workerThreads === 0) {
    const mailer = mailerOf(settings, logger);
    const worker = startWorker({
      database: pools.facts,
      deliveriesDatabase: pools.deliveries,
      logger,
      allowPrivateAddresses,
      baseUrl,
      cipher,
      tracer,
      mail: mailer && { mailer, baseUrl },
      observer: operations.observer,
    });
    return manage(worker, () => worker.stop());
  }
  const sizeOf = (index: number) => ({ facts: factConnections(sizes.facts, { index, of: workerThreads }), deliveries: sizes.deliveries });
  const output = destinationOf(logger);
  const threads = startThreads({
    databaseUrl: pools.url,
    waitMs: poolWaitMs,
    logger,
    observer: operations.observer,
    sizes: Array.from({ length: workerThreads }, (_, index) => sizeOf(index)),
    writeLine: (line) => void output.write(line),
  });
  operations.watchThreads(threads);
  return manage(threads, () => threads.stop());
}
