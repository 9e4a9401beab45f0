import { randomBytes } from "node:crypto";
import { hashPassword, isPassword, NOBODYS, SALT_BYTES } from "../passwords.ts";

/**
 * A hash takes 128 MiB and some tenths of a second, and whoever tries to sign in causes one without being anybody. Two at once leave
 * memory and threads for everything else; beyond those who wait, more are turned away.
 */
const AT_ONCE = 2;
const WAITING = 40;

let running = 0;
const waiting: (() => void)[] = [];

/** Null where too many wait already. */
async function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) return null;
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** What is kept of a new password; whoever sets one is known, and waits for it. */
export const hashed = (password: string): Promise<string> => hashPassword(password, randomBytes(SALT_BYTES));

/** One to hand on: 120 bits that can be typed. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

/** Whether it is the password of that hash, false without one, after the same time; null where too many ask at once. */
export async function isPasswordOf(password: string, passwordHash: string | null): Promise<boolean | null> {
  const isIt = await inTurn(() => isPassword(password, passwordHash ?? NOBODYS));
  return isIt === null ? null : isIt && passwordHash !== null;
}
