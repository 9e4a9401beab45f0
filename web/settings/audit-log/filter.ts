import type { DashboardClient } from "#server/api/dashboard.ts";
import { instantOf } from "../../client/parameters.ts";

export type Entry = Awaited<ReturnType<DashboardClient["auditLog"]["list"]>>["entries"][number];

/** Filter state; null is no filter. */
export interface Filter {
  actor: string | null;
  action: string | null;
  subjectKind: string | null;
  subjectKey: string | null;
  environment: "sandbox" | "live" | "project" | null;
  /** RFC 3339. */
  from: string | null;
  until: string | null;
}

const NAMES = ["actor", "action", "subjectKind", "subjectKey", "environment", "from", "until"] as const;

/** Filter state from the URL, so that filters can be shared. */
export function filterFrom(parameters: Record<string, string | string[] | undefined>): Filter {
  const filter = Object.fromEntries(
    NAMES.map((name) => {
      const value = parameters[name];
      return [name, typeof value === "string" && value !== "" ? value.slice(0, 300) : null];
    }),
  ) as unknown as Filter;
  const isKnown = filter.environment === "sandbox" || filter.environment === "live" || filter.environment === "project";
  return {
    ...filter,
    environment: isKnown ? filter.environment : null,
    from: instantOf(filter.from ?? undefined),
    until: instantOf(filter.until ?? undefined),
  };
}

export function queryOf(filter: Filter): string {
  const query = new URLSearchParams(NAMES.flatMap((name) => (filter[name] === null ? [] : [[name, filter[name]]])));
  return query.size === 0 ? "" : `?${query}`;
}

export const isFiltered = (filter: Filter): boolean => NAMES.some((name) => filter[name] !== null);

export const PAGE_SIZE = 50;

/** The input of the page query; the server prefetches the first page with the same. */
export const listInput = (project: string, filter: Filter, cursor: string | null) => ({ project, ...filter, cursor, take: PAGE_SIZE });

/** The same for the parts of one entry. */
export const partsInput = (project: string, partOf: string, cursor: string | null) => ({ project, partOf, cursor, take: PAGE_SIZE });

/** The filter for an export, where "environment" means the page's own. */
export const exportFilters = ({ environment, ...filter }: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...filter, of: environment }).filter((entry): entry is [string, string] => entry[1] !== null));
