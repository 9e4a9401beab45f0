import type { Dashboard } from "./dashboard.ts";

const SLOT = Symbol.for("engagement-service.dashboard");
const held = globalThis as { [SLOT]?: Dashboard | null };

/** Announces that this process will provide its dashboard; called before Next is loaded. */
export function announceDashboard(): void {
  held[SLOT] ??= null;
}

/** Makes this process's dashboard available to its pages. */
export function provideDashboard(dashboard: Dashboard): void {
  held[SLOT] = dashboard;
}

/** Whether the process provides a dashboard; otherwise Next runs alone. */
export const isServed = (): boolean => SLOT in held;

/** The service passed to `provideDashboard`; null when it runs on Next alone (serverless.ts). */
export const providedDashboard = (): Dashboard | null => held[SLOT] ?? null;
