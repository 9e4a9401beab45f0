import { formatBound, formatInstant } from "../kernel/time.ts";
import type { WebhookNotification } from "../webhooks/notification.ts";
import { periodIdOf } from "./teams.ts";

/** A period that is settled. Instants are epoch milliseconds on the environment's clock. */
export interface ClosedPeriod {
  environmentId: number;
  leaderboardId: number;
  start: string;
  number: number;
  startsAt: number | null;
  endsAt: number | null;
  participants: number;
  settledAt: number;
}

const shown = (instant: number | null): string | null => (instant === null ? null : formatBound(instant));

/** Tells that a period is settled; sent once for each. */
export const periodClosed = (leaderboardKey: string, period: ClosedPeriod): WebhookNotification => ({
  environmentId: period.environmentId,
  event: "leaderboard.period_closed",
  sourceId: periodIdOf(period.leaderboardId, period.start),
  occurredAt: period.settledAt,
  data: {
    leaderboardKey,
    periodNumber: period.number,
    startsAtUtc: shown(period.startsAt),
    endsAtUtc: shown(period.endsAt),
    participants: period.participants,
    settledAtUtc: formatInstant(period.settledAt),
  },
});
