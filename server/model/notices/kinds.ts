import { isAtLeast, type Role } from "../kernel/roles.ts";

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

/** Kinds whose notices name the people that they are for: who may approve a change request, and who made it. */
export const isPersonal = (kind: NoticeKind): boolean =>
  kind === "ChangeRequested" || kind === "ChangeDecided" || kind === "ChangeMadeAlone";

/** Whether members are mailed by default: Owners and Admins about the project, and each person about what is for them. */
export const isMailedByDefault = (role: Role, kind: NoticeKind): boolean => isPersonal(kind) || isAtLeast(role, "Admin");

/** The content of a notice at that time. Instants are RFC 3339, real time. */
export interface NoticeDetails {
  /** Of an endpoint. */
  url?: string;
  /** Of a channel or an alert. */
  name?: string;
  /** Since when the problem is there: the endpoint or channel has failed, or the first fact has been in quarantine. */
  since: string;
  /** Of the service's own words: why it switched an endpoint or channel off, what an alert found. */
  reason?: string;
  /** Of facts that came into quarantine. */
  count?: number;
  /** Of a change request; the outcome in words, such as "was rejected by ann@example.com". */
  request?: { id: string; title: string; by: string; outcome?: string };
}
