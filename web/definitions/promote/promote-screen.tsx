"use client";

import { Download, GitCompareArrows } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { plural } from "#server/model/kernel/thousands.ts";
import { Button, LinkButton, SmallLink } from "../../components/button.tsx";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { Page } from "../../components/page.tsx";
import { Card, EmptyState, Notice } from "../../components/surface.tsx";
import { Tabs } from "../../components/panel-tabs.tsx";
import { DefinitionsImport } from "./import-card.tsx";
import { directionFrom } from "./names.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";
import { Loaded } from "../../components/problems.tsx";
import { ChangeChoice } from "./choice.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { fileHref, saveFrom } from "../../client/export-href.ts";

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
            content: isCompared ? <EnvironmentComparison chosenBefore={chosenBefore} /> : <FromSandbox />,
          },
          {
            value: "file",
            label: "Files",
            content: (
              <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_3fr]">
                <ExportCard />
                <DefinitionsImport />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** Live is the target of promotions; copying from it has to be requested. */
function FromSandbox() {
  const { project, href, canInBoth } = useWhere();
  return (
    <Card>
      <EmptyState
        icon={<GitCompareArrows />}
        title="Promote from Sandbox"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <LinkButton variant="primary" href={`/dashboard/${project}/sandbox/promote`}>
              Open in Sandbox
            </LinkButton>
            {canInBoth("Editor") && <LinkButton href={href("/promote?to=sandbox")}>Copy from Live to Sandbox…</LinkButton>}
          </div>
        }
      >
        You are in Live. In Sandbox you see how the two differ, and select what Live should get.
      </EmptyState>
    </Card>
  );
}

/** The selectable differences to the other environment. */
function EnvironmentComparison({ chosenBefore }: { chosenBefore: string | null }) {
  const { environment, canInBoth } = useWhere();
  const direction = directionFrom(environment);
  /** The counts of what was promoted since the page was opened. */
  const [done, setDone] = useState<readonly number[]>([]);
  // A selection and its review stay as they were read: the check says when they have changed, and the author refreshes them.
  const found = useRead(orpc.definitions.difference, {}, { refetchOnWindowFocus: false });
  return (
    <Loaded of={found} what="Differences" className="h-64">
      {({ divergences, areNeedsCut, same, versions }) => (
        <div className="flex flex-col gap-4">
          {done.length > 0 && <Promoted count={done.at(-1)!} />}
          {!canInBoth("Editor") && (
            <Notice tone="neutral" title="You can view, but not promote">
              Promoting needs the Editor role in both environments. Ask an Admin or Owner of the project.
            </Notice>
          )}
          {areNeedsCut && (
            <Notice tone="neutral" title="Not all dependencies are listed">
              These definitions reference each other very often. Everything your selection needs is promoted with it.
            </Notice>
          )}
          {divergences.length === 0 ? (
            <Card>
              <EmptyState icon={<GitCompareArrows />} title="Sandbox and Live are identical">
                What you create or change in {direction.from} is listed here until {direction.to} has it too.
              </EmptyState>
            </Card>
          ) : (
            <ChangeChoice
              key={done.length}
              divergences={divergences}
              same={same}
              versions={versions}
              chosenBefore={done.length === 0 ? chosenBefore : null}
              onDone={(count) => setDone([...done, count])}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Shown in the page: a toast would cover the next action. */
function Promoted({ count }: { count: number }) {
  const { project, environment } = useWhere();
  const { to, done } = directionFrom(environment);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.focus();
    notice.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  return (
    <Notice
      ref={notice}
      tabIndex={-1}
      role="status"
      tone="good"
      title={`${plural(count, "definition")} ${done} to ${to}`}
      action={<SmallLink href={`/dashboard/${project}/audit-log?environment=${otherOf(environment)}`}>Audit log</SmallLink>}
    />
  );
}

/** Exports the environment's definitions as one file, for a repository, a backup or another project. */
function ExportCard() {
  const { scope, environment } = useWhere();
  const [withImages, setWithImages] = useState(false);
  return (
    <Card
      title="Export"
      description={`All definitions of ${ENVIRONMENT_NAMES[environment]} as one JSON file: to review in git, to back up, or for another project.`}
    >
      <div className="flex flex-col items-start gap-4">
        <Checkbox
          checked={withImages}
          onCheckedChange={setWithImages}
          label="Include uploaded images"
          hint="Needed if you import into another project."
        />
        <Button icon={<Download />} onClick={() => void saveFrom(fileHref(scope, "definitions.json", { images: String(withImages) }))}>
          Download file
        </Button>
      </div>
    </Card>
  );
}
