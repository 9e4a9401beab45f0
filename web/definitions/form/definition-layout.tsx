import { type ReactNode, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ArrowUpFromLine, ChartColumn, Copy, Ellipsis, FlaskConical, LayoutTemplate, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import type { Kind } from "#server/model/definitions/contract.ts";
import { hasResults } from "../../analytics/reports.ts";
import { useOpenAfter } from "../../client/leaving.ts";
import { useWhere } from "../../client/service.tsx";
import { CopyButton } from "../../components/code.tsx";
import { Page } from "../../components/page.tsx";
import { Badge } from "../../components/surface.tsx";
import { LinkTabs } from "../../components/tabs.tsx";
import { DELETION_IN_WORDS } from "../document/form-words.ts";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import type { ShownState } from "../shown-state.ts";
import { useDefinitionVerbs } from "../definition-verbs.ts";
import { Button, IconButton, LinkButton } from "../../components/button.tsx";
import { ConfirmDialog, dialogOnceOpen, Menu, type MenuItem } from "../../components/overlay.tsx";

export const TryPanel = dialogOnceOpen(() => import("../try/try-panel.tsx").then((loaded) => loaded.TryPanel));

interface DefinitionLayoutProps {
  kind: Kind;
  /** Null before it is created: it has no tabs then. */
  knownKey: string | null;
  title: string;
  /** Null for kinds without a switch. */
  state: ShownState | null;
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
export function DefinitionLayout({ kind, knownKey, title, state, isDeleted = false, width, actions, children }: DefinitionLayoutProps) {
  const { href, can } = useWhere();
  const { many, path, isKeyless } = KIND_SCREENS[kind];
  return (
    <Page
      title={title}
      width={width}
      breadcrumbs={[{ label: many, href: href(`/${path}`) }]}
      aside={isDeleted ? <Badge tone="bad">Deleted</Badge> : state !== null && <Badge tone={TONES[state]}>{state}</Badge>}
      description={knownKey !== null && !isKeyless && <DefinitionKey of={knownKey} />}
      actions={actions}
    >
      {knownKey !== null && !isDeleted && (
        <LinkTabs
          label={title}
          items={tabsOf(kind, can("Editor")).map((tab) => ({
            label: tab.label,
            href: href(definitionPath(kind, knownKey)) + tab.path,
            shortcut: tab.path === "/edit" ? "e" : undefined,
          }))}
        />
      )}
      {children}
    </Page>
  );
}

const DefinitionKey = ({ of }: { of: string }) => (
  <span className="flex items-center gap-1">
    <code className="min-w-0 truncate font-mono text-[0.8125rem]">{of}</code>
    <CopyButton text={of} label="Copy key" />
  </span>
);

const TONES = { Active: "good", Off: "warn", Scheduled: "info", Ended: "neutral" } as const;

interface ActionsProps {
  kind: Kind;
  /** Null before it is created. */
  known: { key: string; removal: { allowed: boolean } } | null;
  /** Null for kinds without a switch. */
  isActive: boolean | null;
  /** Why it cannot be deleted, as a sentence; null if it can be. */
  keptBecause: string | null;
  /** There are unsaved changes. */
  isDirty?: boolean;
  title: string;
  onSwitched?(active: boolean): void;
  /** Opens the trial panel with the definition as it is in the form. */
  onTry?(): void;
}

export function DefinitionActions({ kind, known, isActive, keptBecause, isDirty = false, title, onSwitched, onTry }: ActionsProps) {
  const { href, can, canInBoth, environment } = useWhere();
  const isReadOnly = !can("Editor");
  const { one, path, hasExamples } = KIND_SCREENS[kind];
  const router = useRouter();
  const queries = useQueryClient();
  const { open } = useOpenAfter();
  const [isRemoving, setRemoving] = useState(false);
  const { switchTo, remove } = useDefinitionVerbs(
    { kind, key: known?.key ?? "", name: title },
    {
      async onSwitched(active) {
        onSwitched?.(active);
        router.refresh();
        await queries.invalidateQueries();
      },
      async onRemoved() {
        await queries.invalidateQueries();
        open(href(`/${path}`));
      },
    },
  );

  // A listing's figures are on the shop report; other kinds have a Results tab.
  const report = known !== null && kind === "marketplaceItems" ? "/analytics/shop" : null;
  const items: MenuItem[] = [];
  if (known !== null && !isReadOnly) {
    const duplicate = href(`/${path}/new?from=${encodeURIComponent(known.key)}`);
    items.push({ label: "Duplicate", icon: <Copy />, href: duplicate });
  }
  if (known !== null && environment === "sandbox" && canInBoth("Editor")) {
    const promote = href(`/promote?chosen=${kind}:${encodeURIComponent(known.key)}`);
    items.push({ label: "Promote to Live", icon: <ArrowUpFromLine />, href: promote });
  }
  if (known !== null && !isReadOnly && isActive !== null) {
    const hint = isDirty ? "Save your changes first" : isActive ? "Rewards already earned stay" : undefined;
    items.push({
      label: isActive ? "Switch off" : "Switch on",
      icon: <Power />,
      hint,
      disabled: isDirty,
      onSelect: () => void switchTo(!isActive),
    });
  }
  if (known !== null && !isReadOnly) {
    const { allowed } = known.removal;
    items.push({
      label: "Delete…",
      icon: <Trash2 />,
      hint: keptBecause ?? undefined,
      disabled: !allowed,
      isDanger: true,
      isApart: true,
      onSelect: () => setRemoving(true),
    });
  }

  return (
    <>
      {report !== null && (
        <LinkButton href={href(report)} icon={<ChartColumn />}>
          Analytics
        </LinkButton>
      )}
      {known === null && !isReadOnly && hasExamples && (
        <LinkButton href={href(`/${path}/new?examples`)} icon={<LayoutTemplate />}>
          Start from an example
        </LinkButton>
      )}
      {onTry && (
        <Button icon={<FlaskConical />} opens={TryPanel} onClick={onTry}>
          Try it
        </Button>
      )}
      {items.length > 0 && (
        <Menu items={items} trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} aria-keyshortcuts="." />} />
      )}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Delete ${title}?`}
        confirmLabel={`Delete ${one}`}
        isDanger
        onConfirm={remove}
      >
        {DELETION_IN_WORDS}
      </ConfirmDialog>
    </>
  );
}
