import { instantInWords } from "../../server/model/kernel/dates.ts";
import { ArrowRight, CalendarClock, CalendarX2, KeyRound, Languages, PackageMinus, ShieldAlert, Unplug } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type AnalyticsReports, orpc, useRead, useWhere } from "../client/service.tsx";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { subjectName } from "../analytics/subjects.tsx";
import { definitionPath, nameIn, KIND_SCREENS, titleOfKey } from "../definitions/kinds/index.ts";
import { languageName } from "../../server/model/kernel/languages.ts";
import { cx } from "../components/classes.ts";
import { Card } from "../components/surface.tsx";

type Item = AnalyticsReports["overview"]["attention"][number];

interface Row {
  id: string;
  icon: ReactNode;
  isUrgent: boolean;
  title: string;
  words: string;
  path: string;
}

/** Items that need attention, each linked to its fix. */
export function Attention({ items }: { items: readonly Item[] }) {
  const { timeZone } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  if (items.length === 0) return null;
  const nameOf = (kind: Kind, key: string) => nameIn(catalogue, kind, key) ?? titleOfKey(kind, key, timeZone);
  return (
    <Card title="Needs attention" padded={false}>
      <Rows label="Needs attention" rows={items.map((item) => rowOf(item, timeZone, nameOf))} />
    </Card>
  );
}

/** Rows that link to where each item is fixed. */
function Rows({ label, rows }: { label: string; rows: readonly Row[] }) {
  const { href } = useWhere();
  return (
    <ul aria-label={label}>
      {rows.map(({ id, icon, isUrgent, title, words, path }) => (
        <li key={id} className="border-b border-line last:border-b-0">
          <Link href={href(path)} prefetch={false} className="group flex items-start gap-3 px-4 py-2.5 hover:bg-raised">
            <span className={cx("mt-0.5 [&_svg]:size-4", isUrgent ? "text-bad" : "text-warn")}>{icon}</span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-anywhere">{title}</span>
              <span className="block text-[0.8125rem] text-quiet wrap-anywhere">{words}</span>
            </span>
            <ArrowRight className="mt-0.5 size-4 shrink-0 text-faint group-hover:text-ink" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Stale = AnalyticsReports["stale"];

/** The advice for unused definitions of a kind. */
const STALE_WORDS: Record<Stale["definitions"][number]["kind"], (days: number) => string> = {
  missions: (days) => `No player has completed it in ${days} days. Make it easier, or switch it off.`,
  marketplaceItems: () => "Never bought. Change its price or contents, or switch it off.",
  events: (days) => `Not sent in ${days} days. Check what your app sends, or switch it off.`,
};

/** Definitions and API keys that are on but unused, each linked to its page. Collapsed, since none of it is urgent. */
export function StaleDefinitions() {
  const { timeZone } = useWhere();
  // Sums of sixty days change slowly.
  const { data } = useRead(orpc.analytics.stale, {}, { staleTime: 10 * 60_000 });
  const rows =
    data === undefined
      ? []
      : [...data.definitions.flatMap((group) => staleOf(group, data.days)), ...data.keys.map((key) => unusedKey(key, timeZone))];
  if (data === undefined || rows.length === 0) return null;
  const count = data.definitions.reduce((sum, group) => sum + group.count, data.keys.length);
  return (
    <Card padded={false}>
      <details>
        <summary className="cursor-pointer rounded-xl px-4 py-3 text-sm font-semibold">
          Not in use <span className="font-normal text-quiet">{count}</span>
        </summary>
        <Rows label="Not in use" rows={rows} />
      </details>
    </Card>
  );
}

function unusedKey({ id, name, hint, createdAt }: Stale["keys"][number], timeZone: string): Row {
  const words = `${hint} · created ${instantInWords(createdAt, timeZone)}, never used. Revoke it if nothing needs it.`;
  return { id, icon: <KeyRound />, isUrgent: false, title: `API key ${name}`, words, path: "/developers" };
}

function staleOf({ kind, count, named }: Stale["definitions"][number], days: number): Row[] {
  const { icon: Icon, many, path } = KIND_SCREENS[kind];
  const rows = named.map(({ key, name }) => ({
    id: `${kind} ${key}`,
    icon: <Icon />,
    isUrgent: false,
    title: name,
    words: STALE_WORDS[kind](days),
    path: definitionPath(kind, key),
  }));
  if (count === named.length) return rows;
  const more = {
    id: kind,
    icon: <Icon />,
    isUrgent: false,
    title: `${count - named.length} more: ${many}`,
    words: "",
    path: `/${path}`,
  };
  return [...rows, more];
}

function rowOf(item: Item, timeZone: string, nameOf: (kind: Kind, key: string) => string): Row {
  switch (item.kind) {
    case "FailingEndpoint":
      return {
        id: item.endpointId,
        icon: <Unplug />,
        isUrgent: true,
        title: item.isOff ? "A webhook endpoint is switched off" : "A webhook endpoint is failing",
        words: `${item.url} · every attempt has failed since ${instantInWords(item.since, timeZone)}`,
        path: `/developers/webhooks/${item.endpointId}`,
      };
    case "QuarantinedFacts":
      return {
        id: item.kind,
        icon: <ShieldAlert />,
        isUrgent: true,
        title: `${plural(item.count, "event")} in quarantine`,
        words: "Accepted, but could not be processed. Look at the error and retry.",
        path: "/developers/quarantine",
      };
    case "ScheduledChangeFailed": {
      const { kind, key } = item.definition;
      const path = definitionPath(kind, key);
      return {
        id: item.id,
        icon: <CalendarX2 />,
        isUrgent: true,
        title: `A scheduled change of the ${KIND_SCREENS[kind].one} ${nameOf(kind, key)} was not applied`,
        words: `Due ${instantInWords(item.at, timeZone)} · ${item.reason}`,
        path: item.isGone ? `${path}/history` : path,
      };
    }
    case "StockRunningOut":
      return {
        id: `${item.kind} ${item.listing.id}`,
        icon: <PackageMinus />,
        isUrgent: item.left === 0,
        title: item.left === 0 ? `${subjectName(item.listing)} is sold out` : `${subjectName(item.listing)} is running out`,
        words: `${formatted(item.left)} of ${formatted(item.stock)} left`,
        path: definitionPath("marketplaceItems", item.listing.key ?? ""),
      };
    case "MissionEnding":
      return {
        id: `${item.kind} ${item.mission.id}`,
        icon: <CalendarClock />,
        isUrgent: false,
        title: `${subjectName(item.mission)} ends soon`,
        words: `On ${instantInWords(item.endsAt, timeZone)}`,
        path: definitionPath("missions", item.mission.key ?? ""),
      };
    case "UnknownLanguages":
      return {
        id: item.kind,
        icon: <Languages />,
        isUrgent: true,
        title: `Texts in ${item.languages.length === 1 ? "an unknown language" : "unknown languages"}`,
        words: `${item.languages.map((tag) => `“${tag}”`).join(", ")}: no player's app asks for this. Choose the language that it means.`,
        path: "/translations",
      };
    case "MissingTranslations":
      return {
        id: item.kind,
        icon: <Languages />,
        isUrgent: false,
        title: `${plural(item.count, "text")} with missing translations`,
        words: `In ${item.languages.map(languageName).join(", ")}. Players see the default language instead.`,
        path: "/translations?missing=1",
      };
  }
}
