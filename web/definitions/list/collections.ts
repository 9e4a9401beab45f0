import type { Kind } from "#server/model/definitions/contract.ts";

/** The collection kind that holds definitions of a kind, and its member list. */
export interface Collections {
  kind: "missionCollections" | "marketplaceCollections";
  member: "missions" | "items";
}

/** Null where no collection holds that kind. */
export function collectionsOf(kind: Kind): Collections | null {
  if (kind === "missions") return { kind: "missionCollections", member: "missions" };
  return kind === "marketplaceItems" ? { kind: "marketplaceCollections", member: "items" } : null;
}

/** A collection's document with members appended; existing ones keep their order. */
export function withMembers(document: Record<string, unknown>, member: Collections["member"], keys: readonly string[]) {
  const known = (document[member] as string[] | undefined) ?? [];
  const added = keys.filter((key) => !known.includes(key));
  return { document: { ...document, [member]: [...known, ...added] }, added: added.length };
}
