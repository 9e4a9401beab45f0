import { createHash } from "node:crypto";
import { writeJson } from "../kernel/json.ts";
import { atOnce, type Steps } from "../kernel/steps.ts";
import { pickText } from "../kernel/texts.ts";
import { hasKey, type Kind, KINDS, type Shaped } from "./contract.ts";
import { inFile } from "./document.ts";
import { readFile } from "./file.ts";
import { nameOf, type Named, referencesIn, type UsedBy } from "./references.ts";
import { type Result, resultOf } from "./result.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** Everything an environment defines, with who names whom. */
export interface Overview {
  stored: StoredDefinitions;
  result: Result;
  byName: ReadonlyMap<string, Stored>;
  /** The definitions that name one, by its name. */
  usersOf: ReadonlyMap<string, readonly UsedBy[]>;
  /** What a definition names, by its name. */
  namedBy: ReadonlyMap<string, readonly UsedBy[]>;
}

const NO_FILE = atOnce(readFile({ version: 1 }));

export function* overviewOf(stored: StoredDefinitions): Steps<Overview> {
  const result = resultOf(NO_FILE, stored, false);
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

/** The name of a definition in a language; what has none is called by what it is known by. */
export const titleOf = (shaped: Shaped, language: string): string => ("name" in shaped ? pickText(shaped.name, language) : shaped.key);

/** The users of a definition, each once, as they are shown. */
export const usersShown = (overview: Overview, named: Named, language: string): (Named & { name: string })[] =>
  (overview.usersOf.get(nameOf(named)) ?? []).map(({ user: { kind, key } }) => {
    const shaped = storedAt(overview, kind, key)?.shaped;
    return { kind, key, name: shaped === undefined ? key : titleOf(shaped, language) };
  });

/** What a definition names, each once, as it is shown. */
export const namesShown = (overview: Overview, one: Named, language: string): (Named & { name: string })[] =>
  (overview.namedBy.get(nameOf(one)) ?? []).map(({ kind, key }) => {
    const shaped = storedAt(overview, kind, key)?.shaped;
    return { kind, key, name: shaped === undefined ? key : titleOf(shaped, language) };
  });

/** A definition as the file has it. What has no key of its own is there whether or not it is switched off. */
export const documentOfOne = ({ kind, shaped }: Stored): object => (hasKey(kind) ? shaped : inFile(kind, { ...shaped, active: true })[0]!);

/** Names what a definition says, by which a later writer knows that it is still what they read. */
export const revisionOf = (document: unknown, active = true): string =>
  createHash("sha256")
    .update(writeJson([document, active]))
    .digest("base64url")
    .slice(0, 22);

export const revisionOfOne = (stored: Stored): string => revisionOf(documentOfOne(stored), stored.shaped.active);
