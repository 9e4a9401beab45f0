import { everyInWords } from "#server/model/kernel/calendar.ts";
import { type AudienceDraft, audiencePhrase } from "#server/model/rules/audience.ts";
import { listed, missing, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import { itemPhrase } from "#server/model/rules/reward.ts";
import { type RecurrenceDraft, type SpanDraft, spanPhrase } from "#server/model/rules/schedule.ts";
import { numberInWords } from "#server/model/rules/value.ts";
import { scopeOf } from "../../catalogue.ts";
import { line, type Summarize } from "../summary.ts";

interface ListingDraft {
  priceInPoints: number | null;
  contents: Parameters<typeof itemPhrase>[0][];
  audience: AudienceDraft;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: SpanDraft;
  stock: number | null;
  limitPerPlayer: number | null;
  recurrence: RecurrenceDraft;
}

export const listingSummary: Summarize = (draft, catalogue) => {
  const listing = draft as unknown as ListingDraft;
  const scope = scopeOf(catalogue);
  const { priceInPoints, contents, stock, limitPerPlayer, recurrence } = listing;
  const isRepeating = recurrence.kind === "Calendar";
  const round = isRepeating ? ` ${everyInWords(recurrence.every).toLowerCase()}` : "";
  const got =
    contents.length === 0
      ? missing("nothing yet")
      : listed(
          contents.map((content) => itemPhrase(content, scope)),
          "and",
        );
  return [
    line("Price", pricePhrase(priceInPoints)),
    line("Contents", got),
    line("Audience", audiencePhrase(listing.audience, scope)),
    line("Availability", spanPhrase(listing.onSale, scope.timeZone)),
    line("Stock", stock === null ? words("no limit") : say`${valued(numberInWords(stock))}${round}`),
    line("Each player", limitPerPlayer === null ? words("no limit") : say`at most ${valued(numberInWords(limitPerPlayer))}${round}`),
    line("Shown in", words(listing.appearsIn === "Shop" ? "shop and collections" : "collections only")),
  ];
};

function pricePhrase(points: number | null): Phrase {
  if (points === null) return missing("… points");
  return points === 0 ? words("free") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}
