import { formatInstant } from "../../model/kernel/time.ts";
import { chooseMails, readChoices } from "../../people/notices/notices.ts";
import { selectNotices } from "../../people/notices/store/notices.ts";
import { z } from "zod";
import { forEnvironment, forPerson, forProject, NOTHING } from "../access.ts";
import { inEnvironment, inProject } from "../../model/contract/rpc.ts";
import { NOTICE_KINDS } from "../../model/notices/kinds.ts";

const kind = z.enum(NOTICE_KINDS);

/** The number of recent notices shown. */
const SHOWN = 50;

/** Notices of problems, and their mails. */
export const noticesDashboardProcedures = {
  /** The latest notices of an environment, newest first; with `isOpen` only those that still need attention. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ isOpen: z.boolean().default(false) }),
    async ({ isOpen }, { database, environment }) => {
      const notices = await selectNotices(database.sql, environment.id, SHOWN);
      return {
        notices: notices
          .filter((notice) => notice.isOpen || !isOpen)
          .map(({ createdAt, details: { url = null, name = null, since, count = null, request = null }, ...notice }) => ({
            ...notice,
            createdAt: formatInstant(createdAt),
            url,
            name,
            since,
            count,
            request,
          })),
      };
    },
  ),
  /** The kinds of mail that the caller gets, by project. `canMail` is false if no mail server is configured. */
  choices: forPerson("cheap", { tokens: "none" })(NOTHING, async (_, { database, person, mailer }) => ({
    canMail: mailer !== undefined,
    projects: await readChoices(database, person.userId),
  })),
  choose: forProject("Viewer", "cheap", { tokens: "none" })(
    inProject.extend({ kind, isOn: z.boolean() }),
    ({ kind, isOn }, { database, environment, actor, person }) => chooseMails(database, environment, person.userId, kind, isOn, actor),
  ),
};
