import { performance } from "node:perf_hooks";

/** The interval of the samples. */
const EVERY_MS = 20;
/** A longer stall is noticeable. */
export const STALL_MS = 200;

/** The stalls of this process's event loop, in processor time, milliseconds. */
export interface Stalls {
  /** The number of stalls longer than STALL_MS, and their sum. */
  count: number;
  totalMs: number;
  /** The longest since `takeLongest` was last called. */
  longestMs: number;
}

/** Watches until stopped, or for the life of the process. */
export interface StallWatch {
  figures: Readonly<Stalls>;
  /** The longest wait since this was last called, however short. */
  takeLongest(): number;
  stop(): void;
}

/**
 * Measures how long this process delays its own timers. A busy machine delays them as well, so a wait counts for at most the processor time
 * that the thread used meanwhile, garbage collection included.
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
