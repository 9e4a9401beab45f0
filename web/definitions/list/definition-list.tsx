"use client";

import { GitCompareArrows, LayoutTemplate, Plus } from "lucide-react";
import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { definitionPath, KIND_SCREENS, titleOfKey } from "../kinds/index.ts";
import { orpc, useWhere } from "../../client/service.tsx";
import { useAddress } from "../../client/use-address.ts";
import { lazily } from "../../components/lazily.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { choices, Segmented } from "../../components/choice.tsx";
import { Page } from "../../components/page.tsx";
import { Counted } from "../../components/surface.tsx";
import { ListCard, pageSummary, useListed } from "../../components/list-card.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { useFigures } from "./figures.ts";
import { useColumns } from "./list-columns.tsx";
import { LIST, definitionsInput, PAGE_SIZE } from "./list-view.ts";

/** Loaded with the first selection. */
const BulkBar = lazily(() => import("./bulk-bar.tsx").then((loaded) => loaded.BulkBar));

const NO_ROWS: never[] = [];

const keysOf = (data: { rows: readonly { key: string }[] } | undefined) => data?.rows.map(({ key }) => key);

/** A kind's definitions, searched, filtered, sorted and paged by the server. */
export function DefinitionList({ kind }: { kind: Kind }) {
  const where = useWhere();
  const { one, many, path, icon: Icon, purpose, nameOf, isKeyless, hasExamples } = KIND_SCREENS[kind];
  const [view, show] = useAddress(LIST);
  const list = useListed((cursor) => orpc.definitions.list.queryOptions({ input: definitionsInput(where.scope, kind, view, cursor) }));
  const { data, pages } = list;
  const figures = useFigures(kind, data?.rows ?? NO_ROWS);
  const columns = useColumns(kind, figures);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // A row that is missing after the page is fetched again is deselected: it was deleted, or is on another page.
  const [read, setRead] = useState<{ page: string; data: typeof data }>();
  const page = JSON.stringify([view, pages.cursor]);
  if (data !== read?.data && !list.isPlaceholderData) {
    setRead({ page, data });
    if (page === read?.page) setSelected(selected.difference(new Set(keysOf(read.data)).difference(new Set(keysOf(data)))));
  }
  const canCreate = where.can("Editor");
  const create = canCreate && (
    <LinkButton variant="primary" href={where.href(`/${path}/new`)} icon={<Plus />} aria-keyshortcuts="c">
      New {one}
    </LinkButton>
  );
  const isEmpty = data !== undefined && data.counts.active + data.counts.off === 0;
  const rows = nameOf ? data?.rows.map((row) => ({ ...row, name: titleOfKey(kind, row.key, where.timeZone) })) : data?.rows;
  return (
    <Page title={many} description={isEmpty ? undefined : purpose} actions={!isEmpty && create}>
      <ListCard
        label={many}
        isFiltered={!isEmpty}
        filters={
          <TableToolbar>
            <SearchInput value={view.q ?? ""} onValueChange={(q) => show({ q })} label={`Search ${many.toLowerCase()}`} />
            {!isKeyless && (
              <Segmented
                label="Status"
                value={view.status ?? "all"}
                onValueChange={(status) => show({ status: status === "all" ? null : status })}
                options={choices({
                  all: "All",
                  active: <Counted label="Active" count={data?.counts.active} />,
                  off: <Counted label="Off" count={data?.counts.off} />,
                })}
              />
            )}
          </TableToolbar>
        }
        columns={columns}
        list={list}
        rows={rows}
        rowKey={({ key }) => key}
        href={({ key }) => where.href(definitionPath(kind, key))}
        sorting={{ by: view.sort ?? "created", descending: view.order === null }}
        onSortingChange={({ by, descending }) => {
          // The most completed first.
          const isLargestFirst = by === "completions" && by !== view.sort;
          show({ sort: by as typeof view.sort, order: descending || isLargestFirst ? null : "ascending" });
        }}
        selection={
          canCreate && !isKeyless
            ? {
                selected,
                onSelectedChange: setSelected,
                labelOf: (key) => `Select ${rows?.find((row) => row.key === key)?.name ?? key}`,
              }
            : undefined
        }
        empty={
          isEmpty
            ? {
                icon: <Icon />,
                title: `No ${many.toLowerCase()} yet`,
                words: (
                  <>
                    {purpose}
                    {!canCreate && " Editors, Admins and Owners can create one."}
                  </>
                ),
                action: (
                  <div className="flex flex-wrap justify-center gap-2">
                    {create}
                    {canCreate && hasExamples && (
                      <LinkButton href={where.href(`/${path}/new?examples`)} icon={<LayoutTemplate />}>
                        Start from an example
                      </LinkButton>
                    )}
                    {where.environment === "live" && canCreate && (
                      <LinkButton href={`/dashboard/${where.project}/sandbox/promote`} icon={<GitCompareArrows />}>
                        Promote from Sandbox
                      </LinkButton>
                    )}
                  </div>
                ),
              }
            : {
                title: "No results",
                words: `No ${one} matches your search and status.`,
                action: <Button onClick={() => show({ q: null, status: null })}>Show all</Button>,
              }
        }
        summary={pageSummary(pages.number, PAGE_SIZE, data, one, many.toLowerCase())}
      >
        {selected.size > 0 && <BulkBar kind={kind} keys={[...selected]} onClear={() => setSelected(new Set())} />}
      </ListCard>
    </Page>
  );
}
