import type { StatusOfEnvironment } from "#server/insight/status/contract.dashboard.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { lengthInWords } from "../../components/relative.ts";
import { Card } from "../../components/surface.tsx";
import { DataTable } from "../../components/table.tsx";
import { nameOf } from "./alerts.ts";

/** Counts stop at this number. */
const MAX = 10_000;

function waiting(count: number, seconds: number | null): string {
  if (count === 0) return "–";
  const number = count >= MAX ? `${formatted(MAX)} or more` : formatted(count);
  return seconds === null || seconds < 60 ? number : `${number}, oldest ${lengthInWords(seconds * 1000)}`;
}

function keeps({ eventDays, isPurging }: StatusOfEnvironment): string {
  if (eventDays === null) return "For ever";
  return isPurging ? `${eventDays} days, deleting now` : `${eventDays} days`;
}

/** Pending work by environment. */
export function Work({ rows, isWhole }: { rows: readonly StatusOfEnvironment[]; isWhole: boolean }) {
  return (
    <Card title="Waiting work" description={isWhole ? "Of all projects, the longest wait first." : "Of this project."} padded={false}>
      <DataTable
        label="Waiting work"
        columns={[
          { id: "name", header: "Environment", cell: (row) => nameOf(row) },
          { id: "facts", header: "Events", isNumeric: true, cell: ({ facts, oldestFactSeconds }) => waiting(facts, oldestFactSeconds) },
          { id: "quarantined", header: "Quarantine", isNumeric: true, cell: ({ quarantined }) => waiting(quarantined, null) },
          {
            id: "deliveries",
            header: "Deliveries due",
            isNumeric: true,
            cell: ({ deliveries, oldestDeliverySeconds }) => waiting(deliveries, oldestDeliverySeconds),
          },
          {
            id: "periods",
            header: "Periods to settle",
            isNumeric: true,
            className: "max-lg:hidden",
            cell: ({ periods, oldestPeriodSeconds }) => waiting(periods, oldestPeriodSeconds),
          },
          {
            id: "changes",
            header: "Scheduled changes due",
            isNumeric: true,
            className: "max-xl:hidden",
            cell: ({ scheduledChanges }) => waiting(scheduledChanges, null),
          },
          { id: "imports", header: "Imports", isNumeric: true, className: "max-lg:hidden", cell: ({ imports }) => waiting(imports, null) },
          { id: "kept", header: "Keeps events", className: "max-md:hidden", cell: (row) => keeps(row) },
        ]}
        rows={rows}
        rowKey={({ project, environment }) => `${project}/${environment}`}
        href={({ project, environment }) => `/dashboard/${project}/${environment}`}
      />
    </Card>
  );
}
