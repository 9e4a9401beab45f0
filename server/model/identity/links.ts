import { createHash } from "node:crypto";

export const TOKEN_BYTES = 32;

const DAY_MS = 86_400_000;
export const INVITATION_MS = 7 * DAY_MS;
export const RESET_MS = DAY_MS;

/** The secret part of a link. */
export const writeToken = (random: Buffer): string => random.toString("base64url");

/** The stored form of a token; null for a text of another form. */
export const tokenHash = (token: string): Buffer | null => (/^[\w-]{43}$/.test(token) ? createHash("sha256").update(token).digest() : null);

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}/invitation/${token}`;
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/password-reset/${token}`;
