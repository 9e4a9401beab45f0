import { rpc } from "./service.tsx";
import type { Scope } from "./address.ts";

export type ExportFormat = "csv" | "jsonl";

/** The URL of a list's export; the browser saves the stream. */
export const exportHref = (
  { project, environment }: Scope,
  list: string,
  format: ExportFormat,
  filters: Record<string, string> = {},
): string => `/rpc/exports/${list}.${format}?${new URLSearchParams({ project, environment, ...filters })}`;

/** An environment's definitions as a file. */
export const fileHref = (
  { project, environment }: Scope,
  file: "definitions.json" | "translations.csv",
  query: Record<string, string>,
): string => `/rpc/exports/${file}?${new URLSearchParams({ project, environment, ...query })}`;

/**
 * Makes the browser save a file. A link with `download` never leaves the page, for any response. The call before it asks for a sign-in
 * where needed.
 */
export async function saveFrom(href: string): Promise<void> {
  await rpc.tokens.current().catch(() => {});
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}

/** Makes the browser save a file that was made here. */
export function saveBlob(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
