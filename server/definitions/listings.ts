import { checkAudience } from "../rules/audience.ts";
import type { Finding } from "../rules/finding.ts";
import { given } from "../rules/readable.ts";
import { checkItem } from "../rules/reward.ts";
import type { Entry } from "./file.ts";
import type { Result } from "./result.ts";
import { scopeOf } from "./scope.ts";

/** What is wrong with a marketplace item besides its shape: who may buy it, and what it hands over. */
export function listingFindings({ kind, at, readable }: Entry<"marketplaceItems">, result: Result): Finding[] {
  const listing = given(readable);
  if (listing === undefined) return [];
  const scope = scopeOf(result);
  return [
    ...checkAudience(listing.audience, [kind, at, "audience"], scope),
    ...(given(listing.contents) ?? []).flatMap((content, place) => {
      const one = given(content);
      return one === undefined ? [] : checkItem(one, [kind, at, "contents", place], scope);
    }),
  ];
}
