"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { orpc } from "../../client/rpc.ts";
import { actionWords, subjectWords } from "../../client/subjects.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { Select } from "../../components/select.tsx";
import { Badge } from "../../components/surface.tsx";
import { capitalised } from "../../components/words.ts";
import { type Filter, isFiltered } from "./filter.ts";

/** Stands for no filter: for a select, "" means no selection. */
const ALL = "*";

const ENVIRONMENTS = [
  { value: ALL, label: "All environments" },
  { value: "sandbox", label: "Sandbox" },
  { value: "live", label: "Live" },
  { value: "project", label: "Project" },
];

const NOTHING: Filter = { actor: null, action: null, subjectKind: null, subjectKey: null, environment: null, from: null, until: null };

/** Filters by user, action and subject, environment, and time. */
export function Filters({ filter, onFilterChange }: { filter: Filter; onFilterChange(filter: Filter): void }) {
  const { project, timeZone } = useWhere();
  const { data: facets } = useQuery(orpc.auditLog.facets.queryOptions({ input: { project } }));
  const choices = (all: string, values: string[] = [], words: (value: string) => string = (value) => value) => [
    { value: ALL, label: all },
    ...values.map((value) => ({ value, label: capitalised(words(value)) })),
  ];
  const set = (name: keyof Filter) => (value: string | null) => onFilterChange({ ...filter, [name]: value === ALL ? null : value });
  return (
    <div className="grid grid-cols-2 gap-3 border-b border-line p-3 xl:grid-cols-[repeat(4,minmax(0,1fr))_13.5rem_13.5rem]">
      <Field label="Person">
        <Select
          value={filter.actor ?? ALL}
          onValueChange={set("actor")}
          options={[
            { value: ALL, label: "Everyone" },
            // A user named by the address who has changed nothing here still appears as the filter's value.
            ...[...new Set([...(facets?.actors ?? []), ...(filter.actor === null ? [] : [filter.actor])])].map((actor) => ({
              value: actor,
              label: actor,
            })),
          ]}
        />
      </Field>
      <Field label="Action">
        <Select value={filter.action ?? ALL} onValueChange={set("action")} options={choices("All actions", facets?.actions, actionWords)} />
      </Field>
      <Field label="Kind">
        <Select
          value={filter.subjectKind ?? ALL}
          onValueChange={set("subjectKind")}
          options={choices("Everything", facets?.subjectKinds, subjectWords)}
        />
      </Field>
      <Field label="Environment">
        <Select value={filter.environment ?? ALL} onValueChange={set("environment")} options={ENVIRONMENTS} />
      </Field>
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={filter.from} onValueChange={set("from")} timeZone={timeZone} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={filter.until} onValueChange={set("until")} timeZone={timeZone} />
      </Field>
      {isFiltered(filter) && (
        <div className="col-span-full flex flex-wrap items-center gap-2">
          {filter.subjectKey !== null && (
            <Badge className="min-w-0 font-mono">
              <span className="truncate">{filter.subjectKey}</span>
            </Badge>
          )}
          <Button size="sm" icon={<X aria-hidden />} onClick={() => onFilterChange(NOTHING)}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  );
}
