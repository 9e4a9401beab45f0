import { openServiceDatabase } from "../db/service.ts";
import { live } from "./life.ts";
import { closeServer, listen } from "./listen.ts";
import { createOperations } from "./operations.ts";
import { startWorker } from "./work/loop.ts";

/** The worker alone, beside any number of others (operations.md). */
live(async ({ settings, logger, hold }) => {
  const operations = createOperations();
  if (settings.operations)
    await hold(listen(operations.listener, {}, { ...settings.operations, variable: "OPERATIONS_PORT" }), closeServer);
  const onChange = (message: string) => logger.warn({}, message);
  const database = await hold(openServiceDatabase({ ...settings, onChange }), (opened) => opened.close());
  const worker = startWorker({ database, logger, allowPrivateAddresses: settings.allowPrivateAddresses });
  await hold(worker, () => worker.stop());
  await hold(operations.begin(database), async () => operations.end());
  logger.info({}, "the worker runs");
});
