import type { Path } from "../rules/finding.ts";
import { given, type Readable } from "../rules/readable.ts";
import type { Scalar } from "../kernel/values.ts";
import { valueFindings } from "./comparisons.ts";
import type { Shaped } from "./contract.ts";
import type { Finding } from "./problems.ts";
import { resolve, type Result } from "./result.ts";

/** What is handed over of a catalog item, as a reward or by a purchase. */
interface HandedOver {
  readonly catalogItem?: Readable<string>;
  readonly value?: Readable<Scalar | Scalar[]>;
}

/** What is wrong with what is handed over: the item that it names, and whether the value is one of the item's (definitions.md, reward). */
export function itemFindings({ catalogItem, value }: HandedOver, path: Path, result: Result): Finding[] {
  const { standing, findings } = resolve(result, "catalogItems", catalogItem, [...path, "catalogItem"]);
  const type = given(given(standing?.readable)?.valueType);
  if (type === undefined || given(value) === undefined) return findings;
  return [...findings, ...itemValueFindings(type, value, [...path, "value"])];
}

function itemValueFindings(type: Shaped<"catalogItems">["valueType"], value: Readable<Scalar | Scalar[]>, path: Path): Finding[] {
  if (type === "Collection") return Array.isArray(value) ? [] : [{ path, message: "must be a list, as the catalog item is a Collection" }];
  return Array.isArray(value)
    ? [{ path, message: `must be a single value, as the catalog item is a ${type}` }]
    : valueFindings(type, value, path);
}
