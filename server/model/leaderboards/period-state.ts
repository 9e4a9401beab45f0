/** The state of a period: future, running, over but open for late events, being settled, settled. */
const PERIOD_STATES = ["Upcoming", "Current", "Ended", "Settling", "Settled"] as const;

/** Why a period cannot be settled by hand now. */
const SETTLE_REFUSALS = ["Live", "Endless", "Off", "Settled"] as const;

interface Kept {
  step: "Open" | "Carrying" | "Ended" | "Seating" | "Closing" | "Settled";
  startsAt: number | null;
  endsAt: number | null;
  settlesAt: number | null;
}

/** The state of a period at an instant of the environment's clock. */
export function periodState({ step, startsAt, endsAt }: Kept, now: number): (typeof PERIOD_STATES)[number] {
  switch (step) {
    case "Open":
      if (endsAt !== null && endsAt <= now) return "Ended";
      return startsAt !== null && startsAt > now ? "Upcoming" : "Current";
    case "Carrying":
    case "Ended":
      return "Ended";
    case "Seating":
    case "Closing":
      return "Settling";
    case "Settled":
      return "Settled";
  }
}

/** Why a period cannot be settled by hand now; null if it can. */
export function settleRefusal(
  { step, settlesAt }: Kept,
  { isLive, isActive }: { isLive: boolean; isActive: boolean },
): (typeof SETTLE_REFUSALS)[number] | null {
  if (step === "Settled") return "Settled";
  if (settlesAt === null) return "Endless";
  if (isLive) return "Live";
  return isActive ? null : "Off";
}
