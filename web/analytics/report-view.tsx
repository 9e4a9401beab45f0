"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { queryOf, type Range, rangeOf, type ReportView } from "./view.ts";

interface Shown {
  view: ReportView;
  range: Range;
  /** On the environment's clock, in the project's zone. */
  today: string;
  show(changed: Partial<ReportView>): void;
}

const Context = createContext<Shown | null>(null);

/** A report's filter state; the address follows it, so that reports can be shared. */
export function ReportViewProvider({ initialView, today, children }: { initialView: ReportView; today: string; children: ReactNode }) {
  const [view, setView] = useState(initialView);
  const show = (changed: Partial<ReportView>) => {
    const next = { ...view, ...changed };
    setView(next);
    history.replaceState(null, "", location.pathname + queryOf(next));
  };
  return <Context.Provider value={{ view, range: rangeOf(view, today), today, show }}>{children}</Context.Provider>;
}

export function useReportView(): Shown {
  const shown = useContext(Context);
  if (shown === null) throw new Error("This stands in no report.");
  return shown;
}
