import type { Answers } from "../../client/service.tsx";
import { Instant } from "../../components/time.tsx";
import { fieldName } from "../document/labels.ts";
import { inOneLine } from "../form/fixed.ts";

export type Version = Answers["definitions"]["history"]["versions"][number];

const VIA_WORDS: Partial<Record<Version["via"], string>> = {
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
export function changedWords({
  isDeleted,
  isFirst,
  isOn,
  via,
  members,
}: Pick<Version, "isDeleted" | "isFirst" | "isOn" | "via" | "members">): string {
  if (isDeleted) return "deleted it";
  if (via === "earlier") return "changed it before versions were kept";
  if (via === "switch" && members.length === 1) return `switched it ${isOn ? "on" : "off"}`;
  const shown = members.slice(0, MAX_MEMBERS).map(fieldName);
  const rest = members.length - shown.length;
  const changed = rest > 0 ? [...shown, `${rest} more`] : shown;
  const words = isFirst ? "created it" : changed.length === 0 ? "changed nothing" : `changed ${inOneLine(changed)}`;
  const way = VIA_WORDS[via];
  return way === undefined ? words : `${words} (${way})`;
}

/** A version as a sentence: who, what, when. */
export function VersionLine({ version }: { version: Version }) {
  const { by, token, at, approver } = version;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span className="wrap-anywhere">
        <span className="font-medium">{by ?? "Another user"}</span>
        {token !== null && <span className="text-quiet"> by the token {token}</span>}{" "}
        <span className="text-quiet">{changedWords(version)}</span>
        {approver !== null && (
          <span className="text-quiet">{approver === by ? ", without a second person" : `, approved by ${approver}`}</span>
        )}
      </span>
      <span className="text-xs text-quiet">
        Version {version.version} · <Instant value={at} />
      </span>
    </div>
  );
}
