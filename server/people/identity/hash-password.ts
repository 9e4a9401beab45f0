import { randomBytes } from "node:crypto";
import { hashPassword, isPassword, NOBODYS, SALT_BYTES } from "../../model/identity/passwords.ts";

/**
 * A hash takes 128 MiB and some tenths of a second, and anybody can cause one by trying to sign in. Two at once leave memory and threads
 * for everything else; some wait, and more are turned away.
 */
const AT_ONCE = 2;
const WAITING = 40;

let running = 0;
const waiting: (() => void)[] = [];

/** Null where too many wait already. A call with `isKnown` is always admitted, and is next. */
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

/** The same for links, which may be opened many times at once; null where too many wait. */
export const hashedInTurn = (password: string): Promise<string | null> => inTurn(() => hashed(password));

/** The message in that case. */
export const BUSY = "Very many people sign in at this moment. Try again in a few seconds.";

/** One to hand on: 120 bits that can be typed. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

/**
 * Whether it is the password of that hash; false without one, after the same time; null where too many wait. `isKnown`: the browser has
 * signed in with the account before, and a flood of strangers does not keep it out.
 */
export async function isPasswordOf(password: string, passwordHash: string | null, isKnown = false): Promise<boolean | null> {
  const isIt = await inTurn(() => isPassword(password, passwordHash ?? NOBODYS), isKnown);
  return isIt === null ? null : isIt && passwordHash !== null;
}
