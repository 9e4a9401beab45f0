"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { Address } from "./address.ts";

/** The state in the address, and its change. Only the query changes, without a request for the page. */
export function useAddress<State>({ from, queryOf }: Pick<Address<State>, "from" | "queryOf">): [State, (change: Partial<State>) => void] {
  const query = useSearchParams().toString();
  const state = useMemo(() => from(Object.fromEntries(new URLSearchParams(query))), [from, query]);
  const change = (changed: Partial<State>) => {
    const present = from(Object.fromEntries(new URLSearchParams(location.search)));
    history.replaceState(null, "", `${location.pathname}${queryOf({ ...present, ...changed })}`);
  };
  return [state, change];
}
