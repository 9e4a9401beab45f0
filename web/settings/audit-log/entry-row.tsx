"use client";

import { EnvironmentBadge } from "../../components/environment-badge.tsx";
import { Instant } from "../../components/time.tsx";
import { Done, EntryDetail, Fold } from "./entry-detail.tsx";
import { EntryParts } from "./entry-parts.tsx";
import type { Entry } from "./filter.ts";

interface Props {
  entry: Entry;
  /** Filters by this subject. */
  onSubject(kind: string, key: string): void;
}

/** Actions that group several changes. */
const WHOLES: Record<string, string> = { promote: "a promotion", import: "an import" };

/** An entry as a sentence; expands to its difference or its parts. */
export function EntryRow({ entry, onSubject }: Props) {
  const { at, actor, token, environment, partOf } = entry;
  const sentence = (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">{actor}</span>
        {token !== null && <span className="text-quiet"> by the token {token}</span>} <Done entry={entry} />
        {partOf !== null && <span className="text-quiet"> in {WHOLES[partOf.action] ?? "a larger change"}</span>}
      </span>
      <span className="flex items-center gap-3 max-sm:ml-6.5">
        {environment !== null && <EnvironmentBadge environment={environment} />}
        <span className="text-quiet sm:w-28 sm:text-right">
          <Instant value={at} />
        </span>
      </span>
    </>
  );
  return (
    <Fold className="border-b border-line last:border-b-0" sentence={sentence}>
      {entry.parts === null ? <EntryDetail entry={entry} onSubject={onSubject} /> : <EntryParts entry={entry} onSubject={onSubject} />}
    </Fold>
  );
}
