import type { EnvironmentKind } from "../kernel/environment.ts";
import { writeJson } from "../kernel/json.ts";
import { plural } from "../kernel/thousands.ts";
import { formatInstant } from "../kernel/time.ts";
import type { NoticeKind } from "./kinds.ts";
import { headingOf, linesOf, pathOf, remediesOf, type ShownNotice } from "./words.ts";

export const CHANNEL_TYPES = ["Slack", "Signed"] as const;

/** `Slack`: an incoming webhook that takes `{ "text": … }`. `Signed`: a webhook by Standard Webhooks. */
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** Channels of a project. Each notice is written for every one that takes its kind. */
export const MAX_CHANNELS = 20;

/** Notices listed in a message; the others are counted. */
export const MAX_LISTED = 20;

/** The event of a signed webhook. */
export const NOTICES_EVENT = "notices";

export interface ChannelMessage {
  projectSlug: string;
  projectName: string;
  /** At most `MAX_LISTED` notices, oldest first. */
  notices: (ShownNotice & { id: string; createdAt: number })[];
  /** The number of all notices, listed or not. */
  count: number;
  /** Whether it was sent by the test button. */
  isTest?: boolean;
}

/** The JSON text of a message to a channel. `baseUrl` has no trailing slash. */
export const bodyOf = (type: ChannelType, message: ChannelMessage, baseUrl: string): string =>
  writeJson(type === "Slack" ? slackBody(message, baseUrl) : signedData(message, baseUrl));

/** The text of a test message. */
const TEST = "This is a test. Notifications of this project are posted here.";

function slackBody({ projectSlug, projectName, notices, count, isTest = false }: ChannelMessage, baseUrl: string): { text: string } {
  const linkOf = (notice: ShownNotice) => `<${baseUrl}/dashboard/${projectSlug}${pathOf(notice)}|Open>`;
  const blocks = notices.map((notice) => {
    const heading = notices.length === 1 ? [] : [`*${escaped(headingOf([notice]))}*`];
    return [...heading, ...linesOf(notice).map(escaped), linkOf(notice)].join("\n");
  });
  const more = count > notices.length ? [`And ${plural(count - notices.length, "more notification", "more notifications")}.`] : [];
  const heading = isTest ? TEST : headingOf(notices);
  return { text: [`*${escaped(`${projectName}: ${heading}`)}*`, ...blocks, ...more, ...remediesOf(notices)].join("\n\n") };
}

/** Escapes Slack's markup (https://api.slack.com/reference/surfaces/formatting#escaping): names cannot mention or link anything. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface SignedNotice {
  id: string;
  kind: NoticeKind;
  isOver: boolean;
  environment: EnvironmentKind;
  title: string;
  text: string;
  url: string;
  createdAtUtc: string;
}

function signedData({ projectSlug, notices, count, isTest = false }: ChannelMessage, baseUrl: string) {
  const signedNotices = notices.map((notice): SignedNotice => ({
    id: notice.id,
    kind: notice.kind,
    isOver: notice.isOver,
    environment: notice.environment,
    title: headingOf([notice]),
    text: linesOf(notice).join("\n"),
    url: `${baseUrl}/dashboard/${projectSlug}${pathOf(notice)}`,
    createdAtUtc: formatInstant(notice.createdAt),
  }));
  return { project: projectSlug, isTest, notices: signedNotices, more: count - signedNotices.length };
}

/** A channel whose every attempt has failed for this long, in this many attempts at least, is switched off. */
export const PATIENCE = { ms: 24 * 60 * 60_000, failures: 3 };
