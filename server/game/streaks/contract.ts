import { z } from "zod";
import { count, endpoint, images, languageCode, playerId, timestamp } from "../../model/contract/v1.ts";
import { CALENDAR_PERIODS } from "../../model/kernel/calendar.ts";

const streak = z
  .object({
    streakKey: z.string().meta({ examples: ["daily_coffee"] }),
    name: z.string().meta({ examples: ["Daily coffee"] }),
    description: z
      .string()
      .nullable()
      .meta({ examples: ["A coffee every day."] }),
    images,
    cadence: z.enum(CALENDAR_PERIODS),
    currentLength: count.meta({ description: "Qualified periods of the live run; 0 without one.", examples: [5] }),
    longestLength: count.meta({ examples: [12] }),
    startedAtUtc: timestamp.nullable().meta({ description: "Start of the live run's first period." }),
    endsAtUtc: timestamp.nullable().meta({
      description: "When the live run ends unless the player qualifies again, freezes in hand included; null without a live run.",
    }),
    isQualifiedThisPeriod: z.boolean().meta({ examples: [true] }),
    freezesAvailable: count.meta({ examples: [1] }),
    nextMilestone: count.nullable().meta({ examples: [7] }),
  })
  .meta({ id: "Streak" });

export const streaksContract = {
  read: endpoint({
    method: "GET",
    path: "/v1/streaks",
    operationId: "readStreaks",
    tag: "Streaks",
    summary: "Read the streaks of a player",
    description: "Every streak with the player's live run, the longest one and when the live run ends; all at zero for an unknown player.",
    answers: "The streaks, in the order of their creation.",
  })
    .input(z.object({ PlayerId: playerId, LanguageCode: languageCode }))
    .output(z.array(streak)),
};
