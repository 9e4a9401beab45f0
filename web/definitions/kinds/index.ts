import type { DashboardClient } from "#server/api/dashboard.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { capitalised } from "../../components/words.ts";
import { attributes } from "./attributes/module.ts";
import { catalogItems } from "./catalog-items/module.ts";
import { events } from "./events/module.ts";
import { exchangeRates } from "./exchange-rates/module.ts";
import type { KindModule, Trial, TriedKind } from "./kind-module.ts";
import { leaderboards } from "./leaderboards/module.ts";
import { listingCollections } from "./listing-collections/module.ts";
import { listings } from "./listings/module.ts";
import { metrics } from "./metrics/module.ts";
import { missionCollections } from "./mission-collections/module.ts";
import { missions } from "./missions/module.ts";
import { segments } from "./segments/module.ts";
import { streaks } from "./streaks/module.ts";
import { valuations } from "./valuations/module.ts";

/** All kinds, in the order of the side bar. A missing module is a compile error, and so is a missing trial of a kind that can be tried. */
export const KIND_MODULES: { [One in Kind]: One extends TriedKind ? KindModule & { trial: Trial } : KindModule } = {
  missions,
  missionCollections,
  streaks,
  leaderboards,
  segments,
  marketplaceItems: listings,
  marketplaceCollections: listingCollections,
  catalogItems,
  pointsValuations: valuations,
  events,
  metrics,
  attributes,
  exchangeRates,
};

/** Each with its kind. */
export const ALL_KINDS = Object.entries(KIND_MODULES) as [Kind, KindModule][];

/** Accepts any text, since an audit log also names projects, keys and users. */
export const isKind = (name: string): name is Kind => Object.hasOwn(KIND_MODULES, name);

/** The kind of a path segment; null where there is none. */
export const kindAt = (path: string): Kind | null => ALL_KINDS.find(([, module]) => module.path === path)?.[0] ?? null;

/** "/missions/coffee_lover": a definition's path in its environment. */
export const definitionPath = (kind: Kind, key: string): string => `/${KIND_MODULES[kind].path}/${encodeURIComponent(key)}`;

/** What a definition is called in a sentence when only its key is known: "from 29 Mar 2026, 09:30", or the key. */
export const nameOfKey = (kind: Kind, key: string, timeZone: string): string => KIND_MODULES[kind].nameOf?.(key, timeZone) ?? key;

/** The same as a title. */
export function titleOfKey(kind: Kind, key: string, timeZone: string): string {
  const name = nameOfKey(kind, key, timeZone);
  return name === key ? key : capitalised(name);
}

/** The kind has examples to start from (server/model/rules/authoring-examples.ts). */
export const hasExamples = (kind: Kind): boolean => KIND_MODULES[kind].hasExamples === true;

export const isTried = (kind: Kind): kind is TriedKind => KIND_MODULES[kind].trial !== undefined;

type Catalogue = Awaited<ReturnType<DashboardClient["definitions"]["catalogue"]>>;
type Named = Pick<Catalogue["missions"][number], "key" | "name" | "active">;

/** A kind's entries in a catalogue; none for keyless kinds. */
export const namedIn = (catalogue: Catalogue, kind: Kind): readonly Named[] =>
  kind in catalogue ? catalogue[kind as Kind & keyof Catalogue] : [];
