import { AUTHORING_EXAMPLES } from "#server/model/rules/authoring-examples.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { environmentPage } from "#web/client/server.tsx";
import { KIND_SCREENS } from "#web/definitions/kinds/index.ts";
import { Home } from "#web/home/home.tsx";
import { recentInput } from "#web/settings/audit-log/filter.ts";

/** The examples offered in a new environment. They are picked on the server, so that the page does not load all examples. */
const STARTERS = ["first_order", "daily_visit", "weekly_league"].map((key) => {
  const { kind, title, goodFor } = AUTHORING_EXAMPLES.find((example) => example.key === key)!;
  const { one, path } = KIND_SCREENS[kind];
  return { title, noun: capitalised(one), goodFor, path: `/${path}/new?example=${key}` };
});

export default environmentPage(
  (orpc, scope) => [
    orpc.definitions.catalogue.queryOptions({ input: scope }),
    orpc.analytics.overview.queryOptions({ input: scope }),
    orpc.definitions.scheduled.queryOptions({ input: scope }),
    orpc.events.reception.queryOptions({ input: scope }),
    orpc.notices.list.queryOptions({ input: scope }),
    orpc.auditLog.list.queryOptions({ input: recentInput(scope) }),
  ],
  () => <Home starters={STARTERS} />,
);
