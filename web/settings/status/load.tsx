import type { StatusOfInstallation } from "#server/insight/status/contract.dashboard.ts";
import { Badge, Card } from "../../components/surface.tsx";
import { DataTable } from "../../components/table.tsx";
import { SILENT_SECONDS } from "./alerts.ts";
import { PROCESS_COLUMN } from "./process-column.tsx";

type Process = StatusOfInstallation["processes"][number];

const POOLS = [
  { name: "requests", header: "API" },
  { name: "dashboard", header: "Dashboard" },
  { name: "facts", header: "Events" },
  { name: "deliveries", header: "Webhooks" },
];

/** A pool's connections in use, and its queue. */
function Pool({ pools, name }: { pools: Process["pools"]; name: string }) {
  const pool = pools.find((one) => one.name === name);
  if (pool === undefined) return "–";
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {pool.inUse} of {pool.size} {pool.waiting > 0 && <Badge tone="warn">{pool.waiting} waiting</Badge>}
    </span>
  );
}

/** Each process's connections by kind of work, and its errors. */
export function Load({ processes }: { processes: readonly Process[] }) {
  const rows = processes.filter(({ secondsSilent, errors }) => secondsSilent <= SILENT_SECONDS && errors !== null);
  if (rows.length === 0) return null;
  return (
    <Card
      title="Connections and errors"
      description="Connections to the database in use by kind of work, at the last sign of life. Errors are counted since the process started."
      padded={false}
    >
      <DataTable
        label="Connections and errors"
        columns={[
          PROCESS_COLUMN,
          ...POOLS.map(({ name, header }) => ({ id: name, header, cell: ({ pools }: Process) => <Pool pools={pools} name={name} /> })),
          { id: "serverErrors", header: "Answers 5xx", isNumeric: true, cell: ({ errors }) => errors?.serverErrors },
          { id: "failedAttempts", header: "Failed webhook attempts", isNumeric: true, cell: ({ errors }) => errors?.failedAttempts },
          { id: "quarantined", header: "Quarantined", isNumeric: true, cell: ({ errors }) => errors?.quarantined },
        ]}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}
