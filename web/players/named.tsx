import type { Kind } from "../../server/model/definitions/contract.ts";
import { DefinitionLink } from "../client/links.tsx";
import { orpc, useRead } from "../client/service.tsx";

export type NamedKind = Extract<
  Kind,
  "events" | "metrics" | "attributes" | "segments" | "missions" | "streaks" | "leaderboards" | "catalogItems"
>;

/** The current names of definitions by key; a deleted one has its key as its name. */
export function useNames(kind: NamedKind): (key: string) => string {
  const { data } = useRead(orpc.definitions.catalogue);
  const all: readonly { key: string; name: string }[] = data?.[kind] ?? [];
  return (of) => all.find(({ key }) => key === of)?.name ?? of;
}

/** A definition's current name, linked. */
export function NamedDefinition({ kind, of }: { kind: NamedKind; of: string }) {
  const nameOf = useNames(kind);
  return <DefinitionLink kind={kind} of={of} name={nameOf(of)} />;
}
