import { ORPCError } from "@orpc/client";

/** The path of the change request that a call became, because changes of Live need an approval; null for any other error. */
export function requestMadeBy(error: unknown): string | null {
  if (!(error instanceof ORPCError) || error.code !== "REQUESTED") return null;
  const { path } = (error.data ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : null;
}
