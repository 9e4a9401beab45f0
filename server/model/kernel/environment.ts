export type EnvironmentKind = "sandbox" | "live";

/** Sandbox or Live of a project as every request and every slice of work sees it: read with the key or the lock, never kept. */
export interface Environment {
  id: number;
  kind: EnvironmentKind;
  organizationId: string;
  projectId: string;
  projectSlug: string;
  defaultLanguage: string;
  /** IANA zone of the project; a player's own zone goes before it. */
  timeZone: string;
  /** Rises with every change of a definition; compiled definitions are kept by it. */
  definitionsVersion: number;
  /** How far the Sandbox clock is ahead of real time, in milliseconds; negative only while the demo is loaded. 0 in Live. */
  clockOffsetMs: number;
  /** How often players were deleted, by resets and erasures. Processes key their caches of players by it. */
  resets: number;
}

/** The caller of a request: the environment of the key, and the current time on its clock. */
export interface Caller {
  environment: Environment;
  /** Epoch milliseconds on the environment's clock. */
  now: number;
}
