"use client";

import { createContext, type ReactNode, useContext } from "react";
import { parseJson } from "../../server/model/kernel/json.ts";
import type { Catalogue, Named } from "./catalogue.ts";

/** A new definition that is made together with the one in the form, as JSON text. */
export interface AlongDocument {
  kind: "events" | "metrics" | "attributes";
  document: string;
}

const NONE: readonly AlongDocument[] = [];
const Context = createContext<readonly AlongDocument[]>(NONE);

/** What is saved and tried together with the definition in the form. */
export const AlongProvider = ({ value, children }: { value: readonly AlongDocument[]; children: ReactNode }) => (
  <Context.Provider value={value}>{children}</Context.Provider>
);

export const useAlong = (): readonly AlongDocument[] => useContext(Context);

/** As the catalogue lists it once it is there. */
export const namedAlong = ({ document }: AlongDocument): Named => ({ ...(parseJson(document) as Named), active: true });

/** A catalogue with what comes along. What is there by now, because it was saved, is listed once. */
export function withAlong<Known extends Pick<Catalogue, AlongDocument["kind"]>>(catalogue: Known, along: readonly AlongDocument[]): Known {
  return along.reduce((known, one) => {
    const added = namedAlong(one);
    const list: readonly Named[] = known[one.kind];
    return list.some(({ key }) => key === added.key) ? known : { ...known, [one.kind]: [...list, added] };
  }, catalogue);
}
