import { environmentPage } from "#web/client/server.tsx";
import { SettingsPage } from "#web/settings/settings-page.tsx";

export const metadata = { title: "Settings" };

export default environmentPage(
  (orpc, input) => [
    orpc.projectSettings.read.queryOptions({ input: { project: input.project } }),
    orpc.definitions.settings.queryOptions({ input }),
    orpc.definitions.catalogue.queryOptions({ input }),
  ],
  SettingsPage,
);
