import microdiff from "microdiff";
import { entryIn } from "../audit-log/entry.ts";
import { hash } from "node:crypto";
import type { Environment, EnvironmentKind, Actor } from "../kernel/environment.ts";

const PREFIXES: Record<EnvironmentKind, string> = { sandbox: "svc_sbox_", live: "svc_live_" };

/** The random part of a key, in bytes: 64 hex characters. */
export const KEY_BYTES = 32;

export const writeApiKey = (kind: EnvironmentKind, random: Buffer): string => PREFIXES[kind] + random.toString("hex");

/** A key is found by its SHA-256, which is all that is stored. */
export const hashOf = (key: string): Buffer => hash("sha256", key, "buffer");

/** The visible remainder of a key: "svc_sbox_…9f3c". */
export const hintOf = (key: string): string => `${key.slice(0, 9)}…${key.slice(-4)}`;

const BEARER = /^Bearer +(svc_(?:sbox|live)_[0-9a-f]{64}) *$/i;

/** The key of an Authorization header; null if it has none of the right form. */
export const bearerKey = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null);

export type KeyScope = Pick<Environment, "id" | "kind" | "projectId">;

/** The entry of a created or revoked key. It has the hint, never the key. */
export const keyEntry = (scope: KeyScope, actor: Actor, action: "create" | "revoke", { name, hint }: { name: string; hint: string }) =>
  entryIn(scope, actor, {
    action,
    subjectKind: "apiKey",
    subjectKey: name,
    difference: action === "create" ? microdiff({}, { key: hint }) : microdiff({ key: hint }, {}),
  });
