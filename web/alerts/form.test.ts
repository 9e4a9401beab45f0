import { expect, it } from "vitest";
import { alertInWords } from "../../server/model/alerts/words.ts";
import { PRESETS, ruleIn } from "./form.tsx";

it("a threshold of 5,000 is refused as ambiguous, not taken for 5", () =>
  // The field turns the typed comma into a point.
  expect(ruleIn({ ...PRESETS[0]!.form, threshold: "5.000" }).threshold).toBeNaN());

it("a threshold of a share is typed in percent", () =>
  expect(ruleIn({ ...PRESETS[0]!.form, figure: "RefusedShare", basis: "Bound", threshold: "12.5" }).threshold).toBe(0.125));

it.each([
  [0.001, 0.00123, "0.0012 in 2 hours, above 0.001"],
  [1234.5678, 2345.678, "2,345.68 in 2 hours, above 1,234.5678"],
])("a bound of %d is shown as it was typed, and no small amount as zero", (threshold, value, words) => {
  const rule = { ...ruleIn({ ...PRESETS[0]!.form, figure: "MetricAmount", basis: "Bound", hours: 2 }), threshold };
  expect(alertInWords(rule, { value, bound: threshold }, null)).toContain(words);
});
