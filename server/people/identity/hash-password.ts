import { randomBytes } from "node:crypto";
import { hashPassword, isPassword, UNMATCHABLE_HASH, SALT_BYTES } from "../../model/identity/passwords.ts";

/**
 * A hash takes 128 MiB and some tenths of a second, and any unauthenticated sign-in causes one. Two in parallel leave memory and threads
 * for everything else; some more may queue, the rest are rejected.
 */
const AT_ONCE = 2;
const WAITING = 40;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work once a slot is free; null if the queue is full. A call with `isKnown` is always admitted, at the front. */
async function inTurn<T>(work: () => Promise<T>, isKnown = false): Promise<T | null> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING && !isKnown) return null;
    await new Promise<void>((resolve) => (isKnown ? waiting.unshift(resolve) : waiting.push(resolve)));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The stored form of a new password. */
export const hashed = (password: string): Promise<string> => hashPassword(password, randomBytes(SALT_BYTES));

/** The same through the queue, for links, which may be opened many times concurrently; null if the queue is full. */
export const hashedInTurn = (password: string): Promise<string | null> => inTurn(() => hashed(password));

/** The message for a full queue. */
export const BUSY = "Very many people sign in at this moment. Try again in a few seconds.";

/** A generated password to hand on: 120 bits that can be typed. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

/**
 * Whether the password matches the hash; without a hash false, after the same time; null if the queue is full. `isKnown`: the browser has
 * signed in to the account before, so a flood of unknown browsers must not lock it out.
 */
export async function isPasswordOf(password: string, passwordHash: string | null, isKnown = false): Promise<boolean | null> {
  const matches = await inTurn(() => isPassword(password, passwordHash ?? UNMATCHABLE_HASH), isKnown);
  return matches === null ? null : matches && passwordHash !== null;
}
