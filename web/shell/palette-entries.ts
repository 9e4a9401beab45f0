import { ArrowUpFromLine, ChartColumn, Copy, History, Pencil, Plus, UserRound } from "lucide-react";
import type { Answers, Place } from "../client/service.tsx";
import { hasResults, REPORTS } from "../analytics/reports.ts";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { isAtLeast, type Role } from "../../server/model/kernel/environment.ts";
import { capitalised } from "../../server/model/kernel/thousands.ts";
import { ALL_KINDS, definitionPath, KIND_SCREENS, entriesOf } from "../definitions/kinds/index.ts";
import { destinations, ELSEWHERE } from "./navigation.ts";
import { type PaletteEntry, type PaletteGroup, scoreOf, searchWords } from "./palette-search.ts";

/** Maximum definitions and players shown. */
export const SHOWN = 12;

type Catalogue = Answers["definitions"]["catalogue"];
type Player = Answers["players"]["search"]["players"][number];

interface Known {
  project: string;
  environment: string;
  approvals: Place["approvals"];
  canCreate: boolean;
  /** The lower one of the roles in both environments. */
  role: Role;
  query: string;
  catalogue: Catalogue | undefined;
  players: readonly Player[];
  /** Whether the players are those of this query. Until then, those of the query before are matched by their names. */
  isFound: boolean;
  /** The actions of menus: theme, environment, signing out. */
  commands: readonly PaletteEntry[];
}

/** All palette entries. Definitions and players are only listed for a query, as there are too many. */
export function paletteGroups({
  project,
  environment,
  approvals,
  canCreate,
  role,
  query,
  catalogue,
  players,
  isFound,
  commands,
}: Known): PaletteGroup[] {
  const base = `/dashboard/${project}/${environment}`;
  const isSearching = query !== "";
  return [
    ...destinations(project, environment, approvals, role).map(({ label, items }) => ({
      heading: label ?? "Go to",
      items: items.map((item) => ({ ...item, keywords: `${item.keywords ?? ""} ${label ?? ""}` })),
    })),
    { heading: "Analytics", items: isSearching ? reports(base) : [] },
    { heading: "Create", items: canCreate ? creations(base) : [] },
    { heading: "Definitions", items: isSearching && catalogue !== undefined ? definitions(base, catalogue, query) : [] },
    {
      heading: "Actions",
      items:
        isSearching && catalogue !== undefined ? verbsOf({ base, canCreate, canPromote: isAtLeast(role, "Editor"), catalogue, query }) : [],
    },
    { heading: "Players", items: isSearching ? players.map((player) => playerEntry(base, player, isFound)) : [] },
    { heading: "Commands", items: isSearching ? commands : [] },
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

interface Verb {
  label: string;
  icon: PaletteEntry["icon"];
  /** The first words of queries that mean it. */
  words: readonly string[];
  needs: "canCreate" | "canPromote" | null;
  /** Null if it does not apply. */
  href(base: string, kind: Kind, key: string): string | null;
}

/** The actions of a definition's page and its menu. */
const VERBS: readonly Verb[] = [
  {
    label: "Edit",
    icon: Pencil,
    words: ["edit", "change", "modify", "update"],
    needs: "canCreate",
    href: (base, kind, key) => `${base}${definitionPath(kind, key)}/edit`,
  },
  {
    label: "Duplicate",
    icon: Copy,
    words: ["duplicate", "copy", "clone"],
    needs: "canCreate",
    href: (base, kind, key) => `${base}/${KIND_SCREENS[kind].path}/new?from=${encodeURIComponent(key)}`,
  },
  {
    label: "History of",
    icon: History,
    words: ["history", "versions", "restore", "undo"],
    needs: null,
    href: (base, kind, key) => `${base}${definitionPath(kind, key)}/history`,
  },
  {
    label: "Results of",
    icon: ChartColumn,
    words: ["results", "report", "figures", "analytics"],
    needs: null,
    href: (base, kind, key) => (hasResults(kind) ? `${base}${definitionPath(kind, key)}/results` : null),
  },
  {
    label: "Promote",
    icon: ArrowUpFromLine,
    words: ["promote", "publish", "launch", "release"],
    needs: "canPromote",
    href: (base, kind, key) => (base.endsWith("/sandbox") ? `${base}/promote?chosen=${kind}:${encodeURIComponent(key)}` : null),
  },
];

/** "edit coffee": a verb and a definition. */
function verbsOf({
  base,
  catalogue,
  query,
  ...may
}: Pick<Known, "canCreate" | "query"> & { base: string; canPromote: boolean; catalogue: Catalogue }): PaletteEntry[] {
  const [first = "", ...rest] = searchWords(query);
  const verbs = VERBS.filter(({ words, needs }) => (needs === null || may[needs]) && words.some((word) => word.startsWith(first)));
  if (verbs.length === 0 || rest.length === 0 || first.length < 2) return [];
  return foundIn(base, catalogue, rest).flatMap(({ kind, key, label }) =>
    verbs.flatMap((verb) => {
      const href = verb.href(base, kind, key);
      return href === null
        ? []
        : [
            {
              label: `${verb.label} ${label}`,
              icon: verb.icon,
              href,
              aside: capitalised(KIND_SCREENS[kind].one),
              keywords: `${verb.words.join(" ")} ${key}`,
            },
          ];
    }),
  );
}

const definitions = (base: string, catalogue: Catalogue, query: string): PaletteEntry[] => foundIn(base, catalogue, searchWords(query));

function foundIn(base: string, catalogue: Catalogue, wanted: readonly string[]) {
  const all = ALL_KINDS.flatMap(([kind, { icon, one }]) =>
    entriesOf(catalogue, kind).map(({ key, name }) => ({
      kind,
      key,
      label: name,
      icon,
      href: base + definitionPath(kind, key),
      aside: capitalised(one),
      keywords: `${key} ${one}`,
    })),
  );
  const scored = all.map((entry) => ({ entry, score: scoreOf(entry, wanted) })).filter(({ score }) => score > 1);
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

const playerEntry = (base: string, { externalId, displayName }: Player, isFound: boolean): PaletteEntry => ({
  label: displayName ?? externalId,
  icon: UserRound,
  href: `${base}/players/${encodeURIComponent(externalId)}`,
  aside: displayName ? externalId : "Player",
  keywords: `${externalId} player`,
  isFound,
});
