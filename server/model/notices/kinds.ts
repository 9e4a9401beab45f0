import { isAtLeast, type Role } from "../kernel/roles.ts";

/** The kinds of notices, each sent once per cause. */
export const NOTICE_KINDS = [
  "EndpointFailingHour",
  "EndpointFailingDay",
  "EndpointSwitchedOff",
  "Quarantined",
  "ChannelSwitchedOff",
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Whether members are mailed by default. */
export const isMailedByDefault = (role: Role): boolean => isAtLeast(role, "Admin");

/** The content of a notice at that time. Instants are RFC 3339, real time. */
export interface NoticeDetails {
  /** Of an endpoint. */
  url?: string;
  /** Of a channel. */
  name?: string;
  /** Since when the problem is there: the endpoint or channel has failed, or the first fact has been in quarantine. */
  since: string;
  /** Of the service's own words, for an endpoint or channel that it switched off. */
  reason?: string;
  /** Of facts that came into quarantine. */
  count?: number;
}
