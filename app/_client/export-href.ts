import type { Scope } from "./scope.ts";

export type ExportFormat = "csv" | "jsonl";

/** The address of a list as a file; the browser saves what streams in. */
export const exportHref = (
  { project, environment }: Scope,
  list: string,
  format: ExportFormat,
  filters: Record<string, string> = {},
): string => `/rpc/exports/${list}.${format}?${new URLSearchParams({ project, environment, ...filters })}`;
