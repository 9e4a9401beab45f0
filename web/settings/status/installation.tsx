import { formatted, plural } from "#server/model/kernel/thousands.ts";
import type { StatusOfInstallation } from "../../client/service.tsx";
import { Badge, Card, DefinitionItem } from "../../components/surface.tsx";
import { column, DataTable, instantColumn, numericColumn } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { SILENT_SECONDS } from "./alerts.ts";
import { lengthInWords } from "../../components/relative.ts";

type Process = StatusOfInstallation["processes"][number];

function roleOf({ isServing, isWorking }: Process): string {
  if (isServing && isWorking) return "Web and worker";
  return isServing ? "Web" : "Worker";
}

/** The processes of the last day, with their heartbeats. */
export const Processes = ({ processes, lanes }: Pick<StatusOfInstallation, "processes" | "lanes">) => (
  <Card
    title="Processes"
    description={`Each sends a heartbeat every 10 seconds. A stopped process leaves the list; a crashed one leaves it a day later. Serverless functions are not listed. Workers share waiting events in ${plural(lanes, "lane")}.`}
    padded={false}
  >
    <DataTable<Process>
      label="Processes"
      columns={[
        PROCESS_COLUMN,
        column("State", ({ secondsSilent, beatAt }) =>
          secondsSilent <= SILENT_SECONDS ? (
            <Badge tone="good">Running</Badge>
          ) : (
            <span className="inline-flex items-center gap-2">
              <Badge tone="bad">Silent</Badge> <Instant value={beatAt} />
            </span>
          ),
        ),
        column("Role", roleOf),
        column("Version", ({ version }) => version, "max-md:hidden"),
        column("Node.js", ({ node }) => node, "max-lg:hidden"),
        instantColumn("Started", ({ startedAt }) => startedAt, { className: "max-md:hidden" }),
        numericColumn("Memory", ({ memoryBytes }) => inBytes(memoryBytes)),
      ]}
      rows={processes}
      rowKey={({ id }) => id}
      empty={<p className="px-4 py-3 text-quiet">No process has been seen: the service runs serverless.</p>}
    />
  </Card>
);

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
      description="Connections to the database in use by kind of work, at the last heartbeat. Errors are counted since the process started."
      padded={false}
    >
      <DataTable<Process>
        label="Connections and errors"
        columns={[
          PROCESS_COLUMN,
          ...POOLS.map(({ name, header }) => ({ id: name, header, cell: ({ pools }: Process) => <Pool pools={pools} name={name} /> })),
          numericColumn("5xx responses", ({ errors }) => errors?.serverErrors),
          numericColumn("Failed webhook attempts", ({ errors }) => errors?.failedAttempts),
          numericColumn("Quarantined", ({ errors }) => errors?.quarantined),
        ]}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}

/** The process of a row, in every table of processes. */
const PROCESS_COLUMN = column("Process", ({ host, pid }: Process) => (
  <code className="font-mono text-xs">
    {host}:{pid}
  </code>
));

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** "3.1 GB", without a line break; decimal units, as disks are sold. */
function inBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)}\u00a0${UNITS[step]}`;
}

type Of<List extends "tables" | "older" | "statements"> = NonNullable<StatusOfInstallation[List]>[number];

/** The installation's database: its size, largest tables, and slowest statements. */
export function DatabaseCards({ installation: { database, tables, older, statements } }: { installation: StatusOfInstallation }) {
  const { version, bytes, connections, activeConnections, mostConnections, longestTransactionSeconds } = database;
  return (
    <>
      <Card title="Database" description="Rows are PostgreSQL's estimates.">
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <DefinitionItem term="Size">{inBytes(bytes)}</DefinitionItem>
          <DefinitionItem term="Connections">
            {connections} of {mostConnections}, {activeConnections} busy
          </DefinitionItem>
          <DefinitionItem term="Longest transaction">
            {longestTransactionSeconds === null || longestTransactionSeconds < 60
              ? "Under a minute"
              : lengthInWords(longestTransactionSeconds * 1000)}
          </DefinitionItem>
          <DefinitionItem term="PostgreSQL">{version}</DefinitionItem>
        </dl>
        <div className="mt-4 overflow-hidden rounded-lg border border-line">
          <DataTable<Of<"tables">>
            label="Tables"
            columns={[
              column("Table", ({ name }) => <code className="font-mono text-xs">{name}</code>),
              numericColumn("Size", (row) => inBytes(row.bytes)),
              numericColumn("Indexes", ({ indexBytes }) => inBytes(indexBytes)),
              numericColumn("Rows", ({ rows }) => formatted(Math.round(rows))),
            ]}
            rows={tables}
            rowKey={({ name }) => name}
          />
        </div>
      </Card>
      <Card
        title="What retention would free"
        description="If every environment kept events for that long. Each sets it under Settings."
        padded={older === null}
      >
        {older === null ? (
          <p className="text-quiet">Not known yet. PostgreSQL estimates it once there are some events.</p>
        ) : (
          <DataTable<Of<"older">>
            label="What retention would free"
            columns={[
              column("Keep events for", ({ days }) => `${days} days`),
              numericColumn("Older events", ({ rows }) => formatted(Math.round(rows))),
              numericColumn("Size", (row) => inBytes(row.bytes)),
            ]}
            rows={older}
            rowKey={({ days }) => String(days)}
          />
        )}
      </Card>
      <Card
        title="Slowest statements"
        description="By total time, since PostgreSQL's statistics were reset. Values are not stored."
        padded={statements === null}
      >
        {statements === null ? (
          <p className="text-quiet">
            Not available. Load <code className="font-mono text-xs">pg_stat_statements</code> in PostgreSQL and create the extension.
          </p>
        ) : (
          <DataTable<Of<"statements">>
            label="Slowest statements"
            columns={[
              column("Statement", ({ query }) => <code className="line-clamp-2 font-mono text-xs wrap-anywhere">{query}</code>),
              numericColumn("Total", ({ totalMs }) => `${formatted(Math.round(totalMs / 1000))} s`),
              numericColumn("Mean", ({ meanMs }) => `${meanMs.toFixed(2)} ms`),
              numericColumn("Calls", ({ calls }) => formatted(calls), "max-md:hidden"),
            ]}
            rows={statements}
            rowKey={({ query }) => query}
            empty={<p className="px-4 py-3 text-quiet">No statements yet.</p>}
          />
        )}
      </Card>
    </>
  );
}
