import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { ConfirmButton } from "./overlay.tsx";
import { Loaded } from "./problems.tsx";
import { Card } from "./surface.tsx";
import { actionColumn, type Column, column, DataTable } from "./table.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";

interface RevocableListProps<Row> {
  label: string;
  /** "key" */
  noun: string;
  /** The word for inactive ones: "revoked". */
  ended: string;
  of: { data: readonly Row[] | undefined; error: unknown; refetch(): unknown };
  isInForce(row: Row): boolean;
  /** Beside the name of an inactive one. */
  badge(row: Row): ReactNode;
  /** Besides its name and its hint. */
  columns: readonly Column<Row>[];
  /** Null without permission. */
  onRevoke: ((row: Row) => Promise<unknown>) | null;
  /** The effect of revoking it. */
  warning(row: Row): ReactNode;
  empty: ReactNode;
}

/** Keys or tokens: active ones, the others on request. Revoking needs confirmation. */
export function RevocableList<Row extends { id: string; name: string; hint: string }>({
  label,
  noun,
  ended,
  of,
  isInForce,
  badge,
  columns,
  onRevoke,
  warning,
  empty,
}: RevocableListProps<Row>) {
  const [showsEnded, setShowsEnded] = useState(false);
  const inForce = of.data?.filter(isInForce) ?? [];
  const others = (of.data?.length ?? 0) - inForce.length;
  return (
    <Card padded={false}>
      <Loaded of={of} what={label} isInset className="h-24">
        {(rows) => (
          <DataTable<Row>
            label={label}
            columns={[
              column("Name", (row) => (
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium">{row.name}</span>
                  {!isInForce(row) && badge(row)}
                </span>
              )),
              column(capitalised(noun), ({ hint }) => <code className="font-mono text-xs whitespace-nowrap">{hint}</code>),
              ...columns,
              actionColumn(
                "Revoke",
                (row) =>
                  onRevoke !== null &&
                  isInForce(row) && (
                    <ConfirmButton
                      trigger={
                        <Button size="sm" aria-label={`Revoke ${row.name}`}>
                          Revoke
                        </Button>
                      }
                      title={`Revoke ${row.name}?`}
                      confirmLabel={`Revoke ${noun}`}
                      isDanger
                      onConfirm={() => onRevoke(row)}
                    >
                      {warning(row)}
                    </ConfirmButton>
                  ),
              ),
            ]}
            rows={showsEnded ? rows : inForce}
            rowKey={({ id }) => id}
            empty={empty}
          />
        )}
      </Loaded>
      {others > 0 && (
        <div className="border-t border-line px-2.5 py-1.5">
          <Button variant="ghost" size="sm" onClick={() => setShowsEnded(!showsEnded)}>
            {showsEnded ? `Hide ${ended} ${noun}s` : `Show ${others} ${ended}`}
          </Button>
        </div>
      )}
    </Card>
  );
}
