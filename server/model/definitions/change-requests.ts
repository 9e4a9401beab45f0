import microdiff from "microdiff";
import { entryIn } from "../audit-log/entry.ts";
import { MAX_TITLE_LENGTH } from "../contract/rpc.ts";
import type { Environment, Actor } from "../kernel/environment.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { pickText, type Text } from "../kernel/texts.ts";
import { isJsonObject } from "../kernel/values.ts";
import { SHOWN_NOUNS } from "../rules/nouns.ts";
import type { Way } from "./contract.ts";
import type { RequestItem } from "./request-items.ts";
import { SETTINGS } from "./stored.ts";

/** Open requests wait for an approval, Approved ones for their scheduled time. The others are closed. */
export type RequestState = "Open" | "Approved" | "Applied" | "Rejected" | "Withdrawn";

export type RequestAction =
  | "Requested"
  | "Edited"
  | "Commented"
  | "Approved"
  | "WentAlone"
  | "Rejected"
  | "Withdrawn"
  | "Failed"
  | "Applied";

/** Open and approved requests of an environment; the limit bounds the damage of a faulty script. */
export const MAX_OPEN_REQUESTS = 100;
/** Open and approved requests of one user, so that others can still make requests. */
export const MAX_OPEN_REQUESTS_OF_ONE = 30;
/** Closed requests that are kept; author and approver stay in the history of definitions and the audit log. */
export const MAX_CLOSED_REQUESTS = 500;
/** Bytes of a request's definitions, before and after. */
export const MAX_REQUEST_BYTES = 2 * 1024 * 1024;
export const MAX_REVISIONS = 100;
export const MAX_COMMENTS = 200;
/** The longest time ahead that a change may be scheduled. */
export const MAX_AHEAD_MS = 2 * 366 * 24 * 60 * 60_000;

/** Thrown once a change to Live has become a request. Live is unchanged; the same call's changes in the Sandbox are saved. */
export class ChangeRequested extends OperatorError {
  readonly requestId: string;
  /** The path of the request's page, below the service's address. */
  readonly path: string;

  constructor({ projectSlug, kind }: Pick<Environment, "projectSlug" | "kind">, requestId: string, isAlsoSaved = false) {
    super(
      `${isAlsoSaved ? "Saved in the Sandbox. " : ""}Changes to Live need an approval in this project, so this is now a change request.`,
    );
    this.name = "ChangeRequested";
    this.requestId = requestId;
    this.path = `/dashboard/${projectSlug}/${kind}/requests/${requestId}`;
  }
}

const VERBS: Partial<Record<Way, string>> = {
  promote: "Promote",
  import: "Import",
  restore: "Restore",
  start_over: "Start over",
  import_translations: "Translate",
  repair_language: "Repair a language code in",
};

/** The title of a request whose author gave none: "Change mission Coffee lover", "Promote 12 definitions". */
export function titleOfRequest(items: readonly RequestItem[], via: Way, language: string): string {
  const [first] = items;
  if (first === undefined) return "No changes";
  const own = VERBS[via];
  if (items.length > 1) return `${own ?? "Change"} ${items.length} definitions`;
  const verb = own ?? (first.before === null ? "Create" : first.after === null ? "Delete" : (switchOf(first) ?? "Change"));
  if (first.kind === SETTINGS.kind) return `${verb} the settings`;
  return `${verb} ${SHOWN_NOUNS[first.kind]} ${nameIn(first, language)}`.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

/** "Switch on" or "Switch off", if the item changes nothing else; otherwise null. */
function switchOf({ before, after }: RequestItem): string | null {
  if (before === null || after === null) return null;
  const members = Object.keys(after).filter((name) => JSON.stringify(memberOf(before, name)) !== JSON.stringify(memberOf(after, name)));
  if (members.length !== 1 || members[0] !== "active") return null;
  return memberOf(after, "active") === true ? "Switch on" : "Switch off";
}

const memberOf = (document: object, name: string): unknown => (document as Record<string, unknown>)[name];

/** The name of an item's definition in a language; its key without one. */
export function nameIn({ key, before, after }: Pick<RequestItem, "key" | "before" | "after">, language: string): string {
  const name = memberOf(after ?? before ?? {}, "name");
  if (typeof name === "string") return name;
  return isJsonObject(name) && isJsonObject(name["texts"]) ? pickText(name as unknown as Text, language) : key;
}

/** The audit log's names of the request's events; comments are not logged there. */
const AUDIT_ACTIONS: Record<Exclude<RequestAction, "Commented">, string> = {
  Requested: "request",
  Edited: "edit_request",
  Approved: "approve",
  WentAlone: "apply_alone",
  Rejected: "reject",
  Withdrawn: "withdraw",
  Failed: "request_failed",
  Applied: "apply",
};

/** The audit entry of a request's event; its subject is the title. */
export const requestEntry = (
  environment: Pick<Environment, "id" | "projectId">,
  actor: Actor,
  action: keyof typeof AUDIT_ACTIONS,
  { id: requestId, title }: { id: string; title: string },
  text: string | null,
) =>
  entryIn(environment, actor, {
    action: AUDIT_ACTIONS[action],
    subjectKind: "change_request",
    subjectKey: title,
    difference: microdiff({}, { request: requestId, ...(text !== null && { reason: text }) }),
  });
