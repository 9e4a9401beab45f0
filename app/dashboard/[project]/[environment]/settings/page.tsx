import type { Metadata } from "next";
import { environmentPage } from "../../../../_client/server.tsx";
import { SettingsPage } from "../../../../_settings/settings-page.tsx";

export const metadata: Metadata = { title: "Settings" };

export default environmentPage(
  (orpc, input) => [
    orpc.projectSettings.read.queryOptions({ input: { project: input.project } }),
    orpc.definitions.settings.queryOptions({ input }),
    orpc.definitions.catalogue.queryOptions({ input }),
  ],
  SettingsPage,
);
