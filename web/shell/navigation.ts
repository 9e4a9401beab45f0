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
import { ALL_KINDS } from "../definitions/kinds/index.ts";

export interface Destination {
  label: string;
  icon: LucideIcon;
  href: string;
  /** More search terms. */
  keywords?: string;
  /** The number of waiting items. */
  count?: number;
  /** The letter that opens it after `g`. */
  shortcut?: string;
}

/** Of kinds, by their path. */
const KIND_SHORTCUTS: Record<string, string> = {
  ...{ missions: "m", streaks: "s", leaderboards: "b", segments: "g", listings: "l", events: "e", attributes: "f" },
};

export interface Group {
  label: string | null;
  items: Destination[];
}

/**
 * All destinations in a project, in the order of the side bar. Change requests are included if the project requires them, or some are
 * waiting.
 */
export function destinations(project: string, environment: string, approvals = { isOn: false, waiting: 0 }): Group[] {
  const base = `/dashboard/${project}/${environment}`;
  const kinds = (section: string): Destination[] =>
    ALL_KINDS.filter(([, module]) => module.section === section).map(([, { many, icon, path, keywords }]) => ({
      label: many,
      icon,
      href: `${base}/${path}`,
      keywords,
      shortcut: KIND_SHORTCUTS[path],
    }));
  return [
    {
      label: null,
      items: [
        { label: "Home", icon: House, href: base, shortcut: "h", keywords: "overview start quickstart today" },
        {
          label: "Analytics",
          icon: ChartColumn,
          href: `${base}/analytics`,
          shortcut: "a",
          keywords: "reports charts statistics figures numbers",
        },
      ],
    },
    { label: "Engage", items: kinds("Engage") },
    {
      label: "Reward",
      items: [
        ...kinds("Reward"),
        {
          label: "Purchases",
          icon: ShoppingBag,
          href: `${base}/purchases`,
          shortcut: "c",
          keywords: "shop marketplace orders bought refund reverse fulfillment fulfilment",
        },
      ],
    },
    {
      label: "Data",
      items: [
        { label: "Players", icon: UserRound, href: `${base}/players`, shortcut: "p", keywords: "users customers people balance" },
        ...kinds("Data"),
      ],
    },
    {
      label: "Environment",
      items: [
        {
          label: "Alerts and budgets",
          icon: BellRing,
          href: `${base}/alerts`,
          keywords: "notifications watch threshold budget anomaly monitoring",
        },
        {
          label: "Promote",
          icon: GitCompareArrows,
          href: `${base}/promote`,
          shortcut: "o",
          keywords: "sandbox live import export file difference",
        },
        ...(approvals.isOn || approvals.waiting > 0
          ? [
              {
                label: "Change requests",
                icon: GitPullRequestArrow,
                href: `/dashboard/${project}/live/requests`,
                shortcut: "r",
                keywords: "approvals approve review live pending",
                count: approvals.waiting,
              },
            ]
          : []),
        {
          label: "Translations",
          icon: Languages,
          href: `${base}/translations`,
          shortcut: "t",
          keywords: "languages texts missing csv import export localization i18n",
        },
        {
          label: "Import data",
          icon: FileInput,
          href: `${base}/import`,
          keywords: "csv jsonl upload bulk players attributes events points",
        },
        {
          label: "Developers",
          icon: Code2,
          href: `${base}/developers`,
          shortcut: "d",
          keywords: "api keys webhooks endpoints deliveries attempts quarantine quickstart curl debugger request log",
        },
        {
          label: "Settings",
          icon: SlidersHorizontal,
          href: `${base}/settings`,
          shortcut: ",",
          keywords: "clock discovery currency exchange rates reset",
        },
      ],
    },
    {
      label: "Project",
      items: [
        { label: "Members", icon: UserRoundCog, href: `/dashboard/${project}/settings/members`, keywords: "people invite roles" },
        {
          label: "Channels",
          icon: Megaphone,
          href: `/dashboard/${project}/settings/channels`,
          keywords: "notifications slack alerts messages webhook email",
        },
        {
          label: "Tokens",
          icon: KeyRound,
          href: `/dashboard/${project}/settings/tokens`,
          keywords: "command line continuous integration tests",
        },
        {
          label: "Status",
          icon: Activity,
          href: `/dashboard/${project}/settings/status`,
          keywords: "health queue workers database size backlog",
        },
        {
          label: "Audit log",
          icon: ScrollText,
          href: `/dashboard/${project}/audit-log`,
          shortcut: "u",
          keywords: "who changed what history",
        },
      ],
    },
  ];
}

/** Destinations outside any project. */
export const ELSEWHERE: Destination[] = [
  { label: "Documentation", icon: BookOpen, href: "/docs", keywords: "docs api reference guides errors" },
  { label: "Your account", icon: Settings, href: "/dashboard/account", keywords: "password sessions sign out" },
];
