/** The queue of facts is worked in lanes, each a range of parts: a player's facts are always in one lane, in their order. */
export const LANES = 4;

/** `part` is 0 to 1023; statements write it as `part >> 8`. */
export const laneOf = (part: number): number => part >> 8;
