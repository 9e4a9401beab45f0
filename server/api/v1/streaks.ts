import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { streaksContract } from "../../game/streaks/contract.ts";
import { readStreaks } from "../../game/streaks/service/read.ts";

const api = implement(streaksContract).$context<ApiContext>();

export const streaksProcedures = {
  read: api.read.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const streaks = await readStreaks(database, environment, now, { externalId: input.PlayerId, language: input.LanguageCode });
    return streaks.map((streak) => withImageUrls(streak, baseUrl));
  }),
};
