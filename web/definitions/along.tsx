"use client";

import { createContext, type ReactNode, useContext } from "react";
import { parseJson } from "../../server/model/kernel/json.ts";
import type { Catalogue, CatalogueEntry } from "./catalogue.ts";

/** A definition that is created together with the one in the form, as JSON text. */
export interface AlongDocument {
  kind: "events" | "metrics" | "attributes";
  document: string;
}

const NONE: readonly AlongDocument[] = [];
const Context = createContext<readonly AlongDocument[]>(NONE);

/** Definitions that are saved and tried together with the one in the form. */
export const AlongProvider = ({ value, children }: { value: readonly AlongDocument[]; children: ReactNode }) => (
  <Context.Provider value={value}>{children}</Context.Provider>
);

export const useAlong = (): readonly AlongDocument[] => useContext(Context);

/** Its entry in the catalogue once saved. */
export const namedAlong = ({ document }: AlongDocument): CatalogueEntry => ({ ...(parseJson(document) as CatalogueEntry), active: true });

/** The catalogue including definitions from the form's companions; already saved ones are listed once. */
export const withAlong = <Known extends Pick<Catalogue, AlongDocument["kind"]>>(catalogue: Known, along: readonly AlongDocument[]): Known =>
  along.reduce((known, one) => {
    const added = namedAlong(one);
    const list: readonly CatalogueEntry[] = known[one.kind];
    return list.some(({ key }) => key === added.key) ? known : { ...known, [one.kind]: [...list, added] };
  }, catalogue);
