import { pageOf } from "#server/model/kernel/page.ts";
import type { Database } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { differencesIn, type Difference } from "#server/model/definitions/difference.ts";
import { storedAt } from "#server/model/definitions/overview.ts";
import type { Named } from "#server/model/definitions/references.ts";
import { loadVersion, loadVersions, type VersionRow } from "../store/versions.ts";
import { changedMembers, documentOfVersion } from "#server/model/definitions/versions.ts";
import { overviewIn } from "./overviews.ts";
import { saveDefinition, type Saved } from "./saving.ts";

/** A version in a definition's history. `at` is real time. */
export interface VersionShown extends Pick<VersionRow, "version" | "token" | "via" | "requestId" | "approver"> {
  at: string;
  /** Null if unknown. */
  by: string | null;
  isDeleted: boolean;
  /** The definition did not exist before it. */
  isFirst: boolean;
  isOn: boolean;
  /** The members that differ from the previous version. */
  members: string[];
}

/** Above all version numbers. */
const ABOVE_ALL = 2 ** 31 - 1;

/** A definition's versions, the newest first; it may be deleted since. `next` continues with older ones. */
export async function readHistory(
  { sql }: Database,
  { id }: Environment,
  { kind, key, before, limit }: Named & { before: number | null; limit: number },
): Promise<{ versions: VersionShown[]; next: number | null }> {
  const rows = await loadVersions(sql, { environmentId: id, kind, key }, before ?? ABOVE_ALL, limit + 1);
  const { page, next } = pageOf(rows, limit);
  return { versions: page.map((row, index) => versionShown({ kind, key }, row, rows[index + 1] ?? null)), next: next && next.version };
}

function versionShown(which: Named, row: VersionRow, earlier: VersionRow | null): VersionShown {
  const [before, after] = [documentIn(which, earlier), documentIn(which, row)];
  const { version, at, actor: by, token, via, requestId, approver } = row;
  const members = before === null || after === null ? [] : changedMembers(before, after);
  const origin = { by, token, via, requestId, approver };
  return {
    version,
    at: formatInstant(at),
    ...origin,
    isDeleted: after === null,
    isFirst: before === null,
    isOn: row.active === true,
    members,
  };
}

const documentIn = (which: Named, row: VersionRow | null): object | null => (row === null ? null : documentOfVersion(which, row));

/** Two versions of a definition as JSON text, null where it did not exist, and their differences. */
export interface Comparison {
  from: string | null;
  to: string | null;
  differences: Difference[];
}

/** Compares two versions; 0 is before the first. Null for an unknown version. */
export async function compareVersions(
  { sql }: Database,
  { id }: Environment,
  { kind, key, from, to }: Named & { from: number; to: number },
): Promise<Comparison | null> {
  const load = (version: number) => (version === 0 ? null : loadVersion(sql, { environmentId: id, kind, key }, version));
  const first = await load(from);
  const second = await load(to);
  if ((first === null && from !== 0) || (second === null && to !== 0)) return null;
  const [before, after] = [documentIn({ kind, key }, first) ?? {}, documentIn({ kind, key }, second) ?? {}];
  return { from: textOf(before), to: textOf(after), differences: differencesIn(changedMembers(before, after), before, after) };
}

const textOf = (document: object): string | null => (Object.keys(document).length === 0 ? null : writeJson(document));

/**
 * Restores a version of a definition: saves that document with all checks, so it is refused if a reference is gone or a fixed field would
 * change. Null if there is nothing to restore.
 */
export async function restoreVersion(
  database: Database,
  environment: Environment,
  { kind, key, version, revision, dryRun }: Named & { version: number; revision: string | null; dryRun: boolean },
  actor: Actor,
): Promise<Saved | null> {
  const document = documentIn({ kind, key }, await loadVersion(database.sql, { environmentId: environment.id, kind, key }, version));
  if (document === null) return null;
  const isNew = storedAt(await overviewIn(database, environment), kind, key) === undefined;
  const save = { kind, document: writeJson(document), isNew, revision, dryRun, via: "restore" } as const;
  return saveDefinition(database, environment, save, actor);
}
