/** A cursor in a list that is read newest first: below the instant (epoch milliseconds), and at that instant below the id. */
export interface Below<Id extends string | number = string> {
  at: number;
  id: Id;
}

/** Every UUID and every position is at most this one. */
export const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
export const FIRST_UUID = "00000000-0000-0000-0000-000000000000";
