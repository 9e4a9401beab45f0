"use client";

import type { ReactNode } from "react";
import { hasResults } from "../../analytics/reports.ts";
import { useWhere } from "../../client/where.tsx";
import { Page } from "../../components/page.tsx";
import { Badge } from "../../components/surface.tsx";
import { LinkTabs } from "../../components/tabs.tsx";
import type { Kind } from "#server/model/definitions/contract.ts";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";

interface DefinitionPageProps {
  kind: Kind;
  /** Null before it is created: it has no tabs then. */
  knownKey: string | null;
  title: string;
  /** Null for kinds without a switch. */
  isActive: boolean | null;
  isDeleted?: boolean;
  width?: "wide" | "form";
  actions?: ReactNode;
  children: ReactNode;
}

/** The tabs of a definition, each with its own address. A tab is one line here and a page under `[key]/`. */
const tabsOf = (kind: Kind, isEditor: boolean) => [
  { label: "Overview", path: "" },
  ...(hasResults(kind) ? [{ label: "Results", path: "/results" }] : []),
  ...(kind === "leaderboards" ? [{ label: "Standings", path: "/standings" }] : []),
  { label: isEditor ? "Edit" : "Details", path: "/edit" },
  { label: "History", path: "/history" },
];

/** The frame of a definition's screens: name, state, actions and tabs. */
export function DefinitionPage({ kind, knownKey, title, isActive, isDeleted = false, width, actions, children }: DefinitionPageProps) {
  const { href, can } = useWhere();
  const { many, path } = KIND_MODULES[kind];
  return (
    <Page
      title={title}
      width={width}
      breadcrumbs={[{ label: many, href: href(`/${path}`) }]}
      aside={isDeleted ? <Badge tone="bad">Deleted</Badge> : isActive !== null && <Status isActive={isActive} />}
      actions={actions}
    >
      {knownKey !== null && !isDeleted && (
        <LinkTabs
          label={title}
          items={tabsOf(kind, can("Editor")).map((tab) => ({ label: tab.label, href: href(definitionPath(kind, knownKey)) + tab.path }))}
        />
      )}
      {children}
    </Page>
  );
}

const Status = ({ isActive }: { isActive: boolean }) => (isActive ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Off</Badge>);
