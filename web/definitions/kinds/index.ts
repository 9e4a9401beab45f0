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

/** All kinds, in the order of the side bar. A kind without a module is a compile error, and so is one that can be tried without a trial. */
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

/** With the kind of each. */
export const ALL_KINDS = Object.entries(KIND_MODULES) as [Kind, KindModule][];

/** Other things than definitions are named by a text too: an audit log tells of projects, keys and people. */
export const isKind = (name: string): name is Kind => Object.hasOwn(KIND_MODULES, name);

/** The kind whose pages stand under a part of the address; null where no kind has it. */
export const kindAt = (path: string): Kind | null => ALL_KINDS.find(([, module]) => module.path === path)?.[0] ?? null;

/** "/missions/coffee_lover": where a definition stands in its environment. */
export const definitionPath = (kind: Kind, key: string): string => `/${KIND_MODULES[kind].path}/${encodeURIComponent(key)}`;

/** What a definition is called in a sentence that is known by its key alone: "from 29 Mar 2026, 09:30", or the key. */
export const nameOfKey = (kind: Kind, key: string, timeZone: string): string => KIND_MODULES[kind].nameOf?.(key, timeZone) ?? key;

/** The same as a title. */
export function titleOfKey(kind: Kind, key: string, timeZone: string): string {
  const name = nameOfKey(kind, key, timeZone);
  return name === key ? key : capitalised(name);
}

/** There are definitions of the kind worth copying (server/model/rules/authoring-examples.ts). */
export const hasExamples = (kind: Kind): boolean => KIND_MODULES[kind].hasExamples === true;

export const isTried = (kind: Kind): kind is TriedKind => KIND_MODULES[kind].trial !== undefined;

type Catalogue = Awaited<ReturnType<DashboardClient["definitions"]["catalogue"]>>;
type Named = Pick<Catalogue["missions"][number], "key" | "name" | "active">;

/** The definitions of a kind that a catalogue lists; none of what is keyless. */
export const namedIn = (catalogue: Catalogue, kind: Kind): readonly Named[] =>
  kind in catalogue ? catalogue[kind as Kind & keyof Catalogue] : [];
