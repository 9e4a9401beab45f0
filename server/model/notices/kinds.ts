import { isAtLeast, type Role } from "../kernel/environment.ts";

/** The kinds of notices, each sent once per cause. */
export const NOTICE_KINDS = [
  "EndpointFailingHour",
  "EndpointFailingDay",
  "EndpointSwitchedOff",
  "Quarantined",
  "ChannelSwitchedOff",
  "ChangeRequested",
  "ChangeDecided",
  "ChangeMadeAlone",
  "Alert",
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Kinds whose notices name their recipients: the approvers of a change request, or its authors. */
export const isPersonal = (kind: NoticeKind): boolean =>
  kind === "ChangeRequested" || kind === "ChangeDecided" || kind === "ChangeMadeAlone";

/** Whether members are mailed by default: Owners and Admins about the project, and recipients about their notices. */
export const isMailedByDefault = (role: Role, kind: NoticeKind): boolean => isPersonal(kind) || isAtLeast(role, "Admin");

/** The content of a notice, as of its creation. Instants are RFC 3339, real time. */
export interface NoticeDetails {
  /** The URL of the endpoint. */
  url?: string;
  /** The name of the channel, the alert or the budget. */
  name?: string;
  /** The beginning of the problem: of the failures of an endpoint or channel, or the first quarantined fact. */
  since: string;
  /** The service's own words: why it switched an endpoint or channel off, or the finding of an alert or a budget. */
  reason?: string;
  /** The number of facts moved to the quarantine. */
  count?: number;
  /** The change request; `outcome` in words, such as "was rejected by ann@example.com". */
  request?: { id: string; title: string; by: string; outcome?: string };
}
