import { createHash } from "node:crypto";
import { writeJson } from "../kernel/json.ts";
import { atOnce, type Steps } from "../kernel/steps.ts";
import { pickText } from "../kernel/texts.ts";
import { hasKey, type Kind, KINDS, type Shaped } from "./contract.ts";
import { inFile } from "./document.ts";
import { readFile } from "./file.ts";
import { nameOf, type Named, referencesIn, type UsedBy } from "./references.ts";
import { type Result, importResult } from "./result.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** All definitions of an environment, with their references. */
export interface Overview {
  stored: StoredDefinitions;
  result: Result;
  byName: ReadonlyMap<string, Stored>;
  usersOf: ReadonlyMap<string, readonly UsedBy[]>;
  /** The references of a definition, by its name. */
  namedBy: ReadonlyMap<string, readonly UsedBy[]>;
}

const NO_FILE = atOnce(readFile({ version: 1 }));

export function* overviewOf(stored: StoredDefinitions): Steps<Overview> {
  const result = importResult(NO_FILE, stored, false);
  const references = yield* referencesIn(result);
  const all = KINDS.flatMap((kind): readonly Stored[] => stored.lists[kind]);
  return {
    stored,
    result,
    byName: new Map(all.map((one) => [nameOf({ kind: one.kind, key: one.shaped.key }), one])),
    usersOf: Map.groupBy(references, nameOf),
    namedBy: Map.groupBy(references, ({ user }) => nameOf(user)),
  };
}

export const storedAt = <K extends Kind>({ byName }: Overview, kind: K, key: string): Stored<K> | undefined =>
  byName.get(nameOf({ kind, key })) as Stored<K> | undefined;

/** The name of a definition in a language, or its key without one. */
export const titleOf = (shaped: Shaped, language: string): string => ("name" in shaped ? pickText(shaped.name, language) : shaped.key);

/** The users of a definition for display, without duplicates. */
export const usersShown = (overview: Overview, named: Named, language: string): (Named & { name: string })[] =>
  (overview.usersOf.get(nameOf(named)) ?? []).map(({ user: { kind, key } }) => {
    const shaped = storedAt(overview, kind, key)?.shaped;
    return { kind, key, name: shaped === undefined ? key : titleOf(shaped, language) };
  });

/** The references of a definition for display, without duplicates. */
export const namesShown = (overview: Overview, one: Named, language: string): (Named & { name: string })[] =>
  (overview.namedBy.get(nameOf(one)) ?? []).map(({ kind, key }) => {
    const shaped = storedAt(overview, kind, key)?.shaped;
    return { kind, key, name: shaped === undefined ? key : titleOf(shaped, language) };
  });

/** A definition in the form of the file. One without a key of its own is included even if it is switched off. */
export const documentOfOne = ({ kind, shaped }: Stored): object => (hasKey(kind) ? shaped : inFile(kind, { ...shaped, active: true })[0]!);

/** A fingerprint of a definition's content, by which a writer detects concurrent changes. */
export const revisionOf = (document: unknown, active = true): string =>
  createHash("sha256")
    .update(writeJson([document, active]))
    .digest("base64url")
    .slice(0, 22);

export const revisionOfOne = (stored: Stored): string => revisionOf(documentOfOne(stored), stored.shaped.active);
