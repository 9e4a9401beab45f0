import type { ErrorDescription } from "#server/model/kernel/errors.ts";
import { capitalised } from "../../components/words.ts";

export interface Area {
  /** The prefix of its codes. */
  area: string;
  title: string;
  codes: [code: string, description: ErrorDescription][];
}

/** The codes grouped by prefix, in list order. */
export function groupByArea(errors: Readonly<Record<string, ErrorDescription>>): Area[] {
  const areas = Object.groupBy(Object.entries(errors), ([code]) => code.split(".")[0] as string);
  return Object.entries(areas).map(([area, codes = []]) => ({ area, title: titleOf(area), codes }));
}

/** "points_adjustment" as "Points adjustment". */
const titleOf = (area: string): string => capitalised(area.replaceAll("_", " ").replace(/^auth$/, "authentication"));
