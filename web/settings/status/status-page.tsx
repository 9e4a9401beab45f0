"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { type Answers, orpc, type StatusOfEnvironment, useWhere } from "../../client/service.tsx";
import { SmallLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { alertsOf, environmentName, SILENT_SECONDS } from "./alerts.ts";
import { DatabaseCards, Load, Processes } from "./installation.tsx";
import { Figures } from "../../analytics/figures.tsx";
import { lengthInWords } from "../../components/relative.ts";
import { column, DataTable, numericColumn } from "../../components/table.tsx";

const REFRESH_MS = 10_000;

export function StatusPage() {
  const { project } = useWhere();
  const status = useQuery({
    ...orpc.status.read.queryOptions({ input: { project } }),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return (
    <Page title="Status" description="Updates every 10 seconds.">
      <Loaded of={status} what="The status" className="h-60">
        {({ environments, installation }) => <Shown environments={environments} installation={installation} />}
      </Loaded>
    </Page>
  );
}

function Shown({ environments, installation }: Pick<Answers["status"]["read"], "environments" | "installation">) {
  const alerts = alertsOf(environments, installation);
  return (
    <div className="flex flex-col gap-4">
      {alerts.map(({ tone, title, text, href }) => (
        <Notice key={title} tone={tone} title={title} action={href && <SmallLink href={href}>Quarantine</SmallLink>}>
          <Coded text={text} />
        </Notice>
      ))}
      {alerts.length === 0 && (
        <p className="flex items-center gap-2 text-quiet">
          <CircleCheck className="size-4 text-good" /> Everything is working, and no queue is behind.
        </p>
      )}
      <Tiles rows={environments} installation={installation} />
      <details>
        <summary className="cursor-pointer rounded text-[0.8125rem] font-medium text-quiet hover:text-ink">Details</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Work rows={environments} isWhole={installation !== null} />
          {installation !== null ? (
            <>
              <Processes {...installation} />
              <Load processes={installation.processes} />
              <DatabaseCards installation={installation} />
            </>
          ) : (
            <p className="text-quiet">Processes and the database are shown to Owners of the installation&rsquo;s first organization.</p>
          )}
        </div>
      </details>
    </div>
  );
}

/** Four figures that say whether the service keeps up; the tables below have the same by environment and process. */
function Tiles({ rows, installation }: Pick<Answers["status"]["read"], "installation"> & { rows: readonly StatusOfEnvironment[] }) {
  const format = (value: number) => (value >= MAX ? `${formatted(value)}+` : formatted(value));
  const tile = (label: string, value: number, note: string) => ({ label, figure: { value, before: 0 }, format, isStill: true, note });
  const sum = (of: (row: StatusOfEnvironment) => number) => rows.reduce((total, row) => total + of(row), 0);
  const oldest = (of: (row: StatusOfEnvironment) => number | null) => {
    const seconds = Math.max(0, ...rows.map((row) => of(row) ?? 0));
    return seconds < 60 ? "None for a minute or longer" : `The oldest for ${lengthInWords(seconds * 1000)}`;
  };
  const running = installation?.processes.filter(({ secondsSilent }) => secondsSilent <= SILENT_SECONDS).length ?? 0;
  return (
    <Figures
      items={[
        tile(
          "Events waiting",
          sum(({ facts }) => facts),
          oldest((row) => row.oldestFactSeconds),
        ),
        tile(
          "Deliveries due",
          sum(({ deliveries }) => deliveries),
          oldest((row) => row.oldestDeliverySeconds),
        ),
        tile(
          "In quarantine",
          sum(({ quarantined }) => quarantined),
          "Events that could not be applied",
        ),
        installation === null
          ? tile(
              "Periods to settle",
              sum(({ periods }) => periods),
              oldest((row) => row.oldestPeriodSeconds),
            )
          : tile("Processes running", running, `${installation.processes.length - running} silent`),
      ]}
    />
  );
}

/** Text with `npm run worker` in backticks. */
const Coded = ({ text }: { text: string }): ReactNode =>
  text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      <code key={part} className="font-mono text-xs">
        {part}
      </code>
    ) : (
      part
    ),
  );

/** The service counts no further than this. */
const MAX = 10_000;

function waiting(count: number, seconds: number | null): string {
  if (count === 0) return "–";
  const number = count >= MAX ? `${formatted(MAX)} or more` : formatted(count);
  return seconds === null || seconds < 60 ? number : `${number}, oldest ${lengthInWords(seconds * 1000)}`;
}

function keeps({ eventDays, isPurging }: StatusOfEnvironment): string {
  if (eventDays === null) return "Forever";
  return isPurging ? `${eventDays} days, deleting now` : `${eventDays} days`;
}

function Work({ rows, isWhole }: { rows: readonly StatusOfEnvironment[]; isWhole: boolean }) {
  return (
    <Card
      title="Waiting work"
      description={isWhole ? "Of all projects, the longest wait first; at most 100 environments." : "Of this project."}
      padded={false}
    >
      <DataTable<StatusOfEnvironment>
        label="Waiting work"
        columns={[
          column("Environment", (row) => environmentName(row)),
          numericColumn("Events", ({ facts, oldestFactSeconds }) => waiting(facts, oldestFactSeconds)),
          numericColumn("Quarantine", ({ quarantined }) => waiting(quarantined, null)),
          numericColumn("Deliveries due", ({ deliveries, oldestDeliverySeconds }) => waiting(deliveries, oldestDeliverySeconds)),
          numericColumn("Periods to settle", ({ periods, oldestPeriodSeconds }) => waiting(periods, oldestPeriodSeconds), "max-lg:hidden"),
          numericColumn("Scheduled changes due", ({ scheduledChanges }) => waiting(scheduledChanges, null), "max-xl:hidden"),
          numericColumn("Imports", ({ imports }) => waiting(imports, null), "max-lg:hidden"),
          column("Keeps events", (row) => keeps(row), "max-md:hidden"),
        ]}
        rows={rows}
        rowKey={({ project, environment }) => `${project}/${environment}`}
        href={({ project, environment, isOpen }) => (isOpen ? `/dashboard/${project}/${environment}` : null)}
      />
    </Card>
  );
}
