import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../_client/server.tsx";
import { SettingsPage } from "../../../../_settings/settings-page.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Settings({ params }: { params: Promise<{ project: string; environment: string }> }) {
  const { project, environment } = await params;
  const input = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch
      find={(orpc) => [
        orpc.projectSettings.read.queryOptions({ input: { project } }),
        orpc.definitions.settings.queryOptions({ input }),
        orpc.definitions.catalogue.queryOptions({ input }),
        orpc.work.quarantined.queryOptions({ input }),
      ]}
    >
      <SettingsPage />
    </Prefetch>
  );
}
