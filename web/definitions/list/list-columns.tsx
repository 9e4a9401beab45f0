import { instantInWords } from "#server/model/kernel/dates.ts";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { Copy, Ellipsis, Pencil, Power, Trash2 } from "lucide-react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import type { ListFigures } from "./figures.ts";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import { type ShownState, stateOf } from "../shown-state.ts";
import type { ListedDefinition } from "../kinds/columns.tsx";
import { useWhere } from "../../client/service.tsx";
import { dialogOnceOpen, Menu, type MenuItem, Tooltip } from "../../components/overlay.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { Badge } from "../../components/surface.tsx";
import { actionColumn, type Column, instantColumn } from "../../components/table.tsx";
import { Thumbnail } from "./thumbnail.tsx";
import { useDefinitionVerbs } from "../definition-verbs.ts";
import { IconButton } from "../../components/button.tsx";

export function useColumns(kind: Kind, figures: ListFigures | null): Column<ListedDefinition>[] {
  const { timeZone, now } = useWhere();
  return useMemo(() => {
    const { columns, underName, isKeyless } = KIND_SCREENS[kind];
    const own = [...columns, ...(figures === null ? [] : [figureColumn(figures)])];
    return [
      {
        id: "name",
        header: "Name",
        sortKey: "name",
        cell: ({ name, key, summary, active, scheduledAt, requests }) => (
          <span className="flex min-w-0 items-center gap-3 max-sm:gap-2">
            {"icon" in summary && <Thumbnail image={summary.icon} name={name} />}
            <span className="min-w-0">
              <span className="flex min-w-0 items-center gap-x-2 max-sm:flex-wrap">
                <span dir="auto" className="truncate max-sm:line-clamp-2 max-sm:wrap-anywhere max-sm:whitespace-normal">
                  {name}
                </span>
                <WindowBadge state={stateOf(active, summary, now)} />
                {scheduledAt !== null && (
                  <Tooltip content={`Applies ${instantInWords(scheduledAt, timeZone)}`}>
                    <Badge tone="info" className="relative z-10">
                      Change scheduled
                    </Badge>
                  </Tooltip>
                )}
                {requests > 0 && <Badge tone="warn">{requests === 1 ? "Change requested" : `${requests} changes requested`}</Badge>}
              </span>
              <UnderName definitionKey={isKeyless || key === name ? null : key} traits={underName?.(summary, now) ?? []} />
            </span>
          </span>
        ),
      },
      ...own,
      ...(own.length > MAX_OWN_COLUMNS || isKeyless ? [] : [USED_BY]),
      CHANGED,
      actionColumn("Actions", (row) => <DefinitionMenu kind={kind} definition={row} />, "w-10 text-right"),
    ];
  }, [kind, figures, timeZone, now]);
}

/** A list has five columns at most: with more of its own than these, it leaves out the number of uses. Nothing uses a keyless kind. */
const MAX_OWN_COLUMNS = 2;

const USED_BY: Column<ListedDefinition> = {
  id: "usedBy",
  header: "Used by",
  sortKey: "usedBy",
  isNumeric: true,
  className: "max-lg:hidden",
  cell: ({ usedBy }) => <span className="text-quiet">{usedBy === 0 ? "–" : formatted(usedBy)}</span>,
};

const CHANGED: Column<ListedDefinition> = {
  ...instantColumn("Changed", ({ changedAt }) => changedAt, { className: "max-xl:hidden", isQuiet: true }),
  sortKey: "updated",
};

/** "park_walk · Every week · Opt-in"; the key is null if the name says it. */
function UnderName({ definitionKey, traits }: { definitionKey: string | null; traits: readonly ReactNode[] }) {
  const parts = [...(definitionKey === null ? [] : [<span className="font-mono">{definitionKey}</span>]), ...traits];
  if (parts.length === 0) return null;
  return (
    <span className="block truncate text-xs font-normal text-faint">
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at > 0 && " · "}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

const figureColumn = ({ header, period, sortKey, of, days }: ListFigures): Column<ListedDefinition> => ({
  id: "figure",
  header:
    period === undefined ? (
      header
    ) : (
      <span>
        {header}
        <span className="max-sm:sr-only">, {period}</span>
      </span>
    ),
  sortKey,
  isNumeric: true,
  cell(row) {
    const values = days?.(row) ?? [];
    return (
      <span className="inline-flex items-center justify-end gap-2 align-middle whitespace-nowrap text-quiet">
        {values.length > 1 && <Sparkline values={values} className="h-4 w-15 max-sm:hidden" />}
        <span className="min-w-8 tabular-nums">{of(row)}</span>
      </span>
    );
  },
});

/** Active definitions, the usual ones, have none. */
const WindowBadge = ({ state }: { state: ShownState }) =>
  state !== "Active" && <Badge tone={state === "Scheduled" ? "info" : "neutral"}>{state}</Badge>;

/** Loaded on first opening, with the wording of every reason against deletion. */
const DeleteDialog = dialogOnceOpen(() => import("./delete-dialog.tsx").then((loaded) => loaded.DeleteDialog));

function DefinitionMenu({ kind, definition }: { kind: Kind; definition: ListedDefinition }) {
  const { key, name, active } = definition;
  const where = useWhere();
  const { path, isKeyless } = KIND_SCREENS[kind];
  const [isRemoving, setRemoving] = useState(false);
  const { switchTo } = useDefinitionVerbs({ kind, key, name });

  const items: MenuItem[] = [
    {
      label: where.can("Editor") ? "Edit" : "View",
      icon: <Pencil />,
      href: `${where.href(definitionPath(kind, key))}/edit`,
    },
  ];
  if (where.can("Editor")) {
    items.push({ label: "Duplicate", icon: <Copy />, href: where.href(`/${path}/new?from=${encodeURIComponent(key)}`) });
    if (!isKeyless)
      items.push({
        label: active ? "Switch off" : "Switch on",
        icon: <Power />,
        onSelect: () => void switchTo(!active),
      });
    items.push({ label: "Delete…", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => setRemoving(true) });
  }
  return (
    <>
      {/* Above the row's link. */}
      <span className="relative z-10">
        <Menu items={items} trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} />} />
      </span>
      <DeleteDialog kind={kind} definition={definition} open={isRemoving} onOpenChange={setRemoving} />
    </>
  );
}
