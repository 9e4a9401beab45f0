import { type Mail, onOneLine } from "../identity/mails.ts";
import type { EnvironmentKind } from "../kernel/environment.ts";
import type { NoticeDetails, NoticeKind } from "./kinds.ts";

/** The content of a mail: the notices of one kind in one project. */
export interface Mailing {
  kind: NoticeKind;
  projectSlug: string;
  projectName: string;
  notices: { environment: EnvironmentKind; endpointId: string | null; details: NoticeDetails }[];
}

const SUBJECTS: Record<NoticeKind, { one: string; many: string }> = {
  EndpointFailingHour: { one: "A webhook endpoint has failed for an hour", many: "webhook endpoints have failed for an hour" },
  EndpointFailingDay: { one: "A webhook endpoint has failed for a day", many: "webhook endpoints have failed for a day" },
  EndpointSwitchedOff: { one: "A webhook endpoint was switched off", many: "webhook endpoints were switched off" },
  Quarantined: { one: "Events are in quarantine", many: "" },
};

const REMEDIES: Record<NoticeKind, string> = {
  EndpointFailingHour:
    "The dashboard shows each attempt with its response. After five days without a success the endpoint is switched off.",
  EndpointFailingDay: "The dashboard shows each attempt with its response. After five days without a success the endpoint is switched off.",
  EndpointSwitchedOff:
    "Its deliveries are held for 30 days. Fix the receiver, then switch the endpoint on: held deliveries are sent, oldest first.",
  Quarantined: "They were accepted and could not be processed. They do not delay other events. See the error, try them, and retry them.",
};

/** The mail to one person. `baseUrl` is without a slash at its end. */
export function noticeMail(to: string, { kind, projectSlug, projectName, notices }: Mailing, baseUrl: string): Mail {
  const { one, many } = SUBJECTS[kind];
  const at = ({ environment, endpointId }: Mailing["notices"][number]) =>
    `${baseUrl}/dashboard/${projectSlug}/${environment}/developers/${kind === "Quarantined" ? "quarantine" : `webhooks/${endpointId}`}`;
  return {
    to,
    subject: `${onOneLine(projectName)}: ${notices.length === 1 || kind === "Quarantined" ? one : `${notices.length} ${many}`}`,
    text: [
      ...notices.map((notice) => `${lineOf(kind, notice)}\n${at(notice)}`),
      REMEDIES[kind],
      `Choose which emails you get in your account:\n${baseUrl}/dashboard/account`,
    ].join("\n\n"),
  };
}

function lineOf(kind: NoticeKind, { environment, details: { url = "", since, reason, count = 0 } }: Mailing["notices"][number]): string {
  const where = environment === "live" ? "Live" : "Sandbox";
  const when = `${since.slice(0, 16).replace("T", " ")} UTC`;
  if (kind === "Quarantined") return `${where}: ${count === 1 ? "1 event" : `${count} events`} since ${when}`;
  return `${where}: ${onOneLine(url)}\n${reason === undefined ? `Every attempt has failed since ${when}.` : onOneLine(reason)}`;
}
