import { randomUUID } from "node:crypto";

/** W3C Trace Context; a later version may append more after the flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The caller's span; null if invalid or absent. */
export const knownParent = (traceparent: string | undefined): string | null =>
  traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : null;

/** The caller's trace id, or else a new one: 32 hex digits. */
export const traceIdOf = (traceparent: string | undefined): string =>
  TRACEPARENT.exec(traceparent ?? "")?.[1] ?? randomUUID().replaceAll("-", "");
