import { z } from "zod";
import { endpoint, images, languageCode, playerId, timestamp } from "../api/contract.ts";

/** decisions.md 2.10. */
const streak = z
  .object({
    streakKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    images,
    cadence: z.enum(["Day", "Week", "Month"]),
    currentLength: z.int().meta({ description: "Qualified periods of the live run; 0 without one." }),
    longestLength: z.int(),
    startedAtUtc: timestamp.nullable().meta({ description: "Start of the live run's first period." }),
    endsAtUtc: timestamp.nullable().meta({
      description: "When the live run ends unless the player qualifies again, freezes in hand included; null without a live run.",
    }),
    isQualifiedThisPeriod: z.boolean(),
    freezesAvailable: z.int(),
    nextMilestone: z.int().nullable(),
  })
  .meta({ id: "Streak" });

export const streaksContract = {
  /** api.md 4.8. */
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
