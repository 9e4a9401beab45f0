import type { EnvironmentKind } from "../kernel/environment.ts";
import { onOneLine } from "../kernel/texts.ts";
import { plural } from "../kernel/thousands.ts";
import type { NoticeDetails, NoticeKind } from "./kinds.ts";

/** A notice as mails and channels show it. */
export interface ShownNotice {
  kind: NoticeKind;
  environment: EnvironmentKind;
  endpointId: string | null;
  /** Whether the problem is over. */
  isOver: boolean;
  details: NoticeDetails;
}

interface Words {
  /** The heading for one notice, and the words after the number of several. */
  one: string;
  many: string;
  /** The line that says that the problem is over. */
  over: string;
  remedy: string;
}

const ATTEMPTS = "The dashboard shows each attempt with its response. After five days without a success the endpoint is switched off.";

const WORDS: Record<NoticeKind, Words> = {
  EndpointFailingHour: {
    one: "A webhook endpoint has failed for an hour",
    many: "webhook endpoints have failed for an hour",
    over: "It no longer fails.",
    remedy: ATTEMPTS,
  },
  EndpointFailingDay: {
    one: "A webhook endpoint has failed for a day",
    many: "webhook endpoints have failed for a day",
    over: "It no longer fails.",
    remedy: ATTEMPTS,
  },
  EndpointSwitchedOff: {
    one: "A webhook endpoint was switched off",
    many: "webhook endpoints were switched off",
    over: "It is no longer off.",
    remedy: "Its deliveries are held for 30 days. Fix the receiver, then switch the endpoint on: held deliveries are sent, oldest first.",
  },
  Quarantined: {
    one: "Events are in quarantine",
    many: "notices of events in quarantine",
    over: "The quarantine is empty.",
    remedy: "They were accepted and could not be processed. They do not delay other events. See the error, try them, and retry them.",
  },
  ChannelSwitchedOff: {
    one: "A notification channel was switched off",
    many: "notification channels were switched off",
    over: "It is no longer off.",
    remedy: "It receives no notifications. Fix the receiver, send a test, then switch the channel on.",
  },
  ChangeRequested: {
    one: "A change to Live waits for approval",
    many: "changes to Live wait for approval",
    over: "It was decided.",
    remedy: "Live stays as it is until a person other than the author approves.",
  },
  ChangeDecided: {
    one: "A change request was decided",
    many: "decisions on change requests",
    over: "It was decided.",
    remedy: "The request shows who decided, and why.",
  },
  ChangeMadeAlone: {
    one: "Live was changed without an approval",
    many: "changes to Live without an approval",
    over: "It was applied.",
    remedy:
      "An Owner went ahead alone. The request shows the reason and the difference; a definition's history can restore the version before.",
  },
  Alert: {
    one: "An alert",
    many: "alerts",
    over: "The figure is within its bound again or too small to judge, or the alert was changed or switched off.",
    remedy: "Another message follows when the figure of an alert is within its bound again, or too small to judge.",
  },
};

/** "Over: …" and the kind's words, with the number of several. A problem and its end count once. */
export function headingOf(notices: readonly ShownNotice[]): string {
  const [first] = notices;
  if (first === undefined) return "";
  const prefix = notices.every(({ isOver }) => isOver) ? "Over: " : "";
  const count = new Set(notices.map(problemKey)).size;
  if (notices.some(({ kind }) => kind !== first.kind)) return `${prefix}${plural(count, "notification")}`;
  if (first.kind === "Alert" && count === 1) return `${prefix}Alert: ${onOneLine(first.details.name ?? "")}`;
  const { one, many } = WORDS[first.kind];
  return `${prefix}${count === 1 || first.kind === "Quarantined" ? one : `${count} ${many}`}`;
}

/** What a notice of a problem and that of its end have in common. */
const problemKey = ({ kind, environment, endpointId, details: { name, since, request } }: ShownNotice): string =>
  JSON.stringify([kind, environment, endpointId, name, since, request?.id]);

/** What to do about the problems whose end is not among the notices. */
export function remediesOf(notices: readonly ShownNotice[]): string[] {
  const over = new Set(notices.filter(({ isOver }) => isOver).map(problemKey));
  const open = notices.filter((notice) => !over.has(problemKey(notice)));
  return [...new Set(open.map(({ kind }) => WORDS[kind].remedy))];
}

/** The text of a notice, in one or two lines. */
export function linesOf({ kind, environment, isOver, details }: ShownNotice): string[] {
  const { url = "", name = "", since, reason, count = 0, request } = details;
  if (request !== undefined) return requestLines(kind, request, reason);
  const where = environment === "live" ? "Live" : "Sandbox";
  const when = `${since.slice(0, 16).replace("T", " ")} UTC`;
  const subject = kind === "ChannelSwitchedOff" ? onOneLine(name) : `${where}: ${onOneLine(kind === "Alert" ? name : url)}`;
  if (isOver) return [kind === "Quarantined" ? where : subject, `${WORDS[kind].over} It began at ${when}.`];
  if (kind === "Quarantined") return [`${where}: ${plural(count, "event")} since ${when}`];
  return [subject, reason === undefined ? `Every attempt has failed since ${when}.` : onOneLine(reason)];
}

function requestLines(kind: NoticeKind, { title, by, outcome }: NonNullable<NoticeDetails["request"]>, reason?: string): string[] {
  const said = reason === undefined ? "" : ` ${onOneLine(reason)}`;
  if (kind === "ChangeRequested") return [onOneLine(title), `Requested by ${onOneLine(by)}.${said}`];
  if (kind === "ChangeDecided") return [onOneLine(title), `It ${onOneLine(outcome ?? "was decided")}.${said}`];
  return [onOneLine(title), `By ${onOneLine(by)}.${said}`];
}

/** The page of a notice's subject, below that of the project. */
export function pathOf({
  kind,
  environment,
  endpointId,
  details,
}: Pick<ShownNotice, "kind" | "environment" | "endpointId"> & { details?: Pick<NoticeDetails, "request"> }): string {
  if (details?.request !== undefined) return `/${environment}/requests/${details.request.id}`;
  if (kind === "ChannelSwitchedOff") return "/settings/channels";
  if (kind === "Alert") return `/${environment}/alerts`;
  return `/${environment}/developers/${endpointId === null ? "quarantine" : `webhooks/${endpointId}`}`;
}
