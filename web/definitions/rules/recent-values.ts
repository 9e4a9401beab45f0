import { dateOf, shortDate } from "#server/model/kernel/dates.ts";
import { parseJson } from "#server/model/kernel/json.ts";
import type { Scalar, ScalarType } from "#server/model/kernel/values.ts";
import { type PropertyTestDraft, filterPhrase } from "#server/model/rules/filter.ts";
import { holds, takesList } from "#server/model/rules/operator.ts";
import { textOf } from "#server/model/rules/phrase.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import type { Answers } from "../../client/service.tsx";

export type Recent = NonNullable<Answers["events"]["recentValues"]>;

const valuesOf = (recent: Recent, property: unknown) => recent.properties.find(({ key }) => key === property);

/** The values to suggest for a property, as they are typed. Yes and no are chosen from a list anyway. */
export const suggestionsFor = (recent: Recent, property: unknown): string[] =>
  (valuesOf(recent, property)?.values ?? []).flatMap((text) => {
    const value = parseJson(text);
    return typeof value === "boolean" ? [] : [String(value)];
  });

interface About {
  source: string;
  type: ScalarType | undefined;
  timeZone: string;
}

/**
 * A hint that no recent event met a condition: "No Order placed since 19 Nov where shop is Berlin." Null if one did, or if that is
 * unknown: values were left out, the condition has no value yet, or it also holds without one.
 */
export function neverCame(recent: Recent, rule: PropertyTestDraft, { source, type, timeZone }: About): string | null {
  const known = valuesOf(recent, rule.property);
  if (known === undefined || !known.areAll || recent.events === 0) return null;
  const values = known.values.map((text) => parseJson(text) as Scalar);
  const wanted = (Array.isArray(rule.value) ? rule.value : [rule.value]).filter((one) => one !== null && one !== undefined);
  if (wanted.some((one) => Number.isNaN(one)) || holds(null, rule.operator, wanted)) return null;
  const single = takesList(rule.operator) ? "EqualTo" : rule.operator;
  const missing = wanted.filter((one) => !values.some((value) => holds(value, single, one)));
  if (missing.length === 0) return null;
  const asked = { ...rule, value: takesList(rule.operator) ? missing : missing[0]! };
  const where = textOf(filterPhrase(asked, () => type, timeZone));
  const since = shortDate(dateOf(Date.parse(recent.since), timeZone));
  return recent.areAll
    ? `No ${source} since ${since} where ${where}.`
    : `No ${source} since ${since} where ${where}, among ${formatted(recent.events)} in the log.`;
}
