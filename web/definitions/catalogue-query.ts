import { useMemo } from "react";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { useAlong, withAlong } from "./along.tsx";
import { type Catalogue, EMPTY_CATALOGUE } from "./catalogue.ts";

/** The catalogue of this environment, with the form's companions. Pages prefetch it, so it is there on the first render. */
export function useCatalogue(): Catalogue {
  const { timeZone, defaultLanguage, now } = useWhere();
  const { data } = useRead(orpc.definitions.catalogue);
  const along = useAlong();
  return useMemo(() => {
    const own = { language: defaultLanguage, languages: data?.languages ?? [defaultLanguage], timeZone, now };
    // The wire types these as string; the values are always of these unions.
    return withAlong<Catalogue>({ ...EMPTY_CATALOGUE, ...(data as unknown as Partial<Catalogue> | undefined), ...own }, along);
  }, [data, along, timeZone, defaultLanguage, now]);
}

/** The base currency; null until one is chosen. */
export const useBaseCurrency = (): string | null => useRead(orpc.definitions.catalogue).data?.baseCurrency ?? null;
