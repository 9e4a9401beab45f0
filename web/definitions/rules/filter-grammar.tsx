"use client";

import { ListFilter } from "lucide-react";
import { useMemo } from "react";
import { filterPhrase, type FilterDraft, type PropertyTestDraft } from "#server/model/rules/filter.ts";
import { type Catalogue, type Source, typeOfProperty } from "../catalogue.ts";
import { PropertyPicker } from "../fields/pickers.tsx";
import { Spot } from "../form/place.tsx";
import { ComparisonControls, comparedAs } from "./comparison.tsx";
import type { Grammar, LeafProps } from "./grammar.tsx";

/** Filters on the properties of one event or metric. */
export function useFilterGrammar(source: Source | undefined, { timeZone }: Catalogue): Grammar<FilterDraft> {
  return useMemo(() => {
    const properties = source?.properties ?? [];
    function PropertyLeaf({ rule, onChange, at }: LeafProps<FilterDraft>) {
      const test = rule as PropertyTestDraft;
      const type = typeOfProperty(source, test.property);
      return (
        <>
          <Spot at={[...at, "property"]} className="min-w-36 flex-1">
            <PropertyPicker
              properties={properties}
              value={test.property}
              onValueChange={(property) => onChange({ property, ...comparedAs(typeOfProperty(source, property), type, test) })}
            />
          </Spot>
          <ComparisonControls at={at} member="value" type={type} {...test} onChange={(compared) => onChange({ ...test, ...compared })} />
        </>
      );
    }
    return {
      noun: "filter",
      kinds: [
        {
          value: "property",
          label: "Property",
          icon: <ListFilter aria-hidden />,
          make: () => ({ property: null, operator: "EqualTo", value: null }),
        },
      ],
      kindOf: () => "property",
      Leaf: PropertyLeaf,
      phraseOf: (rule) => filterPhrase(rule, (property) => typeOfProperty(source, property), timeZone),
    };
  }, [source, timeZone]);
}
