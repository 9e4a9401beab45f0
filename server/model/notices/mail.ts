import type { Mail } from "../identity/mails.ts";
import { onOneLine } from "../kernel/texts.ts";
import type { NoticeKind } from "./kinds.ts";
import { headingOf, linesOf, pathOf, remediesOf, type ShownNotice } from "./words.ts";

/** The content of a mail: the notices of one kind in one project. */
export interface Mailing {
  kind: NoticeKind;
  projectSlug: string;
  projectName: string;
  notices: Omit<ShownNotice, "kind">[];
}

/** The mail to one person. `baseUrl` has no trailing slash. */
export function noticeMail(to: string, { kind, projectSlug, projectName, notices }: Mailing, baseUrl: string): Mail {
  const withKind = notices.map((notice) => ({ ...notice, kind }));
  return {
    to,
    subject: `${onOneLine(projectName)}: ${headingOf(withKind)}`,
    text: [
      ...withKind.map((notice) => [...linesOf(notice), `${baseUrl}/dashboard/${projectSlug}${pathOf(notice)}`].join("\n")),
      ...remediesOf(withKind),
      `Choose which emails you get in your account:\n${baseUrl}/dashboard/account`,
    ].join("\n\n"),
  };
}
