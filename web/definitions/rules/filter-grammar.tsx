import { skipToken, useQuery } from "@tanstack/react-query";
import { Clock, ListFilter } from "lucide-react";
import { useMemo } from "react";
import { type FilterDraft, filterPhrase, type PropertyTestDraft } from "#server/model/rules/filter.ts";
import { type Weekday, WEEKDAYS, type WhenDraft } from "#server/model/rules/when.ts";
import { type Catalogue, type Source, typeOfProperty } from "../catalogue.ts";
import { PropertyPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { FieldProblems, InlineField } from "../form/form-field.tsx";
import { comparedAs, ComparisonControls } from "./comparison.tsx";
import { type Grammar, type LeafKind, leafKind, type LeafProps } from "./grammar.tsx";
import { neverCame, suggestionsFor } from "./recent-values.ts";
import { orpc, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { TextInput } from "../../components/inputs.tsx";

const PROPERTY: LeafKind<FilterDraft> = leafKind("property", "Property", "A property of the event", ListFilter, () => ({
  property: null,
  operator: "EqualTo",
  value: null,
}));
const WHEN: LeafKind<FilterDraft> = leafKind("when", "Time", "Weekdays and hours, in the player's time", Clock, () => ({
  when: { weekdays: null, from: null, until: null },
}));

/** Filters on the properties of one event or metric, and on when it happens. */
export const useFilterGrammar = (source: Source | undefined, { timeZone }: Catalogue): Grammar<FilterDraft> =>
  useMemo(() => {
    const FilterLeaf = ({ rule, onChange, at }: LeafProps<FilterDraft>) =>
      "when" in rule ? (
        <WhenControls rule={rule} onChange={onChange} at={at} />
      ) : (
        <PropertyControls source={source} rule={rule as PropertyTestDraft} onChange={onChange} at={at} />
      );
    return {
      noun: "filter",
      kinds: [PROPERTY, WHEN],
      kindOf: (leaf) => ("when" in leaf ? "when" : "property"),
      Leaf: FilterLeaf,
      phraseOf: (rule) => filterPhrase(rule, (property) => typeOfProperty(source, property), timeZone),
    };
  }, [source, timeZone]);

const FRESH_MS = 5 * 60_000;

/** The recent values of a condition's property, and a hint if no recent event met the condition. */
function useRecentValues(source: Source | undefined, rule: PropertyTestDraft): { suggestions: string[]; hint: string | null } {
  const { scope } = useWhere();
  const { catalogue, isReadOnly } = useAuthoring();
  const kind = catalogue.metrics.some((one) => one === source) ? "metrics" : "events";
  const isAsked = source !== undefined && rule.property !== null && rule.property !== "" && !isReadOnly;
  const { data } = useQuery({
    ...orpc.events.recentValues.queryOptions({ input: isAsked ? { ...scope, kind, key: source.key } : skipToken }),
    staleTime: FRESH_MS,
    retry: false,
  });
  if (!isAsked || !data) return { suggestions: [], hint: null };
  const { timeZone } = catalogue;
  return {
    suggestions: suggestionsFor(data, rule.property),
    hint: neverCame(data, rule, { source: source.name, type: typeOfProperty(source, rule.property), timeZone }),
  };
}

/** A property and what it is compared with, of which recent values are suggested. */
function PropertyControls({
  source,
  rule,
  onChange,
  at,
}: LeafProps<FilterDraft> & { source: Source | undefined; rule: PropertyTestDraft }) {
  const type = typeOfProperty(source, rule.property);
  const { suggestions, hint } = useRecentValues(source, rule);
  return (
    <>
      <InlineField at={[...at, "property"]} className="min-w-36 flex-1">
        <PropertyPicker
          properties={source?.properties ?? []}
          value={rule.property}
          onValueChange={(property) => onChange(comparedAs({ ...rule, property }, typeOfProperty(source, property), type))}
        />
      </InlineField>
      <ComparisonControls<PropertyTestDraft> at={at} type={type} rule={rule} onChange={onChange} suggestions={suggestions} />
      {hint !== null && (
        <p role="status" className="w-full text-xs text-quiet">
          {hint}
        </p>
      )}
    </>
  );
}

function WhenControls({ rule, onChange, at }: Omit<LeafProps<FilterDraft>, "rule"> & { rule: WhenDraft }) {
  const change = (changes: WhenDraft["when"]) => onChange({ when: { ...rule.when, ...changes } });
  const isOn = (day: Weekday): boolean => rule.when.weekdays?.includes(day) ?? false;
  const toggle = (day: Weekday) => {
    const weekdays = WEEKDAYS.filter((one) => isOn(one) !== (one === day));
    change({ weekdays: weekdays.length === 0 ? null : weekdays });
  };
  const time = (member: "from" | "until", label: string) => (
    <InlineField at={[...at, "when", member]} className="shrink-0">
      <label className="flex h-8 items-center gap-2 text-[0.8125rem] text-quiet">
        {label}
        <TextInput
          type="time"
          value={rule.when[member] ?? ""}
          onValueChange={(text) => change({ [member]: text === "" ? null : text })}
          className="w-28 tabular-nums"
        />
      </label>
    </InlineField>
  );
  return (
    <InlineField at={[...at, "when"]} isSilent className="flex-1">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <InlineField at={[...at, "when", "weekdays"]} isSilent>
          <div className="flex min-h-8 flex-wrap items-center gap-1">
            {WEEKDAYS.map((day) => (
              <Button
                key={day}
                size="sm"
                variant={isOn(day) ? "primary" : "secondary"}
                aria-pressed={isOn(day)}
                aria-label={day}
                onClick={() => toggle(day)}
              >
                {day.slice(0, 3)}
              </Button>
            ))}
          </div>
        </InlineField>
        {time("from", "from")}
        {time("until", "until")}
      </div>
      <span className="text-xs text-quiet">Player&apos;s time. An end before the start is on the next day.</span>
      <FieldProblems at={[...at, "when"]} />
    </InlineField>
  );
}
