import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { noticesDashboard } from "../../people/notices/contract.dashboard.ts";
import { chooseMails, readChoices } from "../../people/notices/service/choices.ts";
import { selectNotices } from "../../people/notices/store/notices.ts";

const dashboard = implement(noticesDashboard).$context<DashboardContext>().use(guard);

/** The number of recent notices shown. */
const SHOWN = 50;

export const noticesDashboardProcedures = {
  list: dashboard.list.handler(async ({ input: { isOpen }, context: { database, environment } }) => {
    const notices = await selectNotices(database.sql, environment.id, SHOWN);
    return {
      notices: notices
        .filter((notice) => notice.isOpen || !isOpen)
        .map(({ createdAt, details: { url = null, since, count = null }, ...notice }) => ({
          ...notice,
          createdAt: formatInstant(createdAt),
          ...{ url, since, count },
        })),
    };
  }),
  choices: dashboard.choices.handler(async ({ context: { database, person, mailer } }) => ({
    canMail: mailer !== undefined,
    projects: await readChoices(database, person.userId),
  })),
  choose: dashboard.choose.handler(({ input: { kind, isOn }, context: { database, environment, actor, person } }) =>
    chooseMails(database, environment, person.userId, kind, isOn, actor),
  ),
};
