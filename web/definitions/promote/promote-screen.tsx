"use client";

import { useWhere } from "../../client/where.tsx";
import { Page } from "../../components/page.tsx";
import { Notice } from "../../components/surface.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Comparison } from "./comparison.tsx";
import { directionFrom } from "./direction.ts";
import { ExportCard } from "./export-card.tsx";
import { FromSandbox } from "./from-sandbox.tsx";
import { ImportCard } from "./import-card.tsx";

interface ScreenProps {
  /** Whether the differences are shown; Live shows them on request only. */
  isCompared: boolean;
  /** Preselected by the address. */
  chosenBefore: string | null;
}

export function PromoteScreen({ isCompared, chosenBefore }: ScreenProps) {
  const { environment } = useWhere();
  const { from, to, verb } = directionFrom(environment);
  const isReverse = isCompared && environment === "live";
  return (
    <Page
      title={isCompared ? `${verb} to ${to}` : "Promote"}
      description={
        isCompared
          ? `How ${from} differs from ${to}. Select what ${to} should get, review it, then confirm.`
          : "Definitions are promoted from Sandbox to Live."
      }
    >
      {isReverse && (
        <Notice tone="sandbox" className="mb-4" title="This is the reverse direction: it changes Sandbox">
          Definitions of Live are copied back to Sandbox. Live does not change.
        </Notice>
      )}
      <Tabs
        items={[
          {
            value: "difference",
            label: isCompared ? `${from} to ${to}` : "Sandbox to Live",
            content: isCompared ? <Comparison chosenBefore={chosenBefore} /> : <FromSandbox />,
          },
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
