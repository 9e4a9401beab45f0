import type { Answers } from "../../client/service.tsx";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { HOUR } from "#server/model/kernel/instant.ts";

export type Hour = Answers["webhooks"]["health"]["endpoints"][number]["hours"][number];

const HOURS = 48;

/** The last 48 hours in order, the current one last; hours without attempts are empty. `now` is RFC 3339. */
export function everyHour(hours: readonly Hour[], now: string): Hour[] {
  const known = new Map(hours.map((hour) => [Date.parse(hour.at), hour]));
  const last = Math.floor(Date.parse(now) / HOUR) * HOUR;
  return Array.from({ length: HOURS }, (_, index) => {
    const at = last - (HOURS - 1 - index) * HOUR;
    return known.get(at) ?? { at: new Date(at).toISOString(), succeeded: 0, failed: 0, p50: 0, p95: 0 };
  });
}

/** "120 attempts succeeded, 3 failed". */
export function healthInWords(hours: readonly Pick<Hour, "succeeded" | "failed">[]): string {
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  if (succeeded + failed === 0) return "No attempts";
  return `${plural(succeeded, "attempt")} succeeded, ${formatted(failed)} failed`;
}

/** The height of an hour's bar, 0 to 1: a few attempts stay visible beside thousands. */
export const heightOf = ({ succeeded, failed }: Pick<Hour, "succeeded" | "failed">, most: number): number =>
  succeeded + failed === 0 ? 0 : Math.max(0.2, Math.log1p(succeeded + failed) / Math.log1p(Math.max(most, 1)));
