import type { Audience, Span } from "../rules/shapes.ts";
import { audiencePhrase, EVERY, itemPhrase, type Recurrence, spanPhrase } from "./blocks.ts";
import { listed, missing, type Phrase, say, valued, words } from "./parts.ts";
import { line, type Summarize } from "./summary.ts";
import { numberInWords } from "./values.ts";

function pricePhrase(points: number | null): Phrase {
  if (points === null) return missing("… points");
  return points === 0 ? words("nothing: it is free") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}

interface ListingDraft {
  priceInPoints: number | null;
  contents: Parameters<typeof itemPhrase>[0][];
  audience: Audience;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: Span;
  stock: number | null;
  limitPerPlayer: number | null;
  recurrence: Recurrence;
}

export const listingSummary: Summarize = (draft, catalogue) => {
  const listing = draft as unknown as ListingDraft;
  const { priceInPoints, contents, stock, limitPerPlayer, recurrence } = listing;
  const isRepeating = recurrence.kind === "Calendar";
  const round = isRepeating ? ` ${EVERY[recurrence.every].toLowerCase()}` : "";
  const got =
    contents.length === 0
      ? missing("nothing yet")
      : listed(
          contents.map((content) => itemPhrase(content, catalogue)),
          "and",
        );
  return [
    line("Costs", pricePhrase(priceInPoints)),
    line("Gives", got),
    line("For", audiencePhrase(listing.audience, catalogue)),
    line("On sale", spanPhrase(listing.onSale, catalogue.timeZone)),
    line("In stock", stock === null ? words("without limit") : say`${valued(numberInWords(stock))}${round}`),
    line(
      "Each player",
      limitPerPlayer === null ? words("as often as they like") : say`at most ${valued(numberInWords(limitPerPlayer))}${round}`,
    ),
    line("Shown", words(listing.appearsIn === "Shop" ? "in the shop and in collections" : "in collections only")),
  ];
};
