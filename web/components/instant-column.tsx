import type { Column } from "./table.tsx";
import { Instant } from "./time.tsx";

interface Look {
  className?: string;
  onClock?: boolean;
  isQuiet?: boolean;
  /** Shown when the instant is unknown. */
  none?: string;
}

/** A table column with an instant. */
export const instantColumn = <Row,>(
  header: string,
  instantOf: (row: Row) => string | null,
  { className, onClock, isQuiet, none = "–" }: Look = {},
): Column<Row> => ({
  id: header,
  header,
  className,
  cell(row) {
    const value = instantOf(row);
    if (value === null) return <span className="text-quiet">{none}</span>;
    const instant = <Instant value={value} onClock={onClock} />;
    return isQuiet ? <span className="relative text-quiet">{instant}</span> : instant;
  },
});
