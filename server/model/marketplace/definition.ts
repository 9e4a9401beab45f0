import { z } from "zod";
import type { CompiledBase } from "../kernel/texts.ts";
import type { Calendar } from "../kernel/time.ts";
import { type Audience, audienceShape, canonicalAudience, checkAudience, compileAudience } from "../rules/audience.ts";
import { checkMembers, memberReferences } from "../rules/collection.ts";
import { type CompileScope, type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import { everyOf, iconOf } from "../rules/summary.ts";
import { given } from "../rules/readable.ts";
import { audienceReferences, itemReferences } from "../rules/references.ts";
import { canonicalItem, checkItem, compileItem, contentShape, type RewardItem } from "../rules/reward.ts";
import { compileSpan, rounds, span } from "../rules/schedule.ts";
import { defaulted, filledList, list, oneOf, optional, reference, wholeNumber } from "../rules/shapes.ts";
import { definition, description, iconOption, images } from "../rules/text-shapes.ts";
import { SCALAR_TYPES } from "../rules/value.ts";

/** A catalog item: what rewards and purchases hand over. */
const catalogItemShape = z.strictObject({ ...definition, description, images, valueType: oneOf([...SCALAR_TYPES, "Collection"]) });

export const catalogItemKind = defineKind(catalogItemShape, {
  identity: "key",
  isMetByPlayers: true,
  isSavedInOneEnvironment: true,
  fixed: ["valueType"],
  summary: ({ valueType, images }) => ({ valueType, icon: iconOf(images) }),
  options: { shape: { ...iconOption, valueType: z.string() }, of: ({ valueType, images }) => ({ icon: iconOf(images), valueType }) },
});

/** A listing: something that players can buy. */
const listingShape = z.strictObject({
  ...definition,
  description,
  images,
  priceInPoints: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  contents: filledList(contentShape),
  audience: defaulted(audienceShape, { rule: null, otherwise: "Locked" }),
  appearsIn: defaulted(oneOf(["Shop", "CollectionOnly"]), "Shop"),
  onSale: defaulted(span, { startsAt: null, endsAt: null }),
  stock: optional(wholeNumber(0, 2_147_483_647)),
  limitPerPlayer: optional(wholeNumber(1, 2_147_483_647)),
  recurrence: defaulted(rounds, { kind: "None" }),
});

export const listingKind = defineKind(listingShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["recurrence"],
  window: "onSale",
  rule: ["audience", "rule"],
  /** Checks the audience, and the items of a purchase. */
  check({ path, readable }, scope) {
    const listing = given(readable);
    if (listing === undefined) return [];
    return [
      ...checkAudience(listing.audience, [...path, "audience"], scope),
      ...(given(listing.contents) ?? []).flatMap((content, at) => {
        const one = given(content);
        return one === undefined ? [] : checkItem(one, [...path, "contents", at], scope);
      }),
    ];
  },
  references(readable) {
    const listing = given(readable);
    return [...audienceReferences(listing?.audience), ...itemReferences(listing?.contents, ["contents"])];
  },
  canonical: (listing, scope) => ({
    ...listing,
    contents: listing.contents.map((content) => canonicalItem(content, scope)),
    audience: canonicalAudience(listing.audience, scope),
  }),
  summary: (listing) => ({
    price: listing.priceInPoints,
    stock: listing.stock,
    limitPerPlayer: listing.limitPerPlayer,
    recurrence: everyOf(listing.recurrence),
    appearsIn: listing.appearsIn,
    hasAudience: listing.audience.rule !== null,
    startsAt: listing.onSale.startsAt,
    endsAt: listing.onSale.endsAt,
    icon: iconOf(listing.images),
  }),
  options: { shape: iconOption, of: ({ images }) => ({ icon: iconOf(images) }) },
});

export interface Listing extends CompiledBase {
  priceInPoints: number;
  /** The items of one purchase. */
  contents: readonly RewardItem[];
  audience: Audience;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: { startsAt: number | null; endsAt: number | null };
  /** Units per round; null: unlimited. */
  stock: number | null;
  /** Purchases of one player per round; null: unlimited. */
  limitPerPlayer: number | null;
  /** How rounds follow each other. */
  recurrence: { kind: "None" } | { kind: "Calendar"; every: Calendar };
}

export function compileListing(
  { id, createdAt, shaped }: StoredAs<DefinitionOf<typeof listingShape>>,
  { items, condition }: Pick<CompileScope, "items" | "condition">,
): Listing {
  const { contents, audience, onSale, ...same } = shaped;
  return {
    id,
    createdAt,
    ...same,
    contents: contents.map((content) => {
      const { catalogItemKey, valueType, value } = compileItem(content, items);
      return { catalogItemKey, valueType, value };
    }),
    audience: compileAudience(audience, { kind: "marketplaceItems", key: same.key }, condition),
    onSale: compileSpan(onSale),
  };
}

const listingCollectionShape = z.strictObject({ ...definition, description, images, items: list(reference) });

export const listingCollectionKind = defineKind(listingCollectionShape, {
  identity: "key",
  isMetByPlayers: false,
  isSavedInOneEnvironment: true,
  fixed: [],
  check: ({ path, readable }, scope) => checkMembers("marketplaceItems", given(readable)?.items, [...path, "items"], scope),
  references: (collection) => memberReferences("marketplaceItems", given(collection)?.items, ["items"]),
  summary: ({ items, images }) => ({ members: items.length, icon: iconOf(images) }),
});

export interface MarketplaceCollection extends Omit<CompiledBase, "createdAt"> {
  /** In the order that the collection sets. */
  items: readonly Listing[];
}

export const compileListingCollection = (
  { id, shaped: { items, ...same } }: StoredAs<DefinitionOf<typeof listingCollectionShape>>,
  listingAt: (key: string) => Listing,
): MarketplaceCollection => ({ id, ...same, items: items.map(listingAt) });
