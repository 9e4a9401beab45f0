"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { useAlong, withAlong } from "./along.tsx";
import { type Catalogue, EMPTY_CATALOGUE } from "./catalogue.ts";

/** What the definitions of this environment can name, and what comes along with the one in the form. Pages read it ahead, so it is there from the first moment on. */
export function useCatalogue(): Catalogue {
  const { scope, timeZone, defaultLanguage, now } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const along = useAlong();
  return useMemo(() => {
    const own = { language: defaultLanguage, languages: data?.languages ?? [defaultLanguage], timeZone, now };
    // The types of properties and values are texts on the wire, and no others than these.
    return withAlong<Catalogue>({ ...EMPTY_CATALOGUE, ...(data as unknown as Partial<Catalogue> | undefined), ...own }, along);
  }, [data, along, timeZone, defaultLanguage, now]);
}

/** The currency in which amounts are added up; null until one is chosen. */
export function useBaseCurrency(): string | null {
  const { scope } = useWhere();
  return useQuery(orpc.definitions.catalogue.queryOptions({ input: scope })).data?.baseCurrency ?? null;
}
