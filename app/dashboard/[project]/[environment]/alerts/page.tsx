import { AlertsPage } from "#web/alerts/alerts-page.tsx";
import { environmentPage } from "#web/client/server.tsx";

export const metadata = { title: "Alerts and budgets" };

export default environmentPage(
  (orpc, input) => [orpc.alerts.list.queryOptions({ input }), orpc.budgets.list.queryOptions({ input })],
  AlertsPage,
);
