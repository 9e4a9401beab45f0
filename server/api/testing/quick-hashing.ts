import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { UNMATCHABLE_HASH } from "../../model/identity/passwords.ts";

/** Where tests import this file again, the process has it already. */
const FULL = Symbol.for("engagement.full-scrypt");
const shared = crypto as unknown as { [FULL]?: typeof crypto.scrypt; scrypt: unknown };
const full = (shared[FULL] ??= crypto.scrypt);

type Callback = (error: Error | null, key: Buffer) => void;

/** The cost of a password's hash in production, which every hash names. */
const N = Number(UNMATCHABLE_HASH.split("$")[1]);

function use(scrypt: unknown): void {
  shared.scrypt = scrypt;
  syncBuiltinESMExports();
}

/** A password's hash takes four tenths of a CPU second, and tests sign in hundreds of times: in this process it takes a hundredth of that. */
export const hashQuickly = (): void =>
  use((password: string, salt: Buffer, bytes: number, options: ScryptOptions, callback: Callback) =>
    full(password, salt, bytes, options.N === N ? { ...options, N: N / 128 } : options, callback),
  );

/** As in production, for the file that proves what hashing costs. */
export const hashAtFullCost = (): void => use(full);

hashQuickly();
