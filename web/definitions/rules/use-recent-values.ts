"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import type { PropertyTestDraft } from "#server/model/rules/filter.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { type Source, typeOfProperty } from "../catalogue.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { neverCame, suggestionsFor } from "./recent-values.ts";

const FRESH_MS = 5 * 60_000;

/** The values that a condition's property had of late, and a hint where the condition was never met. */
export function useRecentValues(source: Source | undefined, rule: PropertyTestDraft): { suggestions: string[]; hint: string | null } {
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
