import { given } from "../rules/readable.ts";
import { itemFindings } from "./catalog-items.ts";
import { ruleFindings } from "./conditions.ts";
import type { Entry } from "./file.ts";
import type { Finding } from "./problems.ts";
import type { Result } from "./result.ts";

/** What is wrong with a marketplace item besides its shape: who may buy it, and what it hands over. */
export function listingFindings({ kind, at, readable }: Entry<"marketplaceItems">, result: Result): Finding[] {
  const listing = given(readable);
  if (listing === undefined) return [];
  return [
    ...ruleFindings(given(listing.audience)?.rule, [kind, at, "audience", "rule"], result),
    ...(given(listing.contents) ?? []).flatMap((content, place) => {
      const one = given(content);
      return one === undefined ? [] : itemFindings(one, [kind, at, "contents", place], result);
    }),
  ];
}
