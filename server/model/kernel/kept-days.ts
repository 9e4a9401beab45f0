/** The choices of how long an environment keeps its events, in days since they were received; null is for ever. */
export const EVENT_DAYS = [30, 90, 180, 395, 760] as const;

/** The choices of how long it keeps requests to the API, in days. */
export const REQUEST_DAYS = [1, 7, 30] as const;

/** The default for requests (model/request-log/kept.ts). */
export const DEFAULT_REQUEST_DAYS = 7;
