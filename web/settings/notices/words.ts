import type { Answers } from "../../client/service.tsx";

export type Notice = Answers["notices"]["list"]["notices"][number];

/** Notification kinds, in the order of the account page. */
export const NOTICE_KINDS: { kind: Notice["kind"]; label: string }[] = [
  { kind: "EndpointFailingHour", label: "A webhook endpoint has failed for an hour" },
  { kind: "EndpointFailingDay", label: "A webhook endpoint has failed for a day" },
  { kind: "EndpointSwitchedOff", label: "A webhook endpoint was switched off after failing for five days" },
  { kind: "Quarantined", label: "Events are in quarantine" },
  { kind: "ChannelSwitchedOff", label: "A notification channel was switched off after failing for a day" },
  { kind: "ChangeRequested", label: "A change to Live waits for approval" },
  { kind: "ChangeDecided", label: "A change request was decided" },
  { kind: "ChangeMadeAlone", label: "An Owner changed Live without an approval" },
  { kind: "Alert", label: "An alert on a figure, or a budget" },
];
