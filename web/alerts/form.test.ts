import { expect, it } from "vitest";
import { PRESETS, ruleIn } from "./form.tsx";

it("a threshold of 5,000 is refused as ambiguous, not taken for 5", () =>
  // The field turns the typed comma into a point.
  expect(ruleIn({ ...PRESETS[0]!.form, threshold: "5.000" }).threshold).toBeNaN());

it("a threshold of a share is typed in percent", () =>
  expect(ruleIn({ ...PRESETS[0]!.form, figure: "RefusedShare", basis: "Bound", threshold: "12.5" }).threshold).toBe(0.125));
