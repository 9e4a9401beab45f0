import { performance } from "node:perf_hooks";

/** How often the event loop is looked at. */
const EVERY_MS = 20;
/** Who waits for longer has noticed. */
export const STALL_MS = 200;

/** How the event loop of this process has stood still: in processor time, milliseconds. */
export interface Stalls {
  /** How often for longer than STALL_MS, and for how long together. */
  count: number;
  totalMs: number;
  /** The longest since `takeLongest` was last called. */
  longestMs: number;
}

/** Watches for as long as the process lives, or until it is stopped. */
export interface StallWatch {
  figures: Readonly<Stalls>;
  /** The longest wait since this was last called, however short. */
  takeLongest(): number;
  stop(): void;
}

/**
 * Watches for how long timers are kept waiting by what this process does. A machine that is busy with other things keeps them waiting as
 * well; so a wait counts for no more than the processor time that the thread used meanwhile, collecting garbage included.
 */
export function watchStalls(): StallWatch {
  const figures: Stalls = { count: 0, totalMs: 0, longestMs: 0 };
  let [before, used] = [performance.now(), process.threadCpuUsage()];
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(used);
    const standstill = Math.min(now - before - EVERY_MS, (user + system) / 1000);
    [before, used] = [now, process.threadCpuUsage()];
    figures.longestMs = Math.max(figures.longestMs, standstill);
    if (standstill <= STALL_MS) return;
    figures.count += 1;
    figures.totalMs += standstill;
  }, EVERY_MS);
  timer.unref();
  return {
    figures,
    takeLongest() {
      const { longestMs } = figures;
      figures.longestMs = 0;
      return longestMs;
    },
    stop: () => clearInterval(timer),
  };
}
