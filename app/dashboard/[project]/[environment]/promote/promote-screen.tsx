"use client";

import { ENVIRONMENT_NAMES, otherOf } from "../../../../_components/environment-badge.tsx";
import { Page } from "../../../../_components/page.tsx";
import { Tabs } from "../../../../_components/tabs.tsx";
import { useWhere } from "../../../../_client/where.tsx";
import { Difference } from "./difference.tsx";
import { ExportCard } from "./export-card.tsx";
import { ImportCard } from "./import-card.tsx";

export function PromoteScreen() {
  const { environment } = useWhere();
  const [here, there] = [ENVIRONMENT_NAMES[environment], ENVIRONMENT_NAMES[otherOf(environment)]];
  return (
    <Page
      title="Promote"
      description={`Differences between ${here} and ${there}. Select changes to promote; nothing is written before you confirm.`}
    >
      <Tabs
        items={[
          { value: "difference", label: `${here} to ${there}`, content: <Difference /> },
          {
            value: "file",
            label: "Files",
            content: (
              <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_3fr]">
                <ExportCard />
                <ImportCard />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}
