import type { z } from "zod";
import { attributeKind } from "../attributes/definition.ts";
import { eventKind } from "../events/definition.ts";
import { leaderboardKind } from "../leaderboards/definition.ts";
import { catalogItemKind, listingCollectionKind, listingKind } from "../marketplace/definition.ts";
import { metricKind } from "../metrics/definition.ts";
import { missionCollectionKind, missionKind } from "../missions/definition.ts";
import { exchangeRateKind, pointsValuationKind } from "../points/definition.ts";
import type { DefinitionKind } from "../rules/finding.ts";
import type { DefinitionOf, KindModule } from "../rules/kind-module.ts";
import { segmentKind } from "../segments/definition.ts";
import { streakKind } from "../streaks/definition.ts";

/** Every kind, by the name of its list in the file and in the order in which the lists are written. */
export const KIND_MODULES = {
  events: eventKind,
  metrics: metricKind,
  exchangeRates: exchangeRateKind,
  attributes: attributeKind,
  segments: segmentKind,
  catalogItems: catalogItemKind,
  missions: missionKind,
  missionCollections: missionCollectionKind,
  streaks: streakKind,
  leaderboards: leaderboardKind,
  marketplaceItems: listingKind,
  marketplaceCollections: listingCollectionKind,
  pointsValuations: pointsValuationKind,
} satisfies Record<DefinitionKind, KindModule & { shape: z.ZodObject }>;

export type Kind = keyof typeof KIND_MODULES;
export const KINDS = Object.keys(KIND_MODULES) as Kind[];

/** The module of a kind, for code that is generic over kinds. */
export const moduleOf = (kind: Kind): KindModule & { shape: z.ZodObject } => KIND_MODULES[kind];

type Shapes = { [K in Kind]: (typeof KIND_MODULES)[K]["shape"] };

/** The shapes of the file's entries. */
export const SHAPES = Object.fromEntries(KINDS.map((kind) => [kind, moduleOf(kind).shape])) as Shapes;

/** A definition in the form of its shape. One without a key of its own gets its identifying member as the key, and is always active. */
export type Shaped<K extends Kind = Kind> = { [One in K]: DefinitionOf<Shapes[One]> }[K];

export type KeyedKind = { [K in Kind]: (typeof KIND_MODULES)[K]["identity"] extends "key" ? K : never }[Kind];

export const hasKey = (kind: Kind): kind is KeyedKind => moduleOf(kind).identity === "key";

/** Kinds whose definitions may be named by rows of players; such a definition can then not be deleted. */
export type MetKind = { [K in Kind]: (typeof KIND_MODULES)[K]["isMetByPlayers"] extends true ? K : never }[Kind];

export const isMetByPlayers = (kind: Kind): kind is MetKind => moduleOf(kind).isMetByPlayers;

/** Whether one save may write a definition of this kind into both environments of its project. */
export const canBeSavedInBoth = (kind: Kind): boolean => moduleOf(kind).isSavedInOneEnvironment !== true;

/** The output of a shape, as a definition. */
export const shapedOf = <K extends Kind>(kind: K, output: z.output<Shapes[K]>, active = true): Shaped<K> =>
  (hasKey(kind) ? output : { ...output, key: (output as Record<string, unknown>)[moduleOf(kind).identity], active }) as Shaped<K>;
