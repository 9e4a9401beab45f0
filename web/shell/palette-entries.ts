import { ChartColumn, Plus, UserRound } from "lucide-react";
import type { Answers } from "../client/answers.ts";
import { REPORTS } from "../analytics/reports.ts";
import { ALL_KINDS, definitionPath, namedIn } from "../definitions/kinds/index.ts";
import { destinations, ELSEWHERE } from "./navigation.ts";
import { type PaletteEntry, type PaletteGroup, scoreOf, wordsOf } from "./palette-search.ts";

/** Maximum definitions and players shown. */
export const SHOWN = 12;

type Catalogue = Answers["definitions"]["catalogue"];
type Player = Answers["players"]["search"]["players"][number];

interface Known {
  project: string;
  environment: string;
  canCreate: boolean;
  /** The query. */
  query: string;
  catalogue: Catalogue | undefined;
  players: readonly Player[];
}

/** All palette entries. Definitions and players are only listed for a query, as there are too many. */
export function paletteGroups({ project, environment, canCreate, query, catalogue, players }: Known): PaletteGroup[] {
  const base = `/dashboard/${project}/${environment}`;
  const isSearching = query !== "";
  return [
    ...destinations(project, environment, { isOn: true, waiting: 0 }).map(({ label, items }) => ({
      heading: label ?? "Go to",
      items: items.map((item) => ({ ...item, keywords: `${item.keywords ?? ""} ${label ?? ""}` })),
    })),
    { heading: "Analytics", items: isSearching ? reports(base) : [] },
    { heading: "Create", items: canCreate ? creations(base) : [] },
    { heading: "Definitions", items: isSearching && catalogue !== undefined ? definitions(base, catalogue, query) : [] },
    { heading: "Players", items: isSearching ? players.map((player) => playerEntry(base, player)) : [] },
    { heading: "Elsewhere", items: ELSEWHERE },
  ];
}

const reports = (base: string): PaletteEntry[] =>
  REPORTS.map(({ path, label, keywords }) => ({
    label: `Analytics: ${label}`,
    icon: ChartColumn,
    href: `${base}/analytics/${path}`,
    keywords: `report ${keywords}`,
  }));

const creations = (base: string): PaletteEntry[] =>
  ALL_KINDS.map(([, { one, path }]) => ({ label: `New ${one}`, icon: Plus, href: `${base}/${path}/new`, keywords: "create" }));

function definitions(base: string, catalogue: Catalogue, query: string): PaletteEntry[] {
  const wanted = wordsOf(query);
  const all = ALL_KINDS.flatMap(([kind, { icon, one }]) =>
    namedIn(catalogue, kind).map(({ key, name }) => ({
      label: name,
      icon,
      href: base + definitionPath(kind, key),
      aside: one,
      keywords: `${key} ${one}`,
    })),
  );
  const scored = all.map((entry) => ({ entry, score: scoreOf(entry, wanted) })).filter(({ score }) => score > 1);
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

const playerEntry = (base: string, { externalId, displayName }: Player): PaletteEntry => ({
  label: displayName ?? externalId,
  icon: UserRound,
  href: `${base}/players/${encodeURIComponent(externalId)}`,
  aside: displayName ? externalId : "player",
  keywords: `${externalId} player`,
  isFound: true,
});
