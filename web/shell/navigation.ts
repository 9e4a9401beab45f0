import {
  Activity,
  BellRing,
  BookOpen,
  ChartColumn,
  Code2,
  FileInput,
  GitCompareArrows,
  GitPullRequestArrow,
  House,
  KeyRound,
  Megaphone,
  Languages,
  type LucideIcon,
  ScrollText,
  Settings,
  ShoppingBag,
  SlidersHorizontal,
  UserRound,
  UserRoundCog,
} from "lucide-react";
import { isAtLeast, type Role } from "../../server/model/kernel/environment.ts";
import { ALL_KINDS } from "../definitions/kinds/index.ts";

export interface Destination {
  label: string;
  icon: LucideIcon;
  href: string;
  /** More search terms. */
  keywords?: string;
  /** The number of items that wait for a decision. */
  count?: number;
  /** The letter that opens it after `g`. */
  shortcut?: string;
}

/** The letters of kinds, by their path. */
const KIND_SHORTCUTS: Record<string, string> = {
  missions: "m",
  streaks: "s",
  leaderboards: "b",
  segments: "g",
  listings: "l",
  events: "e",
  attributes: "f",
};

export interface Group {
  label: string | null;
  items: Destination[];
}

/**
 * A user's destinations in a project, in the order of the side bar; `role` is the lower one of both environments. Change requests are
 * included if the project requires them, or some are waiting.
 */
export function destinations(
  project: string,
  environment: string,
  approvals: { isOn: boolean; waiting: number; undecided: number },
  role: Role,
): Group[] {
  const base = `/dashboard/${project}/${environment}`;
  const kinds = (section: string): Destination[] =>
    ALL_KINDS.filter(([, module]) => module.section === section).map(([, { many, icon, path, keywords }]) => ({
      label: many,
      icon,
      href: `${base}/${path}`,
      keywords,
      shortcut: KIND_SHORTCUTS[path],
    }));
  const below =
    (address: string) =>
    (label: string, icon: LucideIcon, path: string, keywords: string, shortcut?: string): Destination => ({
      label,
      icon,
      href: address + path,
      keywords,
      shortcut,
    });
  const [here, ofProject] = [below(base), below(`/dashboard/${project}`)];
  const requests = ofProject("Change requests", GitPullRequestArrow, "/live/requests", "approvals approve review live pending", "r");
  return [
    {
      label: null,
      items: [
        here("Home", House, "", "overview start quickstart today", "h"),
        here("Analytics", ChartColumn, "/analytics", "reports charts statistics figures numbers", "a"),
      ],
    },
    { label: "Engage", items: kinds("Engage") },
    {
      label: "Reward",
      items: [
        ...kinds("Reward"),
        here("Purchases", ShoppingBag, "/purchases", "shop marketplace orders bought refund reverse fulfillment fulfilment", "c"),
      ],
    },
    { label: "Data", items: [here("Players", UserRound, "/players", "users customers people balance", "p"), ...kinds("Data")] },
    {
      label: "Environment",
      items: [
        here("Alerts and budgets", BellRing, "/alerts", "notifications watch threshold budget anomaly monitoring"),
        here("Promote", GitCompareArrows, "/promote", "sandbox live import export file difference", "o"),
        ...(approvals.isOn || approvals.waiting > 0 ? [{ ...requests, count: approvals.undecided }] : []),
        here("Translations", Languages, "/translations", "languages texts missing csv import export localization i18n", "t"),
        here("Import data", FileInput, "/import", "csv jsonl upload bulk players attributes events points"),
        here(
          "Developers",
          Code2,
          "/developers",
          "api keys webhooks endpoints deliveries attempts quarantine quickstart curl debugger request log",
          "d",
        ),
        here("Settings", SlidersHorizontal, "/settings", "clock discovery currency exchange rates reset", ","),
      ],
    },
    {
      label: "Project",
      items: [
        ofProject("Members", UserRoundCog, "/settings/members", "people invite roles"),
        ...(isAtLeast(role, "Admin")
          ? [ofProject("Channels", Megaphone, "/settings/channels", "notifications slack alerts messages webhook email")]
          : []),
        ofProject("Tokens", KeyRound, "/settings/tokens", "command line continuous integration tests"),
        ...(isAtLeast(role, "Owner")
          ? [ofProject("Status", Activity, "/settings/status", "health queue workers database size backlog")]
          : []),
        ofProject("Audit log", ScrollText, "/audit-log", "who changed what history", "u"),
      ],
    },
  ];
}

/** Destinations outside any project. */
export const ELSEWHERE: Destination[] = [
  { label: "Documentation", icon: BookOpen, href: "/docs", keywords: "docs api reference guides errors" },
  { label: "Your account", icon: Settings, href: "/dashboard/account", keywords: "password sessions sign out" },
];
