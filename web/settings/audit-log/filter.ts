import type { Answers } from "../../client/service.tsx";
import { addressOf, instant, oneOf, type Scope, type StateOf, textUpTo } from "../../client/address.ts";

export type AuditLogEntry = Answers["auditLog"]["list"]["entries"][number];

export const AUDIT_LOG = addressOf({
  actor: textUpTo(300),
  action: textUpTo(300),
  subjectKind: textUpTo(300),
  subjectKey: textUpTo(300),
  environment: oneOf(["sandbox", "live", "project"]),
  from: instant,
  until: instant,
});

export type Filter = StateOf<typeof AUDIT_LOG>;

const PAGE_SIZE = 50;

/** The input of the page query; the server prefetches the first page with the same. */
export const auditLogInput = (project: string, filter: Filter, cursor: string | null) => ({ project, ...filter, cursor, take: PAGE_SIZE });

const RECENT = 6;

/** The input of the query for an environment's recent changes. */
export const recentInput = (scope: Scope) => ({ ...scope, take: RECENT });

/** The same for the parts of one entry. */
export const partsInput = (project: string, partOf: string, cursor: string | null) => ({ project, partOf, cursor, take: PAGE_SIZE });

/** The filter for an export, where "environment" means the page's own. */
export const exportFilters = ({ environment, ...filter }: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...filter, of: environment }).filter((entry): entry is [string, string] => entry[1] !== null));
