import { nudgedPauses, OUT_OF_REACH_MS } from "#db/polling.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import type { Tracer, WorkObserver } from "../../model/kernel/monitoring.ts";
import { Idle, type KindRunner, type Looking, type WorkLog } from "../../model/kernel/runner.ts";
import { type ClientOptions, TIMEOUT_MS, openClient } from "../client.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { releaseDeliveries } from "../store/sending.ts";
import { type Claimed as ClaimedDelivery, attemptDelivery, claimDue, dueEndpoints, forgetOld } from "./sending.ts";
import { FairScheduler } from "../../model/webhooks/fair-scheduler.ts";
import { startRecorder } from "./recorder.ts";

export interface DispatcherOptions extends ClientOptions, Looking {
  database: Database;
  observer?: WorkObserver;
  tracer?: Tracer;
  cipher: SecretCipher;
  logger: WorkLog;
  /** How long `stop` waits for responses before it releases the deliveries. */
  stopWithinMs?: number;
}

type Claimed = ClaimedDelivery & { startBefore: number };

/** The interval of polling for deliveries of other processes. */
const POLL_MS = 200;
/** The interval of deleting old responses. */
const FORGET_MS = 60_000;

/** Attempts in flight in total, and deliveries claimed ahead of them. */
const LIMITS = { inFlight: 400, waiting: 4000 };

/**
 * A lease outlasts its attempt by a margin for recording the result: a later claimant finds it recorded, unless the first one died. A
 * delivery that has waited too long to finish within the lease is not attempted.
 */
const LEASE_MS = 45_000;
const LEASE_MARGIN_MS = 15_000;

/** The retry interval for endpoints whose secret this process cannot read: another process may read it, or it may be rotated. */
const UNREADABLE_MS = 10_000;
const UNREADABLE =
  "a webhook endpoint gets nothing from this process, whose AUTH_SECRET cannot read its secret: set AUTH_SECRET_PREVIOUS to the one before, or rotate the endpoint's secret";

/** The outcome of an attempt, by the state in which it leaves its delivery; pending ones are retried. */
const OUTCOMES = { Delivered: "Delivered", Pending: "Retried", Failed: "Failed" } as const;

const STOP_WITHIN_MS = 5_000;

/**
 * Sends due deliveries, beside any number of other dispatchers. It claims ahead of the attempts and records behind them, in sets, so that a
 * fast endpoint never waits for the database. Deliveries claimed for an endpoint that is then switched off are released with the next poll.
 * All times are real.
 */
export function startDispatcher({
  database,
  cipher,
  logger,
  onLook,
  observer,
  tracer,
  stopWithinMs = STOP_WITHIN_MS,
  ...clientOptions
}: DispatcherOptions): KindRunner {
  const client = openClient(clientOptions);
  const recorder = startRecorder(database, logger);
  const scheduler = new FairScheduler<Claimed>(LIMITS);
  const underWay = new Set<Claimed>();
  const useFor = LEASE_MS - LEASE_MARGIN_MS - (clientOptions.timeoutMs ?? TIMEOUT_MS);
  /** Endpoints to skip, with the end of the pause. */
  const unreadable = new Map<string, number>();
  const idle = new Idle(onLook);
  let isStopping = false;
  let lookAt = 0;
  let forgetAt = 0;
  let done = 0;
  const { pause, nudge } = nudgedPauses();

  const attempt = async (delivery: Claimed) => {
    underWay.add(delivery);
    const result = await attemptDelivery(client, delivery, tracer);
    // An attempt aborted by `stop` is not the receiver's failure.
    if (underWay.delete(delivery)) {
      recorder.add(result);
      observer?.deliveryAttempted({ outcome: OUTCOMES[result.status], seconds: result.durationMs / 1000 });
      done += 1;
    }
    if (scheduler.done(delivery, result)) nudge();
    startAttempts();
  };

  const startAttempts = () => {
    while (!isStopping) {
      const delivery = scheduler.next(performance.now());
      if (delivery === undefined) return;
      attempt(delivery).catch((error: unknown) => logger.error({ err: error, deliveryId: delivery.id }, "an attempt could not be made"));
    }
  };

  const releaseLeases = (deliveries: readonly Claimed[]) =>
    releaseDeliveries(
      database.sql,
      deliveries.map(({ id }) => id),
    ).catch((error: unknown) => logger.warn({ err: error }, "claimed deliveries are only due when their lease ends"));

  const passOver = (endpointId: string) => {
    unreadable.set(endpointId, performance.now() + UNREADABLE_MS);
    logger.error({ endpointId }, UNREADABLE);
  };
  const isPassedOver = (endpointId: string): boolean => {
    const isOver = (unreadable.get(endpointId) ?? 0) <= performance.now();
    if (isOver) unreadable.delete(endpointId);
    return !isOver;
  };

  const claim = async () => {
    if (performance.now() >= lookAt) {
      lookAt = performance.now() + POLL_MS;
      const foundNothing = idle.look();
      const { due: found, stopped, isThrough } = await dueEndpoints(database, scheduler.supplied());
      const due = found.filter((endpointId) => !isPassedOver(endpointId));
      const dropped = scheduler.drop(stopped);
      if (dropped.length > 0) await releaseLeases(dropped);
      scheduler.expect(due);
      if (performance.now() >= forgetAt && (await forgetOld(database))) forgetAt = performance.now() + FORGET_MS;
      const isIdle = due.length === 0 && scheduler.waiting === 0 && underWay.size === 0;
      if (isIdle && isThrough && recorder.isThrough()) foundNothing();
    }
    const quotas = recorder.isBehind() ? [] : scheduler.quotas();
    if (quotas.length === 0) return pause(Math.max(lookAt - performance.now(), 0));
    const startBefore = performance.now() + useFor;
    const claims = await claimDue(database, cipher, quotas, LEASE_MS);
    for (const endpointId of claims.unreadable) passOver(endpointId);
    const deliveries = claims.claimed.map((delivery) => ({ ...delivery, startBefore }));
    scheduler.add(quotas, deliveries, performance.now());
    startAttempts();
  };

  const run = async () => {
    while (!isStopping) {
      await claim().catch((error: unknown) => {
        logger.warn({ err: error }, "deliveries cannot be claimed: the database did not answer");
        return pause(OUT_OF_REACH_MS);
      });
    }
  };
  const running = run();

  const wake = () => {
    lookAt = 0;
    nudge();
  };

  return {
    wake,
    done: () => done,
    idle() {
      wake();
      return idle.wait();
    },
    /** Stops claiming, waits briefly for responses, and releases the rest. */
    async stop() {
      isStopping = true;
      nudge();
      await running;
      await releaseLeases(scheduler.empty());
      const until = performance.now() + stopWithinMs;
      while (underWay.size > 0 && performance.now() < until) await delay(20);
      const unanswered = [...underWay];
      underWay.clear();
      await client.close();
      await recorder.finish();
      await releaseLeases(unanswered);
    },
  };
}
