import type { StatusOfInstallation } from "#server/insight/status/contract.dashboard.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { lengthInWords } from "../../components/relative.ts";
import { Card, Definition } from "../../components/surface.tsx";
import { DataTable } from "../../components/table.tsx";
import { inBytes } from "./bytes.ts";

/** The installation's database: its size, largest tables, and slowest statements. */
export function DatabaseCards({ installation: { database, tables, older, statements } }: { installation: StatusOfInstallation }) {
  const { version, bytes, connections, activeConnections, mostConnections, longestTransactionSeconds } = database;
  return (
    <>
      <Card title="Database" description="Rows are PostgreSQL's estimates.">
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Definition term="Size">{inBytes(bytes)}</Definition>
          <Definition term="Connections">
            {connections} of {mostConnections}, {activeConnections} busy
          </Definition>
          <Definition term="Longest transaction">
            {longestTransactionSeconds === null || longestTransactionSeconds < 60
              ? "Under a minute"
              : lengthInWords(longestTransactionSeconds * 1000)}
          </Definition>
          <Definition term="PostgreSQL">{version}</Definition>
        </dl>
        <div className="mt-4 overflow-hidden rounded-lg border border-line">
          <DataTable
            label="Tables"
            columns={[
              { id: "name", header: "Table", cell: ({ name }) => <code className="font-mono text-xs">{name}</code> },
              { id: "bytes", header: "Size", isNumeric: true, cell: (row) => inBytes(row.bytes) },
              { id: "index", header: "Indexes", isNumeric: true, cell: ({ indexBytes }) => inBytes(indexBytes) },
              { id: "rows", header: "Rows", isNumeric: true, cell: ({ rows }) => formatted(Math.round(rows)) },
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
          <DataTable
            label="What retention would free"
            columns={[
              { id: "days", header: "Keep events for", cell: ({ days }) => `${days} days` },
              { id: "rows", header: "Older events", isNumeric: true, cell: ({ rows }) => formatted(Math.round(rows)) },
              { id: "bytes", header: "Size", isNumeric: true, cell: (row) => inBytes(row.bytes) },
            ]}
            rows={older}
            rowKey={({ days }) => String(days)}
          />
        )}
      </Card>
      <Card
        title="Slowest statements"
        description="By the time they took in all, since PostgreSQL began to count. Values are not kept."
        padded={statements === null}
      >
        {statements === null ? (
          <p className="text-quiet">
            Not available. Load <code className="font-mono text-xs">pg_stat_statements</code> in PostgreSQL and create the extension.
          </p>
        ) : (
          <DataTable
            label="Slowest statements"
            columns={[
              {
                id: "query",
                header: "Statement",
                cell: ({ query }) => <code className="line-clamp-2 font-mono text-xs wrap-anywhere">{query}</code>,
              },
              { id: "total", header: "Total", isNumeric: true, cell: ({ totalMs }) => `${formatted(Math.round(totalMs / 1000))} s` },
              { id: "mean", header: "Mean", isNumeric: true, cell: ({ meanMs }) => `${meanMs.toFixed(2)} ms` },
              { id: "calls", header: "Calls", isNumeric: true, className: "max-md:hidden", cell: ({ calls }) => formatted(calls) },
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
