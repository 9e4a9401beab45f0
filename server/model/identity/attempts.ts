/** The failed tries of one subject. Instants are epoch milliseconds. */
export interface Attempts {
  failures: number;
  lastAt: number;
  /** Until then nothing more is tried. */
  lockedUntil: number | null;
}

/** This many failures cost nothing; the last of them starts the waits. */
export interface Limit {
  free: number;
}

/** For one account, existing or not: enough for a person who has forgotten which password it was. */
export const ACCOUNT_LIMIT: Limit = { free: 5 };
/** For one network address: enough for an office behind it. */
export const ADDRESS_LIMIT: Limit = { free: 30 };
/** Mails that somebody asks for to one account. */
export const MAIL_LIMIT: Limit = { free: 3 };

/** Mails to people that the members of one organization invite, or give new passwords. */
export const ORGANIZATION_MAIL_LIMIT: Limit = { free: 200 };

const FIRST_WAIT_MS = 30_000;
/** Waits grow no longer, or anybody who knows an address could keep its owner out for good. Four guesses an hour lead nowhere. */
const LONGEST_WAIT_MS = 15 * 60_000;
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Milliseconds to wait before another try; 0 when there is nothing to wait for. */
export const waitOf = ({ lockedUntil }: Pick<Attempts, "lockedUntil">, now: number): number => Math.max(0, (lockedUntil ?? now) - now);

/** A try counts as failed from its beginning on, so that many at once are not as good as one; `afterTakingBack` takes it back. */
export function afterFailure(before: Attempts | null, now: number, limit: Limit): Attempts {
  const failures = (before === null || now - before.lastAt > FORGOTTEN_AFTER_MS ? 0 : before.failures) + 1;
  const over = failures - limit.free;
  return { failures, lastAt: now, lockedUntil: over < 0 ? null : now + Math.min(FIRST_WAIT_MS * 2 ** over, LONGEST_WAIT_MS) };
}

/**
 * Takes one try back that succeeded or was not checked. A subject over the limit stays locked: otherwise the owner of one account could
 * guess at others in turns with it.
 */
export function afterTakingBack(before: Attempts, limit: Limit): Attempts {
  const failures = Math.max(0, before.failures - 1);
  return { ...before, failures, lockedUntil: failures < limit.free ? null : before.lockedUntil };
}

/** A wait in words that do not count every second. */
export function waitInWords(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds <= 60) return seconds <= 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} minutes`;
}
