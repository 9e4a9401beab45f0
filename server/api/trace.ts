import { randomUUID } from "node:crypto";

/** W3C Trace Context; a later version may have more behind the flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;
const NOTHING = /^0+$/;

/** The trace id that a caller sent along, else a new one: 32 hex digits. */
export function traceIdOf(traceparent: string | undefined): string {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  const [, traceId = "", parentId = ""] = match ?? [];
  return match && !NOTHING.test(traceId) && !NOTHING.test(parentId) ? traceId : randomUUID().replaceAll("-", "");
}
