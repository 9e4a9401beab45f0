import { Segmented } from "../../components/choice.tsx";
import { ClearFilters, FilterSelect } from "../../components/filters.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { type EventFilter, EVENTS } from "./filters.ts";

interface Props {
  filter: EventFilter;
  /** The stored events of a player are filtered by nothing else. */
  isOfPlayer: boolean;
  onFilterChange(change: Partial<EventFilter>): void;
  events: readonly { key: string; name: string }[];
  keys: readonly { id: string; name: string; hint: string }[];
}

const ALL = "All";
const OUTCOMES = [ALL, "Accepted", "Refused", "Quarantined"].map((value) => ({ value, label: value }));

export const EventFilters = ({ filter, isOfPlayer, onFilterChange, events, keys }: Props) => (
  <TableToolbar>
    <SearchInput
      value={filter.player ?? ""}
      onValueChange={(text) => onFilterChange({ player: text === "" ? null : text })}
      label="Player ID"
    />
    {!isOfPlayer && (
      <>
        <FilterSelect
          label="Event"
          all="All events"
          className="w-full sm:w-48"
          value={filter.event}
          onValueChange={(event) => onFilterChange({ event })}
          options={events.map(({ key, name }) => ({ value: key, label: name }))}
        />
        <FilterSelect
          label="API key"
          all="All keys"
          className="w-full sm:w-44"
          value={filter.keyId}
          onValueChange={(keyId) => onFilterChange({ keyId })}
          options={keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
        />
        <Segmented
          label="Outcome"
          value={filter.outcome ?? ALL}
          onValueChange={(value) => onFilterChange({ outcome: value === ALL ? null : (value as EventFilter["outcome"]) })}
          options={OUTCOMES}
        />
      </>
    )}
    <ClearFilters isFiltered={EVENTS.isFiltered(filter)} onClear={() => onFilterChange(EVENTS.none)} />
  </TableToolbar>
);
