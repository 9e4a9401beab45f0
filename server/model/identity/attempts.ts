/** The failed tries of one subject. Instants are epoch milliseconds. */
export interface Attempts {
  failures: number;
  lastAt: number;
  /** Attempts before this instant are rejected. */
  lockedUntil: number | null;
}

/** This many failures are free; the last of them starts the waits. */
export interface Limit {
  free: number;
}

/** For one account, existing or not: enough for a user who has forgotten the password. */
export const ACCOUNT_LIMIT: Limit = { free: 5 };
/** For one network address: enough for an office behind it. */
export const ADDRESS_LIMIT: Limit = { free: 30 };
/** Mails requested for one account. */
export const MAIL_LIMIT: Limit = { free: 3 };

/** Invitations and password links sent by the members of one organization. */
export const ORGANIZATION_MAIL_LIMIT: Limit = { free: 200 };

const FIRST_WAIT_MS = 30_000;
/** The longest wait: longer ones would let anyone who knows an address lock its owner out. Four guesses an hour are harmless. */
const MAX_WAIT_MS = 15 * 60_000;
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Milliseconds to wait before another try; 0 when there is nothing to wait for. */
export const waitOf = ({ lockedUntil }: Pick<Attempts, "lockedUntil">, now: number): number => Math.max(0, (lockedUntil ?? now) - now);

/** An attempt counts as failed from its start, so that concurrent attempts all count; `afterTakingBack` undoes it. */
export function afterFailure(before: Attempts | null, now: number, limit: Limit): Attempts {
  const failures = (before === null || now - before.lastAt > FORGOTTEN_AFTER_MS ? 0 : before.failures) + 1;
  const over = failures - limit.free;
  return { failures, lastAt: now, lockedUntil: over < 0 ? null : now + Math.min(FIRST_WAIT_MS * 2 ** over, MAX_WAIT_MS) };
}

/**
 * Undoes one attempt that succeeded or was not checked. A subject over the limit stays locked: otherwise successful sign-ins to one account
 * would allow more guesses at others.
 */
export function afterTakingBack(before: Attempts, limit: Limit): Attempts {
  const failures = Math.max(0, before.failures - 1);
  return { ...before, failures, lockedUntil: failures < limit.free ? null : before.lockedUntil };
}

/** A wait in words, rounded up. */
export function waitInWords(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds <= 60) return seconds <= 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} minutes`;
}
