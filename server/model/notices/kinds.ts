import { isAtLeast, type Role } from "../kernel/roles.ts";

/** What people are told of, each once for its cause. */
export const NOTICE_KINDS = ["EndpointFailingHour", "EndpointFailingDay", "EndpointSwitchedOff", "Quarantined"] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Whether a member who has chosen nothing is mailed. */
export const isMailedByDefault = (role: Role): boolean => isAtLeast(role, "Admin");

/** What a notice says, as it was then. Instants are RFC 3339, real time. */
export interface NoticeDetails {
  /** Of an endpoint. */
  url?: string;
  /** Since when it has failed, or the first fact has been in quarantine. */
  since: string;
  /** Of the service's own words, for an endpoint that it switched off. */
  reason?: string;
  /** Of facts that came into quarantine. */
  count?: number;
}
