import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { UNMATCHABLE_HASH } from "../../model/identity/passwords.ts";

/** Stored on the process: if this file is loaded again, `crypto.scrypt` is already the quick one. */
const FULL = Symbol.for("engagement.full-scrypt");
const shared = crypto as unknown as { [FULL]?: typeof crypto.scrypt; scrypt: unknown };
const full = (shared[FULL] ??= crypto.scrypt);

type Callback = (error: Error | null, key: Buffer) => void;

/** The scrypt cost of passwords in production, which is the second part of every hash. */
const N = Number(UNMATCHABLE_HASH.split("$")[1]);

function use(scrypt: unknown): void {
  shared.scrypt = scrypt;
  syncBuiltinESMExports();
}

/**
 * A password's hash takes four tenths of a CPU second, and tests sign in hundreds of times: in this process it takes a hundredth of that.
 */
export const hashQuickly = (): void =>
  use((password: string, salt: Buffer, bytes: number, options: ScryptOptions, callback: Callback) =>
    full(password, salt, bytes, options.N === N ? { ...options, N: N / 128 } : options, callback),
  );

/** Restores the cost of production, for the file that tests what hashing costs. */
export const hashAtFullCost = (): void => use(full);

hashQuickly();
