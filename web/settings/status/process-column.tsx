import type { StatusOfInstallation } from "#server/insight/status/contract.dashboard.ts";

type Process = StatusOfInstallation["processes"][number];

/** The process of a row, in every table of processes. */
export const PROCESS_COLUMN = {
  id: "host",
  header: "Process",
  cell: ({ host, pid }: Process) => (
    <code className="font-mono text-xs">
      {host}:{pid}
    </code>
  ),
};
