import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { DeviceOwner } from "./devices.ts";
import { UUID } from "../kernel/stored.ts";

/** The random bytes of a new secret: as many as a SHA-1 hash has, as RFC 4226 recommends. */
export const FACTOR_BYTES = 20;
const PERIOD_S = 30;
/** Steps that a code may be early or late, since phones' clocks differ. */
const WINDOW = 1;

/** A TOTP secret as people type it, in base32. */
export const writeFactor = (random: Uint8Array): string => new Secret({ buffer: Uint8Array.from(random).buffer }).base32;

const totpOf = (secret: string, names: { issuer: string; label: string } = { issuer: "", label: "" }): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: PERIOD_S });

/** The URI in the QR code that an authenticator app scans. */
export const factorUri = (secret: string, names: { issuer: string; label: string }): string => totpOf(secret, names).toString();

/** The step of a code, counted in half minutes since 1970; null if no step near `now` (epoch milliseconds) has that code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp: now }) + delta;
}

/** How many recovery codes a person has at first. */
export const RECOVERY_CODES = 10;
/** 80 bits, so that SHA-256 is enough to store them. */
export const RECOVERY_BYTES = 10;

/** A recovery code: sixteen letters and digits in fours. */
export const writeRecoveryCode = (random: Uint8Array): string =>
  writeFactor(random)
    .toLowerCase()
    .replace(/.{4}(?=.)/g, "$&-");

/** The stored form of a recovery code in any spelling; null if the text is not one. */
export function recoveryHash(code: string): Buffer | null {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return /^[a-z2-7]{16}$/.test(plain) ? createHash("sha256").update(plain).digest() : null;
}

/** For how many days a browser is remembered, and how many browsers a person can have. */
export const REMEMBERED_DAYS = 30;
export const MAX_REMEMBERED = 20;

/** After this time a sensitive call requires the password or a code again. */
export const PROOF_MS = 3_600_000;

/** Who needs a second factor to sign in by password. */
export type FactorRequirement = "live" | "everybody";

/** How long the second step of a sign-in may take. */
const SECOND_STEP_MS = 10 * 60_000;

/** The key that signs the tickets of second steps; it has no other use. */
export const ticketKey = (authSecret: string): Buffer => Buffer.from(hkdfSync("sha256", authSecret, "", "engagement second step", 32));

const signatureOf = (key: Buffer, { userId, passwordHash }: DeviceOwner, until: string): Buffer =>
  createHmac("sha256", key).update([userId, passwordHash, until].join("\n")).digest();

/** Proves in the second step of a sign-in that its first step succeeded. It is valid for ten minutes, unless the password changes. */
export function writeTicket(key: Buffer, owner: DeviceOwner, now: number): string {
  const until = String(now + SECOND_STEP_MS);
  return [owner.userId, until, signatureOf(key, owner, until).toString("base64url")].join(".");
}

/** The person that a ticket names; null for a text that is no ticket. `isTicketOf` decides whether it is valid. */
export const ticketOwner = (ticket: string): string | null => TICKET.exec(ticket)?.[1] ?? null;

const TICKET = new RegExp(`^(${UUID})\\.\\d{1,16}\\.[\\w-]{43}$`);

export function isTicketOf(key: Buffer, ticket: string, owner: DeviceOwner, now: number): boolean {
  const [userId, until = "", signature = ""] = ticket.split(".");
  const given = Buffer.from(signature, "base64url");
  const expected = signatureOf(key, owner, until);
  return userId === owner.userId && given.length === expected.length && timingSafeEqual(given, expected) && now < Number(until);
}
