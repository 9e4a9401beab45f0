import microdiff from "microdiff";
import { hash } from "node:crypto";
import type { AuditEntry } from "../audit-log/entry.ts";
import { type EnvironmentKind, isAtLeast, lower, type Role } from "../kernel/environment.ts";
import { nameProblem } from "../kernel/input-text.ts";
import type { FieldProblem } from "../kernel/problem.ts";

const PREFIX = "svc_pat_";

/** The random part of a token, in bytes: 64 hex characters. */
export const TOKEN_BYTES = 32;

/** A token is found by its SHA-256, which is all that is stored. */
export const hashOfToken = (token: string): Buffer => hash("sha256", token, "buffer");

export const writePersonalToken = (random: Buffer): string => PREFIX + random.toString("hex");

/** The visible remainder of a token: "svc_pat_…9f3c". */
export const tokenHint = (token: string): string => `${PREFIX}…${token.slice(-4)}`;

const BEARER = /^Bearer(?: |$)/i;
const TOKEN = /^Bearer +(svc_pat_[0-9a-f]{64}) *$/i;

/** Whether an Authorization header has a bearer credential, valid or not. */
export const isBearer = (authorization: string | null | undefined): authorization is string =>
  typeof authorization === "string" && BEARER.test(authorization);

/** The token of an Authorization header; null if it has none of the right form. */
export const bearerToken = (authorization: string): string | null => TOKEN.exec(authorization)?.[1] ?? null;

/** The scope of a token within its project; `tests`: the project's test projects, and not the project itself. */
export type TokenEnvironment = EnvironmentKind | "tests";

/** The bounds of a token; its maker may have more rights. */
export interface TokenBounds {
  name: string;
  role: Role;
  projectSlug: string;
  /** Null: both environments of the project. */
  environment: TokenEnvironment | null;
}

export interface CallingToken extends TokenBounds {
  id: string;
  projectId: string;
  /** Real time, epoch milliseconds. */
  expiresAt: number;
}

/** The role of a call: with a token, no more than the token's. */
export const boundedRole = (role: Role, token: TokenBounds | null): Role => (token === null ? role : lower(role, token.role));

export interface WantedToken {
  name: string;
  role: Role;
  environment: TokenEnvironment | null;
  /** For how many days it is valid. */
  days: number;
}

/**
 * A token that a program generates itself; the service only gets its hash. The approving user never sees it, and it is not transmitted
 * before its first call.
 */
export interface TokenRequest {
  hash: Buffer;
  hint: string;
}

/** The request for a token by its SHA-256 in hex and its last four characters. */
export const requestedToken = (hash: string, lastFour: string): TokenRequest => ({
  hash: Buffer.from(hash, "hex"),
  hint: tokenHint(lastFour),
});

/** The longest validity: a leap year. */
const MAX_DAYS = 366;

/** Tokens of one person in force in a project, and of all its members together: a list shows them all. */
export const MAX_IN_FORCE = 100;
export const MAX_IN_FORCE_IN_PROJECT = 1_000;
/** Tokens that one user may create within 24 hours, including revoked ones. Stops runaway loops. */
export const MAX_MADE_A_DAY = 200;

/** The problems of a new token for a user with that role; the pointer names the field. */
export function tokenProblems({ name, role, environment, days }: WantedToken, own: Role): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const misnamed = nameProblem("The name of the token", name);
  if (misnamed !== null) problems.push({ pointer: "#/name", message: misnamed });
  if (!isAtLeast(own, role))
    problems.push({ pointer: "#/role", message: `A token cannot have more rights than the person who creates it, whose role is ${own}.` });
  if (environment === "tests" && !isAtLeast(role, "Editor")) {
    problems.push({ pointer: "#/role", message: "A token for tests needs the Editor role or higher: tests author definitions." });
  }
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    problems.push({ pointer: "#/days", message: `A token lasts 1 to ${MAX_DAYS} days.` });
  }
  return problems;
}

/** Whether a role sees and revokes the tokens of others. */
export const seesAll = (role: Role): boolean => isAtLeast(role, "Admin");

/** The common part of every entry about a token. */
export const tokenEntry = (projectId: string, actor: AuditEntry["actor"], name: string) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "token",
  subjectKey: name,
});

/** The difference that a new token makes. Never the token itself. */
export const tokenDifference = (made: { hint: string; role: Role; environment: TokenEnvironment | null; expiresAt: string }) => {
  const { hint, role, environment, expiresAt } = made;
  return microdiff({}, { token: hint, role, ...(environment !== null && { environment }), expiresAt });
};

/** No vowels, so that no code is a word, and no letters that look alike. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/**
 * The code of a request for a token, shown by the program that asks and by the page that approves: equal codes are the same request.
 * `hash`: the token's SHA-256 in hex. Such as "BCDF-GHJK".
 */
export function pairingCode(hash: string): string {
  const letters = Array.from({ length: LENGTH }, (_, at) => LETTERS[Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16) % LETTERS.length]);
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}
