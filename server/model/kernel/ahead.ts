const MAX_AHEAD = 24 * 60 * 60 * 1000;

/**
 * Whether an instant is more than 24 hours ahead of the environment's clock. A device's clock may be wrong, but one wrong year must not
 * pin a latest value, a best score or a streak for ever.
 */
export const isTooFarAhead = (occurredAt: number, now: number): boolean => occurredAt - now > MAX_AHEAD;

export const TOO_FAR_AHEAD = "is more than 24 hours ahead of the clock; send when it happened.";
