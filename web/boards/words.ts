import type { PeriodSeen } from "../../server/game/leaderboards/contract.dashboard.ts";
import { periodInWords } from "../players/values.ts";

/** "10 Mar 2031 (current)": a period in a list to choose from. */
export const periodOption = ({ start, state }: PeriodSeen): string =>
  `${start === "" ? "All time" : periodInWords(start)} · ${state.toLowerCase()}`;

/** Why a period cannot be settled by hand; null where it can, or where there is nothing to say. */
export function refusalWords(refusal: PeriodSeen["settleRefusal"], settlesAt: string | null): string | null {
  switch (refusal) {
    case "Live":
      return `Live uses real time. This period settles automatically${settlesAt === null ? "" : ` on ${settlesAt}`}.`;
    case "Endless":
      return "This leaderboard has no end, so it never settles.";
    case "Off":
      return "The leaderboard is off. It settles once it is switched on again.";
    case "Settled":
    case null:
      return null;
  }
}
