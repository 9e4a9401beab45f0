import type { StatusOfInstallation } from "#server/insight/status/contract.dashboard.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { Badge, Card } from "../../components/surface.tsx";
import { DataTable } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { SILENT_SECONDS } from "./alerts.ts";
import { inBytes } from "./bytes.ts";
import { PROCESS_COLUMN } from "./process-column.tsx";

type Process = StatusOfInstallation["processes"][number];

function does({ isServing, isWorking }: Process): string {
  if (isServing && isWorking) return "Web and worker";
  return isServing ? "Web" : "Worker";
}

/** The processes of the last day, with their heartbeats. */
export function Processes({ processes, lanes, timeZone }: Pick<StatusOfInstallation, "processes" | "lanes"> & { timeZone: string }) {
  return (
    <Card
      title="Processes"
      description={`Each shows a sign of life every 10 seconds. One that was stopped leaves the list, one that crashed a day later. Serverless functions are not listed. Workers share the events that wait by ${plural(lanes, "lane")}.`}
      padded={false}
    >
      <DataTable
        label="Processes"
        columns={[
          PROCESS_COLUMN,
          {
            id: "state",
            header: "State",
            cell: ({ secondsSilent, beatAt }) =>
              secondsSilent <= SILENT_SECONDS ? (
                <Badge tone="good">Running</Badge>
              ) : (
                <span className="inline-flex items-center gap-2">
                  <Badge tone="bad">Silent</Badge> <Instant value={beatAt} timeZone={timeZone} />
                </span>
              ),
          },
          { id: "does", header: "Does", cell: does },
          { id: "version", header: "Version", className: "max-md:hidden", cell: ({ version }) => version },
          { id: "node", header: "Node.js", className: "max-lg:hidden", cell: ({ node }) => node },
          {
            id: "started",
            header: "Started",
            className: "max-md:hidden",
            cell: ({ startedAt }) => <Instant value={startedAt} timeZone={timeZone} />,
          },
          { id: "memory", header: "Memory", isNumeric: true, cell: ({ memoryBytes }) => inBytes(memoryBytes) },
        ]}
        rows={processes}
        rowKey={({ id }) => id}
        empty={<p className="px-4 py-3 text-quiet">No process has been seen: the service runs serverless.</p>}
      />
    </Card>
  );
}
