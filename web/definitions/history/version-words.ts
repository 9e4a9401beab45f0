import type { serverRpc } from "../../client/server.tsx";
import { pathWords } from "../document/value-lines.ts";

export type Version = Awaited<ReturnType<Awaited<ReturnType<typeof serverRpc>>["definitions"]["history"]>>["versions"][number];

const WAYS: Partial<Record<Version["via"], string>> = {
  import: "file import",
  import_translations: "imported translations",
  repair_language: "repaired a language code",
  promote: "promotion",
  scheduled: "scheduled",
  restore: "restored an earlier version",
  start_over: "started over",
  discovery: "discovery",
};

const MAX_MEMBERS = 3;

/** A version's changes in a few words: "changed Rewards and Description". */
export function changedWords({ isDeleted, isFirst, via, members }: Pick<Version, "isDeleted" | "isFirst" | "via" | "members">): string {
  if (isDeleted) return "deleted it";
  if (via === "earlier") return "changed it before versions were kept";
  if (via === "switch" && members.length === 1) return "switched it on or off";
  const shown = members.slice(0, MAX_MEMBERS).map((member) => pathWords([member]).toLowerCase());
  const rest = members.length - shown.length;
  const changed = rest > 0 ? [...shown, `${rest} more`] : shown;
  const words = isFirst ? "created it" : changed.length === 0 ? "changed nothing" : `changed ${inOneLine(changed)}`;
  const way = WAYS[via];
  return way === undefined ? words : `${words} (${way})`;
}

const inOneLine = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
