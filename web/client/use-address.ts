import { useSearchParams } from "next/navigation";
import { useEffect, useMemo } from "react";
import type { Address } from "./address.ts";

/**
 * The newest address, until the router has adopted it. Meanwhile the router may overwrite the browser's address with an earlier one; a
 * change based on that would lose the choices made since.
 */
let written: { path: string; query: string } | null = null;

/** A page is being opened: what was written for this one may never be shown, and would come back by the next change. */
export const forgetWritten = (): void => void (written = null);

/** The state in the address, and its setter. Setting changes only the query, without requesting the page. */
export function useAddress<State>({ from, queryOf }: Pick<Address<State>, "from" | "queryOf">): [State, (change: Partial<State>) => void] {
  const query = useSearchParams().toString();
  const state = useMemo(() => from(Object.fromEntries(new URLSearchParams(query))), [from, query]);
  useEffect(() => {
    if (written !== null && new URLSearchParams(written.query).toString() === query) written = null;
  }, [query]);
  const change = (changed: Partial<State>) => {
    const path = location.pathname;
    const present = from(Object.fromEntries(new URLSearchParams(written?.path === path ? written.query : location.search)));
    written = { path, query: queryOf({ ...present, ...changed }) };
    history.replaceState(null, "", `${path}${written.query}`);
  };
  return [state, change];
}
