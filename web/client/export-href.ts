import { rpc } from "./rpc.ts";
import type { Scope } from "./scope.ts";

export type ExportFormat = "csv" | "jsonl";

/** The address of a list as a file; the browser saves what streams in. */
export const exportHref = (
  { project, environment }: Scope,
  list: string,
  format: ExportFormat,
  filters: Record<string, string> = {},
): string => `/rpc/exports/${list}.${format}?${new URLSearchParams({ project, environment, ...filters })}`;

/** What an environment defines as a file. */
export const fileHref = (
  { project, environment }: Scope,
  file: "definitions.json" | "translations.csv",
  query: Record<string, string>,
): string => `/rpc/exports/${file}?${new URLSearchParams({ project, environment, ...query })}`;

/**
 * Has the browser save a file. A link with `download` never leaves the page, whatever the answer is. The call before it has the person
 * sign in where they have to.
 */
export async function saveFrom(href: string): Promise<void> {
  await rpc.tokens.current().catch(() => {});
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
