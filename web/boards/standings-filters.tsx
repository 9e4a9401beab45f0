import { ChevronLeft, ChevronRight } from "lucide-react";
import type { BoardPeriod } from "../client/service.tsx";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { Button, IconButton } from "../components/button.tsx";
import { Select } from "../components/lazy-controls.tsx";
import { SearchInput, TableToolbar } from "../components/table-toolbar.tsx";
import { ALL, type BoardView, groupOf, periodOption, type Seat } from "./board-view.ts";

interface Props {
  view: BoardView;
  /** The group in view. */
  seat: Seat | null;
  period: BoardPeriod;
  periods: readonly BoardPeriod[];
  tiers: readonly { key: string; name: string }[] | null;
  isTeams: boolean;
  onViewChange(change: Partial<BoardView>): void;
  onOlder: (() => void) | null;
  onNewer: (() => void) | null;
}

/** Filters by period and player, in a league also by group. */
export function StandingsFilters({ view, seat, period, periods, tiers, isTeams, onViewChange, onOlder, onNewer }: Props) {
  const groups = seat === null ? 0 : (period.groups[seat.tier] ?? 0);
  const toGroup = (group: number) => seat !== null && onViewChange({ group: groupOf({ ...seat, group }) });
  return (
    <TableToolbar>
      <div className="w-full sm:w-56">
        <Select
          aria-label="Period"
          value={period.start}
          onValueChange={(start) => onViewChange({ period: start })}
          options={periods.map((one) => ({ value: one.start, label: periodOption(one) }))}
        />
      </div>
      {onOlder !== null && (
        <Button size="sm" onClick={onOlder}>
          Older periods
        </Button>
      )}
      {onNewer !== null && (
        <Button size="sm" onClick={onNewer}>
          Newer periods
        </Button>
      )}
      {tiers !== null && (
        <div className="w-full sm:w-44">
          <Select
            aria-label="Tier"
            value={seat === null ? ALL : String(seat.tier)}
            onValueChange={(tier) => onViewChange({ around: null, group: tier === ALL ? ALL : groupOf({ tier: Number(tier), group: 0 }) })}
            options={[{ value: ALL, label: "All tiers" }, ...tiers.map(({ name }, at) => ({ value: String(at), label: name })).reverse()]}
          />
        </div>
      )}
      {seat === null ? (
        <SearchInput
          value={view.around ?? ""}
          onValueChange={(text) => onViewChange({ around: text === "" ? null : text })}
          label={isTeams ? "Team or player ID" : "Player ID"}
        />
      ) : (
        <div role="group" aria-label="Group" className="flex items-center gap-1.5 text-[0.8125rem]">
          <IconButton
            size="sm"
            label="Previous group"
            icon={<ChevronLeft />}
            isBlocked={seat.group === 0}
            onClick={() => toGroup(seat.group - 1)}
          />
          <span className="tabular-nums">
            {groups === 0 ? "No groups yet" : `Group ${formatted(seat.group + 1)} of ${formatted(groups)}`}
          </span>
          <IconButton
            size="sm"
            label="Next group"
            icon={<ChevronRight />}
            isBlocked={seat.group + 1 >= groups}
            onClick={() => toGroup(seat.group + 1)}
          />
        </div>
      )}
    </TableToolbar>
  );
}
