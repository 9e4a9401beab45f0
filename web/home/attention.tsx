"use client";

import { ArrowRight, CalendarClock, CalendarX2, Languages, PackageMinus, ShieldAlert, Unplug } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { AnalyticsReports } from "../client/answers.ts";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { nameOf } from "../analytics/subjects.tsx";
import { definitionPath, KIND_MODULES, titleOfKey } from "../definitions/kinds/index.ts";
import { languageName } from "../../server/model/kernel/languages.ts";
import { useWhere } from "../client/where.tsx";
import { cx } from "../components/classes.ts";
import { exactly } from "../components/exactly.ts";
import { Card } from "../components/surface.tsx";

type Item = AnalyticsReports["overview"]["attention"][number];

interface Shown {
  id: string;
  icon: ReactNode;
  isUrgent: boolean;
  title: string;
  words: string;
  path: string;
}

/** Items that need attention, each linked to its fix. */
export function Attention({ items }: { items: readonly Item[] }) {
  const { href, timeZone } = useWhere();
  if (items.length === 0) return null;
  return (
    <Card title="Needs attention" padded={false}>
      <ul aria-label="Needs attention">
        {items.map((item) => {
          const { id, icon, isUrgent, title, words, path } = shown(item, timeZone);
          return (
            <li key={id} className="border-b border-line last:border-b-0">
              <Link href={href(path)} prefetch={false} className="group flex items-start gap-3 px-4 py-2.5 hover:bg-raised">
                <span className={cx("mt-0.5 [&_svg]:size-4", isUrgent ? "text-bad" : "text-warn")}>{icon}</span>
                <span className="min-w-0 flex-1">
                  <span className="block font-medium wrap-anywhere">{title}</span>
                  <span className="block text-[0.8125rem] text-quiet wrap-anywhere">{words}</span>
                </span>
                <ArrowRight className="mt-0.5 size-4 shrink-0 text-faint group-hover:text-ink" aria-hidden />
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function shown(item: Item, timeZone: string): Shown {
  switch (item.kind) {
    case "FailingEndpoint":
      return {
        id: item.endpointId,
        icon: <Unplug aria-hidden />,
        isUrgent: true,
        title: item.isOff ? "A webhook endpoint is switched off" : "A webhook endpoint is failing",
        words: `${item.url} · every attempt has failed since ${exactly(item.since, timeZone)}`,
        path: `/developers/webhooks/${item.endpointId}`,
      };
    case "QuarantinedFacts":
      return {
        id: item.kind,
        icon: <ShieldAlert aria-hidden />,
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
        icon: <CalendarX2 aria-hidden />,
        isUrgent: true,
        title: `A scheduled change of the ${KIND_MODULES[kind].one} ${titleOfKey(kind, key, timeZone)} was not applied`,
        words: `Due ${exactly(item.at, timeZone)} · ${item.reason}`,
        path: item.isGone ? `${path}/history` : path,
      };
    }
    case "StockRunningOut":
      return {
        id: `${item.kind} ${item.listing.id}`,
        icon: <PackageMinus aria-hidden />,
        isUrgent: item.left === 0,
        title: item.left === 0 ? `${nameOf(item.listing)} is sold out` : `${nameOf(item.listing)} is running out`,
        words: `${formatted(item.left)} of ${formatted(item.stock)} left`,
        path: definitionPath("marketplaceItems", item.listing.key ?? ""),
      };
    case "MissionEnding":
      return {
        id: `${item.kind} ${item.mission.id}`,
        icon: <CalendarClock aria-hidden />,
        isUrgent: false,
        title: `${nameOf(item.mission)} ends soon`,
        words: `On ${exactly(item.endsAt, timeZone)}`,
        path: definitionPath("missions", item.mission.key ?? ""),
      };
    case "UnknownLanguages":
      return {
        id: item.kind,
        icon: <Languages aria-hidden />,
        isUrgent: true,
        title: `Texts in ${item.languages.length === 1 ? "an unknown language" : "unknown languages"}`,
        words: `${item.languages.map((tag) => `“${tag}”`).join(", ")}: no player's app asks for this. Choose the language that it means.`,
        path: "/translations",
      };
    case "MissingTranslations":
      return {
        id: item.kind,
        icon: <Languages aria-hidden />,
        isUrgent: false,
        title: `${plural(item.count, "text")} with missing translations`,
        words: `In ${item.languages.map(languageName).join(", ")}. Players see the default language instead.`,
        path: "/translations?missing=1",
      };
  }
}
