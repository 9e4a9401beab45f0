export type EnvironmentKind = "sandbox" | "live";

/** Sandbox or Live of a project as every request and every slice of work sees it: read with the key or the lock, never kept. */
export interface Environment {
  id: number;
  kind: EnvironmentKind;
  organizationId: string;
  projectId: string;
  projectSlug: string;
  defaultLanguage: string;
  /** IANA zone of the project; a player's own zone takes precedence. */
  timeZone: string;
  /** Rises with every change of a definition; compiled definitions are kept by it. */
  definitionsVersion: number;
  /** How far the Sandbox clock is ahead of real time, in milliseconds; negative only while the demo is loaded. 0 in Live. */
  clockOffsetMs: number;
  /** How often players were deleted, by resets and erasures. Processes key their caches of players by it. */
  resets: number;
}

/**
 * What a process remembers of a key by an earlier request with it. A statement that writes for it confirms all of it first, so that a
 * request needs no query before.
 */
export interface RememberedKey {
  hash: Buffer;
  /** Whether the request log keeps bodies. */
  keepsBodies: boolean;
  /** Names all that is remembered: requests with the same name are confirmed together. */
  name: string;
  /** Called by the statement that has confirmed it, with the database's clock. */
  confirm(realNow: number, isUseDue: boolean): void;
}

/** The database does not confirm the remembered key, or the request needs a query for the key first. Nothing was written. */
export class Unconfirmed extends Error {}

/** The caller of a request: the environment of the key, and the current time on its clock. */
export interface Caller {
  environment: Environment;
  /** Epoch milliseconds on the environment's clock. */
  now: number;
}
