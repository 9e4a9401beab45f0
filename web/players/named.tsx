import type { Kind } from "../../server/model/definitions/contract.ts";
import { DefinitionLink } from "../client/links.tsx";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { valueInWords } from "./values.ts";

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

const NUMERIC = /^-?\d/;

/** A catalog item with the value that a player gets, a JSON text: "2 × Free coffee", "Membership: gold", "Free refills" for true or 1. */
export function HandedItem({ of, value }: { of: string; value: string }) {
  const { timeZone } = useWhere();
  const item = <NamedDefinition kind="catalogItems" of={of} />;
  const words = valueInWords(value, timeZone);
  if (value === "true" || value === "1") return item;
  return (
    <>
      {NUMERIC.test(value) ? `${words} × ` : ""}
      {item}
      {NUMERIC.test(value) ? "" : `: ${words}`}
    </>
  );
}
